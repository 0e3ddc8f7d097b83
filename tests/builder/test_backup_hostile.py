"""Backups that somebody wrote by hand, with right sums: each is refused in a sentence, and nothing is changed."""

import gzip
import io
import re
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from builder.backup import archive, database, restoring
from sheets.faces.services import bring_portrait
from sheets.models import Sheet
from sheets.reviews import services as reviews
from tests.support.builder.backups import Written
from tests.support.party import Round
from tests.support.sheets.files import plain

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
DEEP = b"[" * 100_000 + b"]" * 100_000
SHEET, USER, MEMBER, REVIEW = "sheets.Sheet", "auth.User", "sheets.Member", "sheets.Review"


@pytest.fixture(scope="module")
def lines(lasting_database):
    """The lines of a backup of a database that stays as it is for all of these tests."""
    made, packed = Round(), io.BytesIO()
    Sheet.objects.create(ruleset="condice", guest="g" * 32, data={}, notes="Ünïcode \u2028 🐐")
    reviews.submit(made.sheet, made.player)
    bring_portrait(lambda: made.sheet, plain())
    archive._write(packed)
    return packed.getvalue().splitlines(keepends=True)


@pytest.fixture
def restored(lines, tmp_path):
    """Restores a file; return what is said of it, and see that nothing was changed."""
    path = tmp_path / "hostile"

    def attempt(content):
        path.write_bytes(content)
        before = sorted(database.lines())
        with pytest.raises(CommandError) as refused:
            call_command("restore", str(path), replace=True)
        assert sorted(database.lines()) == before
        return str(refused.value).replace(str(path), "FILE")
    return attempt


def values(label, **changed):
    return lambda file: file.put(label, **changed)


def row(line):
    """A line in the place of a row."""
    def change(file):
        file.rows[file.place(SHEET)] = line
    return change


def length(by):
    def change(file):
        given = [*file.values(SHEET).values(), None][:by]
        file.rows[file.place(SHEET)] = database.as_line([SHEET, given])
    return change


def again(label, **changed):
    """A row twice, the second time with another key or what is given."""
    def change(file):
        place = file.place(label)
        file.rows.insert(place + 1, file.rows[place])
        file.put(label, 1, **changed)
    return change


def unknown_table(file):
    file.header["columns"]["sheets.Secret"] = ["id"]
    file.rows.append(b'["sheets.Secret",[1]]\n')
    file.place("sheets.Secret")


def session(file):
    file.header["columns"]["sessions.Session"] = ["session_key", "session_data", "expire_date"]
    file.rows.append(b'["sessions.Session",["a"]]\n')
    file.place("sessions.Session")


