"""Acts in a fight: life, turns, exhaustion, seeking protection (DS-10, DS-32, DS-44, DS-50, DS-57)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import headings, rolls
from rulesets.daemmersturm.play.state import DaemmersturmPlay
from rulesets.kit import Act, Count, Offer, Play, Refused, Roll, Thrown, field

if TYPE_CHECKING:
    from rulesets.daemmersturm.sheet import Daemmersturm


class Damage(Act):
    """DS-23: lower life by the damage that got through."""

    points: Count = field(_("How much damage?"))
    source: rolls.Source = field(_("From what"), "other", choices=rolls.SOURCES)
    title, rules, group = _("Take damage"), ("DS-23", "DS-32", "DS-54"), headings.DEFENCE

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: DaemmersturmPlay) -> Iterator[Offer]:
        """Offer it while the character is in the fight."""
        if not play.down:
            yield cls.offer(source="other")

    def apply(self, sheet: "Daemmersturm", play: DaemmersturmPlay, outcome: Thrown = None) -> Play:
        """Lower life by the damage, not below 0."""
        if play.down:
            raise Refused(_("Nobody out of the fight loses any more life in it."))
        return play.with_damage(sheet, self.points)

    def tell(self, sheet: "Daemmersturm", play: DaemmersturmPlay) -> str:
        """Return the damage and the life left."""
        return _("{n} damage taken, life {left}").format(n=self.points, left=play.life_left(sheet))


class Heal(Act):
    """DS-10: restore life, up to that at the start of the fight."""

    points: Count = field(_("How many life points are regained?"))
    title, rules, group = _("Be healed"), ("DS-10",), headings.DEFENCE

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: DaemmersturmPlay) -> Iterator[Offer]:
        """Offer it while life is missing."""
        if not play.down and play.life_left(sheet) < play.max_life(sheet):
            yield cls.offer()

    def apply(self, sheet: "Daemmersturm", play: DaemmersturmPlay, outcome: Thrown = None) -> Play:
        """Raise life, up to that at the start of the fight."""
        if play.down:
            raise Refused(_("Nobody out of the fight can be healed in it."))
        return play.with_life(sheet, play.life_left(sheet) + self.points)

    def tell(self, sheet: "Daemmersturm", play: DaemmersturmPlay) -> str:
        """Say how much life is left now."""
        return _("{n} healed, life {left}").format(n=self.points, left=play.life_left(sheet))


class BeginTurn(Act):
    """DS-50, DS-60: begin a turn; what lasts has one turn fewer left, and exhausted characters have to roll."""

    counted: bool = field(_("Rounds are counted"), default=False)
    title, rules, group = _("Start the turn"), ("DS-50", "DS-60", "DS-57", "DS-54"), headings.TABLE
    ends_turn = True

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: DaemmersturmPlay) -> Iterator[Offer]:
        """Offer it while the character is in the fight."""
        if not play.down:
            yield cls.offer(counted=False)

    def apply(self, sheet: "Daemmersturm", play: DaemmersturmPlay, outcome: Thrown = None) -> Play:
        """Take the damage owed to the shadow, then count down everything that lasts a number of turns."""
        if play.shadow_owed:
            play = play.with_damage(sheet, play.shadow_owed)
        kept = [one.model_copy(update={"turns": one.turns and one.turns - 1, "due": bool(one.damage)})
                for one in play.conditions if one.turns != 0]
        mana = play.resource_in_use(sheet) == "mana" and play.pool_size(sheet, "magic_points")
        empty = bool(mana) and not play.points_left(sheet, "magic_points")
        channelling = play.channelling and play.channelling - 1
        by = None if play.down else "life" if play.exhausted(sheet) else "mana" if empty else None
        if not self.counted:
            play = with_new_round(play)
        return play.evolve(
            conditions=kept, shadow_owed=0, counters=[], acted=False,
            sheltered=max(0, play.sheltered - 1), channelling=channelling,
            exhaustion_due=bool(by), exhausted_by=by,
        )

    def tell(self, sheet: "Daemmersturm", play: DaemmersturmPlay) -> str:
        """Say what is due."""
        due = [_("{name}, {range} damage").format(name=one.label, range=one.damage)
               for one in play.conditions if one.due]
        due += [str(_("exhaustion roll"))] if play.exhaustion_due else []
        return _("The turn starts; due: {what}").format(what="; ".join(due)) if due else str(self.title)

    def tell_change(self, sheet: "Daemmersturm", before: DaemmersturmPlay, after: DaemmersturmPlay) -> str:
        """Say what is due, and the damage by the shadow, which has no button of its own."""
        said = self.tell(sheet, after)
        if not before.shadow_owed:
            return said
        return _("{said}; {n} damage by the shadow, life {left}").format(
            said=said, n=before.life_left(sheet) - after.life_left(sheet), left=after.life_left(sheet))


def with_new_round(play: DaemmersturmPlay) -> DaemmersturmPlay:
    """Return the state without the element and the used shadow points, which count for one round (DS-56, DS-57)."""
    return play.evolve(shadow_used=0, element=None, element_points=0)


class BeginRound(Act):
    """DS-56, DS-57: reset the element and the used shadow points, where rounds are counted."""

    title, rules, group, routine = _("Next round"), ("DS-56", "DS-57"), headings.TABLE, True

    @classmethod
    def takes_part(cls, sheet: "Daemmersturm", play: DaemmersturmPlay) -> bool:
        """Return True if there is anything to reset."""
        return bool(play.element or play.shadow_used)

    def apply(self, sheet: "Daemmersturm", play: DaemmersturmPlay, outcome: Thrown = None) -> Play:
        """Reset what counts for one round."""
        return with_new_round(play)


class RollExhaustion(Act):
    """DS-50: the roll at the start of the turn."""

    title, rules, group = _("Roll for exhaustion"), ("DS-50", "DS-57"), headings.DEFENCE

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: DaemmersturmPlay) -> Iterator[Offer]:
        """Offer it when it is due."""
        if play.exhaustion_due:
            yield cls.offer()

    def roll(self, sheet: "Daemmersturm", play: DaemmersturmPlay) -> Roll:
        """Return the exhaustion roll, 1 to 10."""
        if play.down:
            raise Refused(_("Whoever is out of the fight does not roll for exhaustion."))
        return rolls.Exhaustion()

    def apply(self, sheet: "Daemmersturm", play: DaemmersturmPlay, outcome: Thrown = None) -> Play:
        """Take the character out of the fight if the roll says so."""
        play = play.evolve(exhaustion_due=False, exhausted_by=None)
        return play.put_out_of_fight() if outcome.value == "down" else play

    def tell(self, sheet: "Daemmersturm", play: DaemmersturmPlay) -> str:
        """Say that the character is out of the fight; otherwise the roll says everything."""
        return str(_("Out of the fight")) if play.down else ""


class SeekProtection(Act):
    """DS-44: seek protection: a cover roll of 10+ until the end of the next turn; it breaks off channelling (DS-54)."""

    title, rules, group = _("Seek protection"), ("DS-44", "DS-54"), headings.DEFENCE

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: DaemmersturmPlay) -> Iterator[Offer]:
        """Offer it while the character is in the fight and not seeking protection yet."""
        if not play.down and not play.sheltered:
            note = _("Cover 10+ until the end of the next turn, without movement or action.")
            broken = "" if play.channelling is None else _("It breaks off what is channelled.")
            yield cls.offer(note=f"{note} {broken}" if broken else note)

    def apply(self, sheet: "Daemmersturm", play: DaemmersturmPlay, outcome: Thrown = None) -> Play:
        """Store that protection is sought, until the end of the next turn; no movement goes with channelling."""
        return play.evolve(sheltered=2, channelling=None, disturbed=False, disturbances=0)


class EndProtection(Act):
    """DS-44: stop seeking protection, at the end of the next turn."""

    title, rules, group = _("Stop seeking protection"), ("DS-44",), headings.DEFENCE

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: DaemmersturmPlay) -> Iterator[Offer]:
        """Offer it in the turn at whose end the protection ends."""
        if play.sheltered == 1:
            yield cls.offer()

    def apply(self, sheet: "Daemmersturm", play: DaemmersturmPlay, outcome: Thrown = None) -> Play:
        """Remove the protection."""
        return play.evolve(sheltered=0)


class NewFight(Act):
    """DS-10: begin a fight with the profile's life or what the GM sets; points stay as they are."""

    life: Count | None = field(_("Starting with how much life?"), None, help=_("Leave empty to use the profile's."))
    title, rules, group = _("New fight"), ("DS-10",), headings.TABLE
    ends_turn = True

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: DaemmersturmPlay) -> Iterator[Offer]:
        """Offer it while the character takes part in the Kampfabschnitt (DS-32)."""
        if not play.down:
            yield cls.offer()

    def apply(self, sheet: "Daemmersturm", play: DaemmersturmPlay, outcome: Thrown = None) -> Play:
        """Take the damage that the shadow still demands (DS-57), set life, and end the rounds of the last fight."""
        if play.down:
            raise Refused(_("Nobody out of the fight takes any more part in this Kampfabschnitt; start a new one."))
        if self.life == 0:
            raise Refused(_("Life is 0; a fight starts with at least 1."))
        if play.shadow_owed and (fallen := play.with_damage(sheet, play.shadow_owed)).down:
            return fallen.evolve(shadow_used=0, shadow_owed=0)
        kept = {key: getattr(play, key) for key in (
            "action_points", "focus_points", "magic_points", "potions", "conditions", "poisons", "unready", "items",
            "spells", "resource")}
        return DaemmersturmPlay(start=self.life, **kept)

    def tell(self, sheet: "Daemmersturm", play: DaemmersturmPlay) -> str:
        """Say with how much life the fight starts, or that the shadow has put the character out."""
        if play.down:
            return str(_("Out of the fight"))
        return _("A fight starts, life {n}").format(n=play.life_left(sheet))


class NewSection(Act):
    """DS-10: begin a new Kampfabschnitt after sleep or some hours' rest, which resets points and all else."""

    title, rules, group = _("New Kampfabschnitt"), ("DS-10", "DS-58", "DS-59"), headings.TABLE
    ends_turn = True
    opponents_too = False

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: DaemmersturmPlay) -> Iterator[Offer]:
        """Offer it while there is anything to reset."""
        if play != DaemmersturmPlay(spells=play.spells):
            yield cls.offer(note=_("Life, action, focus and magic points are full again."))

    def apply(self, sheet: "Daemmersturm", play: DaemmersturmPlay, outcome: Thrown = None) -> Play:
        """Reset the state, except for weapons to be reloaded and conditions that last until they are ended."""
        lasting = [one for one in play.conditions if one.turns is None]
        return DaemmersturmPlay(unready=play.unready, items=play.items, spells=play.spells, conditions=lasting)
