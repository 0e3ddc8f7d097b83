"""Pages to change another member's role, to leave a party and to end it. Each first shows its effects."""

from contextlib import nullcontext
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets.names import isolated
from sheets.access import membership
from sheets.buttons import pressed
from sheets.forms.seen import overtaken
from sheets.models import CO_GM, GM, PLAYER, Member
from sheets.models.store import store
from sheets.parties import services as parties
from sheets.parties.services import TITLES, heir
from sheets.signed_in import signed_in_user


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def member(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show another member to a GM; on POST change their role, hand the party over, or remove them."""
    if request.method != "POST":
        me = membership(request, pk, gm=True)
        other = _other(me, number)
        return render(request, "parties/member.html", {
            "me": me, "party": me.party, "other": other, "title": TITLES[other.role], "ways": _actions(me, other),
            "sheets": me.party.sheets.not_deleted().filter(owner=other.user).count()})
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        other = _other(me, number)
        if overtaken(request.POST, f"{me.role} {other.role}"):
            messages.warning(request, _("Your role or theirs has changed in the meantime; look again."))
            return redirect("member", pk, number)
        action = pressed(request.POST, _actions(me, other))
        if action == "remove":
            parties.remove_member(other, signed_in_user(request))
            if "renew" in request.POST and me.party.invitation:
                store(me.party, invitation=parties.new_token())
        elif action == "hand-over":
            parties.hand_over(me, other)
        else:
            parties.appoint(other, action, signed_in_user(request))
    return redirect("party", pk)


def _other(me: Member, number: int) -> Member:
    return get_object_or_404(me.party.members.select_related("user", "party").exclude(pk=me.pk), pk=number)


def _actions(me: Member, other: Member) -> tuple[str, ...]:
    """Return the actions that a member may take on another."""
    if me.role == GM:
        return (PLAYER if other.role == CO_GM else CO_GM, "hand-over", "remove")
    return ("remove",) if other.role == PLAYER else ()


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def leave(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the effects of leaving on the user's sheets and on the party; on POST leave it."""
    with transaction.atomic() if request.method == "POST" else nullcontext():
        me = membership(request, pk, lock=request.method == "POST")
        if request.method == "POST":
            parties.leave_party(me)
            messages.success(request, _("You have left “{party}”.").format(party=isolated(me.party.name)))
            return redirect("parties")
    sheets = me.party.sheets.not_deleted().filter(owner=request.user.pk).count()
    return render(request, "parties/leave.html", {"me": me, "party": me.party, "sheets": sheets, "heir": heir(me)})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def end(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what is deleted with the party and what stays; on POST delete it, for its GM."""
    with transaction.atomic() if request.method == "POST" else nullcontext():
        me = membership(request, pk, gm=True, lock=request.method == "POST")
        if me.role != GM:
            raise Http404
        if request.method == "POST":
            parties.end_party(me.party, signed_in_user(request))
            messages.success(request, _("“{party}” has been disbanded.").format(party=isolated(me.party.name)))
            return redirect("parties")
    return render(request, "parties/end.html", {"me": me, "party": me.party, "members": me.party.members.count(),
                                        "sheets": me.party.sheets.not_deleted().count()})
