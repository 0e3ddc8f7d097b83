"""What the board of a profile shows: its three figures, its protection in order, its weapons (DS-01, DS-22, DS-40)."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.daemmersturm import line
from rulesets.kit import Nudge, Part, Wording, slots

SKILLS = ("melee", "ranged", "magic")
_STEPS = ngettext_lazy("{n} action until it is ready", "{n} actions until it is ready", "n")


@dataclass(frozen=True)
class Figure:
    """One of the three figures as it is now, and as the profile writes it where that is something else."""

    title: Wording
    now: str
    was: str


@dataclass(frozen=True)
class State:
    """A weapon: what holds for it now, and the press that gets it ready where it is not."""

    title: Wording
    what: Wording
    poison: Wording
    unready: Wording
    reload: Nudge | None


def shown(skill: Part) -> str:
    """A skill as the profile writes it, set for the eye (DS-01)."""
    return line.skill(skill).replace("|", " | ").replace("-", "−")


def figures(sheet: Part, now: Part) -> Iterator[Figure]:
    """Attack and defence of each skill (DS-01), lowered by what lasts (DS-58)."""
    for key in SKILLS:
        was, is_now = (shown(getattr(one, key)) for one in (sheet, now))
        yield Figure(slots(type(sheet))[key].ask.title, is_now, was if was != is_now else "")


def protection(sheet: Part) -> Iterator[tuple[Wording, Wording]]:
    """(title, number) of shield and armour, in the order in which they are rolled; cover is the ground's."""
    for key in ("shield", "armour"):
        if worn := getattr(sheet, key):
            yield slots(type(sheet))[key].ask.title, worn.what()


def weapons(sheet, play) -> Iterator[State]:
    """Every weapon with its state (DS-22, DS-26, DS-59)."""
    ready = play.offers(sheet, "make-ready") if play.unready else {}
    unready = {one.at(sheet): (f"unready.{index}", one) for index, one in enumerate(play.unready)}
    poisons = {one.at(sheet): one for one in play.poisons}
    for index, weapon in enumerate(sheet.weapons):
        key, rest = unready.get(index, ("", None))
        poison = poisons.get(index)
        yield State(sheet.called(index), weapon.what(), (poison.poison or _("Poison")) if poison else "",
                    _STEPS.format(n=rest.steps) if rest else "", Nudge(ready[key], {}) if rest else None)
