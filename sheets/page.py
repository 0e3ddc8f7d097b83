"""The page of a sheet: read, rolled on, played; and the same page for those who hold its link."""

import secrets
import uuid
from itertools import chain

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rulesets.kit import Refused, slots
from sheets.access import editable, memberships, owns, readable, who
from sheets.exchange import TITLES, overlong
from sheets.following import cards
from sheets.inputs import query
from sheets.models import GMS, Event, Party, Remark, Sheet
from sheets.outline import Value, outline, worded
from sheets.parties.placing import house_of, placed
from sheets.rolling import Bar, Widget, bars, chosen, told, widgets
from sheets.table import Seat, last_act, press, undo

LOG = 40
"""Events that the page shows."""
NOTES = 4000
"""Characters of a note."""


def _look(seat: Seat, answers=None, which: str = "") -> dict:
    """What the page says of a sheet as it is now."""
    sheet, ruleset = seat.sheet, seat.ruleset
    log = list(sheet.events.order_by("-pk")[:LOG])
    lines = [(event, told(ruleset, event.roll, event.given, event.outcome, event.figures) if event.roll else "")
             for event in log]
    last = _last(log)
    now = outline(seat.now, seat.house)
    gauges = {gauge.key: gauge for gauge in seat.play.gauges(seat.written)}
    known = {value.key for value in now.values}
    # What is used up but follows from nothing, such as life that the GM sets, stands among the values all the same.
    values = [*(Value(one.key, one.title, one.left, "", ()) for one in gauges.values() if one.key not in known),
              *now.values]
    rolls = cards(ruleset, seat.rolls(), last, answers, which)
    rare = [card for card in rolls if card.widget.offer.rare]
    acts = [(one, _odds(seat, one)) for one in widgets(seat.acts(), answers, which)]
    rare_acts = [(one, odds) for one, odds in acts if one.offer.rare]
    return {
        "sheet": sheet, "ruleset": ruleset, "seat": seat, "tiles": [(value, gauges.get(value.key)) for value in values],
        "written": outline(seat.written, seat.house, seat.name),
        "notices": list(seat.play.notices(seat.written)), "log": lines,
        "spread": (spread := list(seat.play.spread(seat.written))), "state": [] if spread else _state(seat.play),
        "verdict": ruleset.check(seat.written, seat.house, seat.name, mends=False),
        "wholes": [section for section in now.sections if section.within],
        "facts": [fact for fact in now.facts if fact.key not in gauges],
        "rolls": [card for card in rolls if not card.widget.offer.rare],
        "rare": rare, "rare_open": any(card.last or card.widget.key == which for card in rare),
        "acts": [(one, odds) for one, odds in acts if not one.offer.rare], "which": which,
        "rare_acts": rare_acts, "rare_acts_open": any(one.key == which for one, _bars in rare_acts),
        "last_act": last_act(sheet), "press": uuid.uuid4(), "rules_url": reverse("rules", args=[ruleset.slug]),
    }


def _odds(seat: Seat, widget: Widget) -> list[Bar]:
    """The chart of what an act would roll as it is answered; none where it rolls nothing or may not be done so."""
    try:
        roll = widget.made and widget.made.roll(seat.written, seat.play)
    except Refused:
        return []
    return bars(roll) if roll else []


def _next(seat: Seat, answers, which: str) -> Widget | None:
    """The widget of this name among those that the last rolls lead on to."""
    last = _last(list(seat.sheet.events.order_by("-pk")[:LOG]))
    found = (card.widget for roll in cards(seat.ruleset, seat.rolls(), last, answers, which) for card in roll.whole())
    return next((one for one in found if one.key == which), None)


def _last(log: list[Event]) -> dict[str, Event]:
    """The last roll or act of each widget that still stands."""
    return {event.widget: event for event in reversed(log) if not event.undone}


def _state(play) -> list[tuple]:
    """(title, rows in words) of the lists that play keeps: effects, items, losses."""
    found = []
    for key, slot in slots(type(play)).items():
        if slot.kind == "rows" and getattr(play, key):
            rows = [[(inner.ask.title, worded(inner, getattr(row, name))) for name, inner in slots(type(row)).items()
                     if getattr(row, name) not in (0, "", None, False)] for row in getattr(play, key)]
            found.append((slot.ask.title, rows))
    return found


@require_safe
def page(request: HttpRequest, pk) -> HttpResponse:
    """The sheet; `?w=` names the widget whose odds the other parameters are for."""
    sheet = get_object_or_404(readable(request).select_related("party", "owner"), pk=pk)
    return _show(request, _look(Seat(sheet), request.GET, request.GET.get("w", "")))


def _show(request, look: dict, status: int = 200, **more) -> HttpResponse:
    """The page, or for htmx the part that rolls and acts change."""
    mine = owns(request, look["sheet"])
    look |= {"mine": mine, "plays": mine and not look["seat"].barred, "ref": look["sheet"].pk, **more}
    if request.htmx:
        return render(request, "_table.html", look, status=status)
    return render(request, "sheet.html", {**placed(request, look["seat"]), **look}, status=status)


