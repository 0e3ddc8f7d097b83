"""Columns by which sheets and parties are found and put in German order, filled for those that there are."""

from django.db import migrations

import sheets.models.called
from rulesets.folding import order_key, search_text
from sheets.migrations._in_place import AddColumn
from sheets.progress import progress

AT_ONCE = 500


def fill(apps, schema_editor):
    for name, texts in (("Party", ("name",)), ("Sheet", ("name", "notes"))):
        model = apps.get_model("sheets", name)
        table, key = schema_editor.quote_name(model._meta.db_table), model._meta.pk
        columns = "called = %s" if name == "Party" else "called = %s, sought = %s"
        rows, batch = model.objects.order_by("pk").values_list("pk", *texts), []

        def write():
            with schema_editor.connection.cursor() as cursor:
                cursor.executemany(f"UPDATE {table} SET {columns} WHERE id = %s", batch)
            batch.clear()

        # All rows are read first: SQLite might return a row again that was written meanwhile.
        for pk, *found in progress(list(rows), f"names ({name})", rows.count):
            known = [order_key(found[0])] + ([search_text(*found)] if name == "Sheet" else [])
            batch.append([*known, key.get_db_prep_value(pk, schema_editor.connection)])
            if len(batch) == AT_ONCE:
                write()
        if batch:
            write()


class Migration(migrations.Migration):

    dependencies = [("sheets", "0049_phrases")]
    operations = [
        AddColumn("party", "called", sheets.models.called.Called(default=b"", editable=False)),
        AddColumn("sheet", "called", sheets.models.called.Called(default=b"", editable=False)),
        AddColumn("sheet", "sought", sheets.models.called.Sought(blank=True, default="", editable=False)),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
