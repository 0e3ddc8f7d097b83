"""The pytest plugin of this project: profiles, fixtures for all tests, and which tests run on which database."""

import gc
import logging
import os
import re
from collections import defaultdict
from contextlib import ExitStack, nullcontext
from copy import copy
from functools import cache as cached
from zlib import crc32

import pytest
from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import client
from django.test.utils import ContextList
from django.utils.translation import override
from hypothesis import settings as hypothesis

from rulesets.document import canonical, read
from sheets.receipts import keys
from tests.support import migrated
from tests.support.database import undone
from tests.support.everyday import SEED
from tests.support.markup import read_as_a_browser_does
from tests.support.rulesets.contract import FIGURES, report
from tests.support.server import Server

PROVING = os.environ.get("PROVE") == "1"

# But for `make prove` all are derandomised, so that the same source gives the same result on every machine.
for profile, examples in {"quick": 15, "ci": 25, "prove": 2_000}.items():
    hypothesis.register_profile(profile, max_examples=examples, derandomize=not SEED, deadline=None, database=None,
                                print_blob=True)
hypothesis.load_profile("prove" if PROVING else "ci" if os.environ.get("CI") else "quick")

# The tests are thousands of objects that all last: to look through them again and again takes a seventh of the time.
gc.set_threshold(100_000, 20, 100)


def pytest_report_header():
    return f"chance begins from SEED={SEED}" if SEED else None


@pytest.hookimpl(trylast=True)
def pytest_configure():
    """Change the settings that tests need otherwise, once pytest-django has found them."""
    if PROVING:
        # A run at full counts refuses thousands of requests, as it should; a line for each would bury the figures.
        logging.getLogger("django.request").setLevel(logging.CRITICAL)
    else:
        # A password's hash takes a third of a second, as it should; a test makes many accounts.
        settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *settings.PASSWORD_HASHERS]
    read_as_a_browser_does()
    # To copy it for each part of a page takes longer than many a part.
    client.store_rendered_templates = _store_contexts
    # To make a key takes as long as a hundred rolls.
    keys.make = cached(keys.make)
    # No developer's own streams are passed on to a test.
    settings.LIVE_PORT = 1
    # Mails are due at once.
    settings.MAIL_SECONDS = 0


def _store_contexts(store, context, **_rest):
    """Note the contexts from which an answer was rendered, each once as it was at first."""
    if not any(context is one for one in store.setdefault("rendered", [])):
        store["rendered"].append(context)
        store.setdefault("context", ContextList()).append(copy(context))


def pytest_sessionfinish(session):
    """Hand the figures of one of several processes to the one that prints them."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["figures"] = FIGURES


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    FIGURES.extend(getattr(node, "workeroutput", {}).get("figures", []))


def pytest_terminal_summary(terminalreporter):
    if FIGURES:
        terminalreporter.section("figures")
        for line in FIGURES:
            terminalreporter.write_line(line)


@pytest.fixture(autouse=True)
def _language(request):
    """Begin in the site's language, tests of systems in English: a request before may have left another one."""
    with override("en" if "rulesets" in request.path.relative_to(settings.BASE_DIR).parts else settings.LANGUAGE_CODE):
        yield


@pytest.fixture
def check():
    """Check a document as if it came from outside."""
    return lambda document: read(canonical(document)).check()


@pytest.fixture
def found(check):
    """Return the findings of a document as (rule, severity, path)."""
    return lambda document: [(one.rule, one.severity, one.path) for one in check(document).findings]


@pytest.fixture(autouse=True)
def _attempts_forgotten(request, _django_db_marker):
    """Attempts are counted in a table that is no model's, which tests that commit would leave to each other."""
    if "transactional_db" in request.fixturenames:
        request.getfixturevalue("transactional_db")
    yield
    if "transactional_db" in request.fixturenames:
        cache.clear()
        apps.get_model("builder", "Used").objects.all().delete()


EMPTIED: list[bool] = []
"""Whether a test has run that commits; these come last, but where one process takes over tests of another."""


def begin_chain():
    """What a test that commits left was emptied, and with it the head that migrating has written."""
    from sheets.audit_log import chain  # noqa: PLC0415
    from sheets.models import Head  # noqa: PLC0415 - apps are not ready before
    if EMPTIED and not Head.objects.exists():
        chain.begin_chain()


@pytest.fixture(autouse=True)
def _chain_begun(request, _django_db_marker):
    mark = request.node.get_closest_marker("django_db")
    commits = "transactional_db" in request.fixturenames or (mark and mark.kwargs.get("transaction"))
    if commits:
        EMPTIED.append(True)
    if commits or mark or "db" in request.fixturenames:
        request.getfixturevalue("transactional_db" if commits else "db")
        begin_chain()


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef):
    """Copy the test database where it can be copied instead of migrating it anew."""
    with migrated.copied() if fixturedef.argname == "django_db_setup" else nullcontext():
        return (yield)


