"""The board of a ConDice character: its turn, and the temporary changes of its figures (CD-46, CD-50, CD-52)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.condice.ability import ATTRIBUTES, SPECIAL_ABILITIES
from rulesets.kit import Nudge, Wording, signed, title_at

if TYPE_CHECKING:
    from rulesets.condice.play.state import ConDicePlay
    from rulesets.condice.sheet import ConDice

TURN_ACTS = ("move", "take-action", "end-turn")
"""The slugs of the acts of a turn, in the order in which their buttons are shown."""
SQUARES = ngettext_lazy("up to {n} square", "up to {n} squares", "n")
ROUNDS = ngettext_lazy("{n} round left", "{n} rounds left", "n")


@dataclass(frozen=True)
class TemporaryChange:
    """A temporary change of figures; `end` is the button that ends it, None if it cannot be ended."""

    title: Wording
    figures: tuple[str, ...]
    rounds: Wording
    end: Nudge | None


@dataclass(frozen=True)
class TurnPart:
    """A part of the turn; `unavailable` is True once it cannot be used any more, `done` if it has been used (CD-47)."""

    title: Wording
    what: Wording
    done: bool
    unavailable: bool


def turn(sheet: "ConDice", play: "ConDicePlay") -> dict:
    """Return the context of the template: the parts of the turn, and the buttons for its acts.

    `end_turn_is_next` is True once the action is used or can no longer be used.
    """
    moving, acting = play.open_parts(sheet)
    movement = play.effective(sheet).movement
    turn_parts = (
        TurnPart(_("Movement"), SQUARES.format(n=movement), play.moved, not moving),
        TurnPart(_("Action"), _("attack, ability or item"), play.acted, not acting),
    )
    buttons = [(offer.title, Nudge(offer, {})) for slug in TURN_ACTS for offer in play.offers(sheet, slug).values()]
    # Everything that the HTML depends on.
    cache_key = play.moved, play.acted, play.repeated_now, moving, acting, movement
    return {"turn_parts": turn_parts, "turn_buttons": buttons, "end_turn_is_next": not acting, "turn_acts": TURN_ACTS,
            "turn_cache_key": cache_key}


def changes(sheet: "ConDice", play: "ConDicePlay") -> Iterator[TemporaryChange]:
    """Yield the effects with the rounds they have left, then the points lost for the rest of the adventure (CD-46)."""
    ends = play.offers(sheet, "end-effect") if play.effects else {}
    for index, effect in enumerate(play.effects):
        figures = tuple(f"{title} {signed(by)}" for key, title in ATTRIBUTES.items() if (by := getattr(effect, key)))
        figures += (f"{SPECIAL_ABILITIES} {signed(effect.abilities)}",) * bool(effect.abilities)
        rounds = "" if effect.rounds is None else ROUNDS.format(n=effect.rounds)
        yield TemporaryChange(effect.label, figures, rounds, Nudge(ends[f"effects.{index}"], {}))
    yield from (TemporaryChange(_("Lost"), (f"{title_at(sheet, loss.target)} {signed(-loss.points)}",), "", None)
                for loss in play.losses)
