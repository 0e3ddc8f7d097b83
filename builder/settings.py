"""Django's settings: development needs no environment variables, production fails if a required one is missing."""

import os
from pathlib import Path
from typing import Any

from builder import environment as env

BASE_DIR = Path(__file__).resolve().parent.parent
# In a wheel this folder contains the folders that are beside the packages otherwise (setup.py).
_WHEEL = BASE_DIR / "builder" / "beside"
BESIDE = _WHEEL if _WHEEL.is_dir() else BASE_DIR
# The folder of the SQLite file and of the secrets of development.
DATA_DIR = Path(os.environ.get("BOGENSCHMIEDE_DATA") or BASE_DIR)
DEVELOPMENT = os.environ.get("BOGENSCHMIEDE_MODE") == "development"

if DEVELOPMENT:
    SECRET_KEY = env.stored_secret(DATA_DIR / ".secret")
    REVIEW_KEY = env.stored_secret(DATA_DIR / ".review-key")
    ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    # Off, so that developers see the site's own error pages; DEBUG=1 shows Django's.
    DEBUG = env.flag("DEBUG")
else:
    SECRET_KEY = env.secret("SECRET_KEY", "signs sessions", "signs in as anybody")
    # Separate from SECRET_KEY, which is replaced when it leaks; this one verifies every approval ever made.
    REVIEW_KEY = env.secret("REVIEW_KEY", "vouches for reviews", "can forge approvals")
    ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS", "the host names served, separated by commas")
    DEBUG = False


def beside_systems(folder: str) -> list[Path]:
    """Return the existing folders of this name: the project's and those of all systems."""
    return [path for path in (BESIDE / folder, *sorted(BASE_DIR.glob(f"rulesets/*/{folder}"))) if path.is_dir()]


INSTALLED_APPS = [
    "builder",
    "sheets",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_htmx",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    # Before any middleware that may refuse a request, so that refusals have their headers, too.
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "builder.error_pages.security_headers_middleware",
    "builder.cache_headers.cache_headers_middleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Outside everything that queries the database.
    "builder.error_pages.retry_middleware",
    "builder.old_cookies.old_cookies_middleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "builder.error_pages.utf8_middleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "builder.small_forms.small_forms_middleware",
    "builder.limits.limits_middleware",
    "allauth.account.middleware.AccountMiddleware",
    "builder.known_browsers.known_browsers_middleware",
    "sheets.guests.guest_middleware",
    "django_htmx.middleware.HtmxMiddleware",
    "builder.error_pages.error_pages_middleware",
    "builder.once.once_middleware",
    "sheets.rolls.widgets.limit_work",
]
# Networks that may read /metrics; if it is empty, no metrics are collected.
METRICS = env.networks("METRICS")
# The format of the log; in JSON each line has the number of its request.
LOG = env.choice("LOG", "lines", "json")
# Queries that take at least this many milliseconds are logged; 0 logs none.
SLOW_QUERY = env.number("SLOW_QUERY", 0, 0, 600_000)

# Days after which `manage.py tidy` removes log lines and undo histories; 0 keeps them.
LOG_DAYS = env.number("LOG_DAYS", 0, 0, 36_500)
UNDO_DAYS = env.number("UNDO_DAYS", 0, 0, 36_500)
if LOG == "json":
    MIDDLEWARE.insert(0, "builder.logs.request_number_middleware")
if METRICS:
    MIDDLEWARE.insert(0, "builder.metrics.metrics_middleware")
ROOT_URLCONF = "builder.urls"
WSGI_APPLICATION = "builder.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": beside_systems("templates"),
        "OPTIONS": {
            "builtins": ["sheets.templatetags.names"],
            "loaders": [("django.template.loaders.cached.Loader", [
                "builder.lean_templates.Lean", "builder.lean_templates.LeanApps"])],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "builder.legal.links",
                "builder.descriptions.described",
                "sheets.notifications.views.unread",
                "sheets.reviews.views.queue.to_review",
            ]
        },
    }
]

# A worker whose request takes longer is killed (builder.watchdog). The minimum is more than the time within which
# granian treats a worker's end as a failed start and stops the whole server.
REQUEST_SECONDS = env.number("REQUEST_SECONDS", 20, 10, 600)
# The development database has accounts with publicly known passwords; production must never open it.
_FILE = DATA_DIR / ("development.sqlite3" if DEVELOPMENT else "db.sqlite3")
DATABASES = {"default": env.database(os.environ.get("DATABASE_URL") or f"sqlite:///{_FILE}", REQUEST_SECONDS / 2)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# The default cache only counts attempts; it is in the database because all processes count together. Each write deletes
# expired rows, so that no network address is stored for long, and never others, so that flooding resets no limit.
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "builder.attempt_cache.AttemptCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 0, "CULL_FREQUENCY": 1_000_000_000},
    },
    # Parts of every page that are the same for all readers of a language (templates/base.html), cached for a minute.
    "template_fragments": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "fragments"},
}

