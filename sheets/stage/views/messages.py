"""Messages of members at a party's table: posted and deleted."""

from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets.kit import Refused
from sheets.access import PageRequest, membership
from sheets.buttons import pressed_about, row_key
from sheets.stage.answers import table_answer, table_url
from sheets.stage.messages import say, take_away
from sheets.stage.press_form import press_key


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def talk(request: PageRequest, pk: UUID) -> HttpResponse:
    """Post or delete a message; redirect to the table unless the method is POST."""
    if request.method != "POST":
        membership(request, pk)
        return redirect(table_url(request, pk))
    action, about = pressed_about(request.POST, ("say", "unsay"))
    with transaction.atomic():
        me = membership(request, pk, lock=True)
        if action == "unsay" and not take_away(me, row_key(about)):
            messages.warning(request, _("It is too late to take that back."))
        elif action == "say":
            try:
                say(me, request.POST.get("_text", ""), request.POST.get("_to", ""), press_key(request.POST))
            except Refused as fault:
                messages.error(request, str(fault))
    return table_answer(request, pk, "log")
