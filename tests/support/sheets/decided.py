"""A party whose GM has decided about much: rows as the chain would have them, made many at once and unsigned."""

from uuid import uuid4

from django.utils import timezone

from sheets.audit_log.standings import rules_key_today
from sheets.documents import sealable
from sheets.models import Head, Member, Party, Review, Revision, Sheet, Standing
from sheets.models.reviews import APPROVED, RETURNED, SUBMITTED

SHEETS, WAITING = 40, 25
"""Sheets of the party, and those that wait."""


def decided(ruleset, gm, player, reviews):
    """A party of a GM with so many entries about its sheets, some of which wait and the rest of which are approved."""
    party = Party.objects.create(name="Lange Runde", ruleset=ruleset.slug, invitation=uuid4().hex[:16])
    Member.objects.bulk_create(Member(party=party, user=user, role=role) for user, role in (
        (gm, "gm"), (player, "player")))
    document = next(iter(ruleset.examples.values()))
    sheets = Sheet.objects.bulk_create(Sheet(owner=player, party=party, ruleset=ruleset.slug, name=f"Held {number}",
                                             data=document["data"], seen_by="party") for number in range(SHEETS))
    like = sealable(Sheet.objects.select_related("party").get(pk=sheets[0].pk))
    rounds = reviews // 2 // SHEETS
    revisions = Revision.objects.bulk_create((
        Revision(sheet=sheet, number=number, version=number, kind=SUBMITTED, rules=like["rules"], name=sheet.name,
                 data=like["data"], seal=like["seal"]) for number in range(1, rounds + 2) for sheet in sheets), 1000)
    head = Head.objects.get_or_create(pk=1)[0]
    entries = []
    for at, revision in enumerate(revisions[:rounds * SHEETS]):
        answer = RETURNED if at % SHEETS < WAITING else APPROVED
        entries += [_entry(head, SUBMITTED, party, revision, player), _entry(head, answer, party, revision, gm)]
    waiting = [_entry(head, SUBMITTED, party, one, player) for one in revisions[rounds * SHEETS:][:WAITING]]
    Review.objects.bulk_create([*entries, *waiting], 1000)
    head.save()
    under = rules_key_today(ruleset, party)
    Standing.objects.bulk_create(Standing(
        sheet=sheet, party=party, waiting=waiting[number].number if number < WAITING else None,
        under="" if number < WAITING else under) for number, sheet in enumerate(sheets))
    return party


def _entry(head, kind, party, revision, user):
    head.number += 1
    return Review(number=head.number, kind=kind, made=timezone.now(), sheet_id=revision.sheet_id,
                  sheet_key=revision.sheet_id, party=party, party_key=party.pk, revision=revision,
                  revision_number=revision.number, seal=revision.seal, by=user, mac=uuid4().hex,
                  said={} if kind == SUBMITTED else {"comment": "Gut."})
