"""What the board of a ConDice character shows: its fields, and what is changed for a while (CD-02, CD-06, CD-50)."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.condice.ability import ATTRIBUTES
from rulesets.condice.rolls import DICE
from rulesets.kit import Nudge, Wording, called, signed

DRAWN = 8
"""Fields that are drawn one by one; of more their number is read."""
ROUNDS = ngettext_lazy("{n} round left", "{n} rounds left", "n")


@dataclass(frozen=True)
class Lane:
    """A piece of the character's kit: how many fields it reaches, at least the one beside it."""

    title: Wording
    fields: int
    dice: Wording = ""
    moves: bool = False
    """Whether the character itself goes so far."""

    @property
    def drawn(self) -> range:
        """The fields to be drawn."""
        return range(min(self.fields, DRAWN))


@dataclass(frozen=True)
class Change:
    """What changes figures for a while, and the press that ends it where it can be ended."""

    title: Wording
    figures: tuple[str, ...]
    rounds: Wording
    end: Nudge | None


def lanes(sheet) -> Iterator[Lane]:
    """The movement, the attacks, the abilities that reach for somebody (CD-07)."""
    yield Lane(ATTRIBUTES["movement"], sheet.movement, moves=True)
    for attack in sheet.attacks:
        yield Lane(attack.label, attack.reach, DICE.format(n=attack.dice))
    for one in sheet.abilities:
        if one.reach == "bought":
            yield Lane(one.label, 1 + one.range)


def changes(sheet, play) -> Iterator[Change]:
    """Effects with their rounds, then what is lost to the end of the adventure (CD-46)."""
    ends = play.offers(sheet, "end-effect") if play.effects else {}
    for index, effect in enumerate(play.effects):
        figures = tuple(f"{title} {signed(by)}" for key, title in ATTRIBUTES.items() if (by := getattr(effect, key)))
        rounds = "" if effect.rounds is None else ROUNDS.format(n=effect.rounds)
        yield Change(effect.label, figures, rounds, Nudge(ends[f"effects.{index}"], {}))
    for loss in play.losses:
        yield Change(_("Lost"), (f"{called(sheet, loss.target)} {signed(-loss.points)}",), "", None)
