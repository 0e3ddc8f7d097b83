import os
import re
import stat
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection
from django.db.utils import ConnectionHandler

from builder import environment
from builder.environment import database, stored_secret
from tests.support.everyday import slow

LONG = "forged-in-a-test-" + "0123456789abcdef" * 4
PRODUCTION = {"SECRET_KEY": LONG, "ALLOWED_HOSTS": "sheets.example.org",
              "REVIEW_KEY": LONG.replace("forged", "vouched")}


def python(*arguments, **environment):
    """Run Python in the project as a server or a shell would, with nothing in the environment but what is given."""
    plain = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=settings.BASE_DIR, env=plain | environment, capture_output=True, text=True, timeout=60, check=False,
    )


@pytest.mark.parametrize(("changed", "said"), [
    ({"SECRET_KEY": ""}, "SECRET_KEY is not set"),
    pytest.param({"REVIEW_KEY": "abcabcabc" * 6},
                 "REVIEW_KEY has only 3 different characters, and 10 are the least.", marks=pytest.mark.slow),
    *(slow({name: value}, said) for name, value, said in (
        ("ALLOWED_HOSTS", "", "ALLOWED_HOSTS is not set"), ("REVIEW_KEY", "", "REVIEW_KEY is not set"),
        ("SITE_URL", "a b", "SITE_URL is 'a b'; it takes https:// and a host"),
        ("SECURITY_CONTACT", "me@example.org", "SECURITY_CONTACT is 'me@example.org'; it takes mailto:"),
        ("TRUSTED_RECEIVERS", "chat.lan", "TRUSTED_RECEIVERS is 'chat.lan'; it takes https:// and a host"),
        ("SIGNUP", "offen", "SIGNUP is 'offen'; it may be open, invitation, closed."),
        ("BUDGET", "1000001", "BUDGET is '1000001'; it takes a whole number from 0 to 1000000."),
        ("EMAIL_PORT", "65536", "EMAIL_PORT is '65536'; it takes a whole number from 1 to 65535."),
        ("REQUEST_SECONDS", "9", "REQUEST_SECONDS is '9'; it takes a whole number from 10 to 600."),
        ("SPACE_MB", "-1", "SPACE_MB is '-1'; it takes a whole number from 0 to 1000000000."),
        ("METRICS", "überall", "METRICS: 'überall' does not appear to be an IPv4 or IPv6 network. It takes"))),
])
def test_a_server_that_lacks_a_setting_or_has_a_wrong_one_fails_and_names_it(changed, said):
    result = python("-c", "import builder.wsgi", **PRODUCTION | changed)
    assert (result.returncode, said in result.stderr) == (1, True), result.stderr


NUMBER, SECRET = ("NAME", 587, 1, 65_535), ("NAME", "signs", "signs in")
SITE, CHOICE = ("NAME", "http://here"), ("NAME", "open", "closed")


@pytest.mark.parametrize(("reads", "words", "said", "found"), [
    *(("number", NUMBER, said, f"is {said!r}; it takes a whole number from 1 to 65535.") for said in (
        "abc", "1.5", "0", "65536", "5²", "-1", "1" * 5000, "٣")),
    *(("site", SITE, said, f"is {said!r}; it takes https:// and a host, https://sheets.example.org.") for said in (
        "sheets.example.org", "ftp://sheets.example.org", "https://", "https://a b",
        "https://sheets.example.org/sheets", "https://me:secret@sheets.example.org")),
    *(("secret", SECRET, said, f"{found}. Whoever guesses it signs in") for said, found in (
        ("0123456789abcdef" * 3, "has 48 characters, and 50 are the least"),
        ("abcabcabc" * 6, "has only 3 different characters, and 10 are the least"),
        ("django-insecure-" + "0123456789abcdef" * 4, "is one that Django made for development"))),
    ("choice", CHOICE, "yes", "is 'yes'; it may be open, closed."),
])
def test_what_is_none_of_its_kind_is_refused_by_name(monkeypatch, reads, words, said, found):
    monkeypatch.setenv("NAME", said)
    with pytest.raises(ImproperlyConfigured, match=re.escape(f"NAME {found}")) as refused:
        getattr(environment, reads)(*words)
    assert reads != "secret" or said not in str(refused.value)


@pytest.mark.parametrize(("reads", "words", "said", "read"), [
    *(("number", NUMBER, said, read) for said, read in (("", 587), (" 25", 25), ("1", 1), ("65535", 65_535))),
    *(("site", SITE, said, read) for said, read in (
        ("https://sheets.example.org", "https://sheets.example.org"), ("", "http://here"),
        (" https://sheets.example.org:8443/ ", "https://sheets.example.org:8443"),
        ("http://[::1]:8000", "http://[::1]:8000"))),
    ("secret", SECRET, LONG, LONG), ("choice", CHOICE, "", "open"), ("choice", CHOICE, " Closed", "closed"),
])
def test_what_is_set_is_read_and_what_is_not_has_its_default(monkeypatch, reads, words, said, read):
    monkeypatch.setenv("NAME", said)
    assert getattr(environment, reads)(*words) == read


NAMES = ("[one for one in settings.MIDDLEWARE if one in "
         "{'builder.metrics.metrics_middleware', 'builder.logs.request_number_middleware'}]")
