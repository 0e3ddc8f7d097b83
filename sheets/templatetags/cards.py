"""Template tags for rows that are cards: a catalogue with plus and minus, and its filters."""

from dataclasses import dataclass, replace
from typing import Any

from django.template import Library
from django.utils.translation import gettext as _

from rulesets.folding import order_key
from rulesets.kit import Entry, Face, House, blank, join, tag_of
from rulesets.work import affordable
from sheets.forms.inputs import Input, element_id
from sheets.forms.part_inputs import has_own_inputs

register = Library()


@dataclass(frozen=True)
class Stack:
    """The copies of one catalogue entry in a draft, with the actions of the buttons for one more and less."""

    face: Face
    ids: tuple[str, ...]
    """The HTML ids of the inputs for their numbers, to which findings lead."""
    more: str
    less: str
    """The action of the button for one less, "" if there is none."""
    hint: str
    full: str
    """The reason why there can be no more of it, "" if there can."""
    apart: bool
    """True if each copy is a row of its own, with fields to fill in."""
    places: tuple[str, ...] = ()
    """The HTML ids of their rows, to which findings on whole rows lead."""

    @property
    def copies(self) -> int:
        """The number of copies over all rows."""
        return self.face.copies


@register.simple_tag
def stack(wizard: Any, one: Input, tag: str) -> Stack | None:
    """Return the copies of an entry, None if the catalogue does not count them; any entry is shown as a card."""
    if not (counted := one.slot.ask.counted):
        return None
    entry = _blank(one.slot.member(tag), one)
    face = entry.face() or _plain(entry, wizard.house)
    rows = [(join(one.path, index), row) for index, row in enumerate(getattr(wizard.shape, one.path))
            if getattr(row, one.slot.tag) == tag]
    add = f"add:{one.path}:{tag}"
    if (apart := has_own_inputs(one.slot, {one.slot.tag: tag})) or not rows:
        # Each row stands for itself, as invented cards do, and is listed with its fields.
        return Stack(replace(face, copies=0), (), add if face.offered else "", "", "", "", apart)
    copies = [(path, getattr(row, counted)) for path, row in rows]
    last = max((path for path, number in copies if number), default=copies[0][0])
    less = f"less:{last}.{counted}" if dict(copies)[last] > 1 else f"drop:{last}"
    number, most = sum(number for _path, number in copies), wizard.bounds(join(copies[0][0], counted))[1]
    full = _("No more than {n} of a kind.").format(n=most) if most is not None and number >= most else ""
    hint = dict(affordable(wizard.shape.hints(wizard.house))).get(copies[0][0], "")
    return Stack(replace(face, copies=number),
                 tuple(element_id(join(path, counted)) for path, _number in copies),
                 f"more:{copies[0][0]}.{counted}", less, hint, full, apart,
                 tuple(element_id(path) for path, _number in copies))


@register.simple_tag
def narrowing(one: Input, chosen: list[str]) -> list[tuple[Any, list[tuple[str, bool]]]]:
    """Return (title, [(label, True if chosen)]) of the marks by which the cards of a catalogue can be filtered."""
    found: dict[str, dict[str, None]] = {}
    if not one.slot.tag:
        return []
    for face in filter(None, (_face(part, one) for part in one.slot.parts)):
        for title, labels in face.marks.items():
            found.setdefault(str(title), {}).update(dict.fromkeys(labels))
    return [(title, [(label, label in chosen) for label in sorted(labels, key=order_key)])
            for title, labels in found.items()]


@register.simple_tag
def narrowed(one: Input, entries: list, chosen: list[str]) -> list:
    """Return the entries that have all chosen marks; entries that cannot be chosen come last."""
    if not one.slot.tag:
        return entries
    entries = sorted(entries, key=lambda entry: not _offered(one.slot.member(entry.tag), one))
    if not chosen:
        return entries
    return [entry for entry in entries if _marks(one.slot.member(entry.tag), one).issuperset(chosen)]


def _blank(part: Any, one: Input) -> Entry:
    return part.model_validate(blank(part, **{one.slot.tag: tag_of(part, one.slot.tag)}))


def _face(part: Any, one: Input) -> Face | None:
    return _blank(part, one).face()


def _plain(entry: Entry, house: House) -> Face:
    """Return a card for an entry that defines none."""
    cost = entry.price(house)
    return Face(str(entry.title), "" if cost is None else str(cost), str(entry.text))


def _offered(part: Any, one: Input) -> bool:
    face = _face(part, one) if one.slot.ask.counted else None
    return face is None or face.offered


def _marks(part: Any, one: Input) -> set[str]:
    face = _face(part, one)
    return {label for labels in face.marks.values() for label in labels} if face else set()
