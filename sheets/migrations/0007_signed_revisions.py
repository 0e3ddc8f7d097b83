from django.db import migrations, models

from sheets.audit_log.signing import MIGRATED, sign_revision, signature
from sheets.progress import progress

COLUMNS = ("sheet", "number", "version", "kind", "author", "made", "rules", "seal", "person", "mac", "signed")
BATCH = 500


def vouch(apps, _editor):
    """Sign what every revision says now: what was changed before cannot be told any more, what is changed later can."""
    revisions, batch = apps.get_model("sheets", "Revision").objects, []
    rows = revisions.only(*COLUMNS).order_by("pk").iterator(chunk_size=BATCH)
    for kept in progress(rows, "revisions", revisions.count):
        sign_revision(kept, MIGRATED)
        batch.append(kept)
        if len(batch) == BATCH:
            revisions.bulk_update(batch, ["person", "mac", "signed"])
            batch = []
    revisions.bulk_update(batch, ["person", "mac", "signed"])


def begin(apps, _editor):
    """A site without reviews has a head, too, so that all of it together cannot go unnoticed."""
    named = apps.get_model("sheets", "Revision").objects.filter(kind__in=("submitted", "renewed"))
    if not apps.get_model("sheets", "Review").objects.exists() and not named.exists():
        apps.get_model("sheets", "Head").objects.get_or_create(pk=1, defaults={"signature": signature(0, "")})


class Migration(migrations.Migration):

    dependencies = [("sheets", "0006_trash")]

    operations = [
        migrations.AddField("revision", "person", models.CharField(blank=True, default="", max_length=64)),
        migrations.AddField("revision", "mac", models.CharField(blank=True, default="", max_length=64)),
        migrations.AddField("revision", "signed", models.PositiveSmallIntegerField(default=0)),
        migrations.RunPython(vouch, migrations.RunPython.noop),
        migrations.RunPython(begin, migrations.RunPython.noop),
    ]