# Limits for one address: processor seconds in five minutes, new drafts and stored bytes in an hour. Ten people at one
# address stay far below them; a BUDGET of 0 is no limit, as in tests and in development.
BUDGET = env.number("BUDGET", 0 if DEVELOPMENT else 120, 0, 1_000_000)
BUDGETS = {"drafts": 300, "bytes": 32_000_000}

# Uploaded files are never written to the disk.
FILE_UPLOAD_HANDLERS = ["builder.uploads.InMemory"]

# Languages: the source is in English; visitors whose browsers state no preference get German.
LANGUAGE_CODE = "de"
LANGUAGES = [("de", "Deutsch"), ("en", "English")]
# The last one rewords allauth's own translation, whose German is formal.
LOCALE_PATHS = [*beside_systems("locale"), BESIDE / "locale" / "allauth"]
TIME_ZONE = "Europe/Berlin"
USE_TZ = True
FORMAT_MODULE_PATH = ["builder.formats"]

# Static files
STATIC_URL = "/static/"
STATIC_ROOT = os.environ.get("STATIC_ROOT") or DATA_DIR / "staticfiles"
STATICFILES_DIRS = beside_systems("static")
STATIC_STORAGE = "django.contrib.staticfiles.storage.StaticFilesStorage"
if not DEVELOPMENT:
    STATIC_STORAGE = "builder.static_files.ModuleStorage"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": STATIC_STORAGE},
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = DEVELOPMENT
# Neither WhiteNoise nor the operating system may know this type.
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}

# Accounts: a name and a password; an e-mail address is optional, and needed to reset a password.
SIGNUP = env.choice("SIGNUP", "open", "invitation", "closed")
ACCOUNT_ADAPTER = "builder.accounts.AccountAdapter"
ACCOUNT_FORMS = {"login": "builder.account_forms.SignIn",
                 "signup": "builder.account_forms.SignUp", "reset_password": "builder.account_forms.RequestReset",
                 "reset_password_from_key": "builder.account_forms.ResetPassword",
                 "change_password": "builder.account_forms.ChangePassword",
                 "add_email": "builder.account_forms.AddAddress"}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# A login takes two requests, and nobody can guess a passkey, so the limit is high.
MFA_RATE_LIMITS = {"webauthn_login": "60/m/ip"}
MFA_FORMS = {"authenticate": "builder.account_forms.Code",
             "add_webauthn": "builder.account_forms.AddPasskey", "edit_webauthn": "builder.account_forms.RenamePasskey",
             "login_webauthn": "builder.account_forms.SignInWithPasskey",
             "reauthenticate_webauthn": "builder.account_forms.ConfirmWithPasskey",
             "authenticate_webauthn": "builder.account_forms.PasskeyInsteadOfCode",
             "deactivate_totp": "builder.account_forms.DeactivateSecondFactor",
             "generate_recovery_codes": "builder.account_forms.RecoveryCodes"}
# Before an e-mail address, the password or the second factor is changed or the account is deleted, users authenticate
# again, unless they did in the last five minutes. All confirmed addresses are notified of the change.
ACCOUNT_REAUTHENTICATION_REQUIRED = ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 5 * 60
# Nobody can find out who has an account: an address that is confirmed for one account may be stated for another, too.
ACCOUNT_PREVENT_ENUMERATION = "strict"
MFA_ADAPTER = "builder.accounts.SecondFactor"
MFA_TOTP_ISSUER = "Bogenschmiede"
# Accept codes of one step before or after, for phones whose clock is half a minute wrong.
MFA_TOTP_TOLERANCE = 1
AUTHENTICATION_BACKENDS = ["builder.auth_backend.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}Validator"}
    for name in ("UserAttributeSimilarity", "MinimumLength", "CommonPassword", "NumericPassword")
]
ACCOUNT_LOGIN_METHODS = {"username"}
# allauth's own limit on logins applies to all browsers at an address; `builder.accounts` counts known ones separately.
ACCOUNT_RATE_LIMITS = {"login": None, "strangers_login": "30/m/ip", "known_login_failed": "5/300s/key",
                       "let_in": "10/m/key", "network56": "60/m/key", "network48": "120/m/key"}
