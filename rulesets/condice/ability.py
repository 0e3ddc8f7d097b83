"""The base classes of the special abilities: priced parameters, extra range, a variant (CD-07, CD-20 to CD-36)."""

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
SPECIAL_ABILITIES = _("Special abilities")
"""The title of the sixth attribute that boosts raise if the house rules say so (CD-36)."""

_RANGE_SENTENCE = ngettext_lazy("Range: {n} square.", "Range: {n} squares.", "n")
_REFUND = ngettext_lazy("Take back {n} point of range", "Take back {n} points of range", "n")

Attribute = Literal["attack", "defence", "life", "mental_resistance", "movement"]


def priced_field(title: Wording, price: int, default: Any = ..., **ask: Any) -> Any:
    """Return a field that is paid for with `price` points for each unit."""
    return field(title, default, price=price, **ask)


def squares_field(price: int) -> Any:
    """Return a priced field for a number of squares, of which the ability needs at least one to do anything."""
    return priced_field(_("Squares"), price, least=1)


class Ability(Entry):
    """A special ability on a sheet: its cost is a base price plus a price for each parameter."""

    ability: str
    range: Points = priced_field(_("Extra range"), 1, 0)

    base: ClassVar[int] = 0
    """The base price."""
    action: ClassVar[bool] = True
    """True if using it is the action of the turn."""
    range_kind: ClassVar[Literal["bought", "priced", "none"]] = "bought"
    """"bought" if extra range costs points of its own (CD-07), "priced" if the price covers the distance, "none" if it
    has no range."""

    @classmethod
    @cache
    def priced_parameters(cls) -> dict[str, tuple[int, int]]:
        """Return {parameter: (price of one unit according to the book, units included in the base price)}."""
        return {key: (slot.ask.price, slot.ask.included) for key, slot in slots(cls).items()
                if slot.ask.price is not None}

    @classmethod
    def prices(cls, house: "ConDiceHouse") -> dict[str, int]:
        """Return {"base": base price, parameter: price of one unit} under the house rules."""
        book = {key: price for key, (price, _included) in cls.priced_parameters().items()}
        return {"base": cls.base, **book, **house.prices.get(cls.slug(), {})}

    def unit_prices(self, house: "ConDiceHouse") -> Mapping[str, int]:
        """Return {parameter: price of one unit} under the house rules."""
        return {key: price for key, price in self.prices(house).items() if key != "base"}

    @classmethod
    def slug(cls) -> str:
        """Return the name of the entry in documents, the only value of its field `ability`."""
        return slots(cls)["ability"].choices[0]

    def price(self, house: "ConDiceHouse") -> int:
        """Return the points that the ability costs."""
        changed = house.prices.get(self.ability, {}) if house.prices else {}
        points = changed.get("base", self.base)
        for key, (price, included) in self.priced_parameters().items():
            if (more := getattr(self, key) - included) > 0:
                points += changed.get(key, price) * more
        return points

    @classmethod
    @cache
    def least_values(cls) -> tuple[tuple[str, int], ...]:
        """Return (parameter, smallest value with which the ability does anything) for each that has one."""
        return tuple((key, slot.ask.least) for key, slot in slots(cls).items() if slot.ask.least is not None)

    @rule("CD-21", "CD-22", "CD-23", "CD-25", "CD-26", "CD-27", "CD-29", "CD-35")
    def too_little_bought(self, house: "ConDiceHouse") -> Iterator[Finding]:
        """Yield an error for each parameter that is too low for the ability to do anything."""
        for key, least in self.least_values():
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
    def useless_range(self, house: "ConDiceHouse") -> Iterator[Finding]:
        """Yield a finding on extra range that the ability cannot use."""
        if not self.range or self.range_kind == "bought":
            return
        if self.range_kind == "priced":
            yield error(
                _("{ability} already includes distance in its price, so {n} extra range is not allowed."),
                "range", self.useless_range_mends(), ability=self.label, n=self.range,
            )
        else:
            yield warning(
                _("{ability} has neither a target nor a place, so {n} extra range does nothing."),
                "range", [self.range_refund()], ability=self.label, n=self.range,
            )

    def range_refund(self) -> Mend:
        """Return the mend that takes back the extra range."""
        return Mend(_REFUND, {"range": 0}, n=self.range)

    def useless_range_mends(self) -> list[Mend]:
        """Return the mends for extra range that the ability cannot use."""
        return [self.range_refund()]

    def what(self) -> Any:
        """Return the ability's description, followed by its range (CD-07)."""
        return self.with_range(self.text)

    def with_range(self, text: Wording) -> Wording:
        """Return a text followed by the range if extra range was bought; the adjacent square counts as 1 (CD-02)."""
        if not self.range or self.range_kind != "bought":
            return text
        return f"{text} {_RANGE_SENTENCE.format(n=1 + self.range)}"

    def dice_and_range(self, dice: int | None) -> str:
        """Return the dice (if known) and the range of the ability's roll, worded as for attacks (CD-02, CD-07)."""
        range_text = rolls.RANGE.format(n=1 + self.range)
        return f"{rolls.DICE.format(n=dice)}, {range_text}" if dice else str(range_text)

    def hidden_fields(self) -> frozenset[str]:
        """Return the field for extra range if it has no use, unless there is extra range to take back."""
        return frozenset() if self.range or self.range_kind == "bought" else frozenset({"range"})

    @rule("CD-07")
    def banned(self, house: "ConDiceHouse") -> Iterator[Finding]:
        """Yield an error if the party has banned the ability."""
        if house.banned.get(self.ability):
            yield error(_("{ability} is banned in this party."), "",
                        [Mend(_("Drop {ability}"), {"": DROP}, ability=self.label)], ability=self.label)

    def roll(self, house: "ConDiceHouse") -> tuple[type[Roll], dict] | None:
        """Return the roll that the ability makes and the parameters known for it; None if it makes none."""
        return None


