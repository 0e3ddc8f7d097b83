"""Receipts of rolls and the keys that signed them."""

from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from sheets.models import Event, Receipt, RollKey
from sheets.pages.receipts import key_json, receipt_json, receipt_page
from sheets.pages.seen_rolls import SeenRoll, may_share, seen_by_strangers, seen_in_log, seen_roll
from sheets.receipts.services import removed_token

OPEN = {"Access-Control-Allow-Origin": "*"}
"""Other pages may read it, without cookies."""


def _found(request: HttpRequest, token: str) -> tuple[Receipt, SeenRoll]:
    receipt = get_object_or_404(Receipt.objects.filter(rolled__isnull=False).select_related(
        "event__sheet", "scene", "sheet", "dice_log", "made_by", "key"), token=token)
    if (seen := seen_roll(request, receipt)) is None:
        raise Http404
    return receipt, seen


def _is_removed(token: str) -> bool:
    return Receipt.objects.filter(token=removed_token(token)).exists()


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def receipt(request: HttpRequest, token: str) -> HttpResponse:
    """Show the receipt of a roll to whoever may read its line in the log, or to everybody if it is shared.

    On POST share it or stop sharing it.
    """
    if _is_removed(token):
        return render(request, "pages/receipts/removed.html", status=HTTPStatus.GONE)
    found, seen = _found(request, token)
    if request.method == "POST":
        return _share(request, found)
    return render(request, "pages/receipts/page.html", receipt_page(request, found, seen))


def _share(request: HttpRequest, receipt: Receipt) -> HttpResponse:
    """Share a roll with everybody who has its link, or stop sharing it."""
    action = request.POST.get("do")
    if not may_share(request, receipt) or action not in ("share", "stop"):
        raise Http404
    if action == "share" and seen_by_strangers(receipt) is None:
        messages.error(request, _("Not everybody may see these dice, so this roll cannot be shared."))
    else:
        # The token changes if the roll is removed meanwhile.
        Receipt.objects.filter(token=receipt.token).update(shared=action == "share")
    return redirect("receipt", receipt.token)


@require_safe
@never_cache
def receipt_of(request: HttpRequest, pk: int) -> HttpResponse:
    """Lead from a line of the log to the receipt of its roll; say so if it was made before there were receipts."""
    event = get_object_or_404(Event.objects.exclude(roll="").select_related("sheet"), pk=pk)
    receipt = Receipt.objects.filter(event=event).first()
    seen = seen_roll(request, receipt) if receipt else seen_in_log(request, event)
    if seen is None:
        raise Http404
    return redirect("receipt", receipt.token) if receipt else render(
        request, "pages/receipts/none.html", {"seen": seen, "ruleset": seen.ruleset})


@require_safe
@never_cache
def receipt_as_json(request: HttpRequest, token: str) -> HttpResponse:
    """Answer the receipt of a roll as other programs read it, to those of all origins while it is shared."""
    if _is_removed(token):
        return HttpResponse(status=HTTPStatus.GONE)
    found, seen = _found(request, token)
    is_open = found.shared and seen_by_strangers(found) is not None
    return JsonResponse(receipt_json(found, seen), headers={"X-Robots-Tag": "noindex", **(OPEN if is_open else {})})


@require_safe
def keys_as_json(_request: HttpRequest) -> JsonResponse:
    """Answer all keys that sign or have signed rolls, the newest first."""
    found = RollKey.objects.order_by("-number").select_related("before")
    return JsonResponse({"keys": [key_json(one) for one in found]}, headers=OPEN)


@require_safe
def key_as_json(_request: HttpRequest, identity: str) -> JsonResponse:
    """Answer one of these keys."""
    return JsonResponse(key_json(get_object_or_404(RollKey, identity=identity)), headers=OPEN)
