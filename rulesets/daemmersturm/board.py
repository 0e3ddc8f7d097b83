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
"""The three skills with the game's abbreviations for attack and defence (DS-01)."""
NEXT_ACTS = ("roll-exhaustion", "hold-on", "begin-turn")
"""Slugs of the acts that come next: rolls that are due, then the start of a turn (DS-50, DS-54, DS-60)."""
_STEPS = ngettext_lazy("{n} action until it is ready", "{n} actions until it is ready", "n")


@dataclass(frozen=True)
class SkillFigures:
    """A skill as it is now, and as the profile writes it (`was`) if that is different."""

    title: Wording
    attack: tuple[str, str]
    """(abbreviation, attack roll as the profile writes it)."""
    defence: tuple[str, int]
    """(abbreviation, own defence)."""
    was: str


@dataclass(frozen=True)
class WeaponDisplay:
    """The current state of a weapon, with the button that makes it ready if it is not."""

    title: Wording
    poison: Wording
    unready: Wording
    reload: Nudge | None


def skill_for_display(skill: "Skill") -> str:
    """Return a skill as the profile writes it, with spaces and a typographic minus for display (DS-01)."""
    return line.skill_text(skill).replace("|", " | ").replace("-", "−")


def attack_for_display(skill: "Skill") -> str:
    """Return the attack roll of a skill as the profile writes it, without the defence."""
    return skill_for_display(skill).partition(" | ")[0]


def figures(sheet: Part, now: Part) -> Iterator[SkillFigures]:
    """Yield the attack and defence of each skill (DS-01), lowered by conditions (DS-58)."""
    for key, (attack, defence) in SKILLS.items():
        skill, written = getattr(now, key), skill_for_display(getattr(sheet, key))
        yield SkillFigures(slots(type(sheet))[key].ask.title, (attack, attack_for_display(skill)),
                           (defence, skill.defence), written if written != skill_for_display(skill) else "")


def protection(sheet: Part) -> Iterator[tuple[Wording, str, str]]:
    """Yield (title, number, limit) of shield and armour, in the order in which they are rolled."""
    for key in ("shield", "armour"):
        if worn := getattr(sheet, key):
            number, _comma, limit = str(worn.what()).partition(", ")
            yield slots(type(sheet))[key].ask.title, number, limit


def weapons(sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[WeaponDisplay]:
    """Yield the weapons that need reloading after use, are not ready, or are poisoned (DS-22, DS-26, DS-59)."""
    ready = play.offers(sheet, "make-ready") if play.unready else {}
    unready = {one.at(sheet): (f"unready.{index}", one) for index, one in enumerate(play.unready)}
    poisons = {one.at(sheet): one for one in play.poisons}
    for index, weapon in enumerate(sheet.weapons):
        key, rest = unready.get(index, ("", None))
        poison, offer = poisons.get(index), ready.get(key)
        if not (weapon.reload_actions or rest or poison):
            continue
        yield WeaponDisplay(sheet.weapon_label(index), (poison.poison or _("Poison")) if poison else "",
                            _reason_unusable(rest), Nudge(offer, {}) if offer and rest and not rest.gone else None)


def _reason_unusable(rest: "Unready | None") -> Wording:
    """Return the reason why a weapon cannot be used, "" if it can."""
    if rest is None:
        return ""
    return _("destroyed") if rest.gone else _STEPS.format(n=rest.steps)


def next_buttons(sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[tuple[Wording, Nudge]]:
    """Yield (title, button) of the acts that come next, the most urgent one first (DS-50, DS-54, DS-60)."""
    for slug in NEXT_ACTS:
        for offer in play.offers(sheet, slug).values():
            yield offer.title, Nudge(offer, {})
