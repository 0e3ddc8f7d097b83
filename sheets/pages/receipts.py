"""Receipts of rolls: the JSON that anybody can check, and the page of one as its reader may see it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from rulesets.names import isolated
from sheets.models import GMS, Event, Receipt, RollKey
from sheets.models.receipts import LEAKED
from sheets.pages.roll_texts import copies_of
from sheets.pages.seen_rolls import SeenRoll, may_share, role_in_party, seen_by_strangers, seen_roll
from sheets.pages.turn_rolls import SeenTurn, may_share_turn, rolls_since_turn, turn_is_open, with_rolls
from sheets.receipts.chain import CheckedLog, check_log
from sheets.receipts.keys import ALGORITHM
from sheets.receipts.messages import FORMAT, VERSION, encode
from sheets.rolls.open_results import is_followup

STANDS, UNDONE, REPEATED, REFUSED, REMOVED = ("stands", "undone", "repeated", "refused", "removed")
"""The states of a roll."""
AROUND = 3
"""The number of rolls before and after one that its page shows."""


def state_of(receipt: Receipt) -> str:
    """Return the state of a roll."""
    if (event := receipt.event) is None:
        if receipt.signature is None and not receipt.by_hand:
            return REMOVED
        return STANDS if receipt.dice_log_id and receipt.outcome else REFUSED
    if Event.objects.filter(again=event, undone=False).exists():
        return REPEATED
    return UNDONE if event.undone else STANDS


def receipt_json(receipt: Receipt, seen: SeenRoll) -> dict[str, Any]:
    """Return the data of a receipt for `GET /rolls/{token}.json`."""
    dice = [dict(zip(("first", "last", "face", "kept"), die, strict=False)) for die in receipt.dice]
    # Dice thrown by hand are only stated, never proved.
    by_hand: dict[str, Any] = {"by_hand": True} if receipt.by_hand else {}
    said = {"dice": dice} if receipt.by_hand else {}
    return {
        "format": FORMAT, "version": VERSION, **by_hand,
        "key": receipt.key.identity if receipt.key else None,
        "log": receipt.log, "number": receipt.number, "nonce": receipt.nonce or None,
        "rolled": receipt.rolled, "signature": encode(bytes(receipt.signature)) if receipt.signature else None,
        "dice": [] if receipt.by_hand else dice,
        "says": {
            **said,
            "made": _utc(receipt.made), "nonce_by": receipt.nonce_by, "count": last_number(receipt),
            "outcome": seen.event.outcome, "text": seen.text, "state": state_of(receipt),
            "link": encode(bytes(receipt.link)),
        },
    }


def last_number(receipt: Receipt) -> int:
    """Return the last number in the log of a roll; for a hidden roll that was shown, the last number shown."""
    found = Receipt.objects.filter(log=receipt.log)
    if _is_shown_hidden(receipt):
        found = found.filter(event__hidden=False)
    return found.order_by("-number").values_list("number", flat=True).first() or receipt.number


def _is_shown_hidden(receipt: Receipt) -> bool:
    """Return True for a roll in the log of hidden ones that was shown to everybody."""
    return receipt.log.startswith("hidden:") and receipt.event is not None and not receipt.event.hidden


def key_json(key: RollKey) -> dict[str, Any]:
    """Return the data of a key for `GET /rolls/keys/{id}.json`."""
    return {
        "id": key.identity, "algorithm": ALGORITHM,
        "spki": key.spki, "from": _utc(key.begins), "until": _utc(key.until),
        "ended": key.ended or None, "before": key.before.identity if key.before else None, "proof": key.proof,
    }


def _utc(moment: Any) -> str:
    return str(moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"))


@dataclass(frozen=True)
class Neighbour:
    """A roll of the same log: its number and state, and the roll itself if the reader may see it."""

    receipt: Receipt
    state: str
    seen: SeenRoll | None


def receipt_page(request: HttpRequest, receipt: Receipt, seen: SeenRoll) -> dict[str, Any]:
    """Return the template context for the page of a receipt."""
    role = role_in_party(request, receipt)
    url = request.build_absolute_uri(reverse("receipt", args=[receipt.token]))
    told, parameters = receipt_json(receipt, seen), (receipt.rolled or {}).get("parameters") or {}
    kind = receipt.log.partition(":")[0]
    return {
        "receipt": receipt, "seen": seen, "ruleset": seen.ruleset, "kind": kind, "url": url, "json": told,
        "state": told["says"]["state"], "tray": seen.tray, "leaked": receipt.key and receipt.key.ended == LEAKED,
        "secret_figures": "act" not in (receipt.rolled or {}) and None in parameters.values(),
        # Only the party may learn the names of a scene, its party and its people.
        "scene": receipt.scene if role else None, "unshown": _unshown_before(receipt),
        "around": [*_around(request, receipt, seen)], "after": [*_following(request, receipt, seen)],
        "whole": _whole_log(receipt, seen, role), "turn": turn_of(receipt, seen),
        "copies": copies_of([(receipt, seen)], url), "open": seen_by_strangers(receipt) is not None,
        "sharing": may_share(request, receipt),
    }


def _unshown_before(receipt: Receipt) -> int:
    """Return the number of rolls not shown before a hidden roll that was shown."""
    if not _is_shown_hidden(receipt):
        return 0
    return receipt.number - 1 - Receipt.objects.filter(
        log=receipt.log, number__lt=receipt.number, event__hidden=False).count()


def _around(request: HttpRequest, receipt: Receipt, seen: SeenRoll) -> Iterator[Neighbour]:
    """Yield a roll and those around it; somebody with only its link sees just the others' numbers and states."""
    found = with_rolls(Receipt.objects.filter(log=receipt.log, number__range=(
        receipt.number - AROUND, min(receipt.number + AROUND, last_number(receipt)))))
    for one in found.order_by("number"):
        if one.pk == receipt.pk:
            yield Neighbour(one, state_of(one), seen)
            continue
        other = None if seen.by_link else seen_roll(request, one)
        # Only GMs may know the state of a hidden roll.
        yield Neighbour(one, state_of(one) if other or not _is_shown_hidden(receipt) else "", other)


