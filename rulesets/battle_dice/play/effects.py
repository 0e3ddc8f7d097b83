"""Effects of cards and the mage: actives for mana, reactions from the hand (BD-21 to BD-26)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import flink as flinks
from rulesets.battle_dice import headings
from rulesets.battle_dice.keywords import Effect, X
from rulesets.battle_dice.play.fight import after, named
from rulesets.battle_dice.play.guarding import NORTH, frozen, quickens
from rulesets.battle_dice.play.phases import OWN
from rulesets.battle_dice.play.state import CAKES
from rulesets.battle_dice.play.turn import Paid, held
from rulesets.kit import HIGHEST, Act, Count, Name, Offer, Play, Refused, Thrown, field

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice

DEFENDING = ("enemy", "block", "heal")


@dataclass(frozen=True)
class Deed:
    """The change that an effect of the list makes: when it can be used, and `(play, avatar's index, X) -> play`."""

    phases: tuple[str, ...]
    does: Callable[[Any, Any, Any], Any]
    when: Callable[[Any], bool] = lambda play: True
    """The further condition for its use."""

    def now(self, play: "BattleDicePlay") -> bool:
        """Return True if it can be used as things stand."""
        return play.phase in self.phases and self.when(play)


def _guard(play: "BattleDicePlay", _index: Any, paid: int) -> "BattleDicePlay":
    return play.with_(guard=play.guard + paid)


def _missile(play: "BattleDicePlay", _index: Any, _paid: int) -> "BattleDicePlay":
    return play.with_(homing=play.homing + 1)


def _heal(play: "BattleDicePlay", _index: Any, _paid: int) -> "BattleDicePlay":
    return play.with_(healing=play.healing + 1)


def _nimble(play: "BattleDicePlay", _index: int, paid: int) -> "BattleDicePlay":
    return play.with_(nimble=play.nimble + paid)


def _faster(play: "BattleDicePlay") -> bool:
    """Before the dice fall, or on them as long as nothing of the damage has found its aim."""
    return play.phase == "enemy" or bool(play.defenders and not play.suffered)


def _guardian(play: "BattleDicePlay", index: int, _paid: int) -> "BattleDicePlay":
    less = play.with_(coming=play.coming - 1).struck(index, 1).suffering(1)
    return after(less if less.coming else less.with_(phase="heal"))


def _snowball(play: "BattleDicePlay", _index: int, _paid: int) -> "BattleDicePlay":
    return play.with_(frost=play.frost + 1, fresh=play.fresh + (play.phase == "chaos"))


def _cake(play: "BattleDicePlay", index: int, _paid: int) -> "BattleDicePlay":
    cakes = play.avatars[index].cakes + 1
    play = play.with_avatar(index, cakes=cakes)
    return play.with_(phase="won") if cakes >= CAKES else play.ended()


MAGE = (
    Effect(kind="active", name="Shield", cost=X, text=""),
    Effect(kind="active", name="Magic Missile", cost=2, text=""),
    Effect(kind="active", name="Heal", cost=2, text=""),
)
"""The effects that every mage has (BD-22)."""
ACTIVE = {
    "Shield": Deed(("enemy",), _guard),
    "Magic Missile": Deed(("battle", "aim", "enemy"), _missile,
                          lambda play: play.phase in ("battle", "aim") or play.inflicted > 0),
    "Heal": Deed(DEFENDING, _heal, lambda play: play.marks is None),
    "Steel Guardian": Deed(("block",), _guardian),
    "Schneeballschlacht": Deed(OWN, _snowball),
    "Kuchenbäcker": Deed(("battle",), _cake),
    NORTH: Deed(("enemy", "quick", "block"), _nimble, _faster),
}
AIMED = frozenset({"Schneeballschlacht"})
"""The effects of two at a table that are aimed at an avatar of the other one, by an act of their own."""
ANYTIME = Deed((*OWN, "aim", "wait", "quick", "aimed", *DEFENDING, "end"), lambda play, _index, _paid: play)
"""An effect of an own card: paid and told; what it does is for the table."""


class UseActive(Act):
    """BD-21, BD-22: an active effect of an avatar or of the mage, paid each time."""

    effect: Name = field(_("Effect"))
    avatar: Count | None = field(_("Avatar"), None)
    paid: Paid = field(_("How much time mana do you pay?"))
    title, rules, group = _("Use an active effect"), ("BD-21", "BD-22", "BD-24", "BD-25", "BD-26"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer each that can be paid now; of a cost of X one says how much."""
        if not play.playing or play.crowded:
            return
        for index, effect in usable(sheet, play):
            cost = price(sheet, play, index, effect, 1)
            if play.versus and effect.name in AIMED:
                continue
            if cost <= play.mana and ACTIVE.get(effect.name, ANYTIME).now(play):
                who = "" if index is None else f"avatars.{index}."
                title = effect.label if index is None else f"{named(play)[index]}: {effect.label}"
                filled: dict[str, Any] = {} if effect.cost == X else {"paid": cost}
                yield cls.asking(title, f"{who}{effect.name}".replace(" ", "-"),
                                 _mana(cost if filled else _more(frozen(sheet, play, index))), effect=effect.name,
                                 avatar=index, **filled)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Paid and done."""
        effect = next((one for index, one in usable(sheet, play)
                       if (index, one.name) == (self.avatar, self.effect)), None)
        deed = ACTIVE.get(self.effect, ANYTIME)
        if effect is None or not deed.now(play) or (play.versus and self.effect in AIMED):
            raise Refused(_("{effect} cannot be used now.").format(effect=self.effect))
        cost = price(sheet, play, self.avatar, effect, self.paid)
        if cost > play.mana:
            raise Refused(_("{effect} costs {cost} time mana, you hold {mana}.").format(
                effect=self.effect, cost=cost, mana=play.mana))
        done = deed.does(play.richer(-cost), self.avatar, self.paid)
        return faster(sheet, done) if done.nimble > play.nimble and done.phase in ("quick", "block") else done

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say how much time mana is left, and what it came to."""
        if self.effect == "Magic Missile" and play.phase == "enemy":
            return _("up to {n} of it may be aimed; the enemy's turn").format(n=play.aimed(sheet))
        if play.phase in ("quick", "aimed", "block"):
            return _("{coming} damage still coming, {n} time mana left").format(coming=play.coming, n=play.mana)
        return _("{n} time mana left").format(n=play.mana)


