"""The chain of reviews: each entry vouches for the one before it, the head for the last; what is otherwise is named."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from django.conf import settings
from django.utils import timezone

from rulesets.document import canonical, sealed
from sheets.models import Head, Party, Review, Revision, Sheet
from sheets.reviews.models import APPROVED, ERASED, SUBMITTED

COVERED = ("number", "kind", "sheet_key", "party_key", "revision_number", "seal", "house", "found", "words", "person",
           "before")
"""What an entry's mac covers, beside the moment that it was made."""
LETTERS = 10
"""Of a check code: 50 bits, too many to be guessed."""


def _mac(*parts: Any) -> str:
    return hmac.new(settings.REVIEW_KEY.encode(), canonical(parts), hashlib.sha256).hexdigest()


def person(pk) -> str:
    """What stands for somebody in the chain: nobody finds out whom without the key, and nobody once they are gone."""
    return _mac("person", str(pk))[:32] if pk else ""


def digest(words: dict) -> str:
    """What stands for words that may be erased; their salt goes with them, so that nobody finds them by trying."""
    return hashlib.sha256(canonical(words)).hexdigest() if words else ""


def code_of(mac: str) -> str:
    """The check code of an approval, without the letters that look like digits."""
    return base64.b32encode(bytes.fromhex(mac))[:LETTERS].decode().translate(str.maketrans("OILU", "0189"))


def append(kind: str, by, *, sheet: Sheet | None = None, revision: Revision | None = None,
           seen: dict | None = None, said: dict | None = None) -> Review:
    """Adds an entry; whoever calls is in a transaction and holds the party and the sheet."""
    head, _made = Head.objects.select_for_update().get_or_create(pk=1)
    seen, said = ({"salt": secrets.token_hex(8), **words} if words else {} for words in (seen, said))
    entry = Review(number=head.number + 1, kind=kind, made=timezone.now(), before=head.mac, person=person(by and by.pk),
                   sheet_key=sheet and sheet.pk, seen=seen, found=digest(seen), said=said, words=digest(said))
    if kind != ERASED:
        entry.sheet, entry.by = sheet, by
        entry.party_id = entry.party_key = sheet.party_id
        entry.revision, entry.revision_number, entry.seal = revision, revision.number, revision.seal
        entry.house = digest({"house": revision.house})
    entry.mac = _signed(entry)
    entry.code = code_of(entry.mac) if kind == APPROVED else None
    entry.save(force_insert=True)
    head.number, head.mac = entry.number, entry.mac
    head.signature = _mac("head", head.number, head.mac)
    head.save()
    return entry


def _signed(entry: Review) -> str:
    covered = {key: str(value) if (value := getattr(entry, key)) is not None else None for key in COVERED}
    return _mac("entry", covered, entry.made.astimezone(UTC).isoformat())


def erase_sheet(sheet: Sheet) -> None:
    """Before a sheet is gone for good: what the rules and others said of it goes, and an entry says so."""
    entries = Review.objects.filter(sheet=sheet)
    if entries.exists():
        append(ERASED, None, sheet=sheet)
        entries.update(seen={}, said={}, sheet=None, revision=None)


def erase_person(user) -> None:
    """Before an account ends: what its owner wrote in reviews goes, and an entry says so."""
    entries = Review.objects.filter(by=user)
    if entries.exists():
        append(ERASED, user)
        entries.update(said={}, by=None)


@dataclass(frozen=True)
class Fault:
    """What is not as it was written: the number of the entry, and what about it."""

    number: int
    what: str


def faults(noted: str | None = None) -> Iterator[Fault]:
    """Everything that is broken or missing, in the order of the chain.

    `noted` is a head from outside, "number:mac" (the mac's beginning will do): who holds the key and the database could
    write a whole new chain, but none that holds this.
    """
    erased = {key: number for number, *keys in Review.objects.filter(kind=ERASED).order_by("number").values_list(
        "number", "sheet_key", "person") for key in keys if key}
    parties = set(Party.objects.values_list("pk", flat=True))
    last, mac = 0, ""
    entries = Review.objects.select_related("sheet", "revision").order_by("number")
    for entry in entries.iterator(chunk_size=500):
        if entry.number != last + 1:
            yield Fault(last + 1, f"entries up to {entry.number - 1} are missing")
        elif entry.before != mac:
            yield Fault(entry.number, "it does not follow the entry before it")
        yield from (Fault(entry.number, what) for what in _wrong(entry, erased, parties))
        last, mac = entry.number, entry.mac
    yield from _at_the_end(last, mac)
    if noted:
        number, _colon, begins = noted.partition(":")
        kept = Review.objects.filter(number=number).first() if number.isdecimal() and len(number) < 19 else None
        if not begins or kept is None or not kept.mac.startswith(begins):
            yield Fault(kept.number if kept else last + 1, f"the chain does not hold the head {noted}")


def _wrong(entry: Review, erased: dict, parties: set) -> Iterator[str]:
    if not hmac.compare_digest(entry.mac, _signed(entry)):
        yield "what it says is not what was signed"
    if entry.code != (code_of(entry.mac) if entry.kind == APPROVED else None):
        yield "its check code is another"
    sheet_gone, person_gone = (erased.get(key, 0) > entry.number for key in (entry.sheet_key, entry.person))
    gone = sheet_gone or entry.kind == ERASED
    if digest(entry.seen) != entry.found and not (gone and not entry.seen):
        yield "what the rules said is not what was signed"
    if digest(entry.said) != entry.words and not ((gone or person_gone) and not entry.said):
        yield "its words are not what was signed"
    if entry.sheet_id != (None if gone else entry.sheet_key):
        yield "its sheet is missing or another"
    if entry.party_id != entry.party_key and (entry.party_id or entry.party_key in parties):
        yield "its party is another"
    if person(entry.by_id) != entry.person and not (entry.by_id is None and (person_gone or entry.kind == ERASED)):
        yield "who did it is missing or another"
    if entry.seal and not sheet_gone:
        yield from _not_sealed(entry)


def _not_sealed(entry: Review) -> Iterator[str]:
    kept = entry.revision
    if kept is None or kept.sheet_id != entry.sheet_key or kept.number != entry.revision_number:
        yield "its revision is missing or another"
    elif sealed(entry.sheet.ruleset if entry.sheet else "", kept.rules, kept.house, kept.name, kept.data) != entry.seal:
        yield f"revision {kept.number} is not what was sealed"


def _at_the_end(last: int, mac: str) -> Iterator[Fault]:
    head = Head.objects.filter(pk=1).first()
    if head is None:
        if last or Revision.objects.filter(kind=SUBMITTED).exists():
            yield Fault(last + 1, "the signed head is missing, and whatever came after")
    elif (head.number or head.mac) and head.signature != _mac("head", head.number, head.mac):
        yield Fault(last + 1, "the head is not signed")
    elif head.number > last:
        yield Fault(last + 1, f"the last {head.number - last} of {head.number} entries are missing")
    elif (head.number, head.mac) != (last, mac):
        yield Fault(head.number + 1, "the head is of an earlier entry")
