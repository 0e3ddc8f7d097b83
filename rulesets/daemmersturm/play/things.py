"""Poison, and weapons that are not ready (DS-22, DS-26, DS-59)."""

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import headings, rolls
from rulesets.daemmersturm.play.items import UseItem, packed_grenade
from rulesets.daemmersturm.play.state import PoisonedWeapon, Unready
from rulesets.dice import Outcome
from rulesets.kit import (
    HIGHEST,
    Act,
    Count,
    Name,
    Offer,
    Play,
    Refused,
    Roll,
    Thrown,
    field,
    row,
    with_row,
    without_row,
)

if TYPE_CHECKING:
    from rulesets.daemmersturm.play.state import DaemmersturmPlay, WeaponState
    from rulesets.daemmersturm.sheet import Daemmersturm


def weapon_name(sheet: "Daemmersturm", one: "WeaponState") -> str:
    """Return the name of the weapon that a row is about, numbered if several weapons of the sheet share it."""
    index = one.at(sheet)
    return str(one.label if index is None else sheet.weapon_label(index))


class ApplyPoison(Act):
    """DS-59: put poison on a weapon, which can have only one."""

    index: Count = field(_("Weapon"))
    poison: Name = field(_("Which poison?"), "")
    lasting: bool = field(_("Lasting"), default=False, help=_("Volatile poison is used up by its roll."))
    title, rules = _("Poison a weapon"), ("DS-59",)
    group = headings.THINGS

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it for each weapon that can be poisoned and is not; each uses the action."""
        for index, weapon in enumerate(sheet.weapons):
            if weapon.poisonable and not play.down and not play.row_for_weapon("poisons", sheet, index):
                yield cls.offer(_("Poison {weapon}").format(weapon=sheet.weapon_label(index)), f"weapons.{index}",
                                rare=True, index=index)

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Mark the weapon as poisoned."""
        weapon = row(sheet.weapons, self.index)
        label = str(weapon.label)
        if not weapon.poisonable:
            raise Refused(_("{weapon} cannot be poisoned.").format(weapon=label))
        if play.row_for_weapon("poisons", sheet, self.index):
            raise Refused(_("{weapon} already has a poison on it; a weapon can have only one.").format(weapon=label))
        new = PoisonedWeapon.model_validate({
            "weapon": weapon.name.strip(), "place": self.index + 1, "kind": weapon.kind, "poison": self.poison,
            "lasting": self.lasting})
        return play.evolve(poisons=with_row(play.poisons, new), acted=True)

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Return the poison; the title of the act names the weapon."""
        return self.poison.strip()


class RollPoison(Act):
    """DS-59: roll for the poison on a weapon that has done damage to life."""

    index: Count = field(_("Poisoned weapon"))
    title, rules = _("Poison"), ("DS-59",)
    group, once_applied = headings.THINGS, True

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer one for each poisoned weapon, as `rare`, because it usually follows from the weapon's damage."""
        for index in range(len(play.poisons) if not play.down else 0):
            yield cls.offer_for(sheet, play, index, rare=True)

    @classmethod
    def offer_for(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay", index: int, *, rare: bool = False) -> Offer:
        """Return the offer for one of the poisons."""
        return cls.offer(_("Poison of {weapon}").format(weapon=weapon_name(sheet, play.poisons[index])),
                         f"poisons.{index}", _("When the weapon has dealt damage to life"), rare=rare, index=index)

    @classmethod
    def offers_after(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay", weapons: Collection[int]) -> Callable | None:
        """Return the function that yields this act after damage by these weapons, None if none is poisoned."""
        poisons = [index for index, one in enumerate(play.poisons) if one.at(sheet) in weapons]

        def lead(roll: Any, outcome: Outcome) -> Iterator[Offer]:
            if outcome.value and roll.victim != "own":
                yield from (cls.offer_for(sheet, play, index) for index in poisons)
        return lead if poisons else None

    def roll(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Roll:
        """Return the roll for the kind of weapon."""
        return rolls.Poison(weapon=row(play.poisons, self.index).kind)

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Remove the poison unless it is a lasting one."""
        lasting = row(play.poisons, self.index).lasting
        return play if lasting else play.evolve(poisons=without_row(play.poisons, self.index))

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Return "", because the roll says everything."""
        return ""


class NotReady(Act):
    """DS-22, DS-26: note that a weapon was fired or fumbled, so that it needs actions before its next use."""

    index: Count = field(_("Weapon"))
    fumbled: bool = field(_("Fumbled"), default=False, help=_("Then you must also spend a round fixing it."))
    title, rules = _("Fired"), ("DS-26", "DS-22")
    group = headings.ATTACK

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it for each ranged weapon that is ready; as a fumble only, if the weapon need not be reloaded."""
        for index, weapon in enumerate(sheet.weapons):
            if play.down or not weapon.kind or weapon.melee or play.row_for_weapon("unready", sheet, index):
                continue
            if weapon.kind == "explosive":
                if weapon.reload_actions:
                    yield cls.offer(_("{weapon} was fired").format(weapon=sheet.weapon_label(index)),
                                    f"weapons.{index}", index=index, fumbled=False)
            elif weapon.reload_actions:
                yield cls.offer(_("{weapon} was fired").format(weapon=sheet.weapon_label(index)), f"weapons.{index}",
                                index=index)
            else:
                yield cls.offer(_("{weapon}: a fumble").format(weapon=sheet.weapon_label(index)), f"weapons.{index}",
                                rare=True, index=index, fumbled=True)

    @classmethod
    def offers_after(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay", index: int, *,
                     close: bool = False) -> Callable:
        """Return the function that yields the acts after a shot: use up a grenade, note that the weapon is not ready.

        A shot in melee reach (`close`) is a melee attack in all respects: its fumble does not harm the weapon (DS-26).
        """
        def lead(_roll: rolls.Attack | None, outcome: Outcome) -> Iterator[Offer]:
            weapon = sheet.weapons[index]
            if weapon.kind == "explosive" and (at := packed_grenade(play, weapon)) is not None:
                yield UseItem.offer_for(play, at, automatic="always")
            fumbled = outcome.value in ("fumble", "friend-and-fumble") and not close and weapon.kind != "explosive"
            ready = not play.down and not play.row_for_weapon("unready", sheet, index)
            if ready and (fumbled or weapon.reload_actions):
                title = _("{weapon}: a fumble") if fumbled else _("{weapon} was fired")
                yield cls.offer(title.format(weapon=sheet.weapon_label(index)), f"weapons.{index}.after",
                                automatic="always", index=index, fumbled=fumbled)
        return lead

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Add the actions to reload; a fumble adds one to fix it and at least one to reload, or destroys artillery."""
        weapon = row(sheet.weapons, self.index)
        gone = self.fumbled and weapon.explodes_on_fumble
        steps = weapon.reload_actions + (1 if self.fumbled else 0) + (self.fumbled and not weapon.reload_actions)
        if not steps:
            return play
        steps = 0 if gone else steps
        if play.row_for_weapon("unready", sheet, self.index):
            raise Refused(_("{weapon} is already not ready.").format(weapon=sheet.weapon_label(self.index)))
        return play.evolve(unready=with_row(play.unready, Unready(
            weapon=weapon.name.strip(), place=self.index + 1, steps=min(HIGHEST, steps), gone=gone)))

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Say how many actions the weapon needs, or that it exploded."""
        left = play.row_for_weapon("unready", sheet, self.index)
        if left and left.gone:
            return str(_("It exploded"))
        return _("Actions until it is ready: {n}").format(n=left.steps if left else 0)


class MakeReady(Act):
    """DS-26: spend an action on reloading or fixing a weapon; others may do so for artillery."""

    index: Count = field(_("Weapon"))
    title, rules = _("Reload"), ("DS-26", "DS-22", "DS-25")
    group = headings.ATTACK

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer one for each weapon that is not ready; while the character is down, only for artillery."""
        for index, one in enumerate(play.unready):
            if play.down and not (one.gone or cls.is_shared(sheet, one)):
                continue
            if one.gone:
                yield cls.offer(_("{weapon} is there again").format(weapon=weapon_name(sheet, one)), f"unready.{index}",
                                _("It exploded"), rare=True, index=index)
            else:
                yield cls.offer(_("Reload or fix {weapon}").format(weapon=weapon_name(sheet, one)), f"unready.{index}",
                                _("Actions left: {n}").format(n=one.steps), index=index)

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Lower the number of actions still needed by one."""
        one = row(play.unready, self.index)
        rest = without_row(play.unready, self.index)
        acted = play.acted or not (one.gone or self.is_shared(sheet, one))
        if one.steps <= 1:
            return play.evolve(unready=rest, acted=acted)
        less = one.model_copy(update={"steps": one.steps - 1})
        return play.evolve(unready=[*play.unready[:self.index], less, *play.unready[self.index + 1:]], acted=acted)

    @staticmethod
    def is_shared(sheet: "Daemmersturm", one: Unready) -> bool:
        """Return True for artillery, which other characters may reload."""
        at = one.at(sheet)
        return at is not None and sheet.weapons[at].explodes_on_fumble

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Return "", because the title says everything."""
        return ""
