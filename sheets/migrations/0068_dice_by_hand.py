"""Whether a party allows dice thrown by hand, and which rolls were."""

from django.db import migrations, models

from sheets.migrations._in_place import AddColumn


class Migration(migrations.Migration):

    dependencies = [("sheets", "0067_push")]
    operations = [AddColumn(model, "by_hand", models.BooleanField(default=False)) for model in (
        "event", "party", "receipt")]
