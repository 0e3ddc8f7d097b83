"""Indexes by which lists are read in order; the few places in order that are too long for one are made anew."""

from django.db import migrations, models
from django.db.models import F, Q
from django.db.models.functions import Coalesce, Greatest, Length

from rulesets.folding import MAX_BYTES, order_key

OWN = Q(owner__isnull=False, deleted=None)
BY = {"touched": Greatest(Coalesce("played", "updated"), "updated").desc(), "created": F("created").desc(),
      "called": F("called").asc()}


def shorten(apps, schema_editor):
    for name in ("Party", "Sheet"):
        model = apps.get_model("sheets", name)
        table, key = schema_editor.quote_name(model._meta.db_table), model._meta.pk
        found = model.objects.annotate(length=Length("called")).filter(length__gt=MAX_BYTES)
        rows = [[order_key(called), key.get_db_prep_value(pk, schema_editor.connection)]
                for pk, called in found.values_list("pk", "name")]
        with schema_editor.connection.cursor() as cursor:
            cursor.executemany(f"UPDATE {table} SET called = %s WHERE id = %s", rows)


class Migration(migrations.Migration):

    dependencies = [("sheets", "0052_newest_of_kind")]
    operations = [
        migrations.RunPython(shorten, migrations.RunPython.noop),
        *(migrations.AddIndex("sheet", models.Index(
            F("owner"), order, F("id"), name=f"sheet_{state}_{key}",
            condition=OWN & Q(opponent=False, archived__isnull=state == "listed")))
          for state in ("listed", "archived") for key, order in BY.items()),
        migrations.AddIndex("sheet", models.Index(
            fields=["owner", "ruleset", "called", "id"], name="sheet_library_called",
            condition=OWN & Q(opponent=True, party=None))),
        migrations.AddIndex("sheet", models.Index(
            fields=["owner", "-deleted", "id"], name="sheet_trash_deleted",
            condition=Q(owner__isnull=False, deleted__isnull=False))),
    ]
