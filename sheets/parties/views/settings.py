"""The settings of a party, for its GMs: all that goes without saying at its table, saved together."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets import systems
from rulesets.names import one_line
from sheets.access import membership
from sheets.buttons import no_such_button
from sheets.forms.house_rules import house_differences
from sheets.forms.seen import overtaken
from sheets.models import PARTY, PRIVATE, Member, Party
from sheets.models.store import store
from sheets.parties.services import name_fault
from sheets.press.log import announce

TICKS = ("several", "approval", "trust", "waits")
"""The settings that are on or off, as they are called in the form and in the table."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def settings(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the settings; on POST save all of them, unless another GM has changed some since the page was shown."""
    if request.method != "POST":
        return _page(request, membership(request, pk, gm=True))
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        refused = _save(request, me.party)
    # Nobody else waits while the page is drawn.
    if refused:
        return _page(request, me, **refused)
    return redirect(f"{reverse('party-settings', args=[pk])}?done=settings#told-settings")


def _save(request: HttpRequest, party: Party) -> dict[str, Any]:
    """Save the settings that were sent; return how the page shows them if they are refused, else {}."""
    if overtaken(request.POST, seen_of(party)):
        return {"overtaken": True, "status": 409}
    sent = request.POST.get("name", "")
    name = sent if sent == party.name else one_line(sent)
    fault = name_fault(name)
    if request.POST.get("seen_by") not in (PRIVATE, PARTY):
        raise no_such_button()
    party.seen_by = request.POST["seen_by"]
    for one in TICKS:
        setattr(party, one, one in request.POST)
    if fault:
        return {"typed": name, "fault": fault, "status": 422}
    store(party, "seen_by", *TICKS, name=name)
    announce(party)
    return {}


def seen_of(party: Party) -> str:
    """Return the settings in few letters, by which a form tells that they are still those that its page shows."""
    return " ".join([party.seen_by, *(one for one in TICKS if getattr(party, one)), party.name])


def _page(request: HttpRequest, me: Member, *, status: int = 200, **more: object) -> HttpResponse:
    ruleset = systems()[me.party.ruleset]
    house = ruleset.house.model_validate(me.party.house)
    # What was sent and refused stays in the form, and the next try is held to what is stored.
    stored = Party.objects.get(pk=me.party_id) if status != 200 else me.party
    return render(request, "parties/settings.html", {
        "me": me, "party": me.party, "ruleset": ruleset, "differences": house_differences(ruleset, house),
        "seen": seen_of(stored), "done": request.GET.get("done", ""), **more}, status=status)
