"""A GM's queue of waiting sheets: its page, the approval of several at once, and the count in every page's header."""

from collections.abc import Callable
from functools import cache
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from pydantic import ValidationError

from rulesets.names import isolated
from sheets.access import editable, key_or_404, lock_sheet, memberships, reviewable
from sheets.buttons import pressed
from sheets.news import queue_token
from sheets.reviews import services as reviews
from sheets.reviews.queries import PAGE, count_text, member_for, queue_pages
from sheets.reviews.services import Blocked
from sheets.signed_in import signed_in
from sheets.status.reviews import waiting_for

MAX_DIGITS = 19
"""The number of digits from which a number cannot be a key."""
MAX_APPROVALS = 50
"""The most sheets that one request approves."""


def to_review(request: HttpRequest) -> dict[str, Callable[[], str]]:
    """Context processor: add the number of sheets that wait for a GM, "" for others; counted only if it is shown."""
    return {"to_review": cache(lambda: _count(request.user))}


def _count(user: Any) -> str:
    n = waiting_for(user) if user.is_authenticated else None
    return "" if n is None else count_text(n)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def queue(request: HttpRequest) -> HttpResponse:
    """Show the sheets that wait for a GM, overtaken approvals and the user's own sheets; on POST approve those ticked.

    With `?known=` and a change token, the answer is 204 as long as the token is the same.
    """
    if request.method == "POST":
        pressed(request.POST, ("approve",))
        _approve(request, [key_or_404(text) for text in request.POST.getlist("sheet")[:MAX_APPROVALS]])
        return redirect("reviews")
    members = list(memberships(request))
    change_token, _parties = queue_token(request, members) or ("", ())
    if change_token and request.GET.get("known") == change_token:
        return HttpResponse(status=204)
    own = list(editable(request).filter(party__in=[one.party_id for one in members], offered=False,
                                                opponent=False).select_related("party").order_by("-updated")[:PAGE + 1])
    pages = queue_pages(request, members, own[:PAGE], *(_number(request.GET.get(one, "")) for one in (
        "after", "earlier")))
    waiting, overtaken = pages.waiting, pages.overtaken
    return render(request, "reviews/queue.html", {
        "change_token": change_token,
        "look_url": f"{reverse('reviews')}?{urlencode({**request.GET.dict(), 'known': change_token})}",
        "live_url": reverse("live-queue"), "waiting": waiting, "overtaken": overtaken, "asked": request.GET,
        "tickable": any(not one.left for one in waiting.rows),
        "own": [(sheet, pages.statuses[sheet.pk], sheet.system) for sheet in own[:PAGE]], "more_own": len(own) > PAGE,
        "shown": {one.slug: one for one in (*(row.system for row in (*waiting.rows, *overtaken.rows)),
                                            *(sheet.system for sheet in own[:PAGE]))}.values(),
        "gm": any(one.gm for one in members),
    })


def _number(text: str) -> int:
    """Return a number of the query string, 0 for anything else."""
    return int(text) if text.isdecimal() and len(text) < MAX_DIGITS else 0


def _approve(request: HttpRequest, keys: list[UUID]) -> None:
    """Approve sheets, each in its own transaction; add a message for each that could not be approved."""
    done = 0
    for pk in dict.fromkeys(keys):
        name = ""
        try:
            with transaction.atomic():
                sheet = lock_sheet(request, pk, reviewable)
                name = sheet.name or _("Unnamed")
                reviews.approve(member_for(request, sheet), sheet, request.POST.get(f"seal.{pk}", ""), {}, {})
            done += 1
        except Http404:
            messages.error(request, _("One of those sheets is no longer in any of your parties."))
        except Blocked as error:
            messages.error(request, f"{isolated(name)}: {error}")
        except ValidationError:
            messages.error(request, f"{isolated(name)}: {_('The rules can no longer read it.')}")
    if done:
        messages.success(request, ngettext("{n} sheet has been approved. The player has been told.",
                                           "{n} sheets have been approved. The players have been "
                                           "told.", done).format(n=done))
    elif not keys:
        messages.warning(request, _("No sheet is selected yet; tick at least one."))
