"""The pages on which a frozen past is read, by the people who were there."""

import re

from django.utils.html import escape

from tests.past.pressing import browser
from tests.support.guest import sits

LANGUAGES = ("de", "en")
RANGE = re.compile(r'<span class="range">([^<]+)</span>')
FORMS = ("print/", "history/", "review/", "export/", "export.json", "export.md")
"""The addresses of a sheet below its own, which is that of its page."""
PERSONAL = ("/", "/sheets/", "/sheets/trash/", "/parties/", "/reviews/", "/notifications/", "/account/")
"""The addresses of a person."""
OF_PARTY = ("", "table/", "house/", "ready/", "scenes/", "handouts/")
"""The addresses of a party below its own, each of which names it."""


def owning(sheet):
    """Return the browser of whoever owns a sheet."""
    client = browser(sheet.owner)
    if sheet.owner is None:
        sits(client, sheet.guest)
    return client


def shows(text, name):
    """Tell whether a page shows a name; of one that is blank there is nothing to be seen."""
    return escape(name.strip()) in text


def missing(text, said):
    """Return what of the lines of a log a page does not tell."""
    # A figure stays in one line with its word, and so does a range.
    shown = RANGE.sub(r"\1", text.replace("\u00a0", " "))
    return [one for one in said if escape(one) not in shown]


def turns_of(page):
    """Return what a table's page tells of a fight: the round, how many are there, the place of whose turn it is."""
    turns = page.partition('id="turn-bar"')[2].partition("</section>")[0]
    there = re.findall(r"<li([^>]*)>", turns.partition('<ol class="turn-order">')[2].partition("</ol>")[0])
    return {"round": int(re.search(r'id="turns"[^>]*>\D*(\d+)', turns)[1]), "there": len(there),
            "turn": [place for place, one in enumerate(there) if "aria-current" in one]}


def numbers(page, word):
    """Return the numbers of the buttons of a page whose word is this, in their order."""
    return sorted({int(one) for one in re.findall(rf'name="do" value="{word}:(\d+)"', page)})
