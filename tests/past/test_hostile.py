"""A backup of an earlier version in which somebody wrote: it is told of as one of this version is."""

import re

import pytest
from django.core.management import CommandError, call_command

from builder.backup import database
from sheets.models import Sheet
from tests.past.conftest import FIRST
from tests.support.builder.backups import Written
from tests.support.everyday import everyday

pytestmark = pytest.mark.alike


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.every_case
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("values", "said"), everyday([
    ({"user_id": 99_999}, r"sheets\.Member\.user_id is 99999, which is not there"),
    ({"joined": "gestern"}, r'sheets\.Member\.joined is "gestern", not a time'),
], 2), ids=["nobody", "no time"])
def test_a_row_of_an_earlier_version_that_is_none_is_told_by_its_line_and_changes_nothing(tmp_path, values, said):
    Sheet.objects.create(guest="x", ruleset="condice", data={}, name="Noch da")
    before, standing = sorted(database.lines()), database.applied_migrations()
    file, path = Written(FIRST.unpacked("past.backup").splitlines(keepends=True)), tmp_path / "past.backup"
    file.put("sheets.Member", 2, **values)
    path.write_bytes(file.packed())
    with pytest.raises(CommandError) as refused:
        call_command("restore", str(path), replace=True)
    told = rf"{re.escape(str(path))}, line {file.line}: {said}\. Nothing was changed\."
    assert re.fullmatch(told, str(refused.value))
    assert (sorted(database.lines()), database.applied_migrations()) == (before, standing)
