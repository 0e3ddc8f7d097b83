"""Effects of cards and of the mage: active effects for time mana, reactions from the hand (BD-21 to BD-26)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import battles, headings
from rulesets.battle_dice.keywords import Effect, X
from rulesets.battle_dice.play.enemy_turn import avatar_names, skip_needless_healing
from rulesets.battle_dice.play.guardians import ALLEIN_IM_NORDEN, can_add_flink, frost_surcharge
from rulesets.battle_dice.play.own_turn import ManaPaid, require_in_hand
from rulesets.battle_dice.play.phases import OWN_PHASES
from rulesets.battle_dice.play.state import CAKES_TO_WIN
from rulesets.kit import HIGHEST, Act, Count, Name, Offer, Play, Refused, Thrown, field

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice

DEFENCE_PHASES = ("enemy", "block", "heal")


@dataclass(frozen=True)
class EffectUse:
    """The use of an active effect: the phases that allow it, and the change that it makes."""

    phases: tuple[str, ...]
    change: Callable[[Any, Any, Any], Any]
    """A function (play, index of the avatar, mana paid for X) that returns the new state."""
    condition: Callable[[Any], bool] = lambda play: True
    """A further condition on the state of play."""

    def is_usable(self, play: "BattleDicePlay") -> bool:
        """Return True if the effect can be used now."""
        return play.phase in self.phases and self.condition(play)


def _add_defence_dice(play: "BattleDicePlay", _index: Any, paid: int) -> "BattleDicePlay":
    return play.evolve(guard=play.guard + paid)


def _add_zielsuchend(play: "BattleDicePlay", _index: Any, _paid: int) -> "BattleDicePlay":
    return play.evolve(homing=play.homing + 1)


def _add_heilung(play: "BattleDicePlay", _index: Any, _paid: int) -> "BattleDicePlay":
    return play.evolve(healing=play.healing + 1)


def _add_flink(play: "BattleDicePlay", _index: int, paid: int) -> "BattleDicePlay":
    return play.evolve(nimble=play.nimble + paid)


def _can_still_add_flink(play: "BattleDicePlay") -> bool:
    """Return True before the roll, and after it as long as no damage has been assigned."""
    return play.phase == "enemy" or bool(play.defenders and not play.suffered)


def _use_guardian(play: "BattleDicePlay", index: int, _paid: int) -> "BattleDicePlay":
    play = play.evolve(coming=play.coming - 1).damage_avatar(index, 1).count_suffered(1)
    return skip_needless_healing(play if play.coming else play.evolve(phase="heal"))


def _throw_snowball(play: "BattleDicePlay", _index: int, _paid: int) -> "BattleDicePlay":
    return play.evolve(frost=play.frost + 1, fresh=play.fresh + (play.phase == "chaos"))


def _bake_cake(play: "BattleDicePlay", index: int, _paid: int) -> "BattleDicePlay":
    cakes = play.avatars[index].cakes + 1
    play = play.with_avatar(index, cakes=cakes)
    return play.evolve(phase="won") if cakes >= CAKES_TO_WIN else play.end_turn()


MAGE_EFFECTS = (
    Effect(kind="active", name="Shield", cost=X, text=""),
    Effect(kind="active", name="Magic Missile", cost=2, text=""),
    Effect(kind="active", name="Heal", cost=2, text=""),
)
"""The active effects of every mage (BD-22)."""
ACTIVE_EFFECTS = {
    "Shield": EffectUse(("enemy",), _add_defence_dice),
    "Magic Missile": EffectUse(("battle", "aim", "enemy"), _add_zielsuchend,
                               lambda play: play.phase in ("battle", "aim") or play.inflicted > 0),
    "Heal": EffectUse(DEFENCE_PHASES, _add_heilung, lambda play: play.marks is None),
    "Steel Guardian": EffectUse(("block",), _use_guardian),
    "Schneeballschlacht": EffectUse(OWN_PHASES, _throw_snowball),
    "Kuchenbäcker": EffectUse(("battle",), _bake_cake),
    ALLEIN_IM_NORDEN: EffectUse(("enemy", "quick", "block"), _add_flink, _can_still_add_flink),
}
"""{listed active effect: its use}."""
AIMED_EFFECTS = frozenset({"Schneeballschlacht"})
"""Effects on an opposing avatar, which are acts of their own in a game of two."""
CUSTOM_EFFECT = EffectUse((*OWN_PHASES, "aim", "wait", "quick", "aimed", *DEFENCE_PHASES, "end"),
                          lambda play, _index, _paid: play)
"""The use of a custom card's effect: it is paid and announced, and the players do the rest."""


