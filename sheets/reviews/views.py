"""The page on which a sheet is submitted and decided upon, and the queue of what waits for a GM."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from pydantic import ValidationError

from sheets.access import editable, lock_sheet, memberships, owns, reviewable
from sheets.diff.comparison import difference
from sheets.documents import sealable
from sheets.fitting import fitted
from sheets.forms.buttons import pressed
from sheets.models import GMS, Member, Review, Revision, Sheet
from sheets.models.reviews import RETURNED
from sheets.outline import outline
from sheets.reviews import comments
from sheets.reviews import services as reviews
from sheets.reviews.services import Blocked
from sheets.status.reviews import ReviewStatus, review_status, review_statuses

AT, REASON = "at.", "reason."
"""What the inputs for comments at fields and for reasons of exceptions are called, before path and name."""
ENTRIES = 50
"""Entries that the page shows."""
TEXTS = 300
"""Texts of all those entries."""
COMMENT = 2 * reviews.LONGEST
"""Characters of a comment that is sent back."""
NOTED = 60
"""Findings that it shows; those that ask for a reason are all there."""
ROOM = 96 * 1024
"""Bytes for all texts of the whole sheet."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def review(request: HttpRequest, pk) -> HttpResponse:
    """Where a sheet stands, with its changes, findings and comments; by POST it goes on from there."""
    try:
        if request.method != "POST":
            return _review_page(request, get_object_or_404(reviewable(request).select_related("party", "owner"), pk=pk))
        return _decide(request, pk)
    except ValidationError:
        messages.error(request, _("The rules can no longer read what this is about; here is all that was kept of it."))
        return redirect("history", pk)


@dataclass(frozen=True)
class ReviewForm:
    """What the page of a review posts: a button's word, the seal of what was seen, and what is said.

    Comments at fields are {path: text}, reasons of exceptions {name in `PendingDecision.asking`: text}.
    """

    word: str
    seal: str
    comment: str
    at: dict[str, str]
    reasons: dict[str, str]

    @classmethod
    def of(cls, post: QueryDict) -> "ReviewForm":
        """The form as it was posted (`BadRequest` for a button that there is not)."""
        return cls(pressed(post, DOING), post.get("_seal", ""), post.get("comment", ""), _under(post, AT),
                   _under(post, REASON))

    @property
    def said(self) -> dict[str, Any]:
        """What is said, {comment, at}."""
        return {"comment": self.comment, "at": self.at}


def _under(post: Mapping[str, str], prefix: str) -> dict[str, str]:
    return {name.removeprefix(prefix): text for name, text in post.items() if name.startswith(prefix)}


def _decide(request, pk) -> HttpResponse:
    form = ReviewForm.of(request.POST)
    with transaction.atomic():
        sheet = lock_sheet(request, pk, reviewable)
        try:
            reviews.check_texts(form.comment, [*form.at.values(), *form.reasons.values()])
            done = DOING[form.word](request, sheet, form)
        except Blocked as error:
            messages.error(request, str(error))
            return _review_page(request, sheet, form, status=409)
    if done:
        messages.success(request, done)
    return redirect("review", pk)


def _own(request, sheet: Sheet) -> None:
    if sheet.owner_id is None or sheet.owner_id != request.user.pk:
        raise Http404


def _gm(request, sheet: Sheet) -> Member:
    me = memberships(request).filter(party=sheet.party_id).select_related("user").first()
    if me is None or not me.gm:
        raise Http404
    return me


def _submit(request, sheet: Sheet, _form: ReviewForm) -> str:
    _own(request, sheet)
    reviews.submit(sheet, request.user)
    return _("Submitted. The party's GMs are told.")


def _recall(request, sheet: Sheet, _form: ReviewForm) -> str:
    _own(request, sheet)
    reviews.recall(sheet, request.user)
    return ""


def _approve(request, sheet: Sheet, form: ReviewForm) -> str:
    reviews.approve(_gm(request, sheet), sheet, form.seal, form.reasons, form.said)
    return _("Approved. The player is told.")


def _return(request, sheet: Sheet, form: ReviewForm) -> str:
    reviews.give_back(_gm(request, sheet), sheet, form.seal, form.said)
    return _("Returned. The player is told.")


