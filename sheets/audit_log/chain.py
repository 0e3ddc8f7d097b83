"""The chain of reviews: each entry vouches for the one before it, the head for the last; every fault is reported."""

import base64
import secrets
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Count, Exists, F, Max, OuterRef, QuerySet
from django.utils import timezone

from rulesets.document import sealed
from rulesets.kit import Data
from sheets.access import lock_rows
from sheets.audit_log.digests import digest
from sheets.audit_log.signing import mac as mac_of
from sheets.audit_log.signing import mac_of_revision, person, signature
from sheets.audit_log.standings import keep_standing
from sheets.audit_log.stored import UNREAD, UNREADABLE, Known, oddly_stored, paged, read_entries, unnumbered
from sheets.models import Head, Party, Reply, Review, Revision, Sheet
from sheets.models.reviews import APPROVED, ERASED
from sheets.progress import progress

COVERED = ("number", "kind", "sheet_key", "party_key", "revision_number", "seal", "house", "found", "words", "person",
           "before")
"""The fields that an entry's mac covers, besides the moment when it was made."""
LETTERS = 10
"""Letters of a check code: 50 bits, too many to be guessed."""
BEHEADED = "0" * 64
"""The predecessor of an entry that found no head, though there is one from the first migration on."""


def code_of(mac: str) -> str:
    """Return the check code of an approval, without the letters that look like digits."""
    return base64.b32encode(bytes.fromhex(mac))[:LETTERS].decode().translate(str.maketrans("OILU", "0189"))


def begin() -> None:
    """Sign the head of a chain without entries, as the first migration does."""
    Head.objects.create(pk=1, signature=signature(0, ""))


def append(kind: str, user: User | None, *, sheet: Sheet | None = None, revision: Revision | None = None,
           seen: Data | None = None, said: Data | None = None) -> Review:
    """Add an entry; the caller is in a transaction and holds the party and the sheet."""
    seen, said = ({"salt": secrets.token_hex(8), **words} if words else {} for words in (seen, said))
    entry = Review(kind=kind, person=person(user.pk if user else None), sheet_key=sheet.pk if sheet else None,
                   seen=seen, found=digest(seen), said=said, words=digest(said))
    if sheet and revision:
        entry.sheet, entry.by = sheet, user
        entry.party_id = entry.party_key = sheet.party_id
        entry.revision, entry.revision_number, entry.seal = revision, revision.number, revision.seal
        entry.house = digest({"house": revision.house})
    _put_at_the_end([entry])
    if revision:
        keep_standing(entry, revision.rules)
    return entry


def _put_at_the_end(entries: list[Review]) -> None:
    # A migration has begun the chain; one that begins without a head stays marked by what its first entry follows.
    head, _made = Head.objects.select_for_update().get_or_create(pk=1, defaults={"mac": BEHEADED})
    for entry in entries:
        entry.number, entry.made, entry.before = head.number + 1, timezone.now(), head.mac
        entry.mac = _signed(entry)
        entry.code = code_of(entry.mac) if entry.kind == APPROVED else None
        head.number, head.mac = entry.number, entry.mac
    Review.objects.bulk_create(entries)
    head.signature = signature(head.number, head.mac)
    head.save()


def _signed(entry: Review) -> str:
    covered = {key: str(value) if (value := getattr(entry, key)) is not None else None for key in COVERED}
    return mac_of("entry", covered, entry.made.astimezone(UTC).isoformat())


def erase_sheets(sheets: Collection[UUID]) -> None:
    """Erase what was said of sheets before they are deleted for good, by the rules or others; an entry of each says so.

    For most sheets there is nothing to erase. The caller holds them.
    """
    entries = Review.objects.filter(sheet__in=sheets)
    if reviewed := sorted(entries.values_list("sheet", flat=True).distinct()):
        nobody = person(None)
        _put_at_the_end([Review(kind=ERASED, person=nobody, sheet_key=key) for key in reviewed])
        Reply.objects.filter(entry__in=entries).delete()
        entries.update(seen={}, said={}, sheet=None, revision=None)


def erase_person(user: User) -> None:
    """Erase what a user wrote in reviews before their account ends; an entry says so."""
    # Their sheets go next; they are held before the head is.
    lock_rows(Sheet.objects.filter(owner=user).order_by("pk"))
    entries = Review.objects.filter(by=user)
    # Of others' sheets they may have kept revisions, which outlast them without their name.
    if entries.exists() or Revision.objects.filter(author=user).exclude(sheet__owner=user).exists():
        append(ERASED, user)
        # What they said is gone, and so is what was answered.
        Reply.objects.filter(entry__in=entries).delete()
        entries.update(said={}, by=None)


