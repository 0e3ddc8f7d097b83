"""At the table: one press makes one roll or one act; acts are logged and can be taken back in order."""

from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from rulesets.dice import RealTray, thrown
from rulesets.kit import Act, Lasting, Play, Refused, Roll, Seated, opened
from sheets import history
from sheets.access import system_of
from sheets.exchange import overlong
from sheets.models import Event, Party, Sheet
from sheets.repeating import Rethrow, repeated, uncounted
from sheets.reviews import chain
from sheets.reviews.courses import Course, course, since
from sheets.reviews.models import PLAYED
from sheets.reviews.revisions import carried, keep
from sheets.rolling import Widget
from sheets.secrets import OTHERS, hiding

READ = ("version", "name", "data", "house", "play", "played", "party_id")
"""What a seat reads of a sheet."""


class Seat:
    """A stored sheet with its shapes: the system, the sheet as written, the state of play, the sheet as it is now.

    What its party's GMs have approved is played as it was approved, whatever became of the sheet since. Of a sheet in a
    party the state of play has the counters that the party has in common. With `others` it is the sheet as all but its
    owner see it, to be read and not to be played on.
    """

    def __init__(self, sheet: Sheet, taken: Course | None = None, *, others: bool = False):
        self.sheet, self.course, self.others = sheet, taken or course(sheet), others
        self.ruleset = system_of(sheet)
        kept = self.course.revision or sheet
        self.name = kept.name
        self.house = self.ruleset.house.model_validate(kept.house)
        self.written = self.ruleset.sheet.model_validate(kept.data).under(self.house)
        whole = self.ruleset.play.model_validate({**sheet.play, **self.common()})
        self.play = opened(whole) if others else whole
        self.now = self.play.effective(self.written)

    @property
    def barred(self) -> str:
        """Why nothing is played with the sheet, "" where it may be."""
        if not self.sheet.party_id or not self.sheet.party.approval or self.course.revision:
            return ""
        if self.course.waiting:
            return _("In this party only what a GM has approved is played; the sheet waits for that.")
        return _("In this party only what a GM has approved is played; submit the sheet first.")

    def still(self, sheet: Sheet) -> bool:
        """Whether the sheet, read anew, stands as it was read for this seat, before its GMs and in its party too."""
        was = self.sheet
        if any(getattr(was, key) != getattr(sheet, key) for key in READ):
            return False
        return not sheet.party_id or ((was.party.table, was.party.approval) == (sheet.party.table, sheet.party.approval)
                                      and self.course == course(sheet))

    def common(self) -> dict[str, Any]:
        """The counters that the sheet shares with its party."""
        if not self.sheet.party_id or not self.ruleset.shared:
            return {}
        table = self.ruleset.table.model_validate(self.sheet.party.table)
        return {key: getattr(table, key) for key in self.ruleset.shared}

    @property
    def seated(self) -> Seated:
        """The character as the party's table sees it."""
        return Seated(self.name, self.written, self.play)

    def rolls(self):
        """The rolls of the sheet as it is now."""
        return self.now.widgets(self.play)

    def acts(self):
        """The acts that make sense now."""
        for act in self.ruleset.acts.values():
            yield from act.offered(self.written, self.play)


@dataclass(frozen=True)
class Fallen:
    """Dice that were thrown before anything is held, and what they were thrown for."""

    roll: Roll
    outcome: Any
    tray: RealTray


def fall(roll: Roll, tray: RealTray | None = None) -> Fallen:
    """Throws the dice of a roll."""
    return Fallen(roll, *thrown(roll.throw, tray))


def cast(seat: Seat, widget: Widget) -> Fallen | None:
    """The dice that a press of this widget throws, None where it throws none (`Refused` as by the press)."""
    roll = None if seat.barred else _thrown_by(seat, widget.made)
    return roll and fall(roll)


