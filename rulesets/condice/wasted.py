"""Warnings on attacks and abilities that add nothing to another one on the same sheet (CD-02, CD-07)."""

from collections.abc import Iterator, Sequence
from operator import ge
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.condice.ability import Ability
from rulesets.grouping import by_key
from rulesets.kit import DROP, Finding, Mend, join, slots, warning

if TYPE_CHECKING:
    from rulesets.condice.sheet import ConDice

WORTH_REPEATING = ("aggro-ziehen", "aura", "custom", "wurf-wiederholen")
"""Abilities that are worth buying more than once (CD-08, CD-23, CD-30, CD-32).

A second aggro holds more targets, a second aura or custom ability adds to the first, a second reroll allows one more
per fight.
"""


def find_waste(sheet: "ConDice") -> Iterator[Finding]:
    """Yield warnings on attacks with the same name, and on attacks and abilities that are no better than another."""
    names: dict[str, int] = {}
    for index, one in enumerate(sheet.attacks):
        if (name := one.name.strip().casefold()) and names.setdefault(name, index) != index:
            yield warning(_("Two attacks are called {attack}; at the table nobody can tell them apart."),
                          join("attacks", index, "name"), attack=one.label)
    attacks = [("attack", (one.dice, one.range)) if one.dice else None for one in sheet.attacks]
    for index, better in _beaten_rows(attacks):
        yield _warning("CD-02", "attacks", index, sheet.attacks, better)
    abilities = [None if one.ability in WORTH_REPEATING else _comparable(one) for one in sheet.abilities]
    yield from (_warning("CD-07", "abilities", index, sheet.abilities, better)
                for index, better in _beaten_rows(abilities))


def _comparable(ability: Ability) -> tuple:
    """Return (values that two abilities must share to be compared, figures of which more is better)."""
    shared, figures = [], []
    for key, slot in slots(type(ability)).items():
        (figures if slot.kind == "number" else shared).append(getattr(ability, key))
    return tuple(shared), tuple(figures)


def _beaten_rows(rows: Sequence[tuple | None]) -> Iterator[tuple[int, int]]:
    """Yield (index, index of a better row) for each row that is no better in any figure than another comparable row.

    Of two equal rows the second counts as beaten. None stands for a row that is not compared.
    """
    comparable = by_key((one[0], (index, one[1])) for index, one in enumerate(rows) if one)
    found = {}
    for group in comparable.values():
        # In descending order a row can only be beaten by an earlier one, so only the unbeaten ones have to be compared.
        best: list[tuple[int, tuple]] = []
        for index, figures in sorted(group, key=lambda row: ([-one for one in row[1]], row[0])):
            if (better := next((row for row, most in best if all(map(ge, most, figures))), None)) is None:
                best.append((index, figures))
            else:
                found[index] = better
    yield from sorted(found.items())


def _warning(rule: str, key: str, index: int, rows: list, better: int) -> Finding:
    """Return the warning that a row is no better than the row at the index `better`."""
    one, other = rows[index], rows[better]
    drop = [Mend(_("Drop {ability}"), {join(key, index): DROP}, ability=one.label)]
    if key == "attacks":
        return warning(_("{attack} is no better than {other}, neither in dice nor in range."), join(key, index), drop,
                       rule=rule, attack=one.label, other=other.label)
    return warning(_("{ability} is listed twice, and the second one adds nothing."),
                   join(key, index), drop, rule=rule, ability=one.label)