def _withdraw(request, sheet: Sheet, form: ReviewForm) -> str:
    reviews.withdraw(_gm(request, sheet), sheet, form.said)
    return _("Withdrawn. The player is told.")


DOING: dict[str, Callable] = {"submit": _submit, "recall": _recall, "approve": _approve, "return": _return,
                              "withdraw": _withdraw}
"""What the buttons do, {word: function that answers what is told then}."""


def _review_page(request, sheet: Sheet, form: ReviewForm | None = None, status: int = 200) -> HttpResponse:
    ruleset, taken = sheet.system, review_status(sheet)
    me = memberships(request).filter(party=sheet.party_id).first() if sheet.party_id else None
    found, mine = reviews.pending_decision(sheet, taken), owns(request, sheet)
    entries = _told(sheet.reviews.filter(party=sheet.party_id).exclude(party=None).select_related("by", "revision")
                   .order_by("-number")[:ENTRIES])
    shown = found.content if found else sealable(sheet, None if mine or not taken.revision else vars(taken.revision))
    base = taken.revision or next((one.revision for one in entries if one.kind == RETURNED), None)
    house = ruleset.house.model_validate(shown["house"])
    shape = ruleset.sheet.model_validate(shown["data"])
    verdict = found.verdict if found else reviews.check_content(sheet, shown)
    told = [one for one in verdict.findings if not found or one.severity != "approval"]
    read, cut = fitted(outline(shape, house, shown["name"]), ROOM)
    differs = base and difference(ruleset, base, Revision(**shown))
    stopped = mine and reviews.in_the_way(sheet)
    # What was granted once is asked again with the reason that it had.
    known = {(one["rule"], one["path"]): one["reason"] for one in taken.exceptions}
    # What is sent back to be shortened comes back as far as there is room for it.
    at, reasons = fitted((form.at, form.reasons), ROOM)[0] if form else ({}, {})
    return render(request, "reviews/review.html", {
        "sheet": sheet, "ruleset": ruleset, "review_status": taken, "me": me, "pending": found, "mine": mine,
        "decides": reviews.may_decide(me, sheet),
        "verdict": verdict, "findings": told[:NOTED],
        "asking": [(name, one, reasons.get(name, known.get((one.rule, one.path), "")))
                   for name, one in (found.asking if found else {}).items()],
        "outline": read, "cut": cut, "shown": shown, "base": base,
        "diff": differs and differs.on_a_page(), "rest": max(0, len(told) - NOTED),
        "places": comments.comment_fields(ruleset, shown["data"], at), "commented": any(at.values()),
        "entries": entries,
        "in_the_way": stopped, "submits": mine and not stopped and not reviews.nothing_new(sheet, taken),
        "comment": form.comment[:COMMENT] if form else "",
        "rules_url": reverse("rules", args=[ruleset.slug]),
    }, status=status)


def _told(entries: Iterable[Review]) -> list[Review]:
    """The newest entries that the page has room for, what they say cut to that; they are not to be saved."""
    found: list[Review] = []
    texts = 0
    for entry in entries:
        texts += 1 + len(entry.said.get("at", ())) + len(entry.said.get("exceptions", ()))
        if found and texts > TEXTS:
            break
        found.append(entry)
    for entry, said in zip(found, fitted([entry.said for entry in found], ROOM)[0], strict=True):
        entry.said = said
    return found


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
    others = Sheet.objects.not_deleted().filter(party__in=run, offered=False).exclude(owner=request.user.pk)
    theirs = list(others.filter(
        pk__in=Review.objects.exclude(sheet=None).values("sheet")).select_related("party", "owner"))
    own = list(editable(request).exclude(party=None).filter(offered=False).select_related("party"))
    taken = review_statuses([*theirs, *own])
    waiting = sorted((sheet for sheet in theirs if taken[sheet.pk].waiting),
                     key=lambda sheet: taken[sheet.pk].waiting.number)
    return render(request, "reviews/queue.html", {
        "overtaken": [(sheet, taken[sheet.pk], sheet.system, found) for sheet in theirs
                      if not taken[sheet.pk].waiting and (found := _overtaken(sheet, taken[sheet.pk]))],
        "waiting": [(sheet, taken[sheet.pk], sheet.system) for sheet in waiting],
        "own": [(sheet, taken[sheet.pk], sheet.system) for sheet in own], "gm": run.exists(),
    })
