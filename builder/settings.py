"""Django's settings: development needs none, production states its own in the environment and fails without them."""

import os
from pathlib import Path
from typing import Any

from builder.environment import choice, database, flag, networks, number, required, secret, site, stored_secret

BASE_DIR = Path(__file__).resolve().parent.parent
DEVELOPMENT = os.environ.get("BOGENSCHMIEDE_MODE") == "development"

if DEVELOPMENT:
    SECRET_KEY = stored_secret(BASE_DIR / ".secret")
    REVIEW_KEY = stored_secret(BASE_DIR / ".review-key")
    ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    # Off, so that a developer sees the pages that people see; DEBUG=1 shows Django's.
    DEBUG = flag("DEBUG")
else:
    SECRET_KEY = secret("SECRET_KEY", "signs sessions", "signs in as anybody")
    # Another than that one, which is changed when it leaks: with this one all that was ever approved is proven.
    REVIEW_KEY = secret("REVIEW_KEY", "vouches for reviews", "can forge approvals")
    ALLOWED_HOSTS = required("ALLOWED_HOSTS", "the host names served, parted by commas").replace(",", " ").split()
    DEBUG = False


def beside_systems(folder: str) -> list[Path]:
    """Return the project's `folder` and that of each system: a new system is found by being there."""
    return [path for path in (BASE_DIR / folder, *sorted(BASE_DIR.glob(f"rulesets/*/{folder}"))) if path.is_dir()]


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
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    # These come before whatever may refuse a request, so that its refusal carries their headers too.
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "builder.error_pages.headed",
    "builder.cache_headers.stated",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Around all that asks the database.
    "builder.error_pages.retried",
    "builder.old_cookies.renamed",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "builder.error_pages.decoded",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "builder.small_forms.bounded",
    "builder.limits.limited",
    "allauth.account.middleware.AccountMiddleware",
    "builder.known_browsers.remembered",
    "sheets.guests.guest_middleware",
    "django_htmx.middleware.HtmxMiddleware",
    "builder.error_pages.paged",
    "builder.once.once_middleware",
    "sheets.rolls.widgets.reckoning",
]
# Who may ask /metrics; where nobody may, nothing is counted.
METRICS = networks("METRICS")
# How the log is written; as JSON each line says of which request it tells.
LOG = choice("LOG", "lines", "json")
# Questions to the database that take so many milliseconds are told in the log; 0 tells none.
SLOW_QUERY = number("SLOW_QUERY", 0, 0, 600_000)

# Days after which `manage.py tidy` removes log lines, and changes that could still be taken back; 0 keeps them.
LOG_DAYS = number("LOG_DAYS", 0, 0, 36_500)
UNDO_DAYS = number("UNDO_DAYS", 0, 0, 36_500)
if LOG == "json":
    MIDDLEWARE.insert(0, "builder.logs.numbered")
if METRICS:
    MIDDLEWARE.insert(0, "builder.metrics.counted")
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

# A worker that is longer at one request is ended (builder.watchdog); ended sooner after its start than granian waits to
# call it hopeless, it would take the server along.
REQUEST_SECONDS = number("REQUEST_SECONDS", 20, 10, 600)
# Development's file holds accounts whose password everybody knows; production must never open it.
_FILE = BASE_DIR / ("development.sqlite3" if DEVELOPMENT else "db.sqlite3")
DATABASES = {"default": database(os.environ.get("DATABASE_URL") or f"sqlite:///{_FILE}", REQUEST_SECONDS / 2)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# All processes count attempts together, hence the database; it holds nothing else. Each write drops what has run out,
# so that no network address stays, and nothing that has not, so that nobody escapes a limit by crowding it out.
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "builder.counts.Counts",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 0, "CULL_FREQUENCY": 1_000_000_000},
    },
    # What of every page is the same for all who read a language (templates/base.html), drawn once a minute.
    "template_fragments": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "fragments"},
}

# What one address may use: processor seconds within five minutes, new drafts and bytes kept within an hour. Ten people
# at one address stay far below it; 0 is no limit, which tests and a developer's own machine need.
BUDGET = number("BUDGET", 0 if DEVELOPMENT else 120, 0, 1_000_000)
BUDGETS = {"drafts": 300, "bytes": 32_000_000}

# No file that somebody sends is ever on the disk.
FILE_UPLOAD_HANDLERS = ["builder.uploads.InMemory"]

# Languages: English is written in the source; German is what a visitor gets whose browser states no preference.
LANGUAGE_CODE = "de"
LANGUAGES = [("de", "Deutsch"), ("en", "English")]
# The second one rewords allauth, whose German is formal.
LOCALE_PATHS = [*beside_systems("locale"), BASE_DIR / "locale" / "allauth"]
TIME_ZONE = "Europe/Berlin"
USE_TZ = True
FORMAT_MODULE_PATH = ["builder.formats"]

# Static files
STATIC_URL = "/static/"
STATIC_ROOT = os.environ.get("STATIC_ROOT") or BASE_DIR / "staticfiles"
STATICFILES_DIRS = beside_systems("static")
STATIC_STORAGE = "django.contrib.staticfiles.storage.StaticFilesStorage"
if not DEVELOPMENT:
    STATIC_STORAGE = "builder.static_files.ModuleStorage"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": STATIC_STORAGE},
}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = DEVELOPMENT
# Neither WhiteNoise nor the machine need know it.
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}

