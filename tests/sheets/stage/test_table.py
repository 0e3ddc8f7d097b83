"""What the members of a party see at its table, and how little it costs while nothing is new."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rulesets import systems
from sheets.models import Event, Member, Sheet
from sheets.parties import services as parties
from sheets.parties.pregens import take_pregen
from tests.support.guest import text_of, words_in
from tests.support.sheets.fight import ATTACK, table_of

pytestmark = pytest.mark.alike
HURT = {"w": "act-damage", "against": "nothing", "points": 1}


@table_of(*systems())
def test_every_system_has_a_table_that_shows_who_plays_what_at_how_much_life(table):
    text = text_of(table.read("anna"))
    for name in ("anna", "ben"):
        sheet = table.sheet(name)
        play, written = table.ruleset.play(), table.ruleset.sheet.model_validate(sheet.data)
        assert f"{name.title()} {name}" in text
        for gauge in play.gauges(written):
            assert f"{gauge.title} {gauge.current}" in text
    assert "Without a visible sheet: gm, helper" in text


def test_a_roll_on_a_sheet_is_seen_by_all_in_each_readers_language_with_its_dice(table):
    table.play("anna", ATTACK, defence=0, extra_dice=0)
    event = Event.objects.get()
    assert (event.party, event.who) == (table.party, table.users["anna"])
    for who in table.browsers:
        for language, attack in (("en", "successes"), ("de", "Erfolg")):
            page = table.read(who, language).text
            line = page.partition('class="event-list"')[2].partition("</ol>")[0]
            assert "Anna" in line
            assert attack in line or "success" in line
            assert line.count('class="die') == len(event.faces)


def test_an_act_is_told_in_each_readers_language_whoever_did_it_until_it_is_taken_back(table):
    table.browsers["anna"].defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    table.play("anna", "act-damage", against="nothing", points=3)
    assert "3 Schaden erlitten" in text_of(table.read("ben", "de"))
    told = ("3 damage taken", "Take damage")
    assert words_in(text_of(table.read("ben", "en")), *told) == [*told]
    seen = table.now("ben")
    table.play("anna", "undo", _event=Event.objects.get().pk)
    assert "taken back" in table.since("ben", seen).text


def test_a_private_sheet_and_its_rolls_are_seen_by_its_owner_and_the_gms_alone_from_the_next_look_on(table):
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(name="Verborgen")
    table.play("anna", "act-damage", against="nothing", points=3)
    seen = table.now("ben")
    table.browsers["anna"].post(f"/sheets/{table.sheets['anna'].pk}/place/", {"do": "see", "seen_by": "private"})
    answer = table.since("ben", seen)
    assert (answer.status_code, "Verborgen" in answer.text) == (200, False)
    for who in ("gm", "helper", "anna"):
        page = table.read(who).text
        assert page.count("Verborgen") > 1, who
        assert ("Show these values to the party here?" in page) == (who == "anna"), who
    hidden = text_of(table.read("ben"))
    assert "damage" not in hidden.partition("Log")[2]
    assert words_in(hidden, "Verborgen", "Without a visible sheet: anna, gm, helper") == [
        "Without a visible sheet: anna, gm, helper"]


def test_only_ones_own_notices_are_shown_and_the_gms_read_all(table):
    for name in ("anna", "ben"):
        table.play(name, "act-damage", against="nothing", points=99)
    assert table.read("anna").text.count("CD-47") == 2 == table.read("ben").text.count("CD-47")
    assert table.read("gm").text.count("CD-47") == 4


def test_a_sheet_that_cannot_be_read_any_more_does_not_bring_the_table_down_and_those_that_are_gone_are_not_there(
        table):
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(data={})
    assert "can no longer read this sheet" in text_of(table.read("anna"))
    assert table.do("round", w="act-end-adventure").status_code == 302
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(offered=True)
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(deleted="2026-01-01T00:00Z")
    assert table.names() == []


def test_a_look_at_which_nothing_is_new_is_204_and_asks_one_query_beyond_signing_in(table):
    table.play("anna", ATTACK, defence=0, extra_dice=0)
    for who in ("gm", "anna"):
        seen = table.now(who)
        with CaptureQueriesContext(connection) as queries:
            answer = table.since(who, seen)
        assert (answer.status_code, answer.content) == (204, b"")
        asked = [one["sql"] for one in queries if "django_session" not in one["sql"] and '"auth_user"."password"' not in
                 one["sql"]]
        assert len(asked) == 1, asked
        assert len(queries) == 3


def test_whatever_changes_at_the_table_is_seen_at_the_next_look(table):
    ben = table.sheets["ben"].pk
    for change in (
            lambda: table.play("ben", ATTACK, defence=0, extra_dice=0),
            lambda: table.play("ben", **HURT),
            lambda: table.do(f"place:{ben}:0"),
            lambda: table.do("throw:open", w="roll-success", dice=1),
            lambda: table.browsers["ben"].post(f"/drafts/{ben}/figure/", {"_version": 1, "_name": "Benno"}),
            lambda: table.browsers["ben"].post(f"/parties/{table.party.pk}/", {"do": f"drop:{ben}"})):
        seen = {who: table.now(who) for who in ("gm", "anna")}
        change()
        for who, word in seen.items():
            answer = table.since(who, word)
            assert answer.status_code == 200, who
            assert answer.text.lstrip().startswith('<div id="table-live"')
            assert table.since(who, table.now(who)).status_code == 204


def test_who_comes_and_goes_is_seen_at_open_tables(table, django_user_model):
    cleo = django_user_model.objects.create_user("cleo")
    taken = table.bring("Neu", opponent=False, offered=True)

    def member():
        return Member.objects.select_related("party", "user").get(user=cleo)

    for change in (lambda: parties.join_party(table.party, cleo),
                   lambda: take_pregen(member(), taken.pk),
                   lambda: parties.leave_party(member()),
                   lambda: parties.join_party(table.party, cleo),
                   lambda: parties.remove_member(member(), table.users["gm"])):
        seen = table.now("anna")
        change()
        assert table.since("anna", seen).status_code == 200


def test_what_all_may_do_at_once_is_brought_up_to_date_for_the_gms_alone(table):
    seen = {who: table.now(who) for who in table.browsers}
    assert "round-act-end-adventure" not in table.read("gm").text
    table.play("ben", "act-damage", against="nothing", points=1)
    for who in ("gm", "helper"):
        answer = table.since(who, seen[who]).text
        assert (answer.count('id="group-rolls"'), "round-act-end-adventure" in answer) == (1, True)
    for who in ("anna", "ben"):
        assert 'id="group-rolls"' not in table.since(who, seen[who]).text


def test_another_party_hears_nothing_and_who_is_no_member_finds_no_table(table, django_user_model, client):
    seen, other = table.now("anna"), Event.objects.count()
    alone = Sheet.objects.create(owner=table.users["ben"], ruleset="condice", name="Allein",
                                 data=table.sheets["ben"].data)
    table.browsers["ben"].post(f"/sheets/{alone.pk}/play/", {**HURT, "_press": str(uuid.uuid4())})
    assert Event.objects.count() == other + 1
    assert table.since("anna", seen).status_code == 204
    assert "Allein" not in table.read("anna").text
    assert client.get(table.address).status_code == 404
    client.force_login(django_user_model.objects.create_user("cleo"))
    assert client.get(table.address, {"since": table.now("gm")}).status_code == 404
    assert client.post(table.address, {"do": "unordered"}).status_code == 404


def test_the_sheet_of_a_member_leads_to_the_table_and_the_table_to_the_sheet_until_the_party_ends(table):
    for who in ("anna", "ben", "gm"):
        assert table.address in table.own("anna", who).text
    assert f"/sheets/{table.sheets['anna'].pk}/" in table.read("ben").text
    assert table.address in table.browsers["anna"].get(f"/parties/{table.party.pk}/").text
    # A party that ends takes its own rolls along and leaves those of the sheets.
    table.play("anna", **HURT)
    table.do("throw:open", w="roll-success", dice=1)
    table.browsers["gm"].post(f"/parties/{table.party.pk}/end/")
    assert [event.sheet.name for event in Event.objects.all()] == ["Anna"]
    assert Event.objects.get().party is None
