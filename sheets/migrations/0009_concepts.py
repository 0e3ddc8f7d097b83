from django.db import migrations, models

from sheets.migrations._in_place import AddColumn


class Migration(migrations.Migration):
    """A draft keeps what the dice made it from, and so does each place of its history."""

    dependencies = [("sheets", "0008_repeats")]

    operations = [
        AddColumn(model, "concept", models.CharField(blank=True, default="", max_length=64))
        for model in ("change", "sheet")
    ]
