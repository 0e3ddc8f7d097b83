"""A party sees the figures of its sheets at the table, apart from who reads the sheets themselves."""

import pytest

from sheets.models import PARTY, PRIVATE, Event, PendingEffect, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import CLUB

pytestmark = pytest.mark.alike
ASKED = "Show these values to the party here?"


@pytest.fixture
def apart(table):
    """Ben's sheet is read by him and the GMs alone; whether the party sees its figures has not been asked yet."""
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(seen_by=PRIVATE, at_table=None)
    table.have("anna", attacks=CLUB)
    return table


def shows(table, shown):
    """Ben answers whether the party sees his figures."""
    return table.settle("figures", "ben", f"{'show' if shown else 'keep'}:{table.sheets['ben'].pk}")


def seat_of(table, who):
    """What Ben's seat says to somebody, "" where they do not see it."""
    return table.read(who).text.partition(f'id="seat-{table.sheets["ben"].pk}"')[2].partition("</li>")[0]


def test_who_has_not_been_asked_yet_is_asked_at_the_table_and_nobody_else_is(apart):
    assert ASKED in text_of(apart.look("ben", "ben", None))
    for who in ("anna", "gm"):
        assert ASKED not in text_of(apart.read(who))
    assert seat_of(apart, "anna") == ""


@pytest.mark.parametrize("shown", [True, False])
def test_the_answer_counts_and_is_asked_for_no_more(apart, shown):
    assert shows(apart, shown).status_code == 302
    assert Sheet.objects.get(pk=apart.sheets["ben"].pk).at_table is shown
    assert ASKED not in text_of(apart.look("ben", "ben", None))
    assert ("Life points" in seat_of(apart, "anna")) == shown


def test_others_see_the_figures_and_aim_at_them_and_read_nothing_more(apart, dice):
    shows(apart, shown=True)
    seat, key = seat_of(apart, "anna"), apart.sheets["ben"].pk
    assert f"/sheets/{key}/" not in seat
    assert apart.browsers["anna"].get(f"/sheets/{key}/").status_code == 404
    assert apart.browsers["anna"].get(f"/sheets/{key}/portrait/96/").status_code == 404
    dice += [[6, 6, 5, 1]]
    apart.press()
    assert (PendingEffect.objects.get().sheet.name, "hits Ben" in text_of(apart.look())) == ("Ben", True)
    assert "% hit" in text_of(apart.look())


def test_who_keeps_them_is_not_met_and_not_aimed_at(apart):
    shows(apart, shown=False)
    assert apart.press().status_code == 404
    assert not Event.objects.exists()


@pytest.mark.parametrize("who", ["anna", "gm", "helper"])
def test_nobody_answers_for_another(apart, who):
    answer = apart.settle("figures", who, f"show:{apart.sheets['ben'].pk}")
    assert (answer.status_code, Sheet.objects.get(pk=apart.sheets["ben"].pk).at_table) == (404, None)


def test_a_sheet_that_is_brought_in_shows_its_figures_and_one_that_goes_out_forgets_that(table):
    ben, key = table.browsers["ben"], table.sheets["ben"].pk
    Sheet.objects.filter(pk=key).update(seen_by=PRIVATE)
    for fields, at_table in (({"do": "drop", "_saw": table.party.pk}, None),
                             ({"do": "bring", "party": table.party.pk, "_saw": ""}, True),
                             ({"do": "table", "_saw": table.party.pk}, False),
                             ({"do": "table", "at_table": "on", "_saw": table.party.pk}, True)):
        assert ben.post(f"/sheets/{key}/place/", fields).status_code == 302
        assert Sheet.objects.get(pk=key).at_table is at_table, fields


def test_whoever_reads_the_sheet_is_asked_nothing(apart):
    Sheet.objects.filter(pk=apart.sheets["ben"].pk).update(seen_by=PARTY)
    assert ASKED not in text_of(apart.look("ben", "ben", None))
    assert f"/sheets/{apart.sheets['ben'].pk}/" in seat_of(apart, "anna")


def test_of_an_opponent_nobody_shows_its_figures_so(table, dice):
    troll = table.bring()
    address = f"/sheets/{troll.pk}/"
    assert 'value="table"' not in table.browsers["gm"].get(address).text
    table.browsers["gm"].post(f"{address}place/", {"do": "table", "at_table": "on", "_saw": table.party.pk})
    assert Sheet.objects.get(pk=troll.pk).at_table is None
    # Should it say so all the same, a player's own page tells no more of it than the table.
    Sheet.objects.filter(pk=troll.pk).update(at_table=True)
    table.have("anna", attacks=CLUB)
    dice += [[6, 6, 5, 1]]
    table.press(at="troll")
    assert "against Defence" not in text_of(table.own("anna"))
    assert "against Defence" in text_of(table.look("gm", "anna", None))
