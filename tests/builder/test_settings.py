import os
import stat
import subprocess
import sys

import pytest
from django.conf import settings
from django.db import OperationalError
from django.db.utils import ConnectionHandler

from builder.environment import database, kept_secret
from tests.support.everyday import everyday

PRODUCTION = {"SECRET_KEY": "forged-in-a-test-" + "0123456789abcdef" * 4, "ALLOWED_HOSTS": "sheets.example.org",
              "REVIEW_KEY": "vouched-in-a-test-" + "0123456789abcdef" * 4}


def python(*arguments, **environment):
    """Run Python in the project as a server or a shell would, with nothing in the environment but what is given."""
    plain = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=settings.BASE_DIR, env=plain | environment, capture_output=True, text=True, timeout=60, check=False,
    )


@pytest.mark.parametrize("missing", everyday(PRODUCTION))
def test_a_server_that_lacks_a_setting_fails_and_names_it(missing):
    result = python("-c", "import builder.wsgi", **{key: PRODUCTION[key] for key in PRODUCTION if key != missing})
    assert result.returncode == 1
    assert f"{missing} is not set" in result.stderr


def test_a_server_with_an_empty_secret_fails_too():
    assert "SECRET_KEY is not set" in python("-c", "import builder.wsgi", **PRODUCTION | {"SECRET_KEY": ""}).stderr


@pytest.mark.parametrize(("secret", "found"), everyday([
    ("0123456789abcdef" * 3, "has 48 characters, and 50 are the least"),
    ("abcabcabc" * 6, "has only 3 different characters, and 10 are the least"),
    ("django-insecure-" + "0123456789abcdef" * 4, "is one that Django made for development"),
]))
def test_a_server_with_a_secret_that_could_be_guessed_fails_and_says_why(secret, found):
    result = python("-c", "import builder.wsgi", **PRODUCTION | {"SECRET_KEY": secret})
    assert result.returncode == 1
    assert f"SECRET_KEY {found}." in result.stderr
    assert secret not in result.stderr


@pytest.mark.parametrize(("said", "read"), everyday([
    ("https://sheets.example.org", "https://sheets.example.org"), ("", ""),
    (" https://sheets.example.org:8443/ ", "https://sheets.example.org:8443"), ("http://[::1]:8000", "http://[::1]:8000"),
], 2))
def test_the_sites_address_is_read_without_its_last_slash_and_may_be_missing(said, read):
    code = "from builder import settings; print(settings.SITE_URL)"
    assert python("-c", code, SITE_URL=said, **PRODUCTION).stdout == f"{read}\n"


@pytest.mark.parametrize("said", everyday(["sheets.example.org", "ftp://sheets.example.org", "https://", "https://a b",
                                           "https://sheets.example.org/sheets",
                                           "https://me:secret@sheets.example.org"]))
def test_what_is_no_sites_address_is_refused_by_name(said):
    result = python("-c", "import builder.wsgi", SITE_URL=said, **PRODUCTION)
    assert result.returncode == 1
    assert f"SITE_URL is {said!r}; it takes https:// and a host, https://sheets.example.org." in result.stderr


def test_in_development_the_site_is_where_make_run_serves_it():
    code = "from builder import settings; print(settings.SITE_URL)"
    assert python("-c", code, BOGENSCHMIEDE_MODE="development").stdout == "http://127.0.0.1:8000\n"


def test_production_never_opens_the_file_of_the_demo_accounts():
    code = "from builder import settings; print(settings.DATABASES['default']['NAME'].rpartition('/')[2])"
    assert python("-c", code, **PRODUCTION).stdout == "db.sqlite3\n"
    assert python("-c", code, BOGENSCHMIEDE_MODE="development").stdout == "development.sqlite3\n"


@pytest.mark.slow
def test_the_shell_needs_no_settings_on_a_clone():
    assert python("manage.py", "check").returncode == 0


