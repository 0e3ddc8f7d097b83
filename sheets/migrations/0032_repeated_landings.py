from django.db import migrations, models
from django.db.models import Exists, OuterRef

from sheets.migrations._in_place import AddColumn


def tell(apps, _schema_editor):
    """Who dismissed what is not known of before; it is taken to be the repeat that stands, and is open again with it."""
    repeats = apps.get_model("sheets", "Event").objects.filter(again=OuterRef("event"), undone=False)
    apps.get_model("sheets", "Landing").objects.filter(Exists(repeats), state="dismissed").update(repeated=True)


class Migration(migrations.Migration):
    """What landed says whether it was dismissed because its roll was thrown once more."""

    dependencies = [("sheets", "0031_paid_rethrows_of_before")]

    operations = [
        AddColumn("landing", "repeated", models.BooleanField(default=False)),
        migrations.RunPython(tell, migrations.RunPython.noop),
    ]
