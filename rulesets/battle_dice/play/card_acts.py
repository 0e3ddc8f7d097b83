"""Acts for the effects of cards: heal, sacrifice, draw; and the swap for a card drawn from a real deck (BD-27)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.battle_dice import headings
from rulesets.battle_dice.play.enemy_turn import avatar_names
from rulesets.battle_dice.play.own_turn import require_in_hand
from rulesets.battle_dice.play.state import STARTING_LIFE
from rulesets.battle_dice.rolls import Cards
from rulesets.kit import Act, Count, Name, Offer, Play, Refused, Roll, Thrown, field, row

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice


class Cure(Act):
    """BD-18, BD-27: a card heals an avatar or the mage, at most to full life."""

    index: Count | None = field(_("Avatar"))
    points: Count = field(_("How many marks are removed?"), 1)
    title, rules, group = _("A card heals you"), ("BD-18", "BD-27"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it for the mage and each avatar that has lost life."""
        if not play.is_playing:
            return
        if play.life < STARTING_LIFE:
            yield cls.offer(rare=True, index=None)
        for index, name in enumerate(avatar_names(play)):
            if play.avatars[index].damage:
                yield cls.offer(_("A card heals {card}").format(card=name), f"avatars.{index}", rare=True, index=index)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Remove damage."""
        if self.index is None:
            return play.evolve(life=min(STARTING_LIFE, play.life + self.points))
        return play.with_avatar(self.index, damage=max(0, row(play.avatars, self.index).damage - self.points))

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the life."""
        if self.index is None:
            return _("Life {n}").format(n=play.life)
        return _("Life {n}").format(n=play.life_left(sheet, play.avatars[self.index]))


class Sacrifice(Act):
    """BD-20: sacrifice an avatar, which counts as dying."""

    index: Count = field(_("Avatar"))
    title, rules, group = _("Sacrifice an avatar"), ("BD-20", "BD-27"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it for each avatar, unless one has to be destroyed first."""
        for index, name in enumerate(avatar_names(play) if play.is_playing and not play.is_crowded else ()):
            yield cls.offer(_("Sacrifice {card}").format(card=name), f"avatars.{index}", rare=True, index=index)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Remove the avatar, and gain its Seelenernte."""
        row(play.avatars, self.index)
        if play.is_crowded:
            raise Refused(_("With more than four avatars, destroy one first."))
        return play.remove_avatar(sheet, self.index, dying=True)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the time mana."""
        return _("now {n} time mana").format(n=play.mana)


class DrawByCard(Act):
    """BD-11, BD-27: a card lets the player draw, even above two in hand."""

    cards: Cards = field(_("How many cards?"), 1)
    title, rules, group = _("A card lets you draw"), ("BD-11", "BD-27"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while there are cards to draw."""
        if play.is_playing and (play.deck or play.discard):
            yield cls.offer(rare=True)

    def roll(self, sheet: "BattleDice", play: "BattleDicePlay") -> Roll | None:
        """Return the roll that draws the cards."""
        return play.draw_roll(self.cards)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Add the cards to the hand."""
        if outcome is None:
            raise Refused(_("There is no card left to draw."))
        return play.draw_cards(outcome.figures["places"])

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the hand."""
        return _("In hand: {hand}").format(hand=", ".join(play.hand))

    def tell_others(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the number of cards in hand."""
        return ngettext_lazy("{n} card in hand", "{n} cards in hand", "n").format(n=len(play.hand))


class SwapCard(Act):
    """BD-11: replace a card dealt here by the card that was drawn from the real deck."""

    card: Name = field(_("Which card was dealt here?"), secret=True)
    real: Name = field(_("Which card did you draw?"), secret=True)
    title, rules, group = _("You drew another card at the table"), ("BD-11",), headings.CARDS
    slug = "hold"

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while the deck has other cards; a game of two is played without real cards."""
        if play.is_playing and not play.versus and play.hand and (others := sorted(set(play.deck) - set(play.hand))):
            yield cls.offer(rare=True, among={"card": dict(zip(play.hand, play.hand, strict=True)),
                                              "real": dict(zip(others, others, strict=True))})

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Swap the two cards."""
        require_in_hand(play, self.card)
        if self.real not in play.deck:
            raise Refused(_("{card} is not in your deck.").format(card=self.real))
        hand, deck = list(play.hand), list(play.deck)
        hand[hand.index(self.card)], deck[deck.index(self.real)] = self.real, self.card
        return play.evolve(hand=hand, deck=deck)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the hand."""
        return _("In hand: {hand}").format(hand=", ".join(play.hand))

    def tell_others(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the number of cards in hand, which is the same."""
        return ngettext_lazy("{n} card in hand", "{n} cards in hand", "n").format(n=len(play.hand))
