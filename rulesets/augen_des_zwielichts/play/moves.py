"""Acts that apply the results of moves, and that give and spend points (SZ-07 to SZ-26)."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext_lazy as _
from pydantic import model_validator

from rulesets.augen_des_zwielichts import catalogue, headings
from rulesets.augen_des_zwielichts.catalogue import HELPED, MOVES, effect
from rulesets.augen_des_zwielichts.play.helping import HelpLapsed
from rulesets.augen_des_zwielichts.play.prices import COSTS, NO_BONUS, NO_CLUES, NO_POINTS, SPENT, Danger
from rulesets.augen_des_zwielichts.rolls.pool import CONDITIONS, WITH_CONDITION, Move, band, brings_condition
from rulesets.augen_des_zwielichts.texts import SHOWN, Faces, faces
from rulesets.dice import Outcome
from rulesets.kit import Act, Count, Name, Offer, Play, Refused, Thrown, field, slots

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.play.state import AugenDesZwielichtsPlay
    from rulesets.augen_des_zwielichts.rolls.fight import Solve
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts

WON = Move.good
"""The bands with which “Take a risk” succeeds (SZ-21)."""
CONDITION_COMES = _("A condition comes with it; enter its word under “…”.")
BY_ITSELF = _("The next roll does this by itself.")


class Settle(Act):
    """SZ-12, SZ-13, SZ-20 to SZ-25: apply the dice of a move, including those of helpers."""

    move: catalogue.Move = field(_("Move"), choices=MOVES)
    white: Faces = field(_("White dice"), samples=("5",), help=SHOWN)
    black: Faces = field(_("Black dice"), "", help=SHOWN)
    bonus: bool = field(_("One of them was a bonus die"), default=False)
    help_white: Faces = field(_("White dice of helpers"), "")
    help_black: Faces = field(_("Black dice of helpers"), "")
    danger_level: Danger | None = field(
        _("Enemy's danger level so far"), None,
        help=_("Only needed when weakening an enemy whose danger level is not known yet."))
    word: Name = field(_("Word for the condition that is due"), "")
    fight: Count | None = field(_("Fight for which it was rolled"), None)
    title = _("Enter a result")
    group = headings.MOVES
    rules = ("SZ-12", "SZ-13", "SZ-20", "SZ-21", "SZ-22", "SZ-23", "SZ-24", "SZ-25")

    @model_validator(mode="after")
    def dice(self) -> "Settle":
        """Raise ValueError if there is no die, or if there are helpers' dice for a move that nobody can help with."""
        if not self.white and not self.black:
            raise ValueError(_("No die was entered; write what at least one shows."))
        if self.move not in HELPED and (self.help_white or self.help_black):
            raise ValueError(_("Nobody helps with this move; leave the helpers' dice empty."))
        return self

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it for real dice."""
        if play.free and not play.out_of_action:
            known: dict[str, Any] = {} if play.danger_level is None else {"danger_level": None}
            yield cls.offer(key="table", note=_("For rolls with real dice."), rare=True, fight=None, **known)

    @classmethod
    def offers_after(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Callable:
        """Return a function (roll, outcome) that offers to apply a result, with a note on helpers or a condition."""
        def lead(roll: Move, outcome: Outcome) -> Iterator[Offer]:
            fight = play.weakened_fight if roll.move == "weaken" else None
            if roll.move == "weaken" and not (play.unapplied or (roll.improve and fight is not None)):
                yield Weakened.offer_for(play)
            if not roll.improve and (play.help_white or play.help_black):
                yield HelpLapsed.offer(automatic="always")
            if roll.bonus and not roll.improve:
                yield BonusUsed.offer(automatic="always")
            if fight not in (None, play.fight_at_hand):
                return
            given: dict[str, Any] = {"move": roll.move, "bonus": False, "fight": fight,
                                     "white": _joined(outcome, "white"), "black": _joined(outcome, "black")}
            if roll.move not in HELPED or play.help_white or play.help_black:
                helps = roll.move in HELPED
                given |= {f"help_{one}": getattr(play, f"help_{one}") if helps else "" for one in ("white", "black")}
            if roll.move != "weaken" or play.danger_level is not None:
                given["danger_level"] = None
            entered = cls(**given)
            note = CONDITION_COMES if brings_condition(*entered.pool()) else BY_ITSELF
            note = entered.effects_text(sheet) if entered.help_white or entered.help_black else note
            yield cls.offer(_("Apply the result"), note=note, **given)

        return lead

    def pool(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return (white faces, black faces), including those of helpers (SZ-25)."""
        return faces(self.white) + faces(self.help_white), faces(self.black) + faces(self.help_black)

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Apply the band first, then the condition (SZ-22 removes conditions before a new one comes)."""
        white, black = self.pool()
        if self.move == "travel" and play.travelled:
            raise Refused(_("“Travelling” has already been used in this adventure."))
        if self.move == "weaken":
            self.refuse_weakening(sheet, play)
        if self.bonus:
            play = play.with_spent("bonus_dice", 1, NO_BONUS)
        brought = effect(self.move, band(white + black), literal=sheet.house.literal_weaken)
        play = play.with_counts_changed(corruption=brought.corruption, clues=brought.clues, bonus_dice=brought.bonus)
        if brought.removed:
            play = play.without_newest(brought.removed)
        if self.move == "weaken":
            play = play.with_enemy(self.danger_level).with_enemy_weakened(brought.danger).evolve(weakened_fight=None)
        play = play.evolve(travelled=play.travelled or self.move == "travel")
        if self.move in ("risk", "weaken"):
            # Without a fitting ability, weakening the enemy takes a risk, which is then used up (SZ-24).
            play = play.evolve(risk_won=self.move == "risk" and band(white + black) in WON)
        if self.move in HELPED:
            play = play.evolve(help_white="", help_black="")
        if play.fighting and self.move == "weaken":
            # A roll made here has already cost the combat die of its round; one before the fight costs none (SZ-33).
            paid = play.unapplied or self.fight is not None
            play = play.evolve(unapplied=False) if paid else play.without_die()
        return play.with_condition(self.word) if brings_condition(white, black) else play

    def refuse_weakening(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> None:
        """Raise `Refused` if the fight is over, the round already has a result, or only others fight."""
        if self.fight not in (None, play.fight_at_hand):
            raise Refused(_("The result of “Weaken the enemy” no longer counts: its fight is over."))
        if self.fight is None and play.has_weakened and not sheet.house.weaken_often:
            raise Refused(_("“Weaken the enemy” has already been used in this round."))
        if play.beside_fight:
            raise Refused(_("During a fight only those who take part in it can weaken the enemy. A result from before "
                            "it counts if the start of the fight is taken back first."))

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the move and its effects."""
        return f"{MOVES[self.move]}: {self.effects_text(sheet, play.danger_level)}"

    def effects_text(self, sheet: "AugenDesZwielichts", level: int | None = None) -> str:
        """Return the effects of the dice and if they bring a condition, with the new danger `level` if it is known."""
        white, black = self.pool()
        brought = effect(self.move, band(white + black), literal=sheet.house.literal_weaken).in_words(level)
        return f"{', '.join(brought)}, {WITH_CONDITION if brings_condition(white, black) else CONDITIONS['none']}"


