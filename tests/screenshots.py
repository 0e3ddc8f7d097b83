"""Takes the pictures of the README and of the web app's manifest: `make screenshots` (needs Chromium)."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Page, sync_playwright

from tests.support.browser.machine import program

ROOT = Path(__file__).resolve().parent.parent
ADDRESS = "127.0.0.1:8765"


def manage(*words: str, environment: dict) -> subprocess.Popen:
    """Start a command of the program on the pictures' own database."""
    return subprocess.Popen([sys.executable, "manage.py", *words], cwd=ROOT, env=environment)


def wait() -> None:
    """Wait until the program answers (TimeoutError after ten seconds)."""
    for _ in range(100):
        try:
            urlopen(f"http://{ADDRESS}/").close()
        except URLError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(ADDRESS)


def take(page: Page, sheet_picture: str, builder_picture: str) -> None:
    """Build on, and play with, the first example of the demo player."""
    page.goto(f"http://{ADDRESS}/account/login/")
    page.fill("[name=login]", "spieler")
    page.fill("[name=password]", "amboss-und-bogen")
    page.click("main form.card button")
    page.goto(f"http://{ADDRESS}/sheets/?q=Juan")
    page.click(".sheets h2 a")
    sheet = page.url
    widget = page.locator("article.roll-row").first
    page.locator("[name='against.defence']").fill("1")
    widget.locator("button.roll").click()
    page.wait_for_selector("#tray .tray-dice")
    page.wait_for_timeout(1_000)  # the dice tumble
    page.screenshot(path=ROOT / sheet_picture)
    page.goto(sheet.replace("/sheets/", "/drafts/") + "attacks/")
    page.screenshot(path=ROOT / builder_picture)


def main() -> None:
    """Run the program on a database of its own and take the pictures, wide and narrow."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        environment = {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/pictures.sqlite3"}
        for words in (("migrate", "--verbosity", "0"), ("demo",)):
            manage(*words, environment=environment).wait()
        server = manage("runserver", ADDRESS, "--noreload", environment=environment)
        try:
            wait()
            browser = playwright.chromium.launch(executable_path=program(), args=["--no-sandbox"])
            take(browser.new_page(viewport={"width": 1280, "height": 800}, locale="de-DE"),
                 "docs/sheet.png", "docs/builder.png")
            take(browser.new_page(viewport={"width": 390, "height": 844}, locale="de-DE"),
                 "static/icons/sheet-narrow.png", "static/icons/builder-narrow.png")
            browser.close()
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
