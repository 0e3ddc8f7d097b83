"""The seventeen special abilities of ConDice with their prices, and custom abilities (CD-20 to CD-36, CD-08).

The classes have the German names under which documents store the abilities.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic import Field

from rulesets.condice import rolls
from rulesets.condice.ability import (
    ATTRIBUTES,
    Ability,
    Attribute,
    VariantAbility,
    priced_field,
    squares_field,
    variant_labels,
)
from rulesets.kit import (
    DROP,
    HIGHEST,
    EntryFields,
    Finding,
    Mend,
    Name,
    Points,
    Text,
    Wording,
    approval,
    error,
    field,
    rule,
    slots,
    warning,
)

if TYPE_CHECKING:
    from rulesets.condice.house import ConDiceHouse

_CUSTOM_APPROVAL = ngettext_lazy("{ability} is a custom ability ({cost} point); the table has to agree.",
                                 "{ability} is a custom ability ({cost} points); the table has to agree.", "cost")
# Variants of the two boosts (see `VariantAbility.variants`).
BOOST = {"I": (2, 4, 6), "II": (2, 6, 4), "III": (6, 2, 4), "IV": (6, 4, 2), "V": (4, 2, 6), "VI": (4, 6, 2)}
BOOST_OTHERS = {"I": (4, 2, 4), "II": (4, 4, 2), "III": (2, 4, 4)}


class Zaubern(Ability):
    ability: Literal["zaubern"]
    title, id, base = _("Spellcasting"), "CD-20", 1
    text = _("Minor magic that is no use in a fight: light, objects, illusions. It does no harm, not even indirectly.")


class DurchWaendeGehen(Ability):
    ability: Literal["durch-waende-gehen"]
    fields: Points = squares_field(1)
    title, id, action, range_kind = _("Walk through walls"), "CD-21", False, "none"
    text = _("You move through as many squares of solid wall as you bought. Always on, takes no action.")


class Mindcontrol(Ability):
    ability: Literal["mindcontrol"]
    dice: Points = priced_field(_("Dice"), 1, least=1)
    title, id = _("Mind control"), "CD-22"
    text = _("Mental attack. If it works, you control one opponent on their next turns. The victim may try to break "
             "free.")

    def roll(self, house: "ConDiceHouse") -> tuple[type[rolls.MentalAttack], dict[str, int]]:
        """Return a mental attack (CD-42)."""
        return rolls.MentalAttack, {"dice": self.dice}


class AggroZiehen(Ability):
    ability: Literal["aggro-ziehen"]
    dice: Points = priced_field(_("Dice"), 1, least=1)
    extra_targets: Points = priced_field(_("Extra targets"), 1, 0)
    title, id = _("Draw aggro"), "CD-23"
    text = _("Mental attack on the nearest opponents. If it works, they must attack you or come closer. They may try "
             "to break free.")

    def roll(self, house: "ConDiceHouse") -> tuple[type[rolls.MentalAttack], dict[str, int]]:
        """Return a mental attack (CD-42)."""
        return rolls.MentalAttack, {"dice": self.dice}


class Heilung(Ability):
    ability: Literal["heilung"]
    extra_characters: Points = priced_field(_("Extra characters"), 1, 0)
    title, id, base = _("Healing"), "CD-24", 2
    text = _("Roll one die: you or someone next to you regains that many life points, and so does each extra "
             "character.")

    def roll(self, house: "ConDiceHouse") -> tuple[type[rolls.Healing], dict[str, Any]]:
        """Return the die that heals all the characters paid for (CD-48)."""
        return rolls.Healing, {"characters": min(HIGHEST, 1 + self.extra_characters)}

    def dice_and_range(self, dice: Any) -> str:
        """Return "1 die" and the range, because healing always rolls one die (CD-48)."""
        return super().dice_and_range(1)


class Teleportieren(Ability):
    ability: Literal["teleportieren"]
    fields: Points = squares_field(2)
    title, id, range_kind = _("Teleport"), "CD-25", "priced"
    text = _("You jump as many squares as you bought, as a movement or as an action.")

    def useless_range_mends(self) -> list[Mend]:
        """Return the mends that turn extra range into squares, or take it back."""
        return [Mend(_("Turn {n} extra range into squares"),
                     {"range": 0, "fields": min(HIGHEST, self.fields + self.range)}, n=self.range),
                self.range_refund()]


class PortalErschaffen(Ability):
    ability: Literal["portal-erschaffen"]
    fields: Points = squares_field(2)
    extra_persons: Points = priced_field(_("Extra travellers"), 1, 0)
    title, id = _("Create portal"), "CD-26"
    text = _("A portal on an adjacent square to a place you can see, as many squares away as you bought. It "
             "closes after the last traveller.")


class Flaechenkontrolle(Ability):
    ability: Literal["flaechenkontrolle"]
    fields: Points = squares_field(2)
    title, id = _("Area control"), "CD-27"
    text = _("Makes squares hard to cross (2 movement each) or easy to cross (1 movement for two).")


class GroesseAendern(Ability):
    ability: Literal["groesse-aendern"]
    dice: Points = priced_field(_("Dice against the unwilling"), 1, 0)
    title, id, base = _("Change size"), "CD-28", 2
    text = _("Grow: attack +2, defence −4, movement +1. Shrink: attack −4, defence +4, movement −1. Against the "
             "unwilling it is a mental attack.")

    def roll(self, house: "ConDiceHouse") -> tuple[type[rolls.MentalAttack], dict[str, int]] | None:
        """Return the mental attack against the unwilling if dice were bought for it (CD-42)."""
        return (rolls.MentalAttack, {"dice": self.dice}) if self.dice else None


class LebenTransferieren(Ability):
    ability: Literal["leben-transferieren"]
    life_points: Points = priced_field(_("Life points"), 2, least=1)
    title, id = _("Transfer life"), "CD-29"
    text = _("Moves as many life points as you bought, from you or to you. Against the unwilling it is a mental "
             "attack with one die per life point; whatever their resistance does not stop is moved.")

    def roll(self, house: "ConDiceHouse") -> tuple[type[rolls.DrainLife], dict[str, int]]:
        """Return the mental attack against the unwilling, with one die for each life point bought (CD-43)."""
        return rolls.DrainLife, {"dice": self.life_points}


class WurfWiederholen(Ability):
    ability: Literal["wurf-wiederholen"]
    title, id, base, action, range_kind = _("Reroll"), "CD-30", 4, False, "none"
    text = _("Right after a roll, reroll it: only once per turn and only once per fight. Takes no action.")


class Explosion(Ability):
    ability: Literal["explosion"]
    title, id, base = _("Explosion"), "CD-31", 4
    text = _("You take damage yourself and attack every adjacent square with that many dice; you must keep 1 "
             "life point.")


class Aura(Ability):
    ability: Literal["aura"]
    attribute: Attribute | None = field(_("Attribute"), choices=ATTRIBUTES)
    title, id, base = _("Aura"), "CD-32", 4
    text = _("Characters on the eight squares around you have 2 more in the attribute you choose now; opponents do "
             "not.")

    @rule("CD-32")
    def choice_made(self, house: "ConDiceHouse") -> Iterator[Finding]:
        """Yield an error until the attribute is chosen, which is part of creating the character."""
        if self.attribute is None:
            choose = str(_("Choose {attribute}"))
            yield error(
                _("The aura has no attribute yet; choose one of the five."), "attribute",
                [Mend(choose, {"attribute": key}, attribute=label)
                 for key, label in ATTRIBUTES.items()],
            )


class BoostDebuff(VariantAbility):
    ability: Literal["boost-debuff"]
    variant: Literal["I", "II", "III"] | None = field(_("Variant"), choices=variant_labels(BOOST_OTHERS))
    extra_targets: Points = priced_field(_("Extra targets"), 1, 0)
    title, id, base, variants = _("Boost or debuff others"), "CD-33", 4, BOOST_OTHERS
    text = _("Raises attributes of someone next to you or lowers those of an opponent; lowering is a mental attack.")

    @rule("CD-33")
    def choice_made(self, house: "ConDiceHouse") -> Iterator[Finding]:
        """Yield an error until the variant is chosen, unless the house rules leave it open."""
        if self.variant is None and not house.open_variant:
            yield self.missing_variant()

    def roll(self, house: "ConDiceHouse") -> tuple[type[rolls.MentalAttack], dict[str, int]]:
        """Return the mental attack that lowers attributes, with dice if the house rules set their number (CD-33)."""
        return rolls.MentalAttack, {} if house.debuff_dice is None else {"dice": house.debuff_dice}


class Fliegen(Ability):
    ability: Literal["fliegen"]
    title, id, base, action, range_kind = _("Fly"), "CD-34", 4, False, "none"
    text = _("You can fly as far as your movement. Always on, takes no action.")


class Flaechenangriff(Ability):
    ability: Literal["flaechenangriff"]
    fields: Points = priced_field(_("Squares"), 4, 1, least=1)
    damage: Points = priced_field(_("Damage"), 4, 1, included=1, least=1)
    distance: Points = priced_field(_("Distance beyond the adjacent squares"), 1, 0)
    title, id, range_kind = _("Area attack"), "CD-35", "priced"
    text = _("Fixed damage to everything on its squares: no dice, and defence does not count. Each extra square must "
             "touch one already chosen.")

    def useless_range_mends(self) -> list[Mend]:
        """Return the mends that turn extra range into distance, or take it back."""
        return [Mend(_("Turn {n} extra range into distance"),
                     {"range": 0, "distance": min(HIGHEST, self.distance + self.range)}, n=self.range),
                self.range_refund()]


class Boost(VariantAbility):
    ability: Literal["boost"]
    variant: Literal["I", "II", "III", "IV", "V", "VI"] | None = field(_("Variant"), choices=variant_labels(BOOST))
    title, id, base, range_kind, variants = _("Boost"), "CD-36", 6, "none", BOOST
    text = _("Raises your own attributes for a few rounds.")

    @rule("CD-36")
    def choice_made(self, house: "ConDiceHouse") -> Iterator[Finding]:
        """Yield an error until the variant is chosen."""
        if self.variant is None:
            yield self.missing_variant()


class Custom(Ability):
    ability: Literal["custom"]
    name: Name = field(_("Name"), samples=(
        _("Stop time"), _("Shadow leap"), _("Friend of beasts"), _("Wall of fog")))
    cost: Points = priced_field(_("Cost"), 1)
    description: Text = field(_("Description"), "", long=True)
    title, id, own = _("Custom ability"), "CD-08", True
    party_entry = EntryFields(("name", "cost", "description"), "CD-08")
    text = _("Invented by you, at a cost that everyone at the table agrees to.")

    fields_in_text = frozenset({"name", "cost", "description"})

    @property
    def label(self) -> Wording:
        """The name that the player gave it, else the title."""
        return self.name.strip() or self.title

    @rule("CD-08")
    def approved(self, house: "ConDiceHouse") -> Iterator[Finding]:
        """Yield a request for approval unless the house rules need none or list the ability at this cost."""
        agreed = house.agreement(self.name) if self.name.strip() else None
        if agreed and agreed.cost != self.cost:
            yield approval(
                _("{ability} costs {cost} here; the party agreed on {agreed}."), "cost",
                [Mend(_("Set the cost of {ability} to {agreed}"), {"cost": agreed.cost}, ability=self.label,
                      agreed=agreed.cost)], ability=self.label, cost=self.cost, agreed=agreed.cost,
            )
        elif house.consent and not agreed:
            yield approval(
                _CUSTOM_APPROVAL, mends=[Mend(_("Drop {ability}"), {"": DROP}, ability=self.label)],
                ability=self.label, cost=self.price(house),
            )
        if not self.name.strip():
            yield warning(_("The custom ability has no name yet."), "name")

    def roll(self, house: "ConDiceHouse") -> tuple[type[rolls.Success], dict[str, int]] | None:
        """Return a success roll with the dice that the party has agreed on; None if there are none (CD-40)."""
        agreed = house.agreement(self.name)
        return (rolls.Success, {"dice": agreed.dice}) if agreed and agreed.dice else None

    def what(self) -> Wording:
        """Return the player's own words."""
        return self.with_range(self.description or self.text)


CATALOGUE: dict[str, type[Ability]] = {
    slots(entry)["ability"].choices[0]: entry
    for entry in vars().copy().values()
    if isinstance(entry, type) and issubclass(entry, Ability) and slots(entry)["ability"].choices
}
"""{slug: class} of every ability, in the order of the classes above."""

if TYPE_CHECKING:
    AnyAbility = Ability
else:
    AnyAbility = Annotated[Union[tuple(CATALOGUE.values())], Field(discriminator="ability")]  # noqa: UP007
