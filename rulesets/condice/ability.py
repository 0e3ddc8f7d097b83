"""The base of every special ability of ConDice: priced parameters, bought range, a variant (CD-07, CD-20 to CD-36)."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.condice import rolls
from rulesets.kit import DROP, Entry, Finding, Mend, Points, Roll, Wording, error, field, rule, slots, warning

if TYPE_CHECKING:
    from rulesets.condice.house import ConDiceHouse

ATTRIBUTES = {
    "attack": _("Attack"),
    "defence": _("Defence"),
    "life": _("Life"),
    "mental_resistance": _("Mental resistance"),
    "movement": _("Movement"),
}
"""The attributes that auras and boosts raise (CD-32, CD-33, CD-36)."""
SIXTH = _("Special abilities")
"""The sixth attribute that boosts raise, if a house counts it (CD-36)."""

REACH = ngettext_lazy("Range: {n} square.", "Range: {n} squares.", "n")
_REFUND = ngettext_lazy("Take back {n} point of range", "Take back {n} points of range", "n")

Attribute = Literal["attack", "defence", "life", "mental_resistance", "movement"]


def bought(title: Wording, price: int, default: Any = ..., **ask: Any) -> Any:
    """A parameter that is paid by the piece."""
    return field(title, default, price=price, **ask)


def in_fields(price: int) -> Any:
    """Return the fields of distance or width; an ability of 0 fields does nothing."""
    return bought(_("Squares"), price, least=1)


class Ability(Entry):
    """A special ability as bought: its cost is a base price and a price for each bought parameter."""

    ability: str
    range: Points = bought(_("Extra range"), 1, 0)

    base: ClassVar[int] = 0
    action: ClassVar[bool] = True
    reach: ClassVar[Literal["bought", "priced", "none"]] = "bought"
    """The kind of range: bought separately (CD-07), priced in the entry itself, or without meaning."""

    @classmethod
    @cache
    def sold(cls) -> dict[str, tuple[int, int]]:
        """Return {parameter: (points for each further piece by the book, how many come with the ability)}."""
        return {key: (slot.ask.price, slot.ask.included) for key, slot in slots(cls).items()
                if slot.ask.price is not None}

    @classmethod
    def prices(cls, house: "ConDiceHouse") -> dict[str, int]:
        """Return the points for the ability itself ("base") and for each further piece, as the house sets them."""
        book = {key: price for key, (price, _included) in cls.sold().items()}
        return {"base": cls.base, **book, **house.prices.get(cls.slug(), {})}

    def pieces(self, house: "ConDiceHouse") -> Mapping[str, int]:
        """As the house sets them."""
        return {key: price for key, price in self.prices(house).items() if key != "base"}

    @classmethod
    def slug(cls) -> str:
        """The name of the entry in documents."""
        return slots(cls)["ability"].choices[0]

    def price(self, house: "ConDiceHouse") -> int:
        """Return the points that the ability costs."""
        own = house.prices.get(self.ability, {}) if house.prices else {}
        points = own.get("base", self.base)
        for key, (price, included) in self.sold().items():
            if (more := getattr(self, key) - included) > 0:
                points += own.get(key, price) * more
        return points

    @classmethod
    @cache
    def needed(cls) -> tuple[tuple[str, int], ...]:
        """Return (parameter, fewest that do anything)."""
        return tuple((key, slot.ask.least) for key, slot in slots(cls).items() if slot.ask.least is not None)

    @rule("CD-21", "CD-22", "CD-23", "CD-25", "CD-26", "CD-27", "CD-29", "CD-35")
    def something_bought(self, house: "ConDiceHouse") -> Iterator[Finding]:
        """Too little of a parameter to do anything at all."""
        for key, least in self.needed():
            if getattr(self, key) < least:
                slot = slots(type(self))[key]
                yield error(
                    _("{ability} has {found} in “{field}” and needs at least {least}."),
                    key,
                    [Mend(_("Set “{field}” to {least}"), {key: least}, field=slot.ask.title, least=least),
                     Mend(_("Drop {ability}"), {"": DROP}, ability=self.label)],
                    rule=self.id, ability=self.label, found=getattr(self, key), field=slot.ask.title, least=least,
                )

    @rule("CD-07")
    def range_bought(self, house: "ConDiceHouse") -> Iterator[Finding]:
        """Range where the entry prices distance itself, or where there is nothing to reach for."""
        if not self.range or self.reach == "bought":
            return
        if self.reach == "priced":
            yield error(
                _("{ability} already includes distance in its price, so {n} extra range is not allowed."),
                "range", self.moved_range(), ability=self.label, n=self.range,
            )
        else:
            yield warning(
                _("{ability} has neither a target nor a place, so {n} extra range does nothing."),
                "range", [self.refund()], ability=self.label, n=self.range,
            )

    def refund(self) -> Mend:
        """Take back bought range."""
        return Mend(_REFUND, {"range": 0}, n=self.range)

    def moved_range(self) -> list[Mend]:
        """Move bought range to the entry's own parameter."""
        return [self.refund()]

    def what(self) -> Any:
        """Return what the ability does with the figures bought, and how far it reaches (CD-07)."""
        return self.reaching(self.text)

    def reaching(self, text: Wording) -> Wording:
        """A text with the range behind it, if any was bought; the adjacent fields count as for attacks (CD-02)."""
        if not self.range or self.reach != "bought":
            return text
        return f"{text} {REACH.format(n=1 + self.range)}"

    def brief(self, dice: int | None) -> str:
        """Return the dice, where they are known, and range of what it rolls, as an attack says them (CD-02, CD-07)."""
        reach = rolls.RANGE.format(n=1 + self.range)
        return f"{rolls.DICE.format(n=dice)}, {reach}" if dice else str(reach)

    def idle(self) -> frozenset[str]:
        """Range where none can be bought, unless there is some to take back."""
        return frozenset() if self.range or self.reach == "bought" else frozenset({"range"})

    @rule("CD-07")
    def allowed(self, house: "ConDiceHouse") -> Iterator[Finding]:
        """Yield an error if the party has banned the ability."""
        if house.banned.get(self.ability):
            yield error(_("{ability} is banned in this party."), "",
                        [Mend(_("Drop {ability}"), {"": DROP}, ability=self.label)], ability=self.label)

    def roll(self, house: "ConDiceHouse") -> tuple[type[Roll], dict] | None:
        """The roll that the ability makes, and the parameters that it fills."""
        return None


