import django.db.models.deletion
from django.db import migrations, models

from sheets.migrations._in_place import AddColumn


class Migration(migrations.Migration):
    """An act that has another's roll thrown again names the throw that it has paid for."""

    dependencies = [("sheets", "0029_indexes_that_are_used")]

    operations = [
        AddColumn("event", "paid_for", models.ForeignKey(
            blank=True, null=True, db_index=False, on_delete=django.db.models.deletion.SET_NULL, related_name="+",
            to="sheets.event")),
        migrations.AddIndex("event", models.Index(
            fields=["paid_for"], name="event_that_paid", condition=models.Q(paid_for__isnull=False))),
    ]
