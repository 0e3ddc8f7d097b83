"""A game of two at one table: a challenge that is accepted begins it for both, and what ends it ends it for both."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import headings
from rulesets.battle_dice.play.turn import StartGame
from rulesets.kit import Act, Offer, Play, Refused, Roll, Thrown

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice


class Challenge(StartGame):
    """BD-10, BD-28: somebody at the table is asked for a game; it begins for both once that is accepted."""

    title, rules, group = _("Challenge to a game"), ("BD-10", "BD-28"), headings.GAME
    aimed = True

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while no game is under way, with a deck to play."""
        if not play.playing and sheet.size():
            yield cls.asking()

    def roll(self, sheet: "BattleDice", play: "BattleDicePlay") -> Roll | None:
        """No card is drawn before the other one accepts."""

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Nothing is otherwise until then."""
        if play.playing:
            raise Refused(_("A game is under way; end it first."))
        return play

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say who would begin."""
        return str(_("whoever challenges begins") if self.order == "first" else _("whoever is challenged begins"))


class AcceptGame(StartGame):
    """BD-10: the game of two begins."""

    title, rules, group = _("Accept the challenge"), ("BD-10", "BD-28"), headings.GAME
    versus: ClassVar[bool] = True

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer nothing: this comes only where a challenge has landed."""
        return iter(())


class TakeSeat(AcceptGame):
    """BD-10: the challenge was accepted, and the game begins for whoever sent it."""

    title = _("The challenge is accepted")


class Beaten(Act):
    """BD-16, BD-26: the other one has won."""

    title, rules, group = _("The other one has won"), ("BD-16", "BD-26"), headings.GAME

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Lost."""
        return play.with_(phase="lost") if play.playing else play

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """The end."""
        return _("Lost with {n} life left").format(n=play.life)