class Variants(Ability):
    """A boost whose variant (rounds, attributes, by) is chosen at creation."""

    variants: ClassVar[dict[str, tuple[int, int, int]]]

    if TYPE_CHECKING:
        variant: str | None
    told = frozenset({"variant"})

    def unchosen(self) -> Finding:
        """Return the finding that no variant is chosen, with the first ones as mends."""
        count, choose = len(self.variants), str(_("Choose variant {variant}: {what}"))
        return error(
            _("{ability} has no variant yet; choose one of {count}."), "variant",
            (Mend(choose, {"variant": key}, variant=key, what=variant_text(*figures))
             for key, figures in self.variants.items()),
            ability=self.label, count=count,
        )

    def what(self) -> Wording:
        """Return the rounds, attributes and by how much, once they are chosen."""
        chosen = self.variants.get(self.variant or "")
        return self.reaching(f"{variant_text(*chosen)}. {self.text}" if chosen else self.text)


def variant_text(rounds: int, attributes: int, by: int) -> str:
    """Return the values of a variant of a boost; “six” attributes are all that there are, be they five or six."""
    if attributes > len(ATTRIBUTES):
        return _("all attributes changed by {by} for {rounds} rounds").format(rounds=rounds, by=by)
    return _("{attributes} attributes changed by {by} for {rounds} rounds").format(
        rounds=rounds, attributes=attributes, by=by)


def variant_labels(variants: dict) -> dict:
    """Return the labels of the variants for `Ask.choices`."""
    return {key: _Labelled(key, figures) for key, figures in variants.items()}


class _Labelled:
    """A variant's label in the language of the moment."""

    def __init__(self, key: str, figures: tuple[int, int, int]) -> None:
        self.key, self.figures = key, figures

    def __str__(self) -> str:
        return f"{self.key}: {variant_text(*self.figures)}"
