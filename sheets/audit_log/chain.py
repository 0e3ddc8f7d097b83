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
from sheets.audit_log.appending import locked_head, store_entries
from sheets.audit_log.digests import digest
from sheets.audit_log.signing import mac as mac_of
from sheets.audit_log.signing import mac_of_revision, pseudonym, signature
from sheets.audit_log.standings import update_standing
from sheets.audit_log.stored import DEFERRED, READ_ERRORS, ChainFacts, count_unnumbered, odd_rows, paged, read_entries
from sheets.models import Head, Party, Reply, Review, Revision, Sheet
from sheets.models.reviews import APPROVED, ERASED
from sheets.progress import progress

COVERED = ("number", "kind", "sheet_key", "party_key", "revision_number", "seal", "house", "found", "words", "person",
           "before")
"""The fields that an entry's mac covers, besides the time when it was made.

`found` and `words` are the digests of what may be erased, `seen` and `said`.
"""
CODE_LENGTH = 10
"""The characters of a check code: 50 bits, too many to be guessed."""
BEHEADED = "0" * 64
"""The `before` of an entry that was added while the head was missing.

The first migration creates a head, so somebody must have deleted it.
"""


def code_of(mac: str) -> str:
    """Return the check code of an approval, with digits in place of O, I, L and U, which are easily misread."""
    return base64.b32encode(bytes.fromhex(mac))[:CODE_LENGTH].decode().translate(str.maketrans("OILU", "0189"))


def begin_chain() -> None:
    """Sign the head of a chain without entries, as the first migration does."""
    Head.objects.create(pk=1, signature=signature(0, ""))


def append(kind: str, user: User | None, *, sheet: Sheet | None = None, revision: Revision | None = None,
           seen: Data | None = None, said: Data | None = None) -> Review:
    """Add an entry; the caller is in a transaction and has locked the party and the sheet."""
    seen, said = ({"salt": secrets.token_hex(8), **content} if content else {} for content in (seen, said))
    entry = Review(kind=kind, person=pseudonym(user.pk if user else None), sheet_key=sheet.pk if sheet else None,
                   seen=seen, found=digest(seen), said=said, words=digest(said))
    if sheet and revision:
        entry.sheet, entry.by = sheet, user
        entry.party_id = entry.party_key = sheet.party_id
        entry.revision, entry.revision_number, entry.seal = revision, revision.number, revision.seal
        entry.house = digest({"house": revision.house})
    _append_entries([entry])
    if revision:
        update_standing(entry, revision.rules)
    return entry


def _append_entries(entries: list[Review]) -> None:
    # The first migration creates the head. If it is missing now, the `before` of the next entry shows that for good.
    head = next(iter(locked_head()), None) or Head.objects.create(pk=1, mac=BEHEADED)
    for entry in entries:
        entry.number, entry.made, entry.before = head.number + 1, timezone.now(), head.mac
        entry.mac = mac_of_entry(entry)
        entry.code = code_of(entry.mac) if entry.kind == APPROVED else None
        head.number, head.mac = entry.number, entry.mac
    store_entries(entries)
    head.signature = signature(head.number, head.mac)
    head.save()


def mac_of_entry(entry: Review) -> str:
    """Return the mac of an entry as it is now."""
    covered = {key: str(value) if (value := getattr(entry, key)) is not None else None for key in COVERED}
    return mac_of("entry", covered, entry.made.astimezone(UTC).isoformat())


def erase_sheets(sheets: Collection[UUID]) -> None:
    """Erase the findings and comments on sheets that are about to be deleted for good; an entry for each records it.

    Most sheets have none. The caller has locked the sheets.
    """
    entries = Review.objects.filter(sheet__in=sheets)
    if reviewed := sorted(entries.values_list("sheet", flat=True).distinct()):
        _append_entries([Review(kind=ERASED, person=pseudonym(None), sheet_key=key) for key in reviewed])
        Reply.objects.filter(entry__in=entries).delete()
        entries.update(seen={}, said={}, sheet=None, revision=None)


def erase_person(user: User) -> None:
    """Erase what a user wrote in reviews before their account is deleted; an entry records it."""
    # Their sheets are deleted next, so these are locked before the head.
    lock_rows(Sheet.objects.filter(owner=user).order_by("pk"))
    entries = Review.objects.filter(by=user)
    # They may have stored revisions of other people's sheets; these remain, without their name.
    if entries.exists() or Revision.objects.filter(author=user).exclude(sheet__owner=user).exists():
        append(ERASED, user)
        # Erase their comments, and the replies to these.
        Reply.objects.filter(entry__in=entries).delete()
        entries.update(said={}, by=None)


