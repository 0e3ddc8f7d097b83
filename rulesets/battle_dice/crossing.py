"""Effects across the table in Battle Dice: a game of two at one table (BD-10 to BD-17, BD-24 to BD-26)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_lazy as _
from pydantic import model_validator

from rulesets.battle_dice import play as acts
from rulesets.battle_dice import rolls
from rulesets.battle_dice.cards import DECK_SLUGS, PinaRohkinar, Snowbuddies, TheBiggestFan, TheCoronaLook, listed_card
from rulesets.battle_dice.play.duel_battle import MAGIC_MISSILE_COST
from rulesets.battle_dice.play.enemy_turn import avatar_names
from rulesets.battle_dice.play.state import MAGE_TARGET, SNOWBUDDIES
from rulesets.battle_dice.sheet import BattleDice
from rulesets.dice import Outcome
from rulesets.kit import Act, Contest, Count, Crossing, Data, Offer, OwnPlay, Thrown, blank, field

OTHER_ORDER = {"first": "second", "second": "first"}


class Deck(Contest):
    """BD-01: an opponent is a deck, given by the copies of each listed card."""

    corona_look: Count = field(TheCoronaLook.title, 2)
    pina_rohkinar: Count = field(PinaRohkinar.title, 2)
    snowbuddies: Count = field(Snowbuddies.title, 2)
    biggest_fan: Count = field(TheBiggestFan.title, 2, help=_(
        "By the book: eight cards in all, no more than three of a kind; add custom cards on the deck's page."))
    title, rules = _("Deck"), ("BD-01", "BD-02", "BD-04")

    @property
    def copies(self) -> dict[str, int]:
        """{slug: copies} of each listed card."""
        copies = self.corona_look, self.pina_rohkinar, self.snowbuddies, self.biggest_fan
        return dict(zip(DECK_SLUGS, copies, strict=True))

    @model_validator(mode="after")
    def require_cards(self) -> "Deck":
        """Raise ValueError if the deck has no cards."""
        if not any(self.copies.values()):
            raise ValueError(_("A deck has at least one card."))
        return self

    @classmethod
    def offers_for(cls, sheet: BattleDice, play: acts.BattleDicePlay) -> Iterator[Offer]:
        """Yield the copies of each listed card in a sheet's deck."""
        copies = dict.fromkeys(DECK_SLUGS, 0)
        for card in sheet.cards:
            if card.card in copies:
                copies[card.card] += card.copies
        filled: dict[str, Any] = dict(zip(cls.model_fields, copies.values(), strict=True))
        yield cls.offer(**filled)


