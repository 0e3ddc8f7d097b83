"""A notification knows the sheet that it is about by a column, so that a sheet that goes need not look through all."""

from django.db import migrations, models

from sheets.migrations._in_place import AddColumn
from django.db.models import F, Q, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Replace, Substr


def know(apps, _editor):
    """Most lead to their sheet; of one that was taken out of a party the data say which it was, but the oldest."""
    every = apps.get_model("sheets", "Notification").objects
    every.filter(url__regex=r"^/sheets/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/").update(
        sheet_key=_key(Substr(F("url"), len("/sheets/") + 1, 36)))
    every.filter(kind="withdrawn", data__has_key="of").update(sheet_key=_key(KT("data__of")))


def _key(spelt):
    return Cast(Replace(spelt, Value("-"), Value("")), models.UUIDField())


class Migration(migrations.Migration):

    dependencies = [("sheets", "0026_no_beginnings")]

    operations = [
        AddColumn("notification", "sheet_key", models.UUIDField(null=True)),
        migrations.RunPython(know, migrations.RunPython.noop),
        migrations.AddIndex("notification", models.Index(
            fields=["sheet_key"], condition=Q(sheet_key__isnull=False), name="notification_of_sheet")),
    ]