class VariantAbility(Ability):
    """A boost or debuff whose variant is chosen when the character is created."""

    variants: ClassVar[dict[str, tuple[int, int, int]]]
    """{variant: (rounds, number of attributes, points by which each changes)}."""

    if TYPE_CHECKING:
        variant: str | None
    fields_in_text = frozenset({"variant"})

    def missing_variant(self) -> Finding:
        """Return the finding that no variant is chosen, with a mend for each variant."""
        count, choose = len(self.variants), str(_("Choose variant {variant}: {what}"))
        return error(
            _("{ability} has no variant yet; choose one of {count}."), "variant",
            (Mend(choose, {"variant": key}, variant=key, what=variant_text(*figures))
             for key, figures in self.variants.items()),
            ability=self.label, count=count,
        )

    def what(self) -> Wording:
        """Return the description, beginning with the variant once it is chosen."""
        chosen = self.variants.get(self.variant or "")
        return self.with_range(f"{variant_text(*chosen)}. {self.text}" if chosen else self.text)


def variant_text(rounds: int, attributes: int, by: int) -> str:
    """Return a variant in words; six attributes mean all, whether the house rules count five or six."""
    if attributes > len(ATTRIBUTES):
        return _("all attributes changed by {by} for {rounds} rounds").format(rounds=rounds, by=by)
    return _("{attributes} attributes changed by {by} for {rounds} rounds").format(
        rounds=rounds, attributes=attributes, by=by)


def variant_labels(variants: dict) -> dict:
    """Return {variant: label} for `Ask.choices`."""
    return {key: _VariantLabel(key, figures) for key, figures in variants.items()}


class _VariantLabel:
    """A variant's label, worded in the current language."""

    def __init__(self, key: str, figures: tuple[int, int, int]) -> None:
        self.key, self.figures = key, figures

    def __str__(self) -> str:
        return f"{self.key}: {variant_text(*self.figures)}"
