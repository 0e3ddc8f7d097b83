"""The view for a GM's requests that players make a roll."""

from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from rulesets.names import isolated, one_line
from sheets.access import PageRequest, key_or_404, membership
from sheets.buttons import pressed_about
from sheets.stage.answers import table_answer, table_url
from sheets.stage.asked import WORDS, ask, askable, new_requests, settle
from sheets.stage.press_form import press_key, tell_done
from sheets.stage.table import PartyTable


@require_http_methods(["GET", "HEAD", "POST"])
def asked(request: PageRequest, pk: UUID) -> HttpResponse:
    """Ask for a roll or withdraw a request, as a GM; redirect to the table unless the method is POST."""
    if request.method != "POST":
        membership(request, pk)
        return redirect(table_url(request, pk))
    action, about = pressed_about(request.POST, ("ask", "settle"))
    if action == "ask":
        if fault := _ask(request, pk):
            messages.warning(request, fault)
        return table_answer(request, pk, "asked")
    with transaction.atomic():
        settle(membership(request, pk, gm=True, lock=True).party, key_or_404(about))
    return table_answer(request, pk, "asked")


def _ask(request: HttpRequest, pk: UUID) -> str:
    """Ask for the roll in the form; return the error, or "". A repeated post asks only once."""
    # Reading the table is slow, so it is done before the party is locked.
    me, key = membership(request, pk, gm=True), press_key(request.POST)
    title, note = request.POST.get("_roll", ""), one_line(request.POST.get("_note", ""))
    whom, table = set(request.POST.getlist("_whom")), PartyTable(me)
    if len(note) > WORDS:
        return _("What you add may have at most {most} characters; this has {n}.").format(most=WORDS, n=len(note))
    if title not in askable(table):
        return _("That is no longer available; the sheets have changed in the meantime.")
    if not whom & {str(one.sheet.pk) for one in table.heroes}:
        return _("Nobody is selected yet; choose at least one.")
    rolls, without = new_requests(table, title, whom, note, key)
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        if earlier := me.party.asked_rolls.filter(key=key).first():
            tell_done(request, earlier)
            return ""
        ask(me, rolls)
    for name in without:
        messages.warning(request, _("{name} has no roll by this name and is not asked.").format(name=isolated(name)))
    return ""
