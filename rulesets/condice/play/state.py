"""The state of a ConDice character at the table (CD-45 to CD-51, CD-54)."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic import Field, model_validator

from rulesets.condice import board
from rulesets.condice.ability import ATTRIBUTES, SPECIAL_ABILITIES
from rulesets.condice.catalogue import CATALOGUE
from rulesets.condice.house import ConDiceHouse
from rulesets.condice.play.effective import boosted_ability, changed_attack, clamped, weaker_ability
from rulesets.condice.play.names import name_or_somebody
from rulesets.kit import (
    HIGHEST,
    Count,
    Finding,
    Gauge,
    Name,
    Part,
    Play,
    SheetKey,
    Text,
    Wording,
    field,
    rows,
    warning,
    with_row,
)

if TYPE_CHECKING:
    from rulesets.condice.sheet import ConDice

Losable = Literal["movement", "attack", "defence", "life", "mental_resistance", "ability"]
Delta = Annotated[int, Field(ge=-HIGHEST, le=HIGHEST)]
SIZE_EFFECTS = {"grow": {"attack": 2, "defence": -4, "movement": 1},
                "shrink": {"attack": -4, "defence": 4, "movement": -1}}
"""{change of size: its effect} (CD-28)."""
SIZE_NAMES = {"grow": _("Grown"), "shrink": _("Shrunk")}
"""{change of size: its title while it lasts} (CD-28)."""
# Each point of life on the sheet is two life points (CD-04).
LifePoints = Annotated[int, Field(ge=0, le=2 * HIGHEST)]
Target = Annotated[
    str, Field(pattern=r"^(movement|defence|life|mental_resistance|(attacks|abilities)\.(0|[1-9][0-9]?))$")]
Holding = Literal["mindcontrol", "aggro-ziehen"]
HOLDING = {slug: CATALOGUE[slug].title for slug in ("mindcontrol", "aggro-ziehen")}
"""{ability that can hold a target: title} (CD-54)."""
BOND_NOTICES = {
    "mindcontrol": _("{by} controls you; on your turn {by} says what you do."),
    "aggro-ziehen": _("{by} has your aggro; on your turn you attack {by}, or come closer if you are out of reach.")}
"""{ability that holds: notice to its victim}."""
HOLD_NOTICES = {"mindcontrol": _("You control {target}; on their turn you say what they do."),
                "aggro-ziehen": _("{target} has to attack you or come closer.")}
"""{ability that holds: notice to its holder}."""
HOLDING_RULES = {"mindcontrol": "CD-22", "aggro-ziehen": "CD-23"}
TURN_PARTS = {"action": _("the action"), "movement": _("the movement")}
"""{part of a turn that a held character can give up to try to break free: title} (CD-54)."""
DONE_FIELDS = {"action": "acted", "movement": "moved"}
"""{part of a turn: field of the state that is True once it is done}."""


class Effect(Part):
    """A boost, debuff, aura or change of size: the points added to each attribute (CD-50)."""

    name: Name = field(_("What it is"), "")
    attack: Delta = field(ATTRIBUTES["attack"], 0)
    defence: Delta = field(ATTRIBUTES["defence"], 0)
    life: Delta = field(ATTRIBUTES["life"], 0)
    mental_resistance: Delta = field(ATTRIBUTES["mental_resistance"], 0)
    movement: Delta = field(ATTRIBUTES["movement"], 0)
    abilities: Delta = field(SPECIAL_ABILITIES, 0)
    rounds: Count | None = field(_("Rounds left"), None, help=_("If empty, it lasts until you end it."))
    life_taken: LifePoints = field(_("Life points taken"), 0, help=_("They come back when it ends."))

    @property
    def label(self) -> Wording:
        """The name; if it is empty, a title, which is that of a change of size if the figures match one."""
        size = next((size for size, changes in SIZE_EFFECTS.items() if changes.items() <= vars(self).items()), None)
        return self.name or (SIZE_NAMES[size] if size else _("effect"))


class Loss(Part):
    """Points that an attribute lost at 0 life; they stay lost until the end of the adventure (CD-46)."""

    target: Target = field(_("What lost points"), is_path=True)
    """An attribute, or the path of an attack or ability in the sheet."""
    points: Count = field(_("Points"))


class Item(Part):
    """Something gained in play (CD-51)."""

    name: Name = field(_("Name"))
    effect: Text = field(_("Effect"), "")
    used: bool = field(_("Used up"), default=False)


class Hold(Part):
    """A target that this character holds by mind control or aggro; `source` is the key of its sheet (CD-54)."""

    ability: Holding = field(_("Ability"), choices=HOLDING)
    target: Name = field(_("Target"))
    dice: Count = field(_("Dice"))
    source: SheetKey = field(_("Target's sheet"), "", unwritten=True)
    tried: bool = field(_("Tried to break free this round"), default=False, unwritten=True)


class Bond(Part):
    """A hold of another character on this one: `by` is the holder's name, `source` the key of its sheet (CD-54)."""

    ability: Holding = field(_("Ability"), choices=HOLDING)
    by: Name = field(_("Held by"), "")
    dice: Count = field(_("Dice"))
    source: SheetKey = field(_("Holder's sheet"), "", unwritten=True)
    tried: bool = field(_("Tried to break free this round"), default=False, unwritten=True)


