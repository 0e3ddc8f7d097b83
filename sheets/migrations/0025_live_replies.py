"""PostgreSQL tells of what is replied to a comment, and of what becomes of a sheet that is read by its link, too."""

from django.db import migrations

FUNCTION = """
CREATE FUNCTION sheets_live_reply() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('live', sheet_id::text) FROM sheets_review WHERE number = NEW.entry_id AND sheet_id IS NOT NULL;
    RETURN NULL;
END $$
"""
# What two of them tell within a transaction is one notification.
TRIGGERS = """
CREATE TRIGGER live_reply AFTER INSERT ON sheets_reply FOR EACH ROW EXECUTE FUNCTION sheets_live_reply();
CREATE TRIGGER live_link_gone AFTER DELETE ON sheets_sheet
    FOR EACH ROW WHEN (OLD.share IS NOT NULL) EXECUTE FUNCTION sheets_live();
CREATE TRIGGER live_link AFTER UPDATE OF version, played, deleted, share, share_play ON sheets_sheet
    FOR EACH ROW WHEN (OLD.share IS NOT NULL) EXECUTE FUNCTION sheets_live();
"""
GONE = """
DROP FUNCTION sheets_live_reply() CASCADE;
DROP TRIGGER live_link_gone ON sheets_sheet;
DROP TRIGGER live_link ON sheets_sheet;
"""


def there(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(FUNCTION, params=None)
        schema_editor.execute(TRIGGERS, params=None)


def gone(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(GONE, params=None)


class Migration(migrations.Migration):

    dependencies = [("sheets", "0024_indexes_of_handouts_that_serve")]
    operations = [migrations.RunPython(there, gone)]
