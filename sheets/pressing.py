"""What is pressed on the page of a sheet: rolled, done, taken back; htmx is shown what of the page it has changed."""

import uuid
from itertools import chain

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import reswap

from rulesets.kit import Offer, Refused
from sheets import page
from sheets.access import who
from sheets.following import cards
from sheets.inputs import query
from sheets.models import Event, Sheet
from sheets.rolling import Widget, chosen, key_of
from sheets.table import Fallen, Seat, cast, press, undo

TRIES = 3
"""Times that a press is got ready before anything is held; whoever is still too slow for the others holds first."""


@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest, pk) -> HttpResponse:
    """One press is one roll or act: a second arrival of the same form finds it done already."""
    if request.method != "POST":
        return page.back(request, pk)
    which = request.POST.get("w", "")
    if request.POST.get("do") == "odds":
        return redirect(f"{page.back(request, pk).url}?{query(request.POST)}#w-{which}")
    if which == "undo":
        with transaction.atomic():
            sheet = page.locked(request, pk)
            _undo(request, sheet)
        return _answer(request, sheet, "log")
    return _press(request, pk, which)


def _press(request, pk, which: str) -> HttpResponse:
    key, event, fault = _key(request), None, None
    try:
        for ahead in (*[True] * TRIES, False):
            # Dice and odds may take a while, and nobody is to wait for them: what is held meanwhile stops all writing.
            ready = _ready(sheet := page.own(request, pk), request.POST, which) if ahead else None
            with transaction.atomic():
                sheet = page.locked(request, pk)
                if ready and not ready[0].still(sheet):
                    continue
                seat, widget, fallen = ready or _ready(sheet, request.POST, which)
                seat.sheet = sheet
                if widget and widget.made:
                    known = request.htmx and request.POST.get("_seen") == page.seen(seat)
                    event = press(seat, widget, key, who=who(request), fallen=fallen)
            break
    except (Refused, IntegrityError) as error:
        fault = error
        sheet.refresh_from_db()
    if event and known and (changed := _changed(seat, event)):
        # All of it stands in its place already.
        return reswap(render(request, "_pressed.html", changed), "none")
    # That the key is spent is told by the database as it takes the event; it is asked only where there is none.
    if event is None and not sheet.events.filter(key=key).exists():
        if widget is None:
            messages.warning(request, _("That is no longer offered; the sheet has changed in the meantime."))
        elif isinstance(fault, Refused):
            messages.error(request, str(fault))
        elif fault:
            raise fault
        else:
            # htmx leaves what answers with an error as it is; the table says for itself what is wrong.
            return page.show(request, page.look(seat, request.POST, which), 200 if request.htmx else 422)
    return _answer(request, sheet, f"w-{which}")


def _ready(sheet: Sheet, answers, which: str) -> tuple[Seat, Widget | None, Fallen | None]:
    """The sheet at the table, what of it is pressed, and the dice that fall for it."""
    seat = Seat(sheet)
    widget = chosen(chain(seat.rolls(), seat.acts()), answers, which) or _next(seat, answers, which)
    return seat, widget, cast(seat, widget) if widget and widget.made else None


def _next(seat: Seat, answers, which: str) -> Widget | None:
    """The widget of this name among those that the last rolls lead on to."""
    rolls = cards(seat.ruleset, seat.rolls(), _latest(seat), answers, which)
    return next((card.widget for roll in rolls for card in roll.whole() if card.widget.key == which), None)


def _changed(before: Seat, event: Event) -> dict | None:
    """What a page shows otherwise after a press than before; None where that may be anything.

    `rolled` is the card that a roll stands in, whose form stays as it was filled; `parts` are templates, `cards` and
    `pressed` single rolls and acts; the event's line comes on top of the log.
    """
    seat = Seat(before.sheet, before.course) if event.act else before
    said = {**page.about(seat), "mine": True, "plays": True, "event": event}
    if not event.act:
        return said | _rolled(seat, event)
    if event.again_id or event.before_data is not None:
        return None
    if any(before.play.spread(before.written)) != any(seat.play.spread(seat.written)):
        return None
    rolls, acts = _rolls(before, seat, event), _acts(before, seat, event)
    parts = ["_hand.html", "_state.html", "_undo.html", *rolls.pop("parts"), *acts.pop("parts")]
    more = {"text": page.telling(seat, event), "last_act": event, "parts": parts}
    return said | page.at_hand(seat) | rolls | acts | more


def _rolled(seat: Seat, event: Event) -> dict:
    offer = next((one for one in seat.rolls() if key_of(one) == event.widget), None)
    if offer is None:
        # It stands in the card of a roll that led on to it.
        found = cards(seat.ruleset, (one for one in seat.rolls() if _holds(one, event)), _latest(seat))
        return {"cards": found, "text": page.telling(seat, event)}
    card, = cards(seat.ruleset, [offer], {event.widget: event})
    # A form that began with a fault does not keep it.
    return {"rolled": card, "text": card.text} if Widget(offer).made else {"cards": [card], "text": card.text}


def _rolls(before: Seat, seat: Seat, event: Event) -> dict:
    """The cards of rolls that an act filled otherwise, and those that it stands in; all where others are offered."""
    were, offers = list(before.rolls()), list(seat.rolls())
    if [_place(one) for one in were] != [_place(one) for one in offers]:
        return {**page.rolling(seat, _latest(seat)), "parts": ["_rolls.html"]}
    changed = [one for was, one in zip(were, offers, strict=True) if was != one or _holds(one, event)]
    return {"cards": cards(seat.ruleset, changed, _latest(seat)) if changed else [], "parts": []}


def _acts(before: Seat, seat: Seat, event: Event) -> dict:
    """The acts that are otherwise, and the one that was pressed; all where others are offered."""
    were, acts = page.acting(before), page.acting(seat, which=event.widget)
    was, now = ([*one["acts"], *one["rare_acts"]] for one in (were, acts))
    if [_place(one.offer) for one, _odds in was] != [_place(one.offer) for one, _odds in now]:
        return {**acts, "parts": ["_acts.html"]}
    changed = [(one, odds) for (old, chances), (one, odds) in zip(was, now, strict=True)
               if one.key == event.widget or (old.offer, chances) != (one.offer, odds)]
    return {"pressed": changed, "parts": []}


def _latest(seat: Seat) -> dict[str, Event]:
    return page.latest(page.recent(seat.sheet))


def _place(offer: Offer) -> tuple:
    return key_of(offer), offer.rare


def _holds(offer: Offer, event: Event) -> bool:
    """Whether an event is of an offer or of what follows from it, whose key ends on the offer's."""
    return f"-{event.widget}".endswith(f"-{key_of(offer)}")


def _key(request) -> uuid.UUID:
    try:
        return uuid.UUID(request.POST.get("_press", ""))
    except ValueError:
        raise BadRequest(_("The form does not say which press this is; load the page anew.")) from None


def _undo(request, sheet: Sheet) -> None:
    meant = request.POST.get("_event", "")
    if not (meant.isascii() and meant.isdigit() and len(meant) < 19 and undo(sheet, int(meant), who(request))):
        messages.warning(request, _("That was taken back already, or something else happened since."))


def _answer(request, sheet: Sheet, anchor: str) -> HttpResponse:
    if request.htmx:
        return page.show(request, page.look(Seat(sheet)))
    return redirect(f"{reverse('sheet', args=[sheet.pk])}#{anchor}")
