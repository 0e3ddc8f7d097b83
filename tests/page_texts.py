"""Prints the texts of pages drawn by lot, for people who judge how they read: `make texts LANGUAGE=en PAGES=60 SEED=7`.

The pages are those of a demo in which each example was rolled with. Each begins with its address; a line is what a
browser shows in one block, and what it says of a field or a picture stands in brackets.
"""

import io
import logging
import os
import random
import re
import sys
import uuid
from collections.abc import Iterator
from html.parser import HTMLParser

import django
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection
from django.test import Client

BLOCKS = frozenset((
    "address", "article", "aside", "body", "button", "caption", "dd", "details", "dialog", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "label",
    "legend", "li", "main", "nav", "ol", "option", "p", "pre", "section", "select", "summary", "table", "td",
    "textarea", "th", "title", "tr", "ul"))
UNSEEN = {"script", "style", "template"}
SAID = ("title", "aria-label", "placeholder", "alt")
PEOPLE = {"gm": "spielleitung", "player": "spieler"}
"""The names of the demo's accounts."""


class Reader(HTMLParser):
    """Gathers the lines of text of a page in `lines`."""

    def __init__(self, html: str):
        super().__init__()
        self.lines, self.unseen = [""], 0
        self.feed(html)
        self.lines = [line for line in (" ".join(one.split()) for one in self.lines) if line]

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.unseen += tag in UNSEEN
        if tag in BLOCKS:
            self.lines.append("")
        self.lines[-1] += "".join(f" [{text}]" for name, text in attrs if name in SAID and text)

    def handle_endtag(self, tag: str) -> None:
        self.unseen -= tag in UNSEEN
        if tag in BLOCKS:
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.lines[-1] += data


def browser(role: str, language: str) -> Client:
    """Return a client that is signed in as one of the demo, or as nobody."""
    client = Client(headers={"Accept-Language": language, "Host": "localhost"})
    if role in PEOPLE:
        client.force_login(get_user_model().objects.get(username=PEOPLE[role]))
    return client


def addresses(language: str) -> Iterator[tuple[str, str]]:
    """Yield (role, address) of each kind of page, once the examples were rolled with and are shared."""
    # Models can be imported once Django is set up.
    from rulesets import systems  # noqa: PLC0415
    from sheets.models import Sheet  # noqa: PLC0415
    from tests.support.browser.pages import pages  # noqa: PLC0415

    player = browser("player", language)
    for sheet in Sheet.objects.exclude(party=None):
        Sheet.objects.filter(pk=sheet.pk).update(share=f"share-{sheet.pk}", share_play=True)
        for at in (f"/sheets/{sheet.pk}/", f"/parties/{sheet.party_id}/table/"):
            widgets = re.findall(r'name="w" value="([^"]+)"', player.get(at).content.decode())
            for widget in dict.fromkeys(widgets):
                player.post(f"{at}play/", {"w": widget, "_by": sheet.pk, "_press": str(uuid.uuid4())})
    for slug in ["", *systems()]:
        yield from pages(slug)


def main() -> None:
    """Print the pages that chance chooses."""
    language, count, seed = sys.argv[1:]
    os.environ |= {"DATABASE_URL": "sqlite://:memory:", "BOGENSCHMIEDE_MODE": "development",
                   "DJANGO_SETTINGS_MODULE": "builder.settings"}
    django.setup()
    logging.disable()
    connection.creation.create_test_db(verbosity=0)
    call_command("demo", verbosity=0, stdout=io.StringIO())
    every = sorted({*addresses(language)})
    drawn = sorted(random.Random(seed).sample(every, min(int(count), len(every))))  # noqa: S311
    sys.stdout.write(f"{len(drawn)} of {len(every)} pages, seed {seed}\n")
    for role, address in drawn:
        page = Reader(browser(role, language).get(address).content.decode())
        sys.stdout.write("\n".join(["", f"=== {address} ({role})", *page.lines, ""]))


if __name__ == "__main__":
    main()
