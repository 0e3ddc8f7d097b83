"""The log of a sheet, for templates."""

import re
from collections.abc import Collection

from django.template import Library
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from sheets.models import Event
from sheets.templatetags.texts import unbreakable

register = Library()

RANGE = re.compile(r"(?<!\d)\d+–\d+")
"""A range in the text of an event, which has at most 500 characters."""


def escaped(text: str) -> str:
    """Return a text as HTML in which a range like 5–6 is not broken at its dash."""
    return RANGE.sub(r'<span class="range">\g<0></span>', escape(text))


def _cards_fell(event: Event) -> bool:
    """Return True if cards were drawn: their faces are places in the deck, which say nothing to a reader."""
    roll = event.sheet.system.rolls.get(event.roll) if event.roll and event.sheet else None
    return roll is not None and roll.draws_cards


@register.filter
def thrown_before(event: Event) -> str:
    """Return the dice of throws that did not count, such as ties; "" if the first one did."""
    return ", ".join(" ".join(map(str, faces)) for faces in event.tries)


@register.simple_tag
def log_line(event: Event, text: str, redone: Collection[int] = (), *, oob: bool = False) -> SafeString:
    """Return an event as a line: time, deed and dice. `text` is its outcome, `redone` the keys of repeated events.

    It is a tag, because a page has forty lines, and an included template takes four times as long.
    """
    state, mark = ("undone", _("taken back")) if event.undone else ("repeated", _("rerolled")) \
        if event.pk in redone else ("", "")
    what = " ".join(filter(None, (event.what, event.at)))
    text, words = unbreakable(text), "" if event.words in (event.what, text) else unbreakable(event.words)
    dice = "" if _cards_fell(event) else " | ".join(" ".join(map(str, faces)) for faces in (*event.tries, event.faces))
    return mark_safe("".join((  # noqa: S308 - what people wrote is escaped
        f'<li id="event-{event.pk}"', ' hx-swap-oob="true"' if oob else "", f' class="{state}"' if state else "",
        f'><time datetime="{event.made.isoformat()}">{localtime(event.made):%H:%M}</time> <span>', escape(what),
        f": <strong>{escaped(text)}</strong>" if text else "",
        escaped(f"{' · ' if text else ': '}{words}") if words else "", f" <em>({escape(mark)})</em>" if mark else "",
        f' <span class="badge">{escape(_("thrown by hand"))}</span>' if event.by_hand else "",
        f"</span> <span>{_with_receipt(event, escape(dice)) if dice else ''}</span></li>")))


def _with_receipt(event: Event, dice: str) -> str:
    """Return dice as a link to the receipt of their roll, with another one to copy it."""
    url, copy = reverse("receipt-of", args=[event.pk]), escape(_("Copy"))
    return (f'<a href="{url}" title="{escape(_("Receipt"))}">{dice}</a> '
            f'<a href="{url}#copy" class="copies-roll" title="{copy}" aria-label="{copy}" data-copies-roll></a>')

