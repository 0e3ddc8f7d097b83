"""The page of a sheet: read, rolled on, played; and the same page for those who hold its link."""

import secrets
import uuid
from collections.abc import Iterator, Mapping
from zlib import crc32

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rulesets.kit import Face, Refused, blank, called, slots
from sheets.access import editable, memberships, owns, readable
from sheets.exchange import TITLES, overlong
from sheets.following import cards
from sheets.models import GMS, Event, Party, Remark, Sheet
from sheets.outline import Value, outline, worded
from sheets.parties.placing import house_of, placed
from sheets.repeating import superseded
from sheets.rolling import Bar, Widget, bars, chosen, told, widgets
from sheets.secrets import for_others
from sheets.table import Seat, last_act

LOG = 40
"""Events that the page shows."""
NOTES = 4000
"""Characters of a note."""


def look(seat: Seat, answers=None, which: str = "") -> dict:
    """What the page says of a sheet as it is now; the answers belong to the widget named `which`."""
    log = [for_others(seat.ruleset, event) if seat.others else event for event in recent(seat.sheet)]
    said = about(seat) | at_hand(seat) | rolling(seat, latest(log), answers, which) | acting(seat, answers, which)
    return said | {
        # With answers the page shows more than the sheet says: the next press draws it anew as a whole.
        "seen": "" if which else said["seen"],
        "log": [(event, telling(seat, event)) for event in log], "redone": superseded(log),
        "untouched": seat.sheet.data == blank(seat.ruleset.sheet),
        "last_act": last_act(seat.sheet), "which": which,
        "written": outline(seat.written, seat.house, seat.name),
        "verdict": seat.ruleset.check(seat.written, seat.house, seat.name, mends=False),
    }


def about(seat: Seat) -> dict:
    """Whose part of a page it is; each form takes a press of its own."""
    sheet = seat.sheet
    return {"sheet": sheet, "ruleset": seat.ruleset, "seat": seat, "seen": seen(seat), "press": uuid.uuid4,
            "play_url": reverse("play", args=[sheet.pk]), "sheet_url": reverse("sheet", args=[sheet.pk])}


def seen(seat: Seat) -> str:
    """What stands for all that a page shows of a sheet at the table: it is another after whatever happens to it."""
    sheet, last = seat.sheet, seat.course.last
    counted = sheet.party.table if sheet.party_id and seat.ruleset.shared else None
    whole = get_language(), sheet.version, sheet.played, sheet.house, seat.barred, last and last.number, counted
    return f"{crc32(repr(whole).encode()):08x}"


def at_hand(seat: Seat) -> dict:
    """The figures of the moment and what the state of play says."""
    now = outline(seat.now, seat.house)
    gauges = {gauge.key: gauge for gauge in seat.play.gauges(seat.written)}
    known = {value.key for value in now.values}
    # What is used up but follows from nothing, such as life that the GM sets, stands among the values all the same.
    values = [*(Value(one.key, one.title, one.left, "", ()) for one in gauges.values() if one.key not in known),
              *now.values]
    return {
        "tiles": [(value, gauges.get(value.key)) for value in values], "ledger": seat.written.ledger(seat.house),
        "notices": list(seat.play.notices(seat.written)),
        "spread": (spread := list(_spread(seat))), "state": [] if spread else _state(seat),
        "wholes": [section for section in now.sections if section.within],
        "facts": [fact for fact in now.facts if fact.key not in gauges],
        "rules_url": reverse("rules", args=[seat.ruleset.slug]),
    }


def rolling(seat: Seat, last: Mapping[str, Event], answers=None, which: str = "") -> dict:
    """The cards of the rolls, what is seldom wanted apart."""
    rolls = cards(seat.ruleset, seat.rolls(), last, answers, which)
    rare = [card for card in rolls if card.widget.offer.rare]
    return {"rolls": [card for card in rolls if not card.widget.offer.rare], "rare": rare,
            "rare_open": any(card.last or card.widget.key == which for card in rare)}


def acting(seat: Seat, answers=None, which: str = "") -> dict:
    """The acts with the odds of what they would roll, what is seldom wanted apart."""
    acts = [(one, _odds(seat, one)) for one in widgets(seat.acts(), answers, which)]
    rare = [(one, odds) for one, odds in acts if one.offer.rare]
    return {"acts": [(one, odds) for one, odds in acts if not one.offer.rare], "rare_acts": rare,
            "rare_acts_open": any(one.key == which for one, _bars in rare)}


def recent(sheet: Sheet) -> list[Event]:
    """What happened last, the newest first."""
    return list(sheet.events.order_by("-pk")[:LOG])


def latest(log: list[Event]) -> dict[str, Event]:
    """The last roll or act of each widget that still stands."""
    return {event.widget: event for event in reversed(log) if not event.undone}


def telling(seat: Seat, event: Event) -> str:
    """What an event's roll says, "" where nothing was rolled."""
    return told(seat.ruleset, event.roll, event.given, event.outcome, event.figures) if event.roll else ""


def _odds(seat: Seat, widget: Widget) -> tuple[Bar, ...]:
    """The chart of what an act would roll as it is answered; none where it rolls nothing or may not be done so."""
    try:
        roll = widget.made and widget.made.roll(seat.written, seat.play)
    except Refused:
        return ()
    return bars(roll) if roll else ()


