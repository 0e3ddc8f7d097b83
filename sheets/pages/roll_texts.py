"""Rolls as texts to be pasted: BBCode, Markdown and plain text, with number and the beginning of the link."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from sheets.export.text import BBCode, Markdown, bbcode_of, plain_lines
from sheets.models import Event, Party, Receipt
from sheets.pages.seen_rolls import SeenRoll, seen_by_strangers
from sheets.receipts.messages import encode
from sheets.rolls.stored import MAX_SINGLE_DICE

SHORT = 8
"""The number of letters of a link that are copied along with a roll."""


@dataclass(frozen=True)
class Copied:
    """A text to copy."""

    key: str
    title: str
    value: str


class _Plain:
    def strong(self, text: str) -> str:
        """Return a name or a figure."""
        return self.inline(text)

    def inline(self, text: str) -> str:
        """Return a text for use within a line."""
        return " ".join(plain_lines(text))

    def link(self, url: str, text: str) -> str:
        """Return a text with an address."""
        return f"({text}) {url}"


def copies_of(rolls: Sequence[tuple[Receipt, SeenRoll]], url: str) -> list[Copied]:
    """Return the texts for forums and messages of a roll, or of several that have one address."""
    return [Copied("bbcode", _("Copy BBCode"), _text(bbcode_of(_party(rolls[0][0])), rolls, url)),
            Copied("markdown", _("Copy Markdown"), _text(Markdown(), rolls, url)),
            Copied("text", _("Copy text"), _text(_Plain(), rolls, url))]


def copies_without_receipt(seen: SeenRoll, event: Event) -> list[Copied]:
    """Return the same for a roll that was made before there were receipts; it has at most a number."""
    number = f" · #{event.number}" if event.number else ""
    return [Copied(key, title, f"{_told(form, seen, seen.text)}{form.inline(number)}\n") for key, title, form in (
        ("bbcode", _("Copy BBCode"), bbcode_of(event.party)), ("markdown", _("Copy Markdown"), Markdown()),
        ("text", _("Copy text"), _Plain()))]


def bbcode_line(form: BBCode, receipt: Receipt, seen: SeenRoll, url: str) -> str:
    """Return a roll as a line of BBCode."""
    return _text(form, [(receipt, seen)], url).strip()


def _party(receipt: Receipt) -> Party | None:
    """Return the party in whose scene, or with whose sheet, a roll was made."""
    of = receipt.scene or receipt.sheet
    return of.party if of else None


def _text(form: BBCode | Markdown | _Plain, rolls: Sequence[tuple[Receipt, SeenRoll]], url: str) -> str:
    told = [(_told(form, seen, _outward_text(receipt, seen)), place_of(receipt)) for receipt, seen in rolls]
    if len(told) == 1:
        [(line, place)] = told
        return f"{line} {form.link(url, place)}\n"
    first, last = rolls[0][0].number, rolls[-1][0].number
    # Markdown joins lines that no empty line separates.
    between = "\n\n" if isinstance(form, Markdown) else "\n"
    lines = [*(f"{line} · {form.inline(place)}" for line, place in told),
             form.link(url, _("Rolls {first} to {last}").format(first=first, last=last))]
    return f"{between.join(lines)}\n"


def place_of(receipt: Receipt) -> str:
    """Return the number of a roll with the first letters of its link."""
    return f"#{receipt.number} · {encode(bytes(receipt.link))[:SHORT]}"


def _told(form: BBCode | Markdown | _Plain, seen: SeenRoll, text: str) -> str:
    faces = seen.event.faces
    told = " | ".join(", ".join(map(str, one)) for one in (*seen.event.tries, faces))
    dice = f" ({told})" if faces and len(faces) <= MAX_SINGLE_DICE else ""
    return f"{form.strong(seen.title)}: {form.inline(text + dice)}"


def _outward_text(receipt: Receipt, seen: SeenRoll) -> str:
    """Return the outcome as everybody may know it, because the text is pasted where others read it."""
    outward = seen_by_strangers(receipt)
    return outward.text if outward and not seen.refused else seen.text
