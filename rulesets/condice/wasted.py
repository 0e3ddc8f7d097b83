"""Warnings on attacks and abilities that add nothing to another one of the same sheet (CD-02, CD-07)."""

from collections.abc import Iterator, Sequence
from operator import ge
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.condice.ability import Ability
from rulesets.grouping import by_key
from rulesets.kit import DROP, Finding, Mend, join, slots, warning

if TYPE_CHECKING:
    from rulesets.condice.sheet import ConDice

APART = ("aggro-ziehen", "aura", "custom", "wurf-wiederholen")
"""Abilities that are worth buying twice (CD-08, CD-23, CD-30, CD-32).

A second aggro holds more targets, a second aura or invented ability adds to the first, a second repeat is one more a
fight."""


def wasted(sheet: "ConDice") -> Iterator[Finding]:
    """Yield warnings on attacks of the same name, and on attacks and abilities that are no better than another one."""
    names: dict[str, int] = {}
    for index, one in enumerate(sheet.attacks):
        if (name := one.name.strip().casefold()) and names.setdefault(name, index) != index:
            yield warning(_("Two attacks are called {attack}; at the table nobody can tell them apart."),
                          join("attacks", index, "name"), attack=one.label)
    for index, better in _worse([("attack", (one.dice, one.range)) if one.dice else None for one in sheet.attacks]):
        yield _for_nothing("CD-02", "attacks", index, sheet.attacks, better)
    bought = [None if one.ability in APART else _bought(one) for one in sheet.abilities]
    yield from (_for_nothing("CD-07", "abilities", index, sheet.abilities, better)
                for index, better in _worse(bought))


def _bought(ability: Ability) -> tuple:
    """Return (values that make two abilities comparable, figures of which more is better)."""
    kind, figures = [], []
    for key, slot in slots(type(ability)).items():
        (figures if slot.kind == "number" else kind).append(getattr(ability, key))
    return tuple(kind), tuple(figures)


def _worse(bought: Sequence[tuple | None]) -> Iterator[tuple[int, int]]:
    """Yield (row, better row) for each row whose figures are all matched or beaten by one other comparable row.

    Of two equal rows the second is yielded; None stands for a row that is not compared.
    """
    alike = by_key((one[0], (index, one[1])) for index, one in enumerate(bought) if one)
    found = {}
    for rows in alike.values():
        # Sorted by falling figures, a row can only be beaten by an earlier one: compare with the unbeaten ones alone.
        best: list[tuple[int, tuple]] = []
        for index, figures in sorted(rows, key=lambda row: ([-one for one in row[1]], row[0])):
            if (better := next((row for row, most in best if all(map(ge, most, figures))), None)) is None:
                best.append((index, figures))
            else:
                found[index] = better
    yield from sorted(found.items())


def _for_nothing(rule: str, key: str, index: int, rows: list, better: int) -> Finding:
    one, other = rows[index], rows[better]
    drop = [Mend(_("Drop {ability}"), {join(key, index): DROP}, ability=one.label)]
    if key == "attacks":
        return warning(_("{attack} is no better than {other}, neither in dice nor in range."), join(key, index), drop,
                       rule=rule, attack=one.label, other=other.label)
    return warning(_("{ability} is listed twice, and the second one adds nothing."),
                   join(key, index), drop, rule=rule, ability=one.label)
