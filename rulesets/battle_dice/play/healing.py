"""After the damage: Heilung, then the dead leave the table (BD-16, BD-18)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import headings, rolls
from rulesets.battle_dice.play.fight import named
from rulesets.battle_dice.play.state import THERE
from rulesets.battle_dice.play.turn import in_phase
from rulesets.kit import Act, Count, Offer, Play, Refused, Roll, Thrown, field, row

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice


class RollHeilung(Act):
    """BD-18: a die for each Heilung, each even one a mark."""

    title, rules, group = _("Roll Heilung"), ("BD-18",), headings.ENEMY
    fallen_while = ("phase",)

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it once, while there is Heilung."""
        if play.phase == "heal" and not play.blows and play.marks is None and play.heals(sheet):
            yield cls.asking(note=f"{rolls.Heal.title} {play.heals(sheet)}")

    def roll(self, sheet: "BattleDice", play: "BattleDicePlay") -> Roll:
        """All dice at once."""
        in_phase(play, "heal")
        return rolls.Heal(dice=play.heals(sheet))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """The marks are to be taken off."""
        return play.with_(marks=outcome.value)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how many marks there are."""
        return rolls.Heal.unit.format(n=play.marks)


class RemoveMark(Act):
    """BD-18: a damage mark goes."""

    index: Count = field(_("Avatar"))
    title, rules, group = _("Remove a damage mark"), ("BD-18",), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer one for each avatar with marks."""
        if play.phase == "heal" and play.marks:
            yield from (cls.asking(_("Heal {card}").format(card=name), f"avatars.{index}", index=index)
                        for index, name in enumerate(named(play)) if play.avatars[index].damage)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """One mark less, here and of what may be removed."""
        avatar = row(play.avatars, self.index)
        if not play.marks or not avatar.damage:
            raise Refused(_("No mark can be removed there now."))
        return play.with_avatar(self.index, damage=avatar.damage - 1).with_(marks=play.marks - 1)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how much life it has now."""
        return _("Life {n}").format(n=play.left(sheet, play.avatars[self.index]))


class Settle(Act):
    """BD-16, BD-18: after Heilung avatars at 0 life die, and pay their Seelenernte."""

    title, rules, group = _("Settle who dies"), ("BD-16", "BD-18", "BD-20"), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it once all damage is dealt; it names those that die."""
        if play.phase == "heal" and not play.blows:
            dead = [name for name, one in zip(named(play), play.avatars, strict=True) if not play.left(sheet, one)]
            yield cls.asking(_("Settle who dies: {cards}").format(cards=", ".join(dead)) if dead else "")

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """The dead leave the table."""
        in_phase(play, "heal")
        return play.settled(sheet).with_(phase="end", marks=None)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how many avatars are still in play, and how much time mana is left."""
        return THERE.format(n=len(play.avatars), mana=play.mana)
