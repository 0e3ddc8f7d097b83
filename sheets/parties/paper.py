"""The contents of the papers that show several characters: the strip, slips for turns, and cards to hand out."""

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
    Layout("slips", gettext_lazy("Turn order slips"), "party", stepping=False),
    Layout("handed", gettext_lazy("Cards to hand out"), "party", stepping=False),
)}
AT_ONCE = 12
"""The most sheets in one file."""
MAX_ROW_TEXT = 90
"""The most characters of a row's text."""
MAX_ROLLS = 6
"""The most rolls in a line of the strip; twice as many names and rows are passed to the layouts."""


def printed_together(request: HttpRequest, keys: Sequence[UUID], layout: str) -> str | None:
    """Return the address of a file with several sheets; None, with a message to the user, if there are too many."""
    if len(keys) > AT_ONCE:
        messages.warning(request, _("At most {most} can be printed in one file; tick fewer.").format(most=AT_ONCE))
        return None
    return f"{reverse('together', args=[layout or 'sheet'])}?{urlencode([('sheet', one) for one in keys])}"


def party_paper(party: Party, sheets: Sequence[Sheet], root: str = "") -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Return the JSON data of a party's paper, and for each sheet {"face", "code"} with the QR code to take it."""
    urls = [taking_url(party, sheet, root) for sheet in sheets]
    return group_paper(systems()[party.ruleset], party.name, party_title(party), sheets, urls)


def group_paper(ruleset: Ruleset, name: str, title: str, sheets: Sequence[Sheet],
                urls: Sequence[str]) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Return the same data for any sheets of a system; `urls` are the addresses in their QR codes, which may be ""."""
    people, pictures = [], []
    for sheet, url in zip(sheets, urls, strict=True):
        details = paper(sheet)
        people.append(_person(details, url))
        pictures.append({"face": details["face"], "code": qr_code(url)})
    words = {"turn": _("Turn:"), "take": _("Take this character:")}
    return base(ruleset, name, title, date_format(localdate()), words) | {"people": people}, pictures


def act_paper(ruleset: Ruleset, name: str, act: Widget) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Return the same data for an encounter without opponents: the answers of its act, and room for notes."""
    tiles = [{"title": str(one.slot.ask.title), "value": one.text} for one in act.inputs if one.text]
    face = printed_face(Sheet(ruleset=ruleset.slug, name=name), name, colour(ruleset.stylesheet, "accent"))
    one = {"name": name, "short": name, "tiles": tiles, "gauges": [], "rolls": [], "names": [], "rows": [], "url": "",
           "alt": ""}
    return base(ruleset, name, name, date_format(localdate()), {}) | {"people": [one]}, [{"face": face, "code": ""}]


def party_title(party: Party) -> str:
    """Return the title of a file with the characters of a party."""
    return _("{party}, characters for {system}").format(
        party=isolated(party.name), system=systems()[party.ruleset].title)


def taking_url(party: Party, sheet: Sheet, root: str) -> str:
    """Return the address at which an offered character can be taken, "" if it is not offered.

    It is that of the party's invitation, if there is one.
    """
    if not sheet.offered:
        return ""
    if party.invitation:
        return f"{root}{reverse('join', args=[party.invitation])}?take={sheet.pk}"
    return root + reverse("ready", args=[party.pk])


def _person(details: dict[str, Any], url: str) -> dict[str, Any]:
    """Return the details of a character that fit on a paper with several."""
    rows = [one for part in details["sections"] for one in part["entries"] if not one["die"] or one["name"] != "–"]
    rolls = [one["roll"] for one in rows if one["roll"] and one["roll"]["first"]]
    facts = [one for one in details["facts"] if one["value"] and len(one["value"]) <= MAX_ROLLS * 2]
    return {
        "name": details["name"], "short": details["short"], "tiles": [*details["tiles"], *facts],
        "gauges": [one for one in details["gauges"] if one["most"]],
        "rolls": (rolls or [one for one in details["rolls"] if one["aimed"]])[:MAX_ROLLS],
        "names": [] if rolls else [one["name"] for one in rows[:MAX_ROLLS * 2]],
        "rows": [{"name": _shortened(one["name"], SHORT), "text": _shortened(one["text"], MAX_ROW_TEXT),
                  "first": one["roll"]["first"] if one["roll"] else ""} for one in rows[:MAX_ROLLS * 2]],
        "url": url, "alt": _("QR code of the address {url}").format(url=url),
    }


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rpartition(' ')[0] or text[:most]} …"


def qr_code(url: str) -> str:
    """Return the QR code of an address as SVG, "" for none. The mask is fixed, because choosing one takes 0.1 s."""
    code = segno.make(url, error="l", micro=False, mask=3, boost_error=False) if url else None
    return code.svg_inline(light="#fff", dark="#000", omitsize=True) if code else ""
