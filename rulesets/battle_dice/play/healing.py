"""Heilung after the damage, and the death of avatars (BD-16, BD-18)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import headings, rolls
from rulesets.battle_dice.play.enemy_turn import avatar_names
from rulesets.battle_dice.play.own_turn import require_phase
from rulesets.battle_dice.play.state import IN_PLAY
from rulesets.kit import Act, Count, Offer, Play, Refused, Roll, Thrown, field, row

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice


class RollHeilung(Act):
    """BD-18: roll a die for each point of Heilung; each even one removes a damage mark."""

    title, rules, group = _("Roll Heilung"), ("BD-18",), headings.ENEMY
    same_throw_while = ("phase",)

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it once, if there are dice of Heilung."""
        if play.phase == "heal" and not play.blows and play.marks is None and play.heilung_dice(sheet):
            yield cls.offer(note=f"{rolls.Heal.title} {play.heilung_dice(sheet)}")

    def roll(self, sheet: "BattleDice", play: "BattleDicePlay") -> Roll:
        """Return the roll of all dice at once."""
        require_phase(play, "heal")
        return rolls.Heal(dice=play.heilung_dice(sheet))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Store the number of marks that may be removed."""
        return play.evolve(marks=outcome.value)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the number of marks."""
        return rolls.Heal.unit.format(n=play.marks)


class RemoveMark(Act):
    """BD-18: remove a damage mark from an avatar."""

    index: Count = field(_("Avatar"))
    title, rules, group = _("Remove a damage mark"), ("BD-18",), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it for each avatar with damage marks."""
        if play.phase == "heal" and play.marks:
            yield from (cls.offer(_("Heal {card}").format(card=name), f"avatars.{index}", index=index)
                        for index, name in enumerate(avatar_names(play)) if play.avatars[index].damage)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Remove the mark, and count it."""
        avatar = row(play.avatars, self.index)
        if not play.marks or not avatar.damage:
            raise Refused(_("No mark can be removed there now."))
        return play.with_avatar(self.index, damage=avatar.damage - 1).evolve(marks=play.marks - 1)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the life of the avatar."""
        return _("Life {n}").format(n=play.life_left(sheet, play.avatars[self.index]))


class Settle(Act):
    """BD-16, BD-18: after Heilung, avatars without life die and pay their Seelenernte."""

    title, rules, group = _("See who dies"), ("BD-16", "BD-18", "BD-20"), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it once all damage is dealt; the title names the avatars that die."""
        if play.phase == "heal" and not play.blows:
            dead = [name for name, avatar in zip(avatar_names(play), play.avatars, strict=True)
                    if not play.life_left(sheet, avatar)]
            yield cls.offer(_("See who dies: {cards}").format(cards=", ".join(dead)) if dead else "")

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Remove the dead avatars."""
        require_phase(play, "heal")
        return play.remove_dead_avatars(sheet).evolve(phase="end", marks=None)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the avatars in play and the time mana."""
        return IN_PLAY.format(n=len(play.avatars), mana=play.mana)
