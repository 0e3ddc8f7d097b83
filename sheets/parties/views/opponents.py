"""The page on which GMs make opponents, show and hide them, and take them out."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets import generate, systems
from rulesets.folding import order_key
from rulesets.kit import whole
from rulesets.names import one_line
from sheets.access import key_or_404, membership, readable
from sheets.buttons import pressed_about
from sheets.models import Member
from sheets.parties.opponents import LONGEST, MOST, add_opponents, opponents, show_opponent, take_out
from sheets.parties.pregens import random_documents
from sheets.parties.services import Full
from sheets.rolls.widgets import Widget
from sheets.status.reviews import shown_names, shown_state

MAKING = ("figures", "random", "copy")
WORDS = (*MAKING, "show", "hide", "out")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def opponents_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the opponents and the forms for new ones; on POST make, show, hide or take out some."""
    me = membership(request, pk, gm=True)
    if request.method != "POST":
        return _page(request, me)
    action, about = pressed_about(request.POST, WORDS)
    if action in MAKING:
        return _make(request, me, action)
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        sheet = get_object_or_404(opponents(me), pk=key_or_404(about))
        if action == "out":
            take_out(me, sheet)
        else:
            show_opponent(me, sheet, shown=action == "show")
    return redirect("opponents", pk)


def _make(request: HttpRequest, me: Member, action: str) -> HttpResponse:
    name, count = one_line(request.POST.get("_name", "")), whole(request.POST.get("_count", "1"))
    fault = ""
    if len(name) > LONGEST:
        fault = _("A name has at most {most} characters; this one has {n}.").format(most=LONGEST, n=len(name))
    elif count is None or not 1 <= count <= MOST:
        fault = _("1 to {most} opponents are made at once.").format(most=MOST)
    side = _side(me, request.POST) if action == "figures" else None
    if fault or (side and not side.made):
        return _page(request, me, fault, side)
    try:
        bodies = _bodies(request, me, action, side, count or 1)
        usual = "" if action == "random" else _("Opponent") if action == "figures" else bodies[0]["name"]
        with transaction.atomic():
            me = membership(request, me.party_id, gm=True, lock=True)
            add_opponents(me, one_line(name or usual, LONGEST), bodies)
    except (Full, generate.Stuck) as error:
        messages.error(request, str(error))
    return redirect("opponents", me.party_id)


def _bodies(request: HttpRequest, me: Member, action: str, side: Widget | None, count: int) -> list[dict[str, Any]]:
    """Return the documents of which so many opponents are made."""
    ruleset = systems()[me.party.ruleset]
    if action == "figures" and side:
        data, play = ruleset.crossing.opponent(side.made)
        return [{"data": ruleset.sheet.model_validate(data).model_dump(), "play": play}] * count
    if action == "copy":
        sheet = get_object_or_404(readable(request), pk=key_or_404(request.POST.get("sheet", "")), ruleset=ruleset.slug)
        shown = shown_state(sheet)
        return [{"data": shown.data, "name": shown.name or _("Opponent")}] * count
    return random_documents(me.party, count)


def _side(me: Member, post: QueryDict | None) -> Widget | None:
    """Return the figures that make an opponent, as answered; None if the system knows none that suffice."""
    side = systems()[me.party.ruleset].crossing.side
    return Widget(side.asking(), dict(post.lists()) if post else None) if side else None


def _page(request: HttpRequest, me: Member, fault: str = "", side: Widget | None = None) -> HttpResponse:
    ruleset = systems()[me.party.ruleset]
    near = readable(request).filter(Q(owner=me.user_id) | Q(party=me.party_id), ruleset=ruleset.slug, opponent=False)
    found = shown_names(near.select_related("party").defer("typed", "play").order_by("called", "pk")[:100])
    sources = sorted(found.items(), key=lambda one: order_key(one[1]))
    return render(request, "parties/opponents.html", {
        "me": me, "party": me.party, "ruleset": ruleset, "opponents": opponents(me), "most": MOST, "fault": fault,
        "widget": side or _side(me, None), "sources": sources,
        "name": request.POST.get("_name", "")[:2 * LONGEST],
        "count": request.POST.get("_count", "1")[:LONGEST],
    }, status=422 if fault or (side and not side.made) else 200)
