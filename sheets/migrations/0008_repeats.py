import django.db.models.deletion
from django.db import migrations, models

from sheets.migrations._in_place import AddColumn


class Migration(migrations.Migration):
    """A repeat names the event whose roll it threw again; acts keep what they were asked for."""

    dependencies = [("sheets", "0007_signed_revisions")]

    operations = [
        AddColumn("event", "again", models.ForeignKey(
            blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="sheets.event")),
        AddColumn("event", "done", models.JSONField(null=True)),
    ]
