"""A party's setting that allows dice thrown by hand, and the mark of rolls that were."""

from django.db import migrations, models

from sheets.migrations._in_place import AddColumn


class Migration(migrations.Migration):

    dependencies = [("sheets", "0067_push")]
    operations = [AddColumn(model, "by_hand", models.BooleanField(default=False)) for model in (
        "event", "party", "receipt")]
