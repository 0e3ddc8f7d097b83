"""The state of a character at the table: conditions, points, dice, the fight, a change of section (SZ-07 to SZ-09d)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic import Field

from rulesets.augen_des_zwielichts import board, headings
from rulesets.augen_des_zwielichts.catalogue import ALL_CONDITIONS, COLOURS, LAST_SECTION, PLACES, SECTIONS
from rulesets.augen_des_zwielichts.play import fight_notices
from rulesets.augen_des_zwielichts.texts import Faces, faces
from rulesets.kit import HIGHEST, Count, Finding, Gauge, Name, Part, Play, Refused, Wording, field, rows, warning

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts

Step = Literal[
    "turn-black", "exchange-ability", "name-fears", "gain-ability", "drop-fear", "change-field", "change-mark",
    "turn-white"]
STEPS = {
    "turn-black": _("one more field turns black"), "exchange-ability": _("exchange an ability"),
    "name-fears": _("fears back to two"), "gain-ability": _("one more ability"), "drop-fear": _("drop a fear"),
    "change-field": _("change an attribute or item"), "change-mark": _("change the mark"),
    "turn-white": _("turn a field white"),
}
"""The steps of a change of section (SZ-09a)."""
Face = Annotated[int, Field(ge=1, le=6)]
PLACE = Literal["demon", "origin", "mount", "item", "fear", "ability"]
TABLES = {
    "demon": _("Demon"), "origin": _("Origin"), "mount": _("Mount"), "item": _("Item of the origin"),
    "fear": _("Fears"), "ability": _("Abilities"),
}
_LEFT = ngettext_lazy("{n} step to go", "{n} steps to go", "n")


class Word(Part):
    """A condition: a word that the players choose (SZ-07)."""

    word: Name = field(_("Condition"))


class Table(Part):
    """A custom table of the group, with one entry per line (SZ-03)."""

    into: PLACE = field(_("For"), choices=TABLES)
    entries: list[Name] = field(_("Entries"))


class AugenDesZwielichtsPlay(Play):
    """The state of play of a character of Augen des Zwielichts."""

    on_board = frozenset({"black_fields", "may_fight", "conditions"})
    conditions: list[Word] = rows(_("Conditions after the demon"), [])
    conditions_due: Count = field(_("Conditions that have no word yet"), 0)
    brought_back: bool = field(_("Brought back"), default=False)
    section_points: Count = field(_("Section points"), 0)
    bonus_dice: Count = field(_("White bonus dice"), 0)
    clues: Count = field(_("The group's clues"), 0)
    corruption: Count = field(_("Corruption points"), 0)
    difficulty: Count = field(_("Difficulty raised by"), 0)
    travelled: bool = field(_("“Travelling” used in this adventure"), default=False)
    question: bool = field(_("Adventure question used"), default=False)
    danger_level: Count | None = field(_("Danger level"), None)
    weak_point: Face | None = field(_("Weak point"), None)
    taken_over: Faces = field(_("Weak points taken over"), "")
    fought: Count = field(_("Rounds fought"), 0)
    fighters: Count = field(_("Fighters in the fight"), 0)
    fights: Count = field(_("Fights begun"), 0, unwritten=True)
    left_fight: Count | None = field(_("Fight that was left"), None)
    left_round: Count = field(_("Rounds fought when it was left"), 0)
    left_weak_point: Face | None = field(_("Weak point in the fight that was left"), None)
    left_die: Face | None = field(_("Combat die in the round that was left"), None)
    left_weakening: bool = field(_("Weakened the enemy in the round that was left"), default=False)
    rounds: Count = field(_("Last round settled"), 0)
    combat_die: Face | None = field(_("Combat die of this round"), None)
    last_die: Face | None = field(_("Combat die of the last round"), None)
    open_weak_point: Face | None = field(_("Weak point to take over"), None)
    last_hits: Count = field(_("Hits of the last round"), 0)
    second_die: bool = field(_("Second combat die"), default=False)
    tied: bool = field(_("Tied with others for the highest die"), default=False)
    early: bool = field(_("The round was settled before its last turn"), default=False)
    risk_won: bool = field(_("Successful “Take a risk” that may lead into or out of a fight"), default=False)
    weakening: bool = field(_("Weakens the enemy this round"), default=False)
    unapplied: bool = field(_("“Weaken the enemy” rolled, result not applied yet"), default=False)
    weakened_fight: Count | None = field(_("Fight for which “Weaken the enemy” was rolled"), None)
    honour: Name = field(_("Honour gained in this section"), "")
    free_item: Name = field(_("Free item gained in this section"), "")
    help_white: Faces = field(_("White dice of helpers"), "")
    help_black: Faces = field(_("Black dice of helpers"), "")
    free_item_combat: bool = field(_("The free item is fit for combat"), default=False)
    steps: list[Step] = field(_("Steps of the section change"), [], choices=STEPS)
    tables: list[Table] = rows(_("Custom tables"), [])

    def evolve(self, **changes: Any) -> "AugenDesZwielichtsPlay":
        """Return a copy with these fields changed."""
        return self.model_copy(update=changes)

    def with_counts_changed(self, **counts: int) -> "AugenDesZwielichtsPlay":
        """Return the state with counts raised or lowered, kept between 0 and `HIGHEST`."""
        return self.evolve(**{key: min(HIGHEST, max(0, getattr(self, key) + by)) for key, by in counts.items()})

    def with_spent(self, key: str, by: int, missing: Wording) -> "AugenDesZwielichtsPlay":
        """Return the state with a count lowered. Raise `Refused`, with the message `missing`, if it is too low."""
        there = getattr(self, key)
        if there < by:
            raise Refused(missing.format(n=by, there=there))
        return self.evolve(**{key: there - by})

    def with_enemy(self, danger_level: int | None) -> "AugenDesZwielichtsPlay":
        """Return the state with this danger level if none is known yet. Raise `Refused` if none is given either."""
        if self.danger_level is None and danger_level is None:
            raise Refused(_("What is the enemy's danger level? Enter it, so that it can go down or up."))
        return self if self.danger_level is not None else self.evolve(danger_level=danger_level)

    def with_enemy_weakened(self, by: int) -> "AugenDesZwielichtsPlay":
        """Return the state with the danger level changed; it does not fall below 1."""
        return self.evolve(danger_level=min(HIGHEST, max(1, (self.danger_level or 0) + by)))

    @property
    def full(self) -> bool:
        """True if there are six conditions, including those without a word (SZ-07)."""
        return len(self.conditions) + self.conditions_due >= PLACES - 1

    @property
    def out_of_action(self) -> bool:
        """True if the character is out of action (SZ-07, SZ-37)."""
        return self.full and not self.brought_back

    @property
    def free(self) -> bool:
        """True if no change of section is under way."""
        return not self.steps

    @property
    def fighting(self) -> bool:
        """True if the character takes part in a fight."""
        return self.weak_point is not None

    @property
    def in_group(self) -> bool:
        """True if there are other fighters, whose dice also belong to the round (SZ-31)."""
        return self.fighters > 1

    @property
    def round_at_hand(self) -> int:
        """The number of the round to settle next, which may already be settled for other fighters (SZ-35)."""
        return self.fought if self.rounds < self.fought else min(HIGHEST, self.rounds + 1)

    @property
    def fight_at_hand(self) -> int:
        """The number of the current fight, or of the next one if there is none."""
        return self.fights if self.fighters else min(HIGHEST, self.fights + 1)

    @property
    def weak_points(self) -> tuple[int, ...]:
        """The character's own weak point and those taken over (SZ-36)."""
        return (*((self.weak_point,) if self.weak_point else ()), *faces(self.taken_over))

    @property
    def has_weakened(self) -> bool:
        """True if the combat die of this round is spent on weakening the enemy, and the result is applied (SZ-33)."""
        return self.fighting and self.weakening and not self.unapplied

    @property
    def beside_fight(self) -> bool:
        """True if only others take part in the current fight (SZ-24)."""
        return not self.fighting and self.fighters > 0

    @property
    def returning(self) -> bool:
        """True if the character has left the fight that is still going on (SZ-30)."""
        return self.beside_fight and self.left_fight == self.fights

    def when_joining(self) -> "AugenDesZwielichtsPlay":
        """Return the state for joining a fight; on a return in the same round, with die and weakening kept (SZ-33)."""
        if not self.returning or self.left_round != self.fought:
            return self.after_fight()
        return self.after_fight().evolve(combat_die=self.left_die, weakening=self.left_weakening)

    def after_leaving(self) -> "AugenDesZwielichtsPlay":
        """Return the state after leaving a fight, with the figures that count again if the character returns."""
        left = {"fight": self.fights, "round": self.fought, "weak_point": self.weak_point, "die": self.combat_die,
                "weakening": self.weakening}
        return self.after_fight().evolve(**{f"left_{key}": value for key, value in left.items()})

    def with_condition(self, word: str) -> "AugenDesZwielichtsPlay":
        """Return the state with one more condition, due if it has no word; with no place free, out of action."""
        if self.full:
            return self.evolve(brought_back=False)
        if not (word := word.strip()):
            return self.evolve(conditions_due=self.conditions_due + 1, brought_back=False)
        return self.evolve(conditions=[*self.conditions, Word(word=word)], brought_back=False)

    def with_word_for_condition(self, word: str) -> "AugenDesZwielichtsPlay":
        """Return the state after a condition that was due gets its word."""
        word = word.strip()
        return self.evolve(conditions=[*self.conditions, Word(word=word)], conditions_due=self.conditions_due - 1)

    def without_newest(self, count: int) -> "AugenDesZwielichtsPlay":
        """Return the state without the newest conditions, removing those without a word first; the demon stays."""
        unsaid = min(count, self.conditions_due)
        left = len(self.conditions) if count == ALL_CONDITIONS else count - unsaid
        kept = self.conditions[:max(0, len(self.conditions) - left)]
        return self.evolve(conditions=kept, conditions_due=self.conditions_due - unsaid,
                           brought_back=False)

    def without_die(self) -> "AugenDesZwielichtsPlay":
        """Return the state of a fighter who weakens the enemy, without the combat die (SZ-33)."""
        return self.evolve(weakening=True, combat_die=None)

    def after_fight(self) -> "AugenDesZwielichtsPlay":
        """Return the state without everything that belongs to a fight."""
        return self.evolve(danger_level=None, weak_point=None, taken_over="", rounds=0, combat_die=None, last_die=None,
                           last_hits=0, second_die=False, tied=False, early=False, weakening=False,
                           unapplied=False, risk_won=False)

    def gauges(self, sheet: "AugenDesZwielichts") -> Iterator[Gauge]:
        """Yield the conditions, including the demon, and the other counts."""
        yield Gauge("conditions", _("Conditions"), 1 + len(self.conditions) + self.conditions_due, PLACES,
                    burden=True, places=board.places(sheet, self),
                    filling=self.offers(sheet, "note-condition").get(""))
        yield Gauge("section_points", _("Section points"), self.section_points)
        for key, title in (("bonus_dice", _("White bonus dice")), ("clues", _("The group's clues")),
                           ("corruption", _("Corruption points"))):
            count = getattr(self, key)
            less, more = (self.nudge(sheet, "change-counts", what=key, by=1, taken=taken) for taken in (True, False))
            if key == "corruption":
                less = self.nudge(sheet, "take-corruption", points=1)  # Only GMs lower it (SZ-09d).
            yield Gauge(key, title, count, 0, less if count else None, more)
        if self.danger_level is not None:
            yield Gauge("danger_level", _("Danger level"), self.danger_level)
        if self.weak_point is not None:
            yield Gauge("weak_point", _("Weak point"), self.weak_point)
        if self.combat_die is not None:
            yield Gauge("combat_die", _("Combat die of this round"), self.combat_die)
        elif self.last_die is not None:
            yield Gauge("last_die", _("Combat die of the last round"), self.last_die)
        if self.open_weak_point is not None:
            yield Gauge("open_weak_point", _("Weak point to take over"), self.open_weak_point)

    def effective(self, sheet: "AugenDesZwielichts") -> "AugenDesZwielichts":
        """Return the sheet with the honour and the free item gained in play (SZ-01)."""
        changes = {}
        if self.honour:
            changes["honour"] = sheet.fields.honour.model_copy(update={"word": self.honour})
        if self.free_item:
            combat = self.free_item_combat or sheet.fields.free_item.combat
            changes["free_item"] = sheet.fields.free_item.model_copy(update={"word": self.free_item, "combat": combat})
        fields = sheet.fields.model_copy(update=changes)
        return sheet.model_copy(update={"fields": fields}) if changes else sheet

    def board(self, sheet: "AugenDesZwielichts") -> Any:
        """Return the tiles, moves, fears and steps that the template draws (SZ-09a)."""
        now = self.effective(sheet)
        return {"tiles": (*board.tiles(now),), "moves": (*board.moves(now, self),),
                "fears": (*filter(str.strip, sheet.fears),), "bonus": self.bonus_dice > 0,
                "fighting": self.fighting, "listed": headings.MOVES, "colours": (*COLOURS.items(),),
                "steps": [STEPS[one] for one in self.steps], "section": headings.SECTION}

    def notices(self, sheet: "AugenDesZwielichts") -> Iterator[Finding]:
        """Yield the notices about steps, conditions, the fight and help."""
        if self.steps:
            yield warning(_("The section is changing, {left}: {steps}."), rule="SZ-09a",
                          left=_LEFT.format(n=len(self.steps)), steps=", ".join(str(STEPS[one]) for one in self.steps))
        if self.conditions_due:
            text = ngettext_lazy("{n} condition is due; give it a word.",
                                 "{n} conditions are due; give each a word.", "n")
            yield warning(text, rule="SZ-13", n=self.conditions_due)
        if self.out_of_action:
            yield warning(_("This is the sixth condition: the character is out of action. Someone else's successful "
                            "“Take a risk” brings them back; at the end of the session a dark section "
                            "begins."), rule="SZ-37")
        elif self.full:
            yield warning(_("Brought back with six conditions: one more puts the character out of action again; at "
                            "the end of the session a dark section begins."), rule="SZ-37")
        if sheet.section >= LAST_SECTION:
            yield warning(_("Section {n}: the character has retired."), rule="SZ-08", n=SECTIONS[LAST_SECTION])
        yield from fight_notices.for_sheet(sheet, self)
        if help_ := ", ".join(filter(None, (self.help_white, self.help_black))):
            yield warning(_("Helpers' dice that count towards the next result: {dice}."), rule="SZ-25", dice=help_)
