"""What is said at a table: to all, or whispered to one, whom alone it reaches besides."""

import html
import io
import json
import re
import uuid
import zipfile
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from sheets.models import Message
from sheets.stage.messages import LONGEST, MAX_MESSAGES, REGRET
from tests.support.guest import text_of
from tests.support.sheets.table_people import browser_of


def say(table, who, text, to="", key=None, word="say", **headers):
    """Somebody says something to all, or whispers to another."""
    return table.browsers[who].post(f"{table.address}messages/", {
        "do": word, "_text": text, "_to": str(table.users[to].pk) if to else "", "_press": str(key or uuid.uuid4())},
        headers=headers)


def hears(table, text):
    """Who of the table reads something there."""
    return [who for who in ("gm", "helper", "anna", "ben") if text in table.read(who).text]


def downloaded(table, who):
    """What the download of somebody's account says beside their sheets."""
    answer = table.browsers[who].get("/account/download/")
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        return json.dumps(json.loads(archive.read("account.json")), ensure_ascii=False)


def removes(table, who):
    """The keys of what somebody's page lets them take away."""
    return [int(one) for one in re.findall(r'value="unsay:(\d+)"', table.read(who).text)]


def test_what_is_said_to_all_is_read_by_all_under_the_name_of_who_said_it(table):
    assert say(table, "anna", "  Hinter   dir! ").status_code == 302
    assert hears(table, "Hinter dir!") == ["gm", "helper", "anna", "ben"]
    assert re.search(r"anna Hinter dir!", text_of(table.read("ben")))


def test_a_whisper_is_read_by_two_alone_and_by_no_gm(table):
    say(table, "anna", "Ich traue ihr nicht.", to="ben")
    assert hears(table, "Ich traue ihr nicht.") == ["anna", "ben"]
    assert "whispers to ben" in text_of(table.read("anna"))
    assert [removes(table, who) == [] for who in ("gm", "anna", "ben")] == [True, False, True]
    number = Message.objects.get().pk
    for who in ("gm", "helper", "ben"):
        assert say(table, who, "", word=f"unsay:{number}").status_code == 302
    assert Message.objects.exists()


def test_ones_own_line_can_be_taken_back_for_five_minutes_and_a_gm_removes_any_for_all(table):
    say(table, "anna", "Oh.")
    say(table, "ben", "Ah.")
    oh, ah = Message.objects.order_by("pk")
    assert (removes(table, "anna"), removes(table, "ben"), sorted(removes(table, "gm"))) == (
        [oh.pk], [ah.pk], [oh.pk, ah.pk])
    say(table, "anna", "", word=f"unsay:{oh.pk}")
    Message.objects.update(made=timezone.now() - REGRET - timedelta(seconds=1))
    assert removes(table, "ben") == []
    answer = say(table, "ben", "", word=f"unsay:{ah.pk}", **{"HX-Request": "true"})
    assert "too late to take that back" in answer.text
    assert hears(table, "Ah.") != []
    say(table, "gm", "", word=f"unsay:{ah.pk}")
    assert not Message.objects.exists()


def test_a_line_that_arrives_twice_is_said_once_and_nothing_is_not_said(table):
    key = uuid.uuid4()
    for _arrival in range(2):
        say(table, "anna", "Hallo", key=key)
    say(table, "anna", "   ")
    assert [one.text for one in Message.objects.all()] == ["Hallo"]


def test_nobody_from_outside_says_or_hears_anything(table):
    table.users["eve"], table.browsers["eve"] = browser_of(User.objects, "eve")
    assert say(table, "eve", "Hallo").status_code == 404
    say(table, "anna", "Hallo")
    for address in (table.address, f"{table.address}messages/"):
        assert table.browsers["eve"].get(address).status_code == 404


@pytest.mark.parametrize("to", ["0", "999999", "x", "1" * 30, "-1"])
def test_a_whisper_to_nobody_of_the_party_is_said_to_nobody(table, to):
    answer = table.browsers["anna"].post(f"{table.address}messages/", {
        "do": "say", "_text": "Psst", "_to": to, "_press": str(uuid.uuid4())}, headers={"HX-Request": "true"})
    assert "is no longer in the party" in answer.text
    assert not Message.objects.exists()


def test_what_is_said_is_text_and_no_longer_than_it_may_be(table):
    say(table, "anna", "<script>alert(1)</script>" + "x" * 1000)
    assert len(Message.objects.get().text) == LONGEST
    assert "<script>alert" not in table.read("ben").text


def test_a_party_keeps_its_newest_lines(table):
    Message.objects.bulk_create(Message(party=table.party, who=table.users["anna"], key=uuid.uuid4(), text=str(number))
                                for number in range(MAX_MESSAGES))
    say(table, "anna", "Neu")
    assert Message.objects.count() == MAX_MESSAGES
    assert not Message.objects.filter(text="0").exists()


def test_it_is_told_at_the_next_look_and_stands_among_what_happened(table):
    seen = table.now("ben")
    say(table, "anna", "Los!")
    assert "Los!" in table.since("ben", seen).text
    table.play("anna", "act-damage", against="nothing", points=1)
    say(table, "ben", "Autsch.")
    log = text_of(table.read("gm")).partition("Log")[2]
    assert log.index("Autsch.") < log.index("Take damage") < log.index("Los!")


def test_what_one_has_said_and_was_whispered_is_in_ones_download_and_nobody_elses_whisper(table):
    say(table, "anna", "Für alle.")
    say(table, "anna", "Für Ben.", to="ben")
    said = {who: downloaded(table, who) for who in ("anna", "ben")}
    assert ["Für alle." in said["anna"], "Für Ben." in said["anna"]] == [True, True]
    assert ["Für alle." in said["ben"], "Für Ben." in said["ben"]] == [False, True]


@pytest.mark.parametrize(("text", "said"), [
    ("a\0b", ["a b"]), (" \0 ", []), ("x" * (LONGEST - 1) + " y", ["x" * (LONGEST - 1)])])
def test_what_no_database_keeps_is_left_out(table, text, said):
    assert say(table, "anna", text).status_code == 302
    assert [one.text for one in Message.objects.all()] == said


def test_without_scripts_whoever_says_something_acts_on_as_before(table):
    say(table, "gm", "Hallo")
    page = table.look("gm", "ben", "anna").text
    for action in re.findall(r'<form[^>]* action="([^"]*/messages/[^"]*)"', page):
        answer = table.browsers["gm"].post(html.unescape(action), {
            "do": "say", "_text": "Hallo", "_press": str(uuid.uuid4())})
        assert table.seats("ben", "anna") in answer["Location"]
