"""Notices of what the state of play means for the turn at hand."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.kit import Finding, Wording, warning

if TYPE_CHECKING:
    from rulesets.daemmersturm.play.state import DaemmersturmPlay
    from rulesets.daemmersturm.sheet import Daemmersturm

EXHAUSTED = 5
"""The life at or below which a character is exhausted (DS-50)."""
MEANING = {
    "sickness": _("Sickness: all values except life are 5 lower."),
    "cramps": _("Cramps: no actions."),
    "faint": _("Unconscious: no movement, no actions, all defences are 6."),
}
OUT = _("Out of the fight: no movement, no actions, until the Kampfabschnitt is over.")
SHELTERED = _("Seeking protection: cover 10+, no movement, no action.")
EXHAUSTION_FIRST = _("First roll for exhaustion.")
_CHANNELLING = ngettext_lazy("Channelling: {n} round to go; no movement, no other attack.",
                             "Channelling: {n} rounds to go; no movement, no other attack.", "n")

_HITS = ngettext_lazy("{n} hit disturbs the channelling; roll to see whether it holds.",
                      "{n} hits disturb the channelling; roll for each to see whether it holds.", "n")


def for_sheet(sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Finding]:
    """Yield warnings: first about what is due, then about what limits the turn."""
    if play.down:
        yield warning(OUT, rule="DS-32")
        return
    yield from _exhausted(sheet, play)
    yield from _magic(play)
    if play.sheltered:
        yield warning(SHELTERED, rule="DS-44")
    if play.cover:
        yield warning(_("In cover: {n}+ against shots, spells and explosions."), rule="DS-43", n=play.cover)
    for kind in dict.fromkeys(condition.kind for condition in play.conditions if condition.kind in MEANING):
        last = all(one.turns == 0 for one in play.conditions if one.kind == kind)
        yield warning(_("{meaning} This is its last turn.") if last else "{meaning}", rule="DS-58",
                      meaning=MEANING[kind])
    for condition in play.conditions:
        if condition.turns == 0 and condition.kind not in MEANING:
            yield warning(_("{what}: this is its last turn."), rule="DS-45", what=condition.label)
        if condition.damage:
            told = _("{what}: {range} damage over time, no protection rolls.")
            if condition.due:
                told = _("{what}: {range} damage over time is due this turn; no protection rolls.")
            yield warning(told, rule="DS-45", what=condition.label, range=condition.damage)


def unable_note(play: "DaemmersturmPlay") -> Wording:
    """Return the reason why no action is possible, "" if there is none; of several, only the first."""
    if play.down:
        return OUT
    if play.sheltered:
        return SHELTERED
    kinds = {condition.kind for condition in play.conditions}
    if harsh := next((kind for kind in ("faint", "cramps") if kind in kinds), ""):
        return MEANING[harsh]
    if play.exhaustion_due:
        return EXHAUSTION_FIRST
    if play.disturbed:
        return _HITS.format(n=play.owed)
    return _CHANNELLING.format(n=play.channelling) if play.channelling else ""


def _exhausted(sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Finding]:
    left = play.life_left(sheet)
    # Older states do not store the reason; the life left tells it.
    by = play.exhausted_by or ("mana" if left > EXHAUSTED else "life")
    if play.exhaustion_due and by == "mana":
        yield warning(_("There is no mana left: an exhaustion roll is due each round."), rule="DS-57")
    elif play.exhaustion_due and left > EXHAUSTED:
        yield warning(_("The turn started with {most} life or less: the exhaustion roll is due, even though life is "
                        "now {n}."), rule="DS-50", n=left, most=EXHAUSTED)
    elif play.exhaustion_due:
        yield warning(_("Life is {n}: the exhaustion roll is due at the start of the turn."), rule="DS-50", n=left)
    elif play.exhausted(sheet):
        yield warning(_("Life is {n}: exhausted; each turn starts with a roll."), rule="DS-50", n=left)


def _magic(play: "DaemmersturmPlay") -> Iterator[Finding]:
    if play.disturbed:
        yield warning(_HITS.format(n=play.owed), rule="DS-54")
    elif play.channelling is not None:
        told = _CHANNELLING if play.channelling else _("Channelled: the spell can be completed this turn.")
        yield warning(told, rule="DS-54", n=play.channelling)
    if play.shadow_owed:
        yield warning(_("{n} damage must still be dealt this turn, or the caster takes it."), rule="DS-57",
                      n=play.shadow_owed)
