import gzip
import json
import os
import stat
import subprocess
import sys
import threading
from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection

from builder import doctor, keeping
from builder.models import Invitation
from rulesets.document import sealed
from sheets.models import Change, Event, Review, Revision, Sheet
from sheets.reviews import going
from sheets.reviews.chain import faults
from sheets.reviews.courses import course
from tests.guest import Guest, example
from tests.sheets.reviews.conftest import Round

pytestmark = pytest.mark.django_db(transaction=True)
MOMENT = datetime(2026, 3, 1, 12, 30, 15, 123_457, tzinfo=UTC)


@pytest.fixture
def lived_in():
    """An account and a guest at work, with a history, a roll, a link, an invitation, and a time to the microsecond."""
    user = get_user_model().objects.create_user("jürgen", "j@example.org", "gut-geschmiedet-7")
    user.emailaddress_set.create(email="j@example.org", primary=True)
    user.authenticator_set.create(type="totp", data={"secret": "A"})
    mine = Guest(example(), user=user)
    mine.post("values", life="6")
    mine.client.post(f"/sheets/{mine.pk}/keep/", {"do": "share"})
    mine.client.post(f"/sheets/{mine.pk}/play/", {
        "w": "act-damage", "points": "3", "_press": "7d7a2d6c-8a51-4f43-8ba1-4a7d8d7b7f11"})
    guest = Guest(example())
    Sheet.objects.filter(pk=guest.pk).update(updated=MOMENT, created=MOMENT, notes="Ünïcode \u2028 🐐")
    Invitation.make(3, 3)
    return guest


def reviewed():
    """A party with a sheet that its GM has returned."""
    made = Round()
    going.submit(made.sheet, made.player)
    seal = going.case(made.sheet, course(made.sheet)).seal
    going.give_back(made.member(made.gm), made.sheet, seal, {"comment": "Fast."})
    made.change(life=4)
    return made


@pytest.fixture
def file(lived_in, tmp_path):
    keeping.back_up(tmp_path / "backup")
    return tmp_path / "backup"


def everything():
    return sorted(keeping.lines())


def rewritten(file, change):
    """A backup whose lines were tampered with."""
    with gzip.open(file) as packed:
        lines = packed.read().splitlines(keepends=True)
    with gzip.open(file, "wb") as packed:
        packed.writelines(change(lines))


def test_what_is_restored_is_what_was_backed_up_to_the_microsecond(file, lived_in):
    before = everything()
    assert len(before) > 10
    call_command("flush", interactive=False)
    keeping.restore(file, replace=False)
    assert everything() == before
    assert lived_in.sheet.updated == MOMENT
    assert lived_in.sheet.notes == "Ünïcode \u2028 🐐"
    assert lived_in.get("values").status_code == 200
    assert lived_in.client.post("/build/condice/").status_code == 302


def test_no_table_with_rows_is_left_out_but_the_cache(lived_in):
    held = {label for label, _line in keeping.lines()}
    for model in (Sheet, Change, Event, Session, Invitation, get_user_model()):
        assert model._meta.label in held
    unknown = set(connection.introspection.table_names()) - {
        model._meta.db_table for model in keeping.tables().values()}
    assert unknown == {"cache", "django_migrations"}


def test_new_rows_after_a_restore_take_numbers_that_are_free(file):
    keeping.restore(file, replace=True)
    assert get_user_model().objects.create_user("neu").pk not in (None, 1)
    sheet = Sheet.objects.filter(changes__isnull=False).first()
    Change.objects.create(sheet=sheet, number=99, version=1, data=sheet.data)
    assert doctor_says() == ["1 places of histories lie after their end"]


def test_a_database_that_holds_something_is_replaced_only_when_asked(file):
    Sheet.objects.update(name="later")
    with pytest.raises(keeping.Refused, match=r"not empty \(.*--replace"):
        keeping.restore(file, replace=False)
    assert Sheet.objects.filter(name="later").count() == 2
    keeping.restore(file, replace=True)
    assert not Sheet.objects.filter(name="later").exists()