@dataclass(frozen=True)
class ChainFault:
    """A fault in the chain: the number of the entry, and its difference from what was written."""

    number: int
    what: str


def chain_faults(noted: str | None = None) -> Iterator[ChainFault]:
    """Yield everything that is broken or missing, in the order of the chain; the caller reads it as of one moment.

    A head that vouches for nothing is reported with the number after the last entry: anything after it may be missing;
    revisions that no entry names come after it, under the same number.
    `noted` is a head from outside, "number:mac" (the mac's beginning will do): who holds the key and the database could
    write a whole new chain, but none that holds this.
    """
    # Parties that entries have lost and that are there all the same.
    lost = Review.objects.filter(party=None).exclude(party_key=None)
    parties = set(Party.objects.filter(pk__in=lost.values("party_key")).values_list("pk", flat=True))
    known = Known(_erased(Review.objects.all()), parties, oddly_stored(Review), oddly_stored(Revision))
    head, vouched = _head()
    asked, begins = _parsed(noted)
    held = asked == 0
    last = 0
    mac: str | None = ""
    for number, entry in progress(read_entries(Review.objects.all()), "reviews", Review.objects.count):
        if number > last + 1:
            yield ChainFault(last + 1, f"entries up to {number - 1} are missing")
        elif entry and mac is not None and entry.before != mac:
            yield ChainFault(number, "it does not follow the entry before it")
        yield from (ChainFault(number, what) for what in _wrong(entry, known))
        if head and vouched and last <= head.number < number:
            yield ChainFault(head.number + 1, "the head is of an earlier entry")
        last, mac = number, entry.mac if entry else None
        if number == asked:
            held = True
            if not (mac and str(mac).startswith(begins)):
                yield ChainFault(number, f"it is another than in the head {noted}")
    yield from _at_the_end(head, last, mac, vouched=vouched)
    if nowhere := unnumbered():
        yield ChainFault(last + 1, f"entries without a whole number: {nowhere}")
    yield from (ChainFault(last + 1, what) for what in _unnamed(known))
    if noted and not held:
        yield ChainFault(last + 1, f"the chain does not reach the head {noted}")


def _head() -> tuple[Head | None, bool]:
    """Return the head, and whether it is signed."""
    try:
        head = Head.objects.filter(pk=1).first()
        return head, bool(head and head.signature == signature(head.number, head.mac))
    except UNREADABLE:
        return Head(), False


def _parsed(noted: str | None) -> tuple[int | None, str]:
    """Return number and beginning of a head from outside; no head holds an invalid one. An empty chain's is "0:"."""
    number, _colon, begins = (noted or "").partition(":")
    well = number.isdecimal() and len(number) < 19 and bool(begins) == bool(int(number))
    return (int(number) if well else None), begins


def flawed(entries: Collection[Review | None]) -> bool:
    """Return True if one of these entries, as `read_entries` returned them, is not as it was written.

    Missing entries are only found by checking the whole chain.
    """
    read = [one for one in entries if one]
    of_sheets = Review.objects.filter(sheet_key__in={one.sheet_key for one in read})
    gone = {one.person for one in read if one.by_id is None}
    gone |= {one.revision.person for one in read if one.revision and one.revision.author_id is None}
    of_people = Review.objects.filter(person__in=gone)
    parties = set(Party.objects.filter(pk__in={one.party_key for one in read}).values_list("pk", flat=True))
    known = Known(_erased(of_sheets) | _erased(of_people), parties,
                  oddly_stored(Review, [one.number for one in read]),
                  oddly_stored(Revision, [one.revision.pk for one in read if one.revision]))
    return any(what for one in entries for what in _wrong(one, known))


def _erased(entries: QuerySet[Review]) -> dict[Any, int]:
    """Return {key of a sheet or person: number of the last entry that says that it is gone}.

    An entry that is not as it was signed does not count: what it excused is then missing.
    """
    return {key: number for number, entry in read_entries(entries.filter(kind=ERASED))
            if entry and _sound(entry) for key in (entry.sheet_key, entry.person) if key}


def _sound(entry: Review) -> bool:
    try:
        return entry.mac == _signed(entry)
    except UNREADABLE:
        return False


