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
from sheets.stage.table_log import Came, LogLine


@dataclass(frozen=True)
class RecapEntry:
    """An entry of the recap: a deed with its effects, the effects on somebody as turns changed, or a handout."""

    made: datetime
    line: LogLine | None = None
    """The line of the log that tells the deed; None if nobody did anything."""
    outcome: tuple[tuple[str, str], ...] = ()
    """(name, words) of the effects on each of those concerned."""
    fallen: tuple[str, ...] = ()
    """The names of those who went down by it."""
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
        """The scene in one line: how many rounds were fought, who went down, what was handed out."""
        told = [one for chapter in self.chapters for one in chapter.passages]
        rounds = sum(bool(one.fight) for one in self.chapters)
        fallen = dict.fromkeys(name for one in told for name in one.fallen)
        given = [one.handout.title for one in told if one.handout]
        return " · ".join(filter(None, (
            ngettext("{n} round", "{n} rounds", rounds).format(n=rounds) if rounds else "",
            _("Down: {names}").format(names=", ".join(fallen)) if fallen else "",
            _("Handed out: {titles}").format(titles=", ".join(given)) if given else "")))


def recap(table: PartyTable, scene: Scene, handouts: Iterable[Handout]) -> Recap:
    """Tell a scene as a member may read it, from its log; whatever was taken back or repeated is left out."""
    log = [one for one in scene_log(table, scene) if not (one.event.undone or one.redone)]
    changed, given = harm(table, scene, MOST), list(handouts)
    stepped = by_key((one.turn, one) for one in changed.values())
    turns = [passed for one in log if (passed := one.event.turn_passed)]
    now = turns[0].before["round"] if turns else scene.round
    fight = int(bool(now))
    chapters = [Chapter(fight, now)]
    for line in log:
        while given and given[0].made < line.event.made:
            chapters[-1].passages.append(_handed_out(given.pop(0)))
        if turn := line.event.turn_passed:
            before, now = turn.before["round"], turn.after["round"]
            fight += bool(now and not before)
            if now and now != before:
                chapters.append(Chapter(fight, now))
        if passage := _turned(line, stepped.get(line.event.pk, [])) if turn else _told(line, changed):
            chapters[-1].passages.append(passage)
        if turn and not now and before:
            chapters.append(Chapter(0, 0))
    chapters[-1].passages += map(_handed_out, given)
    return Recap([one for one in chapters if one.passages])


def _handed_out(handout: Handout) -> RecapEntry:
    return RecapEntry(handout.made, handout=handout)


def _turned(line: LogLine, changed: list[Harm]) -> RecapEntry | None:
    """Return the effects on those whom the end of a turn changed; None if it says no more than whose turn it is."""
    names = {one.name for one in changed}
    outcome = tuple(one for one in line.steps if one[0] in names)
    fallen = tuple(one.name for one in changed if one.fell)
    return RecapEntry(line.event.made, None, outcome, fallen) if outcome or fallen else None


def _told(line: LogLine, changed: Mapping[int, Harm]) -> RecapEntry | None:
    """Return a deed with its effects on its targets; None for dice that fell as a turn began or ended."""
    event = line.event
    if event.step_of_id and event.pk not in changed:
        return None
    effects = event.pending_effects.all() if event.brought is None else event.brought
    acts = (event.pk, *(one.applied_id for one in effects if one.applied_id))
    fallen = tuple(changed[act].name for act in acts if act in changed and changed[act].fell)
    found = ((one.name, _came(one, line)) for one in line.came if not one.own)
    return RecapEntry(event.made, line, tuple(one for one in found if one[1]), fallen)


def _came(came: Came, line: LogLine) -> str:
    """Return the effect of a deed on somebody, without the words that name its source; "" if the deed says it all."""
    if came.state == "applied":
        return came.words.removesuffix(f"({line.who}: {line.event.what})").strip()
    return _("waits") if came.state == "open" else _("dismissed")