def faster(sheet: "BattleDice", play: "BattleDicePlay") -> "BattleDicePlay":
    """Flink that came once the dice had fallen: its best use on them (BD-15)."""
    attack, defence = tuple(play.attackers), tuple(play.defenders)
    if not (coming := flinks.damage(attack, flinks.best(attack, defence, play.flink_of(sheet)))):
        return after(play.with_(coming=0, phase="heal"))
    play = play.with_(coming=coming)
    return play.with_(phase="aimed") if play.phase == "quick" and not quickens(sheet, play) else play


def usable(sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[tuple[int | None, Effect]]:
    """Yield (index, active effect): those of the mage have no index; an avatar at 0 life has none any more."""
    yield from ((None, effect) for effect in MAGE)
    for index, avatar in enumerate(play.avatars):
        if play.left(sheet, avatar):
            yield from ((index, one) for one in play.face_of(sheet, avatar).effects_on_it if one.kind == "active")


def price(sheet: "BattleDice", play: "BattleDicePlay", index: int | None, effect: Effect, paid: int) -> int:
    """Return the cost of an effect, which is higher on a frosted avatar; X is whatever one pays for it."""
    return (paid if isinstance(effect.cost, str) else effect.cost or 0) + frozen(sheet, play, index)


def _more(frost: int) -> str:
    """X, and what comes on top of it."""
    return f"{X} + {frost}" if frost else X


def _mana(cost: int | str) -> str:
    return str(_("{cost} mana").format(cost=cost or 0))


REACTIONS = {
    "Lockdown": ("enemy",),
    "Attack of Opportunity": ("end",),
    "Dann bau ich mir einfach meinen Freund": ("end",),
    "Schlechter Witz": ("heal", "end"),
}
"""When the list's reactions can be used."""
REVENGE = ("Attack of Opportunity", "Schlechter Witz")
"""Reactions to damage suffered."""
SPENT = ("Dann bau ich mir einfach meinen Freund", "Schlechter Witz")
"""Reactions that discard their card."""
FRIEND, LOCKDOWN = SPENT[0], "Lockdown"
BUILT = 2
"""Time mana for a friend that one builds oneself (BD-25)."""


class React(Act):
    """BD-21: a reaction from the hand, shown to the enemy; each copy once for what it reacts to."""

    card: Name = field(_("Card"))
    effect: Name = field(_("Effect"))
    paid: Paid = field(_("How much time mana do you pay?"), 0)
    title, rules, group = _("React"), ("BD-21", "BD-23", "BD-24", "BD-25", "BD-26"), headings.CARDS

    @classmethod
    def offered(cls, sheet: "BattleDice", play: "BattleDicePlay") -> Iterator[Offer]:
        """Offer each reaction in hand whose condition is met."""
        if not play.playing or play.crowded:
            return
        for name in dict.fromkeys(play.hand):
            for one in sheet.card(name).effects_on_it:
                cost = price(sheet, play, None, one, 0)
                if one.kind == "reaction" and cls.possible(play, name, one.name) and cost <= play.mana:
                    key = f"hand.{play.hand.index(name)}.{one.name}".replace(" ", "-")
                    filled: dict[str, Any] = {} if one.cost == X else {"paid": cost}
                    yield cls.asking(f"{name}: {one.label}", key, _mana(one.cost) if one.cost else "", card=name,
                                     effect=one.name, **filled)

    @staticmethod
    def possible(play: "BattleDicePlay", card: str, effect: str) -> bool:
        """Return True if now is the time, there was damage if it needs some, and a copy is left of one in the list."""
        now = play.phase in REACTIONS.get(effect, ANYTIME.phases)
        left = effect not in REACTIONS or play.reacted.count(effect) < play.hand.count(card)
        return now and left and (play.suffered > 0 or effect not in REVENGE)

    def apply(self, sheet: "BattleDice", play: "BattleDicePlay", outcome: Thrown = None) -> Play:
        """Do its effect here; the enemy enters what it does to them; of two at a table it is dealt by an act."""
        held(play, self.card)
        if not self.possible(play, self.card, self.effect):
            raise Refused(_("{effect} cannot be used now.").format(effect=self.effect))
        one = next((one for one in sheet.card(self.card).effects_on_it
                    if (one.kind, one.name) == ("reaction", self.effect)), None)
        cost = price(sheet, play, None, one, self.paid) if one else 0
        if cost > play.mana:
            raise Refused(_("{effect} costs {cost} time mana, you hold {mana}.").format(
                effect=self.effect, cost=cost, mana=play.mana))
        play = play.richer(-cost)
        used = [*play.reacted, self.effect]
        play = play.thrown_off(self.card) if self.effect in SPENT else play.with_(reacted=used)
        if self.effect == LOCKDOWN:
            play = play.with_(guard=play.guard + 1)
        if play.versus and self.effect in REVENGE:
            half = -(-play.suffered // 2)
            play = play.with_(dealing=min(HIGHEST, play.dealing + half)) if self.effect in SPENT else \
                play.with_(jabs=play.jabs + 1)
        return play.richer(BUILT if self.effect == FRIEND else 0)

    def tell(self, sheet: "BattleDice", play: "BattleDicePlay") -> str:
        """Say what it did."""
        told = {
            LOCKDOWN: _("1 more DD"), FRIEND: _("discarded, 2 time mana gained, {mana} held"),
            "Attack of Opportunity": _("1 damage to an enemy avatar"),
            "Schlechter Witz": _("discarded; {half} damage to the enemy"),
        }.get(self.effect, _("shown to the enemy"))
        return told.format(mana=play.mana, half=-(-play.suffered // 2))
