"""The page on which a sheet is submitted, decided about and commented on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from pydantic import ValidationError

from sheets.access import lock_sheet, reviewable, reviewable_sheet
from sheets.buttons import no_such_button, pressed_about, row_key
from sheets.documents import sealable
from sheets.models import Sheet
from sheets.news import review_token, with_decisions
from sheets.reviews import comments, page
from sheets.reviews import services as reviews
from sheets.reviews.comments import Comment
from sheets.reviews.own_rows import enter_row
from sheets.reviews.phrases import phrases_of, save_phrases
from sheets.reviews.queries import member_for, next_waiting
from sheets.reviews.services import Blocked
from sheets.signed_in import signed_in_user
from sheets.status.reviews import review_status

ENTER = "enter"
"""The action that takes a row over into the party's catalogue."""
AT, REASON, REPLY = "at.", "reason.", "reply."
"""The prefixes of input names for comments at fields, for reasons of exceptions and for replies."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def review(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the state of a sheet's review, with its changes, findings and comments; on POST perform an action.

    With `?known=` and a change token, the answer is 204 as long as the token is the same.
    """
    try:
        if request.method != "POST":
            sheet = reviewable_sheet(request, pk, with_decisions)
            if request.GET.get("known") == (change_token := review_token(sheet)):
                return HttpResponse(status=204)
            return _review_page(request, sheet, change_token=change_token)
        return _decide(request, pk)
    except ValidationError:
        messages.error(request, _("The rules can no longer read this; here is everything that was stored of it."))
        return redirect("history", pk)


@dataclass(frozen=True)
class ReviewForm:
    """The posted form of a review: the button's action and what it is about, the seal of the seen state, the texts.

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
    phrases: str = ""

    @classmethod
    def of(cls, post: QueryDict) -> "ReviewForm":
        """Return the posted form; raise `BadRequest` if the button is unknown."""
        action, about = pressed_about(post, {*ACTIONS, *PHRASE_ACTIONS})
        if about and action not in (*COMMENT_ACTIONS, "say", ENTER):
            raise no_such_button()
        return cls(action, about, post.get("_seal", ""), post.get("comment", ""), _with_prefix(post, AT),
                   _with_prefix(post, REASON), _with_prefix(post, REPLY), post.get("phrases", ""))

    @property
    def has_texts(self) -> bool:
        """True if anything but replies is being written."""
        return bool(self.comment.strip()) or any(map(str.strip, (*self.at.values(), *self.reasons.values())))

    @property
    def comments(self) -> dict[str, Any]:
        """The comments, {comment, at}."""
        return {"comment": self.comment, "at": self.at}


def _with_prefix(post: Mapping[str, str], prefix: str) -> dict[str, str]:
    return {name.removeprefix(prefix): text for name, text in post.items() if name.startswith(prefix)}


def _decide(request: HttpRequest, pk: UUID) -> HttpResponse:
    form = ReviewForm.of(request.POST)
    if form.action in PHRASE_ACTIONS:
        return _use_phrases(request, pk, form)
    next_key = next_waiting(request, pk) if form.action in DECIDING_ACTIONS else None
    try:
        with transaction.atomic():
            sheet = lock_sheet(request, pk, reviewable)
            result = _perform(request, sheet, form)
    except Blocked as error:
        messages.error(request, str(error))
        return _review_page(request, sheet, form, status=409)
    if isinstance(result, Comment):
        # In the builder the user returns to the step with the comment.
        if request.POST.get("from") == "draft":
            return redirect(f"{reverse('draft', args=[pk])}?{urlencode({'at': result.at})}")
        if form.has_texts:
            # Other texts that are being written stay in the form.
            return _review_page(request, sheet, replace(form, replies={}))
        return redirect(f"{reverse('review', args=[pk])}#{result.id}")
    if result:
        messages.success(request, result)
    if form.action == ENTER:
        # The text being written stays in the form.
        return _review_page(request, sheet, replace(form, replies={})) if form.has_texts else redirect("review", pk)
    return redirect("review", next_key or pk)


def _use_phrases(request: HttpRequest, pk: UUID, form: ReviewForm) -> HttpResponse:
    """Insert one of the GM's phrases into the comment, or save their phrases; show the form with all its texts."""
    sheet = reviewable_sheet(request, pk)
    user, status = member_for(request, sheet).user, 200
    if form.action == "say":
        # Nothing is inserted if the phrase was deleted in the meantime.
        phrase = dict(enumerate(phrases_of(user))).get(row_key(form.about), "")
        form = replace(form, comment=" ".join(filter(None, (form.comment.rstrip(), phrase))))
    else:
        try:
            save_phrases(user, form.phrases)
            form = replace(form, phrases="")
        except Blocked as error:
            messages.error(request, str(error))
            status = 409
    return _review_page(request, sheet, form, status=status)