FILE = "settings.DATABASES['default']['NAME'].rpartition('/')[2]"


@pytest.mark.parametrize(("shown", "environment", "said"), [
    (f"settings.SITE_URL, settings.DEBUG, settings.DEVELOPMENT, {FILE}, settings.EMAIL_PORT, {NAMES}",
     PRODUCTION | {"DEBUG": "1", "EMAIL_PORT": ""}, "('', False, False, 'db.sqlite3', 587, [])"),
    (f"settings.SITE_URL, {FILE}", {"BOGENSCHMIEDE_MODE": "development"},
     "('http://127.0.0.1:8000', 'development.sqlite3')"),
    (f"settings.SITE_URL, settings.REQUEST_SECONDS, {NAMES}", PRODUCTION | {
        "SITE_URL": "https://a.example/", "REQUEST_SECONDS": "600", "METRICS": "10.0.0.0/8 ::1", "LOG": "json"},
     "('https://a.example', 600, ['builder.metrics.metrics_middleware', 'builder.logs.request_number_middleware'])"),
], ids=["production", "development", "what is asked for"])
def test_production_never_debugs_nor_opens_the_file_of_the_demo_and_counts_only_where_it_is_asked(
        shown, environment, said):
    assert python("-c", f"from builder import settings; print(({shown}))", **environment).stdout == f"{said}\n"


@pytest.mark.slow
@pytest.mark.parametrize(("command", "environment", "code", "said"), [
    ("check", {}, 0, ""), ("check --deploy --fail-level WARNING", PRODUCTION, 0, ""),
    ("demo", PRODUCTION, 1, "for development only"),
])
def test_the_shell_needs_no_settings_production_passes_the_check_and_makes_no_demo(command, environment, code, said):
    result = python("manage.py", *command.split(), **environment)
    assert (result.returncode, said in result.stderr) == (code, True)
    assert said or result.stderr == ""


def test_the_development_secret_is_kept_for_its_owner_only(tmp_path):
    secret = stored_secret(tmp_path / "secret")
    assert (len(secret) >= 50, stat.S_IMODE((tmp_path / "secret").stat().st_mode)) == (True, 0o600)
    assert stored_secret(tmp_path / "secret") == secret


@pytest.fixture
def connections(tmp_path, django_db_blocker):
    """Two connections to one SQLite file, the second without patience."""
    first, second = (database(f"sqlite:///{tmp_path}/file.sqlite3", 10) for _ in range(2))
    second["OPTIONS"]["timeout"] = 0
    handler = ConnectionHandler({"default": first, "second": second})
    with django_db_blocker.unblock():
        yield handler
        handler.close_all()


@pytest.mark.parametrize(("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("temp_store", 2),
                                              ("busy_timeout", 10_000)])
def test_sqlite_keeps_what_it_acknowledged_and_waits_for_the_lock(connections, pragma, value):
    with connections["default"].cursor() as cursor:
        assert cursor.execute(f"PRAGMA {pragma}").fetchone() == (value,)


def test_sqlite_takes_the_write_lock_when_a_transaction_begins(connections):
    first, second = connections["default"], connections["second"]
    for one in (first, second):
        one.ensure_connection()
    first._start_transaction_under_autocommit()
    with pytest.raises(OperationalError, match="locked"):
        second._start_transaction_under_autocommit()


def test_postgresql_is_kept_checked_and_waited_for_less_long_than_a_request_may_take():
    known = database("postgresql://somebody@127.0.0.1/sheets", 10)
    assert known["ENGINE"] == "django.db.backends.postgresql"
    assert (known["CONN_MAX_AGE"] > 0, known["CONN_HEALTH_CHECKS"]) == (True, True)
    found = known["OPTIONS"]
    silent = found["keepalives_idle"] + found["keepalives_interval"] * found["keepalives_count"]
    # What is only read is tried twice.
    assert 2 * found["connect_timeout"] < settings.REQUEST_SECONDS
    assert max(silent, found["tcp_user_timeout"] / 1000) < settings.REQUEST_SECONDS
    assert database("postgresql://somebody@127.0.0.1/sheets?connect_timeout=2", 10)["OPTIONS"]["connect_timeout"] == 2
    assert settings.DATABASES["default"]["ATOMIC_REQUESTS"] is False


@pytest.mark.django_db
def test_postgresql_prepares_what_a_connection_asks_often():
    if connection.vendor != "postgresql":
        found = database("postgresql://somebody@127.0.0.1/sheets", 10)["OPTIONS"]
        assert (found["server_side_binding"], found["prepare_threshold"] > 0) == (True, True)
        return
    with connection.cursor() as cursor:
        for number in range(10):
            cursor.execute("SELECT %s::int + 22011", [number])
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE %s", ["%22011%"])
        assert cursor.fetchone() == (1,)


def test_production_binds_the_cookies_that_say_who_somebody_is_to_its_host():
    said = python("-c", "from builder import settings as s; print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, "
                  "s.GUEST_COOKIE_NAME, s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE)", **PRODUCTION)
    assert said.stdout.split() == ["__Host-sessionid", "__Host-csrftoken", "__Host-guest", "True", "True"]
