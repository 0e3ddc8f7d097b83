"""The rolls of Dice Rumble: one ten-sided die, low is good (DR-10 to DR-14)."""

from collections import Counter
from collections.abc import Container, Mapping
from fractions import Fraction
from math import comb
from typing import Annotated, Any, ClassVar

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy
from pydantic import Field

from rulesets.dice import Odds, Outcome, Tray, Value
from rulesets.kit import ATTACK_PHRASES, HIGHEST, ROWS, Count, Extreme, Luck, Roll, Wording, field, numeral

Modifier = Annotated[int, Field(ge=-HIGHEST, le=HIGHEST)]
Fighters = Annotated[int, Field(ge=1, le=ROWS)]

TALENTS, FIGHT, BODY, FATE = _("Talents"), _("Fight"), _("Life and mental health"), _("Fate and adventure")
"""The headings under which rolls and acts are listed."""
THRESHOLD, MODIFIER, WEAPON = _("Threshold"), _("GM's modifier"), _("Weapon damage")
NOBODY, SOMEBODY = _("{own} against {theirs}: nobody wins"), _("{own} against {theirs}: {result}, difference {n}")
DEALT, ARMED = _("{own} against {theirs}: {result}, {damage}"), _(
    "{own} against {theirs}, difference {n} + weapon {weapon}: {result}, {damage}")
DAMAGE = ngettext_lazy("{n} damage", "{n} damage", "n")
TIED = ngettext_lazy("{own} (all rolls: {all}): {place}, tied with {n} other die",
                     "{own} (all rolls: {all}): {place}, tied with {n} other dice", "n")
CRITICAL = {1: _("critical success"), 10: _("critical failure")}
"""{face: its fixed meaning} for the best and the worst face (DR-10); a 0 on the die counts as 10."""
EXTREMES: dict[int, Extreme] = {1: "critical", 10: "fumble"}
"""{face: the way the page marks it}."""


def succeeds(face: int, threshold: int) -> bool:
    """Return True if a face meets a threshold: a 1 always does, a 10 never (DR-10)."""
    return face == 1 or face <= min(threshold, 9)


def with_critical_remarks(words: str, own: int, theirs: int = 0) -> str:
    """Return the text of a roll, followed by the critical results of both dice, if any (DR-10)."""
    said = [str(CRITICAL[own])] if own in CRITICAL else []
    if theirs in CRITICAL:
        said.append(_("opponent: {critical}").format(critical=CRITICAL[theirs]))
    return f"{words} ({', '.join(said)})" if said else words


class _Rumble(Roll):
    """A roll of ten-sided dice."""

    sides, group = 10, FIGHT
    own_die: ClassVar[str] = "roll"
    """The key in `Outcome.figures` of the roller's own die."""

    def head(self) -> int | None:
        """Return the threshold, if the roll has one (DR-07)."""
        return getattr(self, "threshold", super().head())

    def extreme(self, outcome: Outcome) -> Extreme:
        """DR-10: return the mark of a 1 or a 10 on the own die, else ""."""
        return EXTREMES.get(outcome.figures.get(self.own_die, 0), "")


class _Judged(_Rumble):
    """A roll whose consequences the GM decides."""

    def afterwards(self, outcome: Outcome) -> Wording:
        """DR-11: return the hint that the GM decides on the consequences."""
        return _("The GM says what comes of it.")


class _Blow(_Rumble):
    """A roll that may deal damage."""

    def afterwards(self, outcome: Outcome) -> Wording:
        """DR-14, DR-19: return the hint to announce the damage, after which the next initiative die acts."""
        if isinstance(outcome.value, int) and outcome.value:
            damage = self.label(outcome.value)
            return _("Announce {damage}; then the next initiative die goes.").format(damage=damage)
        return _("Nobody is hurt; the next initiative die goes.")


class Test(_Judged):
    """DR-10: one die against attribute + talent."""

    threshold: Count = field(THRESHOLD)
    modifier: Modifier = field(MODIFIER, 0)
    title, rules, group = _("Test"), ("DR-10", "DR-11"), TALENTS
    outcomes = {
        "critical-success": CRITICAL[1],
        "success": _("success"),
        "failure": _("failure"),
        "critical-failure": CRITICAL[10],
    }
    good, chance_label = ("critical-success", "success"), pgettext_lazy("dice-rumble chance", "success")

    def throw(self, tray: Tray) -> Outcome:
        """Roll one die; a 1 and a 10 are critical at any threshold."""
        face, threshold = tray.die(10), self.threshold + self.modifier
        plain = "success" if succeeds(face, threshold) else "failure"
        return Outcome({1: "critical-success", 10: "critical-failure"}.get(face, plain),
                       roll=face, threshold=threshold, margin=threshold - face)

    def tell(self, outcome: Outcome) -> str:
        """Return the roll, the threshold, the outcome and the margin."""
        text = _("{roll} against {threshold}: {outcome}, margin {margin}")
        figures = {**outcome.figures, "margin": numeral(outcome.figures["margin"])}
        return text.format(**figures, outcome=self.label(outcome.value))


