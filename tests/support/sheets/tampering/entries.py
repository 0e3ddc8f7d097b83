"""Ways to tamper with the entries themselves and with the head."""

import secrets
from datetime import timedelta

from django.test import override_settings

from sheets.audit_log import chain
from sheets.audit_log.signing import signature
from sheets.models import Head, Review, Revision
from sheets.models.reviews import APPROVED, ERASED
from tests.support.sheets.tampering.ways import FAR, first, tampering


@tampering
def bound_to_another_revision(rng, entries):
    """An approval is bound to what the player has now, consistently in every column that says to what."""
    entry = rng.choice([one for one in entries if one.kind == APPROVED and one.sheet_id])
    there = Revision.objects.filter(sheet=entry.sheet_id).exclude(pk=entry.revision_id).first()
    if there is None:
        return None
    Review.objects.filter(pk=entry.pk).update(revision=there, revision_number=there.number, seal=there.seal)
    return entry.number


@tampering
def decided_by_another(rng, entries):
    """Somebody else has done it, by row and by what stands for them."""
    entry = rng.choice([one for one in entries if one.by_id])
    by = rng.choice([one.by_id for one in entries if one.by_id and one.by_id != entry.by_id])
    Review.objects.filter(pk=entry.pk).update(by=by, person=chain.pseudonym(by))
    return entry.number


@tampering
def numbers_swapped(rng, entries):
    """Two entries change places."""
    one, two = rng.sample(entries, 2)
    for number, to in ((one.number, FAR), (two.number, one.number), (FAR, two.number)):
        Review.objects.filter(number=number).update(number=to)
    return min(first(one, entries), first(two, entries))


@tampering
def contents_swapped(rng, entries):
    """Two entries exchange what they say and are signed with."""
    one, two = rng.sample(entries, 2)
    names = [field.attname for field in Review._meta.concrete_fields if field.attname != "number"]
    whole = {entry.number: {name: getattr(entry, name) for name in names} for entry in (one, two)}
    Review.objects.filter(number=one.number).update(mac="-", code=None)
    Review.objects.filter(number=two.number).update(**whole[one.number])
    Review.objects.filter(number=one.number).update(**whole[two.number])
    return min(first(one, entries), first(two, entries))


def _deleted(entries, gone):
    removed = Review.objects.filter(number__in=[one.number for one in gone])
    removed._raw_delete(removed.db)
    return min(first(one, entries) for one in gone)


