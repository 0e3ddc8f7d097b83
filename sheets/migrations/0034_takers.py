"""Keep with the party who has taken a ready-made character: somebody may leave it and join again."""

from django.conf import settings
from django.db import migrations, models


def keep(apps, _schema_editor):
    takers = apps.get_model("sheets", "Party").takers.through.objects
    took = apps.get_model("sheets", "Member").objects.exclude(took=None).values_list("party", "user")
    takers.bulk_create(takers.model(party_id=party, user_id=user) for party, user in took.iterator())


class Migration(migrations.Migration):

    dependencies = [("sheets", "0033_opponents_of_gms"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations = [
        migrations.AddField("party", "takers", models.ManyToManyField(related_name="+", to=settings.AUTH_USER_MODEL)),
        migrations.RunPython(keep, migrations.RunPython.noop),
        migrations.RemoveField("member", "took"),
    ]
