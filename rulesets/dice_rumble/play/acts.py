"""Acts that change a Dice Rumble character at the table, and the order of turns (DR-14 to DR-19)."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.dice_rumble import rolls
from rulesets.dice_rumble.house import DiceRumbleHouse
from rulesets.dice_rumble.talents import Weapon
from rulesets.kit import (
    HIGHEST,
    Act,
    Count,
    Name,
    Offer,
    Play,
    Refused,
    RemoveRow,
    Roll,
    Seated,
    Table,
    Thrown,
    Wording,
    field,
    numeral,
    with_row,
)

if TYPE_CHECKING:
    from rulesets.dice_rumble.play.state import DiceRumblePlay
    from rulesets.dice_rumble.sheet import DiceRumble

COSTS = ngettext_lazy("costs 1 of {n} fate point", "costs 1 of {n} fate points", "n")


class _Track(Act):
    """Base of the acts that lower or raise one of the two tracks, life and mental health."""

    points: Count

    track: ClassVar[str]
    """The track that changes; the play stores its losses."""
    sign: ClassVar[int] = 1
    """1 for a loss, -1 for a recovery."""
    log_text: ClassVar[Any]
    """The text for the log, with placeholders for the points and the points left."""
    group = rolls.BODY

    @classmethod
    def offered(cls, sheet: "DiceRumble", play: "DiceRumblePlay") -> Iterator[Offer]:
        """Always offer a loss; offer a recovery while points are lost."""
        if cls.sign > 0 or getattr(play, f"{cls.track}_lost"):
            yield cls.offer()

    def apply(self, sheet: "DiceRumble", play: "DiceRumblePlay", outcome: Thrown = None) -> Play:
        """Change the track: it may fall below 0, and rises to its maximum at most."""
        key = f"{self.track}_lost"
        lost = min(HIGHEST, max(0, getattr(play, key) + self.sign * self.points))
        return play.model_copy(update={key: lost})

    def tell(self, sheet: "DiceRumble", play: "DiceRumblePlay") -> str:
        """Return the points and the points left in words."""
        left = getattr(play, self.track)(sheet)
        return self.log_text.format(n=self.points, left="–" if left is None else numeral(left))


class Damage(_Track):
    points: Count = field(_("How much damage?"))
    title, rules, track = _("Take damage"), ("DR-16", "DR-04"), "life"
    log_text = _("{n} damage taken, life {left}")


class Heal(_Track):
    points: Count = field(_("How many life points are regained?"))
    title, rules, track, sign = _("Recover"), ("DR-16", "DR-04"), "life", -1
    log_text = _("{n} regained, life {left}")


class Shock(_Track):
    points: Count = field(_("How much mental health is lost?"))
    title, rules, track = _("Lose mental health"), ("DR-16", "DR-05"), "mental_health"
    log_text = _("{n} lost, mental health {left}")


class Calm(_Track):
    points: Count = field(_("How much mental health is regained?"))
    title, rules, track, sign = _("Calm down"), ("DR-16", "DR-05"), "mental_health", -1
    log_text = _("{n} regained, mental health {left}")


class RepeatRoll(Act):
    """DR-17: repeat the last roll for a fate point; the new result counts, and the log shows both."""

    title, rules, repeats, beside_dice_only, group = _("Fate: reroll"), ("DR-17",), True, True, rolls.FATE

    @classmethod
    def offered(cls, sheet: "DiceRumble", play: "DiceRumblePlay") -> Iterator[Offer]:
        """Offer it while there is fate."""
        if left := play.fate(sheet):
            yield cls.offer(note=COSTS.format(n=left))

    def apply(self, sheet: "DiceRumble", play: "DiceRumblePlay", outcome: Thrown = None) -> Play:
        """Spend the fate point."""
        return play.with_fate_spent(sheet)

    def tell(self, sheet: "DiceRumble", play: "DiceRumblePlay") -> str:
        """Return the fate points left."""
        return _("Fate points left: {n}").format(n=play.fate(sheet))


class TurnFate(Act):
    """DR-17: spend a fate point on a twist of fate, which the players agree on."""

    turn: Name = field(_("What happens?"), "")
    title, rules, group = _("Fate: a twist"), ("DR-17",), rolls.FATE

    @classmethod
    def offered(cls, sheet: "DiceRumble", play: "DiceRumblePlay") -> Iterator[Offer]:
        """Offer it while there is fate."""
        if left := play.fate(sheet):
            yield cls.offer(note=COSTS.format(n=left))

    def apply(self, sheet: "DiceRumble", play: "DiceRumblePlay", outcome: Thrown = None) -> Play:
        """Spend the fate point."""
        return play.with_fate_spent(sheet)

    def tell(self, sheet: "DiceRumble", play: "DiceRumblePlay") -> str:
        """Return what happened, and the fate points left."""
        turn = self.turn.strip() or _("Things turn out differently")
        return _("{turn}, points left: {n}").format(turn=turn, n=play.fate(sheet))


class RollInitiative(Act):
    """DR-14: roll a die for each fighter; the own one is stored."""

    fighters: rolls.Fighters = field(_("How many fighters, including you?"), least=2)
    title, rules, group = _("Roll initiative"), ("DR-14", "DR-19"), rolls.FIGHT

    @classmethod
    def offered(cls, sheet: "DiceRumble", play: "DiceRumblePlay") -> Iterator[Offer]:
        """Offer it while the character has no initiative die."""
        if play.initiative is None:
            yield cls.offer()

    def roll(self, sheet: "DiceRumble", play: "DiceRumblePlay") -> Roll:
        """Return the roll of all dice. Raise `Refused` if the character already has a die."""
        if play.initiative is not None:
            raise Refused(_("You still have a die showing {n}; use it first.").format(n=play.initiative))
        return rolls.InitiativeOrder(fighters=self.fighters)

    def apply(self, sheet: "DiceRumble", play: "DiceRumblePlay", outcome: Thrown = None) -> Play:
        """Store the own die."""
        return play.model_copy(update={"initiative": outcome.figures["initiative"]})

    def tell(self, sheet: "DiceRumble", play: "DiceRumblePlay") -> str:
        """Return the face of the initiative die."""
        return _("The initiative die shows {n}").format(n=play.initiative)


class _Die(Act):
    """Base of the acts that turn or spend the initiative die."""

    new_face: ClassVar[int | None]
    """The face to which the die is turned; None if it is spent."""
    group = rolls.FIGHT

    @classmethod
    def offered(cls, sheet: "DiceRumble", play: "DiceRumblePlay") -> Iterator[Offer]:
        """Offer it while the character has a die that the act would change."""
        if play.initiative not in (None, cls.new_face):
            yield cls.offer()

    def apply(self, sheet: "DiceRumble", play: "DiceRumblePlay", outcome: Thrown = None) -> Play:
        """Turn or spend the die. Raise `Refused` if there is none."""
        if play.initiative is None:
            raise Refused(_("There is no initiative die; roll initiative first."))
        return play.model_copy(update={"initiative": self.new_face})


class SpendDie(_Die):
    """DR-14: spend the die on an action or a reaction."""

    title, rules, new_face, routine = _("Act or react"), ("DR-14", "DR-19"), None, True
    superseded_by = RollInitiative, _("That was for an initiative die that is gone; the new one stays.")


class Wait(_Die):
    """DR-15: wait, and turn the die to 10."""

    title, rules, new_face, delays_turn = _("Wait (die to 10)"), ("DR-15",), 10, True


class FindWeapon(Act):
    """DR-18: take up a weapon in play."""

    name: Name = field(_("What is the weapon called?"))
    talent: Name = field(_("Which talent is it used with?"), "Nahkampf")
    damage: Count = field(_("How much damage does it add?"), 0)
    title, rules, group = _("Pick up a weapon"), ("DR-18",), rolls.FIGHT

    @classmethod
    def offered(cls, sheet: "DiceRumble", play: "DiceRumblePlay") -> Iterator[Offer]:
        """Always offer it."""
        yield cls.offer()

    def apply(self, sheet: "DiceRumble", play: "DiceRumblePlay", outcome: Thrown = None) -> Play:
        """Add the weapon. Raise `Refused` if its damage exceeds the party's limit."""
        most = sheet.house_or(DiceRumbleHouse).weapon_damage
        if most is not None and self.damage > most:
            raise Refused(_("{n} is too much damage for a weapon; in this party the maximum is {most}.").format(
                n=self.damage, most=most))
        return play.model_copy(update={"weapons": with_row(play.weapons, Weapon(**self.model_dump()))})

    def tell(self, sheet: "DiceRumble", play: "DiceRumblePlay") -> str:
        """Return the weapon, its talent and its damage."""
        return f"{play.weapons[-1].label} ({play.weapons[-1].what()})"


