"""Items at hand that are used up: potions, grenades, ropes (DS-58, DS-60)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import headings, rolls
from rulesets.daemmersturm.play.state import Condition, ConditionKind, Item
from rulesets.kit import (
    HIGHEST,
    Act,
    Automatic,
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
    from rulesets.daemmersturm.equipment import Weapon
    from rulesets.daemmersturm.play.state import DaemmersturmPlay
    from rulesets.daemmersturm.sheet import Daemmersturm

EFFECTS: dict[int | str, tuple[ConditionKind, int]] = {1: ("sickness", 4), 2: ("cramps", 3), 3: ("faint", 3)}
"""{side effect of a potion: (condition, turns)}."""
TIRED = 10
"""The life lost by the fourth side effect."""


def with_one_fewer(play: "DaemmersturmPlay", index: int) -> "DaemmersturmPlay":
    """Return the state with one fewer of an item."""
    one = row(play.items, index)
    if one.number <= 1:
        return play.evolve(items=without_row(play.items, index))
    less = one.model_copy(update={"number": one.number - 1})
    return play.evolve(items=[*play.items[:index], less, *play.items[index + 1:]])


def packed_grenade(play: "DaemmersturmPlay", weapon: "Weapon") -> int | None:
    """Return the index of the item with the same name as a grenade among the weapons, None if there is none."""
    called = " ".join(weapon.name.split()).casefold()
    return next((index for index, one in enumerate(play.items) if one.name.casefold() == called), None)


class TakePotion(Act):
    """DS-58: take a potion; from the second one in a Kampfabschnitt on, side effects are rolled at once."""

    given: bool = field(_("Somebody else gives it to you"), default=False, help=_("Then it costs you no action."))
    enemy_near: bool = field(_("An enemy is within melee reach"), default=False)
    item: Count | None = field(_("Which one?"), None)
    title, rules = _("Take a potion"), ("DS-58",)
    group = headings.THINGS

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer each packed potion, and any other, while the character is in the fight."""
        if play.down:
            return
        for index, one in enumerate(play.items):
            if one.potion:
                yield cls.offer(_("Take: {item}").format(item=one.name), f"items.{index}",
                                _("{n} left").format(n=one.number), item=index, given=False)
        yield cls.offer(note=_("{n} so far").format(n=play.potions), rare=True, item=None)

    def roll(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Roll | None:
        """Return the roll for side effects, from the second potion on."""
        if self.enemy_near and not self.given:
            raise Refused(_("You cannot take a potion within melee reach of an enemy; somebody else may give you one."))
        return rolls.Potion() if play.potions else None

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Count the potion, apply its side effect, and remove one from the items if it was packed."""
        if self.item is not None:
            play = with_one_fewer(play, self.item)
        play = play.evolve(potions=min(HIGHEST, play.potions + 1), acted=play.acted or not self.given)
        effect = outcome and outcome.value
        if effect in EFFECTS:
            kind, turns = EFFECTS[effect]
            play = play.evolve(conditions=with_row(play.conditions, Condition(kind=kind, turns=turns)))
        return play.with_damage(sheet, TIRED) if effect == 4 else play

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Say the number of potions in this Kampfabschnitt."""
        return _("Potions in this Kampfabschnitt: {n}").format(n=play.potions)


class PackItem(Act):
    """DS-58 to DS-60: pack an item, or more of one."""

    name: Name = field(_("What is it called?"), samples=(
        _("Healing potion"), _("Snake poison"), _("Climbing rope"), _("Hand grenade")))
    number: Count = field(_("How many?"), 1)
    potion: bool = field(_("Is it a potion?"), default=False, help=_("Then it is counted down as you take it."))
    title, rules = _("Pack an item"), ("DS-60", "DS-58", "DS-59")
    group = headings.THINGS

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Always offer it."""
        yield cls.offer(rare=True)

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Add the item, or add its number to an item of the same name."""
        name = " ".join(self.name.split())
        if not name or not self.number:
            raise Refused(_("Say what it is, and how many; at least 1."))
        there = next((one for one in play.items if one.name == name), None)
        if there is None:
            return play.evolve(items=with_row(play.items, Item(name=name, number=self.number, potion=self.potion)))
        more = there.model_copy(update={"number": min(HIGHEST, there.number + self.number),
                                        "potion": there.potion or self.potion})
        return play.evolve(items=[more if one is there else one for one in play.items])

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Say how many there are now."""
        name = " ".join(self.name.split())
        return _("{item}: now {n}").format(item=name, n=next(one.number for one in play.items if one.name == name))


class UseItem(Act):
    """DS-58 to DS-60: use up an item, or give it away."""

    index: Count = field(_("Item"))
    title, rules = _("Use up an item"), ("DS-58", "DS-59", "DS-60")
    group = headings.THINGS

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it for each item."""
        for index in range(len(play.items) if not play.down else 0):
            yield cls.offer_for(play, index)

    @classmethod
    def offer_for(cls, play: "DaemmersturmPlay", index: int, *, automatic: Automatic = "") -> Offer:
        """Return the offer to use the item at an index."""
        one = play.items[index]
        return cls.offer(_("Use up: {item}").format(item=one.name), f"items.{index}",
                         _("{n} left").format(n=one.number), automatic=automatic, index=index)

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Remove one of the item."""
        return with_one_fewer(play, self.index)

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Return "", because the title says everything."""
        return ""
