from django.db import migrations, models

from sheets.migrations._in_place import AddColumn


class Migration(migrations.Migration):
    """A roll that is asked for, and what was pressed, say which row they are about wherever that stands by now."""

    dependencies = [("sheets", "0035_reports_by_the_same")]

    operations = [
        migrations.AddField("askedroll", "row", models.CharField(blank=True, default="", max_length=220)),
        AddColumn("event", "row", models.CharField(blank=True, default="", max_length=220)),
    ]
