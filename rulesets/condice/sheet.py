"""The ConDice sheet: thirty points spent on attacks, four attributes and special abilities (CD-01 to CD-10)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.condice import hints, measures, rolls
from rulesets.condice.ability import ATTRIBUTES, priced_field
from rulesets.condice.catalogue import AnyAbility
from rulesets.condice.house import ConDiceHouse
from rulesets.condice.play import turn
from rulesets.condice.wasted import find_waste
from rulesets.kit import (
    DROP,
    HIGHEST,
    CheckedPart,
    Finding,
    Ledger,
    Measure,
    Mend,
    Name,
    Offer,
    Points,
    Sheet,
    Spent,
    Step,
    Text,
    Wording,
    derived,
    error,
    field,
    join,
    parts,
    rows,
    rule,
    slots,
    warning,
)

if TYPE_CHECKING:
    from rulesets.condice.play.state import ConDicePlay

VALUES = Step("values", _("Values"), _("What keeps the character standing, and how far they get."))
ATTACKS = Step("attacks", _("Attacks"), _("Each point buys a die, or a square of range beyond the adjacent squares."))
ABILITIES = Step("abilities", _("Abilities"), _("What makes the character unique. You can buy extra range for most "
                                                "of them."))
CATEGORIES = {"attacks": _("Attacks"), **ATTRIBUTES, "abilities": _("Special abilities")}


class Attack(CheckedPart):
    """An attack: its dice, and its range beyond the adjacent squares (CD-02)."""

    name: Name = field(_("Name"), samples=(
        _("Punch"), _("Fireball"), _("Longbow"), _("Thorn lash"), _("Ice splinters")),
        help=_("What it looks like is up to you."))
    dice: Points = priced_field(_("Dice"), 1, help=_("A point each."))
    range: Points = priced_field(_("Extra range"), 1, 0, help=_("Distance beyond the adjacent squares, a point each."))
    description: Text = field(_("Description"), "", long=True, help=_("Optional."))

    @property
    def label(self) -> Wording:
        """The name, or a text in place of an empty one."""
        return self.name.strip() or _("Unnamed attack")

    @property
    def full_range(self) -> int:
        """The range in squares, where the adjacent square counts as 1 (CD-02)."""
        return 1 + self.range

    fields_in_text = frozenset({"dice", "range"})

    def what(self) -> Wording:
        """Return the dice and the range in words (CD-02)."""
        return f"{rolls.DICE.format(n=self.dice)}, {rolls.RANGE.format(n=self.full_range)}"

    def price(self, house: ConDiceHouse) -> int:
        """Return the cost: one point for each die and each square of extra range (CD-02)."""
        return self.dice + self.range

    @rule("CD-02")
    def without_name(self, house: ConDiceHouse) -> Iterator[Finding]:
        """Yield a warning if the attack has no name."""
        if not self.name.strip():
            yield warning(_("The attack has no name yet."), "name")

    @rule("CD-02")
    def without_dice(self, house: ConDiceHouse) -> Iterator[Finding]:
        """Yield a warning if the attack has no dice, because range alone does no damage."""
        if not self.dice:
            yield warning(_("{attack} has no dice, so it does no damage."), "dice",
                          [Mend(_("Give {attack} 1 die"), {"dice": 1}, attack=self.label),
                           Mend(_("Drop {ability}"), {"": DROP}, ability=self.label)], attack=self.label)


class ConDice(Sheet):
    """The sheet: points spent in six categories (CD-01)."""

    defence: Points = priced_field(
        _("Defence"), 1, 0, step=VALUES, help=_("Each point takes 1 off the damage of attacks."))
    life: Points = priced_field(_("Life"), 1, 0, step=VALUES, help=_("Each point is two life points."))
    mental_resistance: Points = priced_field(
        _("Mental resistance"), 1, 0, step=VALUES,
        help=_("Each point is a die against mental attacks and takes 1 off mental damage."),
    )
    movement: Points = priced_field(
        _("Movement"), 1, 0, step=VALUES, help=_("Squares per movement, diagonals included."))
    attacks: list[Attack] = rows(_("Attacks"), step=ATTACKS, row_name=_("Attack"))
    abilities: list[AnyAbility] = rows(_("Special abilities"), step=ABILITIES, row_name=_("Special ability"))

    def ledger(self, house: ConDiceHouse) -> Ledger:
        """Return the points spent in the six categories, in the order of the book."""
        return Ledger(house.budget, tuple(
            Spent(CATEGORIES[key], key, points) for key, points in self.points_by_category(house).items()))

    def points_by_category(self, house: ConDiceHouse) -> dict[str, int]:
        """Return {category: points spent}."""
        return {"attacks": sum([attack.price(house) for attack in self.attacks]), "defence": self.defence,
                "life": self.life, "mental_resistance": self.mental_resistance, "movement": self.movement,
                "abilities": sum([one.price(house) for one in self.abilities])}

    @derived("points_spent", _("Points spent"), "CD-01", tile=False)
    def points_spent(self, house: ConDiceHouse) -> int:
        """Return the points spent in all categories."""
        return sum(self.points_by_category(house).values())

    @derived("points_left", _("Points left"), "CD-01", tile=False)
    def points_left(self, house: ConDiceHouse) -> int:
        """Return the points unspent; negative if too many are spent."""
        return house.budget - self.points_spent(house)

    @derived("defence", _("Defence"), "CD-03", how=_("{0.defence} × 1"))
    def defence_value(self, house: ConDiceHouse) -> int:
        """Return the number that is deducted from the damage of an attack."""
        return self.defence

    @derived("life", _("Life points"), "CD-04", how=_("{0.life} × 2 life points"))
    def life_points(self, house: ConDiceHouse | None = None) -> int:
        """Return the life points at full health."""
        return 2 * self.life

    @derived("mental_resistance", _("Mental resistance"), "CD-05", how=_("{0.mental_resistance} × 1"))
    def resistance(self, house: ConDiceHouse) -> int:
        """Return the number of dice against a mental attack, which is also deducted from mental damage."""
        return self.mental_resistance

    @derived("movement", _("Movement"), "CD-06", how=_("{0.movement} × 1 square"), as_squares=True)
    def squares_moved(self, house: ConDiceHouse) -> int:
        """Return the squares in one movement."""
        return self.movement

    @derived("attacks", _("Attacks"), "CD-02")
    def attack_values(self, house: ConDiceHouse) -> list[dict[str, int | str]]:
        """Return the dice and range of each attack."""
        return [{"name": attack.name, "dice": attack.dice, "range": attack.full_range} for attack in self.attacks]

    @derived("abilities", _("Special abilities"), "CD-07", "CD-08")
    def ability_costs(self, house: ConDiceHouse) -> list[dict[str, int | str]]:
        """Return the cost of each ability, extra range included."""
        return [{"ability": one.ability, "cost": one.price(house)} for one in self.abilities]

    @rule("CD-01")
    def over_budget(self, house: ConDiceHouse) -> Iterator[Finding]:
        """Yield an error if more points are spent than the budget allows."""
        spent = self.points_spent(house)
        if (excess := spent - house.budget) > 0:
            yield error(_("{spent} points are spent, but only {budget} are allowed; take back {over}."), "",
                        self.ways_to_save(house, excess), spent=spent, budget=house.budget, over=excess)

    def ways_to_save(self, house: ConDiceHouse, excess: int) -> Iterator[Mend]:
        """Yield mends that save `excess` points: lower one figure, drop one ability, or lower the highest figures."""
        figures = sorted(self.priced_figures(house), key=lambda item: item.spare, reverse=True)
        for figure in [figure for figure in figures if figure.spare >= excess][:3]:
            to = figure.lowered_by(excess)
            yield Mend(_("Lower {what} from {value} to {to}"), {figure.path: to}, what=figure,
                       value=figure.value, to=to)
        rows_by_price = sorted((row.price(house), join(key, index), row.label) for key in ("abilities", "attacks")
                               for index, row in enumerate(getattr(self, key)))
        for cost, path, label in rows_by_price:
            if cost >= excess and path.startswith("abilities"):
                yield Mend(_("Drop {ability} (saves {n})"), {path: DROP}, ability=label, n=cost)
                break
        yield Mend(_("Take {n} points off the highest values"), self.patch_across(figures, rows_by_price, excess),
                   n=excess)

    def patch_across(self, figures: list["PricedFigure"], rows_by_price: list[tuple[int, str, Any]],
                     excess: int) -> dict[str, Any]:
        """Return the patch that lowers the highest figures first, and drops the most expensive rows if need be."""
        dropped, left = [], excess - sum(figure.spare for figure in figures)
        for cost, path, _label in reversed(rows_by_price):
            if left > 0:
                dropped.append(path)
                left -= cost - sum(figure.spare for figure in figures if figure.path.startswith(f"{path}."))
        left = excess - sum(cost for cost, path, _label in rows_by_price if path in dropped)
        patch = dict.fromkeys(dropped, DROP)
        for figure in figures:
            if left > 0 and figure.spare and figure.path.rpartition(".")[0] not in dropped:
                saved = min(left, figure.spare)
                patch[figure.path] = figure.lowered_by(saved)
                left -= saved
        return patch

    def priced_figures(self, house: ConDiceHouse) -> Iterator["PricedFigure"]:
        """Yield every figure that costs points."""
        for prefix, part in parts(self):
            prices = part.prices(house) if hasattr(part, "prices") else {}
            for key, slot in slots(type(part)).items():
                if slot.ask.price is not None:
                    floor = max(slot.ask.included, slot.ask.least or 0, key in ("life", "movement", "dice"))
                    owner = "" if part is self else part.label
                    yield PricedFigure(join(prefix, key), owner, slot.ask.title, getattr(part, key), floor,
                                       prices.get(key, slot.ask.price))

    @rule("CD-10")
    def hard_to_play(self, house: ConDiceHouse) -> Iterator[Finding]:
        """Yield warnings on what is legal but hard to play."""
        if not self.life:
            yield warning(_("Life is 0: the character starts at 0 life points and gets an action or a movement each "
                            "turn, never both."), "life", [Mend(_("Put 1 point into life"), {"life": 1})])
        if not self.movement:
            yield warning(_("Movement is 0: the character cannot move."), "movement",
                          [Mend(_("Put 1 point into movement"), {"movement": 1})])
        if not self.attacks and not self.abilities:
            punch = Attack(name=str(_("Punch")), dice=1).model_dump()
            yield warning(_("There is no attack and no ability: the character cannot do anything to an opponent."),
                          "attacks", [Mend(_("Add a punch with 1 die"), {"attacks": [punch]})])

    @rule("CD-02", "CD-07")
    def wasted_points(self, house: ConDiceHouse) -> Iterator[Finding]:
        """Yield warnings on attacks and abilities whose points are wasted."""
        yield from find_waste(self)

    def hints(self, house: ConDiceHouse) -> Iterator[tuple[str, Wording]]:
        """Yield the chances against a typical opponent, now and with one more point."""
        yield from hints.for_sheet(self)

    def measures(self, house: ConDiceHouse) -> Iterator[Measure]:
        """Yield the figures that compare the character with its party."""
        yield from measures.for_sheet(self)

    def roll_offers(self, play: "ConDicePlay") -> Iterator[Offer]:
        """Yield attacks, then abilities, then the defence against a mental attack, then rolls that are seldom needed.

        An explosion, which costs life when it is rolled (CD-31), is an act instead.
        """
        after_hit = turn.without_spent_action(play, turn.offers_after_hit)
        for index, attack in enumerate(self.attacks):
            yield rolls.Attack.offer(attack.label, f"attacks.{index}", attack.what(), dice=attack.dice,
                                     reach=attack.full_range, leads=after_hit)
        for index, one in enumerate(self.abilities):
            if roll := one.roll(self.house_or(ConDiceHouse)):
                cls, filled = roll
                lacking = min(HIGHEST, play.max_life(self) - play.life_left(self))
                filled |= {"missing": lacking} if cls is rolls.DrainLife else {}
                yield cls.offer(one.label, f"abilities.{index}", one.dice_and_range(filled.get("dice")),
                                leads=turn.followups_of(self, play, one, cls),
                                reach=1 + one.range if one.range_kind == "bought" else 0, **filled)
        yield rolls.MentalDefence.offer(dice=self.mental_resistance)
        yield rolls.Success.offer(rare=True)
        yield rolls.MentalDamage.offer(rare=True, leads=after_hit)
        yield rolls.AttributeLoss.offer(rare=True)
        yield rolls.LossPoints.offer(rare=True)


@dataclass(frozen=True)
class PricedFigure:
    """A figure that costs points."""

    path: str
    owner: Any
    """The label of the attack or ability that it belongs to, "" for an attribute."""
    title: Any
    value: int
    floor: int
    """The value that should remain: 1 point of movement, 1 die, or the ability's minimum."""
    price: int
    """The points that each unit costs."""

    @property
    def spare(self) -> int:
        """The points that can be taken back from it."""
        return self.price * max(0, self.value - self.floor)

    def lowered_by(self, points: int) -> int:
        """Return the value after at least `points` points are taken back."""
        return self.value - -(-points // self.price)

    def __str__(self) -> str:
        """Return the title, preceded by the attack or ability that it belongs to."""
        return f"{self.owner}: {self.title}" if self.owner else str(self.title)
