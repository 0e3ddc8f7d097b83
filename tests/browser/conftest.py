import os
import shutil

import pytest
from playwright.sync_api import sync_playwright

# Quiet, and at home in a container; nothing is fetched from anywhere but the program itself.
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]


@pytest.fixture(scope="session")
def chromium():
    # Playwright's loop runs in this thread, which Django takes for an async view.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def visit(chromium, live_server):
    """Open an address in a browser of the given kind (width, scheme, JavaScript, language) and answer the page.

    Whatever the browser complains of (a policy broken, a script that fails) fails the test.
    """
    complaints = []
    contexts = []

    def open_page(address, *, width=1280, scheme="light", javascript=True, locale="de-DE"):
        context = chromium.new_context(
            base_url=live_server.url, viewport={"width": width, "height": 800}, color_scheme=scheme,
            java_script_enabled=javascript, locale=locale, reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [text for text in complaints if "status of 404" not in text] == []
