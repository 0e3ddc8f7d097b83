"""Ways to tamper with the revisions that entries name, and with their sheets."""

from django.db.models import F

from sheets.models import Review, Revision, Sheet
from tests.sheets.audit_log.tampering.ways import FAR, TAMPERINGS, other_text, other_tree, tampering


def revision(name, other):
    """One more way: a column of a revision gets another value."""
    def one(rng, entries):
        entry = rng.choice([one for one in entries if one.revision_id])
        kept = Revision.objects.get(pk=entry.revision_id)
        Revision.objects.filter(pk=kept.pk).update(**{name: other(kept, rng)})
        return min(one.number for one in entries if one.revision_id == kept.pk)
    TAMPERINGS[f"revision.{name}"] = one


revision("data", lambda kept, rng: other_tree(kept.data, rng))
revision("house", lambda kept, rng: kept.house | {"policy": "anything"})
revision("name", lambda kept, rng: f"{kept.name} ")
revision("seal", lambda kept, rng: other_text(kept.seal, rng))
revision("number", lambda kept, rng: kept.number + 100)
revision("rules", lambda kept, rng: kept.rules + 1)
revision("sheet", lambda kept, rng: Sheet.objects.create(
    owner=kept.sheet.owner, ruleset=kept.sheet.ruleset, name=kept.name, data=kept.data))


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
