"""Presses at the party's table: rolls and acts aimed at somebody, and pending effects."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets.hand_dice import NextDice
from rulesets.kit import Refused, parse_whole_number
from rulesets.kit.row_marks import named
from rulesets.names import isolated, one_line
from sheets.access import PageRequest, key_or_404, lock_sheet, membership, plays, seats
from sheets.buttons import no_such_button, pressed_about, row_key
from sheets.character import Character
from sheets.forms.addresses import fields_query_string, with_fragment
from sheets.models import Event, Member
from sheets.models.store import store
from sheets.optimistic_lock import prepare_then_lock
from sheets.press.areas import meet_one_more
from sheets.press.dice import keeping_rolls
from sheets.press.figures import set_figure
from sheets.press.log import announce, left_open
from sheets.press.perform import Performed, perform, refusal
from sheets.press.prepare import Seats
from sheets.press.responses import respond_without_asking
from sheets.press.settle import SETTLING
from sheets.press.targets import Target
from sheets.press.turns import DOING as TURNS
from sheets.press.turns import press_turn, take_turn_back
from sheets.scenes.log import open_scene
from sheets.scenes.order import turn_token
from sheets.signed_in import signed_in_user
from sheets.stage import by_hand
from sheets.stage.actor import ActorPanel, TargetPicker, seats_of
from sheets.stage.after_put_back import stopped_at_table
from sheets.stage.answers import decision_answer, table_answer, table_url
from sheets.stage.paired_boards import foe_of
from sheets.stage.pieces import TABLE, answer_pieces, of_a_roll, of_actor
from sheets.stage.press_form import NOBODY, PressForm, knowing_after, press_key, tell_done, token_after
from sheets.stage.readers import show_at_table
from sheets.stage.rounds import PreparedTurn, StoredTable
from sheets.stage.table import PartyTable
from sheets.stage.table_page import Happened, changed_context, of_a_turn
from sheets.status.reviews import review_statuses


def seats_at(request: HttpRequest, pk: UUID, *, lock: bool = False) -> Seats:
    """Return the seats that a press names, locked by `lock` as `access.seats` does (Http404 without the right)."""
    named = seats_of(request)
    return Seats(*seats(request, pk, named["_by"], named["_at"].removeprefix(NOBODY), lock=lock))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def play(request: PageRequest, pk: UUID) -> HttpResponse:
    """Perform a press at the table; redirect to the table unless the method is POST."""
    if request.method != "POST":
        membership(request, pk)
        return redirect(table_url(request, pk))
    action = request.POST.get("do", "")
    if action == "odds":
        url, answers = table_url(request, pk), fields_query_string(dict(request.POST.lists()))
        return redirect(with_fragment(f"{url}&{answers}", f"w-{named(request.POST.get('w', ''))[0]}"))
    if stopped := stopped_at_table(request, pk):
        return stopped
    if action:
        action, about = pressed_about(request.POST, {**DOING, **SETTLING})
        return DOING[action](request, pk, about) if action in DOING else decision_answer(request, pk, action, about)
    if request.POST.get("w") == "undo":
        return decision_answer(request, pk, "back", request.POST.get("_event", ""))
    return _press_table(request, pk)


def _press_table(request: PageRequest, pk: UUID) -> HttpResponse:
    form, read = PressForm.of(request), partial(seats_at, request, pk)
    try:
        done = perform(read, form.press, request.user if request.user.is_authenticated else None)
    except NextDice as missing:
        return by_hand.ask(request, read().by, missing)
    except (Refused, IntegrityError) as fault:
        now = read()
        if form.told_as_done(request, now.by):
            return table_answer(request, pk, form.place)
        if not isinstance(fault, Refused):
            raise
        messages.error(request, refusal(now.by.system, fault, others=not now.own))
        return table_answer(request, pk, "messages")
    if done.question and respond_without_asking(done.question):
        return table_answer(request, pk, "tray", event=Event.objects.filter(party=pk, key=done.question.key).first())
    if done.question and (asked := done.ready.target):
        name = isolated(asked.character.name.strip() or _("Unnamed"))
        messages.info(request, _("{name} is asked first. The dice are rolled once they answer.").format(name=name))
        return table_answer(request, pk, "landings")
    if done.event and request.htmx:
        return _answer(request, done, done.event, form)
    offered = done.ready.widget is not None
    if not (done.event or form.told_as_done(request, done.ready.seats.by) or offered):
        messages.warning(request, _("That is no longer available; the sheet has changed in the meantime."))
    answers = form.press.answers if offered and not done.event else None
    return table_answer(request, pk, "tray", answers, form.press.which)


def _member(seats: Seats) -> Member:
    """Return the member who presses; there is one at a table."""
    if seats.me is None:
        raise LookupError("on the page of a sheet alone no member presses")
    return seats.me


def _answer(request: PageRequest, done: Performed, event: Event, form: PressForm) -> HttpResponse:
    """Answer with the pieces that the press has changed; GMs who act for a player do not see the sheet's secrets."""
    me, at = _member(done.ready.seats), done.ready.seats.at
    # The whole page is sent if others did what it does not show yet, if another target was hit or acts were undone.
    token = "" if form.asked else token_after(me, request.POST.get("_since", ""), done.news)
    same = (str(at.pk) if at else "") == seats_of(request)["_at"].removeprefix(NOBODY)
    context = token and same and not (done.took_result or event.stopped) and _pieces(request, done, event, form, token)
    return answer_pieces(request, TABLE, context) if context else table_answer(
        request, me.party_id, "tray", event=event)


