"""Effects on the opponent in a game of two: damage dealt and taken, frost (BD-24 to BD-26)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import headings, rolls
from rulesets.battle_dice.play.effects import active_effects, effect_cost
from rulesets.battle_dice.play.enemy_turn import avatar_names, skip_needless_healing
from rulesets.battle_dice.play.guardians import apply_guardian, guardian_titles
from rulesets.battle_dice.play.phases import OWN_PHASES
from rulesets.battle_dice.play.state import MAGE_TARGET, PendingDamage
from rulesets.kit import Act, Count, Name, Offer, Play, Refused, Thrown, field

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice

SNOWBALL = "Schneeballschlacht"


def require_target(play: "BattleDicePlay", target: str) -> int | None:
    """Return the index of an avatar by its name, None for the mage. Raise Refused if there is no such avatar."""
    if target == MAGE_TARGET:
        return None
    names = avatar_names(play)
    if target not in names:
        raise Refused(_("{card} is no longer there.").format(card=target))
    return names.index(target)


def receive_hit(sheet: "BattleDice", play: "BattleDicePlay", target: str, points: int) -> "BattleDicePlay":
    """Return the state after an effect's damage arrives; it waits if a Steel Guardian could take some of it."""
    blow = PendingDamage(target=target, points=points)
    if play.blows or any(True for _one in guardian_titles(sheet, play, "")):
        return play.evolve(blows=[*play.blows, blow])
    return take_damage(sheet, play, blow, None)


def take_damage(sheet: "BattleDice", play: "BattleDicePlay", blow: PendingDamage,
                guardian: int | None) -> "BattleDicePlay":
    """Return the state after damage is dealt; nothing happens if its target has left the table meanwhile."""
    if blow.target != MAGE_TARGET and blow.target not in avatar_names(play):
        return play
    index = require_target(play, blow.target)
    play, points = apply_guardian(sheet, play, guardian, blow.points)
    play = play.count_suffered(points)
    play = play.damage_mage(points) if index is None else play.damage_avatar(index, points)
    if play.phase in ("quick", "aimed", "block", "heal"):
        # Heilung may still save an avatar (BD-18).
        return skip_needless_healing(play)
    return play.remove_dead_avatars(sheet)


class Hit(Act):
    """BD-24, BD-26: an effect of the opponent deals damage."""

    target: Name = field(_("At whom?"))
    points: Count = field(_("How much damage?"))
    title, rules, group = _("Your opponent's effect"), ("BD-24", "BD-26"), headings.ENEMY

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Deal the damage, or let it wait for a Steel Guardian."""
        require_target(play, self.target)
        return receive_hit(sheet, play, self.target, self.points)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the damage and its target."""
        return _("{n} damage to {target}").format(n=self.points, target=play.target_label(self.target))