@pytest.fixture(scope="module")
def lasting_database(django_db_setup, django_db_blocker):
    """The database for what all tests of a module begin from: each takes back what it does, the last one all of it."""
    with django_db_blocker.unblock(), undone():
        begin_chain()
        yield


@pytest.fixture(scope="session")
def full():
    """Tell whether to run at full counts and print figures."""
    return PROVING


@pytest.fixture(scope="session")
def figure():
    """Return what takes a figure, at full counts."""
    return report if PROVING else lambda _text: None


@pytest.fixture(scope="module")
def serve(tmp_path_factory, django_db_setup, django_db_blocker):
    """Start servers for all tests of a module; the log tells of no fault afterwards, nor of a lock that took too long.

    What they leave in the suite's database is gone when the last test has ended.
    """
    with django_db_blocker.unblock(), ExitStack() as ends:
        ends.callback(emptied)

        def begun(kind=Server, **environment):
            running = kind(tmp_path_factory.mktemp("served"), **environment)
            ends.callback(sound, running)
            return running
        yield begun


def emptied():
    """Empty the suite's database, as after a test that commits."""
    if connection.vendor != "sqlite":
        call_command("flush", verbosity=0, interactive=False)
        cache.clear()
        EMPTIED.append(True)


def sound(running):
    """End a server whose log has told of no fault."""
    running.stop()
    log = running.log.read_text()
    fault = re.search("locked|deadlock|Traceback", log)
    assert fault is None, log[max(0, fault.start() - 2_000):fault.end() + 6_000]


@pytest.fixture(scope="module")
def server(serve):
    """The server that production runs."""
    return serve()


def _no_skips(report):
    """Turn a skip into a failure where CI is set: a test that does not run proves nothing."""
    if os.environ.get("CI") and report.outcome == "skipped":
        report.outcome = "failed"
        report.longrepr = f"skipped, which the checks do not allow: {report.longrepr}"
    return report


def _asks_database(item):
    """Return whether a test works with the suite's database: by its mark, by a fixture, by a browser."""
    asking = {"db", "transactional_db", "django_db_setup"}
    return any(map(item.get_closest_marker, ("django_db", "browser"))) or not asking.isdisjoint(item.fixturenames)


def _sample(items):
    """Return of each test one of its cases, by the test's name another one, and all of those marked `every_case`."""
    cases = defaultdict(list)
    for item in items:
        cases[item if item.get_closest_marker("every_case") else item.nodeid.partition("[")[0]].append(item)
    return {found[crc32(str(name).encode()) % len(found)] for name, found in cases.items()}


def _elsewhere(item):
    """Return whether a slow test runs on the other database; what has a mark of its own about databases does not."""
    if not item.get_closest_marker("slow") or not _asks_database(item):
        return False
    if any(map(item.get_closest_marker, ("database", "alike", "every_case", "browser"))):
        return False
    return crc32(item.nodeid.partition("[")[0].encode()) % 2 == (connection.vendor == "sqlite")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Leave out what this run need not prove.

    Of a quick test that asks the database, SQLite runs a case at once and each fourth of the others with what is slow,
    where all tests are asked for; PostgreSQL runs one of its cases, since the rules of a system and the texts of a
    language are the same there, and what is `alike` not at all. A slow test runs on one of the two databases, by its
    name. At full counts all of them run on both with all their cases.
    """
    others = set() if PROVING else {one for one in items if _elsewhere(one)}
    if {*config.args} == {*config.getini("testpaths")}:
        asking = {one for one in items if _asks_database(one) and not one.get_closest_marker("slow")}
        rest = asking - _sample([one for one in items if one in asking])
        for place, item in enumerate(one for one in items if one in rest):
            item.add_marker("slow")
            if place % 4 and not item.get_closest_marker("every_case"):
                item.add_marker("more")
    others |= {one for one in items for mark in one.iter_markers("database") if mark.args != (connection.vendor,)
               and not (PROVING and mark.kwargs.get("mostly"))}
    if not PROVING:
        others |= {one for one in items if one.get_closest_marker("more")}
        if not os.environ.get("CI") and "slow" not in config.option.markexpr:
            others |= {one for one in items if one.get_closest_marker("slow")}
    if connection.vendor != "sqlite":
        others |= {one for one in items if not _asks_database(one)}
        if not PROVING:
            others |= {one for one in items if one.get_closest_marker("alike")}
            others |= {*items} - _sample(one for one in items if one not in others)
    config.hook.pytest_deselected(items=list(others))
    items[:] = [one for one in items if one not in others]


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    """Keep what there is now out of the garbage collector's sight: it lasts until the end."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    return _no_skips((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return _no_skips((yield))