def _spread(seat: Seat) -> Iterator[tuple]:
    """(title, cards) of what lies on the table or is held; of what is secret others see backs."""
    down = Face(_("Face down"))
    for title, faces in seat.play.spread(seat.written):
        yield title, [down if face.secret and seat.others else face for face in faces]


def _state(seat: Seat) -> list[tuple]:
    """(title, rows in words) of the lists that play keeps: effects, items, losses."""
    found, play = [], seat.play
    for key, slot in slots(type(play)).items():
        if slot.kind == "rows" and getattr(play, key):
            rows = [[(inner.ask.title, called(seat.written, getattr(row, name)) if inner.ask.place
                      else worded(inner, getattr(row, name))) for name, inner in slots(type(row)).items()
                     if getattr(row, name) not in (0, "", None, False)] for row in getattr(play, key)]
            found.append((slot.ask.title, rows))
    return found


def seated(request: HttpRequest, sheet: Sheet) -> Seat:
    """A sheet as the request may see it: what is secret is its owner's alone."""
    return Seat(sheet, others=not owns(request, sheet))


@require_safe
def page(request: HttpRequest, pk) -> HttpResponse:
    """The sheet; `?w=` names the widget whose odds the other parameters are for: all that htmx asks for so."""
    seat = seated(request, get_object_or_404(readable(request).select_related("party", "owner"), pk=pk))
    which = request.GET.get("w", "")
    if request.htmx and (widget := chosen(seat.rolls(), request.GET, which)):
        odds = {"widget": widget, "bars": widget.bars, "key": widget.key, "title": widget.offer.title}
        return render(request, "_odds.html", odds)
    return show(request, look(seat, request.GET, which))


def show(request: HttpRequest, said: dict, status: int = 200, **more) -> HttpResponse:
    """The page, or for htmx the part that rolls and acts change."""
    mine = owns(request, said["sheet"])
    said |= {"mine": mine, "plays": mine and not said["seat"].barred, "ref": said["sheet"].pk, **more}
    if request.htmx:
        return render(request, "_table.html", said, status=status)
    return render(request, "sheet.html", {**placed(request, said["seat"]), **said}, status=status)


@require_safe
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """The sheet for whoever holds its link: to be read, its odds to be asked for, not to be played on."""
    seat = Seat(get_object_or_404(Sheet.objects.filter(deleted=None), share=token), others=True)
    said = look(seat, request.GET, request.GET.get("w", ""))
    said |= {"mine": False, "ref": token, "forms": TITLES, "differences": house_of(seat)}
    return render(request, "sheet.html", said)


def back(request: HttpRequest, pk) -> HttpResponse:
    """To the sheet: a page that answered a press stands at the press's address, and may be asked for anew there."""
    return redirect("sheet", get_object_or_404(editable(request), pk=pk).pk)


def own(request: HttpRequest, pk) -> Sheet:
    """One's own sheet and its party, for whoever only looks (Http404 for others')."""
    return get_object_or_404(editable(request).select_related("party"), pk=pk)


def locked(request: HttpRequest, pk) -> Sheet:
    """One's own sheet and its party, held until the transaction ends (Http404 for others')."""
    # The party first, then the sheet: in the same order everywhere, so that nobody waits for each other.
    # A guest's sheet is in none.
    party = None
    if request.user.is_authenticated:
        party = Party.objects.select_for_update(of=("self",)).filter(sheets=pk).first()
    sheet = get_object_or_404(editable(request).select_for_update(of=("self",)), pk=pk)
    if party and party.pk == sheet.party_id:
        sheet.party = party
    return sheet


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
        return back(request, pk)
    fault = ""
    with transaction.atomic():
        sheet = locked(request, pk)
        word = request.POST.get("do")
        if word == "notes":
            notes = request.POST.get("notes", "").replace("\r\n", "\n")
            longer, sheet.notes = len(notes) > len(sheet.notes), notes
            fault = notes_fault(notes) or (overlong(sheet) if longer else "")
        elif word in ("share", "revoke"):
            sheet.share = secrets.token_urlsafe(24) if word == "share" else None
        else:
            raise BadRequest(_("There is no such button."))
        if not fault:
            sheet.save(update_fields=["notes", "share"])
    if fault:
        messages.error(request, fault)
        return show(request, look(Seat(sheet)), 422, typed=notes)
    return redirect(f"{reverse('sheet', args=[sheet.pk])}#{'notes' if word == 'notes' else 'share'}")


@require_POST
def remark(request: HttpRequest, pk) -> HttpResponse:
    """What a GM notes on a sheet of the party, kept for this GM alone; an empty note is none."""
    text = request.POST.get("text", "").replace("\r\n", "\n")
    run = memberships(request).filter(role__in=GMS).values("party")
    sheet = get_object_or_404(Sheet.objects.filter(deleted=None, party__in=run).select_related("party", "owner"), pk=pk)
    if fault := notes_fault(text):
        messages.error(request, fault)
        return show(request, look(seated(request, sheet)), 422, remark=text)
    if text.strip():
        Remark.objects.update_or_create(sheet=sheet, author=request.user, defaults={"text": text})
    else:
        sheet.remarks.filter(author=request.user).delete()
    return redirect(f"{reverse('sheet', args=[pk])}#remark")
