"""Effects across the table in Battle Dice: a game of two, each with own cards (BD-10 to BD-17, BD-24 to BD-26)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_lazy as _
from pydantic import model_validator

from rulesets.battle_dice import play as acts
from rulesets.battle_dice import rolls
from rulesets.battle_dice.cards import OWN, PinaRohkinar, Snowbuddies, TheBiggestFan, TheCoronaLook, listed
from rulesets.battle_dice.play.assault import MISSILE
from rulesets.battle_dice.play.fight import named
from rulesets.battle_dice.play.state import BUDDIES, MAGE
from rulesets.battle_dice.sheet import BattleDice
from rulesets.dice import Outcome
from rulesets.kit import Act, Contest, Count, Crossing, Data, Offer, OwnPlay, Thrown, blank, field

OTHER = {"first": "second", "second": "first"}


class Deck(Contest):
    """BD-01: an opponent is a deck, said by its copies of each card of the list."""

    corona_look: Count = field(TheCoronaLook.title, 2)
    pina_rohkinar: Count = field(PinaRohkinar.title, 2)
    snowbuddies: Count = field(Snowbuddies.title, 2)
    biggest_fan: Count = field(TheBiggestFan.title, 2, help=_(
        "By the book eight cards in all, no more than three of a kind; cards of your own come in on the deck's page."))
    title, rules = _("Deck"), ("BD-01", "BD-02", "BD-04")

    @property
    def copies(self) -> dict[str, int]:
        """{slug: copies} of each card of the list."""
        return dict(zip(OWN, (self.corona_look, self.pina_rohkinar, self.snowbuddies, self.biggest_fan), strict=True))

    @model_validator(mode="after")
    def some(self) -> "Deck":
        """Refuse a deck without cards."""
        if not any(self.copies.values()):
            raise ValueError(_("A deck has one card at least."))
        return self

    @classmethod
    def of(cls, sheet: BattleDice, play: acts.BattleDicePlay) -> Iterator[Offer]:
        """Yield what a sheet's deck has of the list."""
        held = dict.fromkeys(OWN, 0)
        for card in sheet.cards:
            if card.card in held:
                held[card.card] += card.copies
        known: dict[str, Any] = dict(zip(cls.model_fields, held.values(), strict=True))
        yield cls.asking(**known)


