import os
import shutil

import pytest
from django.conf import settings
from playwright.sync_api import expect, sync_playwright

# Quiet, and at home in a container; nothing is fetched from anywhere but the program itself.
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory):
    """SQLite in a file: in memory all threads of the server would share one connection, and so one transaction."""
    database = settings.DATABASES["default"]
    if "sqlite3" in database["ENGINE"]:
        database.setdefault("TEST", {})["NAME"] = str(tmp_path_factory.mktemp("database") / "browser.sqlite3")


@pytest.fixture(scope="session")
def chromium():
    # Playwright's loop runs in this thread, which Django takes for an async view.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=15_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


class Visits:
    """Opens pages in browsers of the given kind (width, scheme, JavaScript, language), and hears their complaints."""

    def __init__(self, chromium, url):
        self.chromium, self.url = chromium, url
        self.complaints, self.contexts = [], []
        self.expected = ["status of 404"]

    def __call__(self, address, *, width=1280, scheme="light", javascript=True, locale="de-DE"):
        context = self.chromium.new_context(
            base_url=self.url, viewport={"width": width, "height": 800}, color_scheme=scheme,
            java_script_enabled=javascript, locale=locale, reduced_motion="reduce",
        )
        self.contexts.append(context)
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
def visit(chromium, live_server):
    """Open an address and answer the page: `visit("/", width=360)`.

    Whatever the browser complains of (a policy broken, a script that fails) fails the test.
    """
    visits = Visits(chromium, live_server.url)
    yield visits
    for context in visits.contexts:
        context.close()
    assert [text for text in visits.complaints if not any(one in text for one in visits.expected)] == []