OF_A_ROW = {
    "a text in a number": (values(SHEET, version="drei"), r'sheets\.Sheet\.version is "drei", not a whole number'),
    "digits in a number": (values(SHEET, version="3"), 'version is "3", not a whole number'),
    "a fraction in a number": (values(SHEET, version=1.5), r"version is 1\.5, not a whole number"),
    "a number with a point": (values(SHEET, version=1.0), r"version is 1\.0, not a whole number"),
    "true in a number": (values(SHEET, version=True), "version is true, not a whole number"),
    "too large a number": (values(SHEET, version=2**70), r"version is 1180591620717411303424, not a whole number"),
    "a number below zero": (values(SHEET, version=-1), "version is -1, not a whole number"),
    "no finite number": (values(SHEET, version=b"1e400"), "version is Infinity, not a whole number"),
    "5,000 digits": (values(SHEET, version=b"1" * 5_000), "a number in it has too many digits"),
    "a tree in a number": (values(SHEET, version={}), r"version is \{\}, not a whole number"),
    "no number in a number": (values(SHEET, version=None), "version is empty, which it must not be"),
    "a number as a key": (values(SHEET, id=7), r"sheets\.Sheet\.id is 7, not a key"),
    "a text as a key": (values(SHEET, id="kein"), 'id is "kein", not a key'),
    "a key in capitals": (values(SHEET, id=str(uuid4()).upper()[:-1] + "A"), r'id is "[-0-9A-F]+", not a key'),
    "a text as a time": (values(SHEET, created="gestern"), 'created is "gestern", not a time'),
    "a day that is none": (values(SHEET, created="2026-02-30T10:00:00+00:00"), "created is .*, not a time"),
    "a time without its zone": (values(SHEET, created="2026-01-01T10:00:00"), "created is .*, not a time"),
    "a time of another zone": (values(SHEET, created="2026-01-01T10:00:00+01:00"), "created is .*, not a time"),
    "a number as a time": (values(SHEET, created=1), "created is 1, not a time"),
    "a number as a text": (values(SHEET, name=7), "name is 7, not a text"),
    "a list as a text": (values(SHEET, name=["a"]), r'name is \["a"\], not a text'),
    "an object as a text": (values(SHEET, name={"a": 1}), r'name is \{"a": 1\}, not a text'),
    "a NUL in a text": (values(SHEET, name="a\0b"), "name has a NUL"),
    "a NUL in a tree": (values(SHEET, data={"a": ["\\\0"]}), "data has a NUL"),
    "half a character in a text": (values(SHEET, name="a\ud800"), "name has half a character"),
    "the other half in a text": (values(SHEET, name="\ude00"), "name has half a character"),
    "half a character in a tree": (values(SHEET, data={"\udc00": 1}), "data has half a character"),
    "no finite number in a tree": (values(SHEET, data=b'{"a":1e400}'), "data has a number that is not finite"),
    "no number in a tree": (values(SHEET, data=b"[NaN]"), "data has a number that is not finite"),
    "5,000 digits in a tree": (values(SHEET, data=b"[%b]" % (b"1" * 5_000)), "a number in it has too many digits"),
    "a deep tree": (values(SHEET, data=DEEP), "it is nested too deep"),
    "a key twice": (values(SHEET, data=b'{"a":1,"a":2}'), 'an object in it says "a" twice'),
    "a tree in another spelling": (values(SHEET, data=b'{"a": 1}'), "it is not spelt as this program does"),
    "a text that is neither": (values(USER, is_active="yes"), 'is_active is "yes", not true or false'),
    "a number that is neither": (values(USER, is_active=1), "is_active is 1, not true or false"),
    "broken base 64": (values("sheets.Portrait", whole="%%%="), 'whole is "%%%=", not base 64'),
    "base 64 with more": (values("sheets.Portrait", whole="YQ==*"), r'whole is "YQ==\*", not base 64'),
    "a number as a picture": (values("sheets.Portrait", whole=7), "whole is 7, not base 64"),
    "no JSON": (row(b'["sheets.Sheet",[\n'), r"it is no JSON \(.*\)"),
    "no UTF-8": (values(SHEET, name=b'"\xff"'), "it is no UTF-8"),
    "a row that is a text": (row(b'["sheets.Sheet","abc"]\n'), r"it is no row, \[table, \[values\]\]"),
    "a row and more": (row(b'["sheets.Sheet",[],1]\n'), r"it is no row, \[table, \[values\]\]"),
    "a value missing": (length(-2), r"it has \d+ values for the \d+ fields of sheets\.Sheet"),
    "a value more": (length(None), r"it has \d+ values for the \d+ fields of sheets\.Sheet"),
    "a key of two rows": (again(USER, username="anders"), r"the database does not take it \(.*\)"),
    "a name of two rows": (again(USER, id=999), r"the database does not take it \(.*username.*\)"),
    "two of which one may be": (lambda file: file.put(MEMBER, 1, role="gm"), r"the database does not take it \(.*\)"),
    "what a column must not hold": (values(REVIEW, kind="geadelt"),
                                    r"the database does not take it \(.*review_kind.*\)"),
    "no such account": (values(MEMBER, user_id=999), r"sheets\.Member\.user_id is 999, which is not there"),
    "no such party": (values(MEMBER, party_id=str(uuid4())),
                      r"sheets\.Member\.party_id is [-0-9a-f]+, which is not there"),
    "a table that there is not": (unknown_table, r"there is no table sheets\.Secret"),
    "a session that is none": (session, r"it has 1 values for the 3 fields of sessions\.Session"),
}
"""{what is hostile: (what is done to a backup, what is said of the line)}."""


@pytest.mark.every_case
@pytest.mark.parametrize("case", OF_A_ROW)
def test_a_row_that_is_none_is_told_by_its_line_and_changes_nothing(restored, lines, case):
    change, said = OF_A_ROW[case]
    file = Written(lines)
    change(file)
    told = restored(file.packed())
    said = rf"(\w+\.\w+\.)?{said}( that it can hold)?"
    assert re.fullmatch(rf"FILE, line {file.line}: {said}\. Nothing was changed\.", told)


def no_row(line):
    return row(line), r"FILE is not whole: line {} is no row of a table that line 1 names\."


def columns(change):
    return lambda file: change(file.header["columns"])


def without_a_migration(file):
    file.header["migrations"].remove("sheets.0004_reviews")


def headed(**changed):
    return lambda file: file.header.update(changed)


