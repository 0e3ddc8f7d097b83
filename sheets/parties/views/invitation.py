"""The page of a party's invitation, on which anybody with its link can join."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets import systems
from sheets.access import editable, key_or_404
from sheets.forms.house_rules import house_differences
from sheets.guests import JOINING, allow_signup
from sheets.models import Party, Sheet
from sheets.parties import services as parties
from sheets.parties.pregens import OneEach, offered_sheets, take_pregen
from sheets.parties.services import Full
from sheets.signed_in import signed_in_user

MAX_SHEETS = 100
"""The most sheets that the form offers."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show the invitation; on POST join the party or, without an account, continue to the signup.

    Showing it creates no session. With `take`, as in the address on a printed card, the user also takes that offered
    character.
    """
    party = get_object_or_404(Party, invitation=token, ruleset__in=list(systems()))
    if request.method == "POST" and request.user.is_authenticated:
        with transaction.atomic():
            # Read again under the lock, because the link may have been revoked in the meantime.
            party = get_object_or_404(Party.objects.select_for_update(), pk=party.pk, invitation=token)
            try:
                is_new = parties.join_party(party, request.user)
            except Full as error:
                messages.error(request, str(error))
                return redirect("join", token)
            offered = _offered_sheet(party, request.POST.get("take", ""))
            me = party.members.select_related("party", "user").get(user=request.user)
            sheet = None
            try:
                sheet = take_pregen(me, offered.pk) if offered else None
                brought = _bring_chosen(request, party)
            except (OneEach, Full) as error:
                messages.error(request, str(error))
                brought = None
        if sheet:
            return redirect("sheet", sheet.pk)
        if brought:
            messages.success(request, _("You have joined, and “{name}” with you.").format(
                name=brought.name or _("Unnamed")))
        elif is_new:
            messages.success(request, _("You have joined; now bring a sheet."))
        return redirect("party", party.pk)
    joins = settings.SIGNUP == "invitation"
    if joins and request.POST.get("do") == "signup" and not request.user.is_authenticated:
        # If accounts are by invitation only, an invitation to a party is also one to an account.
        allow_signup(request, JOINING + token)
        return redirect(reverse("account_signup", query={"next": request.get_full_path()}))
    ruleset = systems()[party.ruleset]
    house = ruleset.house.model_validate(party.house)
    inside = request.user.is_authenticated and party.members.filter(user=request.user).exists()
    return render(request, "parties/join.html", {
        "party": party, "ruleset": ruleset, "differences": house_differences(ruleset, house), "inside": inside,
        "wanted": _offered_sheet(party, request.GET.get("take", "")), "joins": joins,
        "own": _joinable_sheets(request, party).only("name")[:MAX_SHEETS] if request.user.is_authenticated else (),
    }, status=403 if request.method == "POST" else 200)


def _joinable_sheets(request: HttpRequest, party: Party) -> QuerySet[Sheet]:
    """Return the user's finished sheets that can be brought into the party, the newest first."""
    sheets = editable(request).filter(party=None, ruleset=party.ruleset, opponent=False, archived=None,
                                    finished__isnull=False)
    return sheets.order_by("-finished", "pk")


def _bring_chosen(request: HttpRequest, party: Party) -> Sheet | None:
    """Bring in the sheet that the form chooses and return it; None without one, or if it cannot be brought in."""
    if not request.POST.get("sheet"):
        return None
    own = _joinable_sheets(request, party).select_for_update(of=("self",))
    if sheet := own.filter(pk=key_or_404(request.POST["sheet"])).first():
        parties.bring_sheet(party, sheet, signed_in_user(request))
    return sheet


def _offered_sheet(party: Party, text: str) -> Sheet | None:
    """Return the offered character with a key; None if it is no longer offered."""
    try:
        return offered_sheets(party).filter(pk=UUID(text)).first()
    except ValueError:
        return None
