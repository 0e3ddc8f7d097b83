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
from sheets.access import lock_sheet, who
from sheets.character import Character
from sheets.forms.inputs import query
from sheets.models import Event, Sheet
from sheets.play import queries
from sheets.play.services import Fallen, cast, press
from sheets.play.undo import undo_act
from sheets.play.views import back, show
from sheets.rolls.followups import roll_cards
from sheets.rolls.widgets import Widget, chosen, key_of

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
            ready = _ready(sheet := queries.own(request, pk), request.POST, which) if ahead else None
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
    if event and known and (changed := _changed(character, event)):
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
    rolls = roll_cards(character.ruleset, character.rolls(), _latest(character), answers, which)
    return next((card.widget for roll in rolls for card in roll.whole() if card.widget.key == which), None)


def _changed(before: Character, event: Event) -> dict | None:
    """What a page shows otherwise after a press than before; None where that may be anything.

    `rolled` is the card that a roll stands in, whose form stays as it was filled; `parts` are templates, `cards` and
    `pressed` single rolls and acts; the event's line comes on top of the log.
    """
    character = Character(before.sheet, before.review_status) if event.act else before
    said = {**queries.page_head(character), "mine": True, "plays": True, "event": event}
    if not event.act:
        return said | _rolled(character, event)
    spread, spread_now = (any(one.play.spread(one.written)) for one in (before, character))
    if event.again_id or event.before_data is not None or spread != spread_now:
        return None
    rolls, acts = _rolls(before, character, event), _acts(before, character, event)
    parts = [f"play/_{part}.html" for part in ("values_now", "state_of_play", "undo")]
    parts += [*rolls.pop("parts"), *acts.pop("parts")]
    more = {"text": queries.event_text(character, event), "last_act": event, "parts": parts}
    return said | queries.values_now(character) | rolls | acts | more


def _rolled(character: Character, event: Event) -> dict:
    offer = next((one for one in character.rolls() if key_of(one) == event.widget), None)
    if offer is None:
        # It stands in the card of a roll that led on to it.
        holding = (one for one in character.rolls() if _holds(one, event))
        found = roll_cards(character.ruleset, holding, _latest(character))
        return {"cards": found, "text": queries.event_text(character, event)}
    card, = roll_cards(character.ruleset, [offer], {event.widget: event})
    # A form that began with a fault does not keep it.
    return {"rolled": card, "text": card.text} if Widget(offer).made else {"cards": [card], "text": card.text}


def _rolls(before: Character, character: Character, event: Event) -> dict:
    """The cards of rolls that an act filled otherwise, and those that it stands in; all where others are offered."""
    were, offers = list(before.rolls()), list(character.rolls())
    if [_place(one) for one in were] != [_place(one) for one in offers]:
        return {**queries.rolls_shown(character, _latest(character)), "parts": ["play/_rolls.html"]}
    changed = [one for was, one in zip(were, offers, strict=True) if was != one or _holds(one, event)]
    return {"cards": roll_cards(character.ruleset, changed, _latest(character)) if changed else [], "parts": []}


def _acts(before: Character, character: Character, event: Event) -> dict:
    """The acts that are otherwise, and the one that was pressed; all where others are offered."""
    were, acts = queries.acts_shown(before), queries.acts_shown(character, which=event.widget)
    was, now = ([*one["acts"], *one["rare_acts"]] for one in (were, acts))
    if [_place(one.offer) for one, _odds in was] != [_place(one.offer) for one, _odds in now]:
        return {**acts, "parts": ["play/_acts.html"]}
    changed = [(one, odds) for (old, chances), (one, odds) in zip(was, now, strict=True)
               if one.key == event.widget or (old.offer, chances) != (one.offer, odds)]
    return {"pressed": changed, "parts": []}


def _latest(character: Character) -> dict[str, Event]:
    return queries.latest_by_widget(queries.recent_events(character.sheet))


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
    if not (meant.isascii() and meant.isdigit() and len(meant) < 19 and undo_act(sheet, int(meant), who(request))):
        messages.warning(request, _("That was taken back already, or something else happened since."))


def _answer(request, sheet: Sheet, anchor: str) -> HttpResponse:
    if request.htmx:
        return show(request, queries.sheet_page(Character(sheet)))
    return redirect(f"{reverse('sheet', args=[sheet.pk])}#{anchor}")
