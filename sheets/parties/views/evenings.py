"""The evenings of a party: the page on which GMs begin and end one, and what happened in each."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access import membership
from sheets.buttons import pressed_about, row_key
from sheets.export.filenames import disposition
from sheets.export.long_files import sent, write_json
from sheets.models import Evening, Member
from sheets.optimistic_lock import prepare_then_lock
from sheets.parties.evening_text import came_text, evening_markdown, evening_time, evening_title, evening_tree
from sheets.parties.evenings import (
    LISTED,
    PreparedEvening,
    begin_evening,
    call_off_evening,
    end_evening,
    evening_log,
    evening_now,
    go_on,
    offered_then,
)
from sheets.parties.handouts import of_evening
from sheets.parties.services import LONGEST
from sheets.press.undo import what_stays
from sheets.stage.rounds import StoredTable
from sheets.stage.table import PartyTable

MEDIA = {"md": "text/markdown", "json": "application/json"}
"""The forms in which the log of an evening is taken along."""
PICTURES = 4
"""Handouts that are read at a time with their pictures."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def evenings(request: HttpRequest, pk) -> HttpResponse:
    """The evenings of a party; by POST a GM begins one, ends it, or takes either back."""
    if request.method != "POST":
        return _evenings_page(request, membership(request, pk))
    word, which = pressed_about(request.POST, {**DOING, **TOGETHER})
    me, fault = _together(request, pk, word, which) if word in TOGETHER else _taken_back(request, pk, word, which)
    return _evenings_page(request, me, fault) if fault else redirect("evenings", pk)


def _taken_back(request, pk, word: str, which: str) -> tuple[Member, str]:
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        # Held, so that nobody plays on a sheet meanwhile.
        list(me.party.sheets.order_by("pk").select_for_update().values_list("pk"))
        return me, DOING[word](request, me, which)


def _evenings_page(request, me: Member, fault: str = "") -> HttpResponse:
    table, lasts = PartyTable(me), evening_now(me.party)
    found = list(me.party.evenings.order_by("-begun", "-pk")[:LISTED])
    return render(request, "parties/evenings/list.html", {
        "me": me, "party": me.party, "ruleset": table.ruleset, "lasts": lasts,
        "time": evening_time(lasts) if lasts else "", "name": request.POST.get("name", "")[:LONGEST], "fault": fault,
        "offered": offered_then(table, dict(request.POST.lists()), ends=lasts is not None) if me.gm else (),
        "evenings": [(one, evening_title(one), evening_time(one)) for one in found],
        "last": found[0] if found and not lasts else None}, status=422 if fault else 200)


def _together(request, pk, word: str, which: str) -> tuple[Member, str]:
    """Begins or ends an evening, with what is to be done for all; answers what is wrong."""
    prepare = partial(PreparedEvening.of, answers=dict(request.POST.lists()), ends=word == "end")

    def do(held: StoredTable, ready: PreparedEvening) -> tuple[Member, str]:
        return held.me, TOGETHER[word](request, held.me, which, ready)

    read = partial(StoredTable.of, request, pk)
    return prepare_then_lock(read, partial(read, lock=True), prepare, do)


def _begin(request, me: Member, _which: str, ready: PreparedEvening) -> str:
    name = " ".join(request.POST.get("name", "").split())
    if len(name) > LONGEST or "\0" in name:
        return _("A name has at most {most} characters; this one has {n}.").format(most=LONGEST, n=len(name))
    if evening_now(me.party):
        messages.warning(request, _("An evening lasts already."))
        return ""
    return _refusing(request, ready, partial(begin_evening, me.party, name))


def _end(request, me: Member, which: str, ready: PreparedEvening) -> str:
    evening = _one(me, which)
    if evening.ended:
        messages.warning(request, _("This evening has ended already."))
        return ""
    return _refusing(request, ready, partial(end_evening, me.party, evening))


def _refusing(request, ready: PreparedEvening, do: Callable[..., list[tuple[str, str]]]) -> str:
    """Does it, and tells who cannot; answers what of it is not answered with sense."""
    if not ready.answered:
        return _("What is to be done for all is not answered yet; nothing has happened.")
    for name, why in do(ready, request.user):
        messages.warning(request, f"{name}: {why}")
    return ""


def _tell(request, names: list[str]) -> None:
    for why in what_stays(names):
        messages.warning(request, why)


def _go_on(request, me: Member, which: str) -> str:
    evening = _one(me, which)
    if me.party.evenings.filter(begun__gt=evening.begun).exists() or evening.ended is None:
        messages.warning(request, _("Another evening has begun since, or this one lasts; nothing has happened."))
    else:
        _tell(request, go_on(me.party, evening, request.user))
    return ""


def _call_off(request, me: Member, which: str) -> str:
    evening = _one(me, which)
    if evening.ended is None:
        _tell(request, call_off_evening(me.party, evening, request.user))
    else:
        messages.warning(request, _("This evening has ended already."))
    return ""


def _one(me: Member, which: str) -> Evening:
    return get_object_or_404(me.party.evenings, pk=row_key(which))


DOING: dict[str, Callable] = {"go-on": _go_on, "call-off": _call_off}
"""What the buttons do, {word: function that answers what is wrong}."""
TOGETHER: dict[str, Callable] = {"begin": _begin, "end": _end}
"""The same with what is done for all, which takes a while and is worked out before the party is held."""


@require_safe
@never_cache
def evening(request: HttpRequest, pk, number: int) -> HttpResponse:
    """What happened in an evening, as the member may read it."""
    me = membership(request, pk)
    table, found = PartyTable(me), get_object_or_404(me.party.evenings, pk=number)
    log = [(line, [(one.name, came_text(one)) for one in line.came]) for line in evening_log(table, found)]
    return render(request, "parties/evenings/evening.html", {
        "me": me, "party": me.party, "ruleset": table.ruleset, "evening": found, "title": evening_title(found),
        "time": evening_time(found), "log": log, "handouts": of_evening(me, found)})


@require_safe
@never_cache
def evening_file(request: HttpRequest, pk, number: int, form: str) -> HttpResponseBase:
    """The same as a file."""
    if form not in MEDIA:
        raise Http404
    me = membership(request, pk)
    table, found = PartyTable(me), get_object_or_404(me.party.evenings, pk=number)
    log, given = evening_log(table, found), of_evening(me, found)
    name, media = f"{me.party.name}-{evening_title(found)}", f"{MEDIA[form]}; charset=utf-8"
    if form == "json":
        tree = evening_tree(table, found, log, given.defer(None).iterator(PICTURES))
        return sent(partial(write_json, tree), media, name, form)
    response = HttpResponse(evening_markdown(table, found, log, given), content_type=media)
    response["Content-Disposition"] = disposition(name, form)
    return response
