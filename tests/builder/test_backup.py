"""Backups: what is restored is what was backed up, and what is no whole backup changes nothing."""

import gzip
import json
import os
import stat
import subprocess
import sys
import threading
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from builder.backup import archive, database, restoring
from builder.backup.rows import Rows
from builder.models import Invitation
from sheets.audit_log.chain import chain_faults
from sheets.models import Change, Event, Portrait, Sheet
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status
from tests.support.builder.doctor import MOMENT, doctor_says
from tests.support.everyday import everyday
from tests.support.sheets.files import strongest

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def file(lived_in, tmp_path):
    archive.back_up(tmp_path / "backup")
    return tmp_path / "backup"


def everything():
    return sorted(database.lines())


def unpacked(file):
    with gzip.open(file) as packed:
        return packed.readlines()


def test_what_is_restored_is_what_was_backed_up_to_the_microsecond(file, lived_in):
    before = everything()
    assert len(before) > 10
    call_command("flush", interactive=False)
    restoring.restore(file, replace=False)
    assert everything() == before
    assert (lived_in.sheet.updated, lived_in.sheet.notes) == (MOMENT, "Ünïcode \u2028 🐐")
    assert strongest(lived_in.client.get(f"/sheets/{lived_in.pk}/portrait-512.webp").content) == "red"
    assert lived_in.get("values").status_code == 200
    assert lived_in.client.post("/build/condice/").status_code == 302


def test_no_table_with_rows_is_left_out_but_those_of_today_alone_and_sessions(lived_in):
    models = (Sheet, Change, Event, Portrait, Invitation, get_user_model())
    assert {model._meta.label for model in models} <= {label for label, _line in database.lines()}
    unknown = set(connection.introspection.table_names()) - {
        model._meta.db_table for model in database.tables().values()}
    assert unknown == {"cache", "builder_used", "django_migrations", "django_session"}


def kept():
    """{table: its indexes and constraints}."""
    with connection.cursor() as cursor:
        return {table: connection.introspection.get_constraints(cursor, table)
                for table in connection.introspection.table_names(cursor)}


def test_indexes_are_after_a_restore_what_they_were_and_new_rows_take_numbers_that_are_free(file):
    before = kept()
    restoring.restore(file, replace=True)
    assert kept() == before
    assert get_user_model().objects.create_user("neu").pk not in (None, 1)
    sheet = Sheet.objects.filter(changes__isnull=False).first()
    Change.objects.create(sheet=sheet, number=99, version=1, data=sheet.data)
    assert doctor_says() == ["1 places of histories lie after their end"]
    with pytest.raises(IntegrityError):
        Event.objects.update(sheet=uuid4())


def test_a_database_that_holds_something_is_replaced_only_when_asked(file):
    Sheet.objects.update(name="later")
    with pytest.raises(database.BackupError, match=r"not empty \(.*--replace"):
        restoring.restore(file, replace=False)
    assert Sheet.objects.filter(name="later").count() == 2
    restoring.restore(file, replace=True)
    assert not Sheet.objects.filter(name="later").exists()


def test_a_backup_is_for_its_owners_eyes_and_replaces_an_older_one(file):
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    Sheet.objects.all().delete()
    archive.back_up(file)
    assert "sheets.Sheet" not in archive.verified_summary(file)["counts"]
    assert [path.name for path in file.parent.iterdir() if "part" in path.name] == []


@pytest.mark.parametrize("change", [
    lambda lines: lines[:-1],
    lambda lines: [lines[0], *lines[2:]],
    lambda lines: [*lines[:-1], lines[-2], lines[-1]],
    lambda lines: [lines[0], lines[1].replace(b"e", b"3", 1), *lines[2:]],
    lambda lines: [lines[0].replace(b"2026", b"2025"), *lines[1:]],
    lambda lines: [*lines[:2], b"[broken\n", *lines[2:]],
    lambda lines: [lines[0], b"[1,2]\n", *lines[1:]],
], ids=["end lost", "row lost", "row twice", "row changed", "header changed", "no JSON", "no table"])
def test_a_backup_that_is_not_whole_changes_nothing(file, change):
    file.write_bytes(gzip.compress(b"".join(change(unpacked(file)))))
    before = everything()
    with pytest.raises(database.BackupError, match="not whole"):
        restoring.restore(file, replace=True)
    assert everything() == before


@pytest.mark.parametrize("content", [
    b"", b"text", gzip.compress(b""), gzip.compress(b"{}\n"), gzip.compress(b"[]\n"), None],
                         ids=["nothing", "text", "nothing packed", "an object", "a list", "cut off"])