OF_THE_FILE = {
    "an object as a row": no_row(b'{"sheets.Sheet":[]}\n'),
    "a text as a row": no_row(b'"sheets.Sheet"\n'),
    "no row at all": no_row(b"\n"),
    "a row of a table that is not named": no_row(b'["sheets.Secret",[1]]\n'),
    "a field that there is not": (columns(lambda named: named[SHEET].append("secret")),
                                  r"FILE, line 1: sheets\.Sheet has no field secret\..*"),
    "a field that is missing": (columns(lambda named: named[SHEET].remove("name")),
                                r"FILE, line 1: sheets\.Sheet\.name is missing\..*"),
    "a table that is missing": (columns(lambda named: named.pop("sheets.Report")),
                                r"FILE, line 1: it does not say which fields sheets\.Report has\..*"),
    "a field twice": (columns(lambda named: named[SHEET].append("name")), "FILE, line 1: it does not say which .*"),
    "no columns": (headed(columns=None), "FILE, line 1: it does not say which .*"),
    "fields that are none": (headed(columns={SHEET: 7}), "FILE, line 1: it does not say which .*"),
    "migrations that are none": (headed(migrations=[{}]), "FILE, line 1: it does not say which .*"),
    "a migration without those before it": (
        without_a_migration, r".*names the migration sheets\.0005_mail, but not sheets\.0004_reviews, which comes .*"),
    "another format": (headed(format="none"), r"FILE is no backup of this program, or one of a later version\."),
}
"""{what is hostile: (what is done to a backup, what is said)}."""


@pytest.mark.parametrize("case", OF_THE_FILE)
def test_a_file_that_says_what_is_not_so_of_itself_is_told_and_changes_nothing(restored, lines, case):
    change, said = OF_THE_FILE[case]
    file = Written(lines)
    change(file)
    told = restored(file.packed())
    assert re.fullmatch(said.replace("{}", str(file.line)), told)


ENDS = {"no object": b"[]\n", "no JSON": b"{\n", "deep": DEEP + b"\n", "nothing": b"", "no counts": b'{"counts":7}\n',
        "too long": b'"' + b"a" * 2**20 + b'"\n'}


@pytest.mark.parametrize("end", ENDS)
def test_a_file_whose_first_or_last_line_is_none_is_told_and_changes_nothing(restored, lines, end):
    assert restored(Written(lines).packed(last=ENDS[end])).startswith("FILE is not whole: ")
    assert restored(Written(lines).packed(first=ENDS[end])).startswith("FILE is no backup of this program")


def test_counts_that_are_not_those_of_the_rows_are_told_by_the_table(restored, lines):
    file = Written(lines)
    end = gzip.decompress(file.packed()).splitlines()[-1]
    counted = end.replace(b'"sheets.Sheet":2', b'"sheets.Sheet":3')
    assert restored(file.packed(last=counted)) == "FILE is not whole: of sheets.Sheet it has 2 rows and counts 3."


BOMBS = {
    "one line": (b" " * (64 * 2**20), "it has a line of over 16777216 bytes"),
    "many lines": (b"\n" * (64 * 2**20), "line 2 is no row"),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_file_that_becomes_huge_is_refused_before_it_is(restored, lines, bomb):
    content, said = BOMBS[bomb]
    assert said in restored(gzip.compress(lines[0] + content, 1))


@pytest.mark.parametrize("cut", [lambda whole: whole[:-20], lambda whole: whole[:len(whole) // 2],
                                 lambda whole: whole + b"mehr",
                                 lambda whole: whole[:40] + b"\0" * 40 + whole[80:]],
                         ids=["at the end", "in the middle", "more at the end", "other bytes"])
def test_an_archive_that_is_cut_off_or_goes_on_is_refused(restored, lines, cut):
    assert restored(cut(Written(lines).packed())).startswith("FILE is no")


def test_a_file_with_a_path_as_its_name_within_is_brought_back_and_written_nowhere_else(lines, tmp_path):
    packed, folder = io.BytesIO(), tmp_path / "in" / "here"
    folder.mkdir(parents=True)
    with gzip.GzipFile("../../elsewhere.gz", "wb", 1, packed) as file:
        file.write(gzip.decompress(Written(lines).packed()))
    (folder / "backup").write_bytes(packed.getvalue())
    restoring.restore(folder / "backup", replace=True)
    assert [line for _label, line in database.lines()] == lines[1:-1]
    assert [one.name for one in tmp_path.rglob("*")] == ["in", "here", "backup"]


def test_rows_that_no_migration_can_read_are_told_and_change_nothing(restored, lines, monkeypatch):
    def stuck(plan):
        raise KeyError(plan)

    file = Written(lines)
    file.header["migrations"].remove(max(one for one in file.header["migrations"] if one.startswith("builder.")))
    monkeypatch.setattr(restoring, "run_migrations", stuck)
    assert "none of an earlier version (KeyError: " in restored(file.packed())
