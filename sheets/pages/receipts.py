"""Receipts of rolls: the JSON that anybody can check, and the page of one as its reader may see it."""

from dataclasses import dataclass
from datetime import UTC
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from sheets.export.text import BBCode, Markdown
from sheets.models import Event, Receipt, RollKey, Scene
from sheets.pages.seen_rolls import SeenRoll, in_party, may_share, seen_by_strangers, seen_roll
from sheets.receipts.keys import ALGORITHM
from sheets.receipts.messages import FORMAT, VERSION, encode

STANDS, UNDONE, REPEATED, REFUSED, REMOVED = ("stands", "undone", "repeated", "refused", "removed")
"""The states of a roll."""
SHORT = 8
"""Letters of a link that are copied along with a roll."""
AROUND = 3
"""Rolls before and after that the page shows."""


def state_of(receipt: Receipt) -> str:
    """Return what became of a roll."""
    if (event := receipt.event) is None:
        if receipt.signature is None:
            return REMOVED
        return STANDS if receipt.dice_log_id and receipt.outcome else REFUSED
    if Event.objects.filter(again=event, undone=False).exists():
        return REPEATED
    return UNDONE if event.undone else STANDS


def receipt_json(receipt: Receipt, seen: SeenRoll) -> dict[str, Any]:
    """Return a receipt as `GET /rolls/{token}.json` answers it."""
    count = Receipt.objects.filter(log=receipt.log).order_by("-number").values_list("number", flat=True).first()
    return {
        "format": FORMAT, "version": VERSION,
        "key": receipt.key.identity if receipt.key else None,
        "log": receipt.log, "number": receipt.number, "nonce": receipt.nonce or None,
        "rolled": receipt.rolled, "signature": encode(bytes(receipt.signature)) if receipt.signature else None,
        "dice": [dict(zip(("first", "last", "face", "kept"), die, strict=False)) for die in receipt.dice],
        "says": {
            "made": receipt.made.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            "nonce_by": receipt.nonce_by, "count": count, "outcome": seen.event.outcome, "text": seen.text,
            "state": state_of(receipt), "link": encode(bytes(receipt.link)),
        },
    }


def key_json(key: RollKey) -> dict[str, Any]:
    """Return a key as `GET /rolls/keys/{id}.json` answers it."""
    return {
        "id": key.identity, "algorithm": ALGORITHM,
        "spki": key.spki, "from": _utc(key.begins), "until": _utc(key.until),
        "ended": key.ended or None, "before": key.before.identity if key.before else None, "proof": key.proof,
    }


def _utc(moment: Any) -> str:
    return str(moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"))


@dataclass(frozen=True)
class Copied:
    """A text to copy, as `components/_copy_text.html` shows it."""

    key: str
    title: str
    value: str


def receipt_page(request: HttpRequest, receipt: Receipt, seen: SeenRoll) -> dict[str, Any]:
    """Return what the page of a receipt shows."""
    kind, _colon, uuid = receipt.log.partition(":")
    # The names of a scene and its party are for the party alone.
    scene = Scene.objects.filter(uuid=uuid).select_related("party").first() if in_party(request, receipt) else None
    around = Receipt.objects.filter(log=receipt.log, number__range=(
        receipt.number - AROUND, receipt.number + AROUND)).select_related("event__sheet", "dice_log").order_by("number")
    url = request.build_absolute_uri(reverse("receipt", args=[receipt.token]))
    return {
        "receipt": receipt, "seen": seen, "ruleset": seen.ruleset, "scene": scene, "kind": kind, "url": url,
        "json": receipt_json(receipt, seen), "state": state_of(receipt),
        "around": [(one, state_of(one), seen_roll(request, one) if one.pk != receipt.pk else seen) for one in around],
        "copies": _copies(receipt, seen, url),
        "tray": seen.tray, "open": seen_by_strangers(receipt) is not None, "sharing": may_share(request, receipt),
    }


def _copies(receipt: Receipt, seen: SeenRoll, url: str) -> list[Copied]:
    """Return the texts for forums and messages, each with the roll's number and the beginning of its link."""
    place = f"#{receipt.number} · {encode(bytes(receipt.link))[:SHORT]}"
    return [Copied("bbcode", _("Copy BBCode"), _post(BBCode(), place, seen, url)),
            Copied("markdown", _("Copy Markdown"), _post(Markdown(), place, seen, url)),
            Copied("text", _("Copy text"), f"{seen.title}: {seen.text} ({place}) {url}\n")]


def _post(form: BBCode | Markdown, place: str, seen: SeenRoll, url: str) -> str:
    return f"{form.strong(seen.title)}: {form.inline(seen.text)} {form.link(url, place)}\n"