def press(seat: Seat, widget: Widget, key, tray: RealTray | None = None, *, who=None,
          fallen: Fallen | None = None) -> Event:
    """Makes a roll or does an act of a locked sheet (`Refused` where play does not allow it); the key is a new one.

    The party of the sheet is locked, too. The dice are those that have `fallen`, if it is for them that they fell.
    """
    event = pressed(seat, widget, key, tray, who=who, fallen=fallen)
    seat.sheet.save(update_fields=["play", "played"])
    event.save()
    if seat.sheet.party_id:
        stir(seat.sheet.party, table=bool(event.group))
    return event


def pressed(seat: Seat, widget: Widget, key, tray: RealTray | None = None, *, who=None,
            fallen: Fallen | None = None) -> Event:
    """The same without saving what then stands in the sheet, its party and the event."""
    if seat.others:
        raise ValueError("what others see of a sheet is not played on")
    if seat.barred:
        raise Refused(seat.barred)
    made = widget.made
    event = Event(sheet=seat.sheet, party_id=seat.sheet.party_id, who=who, key=key, widget=widget.key,
                  title=str(widget.offer.title)[:300])
    if isinstance(made, Act) and made.repeats:
        _repeat(seat, event, made, tray)
    else:
        roll = _thrown_by(seat, made)
        outcome = threw(event, fallen if fallen and fallen.roll == roll else fall(roll, tray)) if roll else None
        if isinstance(made, Act):
            _keep(seat, event, made, made.apply(seat.written, seat.play, outcome))
    seat.sheet.played = timezone.now()
    return event


def stir(party: Party, *, table: bool = False, hidden: bool = False) -> None:
    """Lets everybody at the party's table know that there is something new; with `table` its counters are saved."""
    counted = "secret" if hidden else "pulse"
    Party.objects.filter(pk=party.pk).update(
        **{counted: F(counted) + 1}, **({"table": party.table, "order": party.order} if table else {}))


def _thrown_by(seat: Seat, act: Roll | Act) -> Roll | None:
    """A roll itself, or the one that an act asks for; what a repeat throws is known only while the sheet is held."""
    if isinstance(act, Roll):
        return act
    return None if act.repeats else act.roll(seat.written, seat.play)


def threw(event: Event, fallen: Fallen) -> Any:
    """Writes into the event what fell; answers the outcome."""
    roll, outcome, tray = fallen.roll, fallen.outcome, fallen.tray
    event.roll, event.given = type(roll).slug, roll.model_dump()
    event.faces, event.tries = tray.fallen, tray.tries
    event.outcome, event.figures = outcome.value, dict(outcome.figures)
    return outcome


def _repeat(seat: Seat, event: Event, act: Act, tray: RealTray | None) -> None:
    """Takes back what came of the last roll, throws one's own dice again and applies the act of it anew."""
    past = repeated(seat)
    event.again, event.widget = past.event, past.event.widget
    outcome = threw(event, fall(past.roll, Rethrow(past.lying, tray)))
    changed = past.act.apply(past.written, past.play, outcome) if past.act else past.play
    lasting = isinstance(changed, Lasting)
    kept, data = (changed.play, changed.data) if lasting else (changed, past.written.model_dump())
    for _time in range(past.times):
        kept = act.apply(past.written, kept, outcome)
    _keep(seat, event, act, kept if data == seat.written.model_dump() else Lasting(kept, data), past.act)


def _keep(seat: Seat, event: Event, act: Act, changed: Play | Lasting, applied: Act | None = None) -> None:
    """Writes what an act changed; a repeat tells of the act that it `applied` anew, too."""
    event.act, event.done, event.before = act.slug, act.model_dump(mode="json"), seat.sheet.play
    kept = changed.play if isinstance(changed, Lasting) else changed
    seat.sheet.play = kept.model_dump(exclude_defaults=True)
    if (what := overlong(seat.sheet)) and len(str(seat.sheet.play)) > len(str(event.before)):
        seat.sheet.play = event.before
        raise Refused(what)
    if isinstance(changed, Lasting):
        _for_good(seat, event, changed.data)
    event.text = _told(seat, kept, act, applied)
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            event.said[language] = _told(seat, kept, act, applied)
    if hiding(seat.ruleset):
        _tell_others(seat, event, opened(kept), *(opened(one) for one in (act, applied) if one))
    if common := seat.common():
        _share(seat, event, {key: (common[key], getattr(kept, key)) for key in common})