class LayDownWeapon(RemoveRow):
    """DR-18: remove a weapon found in play, which is given away, broken or lost."""

    index: Count = field(_("Weapon"))
    title, rules, rows, group = _("Put down a weapon"), ("DR-18",), "weapons", rolls.FIGHT

    @classmethod
    def naming(cls, row: Any) -> Wording:
        """Return the title of the act, with the name of the weapon."""
        return _("Put down {weapon}").format(weapon=row.label)


class NewAdventure(Act):
    """DR-06: begin an adventure with full fate, life and mental health; weapons found are kept."""

    title, rules, group = _("Start a new adventure"), ("DR-06", "DR-17"), rolls.FATE
    opponents_too = False

    @classmethod
    def offered(cls, sheet: "DiceRumble", play: "DiceRumblePlay") -> Iterator[Offer]:
        """Offer it while there is something to reset."""
        if play != play.at_adventure_start():
            yield cls.offer()

    def apply(self, sheet: "DiceRumble", play: "DiceRumblePlay", outcome: Thrown = None) -> Play:
        """Return the state at the start of an adventure."""
        return play.at_adventure_start()


class DiceRumbleTable(Table):
    """The shared table: initiative dice decide the order of turns (DR-14, DR-19)."""

    order = _("Initiative")
    scene_start_acts = (NewAdventure,)
    scene_end_acts = (SpendDie,)

    def place(self, seat: Seated) -> int:
        """Return the initiative die; the lowest begins."""
        return seat.play.initiative

    def due(self, seat: Seated) -> bool:
        """DR-14: return False for a character who has spent its die, even on a reaction."""
        return seat.play.initiative is not None

    def round_begins(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """DR-19: yield a new roll for everybody, because all dice are spent."""
        yield RollInitiative.offer(fighters=1)

    def turn_ends(self, seat: Seated) -> Iterator[Offer]:
        """DR-14: yield the act that spends the die with the action."""
        yield SpendDie.offer()

    def round_ends(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """DR-19: yield the act that discards a die not used by the end of the round."""
        yield SpendDie.offer()

    def delay_offers(self, seat: Seated) -> Iterator[Offer]:
        """DR-15: yield the act that turns the die of a waiting character to 10."""
        yield Wait.offer()

    def turn_used_note(self, seat: Seated) -> Wording:
        """DR-14: return the reason for which no action is left, or "" while there is a die."""
        return "" if seat.play.initiative else _("No initiative die is left for this round.")

    def rounds(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """Yield the acts for everybody: roll a die, put away all dice, begin a new adventure."""
        yield RollInitiative.offer(_("Initiative for all"), fighters=1,
                                   note=_("Rolls a die for everyone who has none; the lowest goes first."))
        yield SpendDie.offer(_("Put away all initiative dice"), note=_("The fight is over or starts again."))
        yield NewAdventure.offer()
