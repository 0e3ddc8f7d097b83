from django.db import migrations, models


class Migration(migrations.Migration):
    """A draft keeps what the dice made it from, and so does each place of its history."""

    dependencies = [("sheets", "0008_repeats")]

    operations = [
        migrations.AddField(model, "concept", models.CharField(blank=True, default="", max_length=64))
        for model in ("change", "sheet")
    ]
