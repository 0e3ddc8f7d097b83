"""Letters that Unicode takes for others than they look like: names that have any, or two v, are looked at anew."""

from collections import defaultdict

from django.conf import settings
from django.db import migrations

from builder.lookalikes import likenesses
from sheets.progress import progress


def look(apps, _schema_editor):
    """Accounts keep their names; what another account looks like already stays that one's."""
    users, likeness = apps.get_model(settings.AUTH_USER_MODEL).objects, apps.get_model("builder", "Likeness")
    had = defaultdict(dict)
    for pk, user, skeleton in likeness.objects.values_list("pk", "user", "skeleton").iterator():
        had[user][skeleton] = pk
    gone, new = [], []
    names = users.order_by("pk").values_list("pk", "username")
    for user, name in progress(names.iterator(), "names", names.count):
        looks = likenesses(name)
        gone += [pk for skeleton, pk in had[user].items() if skeleton not in looks]
        new += [likeness(user_id=user, skeleton=one) for one in sorted(looks - {*had[user]})]
    for start in range(0, len(gone), 500):
        likeness.objects.filter(pk__in=gone[start:start + 500]).delete()
    likeness.objects.bulk_create(new, batch_size=200, ignore_conflicts=True)


class Migration(migrations.Migration):

    dependencies = [
        ("builder", "0005_unseen"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [migrations.RunPython(look, migrations.RunPython.noop)]
