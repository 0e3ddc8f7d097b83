"""The settings of a party, for its GMs: its name, its forum's BBCode and how its table works, saved together."""

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
from sheets.export.dialects import TABLE
from sheets.forms.house_rules import house_differences
from sheets.forms.seen import overtaken
from sheets.models import PARTY, PRIVATE, Member, Party
from sheets.models.store import store
from sheets.parties.services import name_fault
from sheets.press.log import announce

SWITCHES = ("several", "approval", "trust", "waits", "by_hand")
"""The boolean settings, by the name of their input and their column."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def settings(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the settings; on POST save them, unless they were changed since the page was shown."""
    if request.method != "POST":
        return _page(request, membership(request, pk, gm=True))
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        error_context = _save(request, me.party)
    # The page is drawn after the transaction, so that the party is not locked meanwhile.
    if error_context:
        return _page(request, me, **error_context)
    return redirect(f"{reverse('party-settings', args=[pk])}?done=settings#told-settings")


def _save(request: HttpRequest, party: Party) -> dict[str, Any]:
    """Save the posted settings; return the context of the error, {} if they were saved."""
    if overtaken(request.POST, seen_of(party)):
        return {"overtaken": True, "status": 409}
    posted = request.POST.get("name", "")
    name = posted if posted == party.name else one_line(posted)
    fault = name_fault(name)
    if request.POST.get("seen_by") not in (PRIVATE, PARTY):
        raise no_such_button()
    if (bbcode := request.POST.get("bbcode", party.bbcode)) not in TABLE:
        raise no_such_button()
    party.seen_by, party.bbcode = request.POST["seen_by"], bbcode
    for switch in SWITCHES:
        setattr(party, switch, switch in request.POST)
    if fault:
        return {"typed": name, "fault": fault, "status": 422}
    store(party, "seen_by", "bbcode", *SWITCHES, name=name)
    announce(party)
    return {}


def seen_of(party: Party) -> str:
    """Return the settings as a short text, by which a form is recognized as outdated."""
    switched_on = (switch for switch in SWITCHES if getattr(party, switch))
    return " ".join([party.seen_by, party.bbcode, *switched_on, party.name])


def _page(request: HttpRequest, me: Member, *, status: int = 200, **extra: object) -> HttpResponse:
    ruleset = systems()[me.party.ruleset]
    house = ruleset.house.model_validate(me.party.house)
    # Refused values stay in the form, but the hidden field must describe the stored ones.
    stored = Party.objects.get(pk=me.party_id) if status != 200 else me.party
    return render(request, "parties/settings.html", {
        "me": me, "party": me.party, "ruleset": ruleset, "differences": house_differences(ruleset, house),
        "seen": seen_of(stored), "done": request.GET.get("done", ""), "dialects": TABLE.values(), **extra},
        status=status)
