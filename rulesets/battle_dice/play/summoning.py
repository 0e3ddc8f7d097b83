"""Acts that summon avatars, and destroy one if there are too many (BD-13, BD-19)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import headings, rolls
from rulesets.battle_dice.keywords import X
from rulesets.battle_dice.play.enemy_turn import avatar_names
from rulesets.battle_dice.play.own_turn import ManaPaid, require_in_hand, require_phase
from rulesets.battle_dice.play.state import IN_PLAY, Avatar
from rulesets.kit import Act, Count, Name, Offer, Play, Refused, Roll, Thrown, field, row

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice


class Summon(Act):
    """BD-13: summon a card from the hand as an avatar for its cost."""

    card: Name = field(_("Card"))
    paid: ManaPaid = field(_("How much time mana do you pay?"))
    title, rules, group = _("Summon"), ("BD-13",), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it for each affordable card; for one that costs X, the player enters the amount."""
        if play.phase != "summon" or play.is_crowded:
            return
        for name in dict.fromkeys(play.hand):
            cost = sheet.card_named(name).mana_cost
            known: dict[str, Any] = {"paid": cost} if isinstance(cost, int) else {}
            if known.get("paid", 1) <= play.mana:
                yield cls.offer(_("Summon {card}").format(card=name), f"hand.{play.hand.index(name)}",
                                _("{cost} mana").format(cost=cost), card=name, **known)

    def require_cost(self, sheet: "BattleDice", play: "BattleDicePlay") -> int:
        """Return the cost. Raise Refused if the card cannot be summoned."""
        require_phase(play, "summon")
        require_in_hand(play, self.card)
        cost = sheet.card_named(self.card).mana_cost
        paid = cost if isinstance(cost, int) else self.paid
        if paid > play.mana:
            raise Refused(_("{card} costs {cost} time mana; you have {mana}.").format(
                card=self.card, cost=paid, mana=play.mana))
        return paid

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Pay the cost and put the avatar into play."""
        cost = self.require_cost(sheet, play)
        play = play.add_mana(-cost).without_card(self.card)
        paid = cost if sheet.card_named(self.card).mana_cost == X else 0
        return play.evolve(avatars=[*play.avatars, Avatar(card=self.card, paid=paid)])

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the avatar and the time mana left."""
        return _("{card} summoned, {n} time mana left").format(card=self.card, n=play.mana)


class SummonMinion(Act):
    """BD-13, BD-19: summon a Dice Minion once a turn, for 1 time mana and a discarded card."""

    card: Name = field(_("Which card do you discard?"), secret=True)
    title, rules, group = _("Summon a Dice Minion"), ("BD-13", "BD-19"), headings.TURN
    same_throw_while = ("phase",)

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it once a turn, with a card to discard and time mana to pay."""
        if play.phase == "summon" and play.hand and play.mana and not play.minion and not play.is_crowded:
            yield cls.offer(among={"card": dict(zip(play.hand, play.hand, strict=True))}, note=_("1 mana"))

    def roll(self, sheet: "BattleDice", play: "BattleDicePlay") -> Roll:
        """Return the roll for the kind of Dice Minion."""
        self.pay(play)
        return rolls.Minion()

    def pay(self, play: "BattleDicePlay") -> "BattleDicePlay":
        """Return the state after discarding and paying. Raise Refused if that is impossible."""
        require_phase(play, "summon")
        require_in_hand(play, self.card)
        if play.minion or not play.mana:
            raise Refused(_("You can summon a Dice Minion once per turn, for 1 time mana."))
        return play.add_mana(-1).discard_card(self.card)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Pay, and put the Dice Minion into play."""
        return self.pay(play).add_minion(outcome.value)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the discarded card; the roll tells the kind of Dice Minion."""
        return _("{card} discarded").format(card=self.card)

    def tell_others(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return that a card was discarded, without its name, because it lies face down."""
        return str(_("A card discarded"))


class Destroy(Act):
    """BD-13: destroy an avatar if there are more than four; it does not count as dying."""

    index: Count = field(_("Avatar"))
    title, rules, group = _("Destroy an avatar"), ("BD-13", "BD-20"), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it for each avatar, apart from the other acts unless there are too many."""
        if play.is_playing:
            for index, name in enumerate(avatar_names(play)):
                yield cls.offer(_("Destroy {card}").format(card=name), f"avatars.{index}", index=index,
                                rare=not play.is_crowded)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Remove the avatar without Seelenernte."""
        row(play.avatars, self.index)
        return play.remove_avatar(sheet, self.index, dying=False)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the avatars in play and the time mana."""
        return IN_PLAY.format(n=len(play.avatars), mana=play.mana)
