"""PostgreSQL drops what it keeps beside each text that is unique or looked up, to find it by its beginning: nobody does.

Each save of a sheet that is played wrote two of these.
"""

from django.db import migrations

NAMES = ("sheets_sheet_guest_9990b233_like", "sheets_sheet_share_0b6434a5_like", "sheets_party_invitation_f65cdccd_like",
         "sheets_review_code_3d6494f7_like", "sheets_review_mac_a19977ba_like")


def gone(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name in NAMES:
            schema_editor.execute(f"DROP INDEX IF EXISTS {name}")


class Migration(migrations.Migration):

    dependencies = [("sheets", "0025_live_replies")]
    operations = [migrations.RunPython(gone, migrations.RunPython.noop)]