# No codes by mail: somebody with access to a user's mail must not be able to reauthenticate with that alone.
ACCOUNT_REAUTHENTICATION_METHODS = {"password", "mfa"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_USERNAME_MIN_LENGTH = 2
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGOUT_REDIRECT_URL = "/"

# Mail: without a server it is written to the log, where the operator can read it.
EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_PORT = env.number("EMAIL_PORT", 587, 1, 65_535)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = True
EMAIL_TIMEOUT = 10
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
# Seconds for which notifications are gathered into one mail; what is read on the site meanwhile is not sent.
MAIL_SECONDS = env.number("MAIL_SECONDS", 60, 0, 86_400)
# Seconds between two messages to the same webhook.
WEBHOOK_SECONDS = env.number("WEBHOOK_SECONDS", 1, 0, 3600)
# Webhooks and pushes go only by https to port 443 of the open internet, or to these origins, such as a local chat.
TRUSTED_RECEIVERS = env.origins("TRUSTED_RECEIVERS")
# Web push: the key that signs pushes (`manage.py vapid` makes one), and the contact that push services are given.
VAPID_CONTACT = next(iter(env.contacts("VAPID_CONTACT")), "")
VAPID_KEY = env.vapid_key("VAPID_KEY") if VAPID_CONTACT else ""
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL") or "bogenschmiede@localhost"
# The prefix of links in mails that are sent without a request.
SITE_URL = env.site("SITE_URL", "http://127.0.0.1:8000" if DEVELOPMENT else "")
# The prefix of links in all other mails; if it is not set, the request's host is used.
MAILED_URL = env.site("SITE_URL", "")

# The operator's Markdown files; {lang} in a path is replaced by the reader's language.
IMPRINT = os.environ.get("IMPRINT", "")
PRIVACY = os.environ.get("PRIVACY", "")
# Where security problems are reported, for /.well-known/security.txt.
SECURITY_CONTACT = env.contacts("SECURITY_CONTACT")

# The port of the process of the streams (sheets.live); in development the pages' server forwards requests to it.
LIVE_PORT = env.number("LIVE_PORT", 8001, 1, 65_535)
# With less free space than this, in megabytes, /health/ready/ answers that the program is not ready.
SPACE_MB = env.number("SPACE_MB", 100, 0, 1_000_000_000)

# Security
CSRF_FAILURE_VIEW = "builder.error_pages.forged"
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; manifest-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'")
"""The policy for all pages: what they may load, and that nobody may frame them; see `security_headers_middleware`."""
PERMISSIONS_POLICY = ", ".join(f"{one}=()" for one in (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen", "geolocation",
    "gyroscope", "hid", "magnetometer", "microphone", "midi", "payment", "picture-in-picture", "screen-wake-lock",
    "serial", "usb", "xr-spatial-tracking"))
"""The browser features that no page uses, turned off."""
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_ENGINE = "builder.sessions"
SESSION_COOKIE_AGE = 365 * 24 * 60 * 60
# Browsers accept a cookie with the prefix `__Host-` only over https and from this host, not from others of the domain.
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME, GUEST_COOKIE_NAME = (
    f"{'' if DEVELOPMENT else '__Host-'}{name}" for name in ("sessionid", "csrftoken", "guest"))
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SECURE_SSL_REDIRECT = not DEVELOPMENT
# Monitoring may request these paths by http, without the proxy.
SECURE_REDIRECT_EXEMPT = [r"^health/(ready/)?$", r"^metrics/$"]
SECURE_HSTS_SECONDS = 0 if DEVELOPMENT else 365 * 24 * 60 * 60
# The domain's owner decides if all of its hosts require https, permanently.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
if env.flag("TRUSTED_PROXY"):
    # Only safe behind a proxy that overwrites both headers: otherwise clients can set them.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = 1

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
                   "json": {"()": "builder.logs.JsonLine"}},
    "filters": {"shorten_requests": {"()": "builder.logs.ShortenRequests"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": LOG, "filters": ["shorten_requests"]},
        "nowhere": {"class": "logging.NullHandler"},
    },
    "root": {"handlers": ["stderr"], "level": "INFO"},
    # Django's own handlers would send mails to admins and write each line twice.
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        # Anybody can send another host name. Django refuses it; logging each attempt would flood the log.
        "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},
        # A broken PDF can cause a hundred thousand warnings.
        "pypdf": {"level": "ERROR"},
    },
}
