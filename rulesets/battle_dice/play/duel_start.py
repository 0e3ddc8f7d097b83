"""The beginning and the end of a game of two at one table."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import headings
from rulesets.battle_dice.play.own_turn import StartGame
from rulesets.kit import Act, Offer, Play, Refused, Roll, Thrown

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice


class Challenge(StartGame):
    """BD-10, BD-28: challenge a character at the table; the game begins for both once that is accepted."""

    title, rules, group = _("Challenge to a game"), ("BD-10", "BD-28"), headings.GAME
    aimed = True

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it without a game, if the deck has cards."""
        if not play.is_playing and sheet.size():
            yield cls.offer()

    def roll(self, sheet: "BattleDice", play: "BattleDicePlay") -> Roll | None:
        """Return None: no cards are drawn before the challenge is accepted."""

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Change nothing before the challenge is accepted."""
        if play.is_playing:
            raise Refused(_("A game is under way; end it first."))
        return play

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return who would begin."""
        return str(_("whoever challenges goes first") if self.order == "first"
                   else _("whoever is challenged goes first"))


class AcceptGame(StartGame):
    """BD-10: accept a challenge, which begins the game."""

    title, rules, group = _("Accept the challenge"), ("BD-10", "BD-28"), headings.GAME
    versus: ClassVar[bool] = True

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Yield nothing: it is offered only as the effect of a challenge."""
        return iter(())


class TakeSeat(AcceptGame):
    """BD-10: the game begins for the challenger, because the challenge was accepted."""

    title = _("The challenge is accepted")


class Beaten(Act):
    """BD-16, BD-26: lose the game, because the opponent has won."""

    title, rules, group = _("Your opponent has won"), ("BD-16", "BD-26"), headings.GAME

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """End the game as lost."""
        return play.evolve(phase="lost") if play.is_playing else play

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the result."""
        return _("Lost with {n} life left").format(n=play.life)
