"""PostgreSQL tells whoever listens on `live` which party or sheet has news, once its transaction is committed.

Triggers, so that no way to change a row forgets it and requests pay nothing in Python. SQLite has no such thing; there
the file is looked at. What one sheet of a party says of itself is news at its party's table, too; a draft that nobody
else can read is news to nobody.
"""

from django.db import migrations

FUNCTION = """
CREATE FUNCTION sheets_live() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_TABLE_NAME = 'sheets_party' THEN
        PERFORM pg_notify('live', OLD.id::text);
    ELSIF TG_TABLE_NAME = 'sheets_review' THEN
        IF NEW.sheet_id IS NOT NULL THEN PERFORM pg_notify('live', NEW.sheet_id::text); END IF;
    ELSE
        IF TG_OP <> 'INSERT' THEN
            IF OLD.party_id IS NOT NULL THEN PERFORM pg_notify('live', OLD.party_id::text); END IF;
            PERFORM pg_notify('live', OLD.id::text);
        END IF;
        IF TG_OP <> 'DELETE' AND NEW.party_id IS NOT NULL THEN
            PERFORM pg_notify('live', NEW.party_id::text);
        END IF;
    END IF;
    RETURN NULL;
END $$
"""
TRIGGERS = """
CREATE TRIGGER live_party AFTER UPDATE OF version, pulse, secret OR DELETE ON sheets_party
    FOR EACH ROW EXECUTE FUNCTION sheets_live();
CREATE TRIGGER live_review AFTER INSERT ON sheets_review FOR EACH ROW EXECUTE FUNCTION sheets_live();
CREATE TRIGGER live_sheet_new AFTER INSERT ON sheets_sheet
    FOR EACH ROW WHEN (NEW.party_id IS NOT NULL) EXECUTE FUNCTION sheets_live();
CREATE TRIGGER live_sheet_gone AFTER DELETE ON sheets_sheet
    FOR EACH ROW WHEN (OLD.party_id IS NOT NULL OR OLD.seen_by = 'public') EXECUTE FUNCTION sheets_live();
CREATE TRIGGER live_sheet AFTER UPDATE OF version, played, deleted, seen_by, party_id, owner_id ON sheets_sheet
    FOR EACH ROW WHEN (OLD.party_id IS NOT NULL OR NEW.party_id IS NOT NULL
                       OR OLD.seen_by = 'public' OR NEW.seen_by = 'public') EXECUTE FUNCTION sheets_live();
"""


def there(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(FUNCTION, params=None)
        schema_editor.execute(TRIGGERS, params=None)


def gone(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP FUNCTION sheets_live() CASCADE", params=None)


class Migration(migrations.Migration):

    dependencies = [("sheets", "0021_one_pregen_each")]
    operations = [migrations.RunPython(there, gone)]
