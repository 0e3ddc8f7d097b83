"""An evening is a scene; order, round and turn belong to it, events belong to it, and its rolls are numbered."""

import django.db.models.deletion
from django.db import migrations, models

from sheets.migrations._in_place import AddColumn


class Migration(migrations.Migration):

    dependencies = [("sheets", "0038_reports_found_by_reporter")]

    operations = [
        migrations.RemoveConstraint("evening", "one_evening_at_a_time"),
        migrations.RemoveIndex("evening", "evening_newest_of_party"),
        migrations.RenameModel("Evening", "Scene"),
        migrations.AlterField("scene", "party", models.ForeignKey(
            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="scenes", to="sheets.party")),
        migrations.AddField("scene", "uuid", models.UUIDField(null=True)),
        migrations.AddField("scene", "before", models.BooleanField(default=False)),
        migrations.AddField("scene", "by_itself", models.BooleanField(default=False)),
        migrations.AddField("scene", "order", models.JSONField(default=list)),
        migrations.AddField("scene", "free", models.BooleanField(default=False)),
        migrations.AddField("scene", "round", models.PositiveIntegerField(default=0)),
        migrations.AddField("scene", "on", models.JSONField(default=list)),
        migrations.AddField("scene", "done", models.JSONField(default=list, null=True)),
        migrations.AddField("scene", "held", models.JSONField(default=list)),
        migrations.AddField("scene", "rolls", models.PositiveIntegerField(default=0)),
        migrations.AddField("scene", "hidden_rolls", models.PositiveIntegerField(default=0)),
        migrations.AddIndex("scene", models.Index(fields=["party", "-begun"], name="scene_newest_of_party")),
        migrations.AddConstraint("scene", models.UniqueConstraint(
            condition=models.Q(("ended", None)), fields=("party",), name="one_open_scene")),
        AddColumn("event", "scene", models.ForeignKey(
            blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="events",
            to="sheets.scene")),
        AddColumn("event", "number", models.PositiveIntegerField(blank=True, null=True)),
        AddColumn("event", "hidden_number", models.PositiveIntegerField(blank=True, null=True)),
        AddColumn("event", "turn", models.JSONField(null=True)),
        AddColumn("event", "step_of", models.ForeignKey(
            blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="steps",
            to="sheets.event")),
    ]
