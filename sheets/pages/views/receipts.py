"""Receipts of rolls and the keys that signed them."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from sheets.models import Receipt, RollKey
from sheets.pages.receipts import REMOVED, SeenRoll, key_json, receipt_json, receipt_page, seen_roll
from sheets.receipts.messages import FORMAT
from sheets.receipts.services import removed_token

OPEN = {"Access-Control-Allow-Origin": "*"}
"""Other pages may read it, without cookies."""


def _found(request: HttpRequest, token: str) -> tuple[Receipt, SeenRoll] | None:
    """Return a receipt and what the reader may see of its roll; None for a roll that was removed (Http404 else)."""
    found = Receipt.objects.filter(rolled__isnull=False).select_related("event__sheet", "scene__party", "sheet__party")
    if (receipt := found.filter(token=token).first()) and (seen := seen_roll(request, receipt)):
        return receipt, seen
    if Receipt.objects.filter(token=removed_token(token)).exists():
        return None
    raise Http404


@require_safe
@never_cache
def receipt(request: HttpRequest, token: str) -> HttpResponse:
    """Show the receipt of a roll to whoever may read its line in the log, or to everybody if it is shared."""
    if (found := _found(request, token)) is None:
        return render(request, "pages/receipts/removed.html", status=410)
    return render(request, "pages/receipts/page.html", receipt_page(request, *found))


@require_safe
@never_cache
def receipt_of(request: HttpRequest, pk: int) -> HttpResponse:
    """Lead from a line of the log to the receipt of its roll."""
    receipt = get_object_or_404(Receipt.objects.select_related("event__sheet"), event=pk)
    if seen_roll(request, receipt) is None:
        raise Http404
    return redirect("receipt", receipt.token)


@require_safe
@never_cache
def receipt_as_json(request: HttpRequest, token: str) -> JsonResponse:
    """Answer the receipt of a roll as other programs read it."""
    if (found := _found(request, token)) is None:
        return JsonResponse({"format": FORMAT, "says": {"state": REMOVED}}, status=410)
    return JsonResponse(receipt_json(*found))


@require_safe
def keys_as_json(_request: HttpRequest) -> JsonResponse:
    """Answer all keys that sign or have signed rolls, the newest first."""
    return JsonResponse({"keys": [key_json(one) for one in RollKey.objects.order_by("-number")]}, headers=OPEN)


@require_safe
def key_as_json(_request: HttpRequest, identity: str) -> JsonResponse:
    """Answer one of these keys."""
    return JsonResponse(key_json(get_object_or_404(RollKey, pk=identity)), headers=OPEN)
