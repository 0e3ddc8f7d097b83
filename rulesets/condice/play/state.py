"""The state of a ConDice character at the table (CD-45 to CD-51, CD-54)."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic import Field, model_validator

from rulesets.condice import board
from rulesets.condice.ability import ATTRIBUTES, SIXTH
from rulesets.condice.catalogue import CATALOGUE
from rulesets.condice.house import ConDiceHouse
from rulesets.condice.play.effective import boosted_ability, bounded, changed_attack, weaker_ability
from rulesets.condice.play.names import named
from rulesets.kit import (
    HIGHEST,
    Count,
    Gauge,
    Name,
    Part,
    Play,
    SheetKey,
    Text,
    Wording,
    added,
    field,
    rows,
    warning,
)
from rulesets.kit.findings import Finding

if TYPE_CHECKING:
    from rulesets.condice.sheet import ConDice

Losable = Literal["movement", "attack", "defence", "life", "mental_resistance", "ability"]
Change = Annotated[int, Field(ge=-HIGHEST, le=HIGHEST)]
SIZES = {"grow": {"attack": 2, "defence": -4, "movement": 1}, "shrink": {"attack": -4, "defence": 4, "movement": -1}}
"""The effect of each change of size (CD-28)."""
GROWN = {"grow": _("Grown"), "shrink": _("Shrunk")}
"""The name of each change of size while it lasts (CD-28)."""
LifePoints = Annotated[int, Field(ge=0, le=2 * HIGHEST)]
"""A point of life is two life points (CD-04)."""
Target = Annotated[
    str, Field(pattern=r"^(movement|defence|life|mental_resistance|(attacks|abilities)\.(0|[1-9][0-9]?))$")
]
Holding = Literal["mindcontrol", "aggro-ziehen"]
HOLDING = {slug: CATALOGUE[slug].title for slug in ("mindcontrol", "aggro-ziehen")}
"""The abilities that hold someone (CD-54)."""
BOUND = {"mindcontrol": _("{by} controls you; on your turn {by} says what you do."),
         "aggro-ziehen": _("{by} has your aggro; on your turn you attack {by}, or come closer if you are out of "
                           "reach.")}
HELD = {"mindcontrol": _("You control {target}; on their turn you say what they do."),
        "aggro-ziehen": _("{target} has to attack you or come closer.")}
RULES = {"mindcontrol": "CD-22", "aggro-ziehen": "CD-23"}
"""The rule of each ability that holds; `BOUND` is the notice to its victim, `HELD` the one to its holder."""
PARTS = {"action": _("the action"), "movement": _("the movement")}
"""The parts of a turn that a victim can give up to try to break free (CD-54)."""
PARTS_DONE = {"action": "acted", "movement": "moved"}
"""{part of a turn: field that is True once it is done}."""


class Effect(Part):
    """A boost, debuff, aura or change of size: attributes in points as bought, and the rounds left (CD-50)."""

    name: Name = field(_("What it is"), "")
    attack: Change = field(ATTRIBUTES["attack"], 0)
    defence: Change = field(ATTRIBUTES["defence"], 0)
    life: Change = field(ATTRIBUTES["life"], 0)
    mental_resistance: Change = field(ATTRIBUTES["mental_resistance"], 0)
    movement: Change = field(ATTRIBUTES["movement"], 0)
    abilities: Change = field(SIXTH, 0)
    rounds: Count | None = field(_("Rounds left"), None, help=_("If empty, it lasts until you end it."))
    life_taken: LifePoints = field(_("Life points taken"), 0, help=_("They come back when it ends."))

    @property
    def label(self) -> Wording:
        """Its name, or what stands in for it; a change of size is known by what it does."""
        size = next((size for size, does in SIZES.items() if does.items() <= vars(self).items()), None)
        return self.name or (GROWN[size] if size else _("effect"))


class Loss(Part):
    """Points that an attribute lost at 0 life; they stay lost to the end of the adventure (CD-46)."""

    target: Target = field(_("What lost points"), is_path=True)
    """An attribute, or the path of an attack or ability in the sheet."""
    points: Count = field(_("Points"))


class Item(Part):
    """Something gained in play (CD-51)."""

    name: Name = field(_("Name"))
    effect: Text = field(_("Effect"), "")
    used: bool = field(_("Used up"), default=False)


class Hold(Part):
    """The holder's record of a target under its mind control or aggro (CD-54)."""

    ability: Holding = field(_("Ability"), choices=HOLDING)
    target: Name = field(_("Target"))
    dice: Count = field(_("Dice"))
    source: SheetKey = field(_("Target's sheet"), "", unwritten=True)
    tried: bool = field(_("Tried to break free this round"), default=False, unwritten=True)


class Bond(Part):
    """The victim's record of being held: `by` names the holder, `source` is the key of its sheet (CD-54)."""

    ability: Holding = field(_("Ability"), choices=HOLDING)
    by: Name = field(_("Held by"), "")
    dice: Count = field(_("Dice"))
    source: SheetKey = field(_("Holder's sheet"), "", unwritten=True)
    tried: bool = field(_("Tried to break free this round"), default=False, unwritten=True)


