"""The enemy's turn: damage comes, is aimed and blocked, Heilung follows, avatars die (BD-14 to BD-18)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import headings, rolls
from rulesets.battle_dice.play.avatars import named
from rulesets.battle_dice.play.guarding import guarded, guardians, quickens
from rulesets.battle_dice.play.turn import Change, battle, in_phase
from rulesets.kit import Act, Count, Offer, Play, Refused, Roll, Thrown, field, row

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice

BATTLE = ("enemy", "block", "heal")
"""The phases of the enemy's Battle Dice Phase."""
_MISSED = _("The enemy does not hit you")


def met(sheet: "BattleDice", play: "BattleDicePlay", points: int) -> "BattleDicePlay":
    """Damage of the enemy's battle dice: to be blocked, or none; what came before it was not of this phase (BD-24)."""
    coming = {"coming": points, "phase": "block"} if points else {"phase": "heal"}
    play = after(play.with_(suffered=0, **coming))
    if play.phase != "block" or not play.aimable or not play.avatars:
        # Without avatars all of it hits the mage anyhow.
        return play
    # The other one aims first what may be aimed, and before that Flink counts (BD-15, BD-17).
    return play.with_(phase="quick" if quickens(sheet, play) else "aimed")


def after(play: "BattleDicePlay") -> "BattleDicePlay":
    """Without marks on any avatar there is nothing to heal and nobody to die, once all damage is dealt."""
    done = play.phase == "heal" and not play.blows and not any(one.damage for one in play.avatars)
    return play.with_(phase="end") if done else play


def unrollable(sheet: "BattleDice", play: "BattleDicePlay") -> bool:
    """Return True if the dice of the enemy's attack are more than are rolled here."""
    pools = [play.defence(sheet), *([] if play.threat is None else [play.threat])]
    return rolls.too_many(*pools, flink=play.flink_of(sheet))


class Defend(Act):
    """BD-14, BD-15: the enemy attacks and both sides' dice are rolled here."""

    attack_dice: rolls.Dice = field(_("How many AD has the enemy?"), least=1, target="attack_dice",
                                    start=rolls.STANDARD)
    change: Change = field(_("By how much do cards change your DD?"), 0)
    title, rules, group = _("The enemy attacks: roll for both"), ("BD-14", "BD-15"), headings.ENEMY
    fallen_while = ("phase", "threat")
    says_who = True

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it in the enemy's turn; of two at a table once the other one attacks."""
        if play.phase != "enemy" or play.blows or unrollable(sheet, play):
            return
        note = _("DD {n}, Flink {flink}").format(n=play.defence(sheet), flink=play.flink_of(sheet))
        if play.threat is None:
            yield cls.asking(note=note)
        else:
            yield cls.asking(_("Defend: roll the dice"), note=note, attack_dice=play.threat)

    def roll(self, sheet: "BattleDice", play: "BattleDicePlay") -> Roll:
        """All dice, with the best use of Flink."""
        in_phase(play, "enemy")
        return battle(self.attack_dice, play.defence(sheet) + self.change, play.flink_of(sheet))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """The damage is to be blocked; the dice lie there for more Flink."""
        dice = {"attackers": outcome.figures["attack"], "defenders": outcome.figures["defence"]}
        return met(sheet, play.with_(**dice), outcome.value)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say who hit whom."""
        return str(_("The enemy hits you") if play.coming else _MISSED)


class Damage(Act):
    """BD-14, BD-16: damage that was rolled elsewhere, or that an effect does to the mage."""

    points: Count = field(_("How much damage?"))
    effect: bool = field(_("By an effect"), default=False)
    guardian: Count | None = field(_("Steel Guardian"), None)
    title, rules, group = _("Take damage"), ("BD-14", "BD-16", "BD-24"), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """In the enemy's turn offer it to be blocked; an effect's goes to the mage, whenever it comes."""
        if play.phase == "enemy" and (play.threat is None or unrollable(sheet, play)) and not play.blows:
            yield cls.asking(_("Enter the enemy's damage"), effect=False, guardian=None)
        if play.playing:
            yield cls.asking("", "effect", _("to yourself, by an effect"), rare=play.phase in BATTLE,
                             effect=True, guardian=None)
            for index, title in guardians(sheet, play, cls.title):
                yield cls.asking(title, f"avatars.{index}.guardian", _("to yourself, by an effect"), rare=True,
                                 effect=True, guardian=index)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """To be blocked, or life lost."""
        if not self.effect:
            in_phase(play, "enemy")
            return met(sheet, play, self.points)
        play, points = guarded(sheet, play, self.guardian, self.points)
        play = play.suffering(points).hurt(points)
        # While the battle dice's damage is dealt, Heilung may still save the guardian (BD-18).
        return play if play.phase in BATTLE[1:] else play.settled(sheet)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say what is coming, or how much life is left."""
        if self.effect:
            points = max(0, self.points - (self.guardian is not None))
            return _("{n} damage, life {left}").format(n=points, left=play.life)
        return _("{damage} coming at you").format(damage=rolls.DAMAGE.format(n=play.coming)) \
            if play.coming else str(_MISSED)


