"""The rolls of a sheet: tests under their attributes, duels, attacks (DR-03, DR-07, DR-12, DR-13, DR-18).

After a roll they offer the acts that follow in a fight: taking damage, spending the initiative die (DR-12, DR-14).
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.dice import Outcome
from rulesets.dice_rumble import rolls
from rulesets.dice_rumble.play.acts import Damage, SpendDie
from rulesets.dice_rumble.talents import ATTRIBUTES, BRAWL, FIGHTING, Talent, normalized_name
from rulesets.kit import HIGHEST, Offer

if TYPE_CHECKING:
    from rulesets.dice_rumble.play.state import DiceRumblePlay
    from rulesets.dice_rumble.sheet import DiceRumble

_POINTS = ngettext_lazy("{n} point", "{n} points", "n")
_DUEL = _("Duel with {weapon}")
_USUALLY = _("Usually with {talent}")


def for_sheet(sheet: "DiceRumble", play: "DiceRumblePlay") -> Iterator[Offer]:
    """Yield the tests, then the rolls of a fight; initiative is an act, because its die is stored."""
    chosen, leads = chosen_attributes(sheet), offers_after_fight_roll(play)
    yield from (replace(offer, leads=leads) for offer in chain(talent_tests(sheet, chosen), fight_rolls(sheet, chosen)))


def offers_after_fight_roll(play: "DiceRumblePlay") -> Callable:
    """Return a function (roll, outcome) that offers to take damage, and to spend the initiative die."""
    def leads(roll: Any, outcome: Outcome) -> Iterator[Offer]:
        figures = outcome.figures
        if difference := figures.get("result") == "lose" and abs(figures["own"] - figures["theirs"]):
            yield Damage.offer(_("Take {damage}").format(damage=rolls.DAMAGE.format(n=difference)), without_target=True,
                               note=_("The difference; add your opponent's weapon damage."), points=difference)
        if play.initiative is not None:
            title = _("Put away the initiative die")
            if isinstance(roll, rolls.DuelDamage | rolls.Attack) and outcome.value not in (0, "miss"):
                title = _("Announce {damage}").format(damage=roll.label(outcome.value))
            reacts = isinstance(roll, rolls.Duel)
            note = _("That spends both your dice; the next higher one goes.") if reacts else \
                _("That spends your die; the next higher one goes.")
            # The GM may have asked for a test, which then is no action (DR-14).
            acts = isinstance(roll, rolls.Duel | rolls.Attack | rolls.UnansweredDuel)
            yield SpendDie.offer(title, note=note, automatic="in turn" if acts else "")

    return leads


def fight_rolls(sheet: "DiceRumble", chosen: dict[str, tuple[str, int]]) -> Iterator[Offer]:
    """Yield the duels, then duels with damage and attacks with each weapon and with bare hands."""
    every = fighting_thresholds(sheet, chosen)
    usual, talent = _usual(sheet, *FIGHTING, *(weapon.talent for weapon in sheet.weapons))
    yield rolls.Duel.offer(note=_USUALLY.format(talent=talent), among={"threshold": _first(every, usual)})
    arms = [(weapon, f"weapons.{index}", {"threshold": threshold_choices(chosen, sheet.talent(weapon.talent))})
            for index, weapon in enumerate(sheet.weapons)]
    usual, talent = _usual(sheet, BRAWL)
    bare = {"threshold": _first(every, usual)}
    for weapon, key, among in arms:
        yield rolls.DuelDamage.offer(_DUEL.format(weapon=weapon.label), key, weapon.what(), among,
                                     weapon=weapon.damage)
    yield rolls.DuelDamage.offer(_("Duel with bare hands"), note=_USUALLY.format(talent=talent), among=bare,
                                 weapon=0)
    yield from (rolls.Attack.offer(weapon.label, key, weapon.what(), among, weapon=weapon.damage)
                for weapon, key, among in arms)
    yield rolls.Attack.offer(_("Unarmed attack"), "unarmed", BRAWL, bare, weapon=0)


def chosen_attributes(sheet: "DiceRumble") -> dict[str, tuple[str, int]]:
    """Return {attribute: (title, value)} of the attributes that are chosen, the highest first."""
    return {key: (str(title), value) for key, title, value in sheet.attribute_values() if value is not None}


def talent_tests(sheet: "DiceRumble", chosen: dict[str, tuple[str, int]]) -> Iterator[Offer]:
    """Yield a test for each talent under the attribute that it is usually rolled with, and for each attribute alone."""
    for key, title, value in (*sheet.attribute_values(), (None, rolls.TALENTS, None)):
        for index, one in enumerate(sheet.talents):
            if one.attribute == key:
                yield rolls.Test.offer(one.label, f"talents.{index}", _POINTS.format(n=one.points),
                                       {"threshold": threshold_choices(chosen, one)}, group=title)
        if key:
            known: dict[str, Any] = {} if value is None else {"threshold": value}
            yield rolls.Test.offer(_("{attribute} alone").format(attribute=title), f"attributes.{key}", group=title,
                                   **known)


def threshold_choices(chosen: dict[str, tuple[str, int]], talent: Talent | None = None) -> dict[int, str]:
    """Return {threshold: its parts in words} of a talent, or without one, with each attribute; the usual one first."""
    points, usual = (talent.points, talent.attribute) if talent else (0, None)
    found: dict[int, list[str]] = {}
    for key in sorted(chosen, key=lambda key: key != usual):
        title, value = chosen[key]
        found.setdefault(min(HIGHEST, value + points), []).append(title)
    return _with_labels(found)


def fighting_thresholds(sheet: "DiceRumble", chosen: dict[str, tuple[str, int]]) -> dict[int, str]:
    """Return {threshold: names} of every talent with each attribute (DR-03), and of attributes alone.

    The highest come first.
    """
    found: dict[int, list[str]] = {}
    talents = [(str(one.label), one.points, chosen[one.attribute][1] if one.attribute in chosen else None)
               for one in sheet.talents]
    for label, points, usual in talents:
        if usual is not None:
            found.setdefault(min(HIGHEST, usual + points), []).append(label)
    attributes = [chosen[key] for key in ATTRIBUTES if key in chosen]
    for title, value in attributes:
        found.setdefault(value, []).append(title)
    with_another = str(_("{talent} with {attribute}"))
    for label, points, usual in talents:
        known = {usual}
        for title, value in attributes:
            if value not in known:
                known.add(value)
                found.setdefault(min(HIGHEST, value + points), []).append(
                    with_another.format(talent=label, attribute=title))
    return _with_labels({number: found[number] for number in sorted(found, reverse=True)})


def _usual(sheet: "DiceRumble", *names: str) -> tuple[int | None, str]:
    """Return (threshold, name) of the best of the named talents; strength if the sheet has none (DR-12, DR-13)."""
    known = {normalized_name(name) for name in names}
    found = [(min(HIGHEST, number), str(one.label)) for one in sheet.talents
             if normalized_name(one.name) in known and (number := sheet.threshold(one)) is not None]
    strength = next((value, str(title)) for key, title, value in sheet.attribute_values() if key == "strength")
    return max(found, key=itemgetter(0), default=strength)


def _first(found: dict[int, str], usual: int | None) -> dict[int, str]:
    """Return the mapping with its usual threshold first."""
    return found if usual is None else {usual: found[usual], **found}


def _with_labels(found: dict[int, list[str]]) -> dict[int, str]:
    return {number: f"{number} ({', '.join(names)})" for number, names in found.items()}
