"""PostgreSQL drops what it keeps beside each unique text, to find it by its beginning: nobody does."""

from django.db import migrations

NAMES = ("builder_likeness_skeleton_f3076016_like", "builder_invitation_token_ec9b94f7_like")


def gone(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name in NAMES:
            schema_editor.execute(f"DROP INDEX IF EXISTS {name}")


class Migration(migrations.Migration):

    dependencies = [("builder", "0003_likeness")]
    operations = [migrations.RunPython(gone, migrations.RunPython.noop)]
