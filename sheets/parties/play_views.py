"""What is pressed while one plays at the party's table: rolls and acts aimed at somebody, and what has landed."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets.kit import Refused
from sheets.access import at_table, guided_by, key_or_404, membership, played_by, readable
from sheets.character import Character
from sheets.forms.buttons import no_such_button, pressed_about, row_key
from sheets.forms.inputs import query
from sheets.models import Event, Landing, Member, Sheet
from sheets.models.events import OPEN
from sheets.optimistic_lock import prepare_then_lock
from sheets.parties.aim import veiled
from sheets.parties.table_views import answered, seats_of, table_url
from sheets.play.aiming import Aim
from sheets.play.landings import apply_landing, dismiss_landing, landing_widget
from sheets.play.press_views import PressForm
from sheets.play.services import PreparedPress, prepare_press, press
from sheets.play.undo import undo_act


@dataclass(frozen=True)
class Seats:
    """Who acts at a member's table, and whom that is aimed at; the address says both."""

    me: Member
    by: Sheet
    at: Sheet | None

    @classmethod
    def of(cls, request: HttpRequest, pk, *, lock: bool = False) -> "Seats":
        """As they are now, or held until the transaction ends: the party first, then the sheets in one order."""
        me = membership(request, pk, lock=lock)
        named = seats_of(request)
        by = key_or_404(named["_by"])
        target = key_or_404(named["_at"]) if named["_at"] else by
        there = at_table(me, Sheet.objects.filter(pk__in={by, target})).select_related("owner").order_by("pk")
        sheets = {one.pk: one for one in (there.select_for_update(of=("self",)) if lock else there)}
        for one in sheets.values():
            one.party = me.party
        acting = get_object_or_404(played_by(me), pk=by)
        get_object_or_404(readable(request), pk=target)
        return cls(me, sheets[acting.pk], sheets[target] if named["_at"] else None)

    def aim(self) -> Aim | None:
        """Whom something is aimed at."""
        return Aim(Character(self.at), veiled(self.me, self.by, self.at)) if self.at else None


@dataclass(frozen=True)
class PreparedAim:
    """A press that is got ready before anything is held, with whom it is aimed at."""

    press: PreparedPress
    aim: Aim | None

    def fits(self, seats: Seats) -> bool:
        """Whether both stand as they were when this was got ready."""
        if seats.at and not (self.aim and self.aim.character.still(seats.at)):
            return False
        return self.press.fits(seats.by)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def play(request: HttpRequest, pk) -> HttpResponse:
    """A press at the table; whoever asks for its address anew is led to the table."""
    if request.method != "POST":
        membership(request, pk)
        return redirect(table_url(request, pk))
    if "do" in request.POST and request.POST["do"] != "odds":
        word, about = pressed_about(request.POST, LANDED)
        return LANDED[word](request, pk, row_key(about))
    if request.POST.get("do") == "odds":
        return redirect(f"{table_url(request, pk)}&{query(dict(request.POST.lists()))}#w-{request.POST.get('w', '')}")
    return _press(request, pk)


def _press(request, pk) -> HttpResponse:
    form = PressForm.of(request.POST)
    seats = partial(Seats.of, request, pk)
    try:
        done = prepare_then_lock(seats, partial(seats, lock=True), partial(_prepare, form=form),
                                 partial(_pressed, form=form, who=request.user))
    except (Refused, IntegrityError) as fault:
        if form.spent(seats().by):
            return answered(request, pk, f"w-{form.which}")
        if not isinstance(fault, Refused):
            raise
        messages.error(request, str(fault))
        return answered(request, pk, "messages")
    if done is None:
        messages.warning(request, _("That is no longer offered; the sheet has changed in the meantime."))
    if isinstance(done, Event):
        return answered(request, pk, "tray", event=done)
    return answered(request, pk, "tray", form.answers if done is False else None, form.which)


def _prepare(seats: Seats, form: PressForm) -> PreparedAim:
    aim = seats.aim()
    return PreparedAim(prepare_press(seats.by, form.answers, form.which, aim), aim)


