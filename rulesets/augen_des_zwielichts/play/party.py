"""A party at one table: what it counts in common, and a round of the fight for all at once (SZ-09, SZ-30 to SZ-36)."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from rulesets.augen_des_zwielichts import headings, rolls
from rulesets.augen_des_zwielichts.play.change import EndSession, NewAdventure
from rulesets.augen_des_zwielichts.play.fight import BeginFight, SettleRound
from rulesets.augen_des_zwielichts.play.prices import Danger
from rulesets.augen_des_zwielichts.play.state import Face
from rulesets.augen_des_zwielichts.texts import Faces, faces, listed
from rulesets.kit import Act, Count, Table, field

MANY = 40
"""Dice that a round can be told with."""


class ThrowCombatDie(Act):
    """SZ-31, SZ-34: the own die of this round; of two the better is kept."""

    title, rules, group = _("Throw the combat die"), ("SZ-31", "SZ-33", "SZ-34"), headings.FIGHT

    @classmethod
    def offered(cls, sheet, play):
        """Once a round, for who fights and does not weaken the enemy."""
        if play.free and play.fighting and not (play.out or play.weakening or play.combat_die):
            yield cls.asking()

    def roll(self, sheet, play):
        """One die, or two."""
        return rolls.CombatDie(second_die=play.second_die)

    def apply(self, sheet, play, outcome=None):
        """It lies there until the round is over."""
        return play.now(combat_die=outcome.value, last_die=None)


class SettleTogether(Act):
    """SZ-31 to SZ-35: a round is settled by the dice of all who fight."""

    dice: Faces = field(_("Combat dice of all"))
    danger_level: Danger = field(_("Danger level"))
    ties: bool = field(_("On a tie for the highest die all of them hold a second one"), default=False)
    title, rules, group = _("Settle the round"), SettleRound.rules, headings.FIGHT

    @classmethod
    def offered(cls, sheet, play):
        """For who has thrown, or has no die to throw; without a party by the own die alone."""
        if play.free and play.fighting and (play.combat_die or play.weakening or play.out):
            level = {"danger_level": play.danger_level} if play.danger_level else {}
            yield cls.asking(note=_("For who fights alone."), dice=str(play.combat_die or ""), ties=False, **level)

    @property
    def won(self) -> bool:
        """Whether the two highest reach the danger level."""
        return sum(sorted(faces(self.dice))[-2:]) >= self.danger_level

    def apply(self, sheet, play, outcome=None):
        """Each die hits whoever has that weak point; who threw the highest holds a second one."""
        dice = faces(self.dice)
        highest = max(dice, default=0)
        better = play.combat_die == highest and (self.ties or dice.count(highest) == 1)
        hits = sum(dice.count(face) for face in play.weak_points)
        return SettleRound(won=self.won, hits=hits, highest=better and not self.won).apply(sheet, play)

    def tell(self, sheet, play):
        """Won or not."""
        said = SettleRound(won=True).tell(sheet, play) if self.won else \
            _("Round {n} is over, dice {dice}").format(n=play.rounds, dice=self.dice or "–")
        dice = sorted(faces(self.dice))
        if play.last_die not in dice or len(dice) < 2:
            return said
        return _("{said}; tells with the {n} as number {place} of {all}").format(
            said=said, n=play.last_die, place=dice.index(play.last_die) + 1, all=len(dice))


class AugenDesZwielichtsTable(Table):
    """SZ-09, SZ-31: what the group holds, and what the GM has against it; enemies have one level and throw no dice."""

    clues: Count = field(_("Clues of the group"), 0)
    corruption: Count = field(_("Corruption points"), 0)
    difficulty: Count = field(_("Difficulty raised by"), 0)
    danger_level: Count | None = field(_("Danger level"), None)
    open_weak_point: Face | None = field(_("Weak point to be taken over"), None)
    opponents_join = False
    order = _("Weak point, or the die to tell by")
    begins = (NewAdventure,)
    ends = (EndSession,)

    def place(self, seat):
        """SZ-36: dice are thrown by weak point, ascending; after the round it is told by the dice, ascending."""
        return seat.play.last_die or seat.play.weak_point

    def against(self, dice) -> str:
        """What there is against the danger level, and what should be done before."""
        said = [_("Dice {dice} against {n}.").format(dice=listed(dice) or "–", n=self.danger_level)]
        if self.open_weak_point:
            said.append(_("First somebody takes over weak point {n}.").format(n=self.open_weak_point))
        return " ".join(map(str, said))

    def rounds(self, seats):
        """The fight as it goes: weak points, a die each, then what they do to everybody."""
        level: dict[str, Any] = {"danger_level": self.danger_level} if self.danger_level else {}
        yield BeginFight.asking(**level, note=_("Rolls the weak point of each, fixed for the fight."))
        yield ThrowCombatDie.asking()
        fighters = [seat.play for seat in seats if seat.play.free and seat.play.fighting]
        dice = sorted(play.combat_die for play in fighters if play.combat_die)
        if level and fighters and len(dice) <= MANY and \
                all(play.combat_die or play.weakening or play.out for play in fighters):
            yield SettleTogether.asking(dice=listed(dice), **level, note=self.against(dice))
        yield NewAdventure.asking()
