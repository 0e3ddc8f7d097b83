"""Attributes, talents and weapons: the parts of a Dice Rumble sheet (DR-01 to DR-03, DR-07, DR-18)."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.kit import (
    CheckedPart,
    Count,
    EntryFields,
    Finding,
    Mend,
    Name,
    Points,
    Wording,
    error,
    field,
    rule,
    warning,
)

if TYPE_CHECKING:
    from rulesets.dice_rumble.house import DiceRumbleHouse

ATTRIBUTES = {
    "strength": _("Strength"), "dexterity": _("Dexterity"), "mind": _("Mind"), "charisma": _("Charisma"),
}
Attribute = Literal["strength", "dexterity", "mind", "charisma"]

BASE = 5
"""The base value of life and mental health (DR-04, DR-05)."""
CONSTITUTION, WILLPOWER, BRAWL, BALLISTICS, DODGE = (
    "Konstitution", "Willenskraft", "Nahkampf", "Ballistik", "Akrobatik")
KNOWN_TALENTS: dict[str, Attribute] = {
    CONSTITUTION: "strength", WILLPOWER: "mind", BRAWL: "strength", BALLISTICS: "dexterity",
    DODGE: "dexterity",
}
"""The talents that the source names, each with the attribute it is usually rolled with (DR-03)."""
FIGHTING = (BRAWL, "Ballistik")
"""The known talents with which one can attack; dodging is no attack."""
FURTHER_TALENTS = (
    (_("Sneaking"), "dexterity"), (_("Sleight of hand"), "dexterity"), (_("Riding"), "dexterity"),
    (_("Climbing"), "strength"), (_("Feats of strength"), "strength"), (_("Perception"), "mind"),
    (_("Herb lore"), "mind"), (_("Lore"), "mind"), (_("Mechanics"), "mind"), (_("Persuading"), "charisma"),
    (_("Intimidating"), "charisma"), (_("Haggling"), "charisma"), (_("Acting"), "charisma"),
    (_("Making music"), "charisma"),
)
"""Further talents for random characters: (name, attribute), not from the source."""
GERMAN_NAMES = (
    "Schleichen", "Fingerfertigkeit", "Reiten", "Klettern", "Kraftakt", "Wahrnehmung", "Heilkunde", "Sagenkunde",
    "Handwerk", "Überreden", "Einschüchtern", "Feilschen", "Schauspiel", "Musizieren")
"""The German names of `FURTHER_TALENTS` in the same order, to find them on German sheets in any language of a page."""
ARMS = ((_("Short sword"), BRAWL, 2), (_("Quarterstaff"), BRAWL, 1), (_("Frying pan"), BRAWL, 1),
        (_("Battle axe"), BRAWL, 3), (_("Throwing knives"), BALLISTICS, 1), (_("Crossbow"), BALLISTICS, 3),
        (_("Sling"), BALLISTICS, 1))
"""Weapons of random characters: (name, talent, damage)."""
EXTRA_DAMAGE = ngettext_lazy("damage +{n}", "damage +{n}", "n")


@lru_cache(1024)
def normalized_name(name: str) -> str:
    """Return a name without outer spaces and letter case, for comparison (DR-03)."""
    return name.strip().casefold()


class Attributes(CheckedPart):
    """The four attributes; each is null until it is chosen (DR-01)."""

    strength: Points | None = field(ATTRIBUTES["strength"])
    dexterity: Points | None = field(ATTRIBUTES["dexterity"])
    mind: Points | None = field(ATTRIBUTES["mind"])
    charisma: Points | None = field(ATTRIBUTES["charisma"])


class Talent(CheckedPart):
    """A talent: its points, and the attribute it is usually rolled with (DR-02, DR-03)."""

    name: Name = field(_("Name"), help=_("Use each name only once; you may make it up."))
    attribute: Attribute | None = field(_("Usual attribute"), choices=ATTRIBUTES, help=_("What it is rolled with."))
    points: Points = field(_("Points"), price=1, help=_("At most 6."))

    fields_in_text = frozenset({"points"})
    party_entry = EntryFields(("name", "attribute"))

    @property
    def label(self) -> Wording:
        """The name, or "Unnamed talent"."""
        return self.name.strip() or _("Unnamed talent")

    def limits(self, house: "DiceRumbleHouse") -> Mapping[str, tuple[int | None, int | None]]:
        """Return the limits of the points in one talent (DR-02)."""
        return {"points": (0, house.talent_cap)}

    def helps(self, house: "DiceRumbleHouse") -> Mapping[str, Wording]:
        """Return the limit of the points in words (DR-02)."""
        return {"points": _("At most {n}.").format(n=house.talent_cap)}

    def price(self, house: "DiceRumbleHouse") -> int | None:
        """Return the price: 1 for each point (DR-02)."""
        return self.points

    @rule("DR-02")
    def too_many_points(self, house: "DiceRumbleHouse") -> Iterator[Finding]:
        """Yield an error if the talent has more points than one may have."""
        if self.points > house.talent_cap:
            yield error(
                _("{talent} has {points} points, but only {cap} are allowed in one talent."), "points",
                [Mend(_("Lower {talent} to {cap}"), {"points": house.talent_cap},
                      talent=self.label, cap=house.talent_cap)],
                talent=self.label, points=self.points, cap=house.talent_cap,
            )

    @rule("DR-03")
    def name_and_attribute(self, house: "DiceRumbleHouse") -> Iterator[Finding]:
        """Yield a warning if the talent has no name, and an error if it has no attribute."""
        if not self.name.strip():
            yield warning(_("The talent has no name yet."), "name")
        if self.attribute is None:
            own = normalized_name(self.name)
            usual = next((key for name, key in KNOWN_TALENTS.items() if normalized_name(name) == own), None)
            keys = sorted(ATTRIBUTES, key=lambda key: key != usual)
            yield error(
                _("{talent} has no attribute yet; choose the one it is usually rolled with."), "attribute",
                [Mend(_("Roll {talent} with {attribute}"), {"attribute": key},
                      talent=self.label, attribute=ATTRIBUTES[key]) for key in keys],
                talent=self.label,
            )


UNTRAINED = {normalized_name(name): Talent(name=name, attribute=key, points=0) for name, key in KNOWN_TALENTS.items()}
"""The talents that everybody has, though without points."""


class Weapon(CheckedPart):
    """A weapon: the talent it is used with, and what it adds to the damage (DR-18)."""

    name: Name = field(_("Name"), help=_("Whatever your table calls it."))
    talent: Name = field(_("Talent"), help=_("One from the sheet, or your own word."))
    damage: Count = field(_("Weapon damage"), help=_("What it adds to a hit."))

    fields_in_text = frozenset({"talent", "damage"})

    @property
    def label(self) -> Wording:
        """The name, or "Unnamed weapon"."""
        return self.name.strip() or _("Unnamed weapon")

    def limits(self, house: "DiceRumbleHouse") -> Mapping[str, tuple[int | None, int | None]]:
        """Return the limits of a weapon's damage in this party (DR-18)."""
        return {"damage": (0, house.weapon_damage)}

    def what(self) -> Wording:
        """Return the talent and damage."""
        return ", ".join(filter(None, [self.talent.strip(), str(EXTRA_DAMAGE.format(n=self.damage))]))

    @rule("DR-18")
    def without_name(self, house: "DiceRumbleHouse") -> Iterator[Finding]:
        """Yield a warning if the weapon has no name, because names tell weapons apart."""
        if not self.name.strip():
            yield warning(_("The weapon has no name yet."), "name")

    @rule("DR-18")
    def too_much_damage(self, house: "DiceRumbleHouse") -> Iterator[Finding]:
        """Yield an error if the weapon does more damage than the party allows; the book sets no limit."""
        if (most := house.weapon_damage) is not None and self.damage > most:
            yield error(_("{weapon} adds {n} damage; in this party the maximum is {most}."), "damage",
                        [Mend(_("Lower {weapon} to {most}"), {"damage": most}, weapon=self.label, most=most)],
                        weapon=self.label, n=self.damage, most=most)