# People: a name and a password; an e-mail address only for those who want to reset theirs.
SIGNUP = choice("SIGNUP", "open", "invitation", "closed")
ACCOUNT_ADAPTER = "builder.accounts.AccountAdapter"
ACCOUNT_FORMS = {"signup": "builder.account_forms.SignUp", "reset_password": "builder.account_forms.Reset",
                 "reset_password_from_key": "builder.account_forms.ResetPassword",
                 "change_password": "builder.account_forms.NewPassword", "add_email": "builder.account_forms.Address"}
MFA_FORMS = {"authenticate": "builder.account_forms.Code", "deactivate_totp": "builder.account_forms.Deactivation",
             "generate_recovery_codes": "builder.account_forms.RecoveryCodes"}
# The password or the second factor is asked for again, and counts for five minutes, before an address, the password or
# the second factor is changed or the account ends; addresses that somebody confirmed are told of it.
ACCOUNT_REAUTHENTICATION_REQUIRED = ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 5 * 60
# Nobody learns who has an account: an address that somebody confirmed may be stated again, and is confirmed by nobody
# but whoever reads its mail.
ACCOUNT_PREVENT_ENUMERATION = "strict"
MFA_ADAPTER = "builder.accounts.SecondFactor"
MFA_TOTP_ISSUER = "Bogenschmiede"
# A clock that is half a minute late is no reason to be locked out.
MFA_TOTP_TOLERANCE = 1
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
ACCOUNT_LOGIN_METHODS = {"username"}
# allauth's own limit by address holds for all browsers behind it; `builder.accounts` counts known ones apart.
ACCOUNT_RATE_LIMITS = {"login": None, "strangers_login": "30/m/ip", "known_login_failed": "5/300s/key",
                       "let_in": "10/m/key", "network56": "60/m/key", "network48": "120/m/key"}
# Whoever reads the mail of somebody who is signed in is not let through by that: a code by mail is no second proof.
ACCOUNT_REAUTHENTICATION_METHODS = {"password", "mfa"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_USERNAME_MIN_LENGTH = 2
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGOUT_REDIRECT_URL = "/"

# Mail: without a server it is written to the log, where whoever runs the site can read it.
EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_PORT = number("EMAIL_PORT", 587, 1, 65_535)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = True
EMAIL_TIMEOUT = 10
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL") or "bogenschmiede@localhost"
# What links in a mail begin with that no request brings about.
SITE_URL = site("SITE_URL", "http://127.0.0.1:8000" if DEVELOPMENT else "")
# What those of all other mails begin with, too; where it is not set it is the host that the request names.
MAILED_URL = site("SITE_URL", "")

# Markdown files of whoever runs the site; {lang} in a path stands for the reader's language.
IMPRINT = os.environ.get("IMPRINT", "")
PRIVACY = os.environ.get("PRIVACY", "")

# Where the process of the streams listens (sheets.live); in development the pages' own server passes them on.
LIVE_PORT = number("LIVE_PORT", 8001, 1, 65_535)
# Below so much free space, in megabytes, the program says that it is not ready.
SPACE_MB = number("SPACE_MB", 100, 0, 1_000_000_000)

# Security
CSRF_FAILURE_VIEW = "builder.error_pages.forged"
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; manifest-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'")
"""The things that a page may load, and who may frame it, the same for all; `builder.error_pages.headed` states it."""
PERMISSIONS_POLICY = ", ".join(f"{one}=()" for one in (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen", "geolocation",
    "gyroscope", "hid", "magnetometer", "microphone", "midi", "payment", "picture-in-picture", "screen-wake-lock",
    "serial", "usb", "xr-spatial-tracking"))
"""The features of a browser and its machine that no page uses, and none may."""
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_ENGINE = "builder.sessions"
SESSION_COOKIE_AGE = 365 * 24 * 60 * 60
# A browser takes cookies of such a name by https from this host alone, and none that another host of its domain sets.
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME, GUEST_COOKIE_NAME = (
    f"{'' if DEVELOPMENT else '__Host-'}{name}" for name in ("sessionid", "csrftoken", "guest"))
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SECURE_SSL_REDIRECT = not DEVELOPMENT
# Whoever watches the program asks it without the proxy.
SECURE_REDIRECT_EXEMPT = [r"^health/(ready/)?$", r"^metrics/$"]
SECURE_HSTS_SECONDS = 0 if DEVELOPMENT else 365 * 24 * 60 * 60
# Whether a domain's other hosts must be https too, for good, is for the domain's owner to say, not for one program.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
if flag("TRUSTED_PROXY"):
    # Only behind a proxy that overwrites both headers: anybody else could send them.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = 1

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
                   "json": {"()": "builder.logs.JsonLine"}},
    "filters": {"theirs": {"()": "builder.logs.Theirs"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": LOG, "filters": ["theirs"]},
        "nowhere": {"class": "logging.NullHandler"},
    },
    "root": {"handlers": ["stderr"], "level": "INFO"},
    # Django's own handlers would send mails and write each line twice.
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        # Anybody can send a foreign host name; it is refused, and a traceback for each would drown the log.
        "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},
        # A broken PDF can be warned of a hundred thousand times; that it cannot be read is said once.
        "pypdf": {"level": "ERROR"},
    },
}