def test_a_backup_is_for_its_owners_eyes_and_replaces_an_older_one(file):
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    Sheet.objects.all().delete()
    keeping.back_up(file)
    assert "sheets.Sheet" not in keeping.examined(file)["counts"]
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
    rewritten(file, change)
    before = everything()
    with pytest.raises(keeping.Refused, match="not whole"):
        keeping.restore(file, replace=True)
    assert everything() == before


@pytest.mark.parametrize("content", [b"", b"text", gzip.compress(b""), gzip.compress(b"{}\n"), gzip.compress(b"[]\n")])
def test_what_is_no_backup_is_refused(tmp_path, content):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(CommandError, match=r"no whole backup|no backup of this program"):
        call_command("restore", str(tmp_path / "x"))


def test_a_backup_that_was_cut_off_is_refused(file):
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(CommandError, match="no whole backup"):
        call_command("restore", str(file), replace=True)


def test_a_file_that_is_missing_and_a_folder_that_cannot_be_written_are_said_in_a_line(tmp_path):
    for command, path in (("restore", tmp_path / "none"), ("backup", tmp_path / "no" / "folder")):
        with pytest.raises(CommandError, match="No such file"):
            call_command(command, str(path))


def test_a_database_without_tables_is_said_in_a_line(tmp_path):
    for command in ("backup", "restore", "doctor"):
        arguments = [str(tmp_path / "x")] if command != "doctor" else []
        done = subprocess.run(
            [sys.executable, "manage.py", command, *arguments], cwd=settings.BASE_DIR, capture_output=True, text=True,
            env=os.environ | {"DATABASE_URL": f"sqlite:///{tmp_path}/new.sqlite3"}, check=False)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
    assert "run migrate" in done.stdout


def test_a_backup_of_other_migrations_is_refused_with_their_names(file, monkeypatch):
    now = keeping.standing()
    monkeypatch.setattr(keeping, "standing", lambda: [*now, "sheets.9999_later"])
    with pytest.raises(keeping.Refused, match=r"differ by sheets\.9999_later"):
        keeping.restore(file, replace=True)


def test_a_restore_that_fails_halfway_changes_nothing(file, monkeypatch):
    Sheet.objects.update(name="later")
    before = everything()
    monkeypatch.setattr(keeping, "_insert", lambda *_: None)
    with pytest.raises(keeping.Refused, match="nothing was changed"):
        keeping.restore(file, replace=True)
    assert everything() == before


@pytest.mark.database("postgresql")  # one in memory has no log to read beside; test_hammering does it with files
def test_what_changes_while_a_backup_is_made_is_not_in_it(lived_in, tmp_path, monkeypatch):
    usual, told = keeping.standing, []

    def meanwhile():
        found = usual()

        def write():
            Sheet.objects.filter(pk=lived_in.pk).delete()
            connection.close()
        other = threading.Thread(target=write)
        other.start()
        other.join()
        told.append(1)
        return found

    before = dict(keeping.Counter(label for label, _line in keeping.lines()))
    monkeypatch.setattr(keeping, "standing", meanwhile)
    said = keeping.back_up(tmp_path / "backup")
    assert told
    assert said["counts"] == before
    assert not Sheet.objects.filter(pk=lived_in.pk).exists()


def test_the_commands_say_how_much_there_was(lived_in, tmp_path, capsys):
    call_command("backup", str(tmp_path / "backup"))
    rows = sum(keeping.examined(tmp_path / "backup")["counts"].values())
    assert f"{rows} rows of" in capsys.readouterr().out
    call_command("restore", str(tmp_path / "backup"), replace=True)
    assert f"{rows} rows of" in capsys.readouterr().out


def doctor_says():
    """What the doctor finds wrong."""
    return [found.text for found in doctor.examine() if not found.well]


def test_the_doctor_has_nothing_to_say_of_a_sound_installation(lived_in, capsys):
    call_command("doctor")
    out = capsys.readouterr().out
    assert "WRONG" not in out
    assert "sheets.Sheet: 2" in out
    assert "all migrations are applied" in out


def test_the_doctor_names_sheets_that_cannot_be_read_any_more(lived_in):
    Sheet.objects.filter(pk=lived_in.pk).update(data={"life": -1})
    assert doctor_says()[0].startswith(f"sheet {lived_in.pk}: ")
    Sheet.objects.filter(pk=lived_in.pk).update(ruleset="gone")
    assert doctor_says() == [f"sheet {lived_in.pk}: its system 'gone' is not installed"]


