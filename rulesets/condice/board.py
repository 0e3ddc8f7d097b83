"""The board of a ConDice character: its turn, and temporary changes of figures (CD-46, CD-50, CD-52)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.condice.ability import ATTRIBUTES, SIXTH
from rulesets.kit import Nudge, Wording, called, signed

if TYPE_CHECKING:
    from rulesets.condice.play.state import ConDicePlay
    from rulesets.condice.sheet import ConDice

TURN = ("move", "take-action", "end-turn")
"""The acts that lead through a turn, in their order."""
FIELDS = ngettext_lazy("up to {n} square", "up to {n} squares", "n")
ROUNDS = ngettext_lazy("{n} round left", "{n} rounds left", "n")


@dataclass(frozen=True)
class Change:
    """A temporary change of figures, and the button that ends it, or None if nothing can."""

    title: Wording
    figures: tuple[str, ...]
    rounds: Wording
    end: Nudge | None


@dataclass(frozen=True)
class Step:
    """A part of the turn: its title, its content, `done` if used, `gone` if no longer open (CD-47)."""

    title: Wording
    what: Wording
    done: bool
    gone: bool


def turn(sheet: "ConDice", play: "ConDicePlay") -> dict:
    """Return the values of the template: steps of the turn, and the buttons that lead through it.

    `leading` is True once the action is used: then ending the turn is the next step.
    """
    moving, acting = play.open(sheet)
    movement = play.effective(sheet).movement
    steps = (Step(_("Movement"), FIELDS.format(n=movement), play.moved, not moving),
             Step(_("Action"), _("attack, ability or item"), play.acted, not acting))
    presses = [(offer.title, Nudge(offer, {})) for slug in TURN for offer in play.offers(sheet, slug).values()]
    # The cache key of the template: everything that the drawn turn depends on.
    state = play.moved, play.acted, play.repeated_now, moving, acting, movement
    return {"steps": steps, "turn": presses, "leading": not acting, "led": TURN, "turn_state": state}


def changes(sheet: "ConDice", play: "ConDicePlay") -> Iterator[Change]:
    """Yield the effects with their rounds, then the points lost to the end of the adventure (CD-46)."""
    ends = play.offers(sheet, "end-effect") if play.effects else {}
    for index, effect in enumerate(play.effects):
        figures = tuple(f"{title} {signed(by)}" for key, title in ATTRIBUTES.items() if (by := getattr(effect, key)))
        figures += (f"{SIXTH} {signed(effect.abilities)}",) * bool(effect.abilities)
        rounds = "" if effect.rounds is None else ROUNDS.format(n=effect.rounds)
        yield Change(effect.label, figures, rounds, Nudge(ends[f"effects.{index}"], {}))
    yield from (Change(_("Lost"), (f"{called(sheet, loss.target)} {signed(-loss.points)}",), "", None)
                for loss in play.losses)
