"""Setting a gauge of a character to a value, by a GM who gives a reason; this does the act that lowers or raises it."""

from collections.abc import Iterator
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from rulesets.kit import Gauge, Nudge, Refused
from sheets.character import Character
from sheets.models import Event
from sheets.models.store import store
from sheets.press.log import announce
from sheets.press.record_events import in_each_language, make_event
from sheets.rolls.widgets import Widget
from sheets.scenes.log import record


def settable(character: Character) -> Iterator[Gauge]:
    """Yield the gauges of a character that an act can lower or raise by any number."""
    for gauge in character.play.gauges(character.written):
        if _amount(gauge.less) or _amount(gauge.more):
            yield gauge


def _amount(nudge: Nudge | None) -> str | None:
    """Return the name of the act's field for the amount; None if it has none."""
    return next((key for key, by in nudge.answers.items() if type(by) is int and by == 1), None) if nudge else None


def set_figure(character: Character, key: str, was: int, value: int, reason: str, press: UUID, user: User) -> Event:
    """Set a gauge to `value` and return the event; the sheet is locked with its party.

    Raise `Refused` if the gauge no longer has the value `was` that the page showed, or if no act sets it to `value`.
    """
    if (gauge := next((one for one in settable(character) if one.key == key), None)) is None:
        raise Refused(_("That is no longer available; the sheet has changed in the meantime."))
    if gauge.current != was:
        raise Refused(_("{figure}: now {n}; check it, and set it again.").format(
            figure=gauge.title, n=gauge.current))
    nudge = gauge.less if value < was else gauge.more
    amount = _amount(nudge)
    answers = {**nudge.answers, amount: abs(value - was)} if nudge and amount else {}
    widget = Widget(nudge.offer, {name: [str(by)] for name, by in answers.items()}) if nudge and amount else None
    if value == was or widget is None or widget.complete is None:
        raise Refused(_("{figure} cannot be set to {n}.").format(figure=gauge.title, n=value))
    event = make_event(character, widget, press, user=user)
    after = Character(character.sheet, character.review_status)
    now = next((one.current for one in after.play.gauges(after.written) if one.key == key), None)
    if now != value or event.roll:
        raise Refused(_("{figure} cannot be set to {n}.").format(figure=gauge.title, n=value))
    def title() -> str:
        figure = next(one.title for one in settable(character) if one.key == key)
        return _("The GM sets {figure}: {was} → {now}").format(figure=figure, was=was, now=value)

    event.title, event.titles = title(), in_each_language(title)
    event.text, event.said = reason, in_each_language(lambda: reason)
    store(character.sheet, "play", played=timezone.now())
    record(event)
    if character.sheet.party:
        announce(character.sheet.party, table=bool(event.group), events_suffice=True)
    return event
