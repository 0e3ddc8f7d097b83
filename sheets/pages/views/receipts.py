"""Receipts of rolls and the keys that signed them."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from sheets.models import Event, Receipt, RollKey, TurnReceipt
from sheets.pages.held_receipts import is_held
from sheets.pages.receipts import key_json, receipt_json, receipt_page, turn_of, turn_page
from sheets.pages.roll_texts import copies_of, copies_without_receipt
from sheets.pages.seen_rolls import SeenRoll, may_share, seen_by_strangers, seen_in_log, seen_roll
from sheets.pages.turn_rolls import SeenTurn, may_share_turn, seen_turn, turn_is_open, turn_receipt, with_rolls
from sheets.receipts.services import removed_token

OPEN = {"Access-Control-Allow-Origin": "*"}
"""The header that lets pages of other origins read a response, without cookies."""


def _found(request: HttpRequest, token: str) -> tuple[Receipt, SeenRoll]:
    receipt = get_object_or_404(with_rolls(Receipt.objects.filter(rolled__isnull=False)), token=token)
    if (seen := seen_roll(request, receipt)) is None:
        raise Http404
    return receipt, seen


def _is_removed(token: str) -> bool:
    return Receipt.objects.filter(token=removed_token(token)).exists()


def _turn(request: HttpRequest, token: str) -> SeenTurn | None:
    """Return the turn with a token, None if there is none. Raise Http404 if the reader may see none of its rolls."""
    turn = TurnReceipt.objects.filter(token=token).select_related("scene").first()
    if turn is None:
        return None
    seen = seen_turn(request, turn)
    if not seen.rolls and not seen.removed:
        raise Http404
    return seen


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def receipt(request: HttpRequest, token: str) -> HttpResponse:
    """Show the receipt of a roll to whoever may read its line in the log, or to everybody if it is shared.

    On POST share it, stop sharing it, or give the rolls of its turn an address. The token may be that of a turn.
    """
    turn = _turn(request, token)
    if turn.removed if turn else _is_removed(token):
        return render(request, "pages/receipts/removed.html", status=HTTPStatus.GONE)
    if turn:
        return _share_turn(request, turn) if request.method == "POST" else render(
            request, "pages/receipts/turn.html", turn_page(request, turn))
    found, seen = _found(request, token)
    if request.method == "POST":
        return _make_turn(request, found, seen) if request.POST.get("do") == "turn" else _share(request, found)
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


def _share_turn(request: HttpRequest, seen: SeenTurn) -> HttpResponse:
    """Share the rolls of a turn in the same way, without those that not everybody may see."""
    action = request.POST.get("do")
    if not may_share_turn(request, seen) or action not in ("share", "stop"):
        raise Http404
    if action == "share" and not turn_is_open(seen):
        messages.error(request, _("Not everybody may see these dice, so these rolls cannot be shared."))
    else:
        TurnReceipt.objects.filter(pk=seen.turn.pk).update(shared=action == "share")
    return redirect("receipt", seen.turn.token)


def _make_turn(request: HttpRequest, receipt: Receipt, seen: SeenRoll) -> HttpResponse:
    """Give the rolls of a turn one address and redirect there; in the dialog of a log, return their texts."""
    if not (rolls := turn_of(receipt, seen)):
        raise Http404
    made = seen_turn(request, turn_receipt(rolls))
    url = reverse("receipt", args=[made.turn.token])
    if not getattr(request, "htmx", False):
        return redirect(f"{url}#copy")
    told: dict[str, Any] = turn_page(request, made)
    return render(request, "pages/receipts/_copy_roll.html", told)


@require_safe
@never_cache
def receipt_of(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect from a line of the log to its roll's receipt; show the reason if there is none or it must wait."""
    event, receipt, seen = _of_line(request, pk)
    return redirect("receipt", receipt.token) if receipt else render(
        request, "pages/receipts/none.html",
        {"seen": seen, "ruleset": seen.ruleset, "copies": copies_without_receipt(seen, event),
         "held": hasattr(event, "receipt")})


@require_safe
@never_cache
def texts_of(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the texts for copying the roll of a line of the log, for the dialog of that log."""
    event, receipt, seen = _of_line(request, pk)
    if receipt is None:
        told: dict[str, Any] = {"copies": copies_without_receipt(seen, event)}
    else:
        url = reverse("receipt", args=[receipt.token])
        told = {"receipt": receipt, "url": url, "turn": turn_of(receipt, seen),
                "copies": copies_of([(receipt, seen)], request.build_absolute_uri(url))}
    return render(request, "pages/receipts/_copy_roll.html", told | {"title": seen.title})


def _of_line(request: HttpRequest, pk: int) -> tuple[Event, Receipt | None, SeenRoll]:
    """Return a roll of the log, with its receipt if that can be read. Raise Http404 if some dice are hidden."""
    event = get_object_or_404(Event.objects.exclude(roll="").select_related("sheet"), pk=pk)
    receipt = with_rolls(Receipt.objects.filter(event=event)).first()
    if receipt and is_held(receipt):
        receipt = None
    seen = seen_roll(request, receipt) if receipt else seen_in_log(request, event)
    if seen is None:
        raise Http404
    return event, receipt, seen


@require_safe
@never_cache
def receipt_as_json(request: HttpRequest, token: str) -> HttpResponse:
    """Return the receipt of a roll, or the list of those of a turn, as JSON for other programs.

    While it is shared, pages of all origins may read it.
    """
    turn = _turn(request, token)
    if turn.removed if turn else _is_removed(token):
        return HttpResponse(status=HTTPStatus.GONE)
    if turn:
        is_open = turn.turn.shared and turn_is_open(turn)
        told: dict[str, Any] = {"receipts": [receipt_json(one, seen) for one, seen in turn.rolls]}
    else:
        found, seen = _found(request, token)
        is_open, told = found.shared and seen_by_strangers(found) is not None, receipt_json(found, seen)
    return JsonResponse(told, headers={"X-Robots-Tag": "noindex", **(OPEN if is_open else {})})


@require_safe
def keys_as_json(_request: HttpRequest) -> JsonResponse:
    """Return all keys that sign or have signed rolls, the newest first."""
    found = RollKey.objects.order_by("-number").select_related("before")
    return JsonResponse({"keys": [key_json(one) for one in found]}, headers=OPEN)


@require_safe
def key_as_json(_request: HttpRequest, identity: str) -> JsonResponse:
    """Return one of these keys."""
    return JsonResponse(key_json(get_object_or_404(RollKey, identity=identity)), headers=OPEN)
