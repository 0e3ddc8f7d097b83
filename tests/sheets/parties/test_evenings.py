"""Evenings of a party: begun and ended by its GMs, with what the system does then, and kept as a log to take along."""

import json
import re

import pytest

from sheets.models import Evening, Event
from tests.support.guest import text_of
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(django_user_model):
    return RoundTable(django_user_model.objects)


def press(table, do, who="gm", **fields):
    """Presses a button of the page of evenings; `{}` in its word is the key of the newest."""
    newest = Evening.objects.order_by("-pk").first()
    return table.browsers[who].post(f"/parties/{table.party.pk}/evenings/",
                                    {"do": do.format(newest.pk if newest else ""), **fields})


def page(table, who="gm", rest=""):
    return table.browsers[who].get(f"/parties/{table.party.pk}/evenings/{rest}")


def log(table, who="gm", form="", evening=None):
    """The log of the newest evening, or of another."""
    evening = evening or Evening.objects.order_by("-pk").first()
    return page(table, who, f"{evening.pk}/{form and f'log.{form}'}")


def hurt(table, who="anna", life=2):
    sheet = table.sheet(who)
    sheet.play = {"life": life}
    sheet.save()


def test_an_evening_holds_what_happened_in_it_and_nothing_else(table):
    table.play("anna", "roll-attack-attacks-0", defence=0)
    press(table, "begin", name="Die Mine")
    table.play("ben", "roll-attack-attacks-0", defence=0)
    press(table, "end:{}")
    table.play("anna", "roll-attack-attacks-0", defence=0)
    told = json.loads(log(table, form="json").text)
    assert [one["who"] for one in told["log"]] == ["Ben"]
    assert (told["format"], told["name"], told["ruleset"], told["party"]) == (
        "bogenschmiede.evening", "Die Mine", "condice", "Die Runde")
    assert told["begun"] < told["log"][0]["at"] < told["ended"]
    assert "Die Mine" in page(table, "anna").text


def test_what_ends_with_an_evening_is_done_for_all_only_where_the_gm_wants_it(table):
    hurt(table)
    press(table, "begin")
    assert "act-end-adventure" in page(table).text
    assert "Anna" in text_of(page(table))
    press(table, "end:{}")
    assert table.sheet("anna").play == {"life": 2}
    press(table, "go-on:{}")
    press(table, "end:{}", also="act-end-adventure")
    assert table.sheet("anna").play == {}
    assert [line["what"] for line in json.loads(log(table, form="json").text)["log"]] == ["End the adventure"]


def test_an_end_is_taken_back_with_what_was_done_for_all(table):
    hurt(table)
    press(table, "begin")
    press(table, "end:{}", also="act-end-adventure")
    press(table, "go-on:{}")
    assert table.sheet("anna").play == {"life": 2}
    evening = Evening.objects.get()
    assert (evening.ended, evening.closed) == (None, [])
    assert Event.objects.get().undone


def test_who_did_something_since_keeps_it_and_is_named(table):
    hurt(table)
    press(table, "begin")
    press(table, "end:{}", also="act-end-adventure")
    table.play("anna", "act-damage", against="nothing", points=1)
    assert "Anna did something else since; that stays." in text_of(table.browsers["gm"].post(
        f"/parties/{table.party.pk}/evenings/", {"do": f"go-on:{Evening.objects.get().pk}"}, follow=True))


@pytest.mark.rule("DR-06")
def test_a_beginning_is_taken_back_and_there_was_no_evening(django_user_model):
    table = RoundTable(django_user_model.objects, "dice-rumble")
    sheet = table.sheet("anna")
    sheet.play = {"fate_spent": 2}
    sheet.save()
    press(table, "begin", also="act-new-adventure")
    assert table.sheet("anna").play == {}
    press(table, "call-off:{}")
    assert (table.sheet("anna").play, Evening.objects.count()) == ({"fate_spent": 2}, 0)


def test_one_evening_lasts_at_a_time_and_a_second_press_changes_nothing(table):
    press(table, "begin", name="Eins")
    press(table, "begin", name="Zwei")
    assert Evening.objects.get().name == "Eins"
    press(table, "end:{}")
    ended = Evening.objects.get().ended
    press(table, "end:{}", also="act-end-adventure")
    press(table, "call-off:{}")
    assert (Evening.objects.get().ended, Event.objects.count()) == (ended, 0)
    press(table, "begin", name="Zwei")
    press(table, f"go-on:{Evening.objects.get(name='Eins').pk}")
    assert Evening.objects.get(name="Eins").ended == ended


def test_a_name_that_is_too_long_is_sent_back_with_what_is_wrong(table):
    answer = press(table, "begin", name="x" * 201)
    assert answer.status_code == 422
    assert "at most 200 characters" in answer.text
    assert not Evening.objects.exists()


@pytest.mark.parametrize("do", ["begin", "end:{}", "go-on:{}", "call-off:{}"])
def test_players_begin_and_end_nothing(table, do):
    press(table, "begin")
    assert press(table, do, "anna").status_code == 404
    assert 'name="do"' not in page(table, "anna").text.partition("<main")[2]


def test_the_evening_of_another_party_is_none(table, django_user_model):
    press(table, "begin")
    other = Evening.objects.create(party=type(table.party).objects.create(name="Andere", ruleset="condice"))
    for form in ("", "md", "json"):
        assert log(table, form=form, evening=other).status_code == 404
    assert press(table, f"end:{other.pk}").status_code == 404
    assert log(table, form="xml").status_code == 404


def test_a_log_leaves_out_what_is_not_for_whoever_takes_it_along(django_user_model):
    table = RoundTable(django_user_model.objects, seen_by="private")
    press(table, "begin")
    table.play("anna", "act-damage", against="nothing", points=1)
    table.do("throw:hidden", w="roll-success", dice=3)
    told = {who: [json.loads(log(table, who, "json").text)["log"], log(table, who, "md").text, log(table, who).text]
            for who in ("gm", "anna", "ben")}
    assert [len(told[who][0]) for who in ("gm", "anna", "ben")] == [2, 1, 0]
    assert all("Anna" not in text for text in told["ben"][1:])


@pytest.mark.rule("SZ-09b")
def test_what_is_asked_for_at_the_end_is_answered_with_sense_first(django_user_model):
    table = RoundTable(django_user_model.objects, "augen-des-zwielichts")
    press(table, "begin")
    answer = press(table, "end:{}", also="act-end-session", **{"act-end-session.chosen": "alle"})
    assert answer.status_code == 422
    assert "is not answered yet" in text_of(answer)
    assert Evening.objects.get().ended is None
    assert press(table, "end:{}", also="act-end-session", **{"act-end-session.chosen": 2}).status_code == 302
    assert [table.sheet(who).play["section_points"] for who in ("anna", "ben")] == [2, 2]


def test_markdown_holds_text_alone(table):
    sheet = table.sheet("anna")
    sheet.name = "**A** <b>"
    sheet.save()
    press(table, "begin", name="# [x](http://y)")
    table.play("anna", "act-damage", against="nothing", points=1)
    text = log(table, form="md").text
    assert "<b>" not in text
    assert re.match(r"# Die Runde: \\# \\\[x\\\]\(http\\:\u200b//y\)\n", text)


def test_an_evening_goes_with_its_party(table):
    press(table, "begin")
    table.party.delete()
    assert not Evening.objects.exists()
