"""Where a party was: whoever was in it reads what became of it, for all others there is nothing."""

import pytest
from django.test import Client

from tests.support.guest import text_of
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(django_user_model):
    return RoundTable(django_user_model.objects)


def at(table, who, rest=""):
    return table.browsers[who].get(f"/parties/{table.party.pk}/{rest}")


def test_a_party_that_ended_says_so_to_those_who_watch(table):
    table.browsers["gm"].post(f"/parties/{table.party.pk}/end/")
    for rest in ("", "table/"):
        answer = at(table, "anna", rest)
        assert answer.status_code == 404
        assert "gm has ended “Die Runde”; your sheets are still yours." in text_of(answer)


def test_who_was_removed_reads_that(table):
    member = table.party.members.get(user=table.users["ben"])
    table.browsers["gm"].post(f"/parties/{table.party.pk}/members/{member.pk}/", {"do": "remove"})
    assert "gm has removed you from “Die Runde”" in text_of(at(table, "ben", "table/"))
    assert at(table, "anna", "table/").status_code == 200


def test_to_all_others_there_is_nothing_as_ever(table, django_user_model):
    table.browsers["gm"].post(f"/parties/{table.party.pk}/end/")
    table.browsers["gm"].get("/parties/")  # where the GM is told that it has ended
    stranger = Client(headers={"Accept-Language": "en"})
    nothing = stranger.get("/parties/00000000-0000-4000-8000-000000000000/table/").text
    for browser in (stranger, table.browsers["gm"]):
        answer = browser.get(f"/parties/{table.party.pk}/table/")
        assert answer.status_code == 404
        assert "Die Runde" not in answer.text
    assert "There is nothing here" in nothing


def test_leaving_and_ending_stand_apart_from_the_way_to_the_table(table):
    page = at(table, "gm").text
    head, foot = page.partition("</header>\n<div")[0], page.partition("parting")[2]
    assert "/leave/" not in head
    assert "/leave/" in foot
    assert "/end/" in foot
    assert "/end/" not in at(table, "anna").text
