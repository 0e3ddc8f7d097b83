"""Who comes and goes: joining by a link, another's role, leaving, the end of a party. Each says first what it does."""

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets import systems
from sheets.access import allow_signup, membership, who
from sheets.forms.buttons import pressed
from sheets.forms.house_rules import house_differences
from sheets.models import CO_GM, GM, PLAYER, Member, Party
from sheets.parties import services as parties
from sheets.parties.services import TITLES, Full, heir


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def join(request: HttpRequest, token: str) -> HttpResponse:
    """What somebody is invited to; by POST they are in it. Without an account the link waits until there is one."""
    party = get_object_or_404(Party, invitation=token, ruleset__in=list(systems()))
    if request.method == "POST" and request.user.is_authenticated:
        with transaction.atomic():
            # Read anew under the lock: the link may have been revoked meanwhile.
            party = get_object_or_404(Party.objects.select_for_update(), pk=party.pk, invitation=token)
            try:
                new = parties.join_party(party, request.user)
            except Full as error:
                messages.error(request, str(error))
                return redirect("join", token)
        if new:
            messages.success(request, _("You are in; bring a sheet."))
        return redirect("party", party.pk)
    ruleset = systems()[party.ruleset]
    house = ruleset.house.model_validate(party.house)
    inside = request.user.is_authenticated and party.members.filter(user=request.user).exists()
    if not request.user.is_authenticated:
        # Where accounts are by invitation only, an invitation to a party is one to an account.
        allow_signup(request, f"party:{party.pk}")
    return render(request, "parties/join.html", {
        "party": party, "ruleset": ruleset, "differences": house_differences(ruleset, house), "inside": inside,
    }, status=403 if request.method == "POST" else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def member(request: HttpRequest, pk, number: int) -> HttpResponse:
    """Another member, for the GM: a new role, the party handed over; a co-GM may make players leave."""
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=request.method == "POST")
        other = get_object_or_404(me.party.members.select_related("user", "party").exclude(pk=me.pk), pk=number)
        ways = _ways(me, other)
        if request.method != "POST":
            return render(request, "parties/member.html", {
                "me": me, "party": me.party, "other": other, "title": TITLES[other.role], "ways": ways,
                "sheets": me.party.sheets.not_deleted().filter(owner=other.user).count()})
        word = pressed(request.POST, ways)
        if word == "remove":
            parties.remove_member(other, who(request))
        elif word == "hand-over":
            parties.hand_over(me, other)
        else:
            parties.appoint(other, word, who(request))
    return redirect("party", pk)


def _ways(me: Member, other: Member) -> tuple[str, ...]:
    """What somebody may do about another member."""
    if me.role == GM:
        return (PLAYER if other.role == CO_GM else CO_GM, "hand-over", "remove")
    return ("remove",) if other.role == PLAYER else ()


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def leave(request: HttpRequest, pk) -> HttpResponse:
    """What becomes of one's sheets, and of the party; by POST one has left."""
    with transaction.atomic():
        me = membership(request, pk, lock=request.method == "POST")
        if request.method == "POST":
            parties.leave_party(me)
            messages.success(request, _("You have left “{party}”.").format(party=me.party.name))
            return redirect("parties")
    sheets = me.party.sheets.not_deleted().filter(owner=request.user.pk).count()
    return render(request, "parties/leave.html", {"me": me, "party": me.party, "sheets": sheets, "heir": heir(me)})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def end(request: HttpRequest, pk) -> HttpResponse:
    """What goes with the party and what stays; by POST its GM has ended it."""
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=request.method == "POST")
        if me.role != GM:
            raise Http404
        if request.method == "POST":
            parties.end_party(me.party, who(request))
            messages.success(request, _("“{party}” has ended.").format(party=me.party.name))
            return redirect("parties")
    return render(request, "parties/end.html", {"me": me, "party": me.party, "members": me.party.members.count(),
                                        "sheets": me.party.sheets.not_deleted().count()})