class Reached(Part):
    """A target that an area attack or boost has reached in this turn, each once per ability (CD-33, CD-35)."""

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
    given_up: list[Literal["action", "movement"]] = field(_("Given up to break free"), [], choices=TURN_PARTS)
    repeated: bool = field(_("Reroll used this fight"), default=False)
    repeats: Count = field(_("Rerolls used this fight"), 0)
    repeated_now: bool = field(_("Reroll used this turn"), default=False)
    moved: bool = field(_("Moved this turn"), default=False)
    acted: bool = field(_("Acted this turn"), default=False)
    reached: list[Reached] = rows(_("Targets of this turn's action"), [], unwritten=True)
    full_life: LifePoints | None = field(
        _("Life points at full health"), None, help=_("Leave empty to use those on the sheet."))

    @model_validator(mode="after")
    def check_order_of_loss(self) -> "ConDicePlay":
        """Raise ValueError if points are rolled without an attribute, or an attribute without a loss due (CD-46)."""
        if (self.loss_attribute and not self.losses_due) or (self.loss_points is not None and not self.loss_attribute):
            raise ValueError(_("First a loss must be due, then comes its attribute, then the number of points."))
        return self

    def effective(self, sheet: "ConDice") -> "ConDice":
        """Return the sheet after losses and then all effects together; each figure stays between 0 and 999."""
        if not self.losses and not self.effects:
            return sheet
        lost, more = Counter(), Counter()
        for loss in self.losses:
            lost[loss.target] += loss.points
        for effect in self.effects:
            more.update({key: getattr(effect, key) for key in (*ATTRIBUTES, "abilities")})
        values = {key: clamped(max(0, getattr(sheet, key) - lost[key]) + more[key])
                  for key in ATTRIBUTES if key != "attack"}
        attacks = [changed_attack(attack, lost[f"attacks.{row}"], more["attack"])
                   for row, attack in enumerate(sheet.attacks)]
        house = sheet.house_or(ConDiceHouse)
        abilities = [weaker_ability(one, lost[f"abilities.{row}"], house) for row, one in enumerate(sheet.abilities)]
        return sheet.model_copy(update={**values, "attacks": attacks, "abilities": [
            boosted_ability(one, more["abilities"]) for one in abilities if one]})

    def begun(self) -> "ConDicePlay":
        """Return a fresh state of play that keeps `full_life`, which only a quick opponent has."""
        return ConDicePlay(full_life=self.full_life)

    def max_life(self, sheet: "ConDice") -> int:
        """Return the current maximum of life points; a quick opponent's is based on `full_life`, not the sheet."""
        now = self.effective(sheet).life_points()
        return now if self.full_life is None else max(0, now + self.full_life - sheet.life_points())

    def life_left(self, sheet: "ConDice") -> int:
        """Return the life points left."""
        most = self.max_life(sheet)
        return most if self.life is None else min(self.life, most)

    def with_life(self, sheet: "ConDice", life: int) -> "ConDicePlay":
        """Return the state with life set, between 0 and the maximum (CD-45)."""
        return self.model_copy(update={"life": None if life >= self.max_life(sheet) else max(0, life)})

    def gauges(self, sheet: "ConDice") -> Iterator[Gauge]:
        """Yield the life points."""
        yield Gauge("life", _("Life points"), self.life_left(sheet), self.max_life(sheet),
                    self.nudge(sheet, "damage", points=1, against="nothing"), self.nudge(sheet, "heal", points=1))

    def board(self, sheet: "ConDice") -> Any:
        """Return the turn and the temporary changes of figures, which the template draws."""
        return {"changes": [*board.changes(sheet, self)], **board.turn(sheet, self)}

    def open_parts(self, sheet: "ConDice") -> tuple[bool, bool]:
        """Return (movement, action), each True if it can still be used; at 0 life only one can (CD-47, CD-52)."""
        spent = not self.life_left(sheet) and (self.moved or self.acted)
        return not (self.moved or spent), not (self.acted or spent)

    def may_give_up(self, sheet: "ConDice") -> dict[str, bool]:
        """Return {part of the turn: True if it can be given up}; a movement of 0 squares cannot (CD-54)."""
        movement, action = self.open_parts(sheet)
        return {"movement": movement and self.effective(sheet).movement > 0, "action": action}

    def with_action_done(self) -> "ConDicePlay":
        """Return the state with the action of this turn done (CD-09, CD-52)."""
        return self.model_copy(update={"acted": True})

    @property
    def rerolls_used(self) -> int:
        """The number of rerolls used in this fight (CD-49); older states do not count them and only have `repeated`."""
        return max(self.repeats, int(self.repeated))

    def with_new_turn(self) -> "ConDicePlay":
        """Return the state with movement, action and reroll available again (CD-30, CD-52)."""
        reset = {"moved": False, "acted": False, "repeated_now": False, "given_up": [], "reached": []}
        return self.model_copy(update=reset)

    def with_turn_begun(self) -> "ConDicePlay":
        """Return the state at the start of a turn, in which parts given up to break free are used (CD-52, CD-54)."""
        used = {DONE_FIELDS[one]: True for one in self.given_up}
        return self.with_new_turn().model_copy(update=used | {"given_up": self.given_up} if used else {})

    def with_part_given_up(self, part: Literal["action", "movement"]) -> "ConDicePlay":
        """Return the state with the action or the movement of this turn, or of the next one, given up (CD-54)."""
        return self.model_copy(update={DONE_FIELDS[part]: True, "given_up": sorted({*self.given_up, part})})

    def with_new_round(self) -> "ConDicePlay":
        """Return the state at the start of a round, in which the held may try to break free again (CD-52, CD-54)."""
        held = {key: [one.model_copy(update={"tried": False}) for one in vars(self)[key]] for key in ("holds", "bonds")}
        return self.with_new_turn().model_copy(update={**held, "given_up": self.given_up})

    def bond_demands(self) -> list[str]:
        """Return what each bond demands of this character, in words."""
        return [str(BOND_NOTICES[one.ability].format(by=name_or_somebody(one.by))) for one in self.bonds]

    @property
    def break_free_tried(self) -> bool:
        """True if this character, or somebody it holds, has tried to break free in this round."""
        return any(one.tried for one in self.holds) or any(one.tried for one in self.bonds)

    def with_damage(self, sheet: "ConDice", points: int) -> "ConDicePlay":
        """Return the state with life lowered; damage that leaves 0 life makes a loss due (CD-45, CD-46)."""
        after = self.with_life(sheet, self.life_left(sheet) - points)
        return after.with_loss_due() if points and not after.life_left(sheet) else after

    def with_loss_due(self) -> "ConDicePlay":
        """Return the state with one more loss for the GM to roll (CD-46)."""
        return self.model_copy(update={"losses_due": min(HIGHEST, self.losses_due + 1)})

    def with_loss_if_down(self, sheet: "ConDice", after: "ConDicePlay") -> "ConDicePlay":
        """Return `after`, with a loss due if life has dropped to 0 between this state and `after` (CD-46)."""
        return after.with_loss_due() if self.life_left(sheet) and not after.life_left(sheet) else after

    def with_effect(self, sheet: "ConDice", effect: Effect) -> "ConDicePlay":
        """Return the state with an effect added; life rises with the maximum, and is capped by a lower one."""
        before, left = self.max_life(sheet), self.life_left(sheet)
        now = self.model_copy(update={"effects": with_row(self.effects, effect)}).max_life(sheet)
        new = effect.model_copy(update={"life_taken": max(0, left - now)})
        changed = self.model_copy(update={"effects": [*self.effects, new]})
        return self.with_loss_if_down(sheet, changed.with_life(sheet, left + max(0, now - before)))

    def with_only_effects(self, sheet: "ConDice", kept: list[Effect]) -> "ConDicePlay":
        """Return the state with only these effects; life that the removed ones took comes back, up to the maximum."""
        returned = sum(effect.life_taken for effect in self.effects) - sum(effect.life_taken for effect in kept)
        after = self.model_copy(update={"effects": kept})
        return self.with_loss_if_down(sheet, after.with_life(sheet, self.life_left(sheet) + returned))

    def with_loss(self, sheet: "ConDice", target: str | None) -> "ConDicePlay":
        """Return the state after a loss that was due; without a target nothing loses points (CD-46)."""
        losses = self.losses
        if target:
            earlier = sum(loss.points for loss in losses if loss.target == target)
            loss = Loss(target=target, points=min(HIGHEST, earlier + (self.loss_points or 0)))
            losses = with_row([loss for loss in losses if loss.target != target], loss)
        done = {"losses_due": self.losses_due - 1, "loss_attribute": None, "loss_points": None, "losses": losses}
        return self.with_loss_if_down(sheet, self.model_copy(update=done).with_life(sheet, self.life_left(sheet)))

    def notices(self, sheet: "ConDice") -> Iterator[Finding]:
        """Yield warnings on losses due, holds and bonds, and the turn at 0 life."""
        if self.losses_due:
            message = ngettext_lazy("The GM still has to roll {n} attribute loss.",
                                    "The GM still has to roll {n} attribute losses.", "n")
            yield warning(message, rule="CD-46", n=self.losses_due)
        for hold in self.holds:
            yield warning(HOLD_NOTICES[hold.ability], rule=HOLDING_RULES[hold.ability],
                          target=name_or_somebody(hold.target))
        for bond in self.bonds:
            yield warning(BOND_NOTICES[bond.ability], rule=HOLDING_RULES[bond.ability], by=name_or_somebody(bond.by))
        if not self.life_left(sheet):
            yield warning(_("At 0 life you get an action or a movement each turn, not both."), rule="CD-47")