class Duel(_Judged):
    """DR-12: both sides roll, the lower successful roll wins."""

    threshold: Count = field(THRESHOLD)
    opponent: Count = field(_("Opponent's threshold"), target_figure="threshold")
    modifier: Modifier = field(MODIFIER, 0)
    opponent_modifier: Modifier = field(_("Opponent's modifier"), 0)
    title, rules = _("Duel"), ("DR-12", "DR-11")
    outcomes = {"win": _("win"), "lose": _("lose"), "neither": _("nobody wins")}
    chance_label, own_die, repeat_label = pgettext_lazy("dice-rumble chance", "win"), "own", _("Another duel")
    luckiest: ClassVar[Luck] = "win", "neither", "lose"

    def gist(self, odds: Odds) -> str:
        """Return the chance, with the thresholds of both sides."""
        return _("{chance}, {own} against {theirs}").format(
            chance=super().gist(odds), own=self.threshold + self.modifier,
            theirs=self.opponent + self.opponent_modifier)

    def own_dice(self, thrown: int) -> Container[int]:
        """Return the position of the own die, the first; fate never repeats the opponent's (DR-17)."""
        return range(1)

    def throw(self, tray: Tray) -> Outcome:
        """Roll for both sides, and return who wins."""
        own, theirs, result = self.fight(tray)
        return Outcome(result, own=own, theirs=theirs)

    def fight(self, tray: Tray) -> tuple[int, int, str]:
        """Return (own roll, opponent's roll, "win", "lose" or "neither")."""
        own, theirs = tray.die(10), tray.die(10)
        good = succeeds(own, self.threshold + self.modifier)
        if good != succeeds(theirs, self.opponent + self.opponent_modifier):
            return own, theirs, "win" if good else "lose"
        if not good:
            return own, theirs, "neither"
        if own != theirs:
            return own, theirs, "win" if own < theirs else "lose"
        # Equal successful rolls: the higher attribute + talent wins, without the GM's modifier.
        if self.threshold == self.opponent:
            tray.again()
        return own, theirs, "win" if self.threshold > self.opponent else "lose"

    def tell(self, outcome: Outcome) -> str:
        """Return both rolls, who wins, and by how much."""
        own, theirs = outcome.figures["own"], outcome.figures["theirs"]
        text = NOBODY if outcome.value == "neither" else SOMEBODY
        said = text.format(own=own, theirs=theirs, result=self.label(outcome.value), n=abs(own - theirs))
        return with_critical_remarks(said, own, theirs)


class DuelDamage(_Blow, Duel):
    """DR-12: a duel for damage; its value is the damage dealt by the first side, 0 unless it wins."""

    weapon: Count = field(WEAPON, 0)
    title, rules, unit = _("Duel with damage"), ("DR-12", "DR-11"), DAMAGE
    outcomes, log_phrases, luckiest = {}, ATTACK_PHRASES, "more"
    chance_label = pgettext_lazy("dice-rumble chance", "any damage")

    def label(self, value: Value) -> str:
        """Return "no damage dealt" for 0: the first side deals none, but may have been hurt itself."""
        return super().label(value) if value else str(_("no damage dealt"))

    def gist(self, odds: Odds) -> str:
        """Return the chance and the mean, without the thresholds, for which there is no room."""
        return _Rumble.gist(self, odds)

    def throw(self, tray: Tray) -> Outcome:
        """Return the damage: the difference of the rolls plus the weapon's damage, or 0 unless the first side wins."""
        own, theirs, result = self.fight(tray)
        damage = abs(own - theirs) + self.weapon if result == "win" else 0
        return Outcome(damage, own=own, theirs=theirs, result=result)

    def afterwards(self, outcome: Outcome) -> Wording:
        """DR-12: return the hint which side deals the damage."""
        if outcome.figures["result"] == "lose":
            return _("The other side wins and deals the damage; then the next initiative die goes.")
        return super().afterwards(outcome)

    def headline(self, outcome: Outcome) -> str:
        """Return who wins, and the damage of a win."""
        result = Duel.outcomes[outcome.figures["result"]]
        return f"{result}, {self.label(outcome.value)}" if outcome.figures["result"] == "win" else str(result)

    def tell(self, outcome: Outcome) -> str:
        """Return both rolls, who wins, and the damage of a win."""
        figures = outcome.figures
        text = {"win": ARMED if self.weapon else DEALT, "neither": NOBODY}.get(figures["result"], SOMEBODY)
        said = text.format(
            weapon=self.weapon,
            own=figures["own"], theirs=figures["theirs"], result=Duel.outcomes[figures["result"]],
            n=abs(figures["own"] - figures["theirs"]), damage=self.label(outcome.value))
        return with_critical_remarks(said, figures["own"], figures["theirs"])


