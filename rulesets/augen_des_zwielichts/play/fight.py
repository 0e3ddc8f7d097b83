"""The fight: its beginning, its rounds, its end (SZ-24, SZ-26a, SZ-30 to SZ-37)."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.augen_des_zwielichts import headings, rolls
from rulesets.augen_des_zwielichts.play.prices import NO_CLUES, Danger
from rulesets.dice import Outcome
from rulesets.kit import HIGHEST, Act, Count, Offer, Play, Refused, Roll, Thrown, field

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.play.state import AugenDesZwielichtsPlay
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts


class BeginFight(Act):
    """SZ-30: begin a fight, and roll the weak point for all of it."""

    danger_level: Danger = field(_("How high is the danger level?"), start=8)
    title, rules, group = _("Start a fight"), ("SZ-30", "SZ-31", "SZ-06"), headings.FIGHT

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it outside a fight to a character in action who has a weapon or succeeded at “Take a risk” (SZ-06)."""
        if cls.stays_out(play) and (play.risk_won or cls.admits(sheet, play)):
            known: dict[str, Any] = {"danger_level": play.danger_level} if play.danger_level else {}
            note = _("With the weak point of before; what was used up in this round stays so.") if play.returning else \
                _("Rolls the weak point, which stays for the whole fight.") if cls.admits(sheet, play) else \
                _("“Take a risk” succeeded; describe how the character joins in.")
            yield cls.offer(note=note, **known)

    @staticmethod
    def stays_out(play: "AugenDesZwielichtsPlay") -> bool:
        """Return True for a character in action who is in no fight."""
        return play.free and not play.out_of_action and not play.fighting

    @classmethod
    def admits(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> bool:
        """Return True for a character who may fight without a successful “Take a risk” (SZ-06)."""
        return play.effective(sheet).may_fight(sheet.house)

    @classmethod
    def takes_part(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> bool:
        """Return False for a character who first has to succeed at a risk, and joins the fight alone later (SZ-06)."""
        return super().takes_part(sheet, play) and cls.admits(sheet, play)

    def roll(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Roll | None:
        """Return the roll for the weak point; None if the character returns to the same fight."""
        return None if play.returning else rolls.WeakPoint(shade=sheet.shade)

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Begin a new fight, or join one that goes on, with the rounds that the group has fought."""
        if not (play.risk_won or self.admits(sheet, play)):
            raise Refused(_("Without a weapon or a word fit for combat, you must first succeed at “Take a risk”."))
        weak_point = play.left_weak_point if play.returning else outcome.value
        # An open weak point without fighters is from an earlier fight (SZ-35). Returning fighters take back their own.
        lying = play.open_weak_point if play.fighters else None
        if play.returning and lying == weak_point:
            lying = None
        after = play.when_joining().evolve(weak_point=weak_point, danger_level=self.danger_level, rounds=play.fought,
                                           open_weak_point=lying)
        return after.with_counts_changed(fighters=1, fights=0 if play.fighters else 1)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the danger level; the roll states the weak point."""
        return _("Danger level {n}").format(n=self.danger_level)


_HIT = {0: _("not hit"), 1: _("hit once")}
TAKE_OVER_FIRST = _("First somebody has to take over weak point {n}.")
ALL_OUT = _("Everyone is out of action, or the story calls for it. Nobody dies, and there are no clues.")
SETTLE_FOR_ME = _("Settle the round just for me")
"""The title for settling a round for one sheet; at a party's table the GM settles it for everybody."""


def times_hit(hits: int) -> str:
    """Return in words how often a character was hit in a round (SZ-32)."""
    return str(_HIT.get(hits) or _("hit {n} times").format(n=hits))


def refuse_while_open(play: "AugenDesZwielichtsPlay") -> None:
    """Raise `Refused` while a weak point is open, because somebody has to take it over first (SZ-36)."""
    if play.open_weak_point is not None:
        raise Refused(TAKE_OVER_FIRST.format(n=play.open_weak_point))


def settle_round(play: "AugenDesZwielichtsPlay", number: int, *, won: bool, hits: int, highest: bool,
                 early: bool = True) -> "AugenDesZwielichtsPlay":
    """Return the state after round `number`: with a condition for each hit, and the clues of a fight won (SZ-35)."""
    refuse_while_open(play)
    for _hit in range(min(hits, HIGHEST)):
        play = play.with_condition("")
    die = play.combat_die
    if won:
        # The first character to settle the end of a common fight gets the clues and clears the danger level.
        clues = 0 if play.danger_level is None else number
        return play.after_fight().evolve(
            last_die=die, last_hits=hits, open_weak_point=None, fought=0, fighters=0).with_counts_changed(clues=clues)
    # The die stays visible, because the order of narrating depends on it (SZ-36).
    return play.evolve(rounds=number, fought=number, combat_die=None, last_die=die, last_hits=hits,
                       second_die=highest and not play.weakening, tied=False, early=early, weakening=False,
                       risk_won=False)


class SettleRound(Act):
    """SZ-31 to SZ-35: settle a round."""

    won: bool = field(_("The danger level was reached"), default=False)
    hits: Count = field(_("How many dice show your weak point?"), 0)
    highest: bool = field(_("You rolled the highest die"), default=False,
                          help=_("Then you have a second die next round; on a tie the GM decides."))
    title, rules, group = _("End the round"), ("SZ-31", "SZ-32", "SZ-33", "SZ-34", "SZ-35"), headings.FIGHT

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it to a lone fighter, for real dice, while no weak point is open."""
        if cls.can_end(play) and not play.in_group:
            yield cls.offer(key="table", note=_("Just for you, with real dice."))

    @staticmethod
    def can_end(play: "AugenDesZwielichtsPlay") -> bool:
        """Return True in a fight while no weak point is open."""
        return play.free and play.fighting and play.open_weak_point is None

    @classmethod
    def offers_after(cls, play: "AugenDesZwielichtsPlay") -> Callable | None:
        """Return a function (roll, outcome) that offers to settle the round, or None if it cannot be settled here."""
        def lead(_roll: rolls.CombatRound, outcome: Outcome) -> Iterator[Offer]:
            won = outcome.value == "won"
            hits = sum(outcome.figures["kept"].count(face) for face in play.weak_points)
            yield Offer(cls, SETTLE_FOR_ME, {"won": won, "hits": hits} | ({"highest": False} if won else {}))

        return lead if cls.can_end(play) and not play.in_group else None

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Settle the round with the given result."""
        return settle_round(play, play.round_at_hand, won=self.won, hits=self.hits, highest=self.highest)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the result: the clues if the fight is won, and the hits."""
        if self.won:
            won = _("The fight is won; clues for the group: {n}").format(n=play.clues)
            return f"{won}; {times_hit(self.hits)}"
        return _("Round {n} is over, hits: {hits}").format(n=play.rounds, hits=self.hits)


class SettleForOne(SettleRound):
    """SZ-31: end the round for one fighter of a group; only the GM knows that all real dice are thrown."""

    title = _("End the round for one")
    gm_only = True

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it in a group, for real dice."""
        if cls.can_end(play) and play.in_group:
            yield cls.offer(note=_("With real dice, once everyone has rolled; then for each of the others, too."))


class EndFight(Act):
    """SZ-36, SZ-37: end a fight without a win, for example if all are out of action; it brings no clues."""

    title, rules, group = _("End the fight without a win"), ("SZ-36", "SZ-37"), headings.FIGHT

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it to a lone fighter who is out of action; for a group, the GM ends the fight for everybody."""
        if cls.takes_part(sheet, play) and play.out_of_action and not play.in_group:
            yield cls.offer(note=ALL_OUT)

    @classmethod
    def takes_part(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> bool:
        """Return True for every fighter."""
        return play.free and play.fighting

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """End the fight; conditions stay, and nobody dies."""
        return play.after_fight().evolve(open_weak_point=None, fought=0, fighters=0)


class LowerDanger(Act):
    """SZ-26a: lower the danger level of the final fight with remaining clues."""

    clues: Count = field(_("How many clues?"), 1)
    title, rules, group = _("Lower the danger level with clues"), ("SZ-26a",), headings.FIGHT

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it if there are clues and a danger level, except during a change of section."""
        if play.free and play.clues and play.danger_level:
            note = _("In the final fight, if everyone at the table likes the reason. Available: {n}.")
            yield cls.offer(note=note.format(n=play.clues))

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Use up the clues and lower the danger level by one for each."""
        return play.with_spent("clues", self.clues, NO_CLUES).with_enemy_weakened(-self.clues)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the new danger level and the clues left."""
        return _("Danger level {danger}, clues left: {n}").format(danger=play.danger_level, n=play.clues)
