"""The page on which GMs put opponents at the table, from their library or new ones, and show, hide or remove them."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets import generate, systems
from rulesets.kit import parse_whole_number
from rulesets.names import isolated
from sheets.access import key_or_404, membership
from sheets.buttons import pressed_about
from sheets.models import Member, Sheet
from sheets.parties.library import (
    Unplaced,
    body_of,
    choice_of,
    encounter_called,
    encounters,
    keep_in,
    keep_opponents,
    library_of,
    listed_encounters,
    on_stage,
    put_on_stage,
    with_figures,
)
from sheets.parties.opponent_form import METHODS, OpponentForm, sources
from sheets.parties.opponents import LONGEST, MOST, add_opponents, opponents, show_opponent, take_out
from sheets.parties.services import Full
from sheets.rolls.widgets import Widget, key_of
from sheets.signed_in import signed_in_user

ACTIONS = (*METHODS, "show", "hide", "out", "keep", "stage", "encounter")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def opponents_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the opponents at the table and the forms that add some; on POST perform the button's action."""
    me = membership(request, pk, gm=True)
    if request.method != "POST":
        return _page(request, me, OpponentForm.posted(request, systems()[me.party.ruleset]))
    action, about = pressed_about(request.POST, ACTIONS)
    if action in METHODS:
        return _make(request, me, action)
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        try:
            if action in ("stage", "encounter"):
                return _put_at_table(request, me, action, about)
        except Full as error:
            messages.error(request, str(error))
            return redirect("opponents", pk)
        _perform(request, me, get_object_or_404(opponents(me), pk=key_or_404(about)), action)
    return redirect("opponents", pk)


def _put_at_table(request: HttpRequest, me: Member, action: str, about: str) -> HttpResponse:
    """Put an encounter, or a number of an opponent of the library, at the table."""
    if action == "encounter":
        encounter = get_object_or_404(encounters(me.user, me.party.ruleset), pk=key_or_404(about))
        if not put_on_stage(me, encounter):
            messages.warning(request, _("“{name}” has no opponents yet.").format(name=isolated(encounter.name)))
            return redirect("encounter", encounter.pk)
        return redirect("table", me.party_id)
    key = key_or_404(request.POST.get("sheet", ""))
    sheet = get_object_or_404(library_of(request), pk=key, ruleset=me.party.ruleset)
    if (count := parse_whole_number(request.POST.get("_count", "1"))) is None or not 1 <= count <= MOST:
        messages.error(request, _("You can create 1 to {most} opponents at once.").format(most=MOST))
        return redirect("opponents", me.party_id)
    add_opponents(me, sheet.name[:LONGEST] or _("Opponent"), [body_of(sheet)] * count)
    return redirect("table", me.party_id)


def _perform(request: HttpRequest, me: Member, sheet: Sheet, action: str) -> None:
    """Show, hide or remove an opponent at the table, or copy it to the library."""
    if action == "keep":
        keep_opponents(signed_in_user(request), systems()[me.party.ruleset], "", [body_of(sheet)])
        messages.success(request, _("“{name}” is now in your library.").format(name=isolated(sheet.name)))
    elif action == "out":
        take_out(me, sheet)
        messages.success(request, _("“{name}” has been removed, and is in its owner's bin for 30 days.").format(
            name=isolated(sheet.name)))
    else:
        show_opponent(me, sheet, shown=action == "show")


def _make(request: HttpRequest, me: Member, action: str) -> HttpResponse:
    ruleset = systems()[me.party.ruleset]
    form = OpponentForm.posted(request, ruleset, action)
    if form.is_invalid:
        return _page(request, me, form)
    try:
        bodies = form.bodies(request, ruleset.house.model_validate(me.party.house),
                               {*me.party.sheets.values_list("name", flat=True)})
        with transaction.atomic():
            if form.encounter:
                encounter = encounter_called(me.user, ruleset, form.encounter)
                keep_in(me.user, ruleset, encounter, form.common_name(bodies), bodies)
                return redirect("opponents", me.party_id)
            me = membership(request, me.party_id, gm=True, lock=True)
            add_opponents(me, form.common_name(bodies), bodies)
            if "keep" in request.POST:
                bodies_to_keep = bodies if action == "random" else bodies[:1]
                keep_opponents(signed_in_user(request), ruleset, form.name, bodies_to_keep)
    except (Full, Unplaced, generate.Stuck) as error:
        # The answers stay in the form, to be sent again once there is room.
        return _page(request, me, replace(form, fault=str(error)))
    return redirect("opponents", me.party_id)


def _page(request: HttpRequest, me: Member, form: OpponentForm) -> HttpResponse:
    ruleset = systems()[me.party.ruleset]
    act, listed = ruleset.crossing.encounter, listed_encounters(me.user, ruleset.slug)
    at_table = on_stage(me.party, listed)
    context: dict[str, Any] = {
        "me": me, "party": me.party, "ruleset": ruleset, "most": MOST, "opponent_form": form, "widget": form.side,
        "opponents": with_figures(opponents(me).select_related("party")),
        "act": act and Widget(act.offer()), "which": act and key_of(act.offer()),
        "names": [one.name for one in listed],
        "encounters": [(one, at_table.get(one.pk, 0)) for one in listed],
        "press": uuid4(), "address": request.path, **choice_of(request, ruleset),
        **sources(request, ruleset, me.party),
    }
    return render(request, "parties/opponents.html", context, status=422 if form.is_invalid else 200)