def test_the_doctor_names_a_broken_place_of_a_history_and_broken_play(lived_in):
    Change.objects.update(data={"x": 1})
    assert len(doctor_says()) == 1
    Change.objects.all().delete()
    Sheet.objects.filter(pk=lived_in.pk).update(play={"x": 1})
    assert doctor_says()[0].startswith(f"sheet {lived_in.pk}: ")


def test_the_doctor_names_revisions_that_cannot_be_read_any_more_or_are_not_what_was_sealed(lived_in):
    lived_in.whole("finish")
    sheet = lived_in.sheet
    assert doctor_says() == []
    data = {"life": -1}
    seal = sealed(sheet.ruleset, 1, {}, "Juan", data)
    Revision.objects.update(data=data, rules=1, house={}, name="Juan", seal=seal)
    assert doctor_says()[0].startswith(f"sheet {sheet.pk}, revision 1: ")
    assert "sealed" not in doctor_says()[0]
    Revision.objects.update(name="Don Juan")
    assert doctor_says() == [f"sheet {sheet.pk}, revision 1: it is not what was sealed"]
    Revision.objects.all().delete()
    for number in range(12):
        Revision.objects.create(sheet=sheet, number=number, version=1, kind="finished", rules=1, data={}, seal="x")
    assert doctor_says()[-1] == "and 2 more revisions"


def test_the_doctor_names_the_first_break_of_the_chain_of_reviews():
    reviewed()
    assert doctor_says() == []
    Review.objects.filter(number=2).update(said={"comment": "Doch."})
    [said] = doctor_says()
    assert said.startswith("the chain of reviews is broken, first at entry 2: its words are not what was signed;")


def test_a_restored_copy_has_the_whole_chain_and_verifies(tmp_path, capsys):
    made = reviewed()
    before = everything()
    keeping.back_up(tmp_path / "backup")
    call_command("flush", interactive=False)
    keeping.restore(tmp_path / "backup", replace=False)
    assert everything() == before
    assert list(faults()) == []
    call_command("verify_reviews")
    assert "2 entries hold" in capsys.readouterr().out
    assert course(Sheet.objects.get()).state == "returned"
    going.submit(Sheet.objects.get(), made.player)
    assert list(faults()) == []


def test_the_doctor_names_ten_and_counts_the_rest():
    for _number in range(12):
        Sheet.objects.create(ruleset="gone", data={}, guest="g")
    said = doctor_says()
    assert len(said) == 11
    assert said[-1] == "and 2 more sheets"


def test_the_doctor_ends_with_1_where_something_is_wrong(monkeypatch):
    monkeypatch.setattr(settings, "IMPRINT", "/nowhere/imprint.{lang}.md")
    with pytest.raises(CommandError, match="2 of it is wrong") as error:
        call_command("doctor")
    assert error.value.returncode == 1
    assert doctor_says()[0] == "IMPRINT: there is no file /nowhere/imprint.de.md"


def test_the_doctor_tells_of_migrations_that_are_missing(monkeypatch):
    monkeypatch.setattr(doctor.MigrationExecutor, "migration_plan",
                        lambda self, targets: [(self.loader.disk_migrations["sheets", "0001_initial"], False)])
    assert doctor_says() == ["migrations that are not applied: sheets.0001_initial; run migrate"]


@pytest.mark.database("sqlite")  # PostgreSQL does not let such a row in
def test_the_doctor_finds_rows_that_lead_nowhere(lived_in):
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA foreign_keys = OFF")
        cursor.execute("UPDATE sheets_change SET sheet_id = %s", ["0" * 32])
        assert "sheets.Change: 1 rows lead to a sheet that is not there" in doctor_says()
        cursor.execute("DELETE FROM sheets_change")
        cursor.execute("PRAGMA foreign_keys = ON")


def test_a_row_is_written_the_same_by_every_database(file):
    with gzip.open(file) as packed:
        rows = [json.loads(line) for line in packed.readlines()[1:-1]]
    assert any(MOMENT.isoformat() in row[1] for row in rows if row[0] == "sheets.Sheet")
