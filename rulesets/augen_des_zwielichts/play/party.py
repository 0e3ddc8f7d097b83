"""A party at one table: its common counters, and fight rounds for everybody at once (SZ-09, SZ-30 to SZ-36)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.augen_des_zwielichts import headings, rolls
from rulesets.augen_des_zwielichts.play.change import EndSession, NewAdventure
from rulesets.augen_des_zwielichts.play.fight import (
    ALL_OUT,
    SETTLE_FOR_ME,
    TAKE_OVER_FIRST,
    BeginFight,
    EndFight,
    SettleRound,
    settle_round,
    times_hit,
)
from rulesets.augen_des_zwielichts.play.fight_notices import UNAPPLIED
from rulesets.augen_des_zwielichts.play.prices import Danger
from rulesets.augen_des_zwielichts.play.state import Face
from rulesets.augen_des_zwielichts.texts import Faces, faces, listed
from rulesets.kit import Act, Count, Offer, Play, Refused, Roll, Seated, Table, Thrown, Wording, field

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.play.state import AugenDesZwielichtsPlay
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts

MAX_DICE = 40
"""The most dice with which a round can be settled."""


class ThrowCombatDie(Act):
    """SZ-31, SZ-34: throw the own die of this round; of two dice the higher is kept."""

    title, rules, group = _("Roll the combat die"), ("SZ-31", "SZ-33", "SZ-34"), headings.FIGHT

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it once a round to a fighter who is in action and does not weaken the enemy."""
        if play.free and play.fighting and not (play.out_of_action or play.weakening or play.combat_die):
            yield cls.offer()

    def roll(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Roll:
        """Return the roll of the combat die, with the second die if the character has one."""
        return rolls.CombatDie(second_die=play.second_die)

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Store the combat die until the round is settled."""
        return play.evolve(combat_die=outcome.value, last_die=None, last_hits=0, tied=False, early=False)


class SettleTogether(Act):
    """SZ-31 to SZ-35: settle a round with the dice of all fighters."""

    dice: Faces = field(_("Everyone's combat dice"))
    danger_level: Danger = field(_("Danger level"))
    ties: bool = field(_("On a tie for the highest die, everyone tied gets a second one"), default=False)
    number: Count | None = field(_("Round"), None)
    in_turn: bool = field(_("With its last turn"), default=False)
    title, rules, group = _("Settle the round"), SettleRound.rules, headings.FIGHT
    taken_back_together = True

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it to a lone fighter who has thrown or has no die to throw, while no weak point is open."""
        if cls.takes_part(sheet, play) and play.open_weak_point is None and not play.in_group:
            level: dict[str, Any] = {"danger_level": play.danger_level} if play.danger_level else {}
            yield cls.offer(SETTLE_FOR_ME, note=_("For anyone fighting alone."), number=None, ties=False,
                            in_turn=False, dice=str(play.combat_die or ""), **level)

    @classmethod
    def takes_part(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> bool:
        """Return True for a fighter who has thrown or has no die; the GM's button says if a weak point is open."""
        return play.free and play.fighting and bool(play.combat_die or play.weakening or play.out_of_action)

    @property
    def won(self) -> bool:
        """True if the two highest dice reach the danger level together."""
        return sum(sorted(faces(self.dice))[-2:]) >= self.danger_level

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Count the hits on this character's weak points, and give a second die for the highest throw."""
        dice = faces(self.dice)
        highest = max(dice, default=0)
        best, alone = play.combat_die == highest, dice.count(highest) == 1
        after = settle_round(play, self.number or play.round_at_hand, won=self.won,
                             hits=sum(dice.count(face) for face in play.weak_points),
                             highest=best and (self.ties or alone),
                             early=not self.in_turn)
        return after.evolve(tied=best and not (self.won or self.ties or alone))

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the result of the round, the hits on this character (SZ-32), and its place in narrating."""
        if self.won:
            said = SettleRound(won=True, hits=play.last_hits).tell(sheet, play)
        else:
            over = _("Round {n} is over, dice {dice}").format(n=play.rounds, dice=self.dice or "–")
            said = f"{over}; {times_hit(play.last_hits)}"
        dice = sorted(faces(self.dice))
        if play.last_die not in dice or len(dice) < 2:
            return said
        return _("{said}; narrates with the {n} as number {place} of {all}").format(
            said=said, n=play.last_die, place=dice.index(play.last_die) + 1, all=len(dice))


class NextRound(Act):
    """SZ-31: begin the turns of the next round, if the GM has settled the last one before its last turn."""

    title, rules, group = _("Next round"), ("SZ-31",), headings.FIGHT

    @classmethod
    def takes_part(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> bool:
        """Return True if the round was settled early."""
        return play.early

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Let combat dice be thrown again at the ends of turns."""
        return play.evolve(early=False)


class HoldSecondDie(Act):
    """SZ-34: on a tie for the highest die, the GM gives a second die to everyone tied."""

    title, rules, group = _("A second die on a tie"), ("SZ-34",), headings.FIGHT

    @classmethod
    def takes_part(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> bool:
        """Return True for a fighter who tied for the highest throw, from the end of the round to the next throw."""
        return play.free and play.fighting and play.tied

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Give the character a second die for the next round."""
        return play.evolve(second_die=True, tied=False)


class AugenDesZwielichtsTable(Table):
    """SZ-09, SZ-31: the counters of the group and the GM; enemies have one danger level and throw no dice."""

    clues: Count = field(_("The group's clues"), 0)
    corruption: Count = field(_("Corruption points"), 0)
    difficulty: Count = field(_("Difficulty raised by"), 0)
    danger_level: Count | None = field(_("Danger level"), None)
    open_weak_point: Face | None = field(_("Weak point to take over"), None)
    fought: Count = field(_("Rounds fought"), 0)
    fighters: Count = field(_("Fighters in the fight"), 0)
    fights: Count = field(_("Fights begun"), 0, unwritten=True)
    opponents_join = False
    order = _("Weak point to roll, combat die to narrate")
    scene_start_acts = (NewAdventure,)
    scene_end_acts = (EndSession,)

    def restored_counters(self, counters: Mapping[str, Any]) -> Mapping[str, Any]:
        """SZ-31: keep the fight and the danger level while others fight; taking back the last one ends both."""
        fighters = counters.get("fighters", self.fighters)
        if fighters >= self.fighters:
            return counters
        if fighters:
            return {key: value for key, value in counters.items() if key not in ("danger_level", "fights")}
        return counters if "fights" in counters else {**counters, "danger_level": None}

    def place(self, seat: Seated) -> int:
        """SZ-36: return the place in the order, ascending: the die of the last round, else the weak point."""
        return seat.play.last_die or seat.play.weak_point

    def turn_place(self, seat: Seated) -> int:
        """SZ-36: return the weak point, which is the place in the order of throwing combat dice."""
        return seat.play.weak_point

    def due(self, seat: Seated) -> bool:
        """SZ-31: return True for a fighter who is in action."""
        return seat.play.free and seat.play.fighting and not seat.play.out_of_action

    def round_begins(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """Yield the act that begins the next round, for fighters whose last round was settled early."""
        yield NextRound.offer()

    def turn_ends(self, seat: Seated) -> Iterator[Offer]:
        """SZ-31: yield the throw of a combat die not thrown in the turn, unless the round was settled early."""
        if not seat.play.early:
            yield ThrowCombatDie.offer()

    def turn_used_note(self, seat: Seated) -> Wording:
        """SZ-24: return a reminder of a result of “Weaken the enemy” that is not applied yet."""
        return UNAPPLIED if seat.play.unapplied else ""

    def round_ends(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """SZ-31 to SZ-35: yield the act that settles the round; the GM may still decide on a tie.

        Raise `Refused` while a weak point is open, because the dice may hit it (SZ-36).
        """
        for offer in self.settle_offers(seats, ties=False, in_turn=True):
            if self.open_weak_point:
                raise Refused(TAKE_OVER_FIRST.format(n=self.open_weak_point))
            yield offer

    def dice_note(self, dice: list[int]) -> str:
        """Return a note with the dice, the danger level, and a weak point that has to be taken over first."""
        said = [_("Dice {dice} against {n}.").format(dice=listed(dice) or "–", n=self.danger_level)]
        if self.open_weak_point:
            said.append(TAKE_OVER_FIRST.format(n=self.open_weak_point))
        return " ".join(map(str, said))

    def settle_offers(self, seats: Sequence[Seated], **known: Any) -> Iterator[Offer]:
        """Yield the act that settles this round, once every die is thrown and the danger level is known."""
        fighters = [seat.play for seat in seats if seat.play.free and seat.play.fighting]
        dice = sorted(play.combat_die for play in fighters if play.combat_die)
        there = [play for play in fighters if play.combat_die or play.weakening]
        if self.danger_level and there and len(dice) <= MAX_DICE and \
                all(play.combat_die or play.weakening or play.out_of_action for play in fighters):
            yield SettleTogether.offer(note=self.dice_note(dice), dice=listed(dice), danger_level=self.danger_level,
                                       number=max(play.round_at_hand for play in there), **known)

    def beginning_note(self, seats: Sequence[Seated]) -> str:
        """Return a note on the beginning of a fight, with the names of those it leaves out (SZ-06)."""
        said = [str(_("Rolls everyone's weak point, which stays for the whole fight."))]
        if left_out := [seat.name.strip() or _("without a name") for seat in seats
                        if BeginFight.stays_out(seat.play) and not BeginFight.admits(seat.sheet, seat.play)]:
            said.append(_("Left out, because they have no weapon or word fit for combat: {names}. After a successful "
                          "“Take a risk” they start the fight on their own sheets.")
                        .format(names=", ".join(map(str, left_out))))
        return " ".join(said)

    def rounds(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """Yield the acts for everybody in the order of a fight: weak points, combat dice, settling, its end."""
        level: dict[str, Any] = {"danger_level": self.danger_level} if self.danger_level else {}
        yield BeginFight.offer(**level, note=self.beginning_note(seats))
        yield ThrowCombatDie.offer()
        yield from self.settle_offers(seats, in_turn=False)
        yield HoldSecondDie.offer(note=_("On a tie the GM decides whether everyone tied gets one."))
        yield EndFight.offer(note=ALL_OUT)
        yield NewAdventure.offer()