@pytest.mark.slow
def test_production_passes_the_deployment_check_without_a_word():
    result = python("manage.py", "check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert (result.returncode, result.stderr) == (0, "")


def test_production_never_debugs():
    code = "from builder import settings; print(settings.DEBUG, settings.DEVELOPMENT)"
    assert python("-c", code, DEBUG="1", **PRODUCTION).stdout == "False False\n"


@pytest.mark.slow
def test_production_creates_no_demo_accounts():
    result = python("manage.py", "demo", **PRODUCTION)
    assert result.returncode == 1
    assert "for development only" in result.stderr


def test_the_development_secret_is_kept_for_its_owner_only(tmp_path):
    file = tmp_path / "secret"
    secret = kept_secret(file)
    assert len(secret) >= 50
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert kept_secret(file) == secret


@pytest.fixture
def connections(tmp_path, django_db_blocker):
    """Two connections to one SQLite file, the second without patience."""
    first, second = (database(f"sqlite:///{tmp_path}/file.sqlite3") for _ in range(2))
    second["OPTIONS"]["timeout"] = 0
    handler = ConnectionHandler({"default": first, "second": second})
    with django_db_blocker.unblock():
        yield handler
        handler.close_all()


@pytest.mark.parametrize(("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("busy_timeout", 20_000)])
def test_sqlite_keeps_what_it_acknowledged_and_waits_for_the_lock(connections, pragma, value):
    with connections["default"].cursor() as cursor:
        assert cursor.execute(f"PRAGMA {pragma}").fetchone() == (value,)


def test_sqlite_takes_the_write_lock_when_a_transaction_begins(connections):
    first, second = connections["default"], connections["second"]
    for connection in (first, second):
        connection.ensure_connection()
    first._start_transaction_under_autocommit()
    with pytest.raises(OperationalError, match="locked"):
        second._start_transaction_under_autocommit()


def test_postgresql_connections_are_kept_and_checked():
    found = database("postgresql://somebody@127.0.0.1/sheets")
    assert found["ENGINE"] == "django.db.backends.postgresql"
    assert found["CONN_MAX_AGE"] > 0
    assert found["CONN_HEALTH_CHECKS"] is True


def test_a_database_that_says_nothing_is_waited_for_less_long_than_a_request_may_take():
    found = database("postgresql://somebody@127.0.0.1/sheets")["OPTIONS"]
    silent = found["keepalives_idle"] + found["keepalives_interval"] * found["keepalives_count"]
    # What is only read is tried twice.
    assert 2 * found["connect_timeout"] < settings.REQUEST_SECONDS
    assert max(silent, found["tcp_user_timeout"] / 1000) < settings.REQUEST_SECONDS
    assert database("postgresql://somebody@127.0.0.1/sheets?connect_timeout=2")["OPTIONS"]["connect_timeout"] == 2


def test_no_request_is_one_transaction():
    assert settings.DATABASES["default"]["ATOMIC_REQUESTS"] is False


@pytest.mark.parametrize(("name", "said", "takes"), everyday([
    ("EMAIL_PORT", "abc", "1 to 65535"), ("BUDGET", "1.5", "0 to 1000000"),
    ("EMAIL_PORT", "0", "1 to 65535"), ("EMAIL_PORT", "65536", "1 to 65535"),
    ("EMAIL_PORT", "5²", "1 to 65535"), ("REQUEST_SECONDS", "-1", "10 to 600"),
    ("SPACE_MB", "1" * 5000, "0 to 1000000000"), ("BUDGET", "viel", "0 to 1000000"), ("BUDGET", "-1", "0 to 1000000"),
    ("BUDGET", "٣", "0 to 1000000"),
], 2))
def test_what_is_no_number_in_bounds_is_refused_by_name(name, said, takes):
    result = python("-c", "import builder.wsgi", **PRODUCTION, **{name: said})
    assert result.returncode == 1
    assert f"{name} is {said!r}; it takes a whole number from {takes}." in result.stderr


def test_networks_that_are_none_are_refused_by_name():
    result = python("-c", "import builder.wsgi", METRICS="10.0.0.1, überall", **PRODUCTION)
    assert result.returncode == 1
    assert "METRICS: 'überall' does not appear to be an IPv4 or IPv6 network. It takes" in result.stderr


def test_what_is_counted_and_numbered_is_asked_for():
    names = {"builder.metrics.counted", "builder.logs.numbered"}
    code = f"from builder.settings import MIDDLEWARE; print([one for one in MIDDLEWARE if one in {names}])"
    assert python("-c", code, **PRODUCTION).stdout == "[]\n"
    asked = python("-c", code, METRICS="10.0.0.0/8 ::1", LOG="json", **PRODUCTION).stdout
    assert asked == "['builder.metrics.counted', 'builder.logs.numbered']\n"


def test_a_number_that_is_not_set_or_empty_has_its_default():
    code = "from builder import settings; print(settings.EMAIL_PORT, settings.REQUEST_SECONDS)"
    assert python("-c", code, EMAIL_PORT="", **PRODUCTION).stdout == "587 20\n"
    assert python("-c", code, EMAIL_PORT=" 25", REQUEST_SECONDS="600", **PRODUCTION).stdout == "25 600\n"
