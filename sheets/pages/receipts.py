"""Receipts of rolls: the JSON that anybody can check, and the page of one as its reader may see it."""

from dataclasses import dataclass, replace
from datetime import UTC
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from rulesets import systems
from rulesets.kit import Ruleset
from rulesets.names import isolated
from sheets.access import memberships, owns, readable
from sheets.character import Character
from sheets.export.text import BBCode, Markdown
from sheets.models import Event, Receipt, RollKey, Scene
from sheets.press.log import as_seen
from sheets.receipts.keys import ALGORITHM
from sheets.receipts.messages import FORMAT, VERSION, encode
from sheets.rolls.stored import event_text
from sheets.rolls.tray import ShownTray, tray_of
from sheets.stage.table import PartyTable
from sheets.stage.table_log import TableLog
from sheets.status.reviews import review_status

STANDS, UNDONE, REPEATED, REFUSED, REMOVED = ("stands", "undone", "repeated", "refused", "removed")
"""The states of a roll."""
SHORT = 8
"""Letters of a link that are copied along with a roll."""
AROUND = 3
"""Rolls before and after that the page shows."""


@dataclass(frozen=True)
class SeenRoll:
    """A roll as somebody may see it: `event` is a copy for that reader, `who` rolled it."""

    event: Event
    who: str
    ruleset: Ruleset
    deed: str = ""

    @property
    def title(self) -> str:
        """The roll in a few words: who did what to whom."""
        what = self.deed or f"{self.event.what} {self.event.at}".strip()
        return f"{isolated(self.who)} {what}" if self.deed else ": ".join(filter(None, (isolated(self.who), what)))

    @property
    def text(self) -> str:
        """Its outcome in words; that it was refused, if it was."""
        if not self.event.pk:
            return _("refused")
        return event_text(self.ruleset, self.event) or self.event.words

    @property
    def tray(self) -> ShownTray | None:
        """The dice that lie in the tray, as the page shows them."""
        found = tray_of(self.ruleset, self.event) if self.event.pk else None
        return replace(found, follows=(), remaining=(), anew=(), repeats=(), undo=None) if found else None


def seen_roll(request: HttpRequest, receipt: Receipt) -> SeenRoll | None:
    """Return the roll of a receipt as the reader may see it; None if they may not, or not all its dice."""
    event = receipt.event
    if event is None:
        return _refused(request, receipt)
    found = _at_table(request, event) or _on_sheet(request, event, shared=receipt.shared)
    # Dice that only somebody else may see have a receipt for those alone.
    return found if found and found.event.roll and "faces" not in found.event.veiled else None


def _refused(request: HttpRequest, receipt: Receipt) -> SeenRoll | None:
    """Return a roll that was refused after its dice fell, for whoever made it and for GMs."""
    party = receipt.scene.party if receipt.scene else receipt.sheet.party if receipt.sheet else None
    me = memberships(request).filter(party=party).first() if party and request.user.is_authenticated else None
    rolled, mine = receipt.rolled, bool(request.user.is_authenticated and receipt.made_by_id == request.user.pk)
    if rolled is None or rolled["ruleset"] not in systems() or not (mine or (me and me.gm)):
        return None
    ruleset = systems()[rolled["ruleset"]]
    cls = ruleset.rolls.get(rolled.get("roll", "")) or ruleset.acts.get(rolled.get("act", ""))
    event = Event(title=str(cls.title if cls else ""), faces=[die[2] for die in receipt.dice])
    return SeenRoll(event, receipt.made_by.get_username() if receipt.made_by else "", ruleset)


def _at_table(request: HttpRequest, event: Event) -> SeenRoll | None:
    if event.party_id is None or not request.user.is_authenticated:
        return None
    if (me := memberships(request).filter(party=event.party_id).first()) is None:
        return None
    line = TableLog(PartyTable(me)).line_of(event.pk)
    return SeenRoll(line.event, line.who, systems()[me.party.ruleset], line.deed) if line else None


def _on_sheet(request: HttpRequest, event: Event, *, shared: bool) -> SeenRoll | None:
    if event.sheet_id is None or event.hidden:
        return None
    sheet = readable(request).filter(pk=event.sheet_id).select_related("party").first()
    if sheet is None and shared and event.sheet and event.sheet.deleted is None:
        sheet = event.sheet
    if sheet is None or sheet.ruleset not in systems():
        return None
    own = owns(request, sheet)
    character = Character(sheet, review_status(sheet), others=not own)
    character.reader = request.user.pk
    [seen] = as_seen(character, [event])
    return SeenRoll(seen, character.name.strip() or _("Without a name"), character.ruleset)


def state_of(receipt: Receipt) -> str:
    """Return what became of a roll."""
    if (event := receipt.event) is None:
        return REMOVED if receipt.signature is None else REFUSED
    if Event.objects.filter(again=event, undone=False).exists():
        return REPEATED
    return UNDONE if event.undone else STANDS


def receipt_json(receipt: Receipt, seen: SeenRoll) -> dict[str, Any]:
    """Return a receipt as `GET /rolls/{token}.json` answers it."""
    count = Receipt.objects.filter(log=receipt.log).order_by("-number").values_list("number", flat=True).first()
    return {
        "format": FORMAT, "version": VERSION,
        "key": receipt.key_id, "log": receipt.log, "number": receipt.number, "nonce": receipt.nonce or None,
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
        "id": key.pk, "algorithm": ALGORITHM, "spki": key.spki, "from": _utc(key.begins), "until": _utc(key.until),
        "ended": key.ended or None, "before": key.before_id, "proof": key.proof,
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
    scene = Scene.objects.filter(uuid=uuid).select_related("party").first() if kind != "sheet" else None
    around = Receipt.objects.filter(log=receipt.log, number__range=(
        receipt.number - AROUND, receipt.number + AROUND)).select_related("event").order_by("number")
    url = request.build_absolute_uri(reverse("receipt", args=[receipt.token]))
    return {
        "receipt": receipt, "seen": seen, "ruleset": seen.ruleset, "scene": scene, "kind": kind, "url": url,
        "json": receipt_json(receipt, seen), "state": state_of(receipt),
        "around": [(one, state_of(one), seen_roll(request, one) if one.pk != receipt.pk else seen) for one in around],
        "copies": _copies(receipt, seen, url),
        "tray": seen.tray,
    }


def _copies(receipt: Receipt, seen: SeenRoll, url: str) -> list[Copied]:
    """Return the texts for forums and messages, each with the roll's number and the beginning of its link."""
    place = f"#{receipt.number} · {encode(bytes(receipt.link))[:SHORT]}"
    return [Copied("bbcode", _("Copy BBCode"), _post(BBCode(), place, seen, url)),
            Copied("markdown", _("Copy Markdown"), _post(Markdown(), place, seen, url)),
            Copied("text", _("Copy text"), f"{seen.title}: {seen.text} ({place}) {url}\n")]


def _post(form: BBCode | Markdown, place: str, seen: SeenRoll, url: str) -> str:
    return f"{form.strong(seen.title)}: {form.inline(seen.text)} {form.link(url, place)}\n"
