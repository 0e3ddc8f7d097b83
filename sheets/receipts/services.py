"""Signing rolls: the key in use, and the receipt of a roll, which is numbered before its dice fall."""

import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from django.db import IntegrityError, transaction
from django.utils import timezone

from rulesets.dice import Die, RealTray
from rulesets.kit import Act, Roll, Ruleset
from sheets.models import Event, Receipt, RollKey
from sheets.models.receipts import TIME
from sheets.receipts import keys
from sheets.receipts.messages import NO_LINK, encode, link_after, message, unsigned_message
from sheets.receipts.signed_dice import source_of
from sheets.scenes.log import enter_roll

LASTS = timedelta(days=90)
"""The time for which a key is in use."""
AHEAD = timedelta(days=1)
"""The time for which a key is published before its use."""
LARGEST = 2**53
"""Whole numbers from here on have no canonical JSON."""


def key_in_use() -> RollKey:
    """Return the key that signs now; make the first one, or the next one when it is due."""
    now = timezone.now()
    found = list(RollKey.objects.filter(ended="").order_by("number"))
    used = next((one for one in reversed(found) if one.begins <= now < one.until), None)
    if used is None:
        used = make_key(begins=now)
    elif used == found[-1] and used.until - AHEAD <= now:
        # It is published now, and used when the present one ends.
        make_key(begins=used.until)
    for one in found:
        if one.until <= now:
            end_key(one, TIME)
    return used


def make_key(*, begins: datetime) -> RollKey:
    """Make and store the next key; return the one that another process made meanwhile, if there is one."""
    before, private = RollKey.objects.order_by("-number").first(), keys.make()
    der = keys.der_of(private.public_key())
    key = RollKey(id=keys.key_id(der), number=before.number + 1 if before else 1, spki=keys.published(der),
                  proof=keys.proof_of(private), sealed=keys.seal(private), begins=begins, until=begins + LASTS,
                  before=before)
    try:
        with transaction.atomic():
            key.save(force_insert=True)
    except IntegrityError:
        return RollKey.objects.get(number=key.number)
    return key


def end_key(key: RollKey, why: str) -> None:
    """End a key: its private half is deleted, and it signs nothing any more."""
    key.ended, key.sealed, key.until = why, None, min(key.until, timezone.now())
    key.save(update_fields=["ended", "sealed", "until"])


@lru_cache(4)
def _private(sealed: bytes, identity: str) -> RSAPrivateKey:
    return keys.unseal(sealed, identity)


@dataclass(frozen=True)
class Rolling:
    """A roll that is about to be made: `act` is the act that rolls, if one does; `at` are the sheets aimed at.

    Parameters in `veiled` are secret, and left out of the receipt for ever.
    """

    ruleset: Ruleset
    roll: Roll
    act: Act | None = None
    at: Collection[str] = ()
    veiled: Collection[str] = ()
    before: Event | None = None
    """The roll that it repeats, or whose dice are compared with one more target."""

    def rolled(self, event: Event) -> dict[str, Any]:
        """Return what is signed of the roll."""
        made = self.roll if self.act is None else self.act
        found: dict[str, Any] = {
            "ruleset": self.ruleset.slug, "rules": self.ruleset.version,
            "roll" if self.act is None else "act": made.slug,
            "parameters": {name: None if name in self.veiled else _plain(value)
                           for name, value in made.model_dump(mode="json").items()}}
        if event.scene_id:
            found |= {"by": str(event.sheet_id or ""), "at": sorted(self.at)}
        if self.before and (receipt := Receipt.objects.filter(event=self.before).first()):
            found["again"] = receipt.number
        return found


def open_receipt(event: Event, rolling: Rolling, *, nonce: str = "", opens: bool = False) -> RealTray:
    """Number a roll in its log and sign it; return the tray in which its dice fall.

    The sheet, or its party, is locked. `event` is unsaved; it enters the open scene of its party (one is opened with
    `opens`). Without a `nonce` of the roller's browser the server makes one.
    """
    log, number, link = _place(event, enter_roll(event, opens=opens))
    rolled, key = rolling.rolled(event), key_in_use()
    by, nonce = ("roller", nonce) if nonce else ("server", encode(secrets.token_bytes(16)))
    text = message(key.pk, log, number, nonce, rolled)
    signature = keys.sign(_private(bytes(key.sealed or b""), key.pk), text)
    event.opened = Receipt.objects.create(
        log=log, number=number, link=link_after(link, text, signature), key=key, nonce=nonce, nonce_by=by,
        rolled=rolled, signature=signature, token=encode(secrets.token_bytes(16)))
    return RealTray(source_of(signature))


def note_dice(event: Event, dice: Iterable[Die]) -> None:
    """Write the dice that fell into the receipt of an event, if it has one."""
    if event.opened:
        event.opened.dice = [[one.first, one.last, one.face, *([True] if one.kept else [])] for one in dice]


def _place(event: Event, scene: UUID | None) -> tuple[str, int, bytes]:
    """Return (log, number, link before it) of a roll that has entered its scene, or of one that is in none."""
    if scene is None:
        log, number = f"sheet:{event.sheet_id}", None
    elif event.hidden:
        log, number = f"hidden:{scene}", event.hidden_number
    else:
        log, number = f"scene:{scene}", event.number
    last = Receipt.objects.filter(log=log).order_by("-number").only("number", "link").first()
    before, link = (last.number, bytes(last.link)) if last else (0, NO_LINK)
    if number is None:
        return log, before + 1, link
    # Rolls made before there were receipts have a place and a link, too.
    for past in range(before + 1, number):
        link = link_after(link, unsigned_message(log, past, None))
    return log, number, link


def _plain(value: Any) -> Any:
    """Return a value of JSON with whole numbers that are too large for canonical JSON as text."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, int) and abs(value) >= LARGEST else value
