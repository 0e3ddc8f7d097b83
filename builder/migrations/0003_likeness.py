import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from builder.lookalikes import likenesses
from sheets.progress import progress


def fill(apps, schema_editor):
    """Names that there are already stay; of those that look alike the oldest has the look."""
    users = apps.get_model(settings.AUTH_USER_MODEL).objects.order_by("pk").values_list("pk", "username")
    rows, taken = [], set()
    for pk, name in progress(users.iterator(), "names", users.count):
        looks = likenesses(name) - taken
        taken |= looks
        rows += [apps.get_model("builder", "Likeness")(user_id=pk, skeleton=one) for one in sorted(looks)]
    apps.get_model("builder", "Likeness").objects.bulk_create(rows, batch_size=200)


class Migration(migrations.Migration):

    dependencies = [
        ("builder", "0002_used"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Likeness",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("skeleton", models.CharField(max_length=1000, unique=True)),
                ("user", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="likenesses",
                                           to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
