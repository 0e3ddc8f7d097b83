"""Where a sheet belongs: which party it is in, who reads it, by whose house rules it goes."""

from contextlib import suppress
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from sheets import parties
from sheets.access import editable, membership, memberships
from sheets.models import PARTY, PRIVATE, PUBLIC, Member, Sheet
from sheets.parties import Full
from sheets.parties.house import Difference, differences
from sheets.table import Seat, stir

ALONE = {PRIVATE: gettext_lazy("Only you"), PUBLIC: gettext_lazy("Everybody who has its address")}
IN_PARTY = {PRIVATE: gettext_lazy("Only you and the GMs of the party"), PARTY: gettext_lazy("You and the whole party"),
            PUBLIC: ALONE[PUBLIC]}
"""Who may be chosen to read a sheet, without a party and in one."""


def house_of(seat: Seat) -> list[Difference]:
    """The house rules that a sheet goes by, as far as they differ from the book."""
    return differences(seat.ruleset, seat.house)


def placed(request: HttpRequest, seat: Seat) -> dict:
    """What the page of a sheet says of its place; whoever is in its party is `me`."""
    sheet = seat.sheet
    me = memberships(request).filter(party=sheet.party_id).first() if sheet.party_id else None
    return {
        "me": me, "differences": house_of(seat),
        "readers": _readers(sheet).items(),
        # Asked of the database where the page shows them.
        "parties": SimpleLazyObject(partial(_open_to, request, sheet)), "remark": partial(_remark, me, sheet),
    }


def _readers(sheet: Sheet) -> dict:
    return IN_PARTY if sheet.party_id else ALONE


def _open_to(request, sheet: Sheet) -> list[Member]:
    return list(memberships(request).filter(party__ruleset=sheet.ruleset).order_by("party__name", "party"))


def _remark(me: Member, sheet: Sheet) -> str:
    return sheet.remarks.filter(author=me.user_id).values_list("text", flat=True).first() or ""


@require_POST
def place(request: HttpRequest, pk) -> HttpResponse:
    """What an owner decides: into a party and out of it, who reads the sheet, back to the book's rules."""
    word = request.POST.get("do")
    with transaction.atomic():
        # The party first, then the sheet: in the same order everywhere, so that nobody waits for each other.
        me = _party(request, pk, word)
        sheet = get_object_or_404(editable(request).select_for_update(of=("self",)), pk=pk)
        if word == "bring" and me.party.ruleset == sheet.ruleset and sheet.party_id is None:
            try:
                parties.bring(me.party, sheet, request.user)
            except Full as error:
                messages.error(request, str(error))
        elif word == "drop" and me and sheet.party_id == me.party_id:
            parties.drop(me.party, sheet, request.user)
        elif word == "see" and request.POST.get("seen_by") in _readers(sheet):
            sheet.seen_by = request.POST["seen_by"]
            sheet.save(update_fields=["seen_by"])
            if me:
                stir(me.party)
        elif word == "book" and sheet.party_id is None:
            sheet.house = {}
            sheet.save(update_fields=["house"])
        elif word in ("bring", "drop", "book"):
            messages.warning(request, _("The sheet has changed its place in the meantime; look again."))
        else:
            raise BadRequest(_("There is no such button."))
    # Where only approved sheets are played, what comes next stands at the head of the page.
    next_to = "course" if word == "bring" and sheet.party_id and sheet.party.approval else "place"
    return redirect(f"{reverse('sheet', args=[pk])}#{next_to}")


def _party(request, pk, word: str | None) -> Member | None:
    """One's part in the party that is meant, which is held; None where none is."""
    if word == "bring":
        with suppress(ValueError):
            return membership(request, UUID(request.POST.get("party", "")), lock=True)
        raise Http404
    if word not in ("drop", "see"):
        return None
    inside = editable(request).filter(pk=pk).values_list("party", flat=True).first()
    return membership(request, inside, lock=True) if inside else None