def challenged(made: acts.Challenge, _outcome: Thrown, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """BD-28: who would begin is turned round for the other one."""
    yield acts.AcceptGame.asking(order=OTHER[made.order])


def hurt(_made: Any, outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """BD-14: each plays alone on the own page, and takes what was rolled there."""
    if outcome.value:
        yield acts.Damage.asking(points=outcome.value, effect=False, guardian=None)


def attacked(sheet: BattleDice, before: acts.BattleDicePlay, act: acts.Declare, _after: acts.BattleDicePlay) -> Offer:
    """BD-14, BD-17: so many dice; whoever can still pay for Magic Missile may aim as well."""
    aims = bool(before.aimed(sheet)) or before.mana >= MISSILE
    return acts.Attacked.asking(dice=act.dice(sheet, before), aimable=aims)


PASSED: dict[type[Act], Callable[[Any, Any, Any, Any], Offer]] = {
    acts.AcceptGame: lambda _sheet, _before, act, _after: acts.TakeSeat.asking(order=OTHER[act.order]),
    acts.Declare: attacked,
    acts.AimAt: lambda _sheet, _before, act, after: acts.Targeted.asking(
        target=act.target, points=act.points, over=after.phase == "wait"),
    acts.LetBlock: lambda *_all: acts.Targeted.asking(target=MAGE, points=0, over=True),
    acts.Deal: lambda _sheet, _before, act, _after: acts.Hit.asking(target=act.target, points=act.points),
    acts.Snowball: lambda _sheet, before, act, _after: acts.Freeze.asking(
        target=act.target, fresh=before.phase == "chaos"),
}
"""{act: what answers the act that it brings to the other one}."""


class BattleDiceCrossing(Crossing):
    """BD-14, BD-15: the figures of an attack are those of this moment; what lies open are avatars, never cards."""

    side = Deck
    effects_on_target = {acts.Challenge: challenged, acts.Attack: hurt}
    pairs = acts.AcceptGame
    foremost = (
        acts.TakeHit, acts.PutAway, acts.Focus, acts.Summon, acts.SummonMinion, acts.ToBattle, acts.Declare,
        acts.SkipBattle, acts.AimAt, acts.LetBlock, acts.LetAim, acts.Defend, acts.Block, acts.TakeRest,
        acts.RollHeilung, acts.RemoveMark, acts.Settle, acts.React, acts.Deal, acts.Snowball, acts.UseActive,
        acts.NextTurn)

    @classmethod
    def opponent(cls, side: Any) -> tuple[Data, Data]:
        """BD-01: the cards of which there are any, in the list's order."""
        cards = [listed(slug, copies).model_dump() for slug, copies in side.copies.items() if copies]
        return blank(BattleDice, cards=cards), {}

    @classmethod
    def figures(cls, sheet: BattleDice, play: acts.BattleDicePlay) -> Mapping[str, Any]:
        """Return the dice and Flink as far as they are rolled here, and the avatars by their names."""
        attack, defence, flink = play.attack(sheet), play.defence(sheet), play.flink_of(sheet)
        dice = {} if rolls.too_many(defence, flink=flink) else {"defence_dice": defence, "flink": flink}
        return {**dice, **({"attack_dice": attack} if attack <= rolls.MOST else {}), "avatars": named(play)}

    @classmethod
    def paired(cls, play: acts.BattleDicePlay) -> bool:
        """While a game of two goes on."""
        return play.versus and play.playing

    @classmethod
    def parted(cls, sheet: BattleDice, play: acts.BattleDicePlay) -> Iterator[Offer]:
        """Nobody wins: the table is cleared."""
        yield acts.EndGame.asking()

    @classmethod
    def facing(cls, offer: Offer, figures: Mapping[str, Any]) -> Offer | None:
        """Return an offer with its targets: avatars of the other one, and the mage where the rules allow it."""
        if offer.cls not in (acts.AimAt, acts.Deal, acts.Snowball):
            return offer
        names = dict(zip(figures["avatars"], figures["avatars"], strict=True))
        if not (offer.cls is acts.Snowball or offer.filled.get("jab")):
            names = {MAGE: _("the mage"), **names}
        return replace(offer, among={"target": names}) if names else None

    @classmethod
    def forwarded(cls, sheet: BattleDice, before: OwnPlay, act: Any, after: OwnPlay) -> Iterator[Offer]:
        """Yield what it brings to the other one; the end of the game last."""
        if type(act) in PASSED:
            yield PASSED[type(act)](sheet, before, act, after)
        elif before.phase == "battle" and after.phase == "wait":
            yield acts.NoAttack.asking()
        if before.phase in ("enemy", "quick") and after.phase == "aimed":
            yield acts.TakeAim.asking(points=after.coming)
        yield from cls.frost(before, after)
        if before.playing and after.phase == "lost" and not isinstance(act, acts.Beaten):
            yield acts.Win.asking()
        if before.playing and after.phase == "won" and not isinstance(act, acts.Win):
            yield acts.Beaten.asking()

    @staticmethod
    def frost(before: acts.BattleDicePlay, after: acts.BattleDicePlay) -> Iterator[Offer]:
        """BD-25: tokens that went with an avatar, melt in time, or lie there without any Snowbuddies left."""
        gone = sum(one.frost for one in before.avatars) - sum(one.frost for one in after.avatars)
        if gone > 0 and len(after.avatars) < len(before.avatars):
            yield acts.Melt.asking(tokens=gone)
        if before.frost and before.phase == "chaos" and after.phase == "focus":
            yield acts.Thawing.asking()
        if before.frost and any(one.card == BUDDIES for one in before.avatars) and not any(
                one.card == BUDDIES for one in after.avatars):
            yield acts.Thaw.asking()