def _wrong(entry: Review | None, known: Known) -> list[str]:
    """Return the faults of one entry."""
    if entry is None:
        return ["it cannot be read"]
    column = known.entries.get(entry.number)
    odd = [f"its {column} is not spelt as the program does"] if column else []
    try:
        return [*odd, *_differing(entry, known)]
    except UNREADABLE:
        return ["it holds what cannot be written"]


def _differing(entry: Review, known: Known) -> Iterator[str]:
    if entry.mac != _signed(entry):
        yield "what it says is not what was signed"
    if entry.code != (code_of(entry.mac) if entry.kind == APPROVED else None):
        yield "its check code is another"
    sheet_gone, person_gone = (known.erased.get(key, 0) > entry.number for key in (entry.sheet_key, entry.person))
    gone = sheet_gone or entry.kind == ERASED
    if digest(entry.seen) != entry.found and not (gone and entry.seen == {}):
        yield "what the rules said is not what was signed"
    if digest(entry.said) != entry.words and not ((gone or person_gone) and entry.said == {}):
        yield "its words are not what was signed"
    if entry.sheet_id != (None if gone else entry.sheet_key):
        yield "its sheet is missing or another"
    if entry.party_id != entry.party_key and (entry.party_id or entry.party_key in known.parties):
        yield "its party is another"
    if person(entry.by_id) != entry.person and not (entry.by_id is None and (person_gone or entry.kind == ERASED)):
        yield "who did it is missing or another"
    if sheet_gone or not entry.seal:
        if entry.revision_id is not None:
            yield "its revision is another"
    else:
        yield from _revision_faults(entry, known)


def _revision_faults(entry: Review, known: Known) -> Iterator[str]:
    revision = entry.revision
    if revision is None or revision.sheet_id != entry.sheet_key or revision.number != entry.revision_number:
        yield "its revision is missing or another"
        return
    if revision.seal != entry.seal:
        yield f"revision {revision.number} is not what was sealed"
    yield from untrue(revision, entry.sheet.ruleset if entry.sheet else "", known)


def untrue(revision: Revision, system: str, known: Known) -> Iterator[str]:
    """Yield the faults of a revision of a sheet of a system."""
    if column := known.revisions.get(revision.pk):
        yield f"the {column} of revision {revision.number} is not spelt as the program does"
    if revision.seal != sealed(system, revision.rules, revision.house, revision.name, revision.data):
        yield f"revision {revision.number} is not what was sealed"
    if revision.mac != mac_of_revision(revision):
        yield f"revision {revision.number} is not what was signed"
    erased = revision.author_id is None and revision.person in known.erased
    if person(revision.author_id) != revision.person and not erased:
        yield f"who kept revision {revision.number} is missing or another"


def _unnamed(known: Known) -> Iterator[str]:
    """Yield the faults of the revisions that no entry names, and the gaps between a sheet's revisions."""
    sheets = Revision.objects.values("sheet").annotate(n=Count("pk"), last=Max("number")).exclude(n=F("last"))
    try:
        yield from [f"sheet {one['sheet']} has {one['n']} revisions up to number {one['last']}"
                    for one in sheets.order_by("sheet")]
    except UNREADABLE:
        yield "of some revisions nobody can read which sheet they are of"
    nowhere = Revision.objects.filter(~Exists(Sheet.objects.filter(pk=OuterRef("sheet"))))
    yield from (f"the revision with key {pk} is of no sheet that there is"
                for pk in nowhere.order_by("pk").values_list("pk", flat=True))
    for pk, revision in paged(Revision.objects.filter(reviews=None).select_related("sheet").defer(*UNREAD), "pk"):
        try:
            found = list(untrue(revision, revision.sheet.ruleset, known)) if revision else ["it cannot be read"]
        except UNREADABLE:
            found = ["it holds what cannot be written"]
        yield from (f"of the revision with key {pk}, which no entry names: {what}" for what in found)


def _at_the_end(head: Head | None, last: int, mac: str | None, *, vouched: bool) -> Iterator[ChainFault]:
    if head is None:
        yield ChainFault(last + 1, "the signed head is missing, and whatever came after")
    elif not vouched:
        yield ChainFault(last + 1, "the head is not signed; nothing tells what came after")
    elif head.number > last:
        yield ChainFault(last + 1, f"the last {head.number - last} of {head.number} entries are missing")
    elif head.number == last and head.mac != mac:
        yield ChainFault(last, "it is another than in the head")
