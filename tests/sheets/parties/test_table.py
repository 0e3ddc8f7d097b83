"""What the members of a party see at its table, and how little it costs while nothing is new."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rulesets import systems
from sheets.models import Event, Member, Sheet
from sheets.parties import services as parties
from sheets.parties.pregens import take_pregen
from tests.support.everyday import everyday
from tests.support.guest import text_of
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.django_db
ATTACK = "roll-attack-attacks-0"


@pytest.fixture
def table(django_user_model):
    return RoundTable(django_user_model.objects)


@pytest.mark.parametrize("slug", systems())
def test_every_system_has_a_table_that_shows_who_plays_what_at_how_much_life(django_user_model, slug):
    table = RoundTable(django_user_model.objects, slug)
    text = text_of(table.read("anna"))
    for name in ("anna", "ben"):
        sheet = table.sheet(name)
        play, written = table.ruleset.play(), table.ruleset.sheet.model_validate(sheet.data)
        assert f"{name.title()} {name}" in text
        for gauge in play.gauges(written):
            assert f"{gauge.title} {gauge.left}" in text
    assert "Without a sheet that you see: gm, helper" in text


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


def test_an_act_is_told_in_each_readers_language_whoever_did_it(table):
    table.browsers["anna"].defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    table.play("anna", "act-damage", against="nothing", points=3)
    assert "3 eingesteckt" in text_of(table.read("ben", "de"))
    assert "3 suffered" in text_of(table.read("ben", "en"))
    assert "Take damage" in text_of(table.read("ben", "en"))


def test_a_private_sheet_and_its_rolls_are_seen_by_its_owner_and_the_gms_alone(table):
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(seen_by="private", name="Verborgen")
    table.play("anna", "act-damage", against="nothing", points=3)
    for who in ("gm", "helper", "anna"):
        assert table.read(who).text.count("Verborgen") > 1, who
    assert "Only you and the GMs see this sheet" in table.read("anna").text
    assert "Only you and the GMs see this sheet" not in table.read("gm").text
    hidden = text_of(table.read("ben"))
    assert "Verborgen" not in hidden
    assert "damage" not in hidden.partition("What happened")[2]
    assert "Without a sheet that you see: anna, gm, helper" in hidden


def test_who_begins_to_hide_a_sheet_is_gone_from_open_tables_at_the_next_look(table):
    seen = table.now("ben")
    table.browsers["anna"].post(f"/sheets/{table.sheets['anna'].pk}/place/", {"do": "see", "seen_by": "private"})
    answer = table.since("ben", seen)
    assert answer.status_code == 200
    assert "Anna" not in answer.text


def test_only_ones_own_notices_are_shown_and_the_gms_read_all(table):
    for name in ("anna", "ben"):
        table.play(name, "act-damage", against="nothing", points=99)
    assert table.read("anna").text.count("CD-47") == 2 == table.read("ben").text.count("CD-47")
    assert table.read("gm").text.count("CD-47") == 4


def test_a_sheet_that_the_rules_cannot_read_any_more_does_not_bring_the_table_down(table):
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(data={})
    assert "cannot read this sheet any more" in text_of(table.read("anna"))
    table.do("round", w="act-end-adventure")


def test_what_is_laid_out_or_thrown_away_is_not_at_the_table(table):
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(offered=True)
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(deleted="2026-01-01T00:00Z")
    assert table.names() == []


@pytest.mark.parametrize("who", ["gm", "anna"])
def test_a_look_at_which_nothing_is_new_is_204_and_asks_one_query_beyond_signing_in(table, who):
    table.play("anna", ATTACK, defence=0, extra_dice=0)
    seen = table.now(who)
    with CaptureQueriesContext(connection) as queries:
        answer = table.since(who, seen)
    assert (answer.status_code, answer.content) == (204, b"")
    asked = [one["sql"] for one in queries if "django_session" not in one["sql"] and '"auth_user"."password"' not in
             one["sql"]]
    assert len(asked) == 1, asked
    assert len(queries) == 3


@pytest.mark.parametrize("change", everyday([
    lambda table: table.play("ben", ATTACK, defence=0, extra_dice=0),
    lambda table: table.play("ben", "act-damage", against="nothing", points=1),
    lambda table: table.do(f"place:{table.sheets['ben'].pk}:0"),
    lambda table: table.do("throw:open", w="roll-success", dice=1),
    lambda table: table.browsers["ben"].post(f"/parties/{table.party.pk}/", {"do": f"drop:{table.sheets['ben'].pk}"}),
    lambda table: table.browsers["ben"].post(
        f"/drafts/{table.sheets['ben'].pk}/figure/", {"_version": 1, "_name": "Benno"}),
], 3))
def test_whatever_changes_at_the_table_is_seen_at_the_next_look(table, change):
    seen = {who: table.now(who) for who in table.browsers}
    change(table)
    for who, word in seen.items():
        answer = table.since(who, word)
        assert answer.status_code == 200, who
        assert answer.text.lstrip().startswith('<div id="table-live"')
        assert table.since(who, table.now(who)).status_code == 204


@pytest.mark.parametrize("change", ["joins", "leaves", "is removed", "takes a character"])
def test_who_comes_and_goes_is_seen_at_open_tables(table, django_user_model, change):
    cleo = django_user_model.objects.create_user("cleo")
    member = Member.objects.select_related("party", "user")
    if change != "joins":
        parties.join_party(table.party, cleo)
    taken = Sheet.objects.create(owner=table.users["gm"], party=table.party, offered=True, ruleset="condice",
                                 name="Neu", data=table.sheets["ben"].data)
    seen = table.now("anna")
    if change == "joins":
        parties.join_party(table.party, cleo)
    elif change == "leaves":
        parties.leave_party(member.get(user=cleo))
    elif change == "is removed":
        parties.remove_member(member.get(user=cleo), table.users["gm"])
    else:
        take_pregen(member.get(user=cleo), taken.pk)
    assert table.since("anna", seen).status_code == 200


def test_what_all_may_do_at_once_is_brought_up_to_date_for_the_gms_alone(table):
    seen = {who: table.now(who) for who in table.browsers}
    assert "round-act-end-adventure" not in table.read("gm").text
    table.play("ben", "act-damage", against="nothing", points=1)
    for who in ("gm", "helper"):
        answer = table.since(who, seen[who]).text
        assert answer.count('id="group-rolls"') == 1
        assert "round-act-end-adventure" in answer
    for who in ("anna", "ben"):
        assert 'id="group-rolls"' not in table.since(who, seen[who]).text


def test_taking_an_act_back_is_seen_too(table):
    table.play("ben", "act-damage", against="nothing", points=1)
    seen = table.now("anna")
    table.play("ben", "undo", _event=Event.objects.get().pk)
    assert "taken back" in table.since("anna", seen).text


def test_another_party_hears_nothing(table, django_user_model):
    seen, other = table.now("anna"), Event.objects.count()
    stranger = Sheet.objects.create(owner=table.users["ben"], ruleset="condice", name="Allein",
                                    data=table.sheets["ben"].data)
    table.browsers["ben"].post(f"/sheets/{stranger.pk}/play/", {
        "w": "act-damage", "against": "nothing", "points": 1, "_press": str(uuid.uuid4())})
    assert Event.objects.count() == other + 1
    assert table.since("anna", seen).status_code == 204
    assert "Allein" not in table.read("anna").text


def test_who_is_no_member_finds_no_table(table, django_user_model, client):
    assert client.get(table.address).status_code == 404
    client.force_login(django_user_model.objects.create_user("cleo"))
    assert client.get(table.address, {"since": table.now("gm")}).status_code == 404
    assert client.post(table.address, {"do": "unordered"}).status_code == 404


def test_the_sheet_of_a_member_leads_to_the_table_and_the_table_to_the_sheet(table):
    own = f"/sheets/{table.sheets['anna'].pk}/"
    for who in ("anna", "ben", "gm"):
        assert table.address in table.browsers[who].get(own).text
    assert own in table.read("ben").text
    assert table.address in table.browsers["anna"].get(f"/parties/{table.party.pk}/").text


def test_a_party_that_ends_takes_its_own_rolls_along_and_leaves_those_of_the_sheets(table):
    table.play("anna", "act-damage", against="nothing", points=1)
    table.do("throw:open", w="roll-success", dice=1)
    table.browsers["gm"].post(f"/parties/{table.party.pk}/end/")
    assert [event.sheet.name for event in Event.objects.all()] == ["Anna"]
    assert Event.objects.get().party is None


def test_the_page_asks_the_database_at_most_sixteen_times_however_much_has_happened(table):
    for number in range(60):
        Event.objects.create(sheet=table.sheets["anna" if number % 2 else "ben"], party=table.party, key=uuid.uuid4(),
                             widget="x", title="x")
    for who in table.browsers:
        for headers in ({}, {"HX-Request": "true"}):
            with CaptureQueriesContext(connection) as queries:
                assert table.read(who, **headers).status_code == 200
            assert len(queries) <= 16, [one["sql"][:90] for one in queries]
