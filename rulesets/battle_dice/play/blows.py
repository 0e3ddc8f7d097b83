"""Effects on the other one of two at a table: damage that is dealt and taken, frost (BD-24 to BD-26)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import headings, rolls
from rulesets.battle_dice.play.effects import price, usable
from rulesets.battle_dice.play.fight import after, named
from rulesets.battle_dice.play.guarding import guarded, guardians
from rulesets.battle_dice.play.phases import OWN
from rulesets.battle_dice.play.state import MAGE, Blow
from rulesets.kit import Act, Count, Name, Offer, Play, Refused, Thrown, field

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice

SNOWBALL = "Schneeballschlacht"


def standing(play: "BattleDicePlay", target: str) -> int | None:
    """The index of an avatar by its name in play, None for the mage (`Refused` where it is gone)."""
    if target == MAGE:
        return None
    names = named(play)
    if target not in names:
        raise Refused(_("{card} is no longer there.").format(card=target))
    return names.index(target)


def hit(sheet: "BattleDice", play: "BattleDicePlay", target: str, points: int) -> "BattleDicePlay":
    """Damage that arrives: it waits where a Steel Guardian could take some of it, else it is dealt."""
    blow = Blow(target=target, points=points)
    if play.blows or any(True for _one in guardians(sheet, play, "")):
        return play.with_(blows=[*play.blows, blow])
    return taken(sheet, play, blow, None)


def taken(sheet: "BattleDice", play: "BattleDicePlay", blow: Blow, guardian: int | None) -> "BattleDicePlay":
    """Return the state once that damage is dealt; an avatar that is gone meanwhile takes it along."""
    if blow.target != MAGE and blow.target not in named(play):
        return play
    index = standing(play, blow.target)
    play, points = guarded(sheet, play, guardian, blow.points)
    play = play.suffering(points)
    play = play.hurt(points) if index is None else play.struck(index, points)
    # While the battle dice's damage is dealt, Heilung may still save an avatar (BD-18).
    return after(play) if play.phase in ("quick", "aimed", "block", "heal") else play.settled(sheet)


class Hit(Act):
    """BD-24, BD-26: an effect of the other one deals damage."""

    target: Name = field(_("At whom?"))
    points: Count = field(_("How much damage?"))
    title, rules, group = _("An effect of the other one"), ("BD-24", "BD-26"), headings.ENEMY

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """It waits for a Steel Guardian that there may be."""
        standing(play, self.target)
        return hit(sheet, play, self.target, self.points)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how much damage it is, and to whom."""
        return _("{n} damage to {target}").format(n=self.points, target=play.in_words(self.target))


class TakeHit(Act):
    """BD-17, BD-24: damage that waits is taken, with a Steel Guardian or without."""

    guardian: Count | None = field(_("Steel Guardian"), None)
    title, rules, group = _("Take the damage"), ("BD-24",), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while there is some; one for each that could take 1 of it."""
        if play.playing and play.blows:
            blow = play.blows[0]
            note = _("{n} damage to {target}").format(n=blow.points, target=play.in_words(blow.target))
            yield cls.asking("", "", note, guardian=None)
            yield from (cls.asking(title, f"avatars.{index}.guardian", note, guardian=index)
                        for index, title in guardians(sheet, play, cls.title))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Dealt, and what follows from it."""
        if not play.blows:
            raise Refused(_("No damage waits there now."))
        return taken(sheet, play.with_(blows=play.blows[1:]), play.blows[0], self.guardian)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how much life is left."""
        return _("Life {n}").format(n=play.life)


class Deal(Act):
    """BD-24, BD-26: what reactions let one deal finds the aim that one chooses."""

    target: Name = field(_("At whom?"))
    points: Count = field(_("How much damage?"), least=1, start=1)
    jab: bool = field(_("To avatars alone"), default=False)
    title, rules, group = _("Deal damage"), ("BD-24", "BD-26"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while there is some to deal, until the next turn."""
        if play.versus and play.playing and play.jabs:
            yield cls.asking("Attack of Opportunity", "jab", rolls.DAMAGE.format(n=1), points=1, jab=True)
        if play.versus and play.playing and play.dealing:
            yield cls.asking("Schlechter Witz", "joke", rolls.DAMAGE.format(n=play.dealing), jab=False)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """So much less to deal."""
        most = 1 if self.jab and play.jabs else 0 if self.jab else play.dealing
        if not 0 < self.points <= most or (self.jab and self.target == MAGE):
            raise Refused(_("There is no damage to deal in that way now."))
        return play.with_(jabs=play.jabs - 1) if self.jab else play.with_(dealing=play.dealing - self.points)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how much damage it is, and to whom."""
        return _("{n} damage to {target}").format(n=self.points, target=play.in_words(self.target))


def throwers(sheet: "BattleDice", play: "BattleDicePlay") -> dict[int, int]:
    """Return {index: cost} of the avatars that can throw a snowball now."""
    if not play.versus or play.phase not in OWN or play.crowded:
        return {}
    found = {index: price(sheet, play, index, effect, 0) for index, effect in usable(sheet, play)
             if index is not None and effect.name == SNOWBALL}
    return {index: cost for index, cost in found.items() if cost <= play.mana}


class Snowball(Act):
    """BD-25: a frost token on an avatar of the other one."""

    avatar: Count = field(_("Avatar"))
    target: Name = field(_("At whom?"))
    title, rules, group = SNOWBALL, ("BD-25",), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it in one's own turn of a game of two, for each that can throw and be paid."""
        for index, cost in throwers(sheet, play).items():
            yield cls.asking(f"{named(play)[index]}: {SNOWBALL}", f"avatars.{index}",
                             _("{cost} mana").format(cost=cost), avatar=index)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Paid, and counted among one's own."""
        if (cost := throwers(sheet, play).get(self.avatar)) is None:
            raise Refused(_("{effect} cannot be used now.").format(effect=SNOWBALL))
        return play.richer(-cost).with_(frost=play.frost + 1, fresh=play.fresh + (play.phase == "chaos"))

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say who was frozen, and how much time mana is left."""
        return _("{target}: frost token; {n} time mana left").format(target=self.target, n=play.mana)


class Freeze(Act):
    """BD-25: a frost token of the other one."""

    target: Name = field(_("Avatar"))
    fresh: bool = field(_("Thrown in their Zeitchaosphase"), default=False)
    title, rules, group = _("A frost token of the other one"), ("BD-25",), headings.ENEMY

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """One more on it."""
        if (index := standing(play, self.target)) is None:
            return play
        there = play.avatars[index]
        return play.with_avatar(index, frost=there.frost + 1, fresh=there.fresh + self.fresh)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say on whom."""
        return self.target


class Thaw(Act):
    """BD-25: the last Snowbuddies of the other one has left the table, and with it the frost."""

    title, rules, group = _("The frost is gone"), ("BD-25",), headings.ENEMY

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """No token is left."""
        return play.with_(avatars=[one.model_copy(update={"frost": 0, "fresh": 0}) for one in play.avatars])

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say why."""
        return str(_("the other one has no Snowbuddies any more"))


class Thawing(Act):
    """BD-25: the Zeitchaosphase of the other one is over, and with it the frost of their earlier turns."""

    title, rules, group = _("Frost melts"), ("BD-25",), headings.ENEMY

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Leave what was thrown in that phase until the next one is over."""
        return play.with_(avatars=[one.melted() for one in play.avatars])

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say why."""
        return str(_("the Zeitchaosphase of the other one is over"))
