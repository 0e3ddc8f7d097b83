"""The opponent's turn: damage is received, aimed and blocked (BD-14 to BD-17)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import headings, rolls
from rulesets.battle_dice.play.avatars import avatar_names
from rulesets.battle_dice.play.guardians import apply_guardian, can_add_flink, guardian_titles
from rulesets.battle_dice.play.own_turn import Change, battle_roll, require_phase
from rulesets.kit import Act, Count, Offer, Play, Refused, Roll, Thrown, field, row

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice

BATTLE_PHASES = ("enemy", "block", "heal")
"""The phases of the opponent's Battle Dice Phase."""
_MISSED = _("Not hit by the opponent")


def receive_damage(sheet: "BattleDice", play: "BattleDicePlay", points: int) -> "BattleDicePlay":
    """Return the state after the opponent's battle dice: with damage to be aimed and blocked, or with none.

    Damage suffered earlier does not count for reactions to this phase (BD-24).
    """
    changes = {"coming": points, "phase": "block"} if points else {"phase": "heal"}
    play = skip_needless_healing(play.evolve(suffered=0, **changes))
    if play.phase != "block" or not play.aimable or not play.avatars:
        # Without avatars, aiming makes no difference: all damage hits the mage.
        return play
    # The opponent aims before anyone blocks, and Flink can still be added before that (BD-15, BD-17).
    return play.evolve(phase="quick" if can_add_flink(sheet, play) else "aimed")


def skip_needless_healing(play: "BattleDicePlay") -> "BattleDicePlay":
    """Return the state without the healing phase if no avatar has damage marks and no damage waits."""
    is_needless = play.phase == "heal" and not play.blows and not any(avatar.damage for avatar in play.avatars)
    return play.evolve(phase="end") if is_needless else play


def exceeds_dice_limits(sheet: "BattleDice", play: "BattleDicePlay") -> bool:
    """Return True if the dice of the opponent's attack cannot be rolled here."""
    dice = [play.defence_dice(sheet), *([] if play.threat is None else [play.threat])]
    return rolls.exceeds_limits(*dice, flink=play.flink(sheet))


class Defend(Act):
    """BD-14, BD-15: roll both sides' dice for an attack of the opponent."""

    attack_dice: rolls.Dice = field(_("How many AD does the opponent have?"), least=1, target_figure="attack_dice",
                                    start=rolls.BASE_DICE)
    change: Change = field(_("By how much do cards change your DD?"), 0)
    title, rules, group = _("The opponent attacks: roll for both"), ("BD-14", "BD-15"), headings.ENEMY
    same_throw_while = ("phase", "threat")
    names_both_sides = True

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it in the opponent's turn; in a game of two, once the opponent attacks."""
        if play.phase != "enemy" or play.blows or exceeds_dice_limits(sheet, play):
            return
        note = _("DD {n}, Flink {flink}").format(n=play.defence_dice(sheet), flink=play.flink(sheet))
        if play.threat is None:
            yield cls.offer(note=note)
        else:
            yield cls.offer(_("Defend: roll the dice"), note=note, attack_dice=play.threat)

    def roll(self, sheet: "BattleDice", play: "BattleDicePlay") -> Roll:
        """Return the roll of all dice."""
        require_phase(play, "enemy")
        return battle_roll(self.attack_dice, play.defence_dice(sheet) + self.change, play.flink(sheet))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Store the dice, to which Flink can still be added, and the damage to be blocked."""
        dice = {"attackers": outcome.figures["attack"], "defenders": outcome.figures["defence"]}
        return receive_damage(sheet, play.evolve(**dice), outcome.value)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return whether the opponent hits."""
        return str(_("Hit by the opponent") if play.coming else _MISSED)


class Damage(Act):
    """BD-14, BD-16: take damage that was rolled elsewhere, or that an effect does to the mage."""

    points: Count = field(_("How much damage?"))
    effect: bool = field(_("By an effect"), default=False)
    guardian: Count | None = field(_("Steel Guardian"), None)
    title, rules, group = _("Take damage"), ("BD-14", "BD-16", "BD-24"), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer the damage of an attack in the opponent's turn, and that of an effect at any time."""
        if play.phase == "enemy" and (play.threat is None or exceeds_dice_limits(sheet, play)) and not play.blows:
            yield cls.offer(_("Enter the opponent's damage"), effect=False, guardian=None)
        if play.is_playing:
            yield cls.offer("", "effect", _("to yourself, by an effect"), rare=play.phase in BATTLE_PHASES,
                            effect=True, guardian=None)
            for index, title in guardian_titles(sheet, play, cls.title):
                yield cls.offer(title, f"avatars.{index}.guardian", _("to yourself, by an effect"), rare=True,
                                effect=True, guardian=index)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Store the damage to be blocked; that of an effect hits the mage at once."""
        if not self.effect:
            require_phase(play, "enemy")
            return receive_damage(sheet, play, self.points)
        play, points = apply_guardian(sheet, play, self.guardian, self.points)
        play = play.count_suffered(points).damage_mage(points)
        # Heilung after the battle dice may still save the guardian (BD-18).
        return play if play.phase in BATTLE_PHASES[1:] else play.remove_dead_avatars(sheet)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the damage to be blocked, or the life left."""
        if self.effect:
            points = max(0, self.points - (self.guardian is not None))
            return _("{n} damage, life {left}").format(n=points, left=play.life)
        return _("{damage} coming at you").format(damage=rolls.DAMAGE_LABEL.format(n=play.coming)) \
            if play.coming else str(_MISSED)


