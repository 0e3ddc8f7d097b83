"""The doctor: what it finds wrong with an installation, and how much of it it names."""

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from builder import readiness
from rulesets.document import sealed
from sheets.models import Change, Review, Revision, Sheet
from tests.support.builder.doctor import doctor_says
from tests.support.builder.held import lacking

pytestmark = [pytest.mark.alike, pytest.mark.django_db(transaction=True)]


def test_the_doctor_has_nothing_to_say_of_a_sound_installation(lived_in, capsys):
    call_command("doctor")
    out = capsys.readouterr().out
    assert lacking(out, "WRONG", "sheets.Sheet: 2", "all migrations are applied") == ["WRONG"]


@pytest.mark.parametrize(("change", "said"), [
    ({"data": {"life": -1}}, "sheet {pk}: "), ({"play": {"x": 1}}, "sheet {pk}: "),
    ({"ruleset": "gone"}, "sheet {pk}: its system 'gone' is not installed")])
def test_the_doctor_names_sheets_and_places_of_their_history_that_cannot_be_read_any_more(lived_in, change, said):
    Change.objects.all().delete()
    Sheet.objects.filter(pk=lived_in.pk).update(**change)
    assert [one.startswith(said.format(pk=lived_in.pk)) for one in doctor_says()] == [True]
    Sheet.objects.filter(pk=lived_in.pk).delete()
    sheet = Sheet.objects.get()
    Change.objects.create(sheet=sheet, number=1, version=1, data={"x": 1})
    assert f"sheet {sheet.pk}" in doctor_says()[0]


def test_the_doctor_names_revisions_that_cannot_be_read_any_more_or_are_not_what_was_sealed(lived_in):
    lived_in.whole("finish")
    sheet, data = lived_in.sheet, {"life": -1}
    assert doctor_says() == []
    Revision.objects.update(data=data, rules=1, house={}, name="Juan",
                            seal=sealed(sheet.ruleset, 1, {}, "Juan", data))
    assert doctor_says()[0].startswith(f"sheet {sheet.pk}, revision 1: ")
    assert "sealed" not in doctor_says()[0]
    Revision.objects.update(name="Don Juan")
    said = doctor_says()
    assert said[0] == f"sheet {sheet.pk}, revision 1: it is not what was sealed"
    assert said[1].startswith("the chain of reviews is broken, first at entry 1: of the revision with key")
    Revision.objects.all().delete()
    Revision.objects.bulk_create(
        Revision(sheet=sheet, number=number, version=1, kind="finished", rules=1, data={}, seal="x")
        for number in range(12))
    assert doctor_says()[-2] == "and 2 more revisions"


def test_the_doctor_names_the_first_break_of_the_chain_of_reviews(reviewed):
    assert doctor_says() == []
    Review.objects.filter(number=2).update(said={"comment": "Doch."})
    [said] = doctor_says()
    assert said.startswith("the chain of reviews is broken, first at entry 2: its words are not what was signed;")


def test_the_doctor_names_ten_and_counts_the_rest():
    Sheet.objects.bulk_create(Sheet(ruleset="gone", data={}, guest="g") for _number in range(12))
    said = doctor_says()
    assert (len(said), said[-1]) == (11, "and 2 more sheets")


def test_the_doctor_ends_with_1_where_something_is_wrong(monkeypatch):
    monkeypatch.setattr(settings, "IMPRINT", "/nowhere/imprint.{lang}.md")
    with pytest.raises(CommandError, match="2 of it is wrong") as error:
        call_command("doctor")
    assert error.value.returncode == 1
    assert doctor_says()[0] == "IMPRINT: there is no file /nowhere/imprint.de.md"


def test_the_doctor_tells_of_migrations_that_are_missing(monkeypatch):
    monkeypatch.setattr(readiness.MigrationExecutor, "migration_plan",
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
