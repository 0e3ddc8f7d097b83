"""At the table: one press makes one roll or one act; acts are logged and can be taken back in order."""

from dataclasses import replace
from typing import Any

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from rulesets.dice import RealTray, thrown
from rulesets.kit import Act, Lasting, Refused, Roll
from sheets import history
from sheets.access import system_of
from sheets.exchange import overlong
from sheets.models import Event, Sheet
from sheets.rolling import Widget


class Seat:
    """A stored sheet with its shapes: the system, the sheet as written, the state of play, the sheet as it is now."""

    def __init__(self, sheet: Sheet):
        self.sheet = sheet
        self.ruleset = system_of(sheet)
        self.house = self.ruleset.house.model_validate(sheet.house)
        self.written = self.ruleset.sheet.model_validate(sheet.data).under(self.house)
        self.play = self.ruleset.play.model_validate(sheet.play)
        self.now = self.play.effective(self.written)

    def rolls(self):
        """The rolls of the sheet as it is now."""
        return self.now.widgets(self.play)

    def acts(self):
        """The acts that make sense now."""
        for act in self.ruleset.acts.values():
            yield from act.offered(self.written, self.play)


def press(seat: Seat, widget: Widget, key, tray: RealTray | None = None) -> Event:
    """Makes a roll or does an act of a locked sheet (`Refused` where play does not allow it); the key is a new one."""
    made = widget.made
    event = Event(sheet=seat.sheet, key=key, widget=widget.key, title=str(widget.offer.title)[:300])
    roll = made if isinstance(made, Roll) else _roll_of(seat, made)
    outcome = _thrown(event, roll, tray) if roll else None
    if isinstance(made, Act):
        _apply(seat, event, made, outcome)
    seat.sheet.played = timezone.now()
    seat.sheet.save(update_fields=["play", "played"])
    event.save()
    return event


def _roll_of(seat: Seat, act: Act) -> Roll | None:
    """The roll that an act asks for; a repeat throws the last roll once more."""
    if not act.repeats:
        return act.roll(seat.written, seat.play)
    last = seat.sheet.events.exclude(roll="").filter(undone=False).order_by("-pk").first()
    if last is None or last.roll not in seat.ruleset.rolls:
        raise Refused(_("Nothing was rolled yet that could be repeated."))
    return seat.ruleset.rolls[last.roll].model_validate(last.given)


def _thrown(event: Event, roll: Roll, tray: RealTray | None):
    outcome, tray = thrown(roll.throw, tray)
    event.roll, event.given = type(roll).slug, roll.model_dump()
    event.faces, event.tries = tray.fallen, tray.tries
    event.outcome, event.figures = outcome.value, dict(outcome.figures)
    return outcome


def _apply(seat: Seat, event: Event, act: Act, outcome: Any) -> None:
    event.act, event.before = act.slug, seat.sheet.play
    changed = act.apply(seat.written, seat.play, outcome)
    kept = changed.play if isinstance(changed, Lasting) else changed
    seat.sheet.play = kept.model_dump(exclude_defaults=True)
    if (what := overlong(seat.sheet)) and len(str(seat.sheet.play)) > len(str(event.before)):
        seat.sheet.play = event.before
        raise Refused(what)
    if isinstance(changed, Lasting):
        event.before_data = seat.sheet.data
        history.save(seat.sheet, replace(history.state(seat.sheet), data=changed.data))
        event.version = seat.sheet.version
    event.text = str(act.tell(seat.written, kept))[:500]


def last_act(sheet: Sheet) -> Event | None:
    """The act that can be taken back now."""
    return sheet.events.exclude(act="").filter(undone=False).order_by("-pk").first()


def undo(sheet: Sheet, pk: int) -> bool:
    """Takes the last act of a locked sheet back, if it is the one meant; a roll stays rolled.

    An act that changed the sheet for good stays once the sheet was changed otherwise since.
    """
    event = last_act(sheet)
    if event is None or event.pk != pk or event.version not in (None, sheet.version):
        return False
    if event.before_data is not None:
        history.save(sheet, replace(history.state(sheet), data=event.before_data))
        if sheet.version != event.version:
            # The acts before it find the sheet as they left it, though under new numbers.
            sheet.events.filter(undone=False, pk__lt=event.pk, version__isnull=False).update(
                version=F("version") + sheet.version - event.version + 1)
    sheet.play = event.before
    sheet.save(update_fields=["play"])
    event.undone = True
    event.save(update_fields=["undone"])
    return True