class NoAttack(Act):
    """BD-14: the opponent skips the Battle Dice Phase."""

    title, rules, group = _("The opponent does not attack"), ("BD-14",), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it in the opponent's turn; in a game of two, the opponent's act does it."""
        if play.phase == "enemy" and not play.versus:
            yield cls.offer()

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """End the opponent's turn."""
        require_phase(play, play.waiting_phase)
        return play.evolve(phase="end", suffered=0)


class Aimed(Act):
    """BD-17: damage that the opponent aims at an avatar, before anyone blocks."""

    target: Count = field(_("Which avatar?"))
    points: Count = field(_("How much of the damage?"), least=1)
    title, rules, group = _("Zielsuchend at an avatar"), ("BD-17",), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while damage can be aimed at an avatar; in a game of two, the opponent aims."""
        if play.phase == "block" and play.avatars and not play.versus:
            yield cls.offer(among={"target": dict(enumerate(avatar_names(play)))})

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Mark the damage on the avatar, which Heilung may still save."""
        require_phase(play, "block")
        row(play.avatars, self.target)
        if not 0 < self.points <= play.coming:
            raise Refused(_("{n} damage is coming; 1 to {n} of it can be aimed.").format(n=play.coming))
        return skip_needless_healing(play.damage_avatar(self.target, self.points).assign_damage(self.points))

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the damage of the avatar, and the damage still coming."""
        return _("{card} takes {n}, {coming} still coming").format(
            card=play.avatars[self.target].card, n=self.points, coming=play.coming)


class AimedAtMage(Act):
    """BD-17: damage that the opponent aims at the mage, past all avatars."""

    points: Count = field(_("How much of the damage?"), least=1)
    title, rules, group = _("Zielsuchend at yourself"), ("BD-17",), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while avatars could block the damage; in a game of two, the opponent aims."""
        if play.phase == "block" and play.avatars and not play.versus:
            yield cls.offer()

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Take the damage."""
        require_phase(play, "block")
        if not 0 < self.points <= play.coming:
            raise Refused(_("{n} damage is coming; 1 to {n} of it can be aimed.").format(n=play.coming))
        return skip_needless_healing(play.assign_damage(self.points).damage_mage(self.points))

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the life left."""
        return _("{n} damage, life {left}").format(n=self.points, left=play.life)


class Block(Act):
    """BD-16: an avatar takes damage until it has no life or no damage is left."""

    index: Count = field(_("Avatar"))
    title, rules, group = _("Block"), ("BD-16",), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it for each avatar with life left."""
        if play.phase == "block":
            for index, name in enumerate(avatar_names(play)):
                if left := play.life_left(sheet, play.avatars[index]):
                    yield cls.offer(_("Block with {card}").format(card=name), f"avatars.{index}",
                                    _("Life {n}").format(n=left), index=index)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Mark as much damage on the avatar as it has life."""
        require_phase(play, "block")
        points = min(play.coming, play.life_left(sheet, row(play.avatars, self.index)))
        if not points:
            raise Refused(_("That avatar has no life left to block with."))
        return skip_needless_healing(play.damage_avatar(self.index, points).assign_damage(points))

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the avatar, and the damage still coming."""
        return _("{card} blocks, {coming} still coming").format(card=play.avatars[self.index].card, coming=play.coming)


class TakeRest(Act):
    """BD-16: the mage takes the damage that is not blocked."""

    title, rules, group = _("Take the rest yourself"), ("BD-16",), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while damage is to be blocked."""
        if play.phase == "block":
            yield cls.offer(note=rolls.DAMAGE_LABEL.format(n=play.coming))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Take all of the damage; without life left, the game is lost."""
        require_phase(play, "block")
        points = play.coming
        return skip_needless_healing(play.assign_damage(points)).damage_mage(points)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the life left."""
        return _("Not blocked, life {left}").format(left=play.life)


class NextTurn(Act):
    """BD-11: begin the player's own turn."""

    title, rules, group = _("Start your turn"), ("BD-11", "BD-14"), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it at the end of the opponent's turn."""
        if play.phase == "end" and not play.blows:
            yield cls.offer()

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Begin with the Zeitchaosphase."""
        require_phase(play, "end")
        return play.begin_turn()

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return life and time mana."""
        return _("Your turn: life {life}, {mana} time mana").format(life=play.life, mana=play.mana)
