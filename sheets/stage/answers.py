"""Responses to requests of a table's page, whole or as changed pieces."""

from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import reswap

from sheets.access import PageRequest, membership
from sheets.buttons import row_key
from sheets.forms.addresses import query_string, with_fragment
from sheets.forms.inputs import Answers
from sheets.models import Event
from sheets.models.scenes import NAMED
from sheets.press.settle import Decision, Settled, settle
from sheets.rolls.rows import BY_HAND
from sheets.rolls.widgets import widgets
from sheets.stage import by_hand
from sheets.stage.actor import TargetPicker, seats_of
from sheets.stage.asked import askable
from sheets.stage.known_rolls import last_roll_at
from sheets.stage.open_scenes import open_scenes
from sheets.stage.paired_boards import is_out
from sheets.stage.pieces import TABLE, answer_pieces
from sheets.stage.press_form import head, knowing, press_key, token_after, token_of
from sheets.stage.table import PartyTable
from sheets.stage.table_page import Happened, live_context, of_what_was_settled

KEYED = ("apply", "change", "guard", "rethrow", "respond")
"""The actions that create an event with the key of the press."""
TOOLS = {"dice": "parties/table/_gm_rolls.html", "ask": "parties/asked/_ask.html"}
"""{part: its template} for parts that only GMs have; a page shows only their headings until they are unfolded."""
KEYS = 160
"""The most bytes of a query string with the keys of two sheets and a scene."""


def table_url(request: HttpRequest, pk: UUID) -> str:
    """Return the address of the table, with the actor, the target and the scene."""
    keys = seats_of(request) | {NAMED: request.POST.get(NAMED) or request.GET.get(NAMED, "")}
    keys[BY_HAND] = "1" if BY_HAND in request.POST or BY_HAND in request.GET else ""
    return f"{reverse('table', args=[pk])}?{query_string({name: [key] for name, key in keys.items() if key}, KEYS)}"


def page_of(request: HttpRequest, now: str, party_table: PartyTable, answers: Answers | None = None, which: str = "", *,
            aimed: tuple[Answers | None, str] = (None, "")) -> dict:
    """Return the context of the whole page; `now` is its change token, read before the data.

    If the turn has passed on since the page was shown, the actor becomes the one who is on, with their last target.
    A target that is out by then is replaced in the same way.
    """
    picker = TargetPicker.of(request, party_table, *aimed)
    shown = request.POST.get("_turn") or request.GET.get("_turn")
    if shown and shown != party_table.turn and picker.on and (picker.on != picker.by or is_out(picker, picker.at)):
        picker.bring_on(picker.on)
    context = live_context(party_table, picker, now, answers, which) | picker.shown()
    context |= knowing(last_roll_at(party_table.scene))
    context |= by_hand.mode_context(request, party_table.party, context["play_url"])
    if party_table.several and not getattr(request, "htmx", False):
        context["scenes"] = open_scenes(party_table)
    if party_table.me.gm:
        context |= tools_of(party_table, "dice" if which else request.GET.get("tools", ""), answers, which)
    return context


def tools_in(request: HttpRequest, now: str, party_table: PartyTable, named: str) -> dict[str, Any]:
    """Return the context of the one of `TOOLS` that a GM has unfolded."""
    picker = TargetPicker.of(request, party_table)
    return head(party_table, picker.query, now) | {"chips": picker.seats} | tools_of(party_table, named)


def tools_of(party_table: PartyTable, named: str, answers: Answers | None = None, which: str = "") -> dict[str, Any]:
    """Return the context of the unfolded one of `TOOLS`; {} for none."""
    if named == "dice":
        return {"throws": widgets(party_table.throws(), answers, which)}
    return {"askable": askable(party_table)} if named == "ask" else {}


def table_answer(request: PageRequest, pk: UUID, anchor: str, answers: Answers | None = None, which: str = "", *,
             event: Event | None = None) -> HttpResponse:
    """Return the table after a press; invalid answers are shown again in their form."""
    if not (request.htmx or answers):
        return redirect(with_fragment(table_url(request, pk), anchor))
    context = page_of(request, token_of(request, pk), PartyTable(membership(request, pk)),
                      aimed=(answers, which if answers else ""))
    if not request.htmx:
        return render(request, "parties/table.html", context, status=422)
    same = event and not event.act and request.POST.get("_rows", "") == context.get("rows", "")
    context |= {"pressed": True, "event": event, "whole": not same, "live_oob": True}
    return reswap(render(request, "parties/_table_refresh.html", context), "none")


def settle_posted(request: Any, pk: Any, action: str, about: str) -> Settled:
    """Carry out a button's decision, or add a message why it is refused (Http404 for users who may not decide it)."""
    post = request.POST
    key = press_key(post) if action in KEYED else uuid4()
    number, choice = about.partition(":")[::2] if action in ("guard", "respond", "ask-again") else (about, "")
    answers = dict(post.lists()) if action == "change" else None
    decision = Decision(action, row_key(number), request.user, key, choice, answers, bool(post.get("_always")))
    try:
        done = settle(partial(membership, request, pk, lock=True), decision)
    except ObjectDoesNotExist:
        raise Http404 from None
    if done.fault:
        messages.error(request, done.fault)
    for why in done.warnings:
        messages.warning(request, why)
    # If the same press arrives again, no message is needed.
    if done.late and not Event.objects.filter(party=pk, key=press_key(post)).exists():
        messages.warning(request, _("That has already been settled."))
    return done


def decision_answer(request: PageRequest, pk: UUID, action: str, about: str) -> HttpResponse:
    """Return the table after a decision by a button: the changed pieces, or the whole page."""
    done = settle_posted(request, pk, action, about)
    context = _decided(request, done) if request.htmx and (done.acts or done.lines) else None
    return answer_pieces(request, TABLE, context) if context else table_answer(request, pk, done.place)


def _decided(request: HttpRequest, done: Settled) -> dict[str, Any] | None:
    token = token_after(done.me, request.POST.get("_since", ""), done.news)
    picker = TargetPicker.of(request, PartyTable(done.me))
    happened, post = Happened.of(done.acts, done.lines, done.news), request.POST
    return of_what_was_settled(picker, happened, token, dict(post.lists()), post.get("_rows", "")) if token else None
