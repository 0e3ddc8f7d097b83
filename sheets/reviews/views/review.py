"""The page on which a sheet is submitted and decided upon, and its comments are answered."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from pydantic import ValidationError

from sheets.access import lock_sheet, memberships, owns, reviewable
from sheets.buttons import no_such_button, pressed_about
from sheets.diff.comparison import difference
from sheets.documents import sealable
from sheets.fitting import fitted
from sheets.models import Review, Revision, Sheet
from sheets.models.reviews import RETURNED
from sheets.news import review_token, with_decisions
from sheets.outline import outline
from sheets.reviews import comments
from sheets.reviews import services as reviews
from sheets.reviews.comments import Comment
from sheets.reviews.queries import member_for
from sheets.reviews.services import Blocked
from sheets.signed_in import signed_in_user
from sheets.status.reviews import review_status

AT, REASON, REPLY = "at.", "reason.", "reply."
"""The prefixes of input names for comments at fields, for reasons of exceptions and for replies."""
ENTRIES = 50
"""Entries that the page shows."""
TEXTS = 300
"""Texts of all those entries."""
COMMENT = 2 * reviews.LONGEST
"""Characters of a comment that is sent back to the page."""
NOTED = 60
"""The most findings shown; those that ask for a reason are always shown."""
ROOM = 96 * 1024
"""Bytes for all texts of the whole sheet."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def review(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the state of a sheet's review, with its changes, findings and comments; on POST act on it.

    With `?known=`, the last word for it, the answer is 204 while that is the same.
    """
    try:
        if request.method != "POST":
            sheet = get_object_or_404(with_decisions(reviewable(request)).select_related("party", "owner"), pk=pk)
            if request.GET.get("known") == (change_token := review_token(sheet)):
                return HttpResponse(status=204)
            return _review_page(request, sheet, change_token=change_token)
        return _decide(request, pk)
    except ValidationError:
        messages.error(request, _("The rules can no longer read what this is about; here is all that was kept of it."))
        return redirect("history", pk)


@dataclass(frozen=True)
class ReviewForm:
    """The posted form of a review: a button's word and what it is about, the seal of what was seen, the comments.

    Comments at fields are {path: text}, reasons of exceptions {name in `PendingDecision.asking`: text}, replies
    {`Comment.about`: text}.
    """

    action: str
    about: str
    seal: str
    comment: str
    at: dict[str, str]
    reasons: dict[str, str]
    replies: dict[str, str]

    @classmethod
    def of(cls, post: QueryDict) -> "ReviewForm":
        """Return the form as it was posted (`BadRequest` for an unknown button)."""
        action, about = pressed_about(post, DOING)
        if about and action not in ANSWERING:
            raise no_such_button()
        return cls(action, about, post.get("_seal", ""), post.get("comment", ""), _under(post, AT),
                   _under(post, REASON), _under(post, REPLY))

    @property
    def said(self) -> dict[str, Any]:
        """The comments, {comment, at}."""
        return {"comment": self.comment, "at": self.at}


def _under(post: Mapping[str, str], prefix: str) -> dict[str, str]:
    return {name.removeprefix(prefix): text for name, text in post.items() if name.startswith(prefix)}


def _decide(request: HttpRequest, pk: UUID) -> HttpResponse:
    form = ReviewForm.of(request.POST)
    try:
        with transaction.atomic():
            sheet = lock_sheet(request, pk, reviewable)
            done = _done(request, sheet, form)
    except Blocked as error:
        messages.error(request, str(error))
        return _review_page(request, sheet, form, status=409)
    if isinstance(done, Comment):
        # In the builder one goes on where one has read it.
        if request.POST.get("from") == "draft":
            return redirect(f"{reverse('draft', args=[pk])}?{urlencode({'at': done.at})}")
        if form.comment.strip() or any(map(str.strip, (*form.at.values(), *form.reasons.values()))):
            # What else is being written stays in the form.
            return _review_page(request, sheet, replace(form, replies={}))
        return redirect(f"{reverse('review', args=[pk])}#{done.id}")
    if done:
        messages.success(request, done)
    return redirect("review", pk)


def _done(request: HttpRequest, sheet: Sheet, form: ReviewForm) -> str | Comment:
    """Do what was pressed; a reply that is typed elsewhere on the page is kept with it."""
    reviews.check_texts(form.comment, [*form.at.values(), *form.reasons.values(), *form.replies.values()])
    others = {about: text for about, text in form.replies.items() if text.strip() and about != form.about}
    said = _standing(sheet) if others else {}
    for about, text in others.items():
        reviews.reply(sheet, signed_in_user(request), said.get(about), text, done=False)
    done: str | Comment = DOING[form.action](request, sheet, form)
    return done


def _own(request: HttpRequest, sheet: Sheet) -> None:
    if sheet.owner_id is None or sheet.owner_id != request.user.pk:
        raise Http404


def _submit(request: HttpRequest, sheet: Sheet, form: ReviewForm) -> str:
    _own(request, sheet)
    reviews.submit(sheet, signed_in_user(request), form.comment)
    return _("Submitted. The party's GMs are told.")


def _recall(request: HttpRequest, sheet: Sheet, _form: ReviewForm) -> str:
    _own(request, sheet)
    reviews.recall(sheet, signed_in_user(request))
    return ""


def _approve(request: HttpRequest, sheet: Sheet, form: ReviewForm) -> str:
    reviews.approve(member_for(request, sheet), sheet, form.seal, form.reasons, form.said)
    return _("Approved. The player is told.")


def _return(request: HttpRequest, sheet: Sheet, form: ReviewForm) -> str:
    reviews.give_back(member_for(request, sheet), sheet, form.seal, form.said)
    return _("Returned. The player is told.")


def _withdraw(request: HttpRequest, sheet: Sheet, form: ReviewForm) -> str:
    reviews.withdraw(member_for(request, sheet), sheet, form.said)
    return _("Withdrawn. The player is told.")


def _reply(request: HttpRequest, sheet: Sheet, form: ReviewForm, *, done: bool = False) -> Comment:
    said, text = _standing(sheet).get(form.about), form.replies.get(form.about, "")
    return reviews.reply(sheet, signed_in_user(request), said, text, done=done)


def _standing(sheet: Sheet) -> dict[str, Comment]:
    """Return {`Comment.about`: comment} of those that still count."""
    return {one.about: one for one in comments.standing_comments(sheet)}


DOING: dict[str, Callable] = {
    "submit": _submit, "recall": _recall, "approve": _approve, "return": _return, "withdraw": _withdraw,
    "reply": _reply, "done": partial(_reply, done=True),
}
"""The actions of the buttons, {word: function that returns the message, or the comment that it was about}."""
ANSWERING = ("reply", "done")
"""Those that are about a comment."""


def _review_page(request: HttpRequest, sheet: Sheet, form: ReviewForm | None = None, status: int = 200,
                 change_token: str = "") -> HttpResponse:
    ruleset, taken = sheet.system, review_status(sheet, likely=True)
    me = memberships(request).filter(party=sheet.party_id).first() if sheet.party_id else None
    found, mine = reviews.pending_decision(sheet, taken), owns(request, sheet)
    entries = _told(sheet.reviews.filter(party=sheet.party_id).exclude(party=None).select_related("by", "revision")
                   .order_by("-number")[:ENTRIES])
    shown = found.content if found else sealable(sheet, None if mine or not taken.revision else vars(taken.revision))
    # Who sees what is played sees it as it is: there is nothing that it differs from.
    base = None if not found and not mine and taken.revision else \
        taken.revision or next((one.revision for one in entries if one.kind == RETURNED), None)
    house = ruleset.house.model_validate(shown["house"])
    shape = ruleset.sheet.model_validate(shown["data"])
    verdict = found.verdict if found else reviews.check_content(sheet, shown)
    told = [one for one in verdict.findings if not found or one.severity != "approval"]
    read, cut = fitted(outline(shape, house, shown["name"]), ROOM)
    said = comments.standing_comments(sheet, shown["data"])
    differs = base and difference(ruleset, base, Revision(**shown))
    stopped = mine and reviews.in_the_way(sheet)
    # What was granted once is asked again with the reason that it had.
    known = {(one["rule"], one["path"]): one["reason"] for one in taken.exceptions}
    # What is sent back to be shortened comes back as far as there is room for it.
    at, reasons, replies = fitted((form.at, form.reasons, form.replies), ROOM)[0] if form else ({}, {}, {})
    change_token = change_token or review_token(with_decisions(Sheet.objects.filter(pk=sheet.pk)).get())
    groups, gone = comments.field_groups(ruleset, shown["data"], read, at, said)
    return render(request, "reviews/review.html", {
        "change_token": change_token,
        "look_url": f"{reverse('review', args=[sheet.pk])}?{urlencode({'known': change_token})}",
        "live_url": reverse("live", args=["review", sheet.pk]),
        "sheet": sheet, "ruleset": ruleset, "review_status": taken, "me": me, "pending": found, "mine": mine,
        "decides": reviews.may_decide(me, sheet),
        "verdict": verdict, "findings": told[:NOTED],
        "asking": [(name, one, reasons.get(name, known.get((one.rule or "", one.path), "")))
                   for name, one in (found.asking if found else {}).items()],
        "outline": read, "cut": cut, "shown": shown, "base": base,
        "diff": differs and differs.on_a_page(), "rest": max(0, len(told) - NOTED),
        "groups": groups, "gone": gone, "said": said, "still": sum(not one.done for one in said), "replies": replies,
        "form": "review",
        "entries": entries,
        "in_the_way": stopped, "submits": mine and not stopped and not reviews.nothing_new(sheet, taken),
        "comment": form.comment[:COMMENT] if form else "",
        "rules_url": reverse("rules", args=[ruleset.slug]),
    }, status=status)


def _told(entries: Iterable[Review]) -> list[Review]:
    """Return the newest entries that the page has room for, their texts cut to that; they are not to be saved."""
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
