"""What waits at a sheet is applied, changed or dismissed, and what was done is taken back, as a button says."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.kit import Refused
from sheets.access import at_table, is_own, membership, played_by, who
from sheets.character import Character
from sheets.forms.buttons import row_key
from sheets.models import Event, Landing, Member, Sheet
from sheets.models.events import OPEN
from sheets.press.effects import (
    Landed,
    apply_landing,
    dismiss_landing,
    guard,
    guarded,
    landed_at,
    landing_widget,
)
from sheets.press.rethrows import rethrow
from sheets.press.undo import undo_act, undo_for_all
from sheets.secrets import refusal
from sheets.stage.press_form import press_key
from sheets.stage.table_page import Happened, with_what_came


@dataclass(frozen=True)
class Settled:
    """Where of the page its outcome is to be seen, and what has happened by it, None where nothing has."""

    anchor: str
    happened: Happened | None = None


def _held_landing(request, pk, number: int) -> tuple[Member, Landing | None]:
    """Something that landed at this table and is still open, with its sheet, held after the party; None if it is not.

    Those who see neither side of it find nothing (Http404).
    """
    me = membership(request, pk, lock=True)
    found = get_object_or_404(Landing.objects.select_related("event"), pk=number, event__party=me.party_id)
    sheet = at_table(me, Sheet.objects.filter(pk=found.sheet_id)).select_for_update(of=("self",)).first()
    seen = played_by(me).filter(pk__in=[found.sheet_id, found.event.sheet_id])
    get_object_or_404(seen[:1])
    if sheet is None or found.state != OPEN:
        return me, None
    sheet.party = me.party
    found.sheet = sheet
    return me, found


def _decide(request, pk, number: int, do: Callable[[Landing], Event | None], then: str = "") -> Settled:
    """Whom something hit does something about it; `do` takes what landed, answers its event, and may be `Refused`."""
    happened = None
    with transaction.atomic():
        me, landing = _held_landing(request, pk, number)
        if landing is None:
            return _gone(request, pk)
        get_object_or_404(played_by(me), pk=landing.sheet_id)
        told = me.party.pulse
        try:
            with transaction.atomic():
                event = do(landing)
            if event is None:
                return _gone(request, pk)
            lines = frozenset({landing.event_id})
            happened = Happened(with_what_came(event), lines, me.party.pulse - told)
        except Refused as fault:
            others = not is_own(me, landing.sheet)
            messages.error(request, refusal(landing.sheet.system, fault, others=others))
        except IntegrityError:
            # The key of this press is spent at that sheet.
            return _gone(request, pk)
        except ValidationError:
            messages.error(request, _("The rules cannot read this sheet any more."))
    return Settled(then or f"landed-{number}", happened)


def _apply(request, pk, about: str, *, changed: bool = False) -> Settled:
    """What landed is done, as it came or as it was changed."""
    key, answers = press_key(request.POST), dict(request.POST.lists()) if changed else None

    def do(landing: Landing) -> Event:
        widget = landing_widget(landing.sheet.system, landing, answers)
        if widget is None or not widget.made:
            raise Refused(_("That makes no sense as it was changed; nothing has happened."))
        return apply_landing(landing, widget, key, request.user)

    return _decide(request, pk, row_key(about), do)


def _guard(request, pk, about: str) -> Settled:
    """Whom something hit tries to stop it."""
    number, _colon, which = about.partition(":")
    key = press_key(request.POST)

    def do(landing: Landing) -> Event | None:
        found = _landed(landing)
        widget = next((one for one in found.guards if one.key == which), None) if found else None
        return guard(landing, widget, key, request.user) if widget else None

    return _decide(request, pk, row_key(number), do)


def _landed(landing: Landing) -> Landed | None:
    """Something that waits at a sheet that is held, as whoever plays it sees it."""
    return next(iter(guarded(landed_at(Character(landing.sheet), [landing]))), None)


def _rethrow(request, pk, about: str) -> Settled:
    """Whom something hit has the own dice in it thrown once more."""
    key = press_key(request.POST)

    def do(landing: Landing) -> Event | None:
        found = _landed(landing)
        return rethrow(found, key, request.user) if found else None

    return _decide(request, pk, row_key(about), do, "log")


def _dismiss(request, pk, about: str) -> Settled:
    """Nothing comes of what landed: who decides about it says so, or who sent it."""
    with transaction.atomic():
        _me, landing = _held_landing(request, pk, row_key(about))
        if landing is None:
            return _gone(request, pk)
        dismiss_landing(landing)
    return Settled("log", Happened(lines=frozenset({landing.event_id})))


def take_back(request, pk, about: str) -> Settled:
    """An act of somebody at this table is taken back, by either side of it."""
    with transaction.atomic():
        me = membership(request, pk, lock=True)
        event = get_object_or_404(Event.objects.select_related("landed__event"), pk=row_key(about), party=me.party_id)
        sides = [event.sheet_id, *([event.landed.event.sheet_id] if hasattr(event, "landed") else [])]
        get_object_or_404(played_by(me).filter(pk__in=sides)[:1])
        sheet = get_object_or_404(at_table(me, Sheet.objects.select_for_update(of=("self",))), pk=event.sheet_id)
        sheet.party = me.party
        acts = undone(request, sheet, event.pk)
    return Settled("log", Happened(tuple(acts)) if acts else None)


def undone(request, sheet: Sheet, pk: int) -> list[Event]:
    """Takes the last act of a sheet back that is held with its party, or says why it stays; answers what it undid."""
    why = _("That was taken back already, or something else happened since.")
    try:
        if acts := undo_act(sheet, pk, who(request)):
            return acts
    except Refused as fault:
        why = str(fault)
    messages.warning(request, why)
    return []


def _take_all_back(request, pk, about: str) -> Settled:
    """What a GM had all do at once is taken back for everybody who did nothing else since."""
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        first = get_object_or_404(Event, pk=row_key(about), party=me.party_id)
        tell_who_stays(request, undo_for_all(me.party, first.key, request.user))
    return Settled("log")


def tell_who_stays(request, names: list[str]) -> None:
    """Says of whom something was not taken back."""
    for name in names:
        messages.warning(request, _("{name} did something else since; that stays.").format(name=name))



def _gone(request, pk) -> Settled:
    # A second arrival of the same press is no news.
    if not Event.objects.filter(party=pk, key=press_key(request.POST)).exists():
        messages.warning(request, _("That is settled already."))
    return Settled("log")


SETTLING: dict[str, Callable[..., Settled]] = {
    "apply": _apply, "change": partial(_apply, changed=True), "dismiss": _dismiss, "guard": _guard,
    "rethrow": _rethrow, "back": take_back, "all-back": _take_all_back,
}
"""What is done about it, by the words of the buttons."""
