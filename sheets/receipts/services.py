"""Signing rolls: the key in use, and the receipts of rolls, which are numbered before their dice are thrown."""

import hashlib
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from django.db import IntegrityError, transaction
from django.db.models import QuerySet, Subquery
from django.utils import timezone

from rulesets.dice import RealTray
from rulesets.kit import Act, FreeRoll, Roll, Ruleset
from rulesets.signed_dice import source_of
from sheets.models import Event, Receipt, RollKey
from sheets.models.compiled_queries import compiled, insert
from sheets.models.receipts import TIME
from sheets.models.scene_numbers import number_events
from sheets.receipts import keys
from sheets.receipts.messages import NO_LINK, encode, link_after, message, unsigned_message

KEY_LIFETIME = timedelta(days=90)
"""The time for which a key is in use."""
AHEAD = timedelta(days=1)
"""The time for which a key is published before it is used."""
LARGEST = 2**53
"""Integers of at least this absolute value have no canonical JSON."""


def key_in_use() -> RollKey:
    """Return the key that signs now; make the first key if there is none, and the next one when it is due."""
    return _in_use(_open_keys())


def _in_use(found: Sequence[RollKey]) -> RollKey:
    """Return the open key that signs now; make it if there is none, make the next one when it is due, end old ones."""
    now = timezone.now()
    used = next((one for one in reversed(found) if one.begins <= now < one.until), None)
    if used is None:
        used = make_key(begins=now)
    elif used == found[-1] and used.until - AHEAD <= now:
        # The next key is published now, and used once the current one ends.
        make_key(begins=used.until)
    for one in found:
        if one.until <= now:
            end_key(one, TIME)
    return used


@compiled
def _open_keys() -> QuerySet[RollKey]:
    return _open()


@compiled
def _open_keys_and_last(log: Any) -> QuerySet[RollKey]:
    """Return the open keys, annotated with the number and link of a log's last roll as `last` and `link`."""
    last = Receipt.objects.filter(log=log).order_by("-number")
    return _open().annotate(last=Subquery(last.values("number")[:1]), link=Subquery(last.values("link")[:1]))


def _open() -> QuerySet[RollKey]:
    return RollKey.objects.filter(ended="").order_by("number").only("number", "identity", "begins", "until")


def make_key(*, begins: datetime) -> RollKey:
    """Make, store and return the next key, or return the one that another process has stored meanwhile."""
    before, private = RollKey.objects.order_by("-number").first(), keys.make()
    der = keys.der_of(private.public_key())
    key = RollKey(identity=keys.key_id(der), number=before.number + 1 if before else 1, spki=keys.published(der),
                  proof=keys.proof_of(private), sealed=keys.seal(private), begins=begins, until=begins + KEY_LIFETIME,
                  before=before)
    try:
        with transaction.atomic():
            key.save(force_insert=True)
    except IntegrityError:
        return RollKey.objects.get(number=key.number)
    return key


def end_key(key: RollKey, why: str) -> None:
    """End a key: delete its private half, so that it signs nothing any more."""
    key.ended, key.sealed, key.until = why, None, min(key.until, timezone.now())
    key.save(update_fields=["ended", "sealed", "until"])


@lru_cache(4)
def _private(identity: str) -> RSAPrivateKey:
    return keys.unseal(bytes(RollKey.objects.get(identity=identity).sealed or b""), identity)


@dataclass(frozen=True)
class Rolling:
    """A roll that is about to be made: `act` is the act that rolls, if any; `at` are the keys of the targets' sheets.

    Parameters in `veiled` are secret, and never written into the receipt.
    """

    ruleset: Ruleset
    roll: Roll
    act: Act | None = None
    at: Collection[str] = ()
    veiled: Collection[str] = ()
    before: Event | None = None
    """The roll that it repeats, or whose dice are compared with one more target."""
    kept: Collection[int] = ()
    """The positions of dice that are not thrown again."""

    def rolled(self, event: Event) -> dict[str, Any]:
        """Return the description of the roll that is signed, as JSON data."""
        found: dict[str, Any] = {"formula": self.roll.formula} if isinstance(self.roll, FreeRoll) else self._by_rules()
        if event.scene_id:
            found |= {"by": str(event.sheet_id or ""), "at": sorted(self.at)}
        if self.before and (receipt := Receipt.objects.filter(event=self.before).first()):
            found["again"] = receipt.number
        if self.kept:
            found["kept"] = sorted(self.kept)
        return found

    def _by_rules(self) -> dict[str, Any]:
        made = self.roll if self.act is None else self.act
        return {"ruleset": self.ruleset.slug, "rules": self.ruleset.version,
                "roll" if self.act is None else "act": made.slug,
                "parameters": {name: None if name in self.veiled else _plain(value)
                               for name, value in made.model_dump(mode="json").items()}}