class TakeHit(Act):
    """BD-17, BD-24: take pending damage, with or without a Steel Guardian."""

    guardian: Count | None = field(_("Steel Guardian"), None)
    title, rules, group = _("Take the damage"), ("BD-24",), headings.ENEMY

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it for the first pending damage: without a Steel Guardian, and once with each."""
        if play.is_playing and play.blows:
            blow = play.blows[0]
            note = _("{n} damage to {target}").format(n=blow.points, target=play.target_label(blow.target))
            yield cls.offer("", "", note, guardian=None)
            yield from (cls.offer(title, f"avatars.{index}.guardian", note, guardian=index)
                        for index, title in guardian_titles(sheet, play, cls.title))

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Deal the damage."""
        if not play.blows:
            raise Refused(_("No damage is waiting there now."))
        return take_damage(sheet, play.evolve(blows=play.blows[1:]), play.blows[0], self.guardian)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the life left."""
        return _("Life {n}").format(n=play.life)


class Deal(Act):
    """BD-24, BD-26: deal the damage of reactions to a target of the player's choice."""

    target: Name = field(_("At whom?"))
    points: Count = field(_("How much damage?"), least=1, start=1)
    jab: bool = field(_("To avatars only"), default=False)
    title, rules, group = _("Deal damage"), ("BD-24", "BD-26"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it while there is damage to deal, until the next turn."""
        if play.versus and play.is_playing and play.jabs:
            yield cls.offer("Attack of Opportunity", "jab", rolls.DAMAGE_LABEL.format(n=1), points=1, jab=True)
        if play.versus and play.is_playing and play.dealing:
            yield cls.offer("Schlechter Witz", "joke", rolls.DAMAGE_LABEL.format(n=play.dealing), jab=False)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Count the damage as dealt; Crossing forwards it to the opponent."""
        most = 1 if self.jab and play.jabs else 0 if self.jab else play.dealing
        if not 0 < self.points <= most or (self.jab and self.target == MAGE_TARGET):
            raise Refused(_("There is no damage to deal that way now."))
        return play.evolve(jabs=play.jabs - 1) if self.jab else play.evolve(dealing=play.dealing - self.points)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the damage and its target."""
        return _("{n} damage to {target}").format(n=self.points, target=play.target_label(self.target))


def snowball_costs(sheet: "BattleDice", play: "BattleDicePlay") -> dict[int, int]:
    """Return {index: cost} of the avatars that can throw a snowball now."""
    if not play.versus or play.phase not in OWN_PHASES or play.is_crowded:
        return {}
    costs = {index: effect_cost(sheet, play, index, effect, 0) for index, effect in active_effects(sheet, play)
             if index is not None and effect.name == SNOWBALL}
    return {index: cost for index, cost in costs.items() if cost <= play.mana}


class Snowball(Act):
    """BD-25: throw a frost token onto an avatar of the opponent."""

    avatar: Count = field(_("Avatar"))
    target: Name = field(_("At whom?"))
    title, rules, group = SNOWBALL, ("BD-25",), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer it for each avatar that can throw one."""
        for index, cost in snowball_costs(sheet, play).items():
            yield cls.offer(f"{avatar_names(play)[index]}: {SNOWBALL}", f"avatars.{index}",
                            _("{cost} mana").format(cost=cost), avatar=index)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Pay the cost, and count the token."""
        if (cost := snowball_costs(sheet, play).get(self.avatar)) is None:
            raise Refused(_("{effect} cannot be used now.").format(effect=SNOWBALL))
        return play.add_mana(-cost).evolve(frost=play.frost + 1, fresh=play.fresh + (play.phase == "chaos"))

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the target and the time mana left."""
        return _("{target}: frost token; {n} time mana left").format(target=self.target, n=play.mana)


class Freeze(Act):
    """BD-25: receive a frost token of the opponent on an avatar."""

    target: Name = field(_("Avatar"))
    fresh: bool = field(_("Thrown in their Zeitchaosphase"), default=False)
    title, rules, group = _("Your opponent's frost token"), ("BD-25",), headings.ENEMY

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Add the token."""
        if (index := require_target(play, self.target)) is None:
            return play
        avatar = play.avatars[index]
        return play.with_avatar(index, frost=avatar.frost + 1, fresh=avatar.fresh + self.fresh)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the avatar."""
        return self.target


class Thaw(Act):
    """BD-25: all frost ends, because the last Snowbuddies of the opponent has left the table."""

    title, rules, group = _("The frost is gone"), ("BD-25",), headings.ENEMY

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Remove all frost tokens."""
        return play.evolve(avatars=[avatar.model_copy(update={"frost": 0, "fresh": 0}) for avatar in play.avatars])

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the reason."""
        return str(_("the opponent has no Snowbuddies left"))


class Thawing(Act):
    """BD-25: the frost of earlier turns ends with the opponent's Zeitchaosphase."""

    title, rules, group = _("Frost melts"), ("BD-25",), headings.ENEMY

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Remove the tokens, except those thrown in that phase."""
        return play.evolve(avatars=[avatar.melt_frost() for avatar in play.avatars])

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the reason."""
        return str(_("the opponent's Zeitchaosphase is over"))
