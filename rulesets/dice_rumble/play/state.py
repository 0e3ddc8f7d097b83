"""The state of a Dice Rumble character at the table: losses, fate, initiative die, weapons found (DR-14 to DR-18)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from rulesets.dice_rumble import rolls
from rulesets.dice_rumble.house import DiceRumbleHouse
from rulesets.dice_rumble.talents import Weapon
from rulesets.kit import (
    Count,
    Finding,
    Gauge,
    Play,
    Refused,
    field,
    numeral,
    rows,
    warning,
)

if TYPE_CHECKING:
    from rulesets.dice_rumble.sheet import DiceRumble

Face = Annotated[int, Field(ge=1, le=10)]


class DiceRumblePlay(Play):
    """The state of play; it counts points lost instead of points left, because both tracks can fall below 0."""

    on_board = frozenset({"attributes", "weapons"})
    on_board_beside = frozenset({"initiative"})
    life_lost: Count = field(_("Life points lost"), 0)
    mental_health_lost: Count = field(_("Mental health lost"), 0)
    fate_spent: Count = field(_("Fate points spent"), 0)
    initiative: Face | None = field(_("Initiative die"), None)
    weapons: list[Weapon] = rows(_("Weapons found"), [])
    full_life: Count | None = field(_("Life points at full health"), None, help=_("Leave empty to use those on the "
                                                                                  "sheet."))
    npc: bool = field(_("One of the GM's "
                        "characters"), default=False, help=_("Its fate points come from the house rules."))

    def effective(self, sheet: "DiceRumble") -> "DiceRumble":
        """Return the sheet with the weapons found added to its own (DR-18)."""
        return sheet.model_copy(update={"weapons": [*sheet.weapons, *self.weapons]}) if self.weapons else sheet

    def fate(self, sheet: "DiceRumble") -> int:
        """Return the fate points left (DR-17); 0 if more were spent than the party grants now."""
        return max(0, self.most_fate(sheet) - self.fate_spent)

    def most_fate(self, sheet: "DiceRumble") -> int:
        """Return the fate points at the start of an adventure; a GM's character has those of the house (DR-06)."""
        return sheet.house_or(DiceRumbleHouse).npc_fate_points if self.npc else sheet.fate_points()

    def most_life(self, sheet: "DiceRumble") -> int | None:
        """Return the life points at full health: the sheet's, or those set for a quick opponent (DR-04)."""
        return sheet.life() if self.full_life is None else self.full_life

    def begun(self) -> "DiceRumblePlay":
        """Return a fresh state of play; `full_life` and `npc`, which a quick opponent without a sheet has, stay."""
        return DiceRumblePlay(full_life=self.full_life, npc=self.npc)

    def at_adventure_start(self) -> "DiceRumblePlay":
        """Return the state at the start of an adventure: as `begun`, but weapons found stay (DR-06)."""
        return DiceRumblePlay(weapons=self.weapons, full_life=self.full_life, npc=self.npc)

    def life(self, sheet: "DiceRumble") -> int | None:
        """Return the life points left; None while strength is not chosen and no other maximum is set."""
        most = self.most_life(sheet)
        return None if most is None else most - self.life_lost

    def mental_health(self, sheet: "DiceRumble") -> int | None:
        """Return the mental health left; None while mind is not chosen."""
        most = sheet.mental_health()
        return None if most is None else most - self.mental_health_lost

    def gauges(self, sheet: "DiceRumble") -> Iterator[Gauge]:
        """Yield both tracks and fate."""
        life, health = self.life(sheet), self.mental_health(sheet)
        if life is not None and (most := self.most_life(sheet)) is not None:
            yield Gauge("life", _("Life points"), life, most,
                        self.nudge(sheet, "damage", points=1), self.nudge(sheet, "heal", points=1))
        if health is not None and (most := sheet.mental_health()) is not None:
            yield Gauge("mental_health", _("Mental health"), health, most,
                        self.nudge(sheet, "shock", points=1), self.nudge(sheet, "calm", points=1))
        yield Gauge("fate_points", _("Fate points"), self.fate(sheet), self.most_fate(sheet),
                    self.nudge(sheet, "turn-fate", turn=""))

    def board(self, sheet: "DiceRumble") -> Any:
        """Return the values of the template: chosen attributes as (title, value), and the initiative beside them."""
        return {"attributes": [(title, value) for _key, title, value in sheet.attribute_values() if value is not None],
                "beside_dice": rolls.FIGHT, "initiative": self.initiative,
                "turn_acts": ("roll-initiative", "spend-die", "wait")}

    def notices(self, sheet: "DiceRumble") -> Iterator[Finding]:
        """Yield warnings on tracks at 0 or below, and a notice of the initiative die."""
        life, health = self.life(sheet), self.mental_health(sheet)
        if life is not None and life <= 0:
            yield warning(_("Life is {n}: the GM decides whether the character is, say, unconscious or dead."),
                          rule="DR-16", n=numeral(life))
        if health is not None and health <= 0:
            yield warning(
                _("Mental health is {n}: the GM decides whether the character, say, panics or flees."),
                rule="DR-16", n=numeral(health))
        if self.initiative is not None:
            yield warning(_("Your initiative die shows {n}."),
                          rule="DR-14", n=self.initiative)

    def with_fate_spent(self, sheet: "DiceRumble") -> "DiceRumblePlay":
        """Return the state with one fate point less. Raise `Refused` if none is left."""
        if not self.fate(sheet):
            raise Refused(_("No fate points are left; the next adventure brings new ones."))
        return self.model_copy(update={"fate_spent": self.fate_spent + 1})