def _perform(request: HttpRequest, sheet: Sheet, form: ReviewForm) -> str | Comment:
    """Perform the action of the button, and save replies that were typed elsewhere on the page."""
    reviews.check_texts(form.comment, [*form.at.values(), *form.reasons.values(), *form.replies.values()])
    others = {about: text for about, text in form.replies.items() if text.strip() and about != form.about}
    standing = _standing_comments(sheet) if others else {}
    for about, text in others.items():
        reviews.reply(sheet, signed_in_user(request), standing.get(about), text, done=False)
    done: str | Comment = ACTIONS[form.action](request, sheet, form)
    return done


def _require_owner(request: HttpRequest, sheet: Sheet) -> None:
    if sheet.owner_id is None or sheet.owner_id != request.user.pk:
        raise Http404


def _submit(request: HttpRequest, sheet: Sheet, form: ReviewForm) -> str:
    _require_owner(request, sheet)
    reviews.submit(sheet, signed_in_user(request), form.comment)
    return _("Submitted. The party's GMs have been told.")


def _recall(request: HttpRequest, sheet: Sheet, _form: ReviewForm) -> str:
    _require_owner(request, sheet)
    reviews.recall(sheet, signed_in_user(request))
    return ""


def _approve(request: HttpRequest, sheet: Sheet, form: ReviewForm) -> str:
    reviews.approve(member_for(request, sheet), sheet, form.seal, form.reasons, form.comments)
    return _("Approved. The player has been told.")


def _return(request: HttpRequest, sheet: Sheet, form: ReviewForm) -> str:
    reviews.give_back(member_for(request, sheet), sheet, form.seal, form.comments)
    return _("Returned. The player has been told.")


def _withdraw(request: HttpRequest, sheet: Sheet, form: ReviewForm) -> str:
    reviews.withdraw(member_for(request, sheet), sheet, form.comments)
    return _("Withdrawn. The player has been told.")


def _enter(request: HttpRequest, sheet: Sheet, form: ReviewForm) -> str:
    if not reviews.may_decide(member_for(request, sheet), sheet):
        raise Http404
    pending = reviews.pending_decision(sheet, review_status(sheet))
    return enter_row(sheet, pending.content if pending else sealable(sheet), form.about)


def _reply(request: HttpRequest, sheet: Sheet, form: ReviewForm, *, done: bool = False) -> Comment:
    comment, text = _standing_comments(sheet).get(form.about), form.replies.get(form.about, "")
    return reviews.reply(sheet, signed_in_user(request), comment, text, done=done)


def _standing_comments(sheet: Sheet) -> dict[str, Comment]:
    """Return {`Comment.about`: comment} of the comments that still count."""
    return {one.about: one for one in comments.standing_comments(sheet)}


ACTIONS: dict[str, Callable] = {
    "submit": _submit, "recall": _recall, "approve": _approve, "return": _return, "withdraw": _withdraw,
    "reply": _reply, "done": partial(_reply, done=True), ENTER: _enter,
}
"""{action of a button: function that performs it and returns the message to show, or the comment it was about}."""
DECIDING_ACTIONS = ("approve", "return")
"""The actions after which the next sheet in the queue is shown."""
PHRASE_ACTIONS = ("say", "phrases")
"""The actions on a GM's phrases, after which the form is shown with its texts."""
COMMENT_ACTIONS = ("reply", "done")
"""The actions on a comment."""


def _review_page(request: HttpRequest, sheet: Sheet, form: ReviewForm | None = None, status: int = 200,
                 change_token: str = "") -> HttpResponse:
    typed = vars(form) if form else {}
    change_token = change_token or review_token(with_decisions(Sheet.objects.filter(pk=sheet.pk)).get())
    return render(request, "reviews/review.html", page.review_page(request, sheet, typed) | {
        "change_token": change_token,
        "look_url": f"{reverse('review', args=[sheet.pk])}?{urlencode({'known': change_token})}",
        "live_url": reverse("live", args=["review", sheet.pk]),
    }, status=status)
