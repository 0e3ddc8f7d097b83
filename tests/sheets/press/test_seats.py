"""Questions that are worded once ask what Django's own would."""

from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.db.models.sql import UpdateQuery
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from sheets import access
from sheets.models import Party, Sheet
from sheets.press import prepare

pytestmark = pytest.mark.django_db

NEW = ({"played": timezone.now()}, {"play": {"life": 3}}, {"notes": "ä", "played": None})
STANDS = (
    {"pk": UUID(int=1)},
    {"pk": UUID(int=1), "deleted": None, "version": 3, "played": None, "guest": "who"},
    {"version": 3, "pk": UUID(int=1), "deleted": None, "played": timezone.now(), "owner": 4, "party": None},
    {"pk": UUID(int=1), "deleted": None, "version": 3, "played": timezone.now(), "owner": 4, "party": uuid4()},
)


@pytest.fixture
def sheet():
    """A guest's sheet that was never played."""
    return Sheet.objects.create(ruleset="condice", data={}, guest="who")


@pytest.mark.parametrize("new", NEW)
@pytest.mark.parametrize("conditions", STANDS)
def test_what_is_written_where_all_of_it_stands_is_in_the_order_of_the_query(new, conditions):
    found = Sheet.objects.filter(**conditions).query.chain(UpdateQuery)
    found.add_update_values(new)
    text, values = found.sql_with_params()
    assert repr(prepare.update_sql(conditions, new)) == repr((text, [*values]))


def test_it_is_worded_anew_where_something_else_is_nothing(sheet):
    now = timezone.now()
    conditions = {"pk": sheet.pk, "deleted": None, "version": 1}
    for played, new, rows in ((now, {"played": now}, 0), (None, {"played": now}, 1), (None, {"played": now}, 0),
                              (now, {"played": None, "play": {"life": 2}}, 1), (None, {"played": now}, 1),
                              (now, {"played": None}, 1)):
        assert prepare.write_where({**conditions, "played": played}, new) == rows
    sheet.refresh_from_db()
    assert (sheet.played, sheet.play) == (None, {"life": 2})


def test_a_sheet_is_read_with_its_party_as_both_were_at_one_moment(sheet, django_user_model, monkeypatch):
    party = Party.objects.create(name="Rose", ruleset="condice", house={"budget": 40})
    owner = django_user_model.objects.create_user("Ada")
    Sheet.objects.filter(pk=sheet.pk).update(party=party, owner=owner, guest="", house={"budget": 40})
    with CaptureQueriesContext(connection) as asked:
        assert access.read_sheet(sheet.pk).party == party
    assert len(asked) == 2
    read = access.read_row

    def meanwhile(change):
        def changed(model, pk):
            if model is Party:
                change()
            return read(model, pk)

        with monkeypatch.context() as patch:
            patch.setattr(access, "read_row", changed)
            return access.read_sheet(sheet.pk)

    then = meanwhile(lambda: [model.objects.update(house={"budget": 50}) for model in (Party, Sheet)])
    assert (then.house, then.party.house) == ({"budget": 50}, {"budget": 50})
    then = meanwhile(Party.objects.all().delete)
    assert (then.party_id, then.party) == (None, None)
    other = Party.objects.create(name="Rose", ruleset="condice")
    Sheet.objects.update(party=other)
    assert meanwhile(lambda: (Sheet.objects.all().delete(), other.delete())) is None
    # There is no row of a key that nothing has.
    assert access.read_sheet(UUID(int=7)) is None
