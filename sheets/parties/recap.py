"""The recap of a scene for those who were absent: the deeds of each round, their effects, who fell, and handouts."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rulesets.grouping import by_key
from sheets.models import Handout, Scene
from sheets.parties.scenes import MOST, scene_log
from sheets.stage.harm import Harm, harm
from sheets.stage.table import PartyTable
from sheets.stage.table_log import LogLine, TargetEffect


@dataclass(frozen=True)
class RecapEntry:
    """An entry of the recap: a deed with its effects, the effects on somebody as turns changed, or a handout."""

    made: datetime
    line: LogLine | None = None
    """The line of the log for the deed; None if there is no deed."""
    outcome: tuple[tuple[str, str], ...] = ()
    """(name, text) of the effects on each target."""
    fallen: tuple[str, ...] = ()
    """The names of those who went down."""
    handout: Handout | None = None


@dataclass
class Chapter:
    """A round of a fight, or everything that was done outside fights."""

    fight: int
    """The number of the fight in the scene, 0 outside fights."""
    round: int
    passages: list[RecapEntry] = field(default_factory=list)

    @property
    def time(self) -> str:
        """The time or times of the chapter, to the minute."""
        first, last = (date_format(localtime(self.passages[place].made), "H:i") for place in (0, -1))
        return first if first == last else f"{first} – {last}"

    @property
    def day(self) -> str:
        """The day on which it began."""
        return date_format(localtime(self.passages[0].made), "DATE_FORMAT")


@dataclass(frozen=True)
class Recap:
    """The chapters of a scene in their order, none of which is empty."""

    chapters: list[Chapter]

    def __iter__(self) -> Iterator[tuple[str, Chapter]]:
        """Yield the chapters with their headings, "" if there is only one and nobody fought."""
        fights, days = max((one.fight for one in self.chapters), default=0), {one.day for one in self.chapters}
        day = ""
        for one in self.chapters:
            heads = [one.day] if len(days) > 1 and one.day != day else []
            day = one.day
            if one.fight:
                heads += [_("Fight {n}").format(n=one.fight)] if fights > 1 else []
                heads.append(_("Round {n}").format(n=one.round))
            elif fights:
                heads.append(_("Outside a fight"))
            yield ", ".join(heads), one

    @property
    def gist(self) -> str:
        """The scene in one line: the number of rounds, who went down, and the titles of handouts."""
        entries = [one for chapter in self.chapters for one in chapter.passages]
        rounds = sum(bool(one.fight) for one in self.chapters)
        fallen = dict.fromkeys(name for one in entries for name in one.fallen)
        titles = [one.handout.title for one in entries if one.handout]
        return " · ".join(filter(None, (
            ngettext("{n} round", "{n} rounds", rounds).format(n=rounds) if rounds else "",
            _("Down: {names}").format(names=", ".join(fallen)) if fallen else "",
            _("Handed out: {titles}").format(titles=", ".join(titles)) if titles else "")))


def recap(table: PartyTable, scene: Scene, handouts: Iterable[Handout]) -> Recap:
    """Return the recap of a scene as a member may read it, without events that were undone or repeated."""
    log = [one for one in scene_log(table, scene) if not (one.event.undone or one.redone)]
    harms, left = harm(table, scene, MOST), list(handouts)
    harms_by_turn = by_key((one.turn, one) for one in harms.values())
    turns = [passed for one in log if (passed := one.event.turn_passed)]
    now = turns[0].before["round"] if turns else scene.round
    fight = int(bool(now))
    chapters = [Chapter(fight, now)]
    for line in log:
        while left and left[0].made < line.event.made:
            chapters[-1].passages.append(_handout_entry(left.pop(0)))
        if turn := line.event.turn_passed:
            before, now = turn.before["round"], turn.after["round"]
            fight += bool(now and not before)
            if now and now != before:
                chapters.append(Chapter(fight, now))
        if passage := _turn_entry(line, harms_by_turn.get(line.event.pk, [])) if turn else _deed_entry(line, harms):
            chapters[-1].passages.append(passage)
        if turn and not now and before:
            chapters.append(Chapter(0, 0))
    chapters[-1].passages += map(_handout_entry, left)
    return Recap([one for one in chapters if one.passages])


def _handout_entry(handout: Handout) -> RecapEntry:
    return RecapEntry(handout.made, handout=handout)


def _turn_entry(line: LogLine, harms: list[Harm]) -> RecapEntry | None:
    """Return the entry for the effects of the end of a turn; None if it had none."""
    names = {one.name for one in harms}
    outcome = tuple(one for one in line.steps if one[0] in names)
    fallen = tuple(one.name for one in harms if one.fell)
    return RecapEntry(line.event.made, None, outcome, fallen) if outcome or fallen else None


def _deed_entry(line: LogLine, harms: Mapping[int, Harm]) -> RecapEntry | None:
    """Return the entry for a deed with its effects; None for a step of a turn that changed nobody."""
    event = line.event
    if event.step_of_id and event.pk not in harms:
        return None
    effects = event.pending_effects.all() if event.new_effects is None else event.new_effects
    acts = (event.pk, *(one.applied_id for one in effects if one.applied_id))
    fallen = tuple(harms[act].name for act in acts if act in harms and harms[act].fell)
    outcome = ((one.name, _effect_text(one, line)) for one in line.effects if not one.own)
    return RecapEntry(event.made, line, tuple(one for one in outcome if one[1]), fallen)


def _effect_text(effect: TargetEffect, line: LogLine) -> str:
    """Return the text of a deed's effect on a target, without the name of its source; "" if nothing is left."""
    if effect.state == "applied":
        return effect.words.removesuffix(f"({line.who}: {line.event.what})").strip()
    return _("waiting") if effect.state == "open" else _("dismissed")