def offer_acceptance(made: acts.Challenge, _outcome: Thrown, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """BD-28: offer the challenged player to accept the game; for that player the order is the other way round."""
    yield acts.AcceptGame.offer(order=OTHER_ORDER[made.order])


def offer_damage(_made: Any, outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """BD-14: offer the target of an attack its damage; this is for players who track separate games, not one of two."""
    if outcome.value:
        yield acts.Damage.offer(points=outcome.value, effect=False, guardian=None)


def announce_attack(sheet: BattleDice, before: acts.BattleDicePlay, act: acts.Declare,
                    _after: acts.BattleDicePlay) -> Offer:
    """BD-14, BD-17: return the act that tells the opponent the attack dice, and if some of the damage may be aimed.

    Magic Missile, which allows that as well, may be paid for after the roll.
    """
    can_aim = bool(before.zielsuchend(sheet)) or before.mana >= MAGIC_MISSILE_COST
    return acts.Attacked.offer(dice=act.dice(sheet, before), aimable=can_aim)


FORWARDED: dict[type[Act], Callable[[Any, Any, Any, Any], Offer]] = {
    acts.AcceptGame: lambda _sheet, _before, act, _after: acts.TakeSeat.offer(order=OTHER_ORDER[act.order]),
    acts.Declare: announce_attack,
    acts.AimAt: lambda _sheet, _before, act, after: acts.Targeted.offer(
        target=act.target, points=act.points, over=after.phase == "wait"),
    acts.LetBlock: lambda *_all: acts.Targeted.offer(target=MAGE_TARGET, points=0, over=True),
    acts.Deal: lambda _sheet, _before, act, _after: acts.Hit.offer(target=act.target, points=act.points),
    acts.Snowball: lambda _sheet, before, act, _after: acts.Freeze.offer(
        target=act.target, fresh=before.phase == "chaos"),
}
"""{act: function (sheet, play before, act, play after) that returns the act it causes for the opponent}."""


class BattleDiceCrossing(Crossing):
    """The figures and effects of Battle Dice across the table; avatars can be seen, cards in hand cannot."""

    side = Deck
    effects_on_target = {acts.Challenge: offer_acceptance, acts.Attack: offer_damage}
    pairs = acts.AcceptGame
    foremost = (
        acts.TakeHit, acts.PutAway, acts.Focus, acts.Summon, acts.SummonMinion, acts.ToBattle, acts.Declare,
        acts.SkipBattle, acts.AimAt, acts.LetBlock, acts.LetAim, acts.Defend, acts.Block, acts.TakeRest,
        acts.RollHeilung, acts.RemoveMark, acts.Settle, acts.React, acts.Deal, acts.Snowball, acts.UseActive,
        acts.NextTurn)

    @classmethod
    def opponent(cls, side: Any) -> tuple[Data, Data]:
        """Return (sheet data, play data) of an opponent with these cards (BD-01)."""
        cards = [listed_card(slug, copies).model_dump() for slug, copies in side.copies.items() if copies]
        return blank(BattleDice, cards=cards), {}

    @classmethod
    def figures(cls, sheet: BattleDice, play: acts.BattleDicePlay) -> Mapping[str, Any]:
        """Return the current dice and Flink, unless they exceed the limits, and the names of the avatars."""
        attack, defence, flink = play.attack_dice(sheet), play.defence_dice(sheet), play.flink(sheet)
        dice = {} if rolls.exceeds_limits(defence, flink=flink) else {"defence_dice": defence, "flink": flink}
        return {**dice, **({"attack_dice": attack} if attack <= rolls.MAX_DICE else {}), "avatars": avatar_names(play)}

    @classmethod
    def paired(cls, play: acts.BattleDicePlay) -> bool:
        """Return True during a game of two."""
        return play.versus and play.is_playing

    @classmethod
    def offers_without_partner(cls, sheet: BattleDice, play: acts.BattleDicePlay) -> Iterator[Offer]:
        """Yield the end of the game, which nobody wins."""
        yield acts.EndGame.offer()

    @classmethod
    def adapt_to_partner(cls, offer: Offer, figures: Mapping[str, Any]) -> Offer | None:
        """Return an offer with its targets: the opponent's avatars, and the mage where the rules allow it."""
        if offer.cls not in (acts.AimAt, acts.Deal, acts.Snowball):
            return offer
        names = dict(zip(figures["avatars"], figures["avatars"], strict=True))
        if not (offer.cls is acts.Snowball or offer.filled.get("jab")):
            names = {MAGE_TARGET: _("the mage"), **names}
        return replace(offer, among={"target": names}) if names else None

    @classmethod
    def forwarded(cls, sheet: BattleDice, before: OwnPlay, act: Any, after: OwnPlay) -> Iterator[Offer]:
        """Yield the acts that an act causes for the opponent, the end of the game last."""
        if type(act) in FORWARDED:
            yield FORWARDED[type(act)](sheet, before, act, after)
        elif before.phase == "battle" and after.phase == "wait":
            yield acts.NoAttack.offer()
        if before.phase in ("enemy", "quick") and after.phase == "aimed":
            yield acts.TakeAim.offer(points=after.coming)
        yield from cls.forwarded_thaw(before, after)
        if before.is_playing and after.phase == "lost" and not isinstance(act, acts.Beaten):
            yield acts.Win.offer()
        if before.is_playing and after.phase == "won" and not isinstance(act, acts.Win):
            yield acts.Beaten.offer()

    @staticmethod
    def forwarded_thaw(before: acts.BattleDicePlay, after: acts.BattleDicePlay) -> Iterator[Offer]:
        """Yield the acts by which frost ends: with a removed avatar, in time, or with the last Snowbuddies (BD-25)."""
        removed = sum(avatar.frost for avatar in before.avatars) - sum(avatar.frost for avatar in after.avatars)
        if removed > 0 and len(after.avatars) < len(before.avatars):
            yield acts.Melt.offer(tokens=removed)
        if before.frost and before.phase == "chaos" and after.phase == "focus":
            yield acts.Thawing.offer()
        if before.frost and any(avatar.card == SNOWBUDDIES for avatar in before.avatars) and not any(
                avatar.card == SNOWBUDDIES for avatar in after.avatars):
            yield acts.Thaw.offer()
