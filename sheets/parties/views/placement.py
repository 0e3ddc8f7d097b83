"""The placement of a sheet: the party it is in, its readers, and the house rules that apply to it."""


from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sheets.access import key_or_404, lock_sheet, membership
from sheets.buttons import no_such_button, pressed
from sheets.forms.seen import overtaken
from sheets.models import Party, Sheet
from sheets.models.store import store
from sheets.parties import services as parties
from sheets.parties.services import Full
from sheets.press.log import announce
from sheets.signed_in import signed_in_user
from sheets.stage.readers import possible_readers, show_at_table


@require_POST
def place(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Perform an owner's action: bring a sheet into a party or out of it, set its readers, or drop its house rules."""
    action = pressed(request.POST, ("bring", "drop", "see", "table", "book"))
    with transaction.atomic():
        # Parties are always locked before sheets.
        party_key = key_or_404(request.POST.get("party", "")) if action == "bring" else None
        party = membership(request, party_key, lock=True).party if party_key else None
        sheet = lock_sheet(request, pk)
        try:
            if not (done := _perform(request, action, sheet, party)):
                messages.warning(request, _("The sheet has been moved in the meantime; look again."))
        except Full as error:
            messages.error(request, str(error))
            done = False
    # If the party plays only approved sheets, the next step is shown at the top of the page.
    approval = done and action == "bring" and sheet.party and sheet.party.approval
    next_to = "#approval-note" if approval else f"{f'?done={action}' if done else ''}#party-and-readers"
    return redirect(f"{reverse('sheet', args=[pk])}{next_to}")


def _perform(request: HttpRequest, action: str, sheet: Sheet, party: Party | None) -> bool:
    """Perform an action on a locked sheet; return False if its party is no longer the one that the page shows."""
    if overtaken(request.POST, sheet.party_id or ""):
        return False
    if action == "bring" and party and party.ruleset == sheet.ruleset and sheet.party_id is None:
        parties.bring_sheet(party, sheet, signed_in_user(request))
    elif action == "drop" and sheet.party:
        parties.drop_sheet(sheet.party, sheet, signed_in_user(request))
    elif action == "see":
        _set_readers(sheet, request.POST.get("seen_by"))
    elif action == "table" and sheet.party and not sheet.opponent:
        show_at_table(sheet, shown="at_table" in request.POST)
    elif action == "book" and sheet.party_id is None:
        store(sheet, house={})
    else:
        return False
    return True


def _set_readers(sheet: Sheet, readers: str | None) -> None:
    """Set the readers of a locked sheet."""
    if readers not in possible_readers(sheet):
        raise no_such_button()
    store(sheet, seen_by=readers)
    if sheet.party:
        announce(sheet.party)
