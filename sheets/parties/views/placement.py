"""Where a sheet belongs: which party it is in, who reads it, by whose house rules it goes."""


from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sheets.access import key_or_404, lock_sheet, membership, who
from sheets.forms.buttons import no_such_button, pressed
from sheets.forms.seen import overtaken
from sheets.models import Sheet
from sheets.parties import services as parties
from sheets.parties.services import Full
from sheets.press.log import announce
from sheets.stage.readers import possible_readers


@require_POST
def place(request: HttpRequest, pk) -> HttpResponse:
    """What an owner decides: into a party and out of it, who reads the sheet, back to the book's rules."""
    word = pressed(request.POST, ("bring", "drop", "see", "book"))
    with transaction.atomic():
        # The party that it is to come into is held before the sheet, as every party is.
        where = key_or_404(request.POST.get("party", "")) if word == "bring" else None
        party = membership(request, where, lock=True).party if where else None
        sheet = lock_sheet(request, pk)
        if overtaken(request.POST, sheet.party_id or ""):
            _tell_overtaken(request)
        elif word == "bring" and party.ruleset == sheet.ruleset and sheet.party_id is None:
            try:
                parties.bring_sheet(party, sheet, who(request))
            except Full as error:
                messages.error(request, str(error))
        elif word == "drop" and sheet.party_id:
            parties.drop_sheet(sheet.party, sheet, who(request))
        elif word == "see":
            _show_to(sheet, request.POST.get("seen_by"))
        elif word == "book" and sheet.party_id is None:
            sheet.house = {}
            sheet.save(update_fields=["house"])
        else:
            _tell_overtaken(request)
    # Where only approved sheets are played, what comes next stands at the head of the page.
    approval = word == "bring" and sheet.party_id and sheet.party.approval
    next_to = "#approval-note" if approval else f"?done={word}#party-and-readers"
    return redirect(f"{reverse('sheet', args=[pk])}{next_to}")


def _tell_overtaken(request: HttpRequest) -> None:
    messages.warning(request, _("The sheet has changed its place in the meantime; look again."))


def _show_to(sheet: Sheet, readers: str | None) -> None:
    """Says who else reads a locked sheet."""
    if readers not in possible_readers(sheet):
        raise no_such_button()
    sheet.seen_by = readers
    sheet.save(update_fields=["seen_by"])
    if sheet.party_id:
        announce(sheet.party)
