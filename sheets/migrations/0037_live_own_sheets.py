"""PostgreSQL tells of every sheet: its owner may have it open twice, on a laptop and on a phone."""

from django.db import migrations

WATCHED = ("version", "played", "deleted", "seen_by", "party_id", "owner_id", "share", "share_play")
OLD, NEW = (", ".join(f"{row}.{name}" for name in WATCHED) for row in ("OLD", "NEW"))
# A row that is written as it was is no news.
TRIGGERS = f"""
DROP TRIGGER live_sheet ON sheets_sheet;
DROP TRIGGER live_sheet_gone ON sheets_sheet;
DROP TRIGGER live_link ON sheets_sheet;
DROP TRIGGER live_link_gone ON sheets_sheet;
CREATE TRIGGER live_sheet AFTER UPDATE OF {", ".join(WATCHED)} ON sheets_sheet
    FOR EACH ROW WHEN (({OLD}) IS DISTINCT FROM ({NEW})) EXECUTE FUNCTION sheets_live();
CREATE TRIGGER live_sheet_gone AFTER DELETE ON sheets_sheet FOR EACH ROW EXECUTE FUNCTION sheets_live();
"""
BEFORE = """
DROP TRIGGER live_sheet ON sheets_sheet;
DROP TRIGGER live_sheet_gone ON sheets_sheet;
CREATE TRIGGER live_sheet_gone AFTER DELETE ON sheets_sheet
    FOR EACH ROW WHEN (OLD.party_id IS NOT NULL OR OLD.seen_by = 'public') EXECUTE FUNCTION sheets_live();
CREATE TRIGGER live_sheet AFTER UPDATE OF version, played, deleted, seen_by, party_id, owner_id ON sheets_sheet
    FOR EACH ROW WHEN (OLD.party_id IS NOT NULL OR NEW.party_id IS NOT NULL
                       OR OLD.seen_by = 'public' OR NEW.seen_by = 'public') EXECUTE FUNCTION sheets_live();
CREATE TRIGGER live_link_gone AFTER DELETE ON sheets_sheet
    FOR EACH ROW WHEN (OLD.share IS NOT NULL) EXECUTE FUNCTION sheets_live();
CREATE TRIGGER live_link AFTER UPDATE OF version, played, deleted, share, share_play ON sheets_sheet
    FOR EACH ROW WHEN (OLD.share IS NOT NULL) EXECUTE FUNCTION sheets_live();
"""


def there(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(TRIGGERS, params=None)


def gone(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(BEFORE, params=None)


class Migration(migrations.Migration):

    dependencies = [("sheets", "0036_rows_of_asked_rolls")]
    operations = [migrations.RunPython(there, gone)]
