"""A notification leads to the sheet that it names, so that it is found without looking into all there are."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("sheets", "0026_no_beginnings")]

    operations = [
        migrations.AddField("notification", "about", models.ForeignKey(
            null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="sheets.sheet")),
    ]