def test_what_is_no_backup_or_was_cut_off_is_refused(tmp_path, content):
    archive.back_up(tmp_path / "x")
    (tmp_path / "x").write_bytes((tmp_path / "x").read_bytes()[:-20] if content is None else content)
    with pytest.raises(CommandError, match=r"no whole backup|no backup of this program"):
        call_command("restore", str(tmp_path / "x"))


@pytest.mark.parametrize(("command", "path"), [("restore", "none"), ("backup", "no/folder")])
def test_a_file_that_is_missing_and_a_folder_that_cannot_be_written_are_said_in_a_line(tmp_path, command, path):
    with pytest.raises(CommandError, match="No such file"):
        call_command(command, str(tmp_path / path))


@pytest.mark.slow
@pytest.mark.alike
@pytest.mark.parametrize("command", everyday(["doctor", "backup x", "restore x"]))
def test_a_database_without_tables_is_said_in_a_line(tmp_path, command):
    done = subprocess.run(
        [sys.executable, settings.BASE_DIR / "manage.py", *command.split()], cwd=tmp_path, capture_output=True,
        text=True, env=os.environ | {"DATABASE_URL": f"sqlite:///{tmp_path}/new.sqlite3"}, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert command != "doctor" or "run migrate" in done.stdout


def test_a_backup_of_a_later_version_is_refused_with_its_migrations(lived_in, tmp_path, monkeypatch):
    now = database.applied_migrations()
    monkeypatch.setattr(archive, "applied_migrations", lambda: [*now, "sheets.9999_later"])
    archive.back_up(tmp_path / "later")
    monkeypatch.undo()
    before = everything()
    with pytest.raises(database.BackupError, match=r"later version.* differ by sheets\.9999_later\."):
        restoring.restore(tmp_path / "later", replace=True)
    assert everything() == before


def test_a_restore_that_fails_halfway_or_meets_a_database_that_is_not_migrated_changes_nothing(file, monkeypatch):
    Sheet.objects.update(name="later")
    before, now = everything(), database.applied_migrations()
    for where, name, instead, said in (
            (Rows, "insert", lambda *_: None, "nothing was changed"),
            (restoring, "applied_migrations", lambda: now[:-1], rf"differs by {now[-1]}\. Run migrate first")):
        with monkeypatch.context() as patched:
            patched.setattr(where, name, instead)
            with pytest.raises(database.BackupError, match=said):
                restoring.restore(file, replace=True)
        assert everything() == before


@pytest.mark.database("postgresql")  # one in memory has no log to read beside; test_hammering does it with files
def test_what_changes_while_a_backup_is_made_is_not_in_it(lived_in, tmp_path, monkeypatch):
    usual, told = database.applied_migrations, []

    def write():
        told.append(Sheet.objects.filter(pk=lived_in.pk).delete())
        connection.close()

    def meanwhile():
        found, other = usual(), threading.Thread(target=write)
        other.start()
        other.join()
        return found

    before = dict(database.Counter(label for label, _line in database.lines()))
    monkeypatch.setattr(archive, "applied_migrations", meanwhile)
    assert archive.back_up(tmp_path / "backup")["counts"] == before
    assert told
    assert not Sheet.objects.filter(pk=lived_in.pk).exists()


def test_the_commands_say_how_much_there_was(lived_in, tmp_path, capsys):
    for command, more in (("backup", {}), ("restore", {"replace": True})):
        call_command(command, str(tmp_path / "backup"), **more)
        rows = sum(archive.verified_summary(tmp_path / "backup")["counts"].values())
        assert f"{rows} rows of" in capsys.readouterr().out


def test_a_restored_copy_has_the_whole_chain_and_verifies(reviewed, tmp_path, capsys):
    before = everything()
    archive.back_up(tmp_path / "backup")
    call_command("flush", interactive=False)
    restoring.restore(tmp_path / "backup", replace=False)
    assert everything() == before
    assert list(chain_faults()) == []
    call_command("verify_reviews")
    assert "2 entries hold" in capsys.readouterr().out
    assert review_status(Sheet.objects.get()).state == "returned"
    with transaction.atomic():
        reviews.submit(Sheet.objects.get(), reviewed.player)
    assert list(chain_faults()) == []


def test_a_line_is_what_django_makes_of_the_row_the_same_with_every_database(file, reviewed):
    rows = [json.loads(line) for line in unpacked(file)[1:-1]]
    assert any(MOMENT.isoformat() in row[1] for row in rows if row[0] == "sheets.Sheet")
    models = sorted(database.tables().items())
    assert [line for _label, line in database.lines()] == [
        database.as_line([label, row]) for label, model in models
        for row in model._base_manager.order_by("pk").values_list(*database.columns(model))]
