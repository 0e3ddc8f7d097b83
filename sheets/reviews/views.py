"""The page on which a sheet is submitted and decided upon, and the queue of what waits for a GM."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from pydantic import ValidationError

from sheets.access import editable, lock_sheet, memberships, owns, reviewable, system_of
from sheets.diff.comparison import difference
from sheets.documents import sealable
from sheets.forms.buttons import pressed
from sheets.models import GMS, Member, Review, Revision, Sheet
from sheets.models.reviews import RETURNED
from sheets.outline import outline
from sheets.reviews import comments
from sheets.reviews import services as reviews
from sheets.reviews.services import Blocked
from sheets.status.reviews import ReviewStatus, review_status, review_statuses

ENTRIES = 50
"""Entries that the page shows."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def review(request: HttpRequest, pk) -> HttpResponse:
    """Where a sheet stands, with its changes, findings and comments; by POST it goes on from there."""
    try:
        if request.method != "POST":
            return _page(request, get_object_or_404(reviewable(request).select_related("party", "owner"), pk=pk))
        return _done(request, pk)
    except ValidationError:
        messages.error(request, _("The rules can no longer read what this is about; here is all that was kept of it."))
        return redirect("history", pk)


def _done(request, pk) -> HttpResponse:
    word = pressed(request.POST, DOING)
    with transaction.atomic():
        sheet, me = _held(request, pk)
        try:
            comments.check_texts(request.POST)
            DOING[word](request, me, sheet)
        except Blocked as error:
            messages.error(request, str(error))
            return _page(request, sheet, status=409)
    return redirect("review", pk)


def _held(request, pk) -> tuple[Sheet, Member | None]:
    """The sheet, its party held before it, and one's part in the party."""
    sheet = lock_sheet(request, pk, reviewable)
    return sheet, memberships(request).filter(party=sheet.party_id).select_related("user").first()


def _own(request, sheet: Sheet) -> None:
    if sheet.owner_id is None or sheet.owner_id != request.user.pk:
        raise Http404


def _submit(request, _me, sheet):
    _own(request, sheet)
    reviews.submit(sheet, request.user)
    messages.success(request, _("Submitted. The party's GMs are told."))


def _recall(request, _me, sheet):
    _own(request, sheet)
    reviews.recall(sheet, request.user)


def _words(request, sheet: Sheet) -> dict[str, Any]:
    found = reviews.pending_decision(sheet, review_status(sheet))
    return comments.comments_from(system_of(sheet), found.content["data"] if found else sheet.data, request.POST)


def _approve(request, me, sheet):
    reasons = {name.removeprefix(comments.REASON): text for name, text in request.POST.items()
               if name.startswith(comments.REASON)}
    reviews.approve(_gm(me), sheet, request.POST.get("_seal", ""), reasons, _words(request, sheet))
    messages.success(request, _("Approved. The player is told."))


def _return(request, me, sheet):
    reviews.give_back(_gm(me), sheet, request.POST.get("_seal", ""), _words(request, sheet))
    messages.success(request, _("Returned. The player is told."))


def _withdraw(request, me, sheet):
    # At no field: an approval is withdrawn even where the rules can no longer read what it is about.
    said = comments.comments_from(system_of(sheet), {}, {"comment": request.POST.get("comment", "")})
    reviews.withdraw(_gm(me), sheet, said)
    messages.success(request, _("Withdrawn. The player is told."))


def _gm(me: Member | None) -> Member:
    if me is None or not me.gm:
        raise Http404
    return me


DOING: dict[str, Callable] = {"submit": _submit, "recall": _recall, "approve": _approve, "return": _return,
                              "withdraw": _withdraw}
"""What the buttons do."""


def _page(request, sheet: Sheet, status: int = 200) -> HttpResponse:
    ruleset, taken = system_of(sheet), review_status(sheet)
    me = memberships(request).filter(party=sheet.party_id).first() if sheet.party_id else None
    found, mine = reviews.pending_decision(sheet, taken), owns(request, sheet)
    entries = list(sheet.reviews.filter(party=sheet.party_id).exclude(party=None).select_related("by", "revision")
                   .order_by("-number")[:ENTRIES])
    shown = found.content if found else sealable(sheet, None if mine or not taken.revision else vars(taken.revision))
    base = taken.revision or next((one.revision for one in entries if one.kind == RETURNED), None)
    house = ruleset.house.model_validate(shown["house"])
    shape = ruleset.sheet.model_validate(shown["data"])
    stopped = mine and reviews.in_the_way(sheet)
    # What was granted once is asked again with the reason that it had.
    known = {(one["rule"], one["path"]): one["reason"] for one in taken.exceptions}
    posted = {name: text for name, text in request.POST.items() if name.startswith((comments.AT, comments.REASON))}
    return render(request, "reviews/review.html", {
        "sheet": sheet, "ruleset": ruleset, "review_status": taken, "me": me, "pending": found, "mine": mine,
        "decides": reviews.may_decide(me, sheet),
        "verdict": found.verdict if found else reviews.check_content(sheet, shown),
        "asking": [(name, one, posted.get(f"{comments.REASON}{name}", known.get((one.rule, one.path), "")))
                   for name, one in (found.asking if found else {}).items()],
        "outline": outline(shape, house, shown["name"]), "shown": shown, "base": base,
        "diff": base and difference(ruleset, base, Revision(**shown)),
        "places": list(comments.comment_fields(ruleset, shown["data"], {
            name.removeprefix(comments.AT): text for name, text in posted.items()})),
        "commented": any(name.startswith(comments.AT) and text for name, text in posted.items()),
        "entries": entries,
        "in_the_way": stopped, "submits": mine and not stopped and not reviews.nothing_new(sheet, taken),
        "comment": request.POST.get("comment", ""),
        "rules_url": reverse("rules", args=[ruleset.slug]),
    }, status=status)


def _overtaken(sheet: Sheet, taken: ReviewStatus) -> dict[str, Any] | None:
    """What the rules of today say of what is played, {findings}, or that they cannot read it; None where all is as was.

    One sheet that they cannot read does not hide the others.
    """
    try:
        found = reviews.pending_decision(sheet, taken)
    except ValidationError:
        return {"unreadable": True}
    return {"findings": found.verdict.findings} if found else None


@login_required
@require_safe
@never_cache
def queue(request: HttpRequest) -> HttpResponse:
    """What waits for a GM in all parties, the oldest first; what other rules have overtaken; how one's own stand."""
    run = memberships(request).filter(role__in=GMS).values("party")
    others = Sheet.objects.filter(party__in=run, offered=False, deleted=None).exclude(owner=request.user.pk)
    theirs = list(others.filter(
        pk__in=Review.objects.exclude(sheet=None).values("sheet")).select_related("party", "owner"))
    own = list(editable(request).exclude(party=None).filter(offered=False).select_related("party"))
    taken = review_statuses([*theirs, *own])
    waiting = sorted((sheet for sheet in theirs if taken[sheet.pk].waiting),
                     key=lambda sheet: taken[sheet.pk].waiting.number)
    return render(request, "reviews/queue.html", {
        "overtaken": [(sheet, taken[sheet.pk], system_of(sheet), found) for sheet in theirs
                      if not taken[sheet.pk].waiting and (found := _overtaken(sheet, taken[sheet.pk]))],
        "waiting": [(sheet, taken[sheet.pk], system_of(sheet)) for sheet in waiting],
        "own": [(sheet, taken[sheet.pk], system_of(sheet)) for sheet in own], "gm": run.exists(),
    })
