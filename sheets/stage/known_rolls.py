"""The last roll that a page knows of: sent with a press, it reveals that an older database was restored.

The text is signed, and valid for its page only, so that nobody can end a signing key with a roll that never existed.
"""

from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import QuerySet, Subquery
from django.db.models.functions import Coalesce

from sheets.models import Event, Party, Receipt, RollKey, Scene, Sheet
from sheets.models.compiled_queries import compiled
from sheets.models.receipts import PUT_BACK
from sheets.receipts.services import end_key, key_in_use

SALT = "sheets.stage.known_rolls"
LETTERS = 8
"""The number of characters of a receipt's link that a page contains."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class KnownRoll(NamedTuple):
    """The last roll that a page knew of, with the key of the party ("" for none) and the party's `pulse` then."""

    log: str
    number: int
    link: str
    party: str
    pulse: int
    made: int
    """The time of the roll, in microseconds."""


def last_roll_of(sheet: Sheet) -> str:
    """Return the last roll of the log for a sheet's rolls, signed for its page; "" if there is none."""
    log = f"sheet:{sheet.pk}"
    place, apart = sheet.scene_id or sheet.party_id, bool(sheet.scene_id)
    found = _of_either(log, place, apart=apart) if sheet.party_id else _of_log(log)
    return _signed(sheet.pk, sheet.party, found[0]) if found else ""


def last_roll_at(scene: Scene) -> str:
    """Return the last roll of an open scene, signed for the table of its party; "" if there is none."""
    found = _of_log(f"scene:{scene.uuid}") if scene.pk else ()
    return _signed(scene.party_id, scene.party, found[0]) if found else ""


def roll_of_event(event: Event, place: UUID, party: Party | None) -> str:
    """Return the roll of a new event, signed; "" if it has none or a hidden one.

    `place` is the key of the sheet or the party whose page gets it.
    """
    receipt = None if event.hidden else event.opened
    return _signed(place, party, (receipt.log, receipt.number, receipt.link, receipt.made)) if receipt else ""


def _signed(place: UUID, party: Party | None, roll: tuple[str, int, Any, datetime]) -> str:
    log, number, link, made = roll
    known = KnownRoll(log, number, urlsafe_b64encode(bytes(link)).decode()[:LETTERS], str(party.pk) if party else "",
                  party.pulse if party else 0, _micros(made))
    return _signer(place).sign("~".join(map(str, known)))


def _signer(place: UUID) -> Signer:
    return Signer(salt=f"{SALT}.{place}")


def missing_roll(place: UUID, text: str) -> KnownRoll | None:
    """Return the roll that the page of a sheet or table knew of, if its log has no such roll.

    None if the log has it, or if the text was not signed for this page. This takes one query.
    """
    try:
        log, number, link, party, pulse, made = _signer(place).unsign(text).split("~")
        known = KnownRoll(log, int(number), link, party, int(pulse), int(made))
    except (BadSignature, ValueError):
        return None
    found = next(iter(_link(known.log, known.number)), None)
    return None if found and urlsafe_b64encode(bytes(found[0])).decode()[:LETTERS] == known.link else known


def was_put_back(missing: KnownRoll, party: Party | None) -> bool:
    """Return True if a roll is missing because an older database was restored, and end the key in use.

    `party` is the current party of the sheet or table. A roll is also missing if its scene was deleted or the sheet has
    left the party; the key stays then: the party is another one, or its `pulse` is not lower than the page knew.
    """
    kind, _colon, uuid = missing.log.partition(":")
    if kind == "scene" and not Scene.objects.filter(uuid=uuid).exists() and (
            party is None or str(party.pk) != missing.party or party.pulse >= missing.pulse):
        return False
    _end_key_in_use(missing.made)
    return True


def _micros(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


def _end_key_in_use(made: int) -> None:
    """End the key in use as put back and begin a new one, unless it began after the missing roll was made.

    If it did, another page or the restore has ended the old key already, and the number is signed with a new key.
    """
    with transaction.atomic():
        key = RollKey.objects.select_for_update().get(pk=key_in_use().pk)
        if not key.ended and _micros(key.begins) <= made:
            end_key(key, PUT_BACK)
            key_in_use()


def _rolls_in_scene(place: Any, *, apart: bool) -> QuerySet[Receipt]:
    """Return the rolls of an open scene: with `apart` the one with the key `place`, else the main one of that party."""
    scene = {"scene": place} if apart else {"scene__party": place, "scene__apart": False}
    return Receipt.objects.filter(scene__ended=None, log__startswith="scene:", **scene).order_by("-number")


def _rolls_of(log: Any) -> QuerySet[Receipt]:
    return Receipt.objects.filter(log=log).order_by("-number")


@compiled
def _of_log(log: Any) -> QuerySet[Receipt, tuple]:
    return _rolls_of(log).values_list("log", "number", "link", "made")[:1]


@compiled
def _of_either(log: Any, place: Any, *, apart: bool) -> QuerySet[Receipt, tuple]:
    rolls = _rolls_in_scene(place, apart=apart), _rolls_of(log)
    last = Coalesce(*(Subquery(one.values("pk")[:1]) for one in rolls))
    return Receipt.objects.filter(pk=last).values_list("log", "number", "link", "made")


@compiled
def _link(log: Any, number: Any) -> QuerySet[Receipt, tuple]:
    return Receipt.objects.filter(log=log, number=number).values_list("link")
