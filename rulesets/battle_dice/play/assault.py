"""The Battle Dice Phase of two at a table: declared by one, thrown by the other, aimed, then blocked (BD-14, BD-17)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.battle_dice import headings, rolls
from rulesets.battle_dice.play.blows import hit, standing
from rulesets.battle_dice.play.fight import after
from rulesets.battle_dice.play.phases import COMING
from rulesets.battle_dice.play.state import MAGE
from rulesets.battle_dice.play.turn import Change, attacking, in_phase
from rulesets.kit import HIGHEST, Act, Count, Name, Offer, Play, Refused, Thrown, field

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice

MISSILE = 2
"""The cost of Magic Missile (BD-22)."""


class Declare(Act):
    """BD-14: the attack is declared; the defender may use effects, and throws the dice of both."""

    change: Change = field(_("By how much do cards change your AD?"), 0)
    title, rules, group = _("Attack"), ("BD-14", "BD-17"), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it in the Battle Dice Phase of a game of two."""
        if play.phase == "battle" and play.versus:
            yield cls.asking(note=attacking(sheet, play))

    def dice(self, sheet: "BattleDice", play: "BattleDicePlay") -> int:
        """Return the number of attack dice that are thrown."""
        return min(HIGHEST, max(0, play.attack(sheet) + self.change))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """The turn is over but for taking aim."""
        in_phase(play, "battle")
        return play.ended()

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say who is asked now."""
        return str(_("declared; the other one throws the dice"))


class Attacked(Act):
    """BD-14: an attack was declared."""

    dice: Count = field(_("Attack dice"))
    aimable: bool = field(_("Some of it may be aimed"), default=False)
    title, rules, group = _("The other one attacks"), ("BD-14",), headings.ENEMY

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Effects may be used, then the dice fall."""
        in_phase(play, "wait")
        return play.with_(phase="enemy", threat=self.dice, aimable=self.aimable)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how many dice are coming."""
        return COMING.format(n=self.dice)


class TakeAim(Act):
    """BD-17: damage was rolled, some of which may be aimed before it is blocked."""

    points: Count = field(_("How much damage?"))
    title, rules, group = _("Your attack is rolled"), ("BD-17",), headings.TURN

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """One may aim now."""
        in_phase(play, "wait")
        return play.with_(phase="aim", inflicted=self.points, aims=0)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how much damage there is, and how much of it may be aimed."""
        damage, aimed = rolls.DAMAGE.format(n=self.points), play.aimed(sheet)
        return _("{damage}, Zielsuchend {aimed}").format(damage=damage, aimed=aimed) if aimed else damage


def aimable(sheet: "BattleDice", play: "BattleDicePlay") -> int:
    """Return how much more of the damage that was rolled may be aimed now."""
    return min(play.inflicted, max(0, play.aimed(sheet) - play.aims))


class AimAt(Act):
    """BD-17: some of the damage finds the aim that one chooses, past those who would block it."""

    target: Name = field(_("At whom?"))
    points: Count = field(_("How much of the damage?"), least=1, start=1)
    title, rules, group = _("Zielsuchend: take aim"), ("BD-17", "BD-22"), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while some of it may still be aimed."""
        if play.phase == "aim" and (most := aimable(sheet, play)):
            yield cls.asking(note=_("up to {n}").format(n=most))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """So much less to be aimed; once nothing can be any more the other one blocks."""
        in_phase(play, "aim")
        most = aimable(sheet, play)
        if not 0 < self.points <= most:
            raise Refused(_("1 to {n} of it can be aimed.").format(n=most))
        play = play.with_(inflicted=play.inflicted - self.points, aims=min(HIGHEST, play.aims + self.points))
        over = not play.inflicted or (not aimable(sheet, play) and play.mana < MISSILE)
        return done_aiming(play) if over else play

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say who takes how much."""
        return _("{n} damage to {target}").format(n=self.points, target=play.in_words(self.target))


def done_aiming(play: "BattleDicePlay") -> "BattleDicePlay":
    """The other one is at it again."""
    return play.with_(phase="wait", inflicted=0, aims=0)


class LetBlock(Act):
    """BD-16: what was not aimed may be blocked."""

    title, rules, group = _("Let them block"), ("BD-16", "BD-17"), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it once damage was rolled."""
        if play.phase == "aim":
            yield cls.asking(note=rolls.DAMAGE.format(n=play.inflicted))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """The other one is at it."""
        in_phase(play, "aim")
        return done_aiming(play)


class LetAim(Act):
    """BD-17: no more Flink is paid for, and what may be aimed is."""

    title, rules, group = _("Let the other one aim"), ("BD-15", "BD-17"), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while Flink could still be paid for."""
        if play.phase == "quick":
            yield cls.asking(note=rolls.DAMAGE.format(n=play.coming))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """The other one is at it."""
        in_phase(play, "quick")
        return play.with_(phase="aimed")


class Targeted(Act):
    """BD-17: where the other one aims some of the damage; once they are done, the rest is to be blocked."""

    target: Name = field(_("At whom?"), MAGE)
    points: Count = field(_("How much of the damage?"), 0)
    over: bool = field(_("They are done aiming"), default=True)
    title, rules, group = _("The other one has aimed"), ("BD-17",), headings.ENEMY

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Damage where it was aimed; Heilung may still save an avatar."""
        in_phase(play, "aimed")
        if points := min(self.points, play.coming):
            standing(play, self.target)
        left = play.coming - points
        play = play.with_(coming=left, phase="heal" if not left else "block" if self.over else "aimed")
        return after(hit(sheet, play, self.target, points) if points else play)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say what was aimed at whom, and what is still coming."""
        if not self.points:
            return STILL.format(n=play.coming)
        return _("{n} damage to {target}, {coming} still coming").format(
            n=self.points, target=play.in_words(self.target), coming=play.coming)


STILL = ngettext_lazy("{n} damage to be blocked", "{n} damage to be blocked", "n")