class Weakened(Act):
    """SZ-33: use up the combat die of the round for weakening the enemy, even if the result is applied later."""

    number: Count | None = field(_("Round"), None)
    fight: Count | None = field(_("Fight for which it was rolled"), None)
    title, rules, group = _("The combat die of this round"), ("SZ-33", "SZ-24"), headings.FIGHT

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Store that a result has to be applied, and use up a risk won before (SZ-36)."""
        here = self.fight in (None, play.fight_at_hand) and self.number in (None, play.round_at_hand)
        if not (play.fighting and here):
            raise Refused(_("Too late: the round in which the enemy was weakened is over."))
        return play.without_die().evolve(unapplied=True, risk_won=False, weakened_fight=play.fight_at_hand)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return what the die was spent on."""
        return str(_("spent on weakening the enemy"))

    @classmethod
    def offer_for(cls, play: "AugenDesZwielichtsPlay") -> Offer:
        """Return the act that follows automatically from rolling “Weaken the enemy”, in a fight or before it."""
        if play.fighting:
            return cls.offer(automatic="always", number=play.round_at_hand, fight=play.fight_at_hand)
        return WeakenedBefore.offer(automatic="always", fight=play.fight_at_hand)


class WeakenedBefore(Act):
    """SZ-24: store that the enemy was weakened before the fight, which costs no combat die."""

    fight: Count = field(_("Fight for which it was rolled"))
    title, rules, group = _("Weakened before the fight"), ("SZ-24", "SZ-33"), headings.FIGHT

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Store the fight for which the result counts."""
        if self.fight != play.fight_at_hand:
            raise Refused(_("The result of “Weaken the enemy” no longer counts: its fight is over."))
        return play.evolve(weakened_fight=self.fight)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return how long the result counts."""
        return str(_("costs no combat die; counts until the end of this fight"))


