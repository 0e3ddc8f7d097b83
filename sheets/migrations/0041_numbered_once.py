"""Constraints of scenes and their events; a party has no order of its own any more."""

import uuid

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("sheets", "0040_events_of_scenes")]

    operations = [
        migrations.AlterField("scene", "uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
        migrations.AddConstraint("event", models.UniqueConstraint(
            condition=models.Q(("number__isnull", False)), fields=("scene", "number"), name="roll_numbered_once")),
        migrations.AddConstraint("event", models.UniqueConstraint(
            condition=models.Q(("hidden_number__isnull", False)), fields=("scene", "hidden_number"),
            name="hidden_roll_numbered_once")),
        migrations.AddIndex("event", models.Index(
            condition=models.Q(("scene__isnull", False)), fields=["scene", "-id"], name="event_newest_of_scene")),
        migrations.AddIndex("event", models.Index(
            condition=models.Q(("step_of__isnull", False)), fields=["step_of"], name="event_step")),
        migrations.RemoveField("party", "order"),
        migrations.RemoveField("party", "turn"),
        migrations.RemoveField("party", "round"),
    ]
