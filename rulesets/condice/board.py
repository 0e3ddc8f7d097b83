"""What the board of a ConDice character shows: what is changed for a while (CD-46, CD-50)."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.condice.ability import ATTRIBUTES
from rulesets.kit import Nudge, Wording, called, signed

ROUNDS = ngettext_lazy("{n} round left", "{n} rounds left", "n")


@dataclass(frozen=True)
class Change:
    """What changes figures for a while, and the press that ends it where it can be ended."""

    title: Wording
    figures: tuple[str, ...]
    rounds: Wording
    end: Nudge | None


def changes(sheet, play) -> Iterator[Change]:
    """Effects with their rounds, then what is lost to the end of the adventure (CD-46)."""
    ends = play.offers(sheet, "end-effect") if play.effects else {}
    for index, effect in enumerate(play.effects):
        figures = tuple(f"{title} {signed(by)}" for key, title in ATTRIBUTES.items() if (by := getattr(effect, key)))
        rounds = "" if effect.rounds is None else ROUNDS.format(n=effect.rounds)
        yield Change(effect.label, figures, rounds, Nudge(ends[f"effects.{index}"], {}))
    for loss in play.losses:
        yield Change(_("Lost"), (f"{called(sheet, loss.target)} {signed(-loss.points)}",), "", None)
