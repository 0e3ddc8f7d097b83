"""What was told before leads to its sheet, too: its address or its data says to which, as far as there is that sheet."""

from django.db import migrations

ABOUT = {
    "sqlite": """
        UPDATE sheets_notification SET about_id = (SELECT id FROM sheets_sheet WHERE id = replace(
            coalesce(json_extract(sheets_notification.data, '$.of'), substr(sheets_notification.url, 9, 36)), '-', ''))
        WHERE url LIKE '/sheets/%' OR kind = 'withdrawn'""",
    "postgresql": """
        UPDATE sheets_notification AS told SET about_id = sheet.id FROM sheets_sheet AS sheet
        WHERE (told.url LIKE '/sheets/%' OR told.kind = 'withdrawn')
        AND sheet.id::text = coalesce(told.data->>'of', substr(told.url, 9, 36))""",
}


def lead(_apps, schema_editor):
    schema_editor.execute(ABOUT[schema_editor.connection.vendor], params=None)


class Migration(migrations.Migration):

    dependencies = [("sheets", "0027_notification_about")]
    operations = [migrations.RunPython(lead, migrations.RunPython.noop)]
