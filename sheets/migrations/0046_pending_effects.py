"""A pending effect is called so, and no longer a landing; its table and its constraints keep their names."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("sheets", "0045_messages")]

    operations = [
        migrations.AlterModelTable("landing", "sheets_landing"),
        migrations.RenameModel("Landing", "PendingEffect"),
        migrations.AlterField("pendingeffect", "event", models.ForeignKey(
            on_delete=django.db.models.deletion.CASCADE, related_name="pending_effects", to="sheets.event")),
        migrations.AlterField("pendingeffect", "sheet", models.ForeignKey(
            on_delete=django.db.models.deletion.CASCADE, related_name="pending_effects", to="sheets.sheet")),
        migrations.AlterField("pendingeffect", "applied", models.OneToOneField(
            blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="applied_effect",
            to="sheets.event")),
    ]
