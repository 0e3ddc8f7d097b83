"""Letters that nobody sees no longer count among the looks of names: those of names that have any are looked at anew."""

from django.conf import settings
from django.db import migrations

from builder.lookalikes import likenesses
from rulesets.names import UNSEEN
from sheets.progress import progress


def look(apps, _schema_editor):
    """Accounts keep their names; what another account looks like already stays that one's."""
    users, likeness = apps.get_model(settings.AUTH_USER_MODEL).objects, apps.get_model("builder", "Likeness")
    names = users.order_by("pk").values_list("pk", "username")
    unseen = [(pk, name) for pk, name in progress(names.iterator(), "names", names.count) if UNSEEN.search(name)]
    looks = likeness.objects.filter(user__in=[pk for pk, _name in unseen]).values_list("pk", "skeleton")
    likeness.objects.filter(pk__in=[pk for pk, one in looks if UNSEEN.search(one)]).delete()
    likeness.objects.bulk_create([likeness(user_id=pk, skeleton=one) for pk, name in unseen
                                  for one in sorted(likenesses(name))], batch_size=200, ignore_conflicts=True)


class Migration(migrations.Migration):

    dependencies = [
        ("builder", "0004_no_beginnings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [migrations.RunPython(look, migrations.RunPython.noop)]
