"""A party on paper, for its GMs: the strip, slips for whose turn it is, cards to hand out."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import segno
from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from rulesets import systems
from rulesets.kit import Ruleset
from rulesets.names import isolated
from sheets.export.layouts import Layout
from sheets.export.paper import SHORT, base, colour, paper
from sheets.faces.printed import printed_face
from sheets.models import Party, Sheet
from sheets.rolls.widgets import Widget

LAYOUTS = {one.slug: one for one in (
    Layout("strip", pgettext_lazy("paper", "The party on one page"), "party"),
    Layout("slips", gettext_lazy("Slips for whose turn it is"), "party", stepping=False),
    Layout("handed", gettext_lazy("Cards to hand out"), "party", stepping=False),
)}
AT_ONCE = 12
"""Characters in one file."""
LONG = 90
"""Characters of a row's text if there is little room."""
ROWS = 6
"""Rolls that a line of the strip has room for; of names and of rows of a card twice as many are tried."""


def printed_together(request: HttpRequest, keys: Sequence[UUID], layout: str) -> str | None:
    """Return the address of several sheets in one file; None, with a message, if they are too many."""
    if len(keys) > AT_ONCE:
        messages.warning(request, _("At most {most} are printed in one file; tick fewer.").format(most=AT_ONCE))
        return None
    return f"{reverse('together', args=[layout or 'sheet'])}?{urlencode([('sheet', one) for one in keys])}"


def party_paper(party: Party, sheets: Sequence[Sheet], root: str = "") -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Return the contents as JSON data, and of each the face and the QR code of the address to take the character."""
    urls = [taking_url(party, sheet, root) for sheet in sheets]
    return group_paper(systems()[party.ruleset], party.name, party_title(party), sheets, urls)


def group_paper(ruleset: Ruleset, name: str, title: str, sheets: Sequence[Sheet],
                urls: Sequence[str]) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Return the same of any sheets of a system, under a name; the address of each may be ""."""
    people, drawn = [], []
    for sheet, url in zip(sheets, urls, strict=True):
        told = paper(sheet)
        people.append(_person(told, url))
        drawn.append({"face": told["face"], "code": qr_code(url)})
    words = {"turn": _("Turn:"), "take": _("Take this character:")}
    return base(ruleset, name, title, date_format(localdate()), words) | {"people": people}, drawn


def act_paper(ruleset: Ruleset, name: str, act: Widget) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Return the same of an encounter against which nobody sits at the table: what the act asks, and room for notes."""
    tiles = [{"title": str(one.slot.ask.title), "value": one.text} for one in act.inputs if one.text]
    face = printed_face(Sheet(ruleset=ruleset.slug, name=name), name, colour(ruleset.stylesheet, "accent"))
    one = {"name": name, "short": name, "tiles": tiles, "gauges": [], "rolls": [], "names": [], "rows": [], "url": "",
           "alt": ""}
    return base(ruleset, name, name, date_format(localdate()), {}) | {"people": [one]}, [{"face": face, "code": ""}]


def party_title(party: Party) -> str:
    """Return the title of a file with characters of a party."""
    return _("{party}, characters for {system}").format(
        party=isolated(party.name), system=systems()[party.ruleset].title)


def taking_url(party: Party, sheet: Sheet, root: str) -> str:
    """Return the address where the first to come takes a character; it leads into the party if that has a link."""
    if not sheet.offered:
        return ""
    if party.invitation:
        return f"{root}{reverse('join', args=[party.invitation])}?take={sheet.pk}"
    return root + reverse("ready", args=[party.pk])


def _person(told: dict[str, Any], url: str) -> dict[str, Any]:
    """Return the details of one of many characters."""
    rows = [one for part in told["sections"] for one in part["entries"] if not one["die"] or one["name"] != "–"]
    rolled = [one["roll"] for one in rows if one["roll"] and one["roll"]["first"]]
    facts = [one for one in told["facts"] if one["value"] and len(one["value"]) <= ROWS * 2]
    return {
        "name": told["name"], "short": told["short"], "tiles": [*told["tiles"], *facts],
        "gauges": [one for one in told["gauges"] if one["most"]],
        "rolls": (rolled or [one for one in told["rolls"] if one["aimed"]])[:ROWS],
        "names": [] if rolled else [one["name"] for one in rows[:ROWS * 2]],
        "rows": [{"name": _cut(one["name"], SHORT), "text": _cut(one["text"], LONG),
                  "first": one["roll"]["first"] if one["roll"] else ""} for one in rows[:ROWS * 2]],
        "url": url, "alt": _("QR code of the address {url}").format(url=url),
    }


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rpartition(' ')[0] or text[:most]} …"


def qr_code(url: str) -> str:
    """Return an address as a QR code (SVG), "" for none. To try all masks for the best takes 0.1 seconds for each."""
    made = segno.make(url, error="l", micro=False, mask=3, boost_error=False) if url else None
    return made.svg_inline(light="#fff", dark="#000", omitsize=True) if made else ""