class UseActive(Act):
    """BD-21, BD-22: use an active effect of an avatar or of the mage, which is paid each time."""

    effect: Name = field(_("Effect"))
    avatar: Count | None = field(_("Avatar"), None)
    paid: ManaPaid = field(_("How much time mana do you pay?"))
    title, rules, group = _("Use an active effect"), ("BD-21", "BD-22", "BD-24", "BD-25", "BD-26"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer each affordable effect; for one that costs X, the player enters the amount."""
        if not play.is_playing or play.is_crowded:
            return
        for index, effect in active_effects(sheet, play):
            cost = effect_cost(sheet, play, index, effect, 1)
            if play.versus and effect.name in AIMED_EFFECTS:
                continue
            if cost <= play.mana and ACTIVE_EFFECTS.get(effect.name, CUSTOM_EFFECT).is_usable(play):
                prefix = "" if index is None else f"avatars.{index}."
                title = effect.label if index is None else f"{avatar_names(play)[index]}: {effect.label}"
                filled: dict[str, Any] = {} if effect.cost == X else {"paid": cost}
                note = _cost_label(cost) if filled else _cost_label(_x_cost(frost_surcharge(sheet, play, index)))
                yield cls.offer(title, f"{prefix}{effect.name}".replace(" ", "-"), note, effect=effect.name,
                                avatar=index, **filled)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Pay the cost, and apply the effect."""
        effect = next((one for index, one in active_effects(sheet, play)
                       if (index, one.name) == (self.avatar, self.effect)), None)
        use = ACTIVE_EFFECTS.get(self.effect, CUSTOM_EFFECT)
        if effect is None or not use.is_usable(play) or (play.versus and self.effect in AIMED_EFFECTS):
            raise Refused(_("{effect} cannot be used now.").format(effect=self.effect))
        cost = effect_cost(sheet, play, self.avatar, effect, self.paid)
        if cost > play.mana:
            raise Refused(_("{effect} costs {cost} time mana; you have {mana}.").format(
                effect=self.effect, cost=cost, mana=play.mana))
        after = use.change(play.add_mana(-cost), self.avatar, self.paid)
        is_late = after.nimble > play.nimble and after.phase in ("quick", "block")
        return apply_late_flink(sheet, after) if is_late else after

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the time mana left, and the result."""
        if self.effect == "Magic Missile" and play.phase == "enemy":
            return _("up to {n} damage may be aimed; the opponent's turn").format(n=play.zielsuchend(sheet))
        if play.phase in ("quick", "aimed", "block"):
            return _("{coming} damage still coming, {n} time mana left").format(coming=play.coming, n=play.mana)
        return _("{n} time mana left").format(n=play.mana)


def apply_late_flink(sheet: "BattleDice", play: "BattleDicePlay") -> "BattleDicePlay":
    """Return the state after Flink was added to dice already rolled, with its best use (BD-15)."""
    attack, defence = tuple(play.attackers), tuple(play.defenders)
    if not (coming := battles.damage(attack, battles.raise_defence(attack, defence, play.flink(sheet)))):
        return skip_needless_healing(play.evolve(coming=0, phase="heal"))
    play = play.evolve(coming=coming)
    return play.evolve(phase="aimed") if play.phase == "quick" and not can_add_flink(sheet, play) else play


def active_effects(sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[tuple[int | None, Effect]]:
    """Yield (index of the avatar, active effect), with None for the mage; avatars without life left have none."""
    yield from ((None, effect) for effect in MAGE_EFFECTS)
    for index, avatar in enumerate(play.avatars):
        if play.life_left(sheet, avatar):
            yield from ((index, one) for one in play.avatar_card(sheet, avatar).card_effects if one.kind == "active")


def effect_cost(sheet: "BattleDice", play: "BattleDicePlay", index: int | None, effect: Effect, paid: int) -> int:
    """Return the cost of an effect with the surcharge for frost; `paid` takes the place of X."""
    return (paid if isinstance(effect.cost, str) else effect.cost or 0) + frost_surcharge(sheet, play, index)


def _x_cost(surcharge: int) -> str:
    return f"{X} + {surcharge}" if surcharge else X


def _cost_label(cost: int | str) -> str:
    return str(_("{cost} mana").format(cost=cost or 0))


LOCKDOWN, ATTACK_OF_OPPORTUNITY = "Lockdown", "Attack of Opportunity"
FRIEND, SCHLECHTER_WITZ = "Dann bau ich mir einfach meinen Freund", "Schlechter Witz"
REACTION_PHASES = {
    LOCKDOWN: ("enemy",), ATTACK_OF_OPPORTUNITY: ("end",), FRIEND: ("end",), SCHLECHTER_WITZ: ("heal", "end"),
}
"""{listed reaction: the phases in which it can be used}."""
REACTIONS_TO_DAMAGE = (ATTACK_OF_OPPORTUNITY, SCHLECHTER_WITZ)
"""The reactions to damage suffered."""
DISCARDING_REACTIONS = (FRIEND, SCHLECHTER_WITZ)
"""The reactions that discard their card."""
FRIEND_MANA = 2
"""The time mana that Snowbuddies give when discarded (BD-25)."""


def half_rounded_up(number: int) -> int:
    """Return half of a number, rounded up."""
    return -(-number // 2)


class React(Act):
    """BD-21: use a reaction of a card in hand, which is shown to the opponent; each copy can be used once a turn."""

    card: Name = field(_("Card"))
    effect: Name = field(_("Effect"))
    paid: ManaPaid = field(_("How much time mana do you pay?"), 0)
    title, rules, group = _("React"), ("BD-21", "BD-23", "BD-24", "BD-25", "BD-26"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer each reaction in hand that is possible and affordable."""
        if not play.is_playing or play.is_crowded:
            return
        for name in dict.fromkeys(play.hand):
            for effect in sheet.card_named(name).card_effects:
                cost = effect_cost(sheet, play, None, effect, 0)
                if effect.kind == "reaction" and cls.is_possible(play, name, effect.name) and cost <= play.mana:
                    key = f"hand.{play.hand.index(name)}.{effect.name}".replace(" ", "-")
                    filled: dict[str, Any] = {} if effect.cost == X else {"paid": cost}
                    yield cls.offer(f"{name}: {effect.label}", key, _cost_label(effect.cost) if effect.cost else "",
                                    card=name, effect=effect.name, **filled)

    @staticmethod
    def is_possible(play: "BattleDicePlay", card: str, effect: str) -> bool:
        """Return True if the phase is right, required damage was suffered, and a listed card has an unused copy."""
        in_phase = play.phase in REACTION_PHASES.get(effect, CUSTOM_EFFECT.phases)
        has_copy = effect not in REACTION_PHASES or play.reacted.count(effect) < play.hand.count(card)
        return in_phase and has_copy and (play.suffered > 0 or effect not in REACTIONS_TO_DAMAGE)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Pay the cost, and apply the effect as far as it concerns this side."""
        require_in_hand(play, self.card)
        if not self.is_possible(play, self.card, self.effect):
            raise Refused(_("{effect} cannot be used now.").format(effect=self.effect))
        effect = next((one for one in sheet.card_named(self.card).card_effects
                       if (one.kind, one.name) == ("reaction", self.effect)), None)
        cost = effect_cost(sheet, play, None, effect, self.paid) if effect else 0
        if cost > play.mana:
            raise Refused(_("{effect} costs {cost} time mana; you have {mana}.").format(
                effect=self.effect, cost=cost, mana=play.mana))
        play = play.add_mana(-cost)
        if self.effect in DISCARDING_REACTIONS:
            play = play.discard_card(self.card)
        else:
            play = play.evolve(reacted=[*play.reacted, self.effect])
        if self.effect == LOCKDOWN:
            play = play.evolve(guard=play.guard + 1)
        if play.versus and self.effect == ATTACK_OF_OPPORTUNITY:
            play = play.evolve(jabs=play.jabs + 1)
        if play.versus and self.effect == SCHLECHTER_WITZ:
            play = play.evolve(dealing=min(HIGHEST, play.dealing + half_rounded_up(play.suffered)))
        return play.add_mana(FRIEND_MANA if self.effect == FRIEND else 0)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Return the result."""
        text = {
            LOCKDOWN: _("1 more DD"), FRIEND: _("discarded, 2 time mana gained, now {mana}"),
            ATTACK_OF_OPPORTUNITY: _("1 damage to an opposing avatar"),
            SCHLECHTER_WITZ: _("discarded; {half} damage to the opponent"),
        }.get(self.effect, _("shown to the opponent"))
        return text.format(mana=play.mana, half=half_rounded_up(play.suffered))