def _pieces(request: HttpRequest, done: Performed, event: Event, form: PressForm, token: str) -> dict | None:
    ready = done.ready
    if ready.seats.by.system.crossing.pairs and foe_of(
            TargetPicker.of(request, PartyTable(membership(request, _member(ready.seats).party_id)))):
        # The board of two paired characters is always drawn as a whole.
        return None
    if left_open(ready.character, event):
        # The follow-ups are shown below the newest event, so the page is drawn as a whole.
        return None
    now = _now(request, done)
    if event.act or done.applied:
        # An act may change pending effects, and the offers of everybody.
        picker = TargetPicker.of(request, PartyTable(membership(request, _member(ready.seats).party_id)))
        picker.actor = now
        rest = changed_context(picker, Happened.of([event], frozenset(), done.news), token)
    else:
        rest = of_a_roll(_member(ready.seats), now, event, token)
    if rest is None:
        return None
    was = ActorPanel(now.by, ready.character, now.at, ready.target)
    rows = request.POST.get("_rows", "") if ready.seats.own else ""
    return of_actor(was, now, event, form.press.answers, rows, anew=done.applied) | rest | knowing_after(
        event, _member(ready.seats).party) | {"event": event, "actor": now, "sheet": now.character.sheet, "plays": True,
                                              "turn_notices": now.turn_notices}


def _now(request: HttpRequest, done: Performed) -> ActorPanel:
    """Return the actor as the table shows them after a press."""
    seats, target, character = done.ready.seats, done.ready.target, done.ready.character
    status, own = character.review_status, seats.own
    if done.moved:
        seats = seats_at(request, _member(seats).party_id)
        statuses = review_statuses([one for one in (seats.by, seats.at) if one])
        status, target = statuses[seats.by.pk], Target(Character(seats.at, statuses[seats.at.pk])) if seats.at else None
    elif own and done.event and not done.event.act:
        return _actor(seats, character, target)
    elif seats.at and seats.at.pk == seats.by.pk:
        target = Target(Character(seats.by, status))
    return _actor(seats, Character(seats.by, status, others=not own), target)


def _actor(seats: Seats, character: Character, target: Target | None) -> ActorPanel:
    table = PartyTable(_member(seats))
    at = table.seat(seats.at, target.character) if seats.at and target else None
    actor = ActorPanel(table.seat(seats.by, character), character, at, target)
    actor.turn_notices = table.turn_notices(actor.by)
    return actor


def _turn(request: PageRequest, pk: UUID, about: str) -> HttpResponse:
    """Begin or end a fight, as a GM; end or hold back a turn, as its player or a GM; or undo one of these."""
    action, _colon, which = about.partition(":")
    if action not in (*TURNS, "back"):
        raise no_such_button()
    read = partial(StoredTable.of, request, pk, gm=False)
    do = partial(_turned, request, action, which)
    after, acts = prepare_then_lock(read, partial(read, lock=True), PreparedTurn.of, do)
    table = after()
    now = token_after(table.me, request.POST.get("_since", "")) if acts and table.me.gm and request.htmx else ""
    context = of_a_turn(TargetPicker.of(request, table), acts, now, request.POST.get("_order", "")) if now else None
    return answer_pieces(request, TABLE, context) if context else table_answer(request, pk, "table-live")


