"""The Battle Dice Phase of a game of two: one declares, the other rolls, damage is aimed and blocked (BD-14, BD-17)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.battle_dice import headings, rolls
from rulesets.battle_dice.play.duel_effects import receive_hit, require_target
from rulesets.battle_dice.play.enemy_turn import skip_needless_healing
from rulesets.battle_dice.play.own_turn import Change, attack_note, require_phase
from rulesets.battle_dice.play.phases import ATTACK_ANNOUNCED
from rulesets.battle_dice.play.state import MAGE_TARGET
from rulesets.kit import HIGHEST, Act, Count, Name, Offer, Play, Refused, Thrown, field

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice

MAGIC_MISSILE_COST = 2
"""The cost of Magic Missile (BD-22)."""
DAMAGE_LEFT = ngettext_lazy("{n} damage to block", "{n} damage to block", "n")


class Declare(Act):
    """BD-14: declare an attack; the defender may use effects, then rolls the dice of both."""

    change: Change = field(_("By how much do cards change your AD?"), 0)
    title, rules, group = _("Attack"), ("BD-14", "BD-17"), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it in the Battle Dice Phase of a game of two."""
        if play.phase == "battle" and play.versus:
            yield cls.offer(note=attack_note(sheet, play))

    def dice(self, sheet: "BattleDice", play: "BattleDicePlay") -> int:
        """Return the number of attack dice."""
        return min(HIGHEST, max(0, play.attack_dice(sheet) + self.change))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """End the turn, except for aiming the damage."""
        require_phase(play, "battle")
        return play.end_turn()

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return that the opponent rolls now."""
        return str(_("declared; the opponent rolls the dice"))


class Attacked(Act):
    """BD-14: the opponent has declared an attack."""

    dice: Count = field(_("Attack dice"))
    aimable: bool = field(_("Some of it may be aimed"), default=False)
    title, rules, group = _("Your opponent attacks"), ("BD-14",), headings.ENEMY

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Store the attack dice; effects may be used before the roll."""
        require_phase(play, "wait")
        return play.evolve(phase="enemy", threat=self.dice, aimable=self.aimable)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the number of attack dice."""
        return ATTACK_ANNOUNCED.format(n=self.dice)


class TakeAim(Act):
    """BD-17: the opponent has rolled damage, some of which may be aimed before it is blocked."""

    points: Count = field(_("How much damage?"))
    title, rules, group = _("Your attack is rolled"), ("BD-17",), headings.TURN

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Begin aiming."""
        require_phase(play, "wait")
        return play.evolve(phase="aim", inflicted=self.points, aims=0)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the damage, and how much of it may be aimed."""
        damage, aimed = rolls.DAMAGE_LABEL.format(n=self.points), play.zielsuchend(sheet)
        return _("{damage}, Zielsuchend {aimed}").format(damage=damage, aimed=aimed) if aimed else damage


def aimable_damage(sheet: "BattleDice", play: "BattleDicePlay") -> int:
    """Return the damage that may still be aimed."""
    return min(play.inflicted, max(0, play.zielsuchend(sheet) - play.aims))


class AimAt(Act):
    """BD-17: aim some of the damage at a target of the player's choice, before anyone blocks."""

    target: Name = field(_("At whom?"))
    points: Count = field(_("How much of the damage?"), least=1, start=1)
    title, rules, group = _("Zielsuchend: take aim"), ("BD-17", "BD-22"), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while damage may be aimed."""
        if play.phase == "aim" and (most := aimable_damage(sheet, play)):
            yield cls.offer(note=_("up to {n}").format(n=most))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Subtract the aimed damage; once no more can be aimed, the opponent blocks."""
        require_phase(play, "aim")
        most = aimable_damage(sheet, play)
        if not 0 < self.points <= most:
            raise Refused(_("1 to {n} of it can be aimed.").format(n=most))
        play = play.evolve(inflicted=play.inflicted - self.points, aims=min(HIGHEST, play.aims + self.points))
        over = not play.inflicted or (not aimable_damage(sheet, play) and play.mana < MAGIC_MISSILE_COST)
        return end_aiming(play) if over else play

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the damage and its target."""
        return _("{n} damage to {target}").format(n=self.points, target=play.target_label(self.target))


def end_aiming(play: "BattleDicePlay") -> "BattleDicePlay":
    """Return the state in which the opponent acts again."""
    return play.evolve(phase="wait", inflicted=0, aims=0)


class LetBlock(Act):
    """BD-16: end aiming, so that the opponent blocks the rest of the damage."""

    title, rules, group = _("Let them block"), ("BD-16", "BD-17"), headings.TURN

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while damage may be aimed."""
        if play.phase == "aim":
            yield cls.offer(note=rolls.DAMAGE_LABEL.format(n=play.inflicted))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Let the opponent act."""
        require_phase(play, "aim")
        return end_aiming(play)


class LetAim(Act):
    """BD-17: use no more Flink, so that the opponent aims the damage."""

    title, rules, group = _("Let your opponent aim"), ("BD-15", "BD-17"), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while Flink could still be used."""
        if play.phase == "quick":
            yield cls.offer(note=rolls.DAMAGE_LABEL.format(n=play.coming))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Let the opponent act."""
        require_phase(play, "quick")
        return play.evolve(phase="aimed")


class Targeted(Act):
    """BD-17: the opponent has aimed some of the damage; once `over`, the rest is to be blocked."""

    target: Name = field(_("At whom?"), MAGE_TARGET)
    points: Count = field(_("How much of the damage?"), 0)
    over: bool = field(_("They are done aiming"), default=True)
    title, rules, group = _("Your opponent has aimed"), ("BD-17",), headings.ENEMY

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Deal the aimed damage; Heilung may still save an avatar."""
        require_phase(play, "aimed")
        if points := min(self.points, play.coming):
            require_target(play, self.target)
        left = play.coming - points
        play = play.evolve(coming=left, phase="heal" if not left else "block" if self.over else "aimed")
        return skip_needless_healing(receive_hit(sheet, play, self.target, points) if points else play)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the aimed damage with its target, and the damage still coming."""
        if not self.points:
            return DAMAGE_LEFT.format(n=play.coming)
        return _("{n} damage to {target}, {coming} still coming").format(
            n=self.points, target=play.target_label(self.target), coming=play.coming)