class Reached(Part):
    """A target that an area attack or boost has reached in this turn; once by each ability (CD-33, CD-35)."""

    ability: Name = field(_("Ability"), "")
    name: Name = field(_("Target"), "")
    source: SheetKey = field(_("Target's sheet"), "")


class ConDicePlay(Play):
    """The state of play of a ConDice character."""

    life: LifePoints | None = field(_("Life points now"), None)
    """None means full life."""
    losses_due: Count = field(_("Losses to roll"), 0)
    loss_attribute: Losable | None = field(_("Attribute that loses points"), None)
    loss_points: Count | None = field(_("Points lost"), None)
    losses: list[Loss] = rows(_("Lost"), [])
    effects: list[Effect] = rows(_("Effects"), [])
    items: list[Item] = rows(_("Items"), [])
    holds: list[Hold] = rows(_("Held"), [])
    bonds: list[Bond] = rows(_("Held by"), [], unwritten=True)
    given_up: list[Literal["action", "movement"]] = field(_("Given up to break free"), [], choices=PARTS)
    repeated: bool = field(_("Reroll used this fight"), default=False)
    repeats: Count = field(_("Rerolls used this fight"), 0)
    repeated_now: bool = field(_("Reroll used this turn"), default=False)
    moved: bool = field(_("Moved this turn"), default=False)
    acted: bool = field(_("Acted this turn"), default=False)
    reached: list[Reached] = rows(_("Targets of this turn's action"), [], unwritten=True)
    full_life: LifePoints | None = field(
        _("Life points at full health"), None, help=_("Leave empty to use those on the sheet."))

    @model_validator(mode="after")
    def in_order(self) -> "ConDicePlay":
        """Raise ValueError if points are known before their attribute, or an attribute before a loss is due (CD-46)."""
        if (self.loss_attribute and not self.losses_due) or (self.loss_points is not None and not self.loss_attribute):
            raise ValueError(_("First a loss must be due, then comes its attribute, then the number of points."))
        return self

    def effective(self, sheet: "ConDice") -> "ConDice":
        """Return the sheet after losses, then after all effects together; each figure stays between 0 and 999."""
        if not self.losses and not self.effects:
            return sheet
        lost, more = Counter(), Counter()
        for loss in self.losses:
            lost[loss.target] += loss.points
        for effect in self.effects:
            more.update({key: getattr(effect, key) for key in (*ATTRIBUTES, "abilities")})
        values = {key: bounded(max(0, getattr(sheet, key) - lost[key]) + more[key])
                  for key in ATTRIBUTES if key != "attack"}
        attacks = [changed_attack(attack, lost[f"attacks.{row}"], more["attack"])
                   for row, attack in enumerate(sheet.attacks)]
        house = sheet.house_or(ConDiceHouse)
        abilities = [weaker_ability(one, lost[f"abilities.{row}"], house) for row, one in enumerate(sheet.abilities)]
        return sheet.model_copy(update={**values, "attacks": attacks, "abilities": [
            boosted_ability(one, more["abilities"]) for one in abilities if one]})

    def begun(self) -> "ConDicePlay":
        """Return a fresh state of play; `full_life`, which only a quick opponent without a full sheet has, stays."""
        return ConDicePlay(full_life=self.full_life)

    def most(self, sheet: "ConDice") -> int:
        """Return the current maximum of life points; a quick opponent's starts from `full_life`, not the sheet."""
        now = self.effective(sheet).life_points()
        return now if self.full_life is None else max(0, now + self.full_life - sheet.life_points())

    def left(self, sheet: "ConDice") -> int:
        """Return the life points left."""
        most = self.most(sheet)
        return most if self.life is None else min(self.life, most)

    def with_life(self, sheet: "ConDice", life: int) -> "ConDicePlay":
        """Return the state with life set, between 0 and the maximum (CD-45)."""
        return self.model_copy(update={"life": None if life >= self.most(sheet) else max(0, life)})

    def gauges(self, sheet: "ConDice") -> Iterator[Gauge]:
        """Yield the life points."""
        yield Gauge("life", _("Life points"), self.left(sheet), self.most(sheet),
                    self.nudge(sheet, "damage", points=1, against="nothing"), self.nudge(sheet, "heal", points=1))

    def board(self, sheet: "ConDice") -> Any:
        """Return the turn and the temporary changes of figures for the board."""
        return {"changes": [*board.changes(sheet, self)], **board.turn(sheet, self)}

    def open(self, sheet: "ConDice") -> tuple[bool, bool]:
        """Return (movement, action), each True if still open; at 0 life a turn has only one of them (CD-47, CD-52)."""
        spent = not self.left(sheet) and (self.moved or self.acted)
        return not (self.moved or spent), not (self.acted or spent)

    def may_give_up(self, sheet: "ConDice") -> dict[str, bool]:
        """Return {part of the turn: True if it can be given up}; a movement of 0 fields cannot (CD-54)."""
        movement, action = self.open(sheet)
        return {"movement": movement and self.effective(sheet).movement > 0, "action": action}

    def having_acted(self) -> "ConDicePlay":
        """Return the state with the action of this turn done (CD-09, CD-52)."""
        return self.model_copy(update={"acted": True})

    @property
    def repeats_used(self) -> int:
        """The number of repeats used in this fight (CD-49).

        Older documents have no count, only `repeated`, which stands for one repeat.
        """
        return max(self.repeats, int(self.repeated))

    def next_turn(self) -> "ConDicePlay":
        """Return the state with movement, action and repeat of the turn open again (CD-30, CD-52)."""
        over = {"moved": False, "acted": False, "repeated_now": False, "given_up": [], "reached": []}
        return self.model_copy(update=over)

    def beginning_turn(self) -> "ConDicePlay":
        """Return the state at the start of a turn: open but for parts given up to break free (CD-52, CD-54)."""
        given = {PARTS_DONE[one]: True for one in self.given_up}
        return self.next_turn().model_copy(update=given | {"given_up": self.given_up} if given else {})

    def giving_up(self, what: Literal["action", "movement"]) -> "ConDicePlay":
        """Return the state with the action or the movement of this turn, or of the next one, given up (CD-54)."""
        return self.model_copy(update={PARTS_DONE[what]: True, "given_up": sorted({*self.given_up, what})})

    def next_round(self) -> "ConDicePlay":
        """Return the state for the next round, in which victims may try to break free again (CD-52, CD-54)."""
        held = {key: [one.model_copy(update={"tried": False}) for one in vars(self)[key]] for key in ("holds", "bonds")}
        return self.next_turn().model_copy(update={**held, "given_up": self.given_up})

    def bound(self) -> list[str]:
        """Return a line for each bond: the holder and its demand."""
        return [str(BOUND[one.ability].format(by=named(one.by))) for one in self.bonds]

    @property
    def tried_free(self) -> bool:
        """True if this character or one of its targets has tried to break free in this round."""
        return any(one.tried for one in self.holds) or any(one.tried for one in self.bonds)

    def hurt(self, sheet: "ConDice", points: int) -> "ConDicePlay":
        """Return the state with life lowered; reaching 0, or being hurt at 0, makes a loss due (CD-45, CD-46)."""
        after = self.with_life(sheet, self.left(sheet) - points)
        return after.with_loss_due() if points and not after.left(sheet) else after

    def with_loss_due(self) -> "ConDicePlay":
        """Return the state with one loss more for the GM to roll (CD-46)."""
        return self.model_copy(update={"losses_due": min(HIGHEST, self.losses_due + 1)})

    def fallen(self, sheet: "ConDice", after: "ConDicePlay") -> "ConDicePlay":
        """Return `after`, with a loss due if it has 0 life and this state had more (CD-46)."""
        return after.with_loss_due() if self.left(sheet) and not after.left(sheet) else after

    def with_effect(self, sheet: "ConDice", effect: Effect) -> "ConDicePlay":
        """Return the state with an effect added; life left rises with the maximum, and is capped by a lower one."""
        most, left = self.most(sheet), self.left(sheet)
        now = self.model_copy(update={"effects": added(self.effects, effect)}).most(sheet)
        taking = effect.model_copy(update={"life_taken": max(0, left - now)})
        changed = self.model_copy(update={"effects": [*self.effects, taking]})
        return self.fallen(sheet, changed.with_life(sheet, left + max(0, now - most)))

    def with_effects(self, sheet: "ConDice", kept: list[Effect]) -> "ConDicePlay":
        """Return the state with these effects only; life taken by others comes back, life above the maximum goes."""
        back = sum(effect.life_taken for effect in self.effects) - sum(effect.life_taken for effect in kept)
        return self.fallen(sheet, self.model_copy(update={"effects": kept}).with_life(sheet, self.left(sheet) + back))

    def with_loss(self, sheet: "ConDice", target: str | None) -> "ConDicePlay":
        """Return the state after one loss that was due; without a target nothing loses points (CD-46)."""
        losses = self.losses
        if target:
            before = sum(loss.points for loss in losses if loss.target == target)
            loss = Loss(target=target, points=min(HIGHEST, before + (self.loss_points or 0)))
            losses = added([loss for loss in losses if loss.target != target], loss)
        done = {"losses_due": self.losses_due - 1, "loss_attribute": None, "loss_points": None, "losses": losses}
        return self.fallen(sheet, self.model_copy(update=done).with_life(sheet, self.left(sheet)))

    def notices(self, sheet: "ConDice") -> Iterator[Finding]:
        """Yield warnings on losses due, holds and bonds, and the turn at 0 life."""
        if self.losses_due:
            message = ngettext_lazy("The GM still has to roll {n} attribute loss.",
                                    "The GM still has to roll {n} attribute losses.", "n")
            yield warning(message, rule="CD-46", n=self.losses_due)
        yield from (warning(HELD[hold.ability], rule=RULES[hold.ability], target=named(hold.target))
                    for hold in self.holds)
        yield from (warning(BOUND[one.ability], rule=RULES[one.ability], by=named(one.by)) for one in self.bonds)
        if not self.left(sheet):
            yield warning(_("At 0 life you get an action or a movement each turn, not both."), rule="CD-47")