def _turned(request: HttpRequest, action: str, which: str, held: StoredTable,
            ready: PreparedTurn) -> tuple[Callable, list[Event]]:
    """Return (function that returns the table afterwards, [the event of the turn and its steps] or [])."""
    me, scene, done = held.me, held.table.scene, []
    # Undoing names its event, so it needs no key to happen only once.
    key = None if action == "back" else press_key(request.POST)
    mine = [one for one in scene.on if one in ready.characters and plays(me, ready.characters[one].sheet)]
    if action in ("next", "hold") and request.POST.get("_turn", now := turn_token(scene)) != now:
        # Both a player and a GM may end the turn, but only the turn that their page showed.
        messages.warning(request, _("That has already been settled."))
    elif action == "back":
        event = get_object_or_404(me.party.events.filter(turn__isnull=False), pk=row_key(which))
        if not (me.gm or event.who_id == me.user_id):
            raise Http404
        try:
            with transaction.atomic():
                take_turn_back(me.party, event, signed_in_user(request), PartyTable(me, everywhere=True).seated_keys)
        except Refused as fault:
            messages.error(request, str(fault))
    elif key is None or not (me.gm or (mine and action in ("next", "hold"))):
        raise Http404
    elif earlier := me.party.events.filter(key=key).first():
        tell_done(request, earlier)
    elif (action == "begin") == bool(scene.round):
        messages.warning(
            request, _("The fight has already started.") if scene.round else _("That has already been settled."))
    else:
        try:
            with keeping_rolls():
                turn = ready.pressed(held, signed_in_user(request))
                if scene.pk is None:
                    turn.scene = open_scene(me.party, me.user, by_itself=True)
                done = [press_turn(turn, action, scene.on if me.gm else mine, key), *turn.steps]
                return partial(ready.after, turn, me), done
        except Refused as fault:
            messages.error(request, str(fault))
    return partial(PartyTable, me), done


def _set(request: PageRequest, pk: UUID, _about: str) -> HttpResponse:
    """Set a gauge of the acting sheet, as a GM who gives a reason."""
    key, post = press_key(request.POST), request.POST
    (figure, _colon, was), reason = post.get("_figure", "").partition(":"), one_line(post.get("_reason", ""), REASON)
    with transaction.atomic():
        membership(request, pk, gm=True, lock=True)
        seats_ = seats_at(request, pk, lock=True)
        if earlier := _member(seats_).party.events.filter(key=key).first():
            tell_done(request, earlier)
            return table_answer(request, pk, "log")
        try:
            with transaction.atomic():
                set_figure(Character(seats_.by), figure, _whole(was), _whole(post.get("_value", "")), reason, key,
                           signed_in_user(request))
        except Refused as fault:
            messages.error(request, str(fault))
    return table_answer(request, pk, "log")


def _whole(text: str) -> int:
    """Return a whole number as people write it (`Refused` for anything else)."""
    if (number := parse_whole_number(text)) is None or len(str(number)) > WIDE:
        raise Refused(_("A value must be a whole number."))
    return number


def _switch(which: str, request: PageRequest, pk: UUID, about: str) -> HttpResponse:
    """Turn the party's setting `trust` or `waits` on or off, as a GM."""
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        store(me.party, **{which: about == "on"})
        if which == "waits":
            me.party.questions.filter(response__isnull=True).delete()
        announce(me.party)
    return table_answer(request, pk, "table-live")


def _figures(request: PageRequest, pk: UUID, about: str) -> HttpResponse:
    """Show a sheet's figures to the party at the table, or hide them, as the sheet's owner."""
    action, _colon, key = about.partition(":")
    if action not in ("show", "keep"):
        raise no_such_button()
    with transaction.atomic():
        membership(request, pk, lock=True)
        sheet = lock_sheet(request, key_or_404(key))
        if sheet.party_id != pk or sheet.opponent:
            raise Http404
        show_at_table(sheet, shown=action == "show")
    return table_answer(request, pk, "there")


def _also(request: PageRequest, pk: UUID, about: str) -> HttpResponse:
    """Apply the dice of an earlier roll to one more target, the one that is chosen now."""
    found = None
    with transaction.atomic():
        seats_ = seats_at(request, pk, lock=True)
        event = get_object_or_404(seats_.by.events, pk=row_key(about), party=pk)
        try:
            with keeping_rolls():
                found = meet_one_more(seats_, event, signed_in_user(request))
        except Refused as fault:
            messages.warning(request, str(fault))
    return table_answer(request, pk, "tray", event=found) if found else table_answer(request, pk, "log")


REASON, WIDE = 200, 6
"""The most characters of the reason for setting a figure, and of the figure."""
DOING: dict[str, Callable[..., HttpResponse]] = {
    "also": _also, "set": _set, "turn": _turn, "figures": _figures,
    **{which: partial(_switch, which) for which in ("trust", "waits")}}
"""{action of a button: function that carries it out}."""
