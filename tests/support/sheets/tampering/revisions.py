"""Ways to tamper with the revisions that entries name, and with their sheets."""

from django.contrib.auth import get_user_model
from django.db.models import F
from django.test import override_settings

from sheets.audit_log.signing import sign_revision
from sheets.models import Head, Review, Revision, Sheet
from sheets.models.reviews import RENEWED, SUBMITTED
from tests.support.sheets.tampering.ways import FAR, tampering


@tampering
def revision_deleted(rng, entries):
    kept = rng.choice([one.revision_id for one in entries if one.revision_id])
    Review.objects.filter(revision=kept).update(revision=None)
    rows = Revision.objects.filter(pk=kept)
    rows._raw_delete(rows.db)
    return min(one.number for one in entries if one.revision_id == kept)


@tampering
def sheet_of_another_system(rng, entries):
    sheet = rng.choice([one.sheet_id for one in entries if one.sheet_id])
    Sheet.objects.filter(pk=sheet).update(ruleset="battle-dice")
    return min(one.number for one in entries if one.sheet_id == sheet)


@tampering
def revisions_exchanged(rng, entries):
    """Two revisions of a sheet change numbers: what was approved is now another."""
    entry = rng.choice([one for one in entries if one.revision_id])
    there = Revision.objects.filter(sheet=entry.sheet_id).exclude(pk=entry.revision_id).first()
    if there is None:
        return None
    Revision.objects.filter(pk=there.pk).update(number=F("number") + FAR)
    Revision.objects.filter(pk=entry.revision_id).update(number=there.number)
    Revision.objects.filter(pk=there.pk).update(number=entry.revision_number)
    return min(one.number for one in entries if one.revision_id in {entry.revision_id, there.pk})


@tampering
def revision_signed_with_another_key(rng, entries):
    """A revision says another author, and is signed by all the rules but with the wrong key."""
    entry = rng.choice([one for one in entries if one.revision_id])
    kept = Revision.objects.get(pk=entry.revision_id)
    kept.author = rng.choice(get_user_model().objects.exclude(pk=kept.author_id))
    with override_settings(REVIEW_KEY="not-the-key"):
        sign_revision(kept, kept.signed)
    kept.save()
    return min(one.number for one in entries if one.revision_id == kept.pk)


@tampering
def earlier_unnamed_revision_deleted(rng, entries):
    """One is missing between a sheet's revisions."""
    kept = rng.choice([one for one in Revision.objects.filter(reviews=None).order_by("pk")
                       if Revision.objects.filter(sheet=one.sheet_id, number__gt=one.number).exists()])
    rows = Revision.objects.filter(pk=kept.pk)
    rows._raw_delete(rows.db)
    return len(entries) + 1


@tampering
def all_made_to_look_like_a_new_site(rng, entries):
    """All reviews, the head and all that was ever submitted are gone together."""
    for rows in (Review.objects.all(), Revision.objects.filter(kind__in=(SUBMITTED, RENEWED)), Head.objects.all()):
        rows._raw_delete(rows.db)
    return 1
