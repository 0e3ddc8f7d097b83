"""Acts that cards may call for and no button of a phase offers: heal, sacrifice, draw; real cards and table (BD-27)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.battle_dice import headings
from rulesets.battle_dice.play.fight import named
from rulesets.battle_dice.play.state import LIFE
from rulesets.battle_dice.play.turn import held
from rulesets.battle_dice.rolls import Cards
from rulesets.kit import Act, Count, Name, Offer, Play, Refused, Roll, Thrown, field, row

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice


class Cure(Act):
    """BD-18, BD-27: a card heals an avatar or the mage; nobody has more life than at first."""

    index: Count | None = field(_("Avatar"))
    points: Count = field(_("How many marks are removed?"), 1)
    title, rules, group = _("A card heals you"), ("BD-18", "BD-27"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer one for each who has lost life."""
        if not play.playing:
            return
        if play.life < LIFE:
            yield cls.asking(rare=True, index=None)
        for index, name in enumerate(named(play)):
            if play.avatars[index].damage:
                yield cls.asking(_("A card heals {card}").format(card=name), f"avatars.{index}", rare=True, index=index)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """So many marks fewer, as far as there are any."""
        if self.index is None:
            return play.with_(life=min(LIFE, play.life + self.points))
        return play.with_avatar(self.index, damage=max(0, row(play.avatars, self.index).damage - self.points))

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how much life there is now."""
        if self.index is None:
            return _("Life {n}").format(n=play.life)
        return _("Life {n}").format(n=play.left(sheet, play.avatars[self.index]))


class Sacrifice(Act):
    """BD-20: an avatar is sacrificed, which is dying."""

    index: Count = field(_("Avatar"))
    title, rules, group = _("Sacrifice an avatar"), ("BD-20", "BD-27"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer one for each avatar."""
        for index, name in enumerate(named(play) if play.playing else ()):
            yield cls.asking(_("Sacrifice {card}").format(card=name), f"avatars.{index}", rare=True, index=index)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """It dies and pays its Seelenernte."""
        row(play.avatars, self.index)
        return play.gone(sheet, self.index, dying=True)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how much time mana is held now."""
        return _("{n} time mana held").format(n=play.mana)


class DrawByCard(Act):
    """BD-11, BD-27: a card lets one draw, beyond two in hand as well."""

    cards: Cards = field(_("How many cards?"), 1)
    title, rules, group = _("A card lets you draw"), ("BD-11", "BD-27"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while there is something to draw."""
        if play.playing and (play.deck or play.discard):
            yield cls.asking(rare=True)

    def roll(self, sheet: "BattleDice", play: "BattleDicePlay") -> Roll | None:
        """Return the roll that says which ones are drawn."""
        return play.drawing(self.cards)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """They are in hand."""
        if outcome is None:
            raise Refused(_("There is no card left to draw."))
        return play.drawn(outcome.figures["places"])

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say what is in hand; others see backs."""
        return _("In hand: {hand}").format(hand=", ".join(play.hand))

    def tell_others(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how many cards are held."""
        return ngettext_lazy("{n} card in hand", "{n} cards in hand", "n").format(n=len(play.hand))


class Hold(Act):
    """BD-11: with real cards on a real table one says which card was drawn in place of the one dealt here."""

    card: Name = field(_("Which card was dealt here?"), secret=True)
    real: Name = field(_("Which card did you draw?"), secret=True)
    title, rules, group = _("You drew another card at the table"), ("BD-11",), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while the deck holds others; a game of two at the table deals its cards itself."""
        if play.playing and not play.versus and play.hand and (others := sorted(set(play.deck) - set(play.hand))):
            yield cls.asking(rare=True, among={"card": dict(zip(play.hand, play.hand, strict=True)),
                                               "real": dict(zip(others, others, strict=True))})

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Both change places."""
        held(play, self.card)
        if self.real not in play.deck:
            raise Refused(_("{card} is not in your deck.").format(card=self.real))
        hand, deck = list(play.hand), list(play.deck)
        hand[hand.index(self.card)], deck[deck.index(self.real)] = self.real, self.card
        return play.with_(hand=hand, deck=deck)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say what is in hand."""
        return _("In hand: {hand}").format(hand=", ".join(play.hand))

    def tell_others(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Nothing has changed for them."""
        return ngettext_lazy("{n} card in hand", "{n} cards in hand", "n").format(n=len(play.hand))