def open_receipt(event: Event, rolling: Rolling, *, nonce: str = "", opens: bool = False,
                 by_hand: bool = False) -> RealTray:
    """Number a roll in its log and sign it, unless it is thrown `by_hand`; return the tray that yields its dice.

    The sheet or its party is locked. `event` is unsaved, and is put into the open scene of its party; with `opens`, a
    scene is opened if there is none. Without a `nonce` from the roller's browser, the server makes one.
    """
    number_events([event], [event], opens=opens)
    receipt = Receipt(made_by=event.who)
    if event.scene is None:
        receipt.log, receipt.sheet_id, number = f"sheet:{event.sheet_id}", event.sheet_id, None
    elif event.hidden:
        receipt.log, receipt.scene, number = f"hidden:{event.scene.uuid}", event.scene, event.hidden_number
    else:
        receipt.log, receipt.scene, number = f"scene:{event.scene.uuid}", event.scene, event.number
    receipt.rolled = rolling.rolled(event)
    event.opened = receipt
    if by_hand:
        _number_unsigned(receipt, number)
        return RealTray()
    return sign(receipt, nonce, number)


def _number_unsigned(receipt: Receipt, number: int | None) -> None:
    """Number the receipt of a roll thrown by hand, link it to its log, and store it."""
    last = Receipt.objects.filter(log=receipt.log).order_by("-number").first()
    before, link = (last.number, bytes(last.link)) if last else (0, NO_LINK)
    receipt.number, receipt.by_hand = before + 1 if number is None else number, True
    link = _linked(receipt.log, before, link, receipt.number)
    receipt.link = link_after(link, unsigned_message(receipt.log, receipt.number, receipt.rolled))
    receipt.token = encode(secrets.token_bytes(16))
    insert(receipt)


def _linked(log: str, before: int, link: bytes, number: int) -> bytes:
    """Return the link before a number; rolls made before there were receipts also count in the chain."""
    for past in range(before + 1, number):
        link = link_after(link, unsigned_message(log, past, None))
    return link


def sign(receipt: Receipt, nonce: str = "", number: int | None = None) -> RealTray:
    """Sign an unsaved receipt and store it; return the tray that yields its dice.

    The log is locked. `number` is its number there, by default the next one. Without a `nonce` the server makes one.
    """
    found = _open_keys_and_last(receipt.log)
    receipt.key = _in_use(found)
    # Without an open key, the query returned no row; now there is one.
    found = found or _open_keys_and_last(receipt.log)
    before, link = found[0].last or 0, bytes(found[0].link or NO_LINK)
    receipt.number = before + 1 if number is None else number
    link = _linked(receipt.log, before, link, receipt.number)
    receipt.nonce_by, receipt.nonce = ("roller", nonce) if nonce else ("server", encode(secrets.token_bytes(16)))
    text = message(receipt.key.identity, receipt.log, receipt.number, receipt.nonce, receipt.rolled or {})
    receipt.signature = keys.sign(_private(receipt.key.identity), text)
    receipt.link = link_after(link, text, receipt.signature)
    receipt.token = receipt.token or encode(secrets.token_bytes(16))
    insert(receipt)
    return RealTray(source_of(receipt.signature))


def remove_receipts(events: QuerySet[Event]) -> None:
    """Erase everything except log, number and link from the receipts of events that are deleted."""
    for receipt in Receipt.objects.filter(event__in=events).only("token"):
        Receipt.objects.filter(pk=receipt.pk).update(
            event=None, key=None, nonce="", nonce_by="", rolled=None, signature=None, dice=[], by_hand=False,
            shared=False, token=removed_token(receipt.token), made_by=None)


def removed_token(token: str) -> str:
    """Return the text that replaces the token of a removed roll: its SHA-256 in base64url."""
    return encode(hashlib.sha256(token.encode()).digest())


def _plain(value: Any) -> Any:
    """Return a JSON value in which integers that are too large for canonical JSON are strings."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, int) and abs(value) >= LARGEST else value
