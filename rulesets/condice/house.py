"""The house rules of ConDice: budget, prices, bans, agreed custom abilities (CD-01, CD-07, CD-08), debuffs (CD-33)."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _
from pydantic import Field, model_validator

from rulesets.condice.catalogue import CATALOGUE
from rulesets.kit import Ask, Count, House, Misplaced, Name, Part, Points, Wording, field, rows, slots


class Agreed(Part):
    """A custom ability that the party has agreed on (CD-08)."""

    name: Name = field(_("Name"))
    cost: Points = field(_("Cost"), 0)
    dice: Count = field(_("Dice"), 0, help=_("0 if it rolls none."))


class ConDiceHouse(House):
    """The settings that a party may change; the defaults are the book's."""

    budget: Points = field(_("Points to spend"), 30)
    consent: bool = field(_("Custom abilities need approval"), default=True)
    open_variant: bool = field(_("The variant of a boost or debuff for others may stay open"), default=False)
    debuff_dice: Count | None = field(_("Debuff dice"), None, help=_("Leave empty to be asked each time."))
    six_attributes: bool = field(
        _("Boosts may raise special abilities, too"), default=False,
        help=_("They count as the sixth attribute: abilities with dice of their own roll that many more."))
    banned: dict[str, bool] = Field(default_factory=dict, json_schema_extra=Ask(_("Banned abilities")))
    agreed: list[Agreed] = rows(_("Agreed custom abilities"), [], row_name=_("Ability"))
    prices: dict[str, dict[str, Points]] = Field(default_factory=dict, json_schema_extra=Ask(_("Prices")))

    @classmethod
    def figures(cls) -> Iterator[tuple[str, Wording, Wording | int, int]]:
        """Yield the ban on each ability of the catalogue (False in the book), then each price."""
        for slug, entry in CATALOGUE.items():
            yield f"banned.{slug}", slots(cls)["banned"].ask.title, entry.title, False
        for slug, entry in CATALOGUE.items():
            for key, price in entry.prices(cls()).items():
                title = _("Base price") if key == "base" else slots(entry)[key].ask.title
                yield f"prices.{slug}.{key}", slots(cls)["prices"].ask.title, f"{entry.title}: {title}", price

    def agreement(self, name: str) -> Agreed | None:
        """Return the party's agreement on a custom ability of this name, ignoring case and surrounding spaces."""
        return next((one for one in self.agreed if one.name.strip().casefold() == name.strip().casefold()), None)

    @model_validator(mode="after")
    def check_bans(self) -> "ConDiceHouse":
        """Raise an error if a ban is not on an ability of the catalogue."""
        for slug in self.banned:
            if slug not in CATALOGUE:
                message = _("“{slug}” is not an ability from the catalogue.")
                raise Misplaced(f"banned.{slug}", message.format(slug=slug))
        return self

    @model_validator(mode="after")
    def check_prices(self) -> "ConDiceHouse":
        """Raise an error if a price is not for an ability of the catalogue and one of its priced parameters."""
        for slug, prices in self.prices.items():
            if slug not in CATALOGUE:
                message = _("“{slug}” is not an ability from the catalogue.")
                raise Misplaced(f"prices.{slug}", message.format(slug=slug))
            sold = CATALOGUE[slug].prices(type(self).model_construct(prices={}))
            for key in prices:
                if key not in sold:
                    message = _("{slug} has no “{key}” to buy; you can buy: {sold}.")
                    raise Misplaced(f"prices.{slug}.{key}", message.format(slug=slug, key=key, sold=", ".join(sold)))
        return self