@dataclass(frozen=True)
class ChainFault:
    """A fault in the chain: the number of the entry, and a message that says what is wrong with it."""

    number: int
    message: str


def chain_faults(noted_head: str | None = None) -> Iterator[ChainFault]:
    """Yield everything that is broken or missing, in the order of the chain.

    The caller must run this in one snapshot of the database. If the head is missing or not validly signed, entries
    after the last one may be missing: this is reported with the number after the last entry. Faults of revisions that
    no entry refers to follow with the same number.
    `noted_head` is a head that somebody has noted elsewhere, "number:mac" (the beginning of the mac is enough). Anybody
    with the key and the database could write a new chain, but not one that contains this head.
    """
    # Parties that still exist although entries no longer refer to them.
    lost = Review.objects.filter(party=None).exclude(party_key=None)
    parties = set(Party.objects.filter(pk__in=lost.values("party_key")).values_list("pk", flat=True))
    facts = ChainFacts(_erased(Review.objects.all()), parties, odd_rows(Review), odd_rows(Revision))
    head, head_valid = _head()
    noted_number, mac_prefix = _parsed(noted_head)
    reached = noted_number == 0
    last = 0
    mac: str | None = ""
    for number, entry in progress(read_entries(Review.objects.all()), "reviews", Review.objects.count):
        if number > last + 1:
            yield ChainFault(last + 1, f"entries up to {number - 1} are missing")
        elif entry and mac is not None and entry.before != mac:
            yield ChainFault(number, "it does not follow the entry before it")
        yield from (ChainFault(number, message) for message in _entry_faults(entry, facts))
        if head and head_valid and last <= head.number < number:
            yield ChainFault(head.number + 1, "the head is of an earlier entry")
        last, mac = number, entry.mac if entry else None
        if number == noted_number:
            reached = True
            if not (mac and str(mac).startswith(mac_prefix)):
                yield ChainFault(number, f"it is another than in the head {noted_head}")
    yield from _head_faults(head, last, mac, head_valid=head_valid)
    if n_unnumbered := count_unnumbered():
        yield ChainFault(last + 1, f"entries without a whole number: {n_unnumbered}")
    yield from (ChainFault(last + 1, message) for message in _unreferenced_faults(facts))
    if noted_head and not reached:
        yield ChainFault(last + 1, f"the chain does not reach the head {noted_head}")


def _head() -> tuple[Head | None, bool]:
    """Return the head, and True if its signature is valid."""
    try:
        head = Head.objects.filter(pk=1).first()
        return head, bool(head and head.signature == signature(head.number, head.mac))
    except READ_ERRORS:
        return Head(), False


def _parsed(noted_head: str | None) -> tuple[int | None, str]:
    """Return the number and the beginning of the mac of a noted head, with None as the number of an invalid one.

    The head of an empty chain is "0:".
    """
    number, _colon, mac_prefix = (noted_head or "").partition(":")
    valid = number.isdecimal() and len(number) < 19 and bool(mac_prefix) == bool(int(number))
    return (int(number) if valid else None), mac_prefix


def flawed(entries: Collection[Review | None]) -> bool:
    """Return True if one of these entries, as `read_entries` returned them, has a fault.

    Missing entries are only found by checking the whole chain.
    """
    read = [one for one in entries if one]
    of_sheets = Review.objects.filter(sheet_key__in={one.sheet_key for one in read})
    gone_people = {one.person for one in read if one.by_id is None}
    gone_people |= {one.revision.person for one in read if one.revision and one.revision.author_id is None}
    of_people = Review.objects.filter(person__in=gone_people)
    parties = set(Party.objects.filter(pk__in={one.party_key for one in read}).values_list("pk", flat=True))
    facts = ChainFacts(_erased(of_sheets) | _erased(of_people), parties,
                       odd_rows(Review, [one.number for one in read]),
                       odd_rows(Revision, [one.revision.pk for one in read if one.revision]))
    return any(_entry_faults(one, facts) for one in entries)


def _erased(entries: QuerySet[Review]) -> dict[Any, int]:
    """Return {key of a sheet or person: number of the last entry that says that it is gone}.

    An entry that is not as it was signed does not count: what it would have explained is then reported as missing.
    """
    return {key: number for number, entry in read_entries(entries.filter(kind=ERASED))
            if entry and _sound(entry) for key in (entry.sheet_key, entry.person) if key}


def _sound(entry: Review) -> bool:
    try:
        return entry.mac == mac_of_entry(entry)
    except READ_ERRORS:
        return False