def _told(seat: Seat, kept: Play, *acts: Act | None) -> str:
    return ". ".join(str(one.tell(seat.written, kept)) for one in acts if one)[:500]


def _tell_others(seat: Seat, event: Event, kept: Play, *acts: Act) -> None:
    """What all but the owner read of an act, as far as that is something else."""
    others = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            others[language] = ". ".join(str(one.tell_others(seat.written, kept)) for one in acts)[:500]
    if others != event.said:
        event.said[OTHERS] = others


def _for_good(seat: Seat, event: Event, data: dict) -> None:
    """Writes what an act made of the sheet; a draft that differs from what is played keeps its own changes."""
    sheet, kept, before = seat.sheet, seat.course.revision, seat.written.model_dump()
    event.before_data = sheet.data
    draft = seat.ruleset.sheet.model_validate(sheet.data).model_dump()
    history.save(sheet, replace(history.state(sheet), data=carried(before, data, draft)))
    event.version = sheet.version
    if kept:
        event.before_revision = kept.number
        revision = keep(sheet, PLAYED, event.who, {"name": kept.name, "data": data, "house": kept.house})
        chain.append(PLAYED, event.who, sheet=sheet, revision=revision)
    elif sheet.finished:
        keep(sheet, PLAYED, event.who)


def _share(seat: Seat, event: Event, counters: dict[str, tuple]) -> None:
    """What an act did to the party's counters goes into the party; what the sheet had of its own waits there."""
    sheet, own = seat.sheet, event.before
    sheet.play = {key: value for key, value in sheet.play.items() if key not in counters}
    sheet.play |= {key: own[key] for key in counters if key in own}
    event.group = {key: list(both) for key, both in counters.items() if both[0] != both[1]}
    sheet.party.table = {**sheet.party.table, **{key: after for key, (_before, after) in event.group.items()}}


def _unshare(sheet: Sheet, event: Event) -> None:
    """Takes back by as much as the act changed: others may have counted on since."""
    sheet.party.table = {**sheet.party.table, **uncounted(sheet.party.table, event)}


def last_act(sheet: Sheet) -> Event | None:
    """The act that can be taken back now."""
    return sheet.events.exclude(act="").filter(undone=False).order_by("-pk").first()


def _as_before(sheet: Sheet, event: Event, who) -> None:
    """What an act changed for good is played as it was before; an approval that came since stays as it is.

    So what was played before the approval in force, or in another party, is not played again.
    """
    taken = course(sheet)
    if event.before_revision and taken.approval and taken.played != taken.approval and (
            event.party_id == sheet.party_id and since(sheet, taken.approval).filter(
                revision_number=event.before_revision).exists()):
        chain.append(PLAYED, who, sheet=sheet, revision=sheet.revisions.get(number=event.before_revision))


def undo(sheet: Sheet, pk: int, who=None) -> bool:
    """Takes the last act of a locked sheet back, if it is the one meant; a roll stays rolled.

    An act that changed the sheet for good stays once the sheet was changed otherwise since.
    """
    event = last_act(sheet)
    if event is None or event.pk != pk or event.version not in (None, sheet.version):
        return False
    if event.before_data is not None:
        _as_before(sheet, event, who)
        history.save(sheet, replace(history.state(sheet), data=event.before_data))
        if sheet.version != event.version:
            # The acts before it find the sheet as they left it, though under new numbers.
            sheet.events.filter(undone=False, pk__lt=event.pk, version__isnull=False).update(
                version=F("version") + sheet.version - event.version + 1)
    sheet.play, sheet.played = event.before, timezone.now()
    sheet.save(update_fields=["play", "played"])
    event.undone = True
    event.save(update_fields=["undone"])
    if sheet.party_id:
        if event.group and event.party_id == sheet.party_id:
            _unshare(sheet, event)
        stir(sheet.party, table=bool(event.group))
    return True
