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

from rulesets.kit import Refused
from sheets.access import lock_sheet, own_sheet, who
from sheets.character import Character
from sheets.forms.inputs import query
from sheets.models import Sheet
from sheets.play import queries
from sheets.play.press_answer import last_events, what_changed
from sheets.play.services import Fallen, cast, press
from sheets.play.undo import undo_act
from sheets.play.views import back, show
from sheets.rolls.followups import roll_cards
from sheets.rolls.widgets import Widget, chosen

TRIES = 3
"""Times that a press is got ready before anything is held; whoever is still too slow for the others holds first."""


@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest, pk) -> HttpResponse:
    """One press is one roll or act: a second arrival of the same form finds it done already."""
    if request.method != "POST":
        return back(request, pk)
    which = request.POST.get("w", "")
    if request.POST.get("do") == "odds":
        return redirect(f"{back(request, pk).url}?{query(request.POST)}#w-{which}")
    if which == "undo":
        with transaction.atomic():
            sheet = lock_sheet(request, pk)
            _undo(request, sheet)
        return _answer(request, sheet, "log")
    return _press(request, pk, which)


def _press(request, pk, which: str) -> HttpResponse:
    key, event, fault = _key(request), None, None
    try:
        for ahead in (*[True] * TRIES, False):
            # Dice and odds may take a while, and nobody is to wait for them: what is held meanwhile stops all writing.
            ready = _ready(sheet := own_sheet(request, pk), request.POST, which) if ahead else None
            with transaction.atomic():
                sheet = lock_sheet(request, pk)
                if ready and not ready[0].still(sheet):
                    continue
                character, widget, fallen = ready or _ready(sheet, request.POST, which)
                character.sheet = sheet
                if widget and widget.made:
                    known = request.htmx and request.POST.get("_seen") == queries.fingerprint(character)
                    event = press(character, widget, key, who=who(request), fallen=fallen)
            break
    except (Refused, IntegrityError) as error:
        fault = error
        sheet.refresh_from_db()
    if event and known and (changed := what_changed(character, event)):
        # All of it stands in its place already.
        return reswap(render(request, "play/_press_answer.html", changed), "none")
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
            return show(request, queries.sheet_page(character, request.POST, which), 200 if request.htmx else 422)
    return _answer(request, sheet, f"w-{which}")


def _ready(sheet: Sheet, answers, which: str) -> tuple[Character, Widget | None, Fallen | None]:
    """The sheet at the table, what of it is pressed, and the dice that fall for it."""
    character = Character(sheet)
    widget = chosen(chain(character.rolls(), character.acts()), answers, which) or _next(character, answers, which)
    return character, widget, cast(character, widget) if widget and widget.made else None


def _next(character: Character, answers, which: str) -> Widget | None:
    """The widget of this name among those that the last rolls lead on to."""
    rolls = roll_cards(character.ruleset, character.rolls(), last_events(character), answers, which)
    return next((card.widget for roll in rolls for card in roll.whole() if card.widget.key == which), None)


def _key(request) -> uuid.UUID:
    try:
        return uuid.UUID(request.POST.get("_press", ""))
    except ValueError:
        raise BadRequest(_("The form does not say which press this is; load the page anew.")) from None


def _undo(request, sheet: Sheet) -> None:
    meant = request.POST.get("_event", "")
    if not (meant.isascii() and meant.isdigit() and len(meant) < 19 and undo_act(sheet, int(meant), who(request))):
        messages.warning(request, _("That was taken back already, or something else happened since."))


def _answer(request, sheet: Sheet, anchor: str) -> HttpResponse:
    if request.htmx:
        return show(request, queries.sheet_page(Character(sheet)))
    return redirect(f"{reverse('sheet', args=[sheet.pk])}#{anchor}")
