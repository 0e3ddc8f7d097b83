"""The page on which GMs set the house rules: the impact of a change is shown before it can be saved."""

from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets import systems
from sheets.access import PageRequest, membership
from sheets.buttons import pressed
from sheets.forms.house_rules import house_differences
from sheets.models import Member
from sheets.optimistic_lock import prepare_then_lock
from sheets.parties.house_impact import impact_in_words
from sheets.parties.house_services import (
    HouseChange,
    PartySheets,
    house_form,
    house_now,
    is_stale,
    party_sheets,
    prepare_house,
    rules_digest,
    save_house,
)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def house(request: PageRequest, pk: UUID) -> HttpResponse:
    """Show the house rules, to GMs as a form; on POST preview their effects, or save them with `do=save`.

    If the effects differ from those of the last preview, they are shown again instead of being saved.
    """
    if request.method != "POST":
        return _house_page(request, membership(request, pk))
    action, texts = pressed(request.POST, ("preview", "save"), "preview"), request.POST.dict()
    prepare = partial(prepare_house, texts=texts)
    saved = False
    if action == "preview":
        change = prepare(_sheets(request, pk))
    else:
        change, saved = prepare_then_lock(
            partial(_sheets, request, pk), partial(_sheets, request, pk, lock=True), prepare,
            partial(save_house, texts=texts))
    if saved:
        messages.success(request, _("The house rules have been saved.") + " " + impact_in_words(change.impacts))
        return redirect("party", pk)
    stale = is_stale(change.of.me, texts)
    status = 422 if change.form.house is None else 409 if stale else 200
    return _house_page(request, change.of.me, change, status=status, stale=stale, unsaved=action == "save")


def _sheets(request: HttpRequest, pk: UUID, *, lock: bool = False) -> PartySheets:
    return party_sheets(membership(request, pk, gm=True, lock=lock), lock=lock)


def _house_page(request: PageRequest, me: Member, change: HouseChange | None = None, *, status: int = 200,
                **extra: Any) -> HttpResponse:
    ruleset, now = systems()[me.party.ruleset], house_now(me)
    context = {"me": me, "party": me.party, "ruleset": ruleset, "differences": house_differences(ruleset, now),
               "rules": rules_digest(me), **extra}
    if me.gm:
        context["form"] = change.form if change else house_form(me)
    if change and change.form.house:
        context |= {"found": change.impacts, "seen": change.seen, "said": impact_in_words(change.impacts),
                    "changes": house_differences(ruleset, change.form.house, now)}
    if request.htmx:
        # The status is 200 in any case, because htmx does not swap answers with an error; the fragment shows it.
        return render(request, "parties/_house_impact.html", context)
    return render(request, "parties/house_rules.html", context, status=status)
