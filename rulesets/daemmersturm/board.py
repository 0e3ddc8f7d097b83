"""The board of a profile: what is due, its figures and protection, its weapons (DS-01, DS-22, DS-40)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.daemmersturm import line
from rulesets.kit import Nudge, Part, Wording, slots

if TYPE_CHECKING:
    from rulesets.daemmersturm.play.state import DaemmersturmPlay, Unready
    from rulesets.daemmersturm.sheet import Daemmersturm, Skill

SKILLS = {"melee": ("NA", "NV"), "ranged": ("FA", "FV"), "magic": ("Z", "ZW")}
"""The three skills with the letters that the game has for attack and defence (DS-01)."""
LEADING = ("roll-exhaustion", "hold-on", "begin-turn")
"""Acts that lead on, what is due before a turn that begins (DS-50, DS-54, DS-60)."""
_STEPS = ngettext_lazy("{n} action until it is ready", "{n} actions until it is ready", "n")


@dataclass(frozen=True)
class Figure:
    """One of the three figures as it is now, and as the profile writes it where that is something else."""

    title: Wording
    attack: tuple[str, str]
    """The attack roll as written, behind the letters by which the game knows it."""
    defence: tuple[str, int]
    """One's own defence, likewise."""
    was: str


@dataclass(frozen=True)
class State:
    """A weapon: what holds for it now, and the press that gets it ready where it is not."""

    title: Wording
    poison: Wording
    unready: Wording
    reload: Nudge | None


def shown(skill: "Skill") -> str:
    """Return a skill as the profile writes it, set for the eye (DS-01)."""
    return line.skill(skill).replace("|", " | ").replace("-", "−")


def thrown(skill: "Skill") -> str:
    """Return what is thrown to attack with it, as the profile writes it: one's own defence has no say in that."""
    return shown(skill).partition(" | ")[0]


def figures(sheet: Part, now: Part) -> Iterator[Figure]:
    """Yield the attack and defence of each skill (DS-01), lowered by what lasts (DS-58)."""
    for key, (attack, defence) in SKILLS.items():
        skill, written = getattr(now, key), shown(getattr(sheet, key))
        yield Figure(slots(type(sheet))[key].ask.title, (attack, thrown(skill)), (defence, skill.defence),
                     written if written != shown(skill) else "")


def protection(sheet: Part) -> Iterator[tuple[Wording, str, str]]:
    """Return (title, number, limit) of shield and armour, in the order in which they are rolled."""
    for key in ("shield", "armour"):
        if worn := getattr(sheet, key):
            number, _comma, limit = str(worn.what()).partition(", ")
            yield slots(type(sheet))[key].ask.title, number, limit


def weapons(sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[State]:
    """Return the weapons that have a state: loaded or not, treated or not, poisoned (DS-22, DS-26, DS-59)."""
    ready = play.offers(sheet, "make-ready") if play.unready else {}
    unready = {one.at(sheet): (f"unready.{index}", one) for index, one in enumerate(play.unready)}
    poisons = {one.at(sheet): one for one in play.poisons}
    for index, weapon in enumerate(sheet.weapons):
        key, rest = unready.get(index, ("", None))
        poison, offer = poisons.get(index), ready.get(key)
        if not (weapon.reload_actions or rest or poison):
            continue
        yield State(sheet.called(index), (poison.poison or _("Poison")) if poison else "",
                    _waits(rest), Nudge(offer, {}) if offer and rest and not rest.gone else None)


def _waits(rest: "Unready | None") -> Wording:
    """Return the reason why a weapon cannot be used, "" if it can."""
    if rest is None:
        return ""
    return _("destroyed") if rest.gone else _STEPS.format(n=rest.steps)


def next_buttons(sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[tuple[Wording, Nudge]]:
    """Yield (title, button) of the acts that come next, the most urgent one first (DS-50, DS-54, DS-60)."""
    for slug in LEADING:
        for offer in play.offers(sheet, slug).values():
            yield offer.title, Nudge(offer, {})
