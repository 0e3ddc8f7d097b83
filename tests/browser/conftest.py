import os
import socket
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.management.color import no_style
from django.db import connection
from playwright.sync_api import expect, sync_playwright

from rulesets.condice.examples import EXAMPLES
from rulesets.dice import RealTray
from tests.support.browser.machine import FILES, OLDEST, asked, launch
from tests.support.browser.seats import Seat
from tests.support.browser.waits import LONGEST
from tests.support.browser.wizard_actions import seated
from tests.support.guest import Guest, held
from tests.support.plugin import PROVING
from tests.support.server import address
from tests.support.streams import Live


def pytest_generate_tests(metafunc):
    """What is about layout is tried with the widest font, at full counts with each, all else with the usual one."""
    if metafunc.definition.get_closest_marker("layout"):
        metafunc.parametrize("font", FILES if PROVING else ["wide"])


LONG = ["test_layout", "test_random_presses", "test_glance", "test_xss", "test_approval", "test_from_scratch",
        "test_scene", "test_fight", "test_moves", "test_duel", "test_sheet"]
"""Modules of the longest tests, the longest first."""


def pytest_collection_modifyitems(config, items):
    """Leave to `make prove` what is more of the same; where no others run, begin with what takes longest."""
    others = [one for one in items if one.get_closest_marker("more") and not PROVING]
    config.hook.pytest_deselected(items=others)
    items[:] = [one for one in items if one not in others]
    if all(one.get_closest_marker("browser") for one in items):
        items.sort(key=lambda one: LONG.index(one.path.stem) if one.path.stem in LONG else len(LONG))


@pytest.fixture
def font():
    """The name of the font in which pages are shown."""
    return "usual"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """SQLite in a file: in memory all threads of the server would share one connection, and so one transaction.

    No power is cut here, so that no press need wait for the disk.
    """
    database = settings.DATABASES["default"]
    if "sqlite3" in database["ENGINE"]:
        database.setdefault("TEST", {})["NAME"] = str(tmp_path_factory.mktemp("database") / "browser.sqlite3")
        database["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF"


@pytest.fixture
def transactional_db(django_db_setup, django_db_blocker):
    """The database as it was migrated; what each model had of a test is gone after it.

    Django's own way would make permissions and types of content anew as well, which takes longer than all the rest.
    """
    with django_db_blocker.unblock():
        yield
        tables = {*connection.introspection.django_table_names()} - {"auth_permission", "django_content_type"}
        connection.ops.execute_sql_flush(connection.ops.sql_flush(no_style(), sorted(tables)))


@pytest.fixture(scope="session")
def browsers(tmp_path_factory):
    """Answer the Chromium of a font, which is started when it is first asked for."""
    if sentence := asked():
        pytest.fail(sentence, pytrace=False)
    # Playwright's loop runs in this thread, which Django takes for an async view.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=LONGEST)
    running = {}
    with sync_playwright() as playwright:

        def browser(font):
            if font not in running:
                running[font] = launch(playwright, font, tmp_path_factory.mktemp(font))
                version = running[font].version
                assert int(version.split(".")[0]) >= OLDEST, f"Chromium {OLDEST} or newer is needed, this is {version}"
            return running[font]

        yield browser
        for one in running.values():
            one.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def chromium(browsers):
    """The browser with the usual font, for tests that open pages in their own way."""
    return browsers("usual")


@pytest.fixture
def finished(transactional_db, django_user_model):
    """A finished sheet of Anna's, who has an account."""
    guest = Guest(EXAMPLES["juan"], user=django_user_model.objects.create_user("anna"))
    guest.post("finish", do="finish")
    return guest


class Visits:
    """Opens pages in browsers of the given kind (width, scheme, JavaScript, language), and hears their complaints.

    Whoever is signed in with a test client is so in a browser that is opened for this `client`.
    """

    def __init__(self, chromium, url):
        self.chromium, self.url = chromium, url
        self.complaints, self.contexts = [], []
        self.expected = ["status of 404"]

    def __call__(self, address="about:blank", *, client=None, width=1280, scheme="light", javascript=True,
                 locale="de-DE", zone="Europe/Berlin"):
        # All that a browser would take from the machine is stated.
        context = self.chromium.new_context(
            base_url=self.url, viewport={"width": width, "height": 800}, device_scale_factor=1,
            color_scheme=scheme, reduced_motion="reduce", forced_colors="none", contrast="no-preference",
            java_script_enabled=javascript, locale=locale, timezone_id=zone,
        )
        context.set_default_timeout(LONGEST)
        self.contexts.append(context)
        if client:
            context.add_cookies(held(client, self.url))
        return self.tab(context, address)

    def tab(self, context, address):
        """One more page of the same browser."""
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        page.goto(address)
        return page

    def expect(self, *texts):
        """What the browser may complain of in this test, because the test brings it about."""
        self.expected += texts


@pytest.fixture
def visit(browsers, font, transactional_db, live_server):
    """Open an address and answer the page: `visit("/", width=360)`.

    Whatever the browser complains of (a policy broken, a script that fails) fails the test.
    """
    visits = Visits(browsers(font), live_server.url)
    yield visits
    for context in visits.contexts:
        # A context that is closed forgets its cookies before its pages stop asking.
        for page in context.pages:
            page.close()
        context.close()
    assert [text for text in visits.complaints if not any(one in text for one in visits.expected)] == []


@pytest.fixture
def dice(monkeypatch):
    """The faces that fall next; none but these do."""
    faces = []

    def face(tray, among):
        number = faces.pop(0)
        assert number in among, f"{number} is no face of {among}"
        tray.fallen.append(number)
        return number

    monkeypatch.setattr(RealTray, "face", face)
    return faces


@pytest.fixture
def sit(visit, dice, language):
    """Seat the sheet of a document: `sit(EXAMPLES["juan"])`; no dice fall but those that a press is told."""
    locale = {"de": "de-DE", "en": "en-GB"}[language]
    return lambda document: Seat(seated(visit, document, locale=locale), language, dice)


@pytest.fixture(scope="session")
def streams(django_db_setup, tmp_path_factory):
    """The port of the process of the streams beside the pages."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = Live(SimpleNamespace(log=tmp_path_factory.mktemp("streams") / "log", environment=os.environ | {
        "BOGENSCHMIEDE_MODE": "development", "DATABASE_URL": address_of_tests()}), port)
    yield port
    running.stop()


def address_of_tests():
    """The database that the pages of browser tests have."""
    name = connection.settings_dict["NAME"]
    return f"sqlite:///{name}" if connection.vendor == "sqlite" else address(None)