class BonusUsed(Act):
    """SZ-10: use up a bonus die that was thrown."""

    title, rules, group = _("White bonus dice"), ("SZ-10", "SZ-11"), headings.MOVES

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Use up a bonus die; an improved roll does not use up another one (SZ-14)."""
        return play.with_spent("bonus_dice", 1, NO_BONUS)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return that a bonus die is used up."""
        return str(_("a white bonus die is used up"))


def _joined(outcome: Outcome, key: str) -> str:
    return ",".join(map(str, outcome.figures[key]))


class ChangeCounts(Act):
    """SZ-09: change the clues of the group, bonus dice or corruption points for any other reason."""

    what: Literal["clues", "bonus_dice", "corruption"] = field(
        _("What changes?"), choices={"clues": _("Clues"), "bonus_dice": _("White bonus dice"),
                            "corruption": _("Corruption points")})
    by: Count = field(_("By how many?"), 1)
    taken: bool = field(_("Subtract instead of adding"), default=False)
    title, rules, group = _("Clues, dice, corruption"), ("SZ-09", "SZ-25"), headings.ADVENTURE

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it to all, because anyone may keep counts for the group, except during a change of section."""
        if play.free:
            yield cls.offer(rare=True)

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Add the number or subtract it. Raise `Refused` if there are not that many."""
        if self.taken and self.what == "corruption":
            raise Refused(_("Corruption points belong to the GM, and only the GM spends them or takes them away."))
        if self.taken:
            return play.with_spent(self.what, self.by, _("That takes {n}, but there are only {there}."))
        return play.with_counts_changed(**{self.what: self.by})

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the new number."""
        what = slots(type(self))["what"].label(self.what)
        return _("{what}: {n}").format(what=what, n=getattr(play, self.what))


class SpendCorruption(Act):
    """SZ-09d: the GM spends corruption points."""

    what: Literal["difficulty", "event", "level-8", "level-10", "level-12"] = field(_("What for?"), choices=SPENT)
    points: Count = field(_("How many points for difficulty?"), 1)
    title, rules, group = _("The GM spends corruption points"), ("SZ-09d",), headings.ADVENTURE
    gm_only = True

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it while there are any, except during a change of section."""
        if play.free and play.corruption:
            yield cls.offer(note=_("Available: {n}.").format(n=play.corruption))

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Spend the corruption points on what they buy."""
        if self.what == "difficulty":
            return play.with_spent("corruption", self.points, NO_POINTS).with_counts_changed(difficulty=self.points)
        cost, level = COSTS[self.what]
        play = play.with_spent("corruption", cost, NO_POINTS)
        return play if level is None else play.evolve(danger_level=level)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return what the points are spent on, and the points left."""
        return _("{what}; {n} left").format(what=SPENT[self.what], n=play.corruption)


class TakeCorruption(Act):
    """SZ-09d: remove corruption points without buying anything."""

    points: Count = field(_("How many points?"), 1)
    title, rules, group = _("Take away corruption points"), ("SZ-09d", "SZ-09"), headings.ADVENTURE
    gm_only = True

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it while there are any, except during a change of section."""
        if play.free and play.corruption:
            yield cls.offer(rare=True)

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Take away the corruption points."""
        return play.with_spent("corruption", self.points, NO_POINTS)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the points left."""
        return _("{what}: {n}").format(what=_("Corruption points"), n=play.corruption)


class Solved(Act):
    """SZ-26: use up the clues that were used for the solution."""

    clues: Count = field(_("Clues used"))
    title, rules, group = _("Use up the clues"), ("SZ-26",), headings.ADVENTURE

    @classmethod
    def offers_after_solution(cls, roll: "Solve", outcome: Outcome) -> Iterator[Offer]:
        """Yield the act that uses up the clues with which a solution was rolled."""
        if roll.clues:
            yield cls.offer(clues=roll.clues, automatic="always")

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Subtract the clues; the remaining ones may help in the final fight (SZ-26a)."""
        return play.with_spent("clues", self.clues, NO_CLUES)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the number of clues left."""
        return _("Clues left: {n}").format(n=play.clues)