class NoAttack(Act):
    """BD-14: the enemy skips the Battle Dice Phase."""

    title, rules, group = _("The enemy does not attack"), ("BD-14",), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it in the enemy's turn; of two at a table the other one skips it."""
        if play.phase == "enemy" and not play.versus:
            yield cls.asking()

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Nothing to block."""
        in_phase(play, play.rest)
        return play.with_(phase="end", suffered=0)


class Aimed(Act):
    """BD-17: the enemy's Zielsuchend puts damage where they like, before anybody blocks."""

    target: Count = field(_("Which avatar?"))
    points: Count = field(_("How much of the damage?"), least=1)
    title, rules, group = _("Zielsuchend at an avatar"), ("BD-17",), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """While damage is coming and avatars are there to be aimed at; of two at a table the other one aims."""
        if play.phase == "block" and play.avatars and not play.versus:
            yield cls.asking(among={"target": dict(enumerate(named(play)))})

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Marks; Heilung may still save the avatar."""
        in_phase(play, "block")
        row(play.avatars, self.target)
        if not 0 < self.points <= play.coming:
            raise Refused(_("{n} damage is coming; 1 to {n} of it can be aimed.").format(n=play.coming))
        return after(play.struck(self.target, self.points).dealt(self.points))

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say who takes it."""
        return _("{card} takes {n}, {coming} still coming").format(
            card=play.avatars[self.target].card, n=self.points, coming=play.coming)


class AimedAtMage(Act):
    """BD-17: the enemy's Zielsuchend at the mage, past all avatars."""

    points: Count = field(_("How much of the damage?"), least=1)
    title, rules, group = _("Zielsuchend at yourself"), ("BD-17",), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while damage is coming that avatars could block; of two at a table the other one aims."""
        if play.phase == "block" and play.avatars and not play.versus:
            yield cls.asking()

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Life lost."""
        in_phase(play, "block")
        if not 0 < self.points <= play.coming:
            raise Refused(_("{n} damage is coming; 1 to {n} of it can be aimed.").format(n=play.coming))
        return after(play.dealt(self.points).hurt(self.points))

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how much life is left."""
        return _("{n} damage, life {left}").format(n=self.points, left=play.life)


class Block(Act):
    """BD-16: an avatar takes damage until it has no life or no damage is left."""

    index: Count = field(_("Avatar"))
    title, rules, group = _("Block"), ("BD-16",), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer one for each avatar with life."""
        if play.phase == "block":
            for index, name in enumerate(named(play)):
                if left := play.left(sheet, play.avatars[index]):
                    yield cls.asking(_("Block with {card}").format(card=name), f"avatars.{index}",
                                     _("Life {n}").format(n=left), index=index)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """As much as it can take."""
        in_phase(play, "block")
        taken = min(play.coming, play.left(sheet, row(play.avatars, self.index)))
        if not taken:
            raise Refused(_("That avatar has no life left to block with."))
        return after(play.struck(self.index, taken).dealt(taken))

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say who blocked, and what is still coming."""
        return _("{card} blocks, {coming} still coming").format(card=play.avatars[self.index].card, coming=play.coming)


class TakeRest(Act):
    """BD-16: what is not blocked hits the mage."""

    title, rules, group = _("Take the rest yourself"), ("BD-16",), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while damage is coming."""
        if play.phase == "block":
            yield cls.asking(note=rolls.DAMAGE.format(n=play.coming))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Life lost; at 0 the game is."""
        in_phase(play, "block")
        points = play.coming
        return after(play.dealt(points)).hurt(points)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how much life is left."""
        return _("Not blocked, life {left}").format(left=play.life)


class NextTurn(Act):
    """The enemy's turn is over; one's own begins."""

    title, rules, group = _("Begin your turn"), ("BD-11", "BD-14"), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it at the end of the enemy's turn."""
        if play.phase == "end" and not play.blows:
            yield cls.asking()

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """The Zeitchaosphase."""
        in_phase(play, "end")
        return play.begin_turn()

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how much life and time mana one has."""
        return _("Your turn: life {life}, {mana} time mana").format(life=play.life, mana=play.mana)