def _entry_faults(entry: Review | None, facts: ChainFacts) -> list[str]:
    """Return the faults of one entry."""
    if entry is None:
        return ["it cannot be read"]
    column = facts.odd_entries.get(entry.number)
    odd = [f"its {column} is not spelt as the program does"] if column else []
    try:
        return [*odd, *_field_faults(entry, facts)]
    except READ_ERRORS:
        return ["it holds what cannot be written"]


def _field_faults(entry: Review, facts: ChainFacts) -> Iterator[str]:
    if entry.mac != mac_of_entry(entry):
        yield "what it says is not what was signed"
    if entry.code != (code_of(entry.mac) if entry.kind == APPROVED else None):
        yield "its check code is another"
    sheet_gone, person_gone = (facts.erased.get(key, 0) > entry.number for key in (entry.sheet_key, entry.person))
    gone = sheet_gone or entry.kind == ERASED
    if digest(entry.seen) != entry.found and not (gone and entry.seen == {}):
        yield "what the rules said is not what was signed"
    if digest(entry.said) != entry.words and not ((gone or person_gone) and entry.said == {}):
        yield "its words are not what was signed"
    if entry.sheet_id != (None if gone else entry.sheet_key):
        yield "its sheet is missing or another"
    if entry.party_id != entry.party_key and (entry.party_id or entry.party_key in facts.parties):
        yield "its party is another"
    if pseudonym(entry.by_id) != entry.person and not (entry.by_id is None and (person_gone or entry.kind == ERASED)):
        yield "who did it is missing or another"
    if sheet_gone or not entry.seal:
        if entry.revision_id is not None:
            yield "its revision is another"
    else:
        yield from _sealed_revision_faults(entry, facts)


def _sealed_revision_faults(entry: Review, facts: ChainFacts) -> Iterator[str]:
    revision = entry.revision
    if revision is None or revision.sheet_id != entry.sheet_key or revision.number != entry.revision_number:
        yield "its revision is missing or another"
        return
    if revision.seal != entry.seal:
        yield f"revision {revision.number} is not what was sealed"
    yield from revision_faults(revision, entry.sheet.ruleset if entry.sheet else "", facts)


def revision_faults(revision: Revision, system: str, facts: ChainFacts) -> Iterator[str]:
    """Yield the faults of a revision itself; `system` is the slug of its sheet's system."""
    if column := facts.odd_revisions.get(revision.pk):
        yield f"the {column} of revision {revision.number} is not spelt as the program does"
    if revision.seal != sealed(system, revision.rules, revision.house, revision.name, revision.data):
        yield f"revision {revision.number} is not what was sealed"
    if revision.mac != mac_of_revision(revision):
        yield f"revision {revision.number} is not what was signed"
    erased = revision.author_id is None and revision.person in facts.erased
    if pseudonym(revision.author_id) != revision.person and not erased:
        yield f"who kept revision {revision.number} is missing or another"


def _unreferenced_faults(facts: ChainFacts) -> Iterator[str]:
    """Yield the faults of the revisions that no entry refers to, and the gaps between a sheet's revisions."""
    sheets = Revision.objects.values("sheet").annotate(n=Count("pk"), last=Max("number")).exclude(n=F("last"))
    try:
        yield from [f"sheet {one['sheet']} has {one['n']} revisions up to number {one['last']}"
                    for one in sheets.order_by("sheet")]
    except READ_ERRORS:
        yield "of some revisions nobody can read which sheet they are of"
    orphaned = Revision.objects.filter(~Exists(Sheet.objects.filter(pk=OuterRef("sheet"))))
    yield from (f"the revision with key {pk} is of no sheet that there is"
                for pk in orphaned.order_by("pk").values_list("pk", flat=True))
    for pk, revision in paged(Revision.objects.filter(reviews=None).select_related("sheet").defer(*DEFERRED), "pk"):
        try:
            found = list(revision_faults(revision, revision.sheet.ruleset, facts)) if revision else \
                ["it cannot be read"]
        except READ_ERRORS:
            found = ["it holds what cannot be written"]
        yield from (f"of the revision with key {pk}, which no entry names: {message}" for message in found)


def _head_faults(head: Head | None, last: int, mac: str | None, *, head_valid: bool) -> Iterator[ChainFault]:
    if head is None:
        yield ChainFault(last + 1, "the signed head is missing, and whatever came after")
    elif not head_valid:
        yield ChainFault(last + 1, "the head is not signed; nothing tells what came after")
    elif head.number > last:
        yield ChainFault(last + 1, f"the last {head.number - last} of {head.number} entries are missing")
    elif head.number == last and head.mac != mac:
        yield ChainFault(last, "it is another than in the head")
