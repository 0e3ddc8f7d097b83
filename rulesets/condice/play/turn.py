"""A character's turn: a movement and an action in either order (CD-47, CD-52); the offers after a roll (CD-41)."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rulesets.condice import rolls
from rulesets.condice.play.holds import HoldTarget, holds_left
from rulesets.condice.play.others import BoostOther, ResizeOther
from rulesets.condice.play.state import HOLDING
from rulesets.condice.play.table import abilities_with_variant
from rulesets.condice.play.transfer import GainDrainedLife
from rulesets.dice import Outcome
from rulesets.kit import Act, Offer, Play, Refused, Roll, Thrown

if TYPE_CHECKING:
    from rulesets.condice.ability import Ability
    from rulesets.condice.play.state import ConDicePlay
    from rulesets.condice.sheet import ConDice

ANNOUNCE = _("Announce it; that was your action.")


class _Turn(Act):
    """Base of the acts that use up or end a part of a turn."""

    group = rolls.TABLE_HEADING

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Return the state after this part of the turn; raise `Refused` if it cannot be used any more."""
        if not any(self.offered(sheet, play)):
            raise Refused(_("That is no longer possible this turn; end it to start the next one."))
        return self.with_part_done(play)

    def with_part_done(self, play: "ConDicePlay") -> "ConDicePlay":
        """Return the state after this part of the turn."""
        raise NotImplementedError

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Say which part of the turn can still be used."""
        return open_parts_text(sheet, play)


def open_parts_text(sheet: "ConDice", play: "ConDicePlay") -> str:
    """Return in words whether movement or action can still be used."""
    move, act = play.open_parts(sheet)
    if move:
        return str(_("Movement is still available"))
    return str(_("Action is still available") if act else _("Movement and action are used"))


class Move(_Turn):
    """CD-06, CD-52: the movement, or a second one in place of the action."""

    title, rules = pgettext_lazy("condice turn", "Move"), ("CD-52", "CD-06", "CD-47")
    leaves_dice = True

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it while the movement can be used, or the action as a second movement."""
        moving, acting = play.open_parts(sheet)
        if (acting if play.moved else moving) and play.effective(sheet).movement:
            yield cls.offer(_("Move again instead") if play.moved else "")

    def with_part_done(self, play: "ConDicePlay") -> "ConDicePlay":
        """Mark the movement as done, or the action if the movement is done already."""
        return play.model_copy(update={"acted" if play.moved else "moved": True})


class TakeAction(_Turn):
    """CD-09, CD-52: mark the action as finished: an attack, an ability, an item or anything else that the GM allows."""

    title, rules = _("Finish the action"), ("CD-52", "CD-09", "CD-47")

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it while the action can be used."""
        if play.open_parts(sheet)[1]:
            yield cls.offer()

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Mark the action as done, even if it is already, because one action may have several rolls."""
        return play.with_action_done()


class BeginTurn(Act):
    """CD-52: begin a turn with movement and action available, even if the character acted in between."""

    title, rules, group, routine = _("Start the turn"), ("CD-52",), rolls.TABLE_HEADING, True

    @classmethod
    def takes_part(cls, sheet: "ConDice", play: "ConDicePlay") -> bool:
        """Return True if the movement, the action or the reroll is used, so that there is something to reset."""
        return play.moved or play.acted or play.repeated_now

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Make movement and action available, except for a part that was given up to break free."""
        return play.with_turn_begun()

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Say which part of the turn can still be used."""
        if all(play.open_parts(sheet)):
            return str(_("Movement and action are available"))
        return open_parts_text(sheet, play)


class EndTurn(_Turn):
    """CD-52: end the turn; the next one has a movement and an action again."""

    title, rules, routine = _("End the turn"), ("CD-52",), True

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it once the movement, the action or the reroll is used."""
        if play.moved or play.acted or play.repeated_now:
            yield cls.offer()

    def with_part_done(self, play: "ConDicePlay") -> "ConDicePlay":
        """Make movement and action available for the next turn."""
        return play.with_new_turn()

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Say that it is the others' turn."""
        return str(_("It is the others’ turn"))


def offers_after_hit(_roll: Any, outcome: Outcome) -> Iterator[Offer]:
    """CD-09, CD-41, CD-43: offer to finish the action, naming the life points that the target loses."""
    if outcome.value:
        yield TakeAction.offer(_("The target loses {life}").format(life=rolls.LIFE_POINTS.format(n=outcome.value)),
                               note=ANNOUNCE, automatic="in turn")
    else:
        yield TakeAction.offer(note=_("Nothing got through."), automatic="in turn")


def _offers_after_drain(roll: rolls.DrainLife, outcome: Outcome) -> Iterator[Offer]:
    """CD-29: offer to gain the life that the target lost, then to finish the action."""
    yield from GainDrainedLife.offers_after_drain(roll, outcome)
    yield from offers_after_hit(roll, outcome)


def _offers_after_healing(_roll: rolls.Healing, outcome: Outcome) -> Iterator[Offer]:
    """CD-48: offer to finish the action, naming the life points that each target regains."""
    yield TakeAction.offer(_("The target regains {life}").format(life=rolls.LIFE_POINTS.format(n=outcome.value)),
                           note=ANNOUNCE, automatic="in turn")


def _offers_after_use(_roll: rolls.MentalAttack, _outcome: Outcome) -> Iterator[Offer]:
    """CD-09: offer to finish the action, whether the ability worked or not."""
    yield TakeAction.offer(automatic="in turn")


def without_spent_action(play: "ConDicePlay", leads: Callable) -> Callable:
    """CD-52: return `leads` without its offers to finish the action, if the action is done already."""
    def filtered(roll: Roll, outcome: Outcome) -> Iterator[Offer]:
        yield from (offer for offer in leads(roll, outcome) if not (play.acted and offer.cls is TakeAction))

    return filtered


def _offer_to_lower(sheet: "ConDice", play: "ConDicePlay", ability: "Ability") -> Offer | None:
    """CD-33: return the offer to lower attributes by the ability's variant, or None while none is chosen."""
    return next((BoostOther.offer(_("Lower attributes"), "", note, way="lower", ability=key,
                                  targets=1 + one.extra_targets, **known)
                 for one, key, note, known in abilities_with_variant(sheet, play, "boost-debuff") if one == ability),
                None)


def followups_of(sheet: "ConDice", play: "ConDicePlay", ability: "Ability", roll: type[Roll]) -> Callable:
    """Return a function (roll, outcome) that yields the offers after the roll of an ability."""
    def offers_after_holding(made: rolls.MentalAttack, outcome: Outcome) -> Iterator[Offer]:
        if outcome.value == "works" and holds_left(sheet.abilities, play, ability.ability):
            yield HoldTarget.offer_for(ability)
        yield from _offers_after_use(made, outcome)

    def offers_after_success(made: rolls.MentalAttack, outcome: Outcome) -> Iterator[Offer]:
        offer = ResizeOther.offer() if ability.ability == "groesse-aendern" else _offer_to_lower(sheet, play, ability)
        if offer and outcome.value == "works":
            yield offer
        yield from _offers_after_use(made, outcome)

    leads = {rolls.MentalDamage: offers_after_hit, rolls.Healing: _offers_after_healing}.get(roll, _offers_after_use)
    if ability.ability in HOLDING:
        leads = offers_after_holding
    elif roll is rolls.MentalAttack and (ability.ability == "groesse-aendern" or (
            ability.ability == "boost-debuff" and _offer_to_lower(sheet, play, ability))):
        leads = offers_after_success
    elif ability.ability == "leben-transferieren":
        leads = _offers_after_drain
    return without_spent_action(play, leads)
