"""Avatars come to the table, and leave it where there are too many (BD-13, BD-19)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import headings, rolls
from rulesets.battle_dice.keywords import X
from rulesets.battle_dice.play.fight import named
from rulesets.battle_dice.play.state import THERE, Avatar
from rulesets.battle_dice.play.turn import Paid, held, in_phase
from rulesets.kit import Act, Count, Name, Offer, Play, Refused, Roll, Thrown, field, row

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice


class Summon(Act):
    """BD-13: a hand card becomes an avatar for its cost."""

    card: Name = field(_("Card"))
    paid: Paid = field(_("How much time mana do you pay?"))
    title, rules, group = _("Summon"), ("BD-13",), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer one for each card that can be paid; of a cost of X one says how much."""
        if play.phase != "summon" or play.crowded:
            return
        for name in dict.fromkeys(play.hand):
            cost = sheet.card(name).price_in_mana
            known: dict[str, Any] = {"paid": cost} if isinstance(cost, int) else {}
            if known.get("paid", 1) <= play.mana:
                yield cls.asking(_("Summon {card}").format(card=name), f"hand.{play.hand.index(name)}",
                                 _("{cost} mana").format(cost=cost), card=name, **known)

    def cost(self, sheet: "BattleDice", play: "BattleDicePlay") -> int:
        """Return what is to be paid (`Refused` if it cannot be)."""
        in_phase(play, "summon")
        held(play, self.card)
        cost = sheet.card(self.card).price_in_mana
        paid = cost if isinstance(cost, int) else self.paid
        if paid > play.mana:
            raise Refused(_("{card} costs {cost} time mana, you hold {mana}.").format(
                card=self.card, cost=paid, mana=play.mana))
        return paid

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Paid, and on the table."""
        cost = self.cost(sheet, play)
        play = play.richer(-cost).without_card(self.card)
        paid = cost if sheet.card(self.card).price_in_mana == X else 0
        return play.with_(avatars=[*play.avatars, Avatar(card=self.card, paid=paid)])

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the avatar and what is left."""
        return _("{card} summoned, {n} time mana left").format(card=self.card, n=play.mana)


class SummonMinion(Act):
    """BD-13, BD-19: once a round, 1 time mana and a discarded hand card bring a Dice Minion."""

    card: Name = field(_("Which card do you discard?"), secret=True)
    title, rules, group = _("Summon a Dice Minion"), ("BD-13", "BD-19"), headings.TURN
    fallen_while = ("phase",)

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it once a turn, with a card to discard and mana to pay."""
        if play.phase == "summon" and play.hand and play.mana and not play.minion and not play.crowded:
            yield cls.asking(among={"card": dict(zip(play.hand, play.hand, strict=True))}, note=_("1 mana"))

    def roll(self, sheet: "BattleDice", play: "BattleDicePlay") -> Roll:
        """Pay for it, and return the roll that says which one comes."""
        self.pay(play)
        return rolls.Minion()

    def pay(self, play: "BattleDicePlay") -> "BattleDicePlay":
        """A card and a point (`Refused` where there is none)."""
        in_phase(play, "summon")
        held(play, self.card)
        if play.minion or not play.mana:
            raise Refused(_("A Dice Minion comes once a turn and costs 1 time mana."))
        return play.richer(-1).thrown_off(self.card)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """It counts like a card."""
        return self.pay(play).with_token(outcome.value)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say what went; the roll says what came."""
        return _("{card} discarded").format(card=self.card)

    def tell_others(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """The discarded card lies face down."""
        return str(_("A card discarded"))


class Destroy(Act):
    """BD-13: of more than four avatars one is destroyed, which is not dying."""

    index: Count = field(_("Avatar"))
    title, rules, group = _("Destroy an avatar"), ("BD-13", "BD-20"), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer one for each avatar: while there are too many, and seldom because a card says so."""
        if play.playing:
            for index, name in enumerate(named(play)):
                yield cls.asking(_("Destroy {card}").format(card=name), f"avatars.{index}", index=index,
                                 rare=not play.crowded)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """To the discard pile, without Seelenernte."""
        row(play.avatars, self.index)
        return play.gone(sheet, self.index, dying=False)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how many avatars are still in play, and how much time mana is left."""
        return THERE.format(n=len(play.avatars), mana=play.mana)
