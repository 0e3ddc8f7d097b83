import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("sheets", "0046_pending_effects")]

    operations = [
        migrations.CreateModel(
            name="Standing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("under", models.CharField(blank=True, default="", max_length=80)),
                ("sheet", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE,
                                            related_name="standings", to="sheets.sheet")),
                ("party", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE,
                                            related_name="standings", to="sheets.party")),
                ("waiting", models.PositiveBigIntegerField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("waiting__isnull", False)), fields=["party", "waiting"],
                                 name="standing_that_waits"),
                    models.Index(condition=models.Q(("under", ""), _negated=True), fields=["party", "under"],
                                 name="standing_in_force"),
                ],
                "constraints": [models.UniqueConstraint(fields=("sheet", "party"), name="standing_once")],
            },
        ),
        migrations.RemoveIndex(model_name="review", name="review_submitted"),
        migrations.AddIndex(
            model_name="review", index=models.Index(fields=["party", "-number"], name="review_newest_of_party")),
    ]