def _following(request: HttpRequest, receipt: Receipt, seen: SeenRoll) -> Iterator[Neighbour]:
    """Yield the repeats and follow-ups among the next rolls of the log, as far as the reader may see them."""
    event = receipt.event
    if event is None or seen.by_link:
        return
    after = Receipt.objects.filter(log=receipt.log, number__gt=receipt.number, number__lte=receipt.number + 2 * AROUND)
    for one in with_rolls(after).order_by("number"):
        follows = one.event and one.event.sheet_id == event.sheet_id and (
            one.event.again_id == event.pk or is_followup(one.event, event))
        if follows and (other := seen_roll(request, one)):
            yield Neighbour(one, state_of(one), other)


def _whole_log(receipt: Receipt, seen: SeenRoll, role: str) -> CheckedLog | None:
    """Return the log of a roll with its links computed anew; None if the reader may not read that log."""
    if seen.by_link or (receipt.scene and not role) or (receipt.log.startswith("hidden:") and role not in GMS):
        return None
    return check_log(receipt.log)


def turn_of(receipt: Receipt, seen: SeenRoll) -> list[Receipt]:
    """Return the rolls of a roll's turn if there are several and the reader may read the log, else []."""
    rolls = [] if seen.by_link else rolls_since_turn(receipt)
    return rolls if len(rolls) > 1 else []


def turn_page(request: HttpRequest, seen: SeenTurn) -> dict[str, Any]:
    """Return the template context for the page of a turn's receipts."""
    first, one = seen.rolls[0]
    url = reverse("receipt", args=[seen.turn.token])
    leaked = any(receipt.key and receipt.key.ended == LEAKED for receipt, _seen in seen.rolls)
    return {
        "turn_receipt": seen.turn, "seen": one, "ruleset": one.ruleset, "title": _turn_title(one), "url": url,
        "scene": first.scene if role_in_party(request, first) else None, "first": first, "by_link": seen.by_link,
        "said": " · ".join(roll.text for _receipt, roll in seen.rolls if roll.text),
        "last": seen.rolls[-1][0], "leaked": leaked,
        "all_by_hand": all(receipt.by_hand for receipt, _seen in seen.rolls),
        "copies": copies_of(seen.rolls, request.build_absolute_uri(url)),
        "rolls": [Neighbour(receipt, state_of(receipt), roll) for receipt, roll in seen.rolls],
        "left_out": len(seen.receipts) - len(seen.rolls), "open": turn_is_open(seen),
        "sharing": may_share_turn(request, seen),
    }


def _turn_title(seen: SeenRoll) -> str:
    return _("A turn of {name}").format(name=isolated(seen.roller))
