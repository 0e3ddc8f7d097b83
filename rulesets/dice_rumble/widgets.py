"""The rolls of a sheet: tests under their attributes, duels, attacks (DR-03, DR-07, DR-12, DR-13, DR-18)."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.dice_rumble import rolls
from rulesets.dice_rumble.talents import ATTRIBUTES, BRAWL, FIGHTING, Talent, same
from rulesets.kit import HIGHEST, Offer

_POINTS = ngettext_lazy("{n} point", "{n} points", "n")


def of(sheet) -> Iterator[Offer]:
    """The tests, then what is fought with; the order of the fight is an act, for its die is kept."""
    yield from tests(sheet)
    arms: dict[int, list[str]] = {0: [str(_("Unarmed"))]}
    for weapon in sheet.weapons:
        arms.setdefault(weapon.damage, []).append(str(weapon.label))
    every = fighting(sheet)
    duel = {"threshold": _first(every, _usual(sheet, *FIGHTING, *(weapon.talent for weapon in sheet.weapons)))}
    yield rolls.Duel.asking(among=duel)
    yield rolls.DuelDamage.asking(among=duel | {"weapon": _labelled(arms)})
    for index, weapon in enumerate(sheet.weapons):
        yield rolls.Attack.asking(weapon.label, f"weapons.{index}", weapon.what(),
                                  {"threshold": limits(sheet, sheet.talent(weapon.talent))}, weapon=weapon.damage)
    yield rolls.Attack.asking(_("Unarmed attack"), "unarmed", _("Without reaction"),
                              {"threshold": _first(every, _usual(sheet, BRAWL))}, weapon=0)


def tests(sheet) -> Iterator[Offer]:
    """A test for each talent under the attribute that it is usually rolled with, and for each attribute alone."""
    for key, title, value in (*sheet.gifts(), (None, rolls.TALENTS, None)):
        for index, one in enumerate(sheet.talents):
            if one.attribute == key:
                yield rolls.Test.asking(one.label, f"talents.{index}", _POINTS.format(n=one.points),
                                        {"threshold": limits(sheet, one)}, group=title)
        if key:
            known = {} if value is None else {"threshold": value}
            yield rolls.Test.asking(_("{attribute} alone").format(attribute=title), f"attributes.{key}", group=title,
                                    **known)


def limits(sheet, talent: Talent | None = None) -> dict[int, str]:
    """{threshold: what it is made of} of a talent, or untrained, with each attribute; the usual one first."""
    points, usual = (talent.points, talent.attribute) if talent else (0, None)
    found: dict[int, list[str]] = {}
    for key in sorted(ATTRIBUTES, key=lambda key: (key != usual, -(sheet.value(key) or 0))):
        if sheet.value(key) is not None:
            found.setdefault(min(HIGHEST, sheet.value(key) + points), []).append(str(ATTRIBUTES[key]))
    return _labelled(found)


def fighting(sheet) -> dict[int, str]:
    """{threshold: what has it} of every talent with each attribute (DR-03), and of attributes alone.

    The highest come first.
    """
    found: dict[int, list[str]] = {}
    for one in sheet.talents:
        if (threshold := sheet.threshold(one)) is not None:
            found.setdefault(min(HIGHEST, threshold), []).append(str(one.label))
    for key, title in ATTRIBUTES.items():
        if sheet.value(key) is not None:
            found.setdefault(sheet.value(key), []).append(str(title))
    for one in sheet.talents:
        known = {sheet.value(one.attribute)}
        for key, title in ATTRIBUTES.items():
            if (value := sheet.value(key)) is not None and value not in known:
                known.add(value)
                found.setdefault(min(HIGHEST, value + one.points), []).append(
                    _("{talent} with {attribute}").format(talent=one.label, attribute=title))
    return _labelled({number: found[number] for number in sorted(found, reverse=True)})


def _usual(sheet, *names: str) -> int | None:
    """The threshold of the best of these talents that the sheet has; of none of them strength alone (DR-12, DR-13)."""
    known = {same(name) for name in names}
    found = [sheet.threshold(one) for one in sheet.talents if same(one.name) in known]
    return max((min(HIGHEST, one) for one in found if one is not None), default=sheet.value("strength"))


def _first(found: dict[int, str], usual: int | None) -> dict[int, str]:
    """The same with the usual one before the others."""
    return found if usual is None else {usual: found[usual], **found}


def _labelled(found: dict[int, list[str]]) -> dict[int, str]:
    return {number: f"{number} ({', '.join(names)})" for number, names in found.items()}