class CounterDuel(DuelDamage):
    """DR-12: a duel with a target that strikes back; the weapon of the winner, on either side, adds to the damage."""

    opponent_weapon: Count = field(_("Opponent's weapon damage"), 0, target_figure="weapon")
    title = _("Duel with a counter-attack")


class DodgeDuel(DuelDamage):
    """DR-12, DR-14: a duel with a target that only dodges, and deals no damage."""

    title = _("Duel with a dodge")

    def afterwards(self, outcome: Outcome) -> Wording:
        """DR-13: return the hint that a dodge that wins hurts nobody."""
        return _Blow.afterwards(self, outcome)


class UnansweredDuel(Test):
    """DR-13: a duel that the other side does not join, so that only the actor rolls."""

    title, rules, group = _("Duel without reaction"), ("DR-13", "DR-11"), FIGHT


class Attack(_Blow):
    """DR-13: an attack whose target does not react."""

    threshold: Count = field(THRESHOLD)
    modifier: Modifier = field(MODIFIER, 0)
    weapon: Count = field(WEAPON, 0)
    title, rules, unit = _("Attack without reaction"), ("DR-13", "DR-11"), DAMAGE
    outcomes, log_phrases = {"miss": _("miss")}, ATTACK_PHRASES
    chance_label = pgettext_lazy("dice-rumble chance", "hit")
    lowest = 0
    """A hit may deal 0 damage."""

    def throw(self, tray: Tray) -> Outcome:
        """Return the damage of a hit; the modifier counts for hitting, not for the damage."""
        face = tray.die(10)
        if not succeeds(face, self.threshold + self.modifier):
            return Outcome("miss", roll=face)
        return Outcome(max(0, self.threshold - face) + self.weapon, roll=face)

    def tell(self, outcome: Outcome) -> str:
        """Return the roll, the threshold and the damage."""
        face, threshold = outcome.figures["roll"], self.threshold + self.modifier
        text = _("{roll} against {threshold}: {outcome}")
        said = text.format(roll=face, threshold=threshold, outcome=self.label(outcome.value))
        return with_critical_remarks(said, face)


class Initiative(_Rumble):
    """DR-14: roll one die; the lowest at the table begins."""

    title, rules, luckiest = _("Initiative"), ("DR-14",), "less"

    def throw(self, tray: Tray) -> Outcome:
        """Return the face, which is the place in the order of turns."""
        return Outcome(tray.die(10))


class InitiativeOrder(_Rumble):
    """DR-14: one die for each fighter, the own one first; the value is the place of the own die."""

    fighters: Fighters = field(_("Fighters, including you"), least=2)
    title, rules, unit, luckiest = _("Initiative for all"), ("DR-14",), _("place {n}"), "less"

    def own_dice(self, thrown: int) -> Container[int]:
        """Return the position of the own die, the first; fate never repeats the others' (DR-17)."""
        return range(1)

    def throw(self, tray: Tray) -> Outcome:
        """Return 1 plus the number of lower dice; tied fighters share a place until the table settles it."""
        own, others = tray.die(10), sorted(tray.pool(self.fighters - 1, 10))
        return Outcome(1 + sum(face < own for face in others), initiative=own, others=others)

    def count(self) -> Mapping[Any, int | Fraction]:
        """Count by how many other dice are lower, because replaying all of them would take millions of branches."""
        found, others = Counter(), self.fighters - 1
        for own in range(1, 11):
            found.update({1 + lower: comb(others, lower) * (own - 1) ** lower * (11 - own) ** (others - lower)
                          for lower in range(others + 1)})
        return found

    def label(self, value: Value) -> str:
        """Return the place among the dice; a single die has none until the table compares it with others."""
        return super().label(value) if self.fighters > 1 else str(_("a die is ready"))

    def tell(self, outcome: Outcome) -> str:
        """Return the own die, all dice, the place, and the number of ties."""
        own, others = outcome.figures["initiative"], outcome.figures["others"]
        if not others:
            return str(own)
        text = TIED if own in others else _("{own} (all rolls: {all}): {place}")
        faces = ", ".join(map(str, sorted([own, *others])))
        return text.format(own=own, all=faces, place=self.label(outcome.value), n=others.count(own))