@tampering
def deleted_at_the_start(rng, entries):
    return _deleted(entries, entries[:rng.randint(1, len(entries) // 2)])


@tampering
def deleted_in_the_middle(rng, entries):
    start = rng.randrange(1, len(entries) - 1)
    return _deleted(entries, entries[start:rng.randint(start + 1, min(len(entries) - 1, start + 3))])


@tampering
def deleted_and_closed_up(rng, entries):
    """What follows takes the numbers of what is gone, and names what is now before it."""
    start = rng.randrange(1, len(entries) - 1)
    expected = _deleted(entries, [entries[start]])
    for entry in entries[start + 1:]:
        Review.objects.filter(number=entry.number).update(number=entry.number - 1)
    Review.objects.filter(number=start + 1).update(before=entries[start - 1].mac)
    return min(expected, *(first(one, entries) if one.kind == ERASED else start + 1 for one in entries[start:]))


@tampering
def tail_cut_off(rng, entries):
    return _deleted(entries, entries[-rng.randint(1, len(entries)):])


@tampering
def tail_cut_off_and_the_head_put_back(rng, entries):
    """The head says what it said then, with the signature of now."""
    start = rng.randrange(1, len(entries))
    Head.objects.update(number=start, mac=entries[start - 1].mac)
    return _deleted(entries, entries[start:])


@tampering
def all_deleted_and_the_head_begun_anew(rng, entries):
    Head.objects.update(number=0, mac="", signature="")
    return _deleted(entries, entries)


@tampering
def all_deleted_with_the_head(rng, entries):
    heads = Head.objects.all()
    heads._raw_delete(heads.db)
    return _deleted(entries, entries)


@tampering
def head_removed(rng, entries):
    heads = Head.objects.all()
    heads._raw_delete(heads.db)
    return len(entries) + 1


@tampering
def head_of_an_earlier_entry(rng, entries):
    """The head's whole row as it once was: no entry after it is vouched for."""
    number = rng.randrange(1, len(entries))
    mac = entries[number - 1].mac
    Head.objects.update(number=number, mac=mac, signature=signature(number, mac))
    return number + 1


def _inserted(entry, number, before):
    values = {field.attname: getattr(entry, field.attname) for field in Review._meta.concrete_fields}
    Review.objects.bulk_create([Review(**values | {
        "number": number, "before": before, "mac": secrets.token_hex(32), "code": None})])


@tampering
def copied_to_the_end(rng, entries):
    _inserted(rng.choice(entries), len(entries) + 1, entries[-1].mac)
    if rng.random() < 0.5:
        Head.objects.update(number=len(entries) + 1, mac=Review.objects.latest("number").mac)
    return len(entries) + 1


@tampering
def copied_to_before_the_start(rng, entries):
    _inserted(rng.choice(entries), 0, "")
    return 0


@tampering
def copied_into_the_middle(rng, entries):
    place = rng.randrange(1, len(entries))
    for entry in reversed(entries[place:]):
        Review.objects.filter(number=entry.number).update(number=entry.number + 1)
    _inserted(rng.choice(entries), place + 1, entries[place - 1].mac)
    return min(place + 1, *(first(one, entries) for one in entries[place:]))


@tampering
def erased_by_a_forged_entry(rng, entries):
    """Words go, and an entry that nobody signed says that they may."""
    entry = rng.choice([one for one in entries if one.sheet_id])
    Review.objects.filter(sheet_key=entry.sheet_key).update(seen={}, said={}, sheet=None, revision=None)
    Review.objects.bulk_create([Review(number=len(entries) + 1, kind=ERASED, made=entries[-1].made,
                                       sheet_key=entry.sheet_key, before=entries[-1].mac, mac=secrets.token_hex(32))])
    return min(one.number for one in entries if one.sheet_key == entry.sheet_key)


@tampering
def erased_without_an_entry(rng, entries):
    person = rng.choice([one.by_id for one in entries if one.by_id])
    Review.objects.filter(by=person).update(said={}, by=None)
    return min(one.number for one in entries if one.by_id == person)


@tampering
def signed_with_another_key(rng, entries):
    """Everything from an entry on is written anew, each entry and the head by all the rules but with the wrong key."""
    start = rng.randrange(len(entries))
    with override_settings(REVIEW_KEY="not-the-key"):
        before = entries[start - 1].mac if start else ""
        for entry in Review.objects.filter(number__gt=start).order_by("number"):
            entry.before = before
            entry.mac = before = chain.mac_of_entry(entry)
            entry.code = chain.code_of(entry.mac) if entry.kind == APPROVED else None
            entry.save(update_fields=["before", "mac", "code"])
        Head.objects.update(mac=before, signature=signature(len(entries), before))
    return min(first(one, entries) for one in entries[start:])


@tampering
def taken_from_a_fork(rng, entries):
    """An entry of a copy of the database that went on by itself, with the same key: sound, but not what is named next.

    So it is the entry after it that does not follow, or the head.
    """
    entry = rng.choice([one for one in entries if one.kind != ERASED])
    entry.made += timedelta(seconds=1)
    entry.mac = chain.mac_of_entry(entry)
    entry.code = chain.code_of(entry.mac) if entry.kind == APPROVED else None
    Review.objects.filter(pk=entry.pk).update(made=entry.made, mac=entry.mac, code=entry.code)
    return min(entry.number + 1, len(entries))