@require_safe
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """The sheet for whoever holds its link: to be read, its odds to be asked for, not to be played on."""
    seat = Seat(get_object_or_404(Sheet.objects.filter(deleted=None), share=token))
    look = _look(seat, request.GET, request.GET.get("w", ""))
    look |= {"mine": False, "ref": token, "forms": TITLES, "differences": house_of(seat)}
    return render(request, "sheet.html", look)


def _back(request: HttpRequest, pk) -> HttpResponse:
    """To the sheet: a page that answered a press stands at the press's address, and may be asked for anew there."""
    return redirect("sheet", get_object_or_404(editable(request), pk=pk).pk)


@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest, pk) -> HttpResponse:
    """One press is one roll or act: a second arrival of the same form finds it done already."""
    if request.method != "POST":
        return _back(request, pk)
    which = request.POST.get("w", "")
    if request.POST.get("do") == "odds":
        return redirect(f"{_back(request, pk).url}?{query(request.POST)}#w-{which}")
    if which == "undo":
        with transaction.atomic():
            sheet = _locked(request, pk)
            _undo(request, sheet)
        return _answer(request, sheet, "log")
    return _press(request, pk, which)


def _press(request, pk, which: str) -> HttpResponse:
    key, event, fault = _key(request), None, None
    try:
        with transaction.atomic():
            seat = Seat(sheet := _locked(request, pk))
            widget = chosen(chain(seat.rolls(), seat.acts()), request.POST, which) or _next(seat, request.POST, which)
            if widget and widget.made:
                event = press(seat, widget, key, who=who(request))
    except (Refused, IntegrityError) as error:
        fault = error
        sheet.refresh_from_db()
    # That the key is spent is told by the database as it takes the event; it is asked only where there is none.
    if event is None and not sheet.events.filter(key=key).exists():
        if widget is None:
            messages.warning(request, _("That is no longer offered; the sheet has changed in the meantime."))
        elif isinstance(fault, Refused):
            messages.error(request, str(fault))
        elif fault:
            raise fault
        else:
            return _show(request, _look(seat, request.POST, which), 422)
    return _answer(request, sheet, f"w-{which}")


def _locked(request, pk) -> Sheet:
    # The party first, then the sheet: in the same order everywhere, so that nobody waits for each other.
    # A guest's sheet is in none.
    party = None
    if request.user.is_authenticated:
        party = Party.objects.select_for_update(of=("self",)).filter(sheets=pk).first()
    sheet = get_object_or_404(editable(request).select_for_update(of=("self",)), pk=pk)
    if party and party.pk == sheet.party_id:
        sheet.party = party
    return sheet


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
        return _show(request, _look(Seat(sheet)))
    return redirect(f"{reverse('sheet', args=[sheet.pk])}#{anchor}")


def notes_fault(notes: str) -> str:
    """Why notes cannot be kept, "" if they can."""
    if "\0" in notes:
        return _("The text holds a NUL, which no sheet can keep; remove it.")
    if len(notes) > NOTES:
        return _("Notes have at most 4,000 characters; yours have {n}.").format(n=len(notes))
    return ""


@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: HttpRequest, pk) -> HttpResponse:
    """What is kept beside a sheet: notes; and its link, made, renewed or revoked."""
    if request.method != "POST":
        return _back(request, pk)
    with transaction.atomic():
        sheet = _locked(request, pk)
        word = request.POST.get("do")
        if word == "notes":
            notes = request.POST.get("notes", "").replace("\r\n", "\n")
            longer, sheet.notes = len(notes) > len(sheet.notes), notes
            if fault := notes_fault(notes) or (longer and overlong(sheet)):
                messages.error(request, fault)
                return _show(request, _look(Seat(sheet)), 422, typed=notes)
        elif word in ("share", "revoke"):
            sheet.share = secrets.token_urlsafe(24) if word == "share" else None
        else:
            raise BadRequest(_("There is no such button."))
        sheet.save(update_fields=["notes", "share"])
    return redirect(f"{reverse('sheet', args=[sheet.pk])}#{'notes' if word == 'notes' else 'share'}")


@require_POST
def remark(request: HttpRequest, pk) -> HttpResponse:
    """What a GM notes on a sheet of the party, kept for this GM alone; an empty note is none."""
    text = request.POST.get("text", "").replace("\r\n", "\n")
    run = memberships(request).filter(role__in=GMS).values("party")
    sheet = get_object_or_404(Sheet.objects.filter(deleted=None, party__in=run).select_related("party", "owner"), pk=pk)
    if fault := notes_fault(text):
        messages.error(request, fault)
        return _show(request, _look(Seat(sheet)), 422, remark=text)
    if text.strip():
        Remark.objects.update_or_create(sheet=sheet, author=request.user, defaults={"text": text})
    else:
        sheet.remarks.filter(author=request.user).delete()
    return redirect(f"{reverse('sheet', args=[pk])}#remark")
