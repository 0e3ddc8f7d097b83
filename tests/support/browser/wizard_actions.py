"""What several tests do with the wizard: begin, lay out a draft, wait for the save, read what is stored."""

import re

from playwright.sync_api import Page, expect

from rulesets.condice.examples import EXAMPLES
from rulesets.document import canonical
from sheets.models import Sheet
from tests.support.guest import Guest

SAVED = re.compile("^(Gespeichert|Saved)")
UNSAVED = re.compile("^(Nicht gespeichert|Not saved)")


def begin(page: Page, do: str = "") -> str:
    """Press "build" on the front page; answers the draft's address, a step's name goes behind it."""
    button = f"button[value={do}]" if do else "button:not([value])"
    page.locator(f"article[data-system=condice] {button}").click()
    page.wait_for_load_state()  # until its scripts are there a page is one without them
    return address(page)


def press(page: Page, word: str) -> None:
    """Press a button of the wizard, by what it sends."""
    page.locator(f"button[value='{word}']").first.click()


def address(page: Page) -> str:
    """The draft's address without the step, also from its sheet."""
    return re.match(r".*/drafts/[^/]+/", page.url.replace("/sheets/", "/drafts/"))[0]


def stored(page: Page) -> Sheet:
    """The draft of the page as it stands in the database."""
    return Sheet.objects.get(pk=address(page).split("/")[-2])


def document(page: Page) -> bytes:
    """Name and data of the draft, in canonical form."""
    sheet = stored(page)
    return canonical({"name": sheet.name, "data": sheet.data})


def drafted(page: Page, example: str = "juan", typed: dict | None = None, **data) -> str:
    """Begin a draft that holds an example of ConDice, changed by some keys; answers its address."""
    where = begin(page)
    document = EXAMPLES[example]
    Sheet.objects.filter(pk=where.split("/")[-2]).update(
        name=document["name"], data=document["data"] | data, typed=typed or {})
    return where


def saved(page: Page) -> None:
    """Wait until the page says that all is saved."""
    expect(page.locator("#saved")).to_have_text(SAVED)


def slow(page: Page, milliseconds: int = 300) -> None:
    """Whatever the page asks for from now on is answered so much later."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1})


def focused(page: Page) -> str:
    """The id of the element that has the focus."""
    return page.evaluate("document.activeElement.id")


def caret(page: Page) -> list[int]:
    """Start and end of the selection in the field that has the focus."""
    return page.evaluate("[document.activeElement.selectionStart, document.activeElement.selectionEnd]")


def asked_before_closing(page: Page) -> list[str]:
    """What the browser asks before it closes the tab; the answer is no."""
    page.once("dialog", lambda dialog: dialog.dismiss())
    with page.expect_event("dialog") as asked:
        page.close(run_before_unload=True)
    return [asked.value.type]


def seated(visit, document: dict, **how) -> Page:
    """The sheet of a document in a browser of the given kind, which made it as a guest."""
    guest = Guest(document, system=document["ruleset"])
    return visit(f"/sheets/{guest.pk}/", client=guest.client, **how)
