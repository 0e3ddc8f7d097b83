"""Presses on the page of a sheet: rolls, acts, undo; htmx gets the changed pieces of the page."""


from uuid import UUID

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from rulesets.hand_dice import NextDice
from rulesets.kit import Refused
from rulesets.kit.row_marks import named
from sheets.access import PageRequest, lock_sheet, own_sheet, user_of
from sheets.buttons import pressed_about
from sheets.character import Character
from sheets.forms.addresses import address, fields_query_string, with_fragment
from sheets.models import Sheet
from sheets.news import fingerprint, own_token
from sheets.press.perform import perform
from sheets.press.prepare import Seats
from sheets.press.settle import SETTLING
from sheets.press.undo import undo_act
from sheets.rolls.rows import page_wide_only
from sheets.stage import by_hand, panel
from sheets.stage.after_put_back import stopped_on_sheet
from sheets.stage.answers import settle_posted
from sheets.stage.pieces import SHEET, answer_pieces, of_sheet
from sheets.stage.press_form import PressForm, knowing_after
from sheets.stage.sheet_page import back, show
from sheets.stage.waiting import waiting_at


@require_http_methods(["GET", "HEAD", "POST"])
def play(request: PageRequest, pk: UUID) -> HttpResponse:
    """Make a roll or do an act; if the same form arrives again, it is not done again."""
    if request.method != "POST":
        return back(request, pk)
    which = named(request.POST.get("w", ""))[0]
    if request.POST.get("do") == "odds":
        answers = fields_query_string(dict(request.POST.lists()))
        return redirect(with_fragment(f"{back(request, pk)['Location']}?{answers}", f"w-{which}"))
    if stopped := stopped_on_sheet(request, pk):
        return stopped
    if request.POST.get("do", "").partition(":")[0] in SETTLING:
        return _settle(request, pk)
    return _undo(request, pk) if which == "undo" else _press_sheet(request, pk)


def _press_sheet(request: PageRequest, pk: UUID) -> HttpResponse:
    form = PressForm.of(request)

    def read(*, lock: bool = False) -> Seats:
        return Seats(lock_sheet(request, pk) if lock else own_sheet(request, pk))

    try:
        done = perform(read, form.press, request.user if request.user.is_authenticated else None)
    except NextDice as missing:
        return by_hand.ask(request, own_sheet(request, pk), missing)
    except (Refused, IntegrityError) as fault:
        return _faulty(request, own_sheet(request, pk), form, fault)
    ready, event = done.ready, done.event
    character = ready.character
    if event and request.htmx and form.seen == ready.fingerprint and not (
            done.applied or done.took_result) and (
            changed := of_sheet(character, event, form.press.answers, form.nudge)):
        # The pieces are enough, because the page is otherwise up to date.
        change_token = own_token(character) if form.change_token == ready.change_token else ""
        changed = _waiting(changed, character) if form.asked else changed
        changed |= knowing_after(event, character.sheet)
        return answer_pieces(request, SHEET, changed | {"change_token": change_token})
    sheet = character.sheet
    # If the key was used before, storing the event fails; so the key is only looked up if there is no event.
    if not (event or form.told_as_done(request, sheet)):
        if ready.widget:
            # htmx does not swap in error responses; the page itself shows what is wrong.
            shown = panel.sheet_page(character, form.press.answers, form.press.which)
            return show(request, shown, 200 if request.htmx else 422)
        messages.warning(request, _("That is no longer available; the sheet has changed in the meantime."))
        return _answer(request, sheet, "messages")
    return _answer(request, sheet, form.place)


def _faulty(request: PageRequest, sheet: Sheet, form: PressForm, fault: Refused | IntegrityError) -> HttpResponse:
    """Answer a refused press with its reason; a press whose event exists already is not an error."""
    if not form.told_as_done(request, sheet):
        if not isinstance(fault, Refused):
            raise fault
        messages.error(request, str(fault))
        return _answer(request, sheet, "messages")
    return _answer(request, sheet, form.place)


def _undo(request: PageRequest, pk: UUID) -> HttpResponse:
    meant = request.POST.get("_event", "")
    with transaction.atomic():
        sheet = lock_sheet(request, pk)
        before = Character(sheet)
        known = request.POST.get("_seen") == fingerprint(before)
        heard = request.POST.get("_word") == own_token(before)
        number = meant.isascii() and meant.isdigit() and len(meant) < 19
        try:
            undo_act(sheet, int(meant) if number else 0, user_of(request))
        except Refused as fault:
            messages.warning(request, str(fault))
            return _answer(request, sheet, "messages")
    if request.htmx and known and (
            changed := of_sheet(before, sheet.events.get(pk=meant), dict(request.POST.lists()))):
        # The pending effect that the act had applied may be open again.
        changed = _waiting(changed, Character(sheet)) if sheet.party_id else changed
        return answer_pieces(request, SHEET, changed | {"change_token": own_token(before) if heard else ""})
    return _answer(request, sheet, "log")


def _waiting(changed: dict, character: Character) -> dict:
    """Return the context `changed` with the pending effects of the sheet added."""
    return changed | waiting_at(character) | {"parts": [*changed["parts"], "play/_pending_effects.html"]}


def _settle(request: PageRequest, pk: UUID) -> HttpResponse:
    """Settle a pending effect on the sheet's page, by the same rules as at its party's table."""
    action, about = pressed_about(request.POST, SETTLING)
    place = settle_posted(request, own_sheet(request, pk).party_id, action, about).place
    return _answer(request, own_sheet(request, pk), place)


def _answer(request: PageRequest, sheet: Sheet, anchor: str) -> HttpResponse:
    # The form's address is as old as the page, so posted values take precedence.
    holds = page_wide_only({**dict(request.GET.lists()), **dict(request.POST.lists())})
    if request.htmx:
        # The sheet is read again, because its party's counters may have risen more than once.
        return show(request, panel.sheet_page(Character(own_sheet(request, sheet.pk)), holds))
    return HttpResponseRedirect(address(reverse("sheet", args=[sheet.pk]), holds, anchor))