def _pressed(seats: Seats, ready: PreparedAim, *, form: PressForm, who) -> Event | bool | None:
    """The event; False where an answer makes no sense, None where the press is no longer offered."""
    character, widget, aim = ready.press.character, ready.press.widget, ready.aim
    character.sheet = seats.by
    if aim and seats.at:
        aim.character.sheet = seats.at
    if widget is None:
        return form.spent(seats.by) or None
    if not widget.made:
        return False
    now = timezone.now()
    Sheet.objects.filter(pk=seats.by.pk).update(played=now)
    seats.by.played = now
    return press(character, widget, form.key, who=who, fallen=ready.press.fallen, called=ready.press.titles, aim=aim)


def _held_landing(request, pk, number: int) -> tuple[Member, Landing | None]:
    """Something that landed at this table and is still open, with its sheet, held after the party; None if it is not.

    Those who see neither side of it find nothing (Http404).
    """
    me = membership(request, pk, lock=True)
    found = get_object_or_404(Landing.objects.select_related("event"), pk=number, event__party=me.party_id)
    sheet = at_table(me, Sheet.objects.filter(pk=found.sheet_id)).select_for_update(of=("self",)).first()
    seen = guided_by(me).filter(pk__in=[found.sheet_id, found.event.sheet_id])
    get_object_or_404(seen[:1])
    if sheet is None or found.state != OPEN:
        return me, None
    sheet.party = me.party
    found.sheet = sheet
    return me, found


def _apply(request, pk, number: int, *, changed: bool = False) -> HttpResponse:
    """What landed is done, as it came or as it was changed."""
    key = _key(request)
    with transaction.atomic():
        me, landing = _held_landing(request, pk, number)
        if landing is None:
            return _gone(request, pk)
        get_object_or_404(guided_by(me), pk=landing.sheet_id)
        answers = dict(request.POST.lists()) if changed else None
        widget = landing_widget(landing.sheet.system, landing, answers)
        try:
            with transaction.atomic():
                if widget and widget.made:
                    apply_landing(landing, widget, key, request.user)
        except Refused as fault:
            messages.error(request, str(fault))
    if widget is None or not widget.made:
        messages.error(request, _("That makes no sense as it was changed; nothing has happened."))
    return answered(request, pk, f"landed-{number}")


def _dismiss(request, pk, number: int) -> HttpResponse:
    """Nothing comes of what landed: who decides about it says so, or who sent it."""
    with transaction.atomic():
        _me, landing = _held_landing(request, pk, number)
        if landing is None:
            return _gone(request, pk)
        dismiss_landing(landing)
    return answered(request, pk, "log")


def _take_back(request, pk, number: int) -> HttpResponse:
    """An act of somebody at this table is taken back, by either side of it."""
    with transaction.atomic():
        me = membership(request, pk, lock=True)
        event = get_object_or_404(Event.objects.select_related("landed__event"), pk=number, party=me.party_id)
        sides = [event.sheet_id, *([event.landed.event.sheet_id] if hasattr(event, "landed") else [])]
        get_object_or_404(guided_by(me).filter(pk__in=sides)[:1])
        sheet = get_object_or_404(at_table(me, Sheet.objects.select_for_update(of=("self",))), pk=event.sheet_id)
        sheet.party = me.party
        done = undo_act(sheet, event.pk, request.user)
    if not done:
        messages.warning(request, _("That was taken back already, or something else happened since."))
    return answered(request, pk, "log")


def _gone(request, pk) -> HttpResponse:
    # A second arrival of the same press is no news.
    if not Event.objects.filter(party=pk, key=_key(request)).exists():
        messages.warning(request, _("That is settled already."))
    return answered(request, pk, "log")


def _key(request) -> uuid.UUID:
    try:
        return uuid.UUID(request.POST.get("_press", ""))
    except ValueError:
        raise no_such_button() from None


LANDED: dict[str, Callable[..., HttpResponse]] = {
    "apply": _apply, "change": partial(_apply, changed=True), "dismiss": _dismiss, "back": _take_back,
}
"""What is done about something that landed, by the words of the buttons."""
