"""A character's turn: a movement and an action in either order (CD-47, CD-52), and the acts after a roll (CD-41)."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rulesets.condice import rolls
from rulesets.condice.play.holds import HoldTarget, free
from rulesets.condice.play.others import BoostOther, ResizeOther
from rulesets.condice.play.state import HOLDING
from rulesets.condice.play.table import variants
from rulesets.condice.play.transfer import DrawLife
from rulesets.dice import Outcome
from rulesets.kit import Act, Offer, Play, Refused, Roll, Thrown

if TYPE_CHECKING:
    from rulesets.condice.ability import Ability
    from rulesets.condice.play.state import ConDicePlay
    from rulesets.condice.sheet import ConDice

SAID = _("Announce it; that was your action.")


class _Turn(Act):
    """Base of the acts that are part of a turn."""

    group = rolls.TABLE

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Return the state after this part of the turn (`Refused` if it is not open)."""
        if not any(self.offered(sheet, play)):
            raise Refused(_("That is no longer possible this turn; end it to start the next one."))
        return self.done(play)

    def done(self, play: "ConDicePlay") -> "ConDicePlay":
        """Return the state after this part of the turn."""
        raise NotImplementedError

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Say what is open now."""
        return still_open(sheet, play)


def still_open(sheet: "ConDice", play: "ConDicePlay") -> str:
    """Return which of movement and action is still open, in words."""
    move, act = play.open(sheet)
    if move:
        return str(_("Movement is still available"))
    return str(_("Action is still available") if act else _("Movement and action are used"))


class Move(_Turn):
    """CD-06, CD-52: the movement, or a second one in place of the action."""

    title, rules = pgettext_lazy("condice turn", "Move"), ("CD-52", "CD-06", "CD-47")

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it while the movement is open, or the action, which may be used as a second movement."""
        if (any(play.open(sheet)) if play.moved else play.open(sheet)[0]) and play.effective(sheet).movement:
            yield cls.asking(_("Move again instead") if play.moved else "")

    def done(self, play: "ConDicePlay") -> "ConDicePlay":
        """Mark the movement as done, or the action if the movement is done already."""
        return play.model_copy(update={"acted" if play.moved else "moved": True})


class TakeAction(_Turn):
    """CD-09, CD-52: an attack, an ability, an item or whatever else the GM allows."""

    title, rules = _("Finish the action"), ("CD-52", "CD-09", "CD-47")

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it while the action is open."""
        if play.open(sheet)[1]:
            yield cls.asking()

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Mark the action as done; no error if it is, because one action may have several rolls."""
        return play.having_acted()


class BeginTurn(Act):
    """CD-52: a turn begins with movement and action open, even if the character acted since its last turn."""

    title, rules, group, routine = _("Start the turn"), ("CD-52",), rolls.TABLE, True

    @classmethod
    def joins(cls, sheet: "ConDice", play: "ConDicePlay") -> bool:
        """Return True if a movement, an action or a repeat is spent, so that there is something to reset."""
        return play.moved or play.acted or play.repeated_now

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Open movement and action, except for a part that was given up to break free."""
        return play.beginning_turn()

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Say what is open now."""
        return str(_("Movement and action are available")) if all(play.open(sheet)) else still_open(sheet, play)


class EndTurn(_Turn):
    """CD-52: the turn ends and the others have theirs; the next one has a movement and an action again."""

    title, rules, routine = _("End the turn"), ("CD-52",), True

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it once it has begun."""
        if play.moved or play.acted or play.repeated_now:
            yield cls.asking()

    def done(self, play: "ConDicePlay") -> "ConDicePlay":
        """Open movement and action for the next turn."""
        return play.next_turn()

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Say that it is the others' turn."""
        return str(_("It is the others’ turn"))


def struck(_roll: Any, outcome: Outcome) -> Iterator[Offer]:
    """CD-09, CD-41, CD-43: offer to finish the action, with the life that the target loses."""
    if outcome.value:
        yield TakeAction.asking(_("The target loses {life}").format(life=rolls.LIFE_POINTS.format(n=outcome.value)),
                                note=SAID, automatic="in turn")
    else:
        yield TakeAction.asking(note=_("Nothing got through."), automatic="in turn")


def _drawn(roll: rolls.DrainLife, outcome: Outcome) -> Iterator[Offer]:
    """CD-29: offer to gain the life that the target lost, then to finish the action."""
    yield from DrawLife.drawn(roll, outcome)
    yield from struck(roll, outcome)


def _restored(_roll: rolls.Healing, outcome: Outcome) -> Iterator[Offer]:
    """CD-48: offer to finish the action, with the life that each target regains."""
    yield TakeAction.asking(_("The target regains {life}").format(life=rolls.LIFE_POINTS.format(n=outcome.value)),
                            note=SAID, automatic="in turn")


def _done(_roll: rolls.MentalAttack, _outcome: Outcome) -> Iterator[Offer]:
    """CD-09: offer to finish the action, whether the ability worked or not."""
    yield TakeAction.asking(automatic="in turn")


def open_to(play: "ConDicePlay", leads: Callable) -> Callable:
    """CD-52: return `leads` without its offers to finish the action if that is used already."""
    def led(roll: Roll, outcome: Outcome) -> Iterator[Offer]:
        yield from (one for one in leads(roll, outcome) if not (play.acted and one.cls is TakeAction))

    return led


def _lowering(now: "ConDice", play: "ConDicePlay", one: "Ability") -> Offer | None:
    """CD-33: return the offer to lower attributes by the chosen variant, or None while none is chosen."""
    return next((BoostOther.asking(_("Lower attributes"), "", *words, way="lower", ability=key,
                                     targets=1 + other.extra_targets, **known)
                 for other, key, *words, known in variants(now, play, "boost-debuff") if other == one), None)


def after(now: "ConDice", play: "ConDicePlay", one: "Ability", roll: type[Roll]) -> Callable:
    """Return a function (roll, outcome) that yields the offers after the roll of an ability of the sheet `now`."""
    def held(_roll: rolls.MentalAttack, outcome: Outcome) -> Iterator[Offer]:
        if outcome.value == "works" and free(now.abilities, play, one.ability):
            yield HoldTarget.by(one)
        yield from _done(_roll, outcome)

    def worked(_roll: rolls.MentalAttack, outcome: Outcome) -> Iterator[Offer]:
        offer = ResizeOther.asking() if one.ability == "groesse-aendern" else _lowering(now, play, one)
        if offer and outcome.value == "works":
            yield offer
        yield from _done(_roll, outcome)

    found = {rolls.MentalDamage: struck, rolls.Healing: _restored}.get(roll, _done)
    if one.ability in HOLDING:
        found = held
    elif roll is rolls.MentalAttack and (one.ability == "groesse-aendern" or (
            one.ability == "boost-debuff" and _lowering(now, play, one))):
        found = worked
    elif one.ability == "leben-transferieren":
        found = _drawn
    return open_to(play, found)
