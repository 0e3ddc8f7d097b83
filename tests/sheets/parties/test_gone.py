"""Where a party was: whoever was in it reads what became of it, for all others there is nothing."""

import pytest
from django.test import Client

from tests.support.guest import text_of, words_in

pytestmark = pytest.mark.alike


def at(table, who, rest=""):
    return table.browsers[who].get(f"/parties/{table.party.pk}/{rest}")


def test_a_party_that_ended_says_so_to_those_who_watch_and_to_all_others_there_is_nothing_as_ever(table):
    table.browsers["gm"].post(f"/parties/{table.party.pk}/end/")
    for rest in ("", "table/"):
        answer = at(table, "anna", rest)
        assert answer.status_code == 404
        assert "gm has disbanded “Die Runde”; your sheets are still yours." in text_of(answer)
    table.browsers["gm"].get("/parties/")  # where the GM is told that it has ended
    table.browsers["stranger"] = Client(headers={"Accept-Language": "en"})
    for who in ("stranger", "gm"):
        answer = at(table, who, "table/")
        assert (answer.status_code, words_in(answer, "There is nothing here", "Die Runde")) == (
            404, ["There is nothing here"])


def test_leaving_and_ending_stand_apart_from_the_way_to_the_table_and_who_was_removed_reads_that(table):
    ways, settings = ("/leave/", "/end/"), at(table, "gm", "settings/").text
    assert (words_in(at(table, "gm"), *ways), words_in(at(table, "anna"), *ways)) == ([], ["/leave/"])
    assert words_in(settings.partition("parting")[2], *ways) == [*ways]
    assert "/leave/" not in at(table, "anna").text.partition("parting")[0]
    member = table.party.members.get(user=table.users["ben"])
    table.browsers["gm"].post(f"/parties/{table.party.pk}/members/{member.pk}/", {"do": "remove"})
    assert "gm has removed you from “Die Runde”" in text_of(at(table, "ben", "table/"))
    assert at(table, "anna", "table/").status_code == 200


def test_whoever_leaves_reads_how_many_sheets_go_along_if_any_do(table):
    assert "You take 1 sheet with you; it keeps its house rules." in text_of(at(table, "anna", "leave/"))
    table.sheets["anna"].delete()
    assert words_in(text_of(at(table, "anna", "leave/")), "You take", "Your notes") == ["Your notes"]
