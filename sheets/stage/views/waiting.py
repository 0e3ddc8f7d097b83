"""The page of older pending effects at a party's table: settled one by one, or dismissed together."""


from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets import systems
from sheets.access import membership
from sheets.buttons import pressed_about, row_key
from sheets.models.events import DISMISSED
from sheets.press.log import announce
from sheets.press.settle import SETTLING
from sheets.stage.actor import TargetPicker
from sheets.stage.answers import settle_posted
from sheets.stage.press_form import press_keys
from sheets.stage.table import PartyTable

WORD = "dismiss-all"
"""The action of the button that dismisses the effects shown and all older ones."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def waiting(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a member's newest pending effects, or those older than key `?before=`; on POST settle or dismiss some."""
    before = row_key(request.GET["before"]) if "before" in request.GET else None
    if request.method == "POST":
        action, about = pressed_about(request.POST, {*SETTLING, WORD})
        if action == WORD:
            _dismiss_all(request, pk, row_key(about))
        else:
            settle_posted(request, pk, action, about)
        return redirect(request.get_full_path())
    me = membership(request, pk)
    shown = TargetPicker(PartyTable(me)).waiting.shown(before)
    return render(request, "parties/table/waiting.html", shown | {
        "me": me, "party": me.party, "ruleset": systems()[me.party.ruleset], "before": before, "press": press_keys(),
        "play_url": request.get_full_path(), "table_url": reverse("table", args=[pk]),
        "number": len(shown["effects"]) + shown["older"]})


def _dismiss_all(request: HttpRequest, pk: UUID, newest: int) -> None:
    """Dismiss the pending effects up to the key `newest` that the user may decide about."""
    # Reading the participants is slow, so it is done before the party is locked.
    before = membership(request, pk)
    found = TargetPicker(PartyTable(before)).waiting.effects.filter(pk__lte=newest)
    with transaction.atomic():
        me = membership(request, pk, lock=True)
        if me.role != before.role:
            raise Http404
        if number := found.update(state=DISMISSED):
            announce(me.party)
    if number:
        messages.success(request, _("{n} dismissed.").format(n=number))
    else:
        messages.warning(request, _("That has already been settled."))
