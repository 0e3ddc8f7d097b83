"""What the GMs do at a party's table: rounds for all at once, the order, dice of their own, open or hidden."""

import uuid

import pytest

from rulesets.kit import Act
from sheets.models import Event, Party, Sheet
from tests.support.guest import text_of
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.django_db
OPEN, HIDDEN = {"w": "roll-success", "dice": 3}, {"w": "roll-attack", "dice": 2, "defence": 0, "extra_dice": 0}


def log_of(page):
    """What a page of the table says has happened."""
    return page.partition('class="event-list"')[2].partition("</ol>")[0]


@pytest.fixture
def table(django_user_model):
    return RoundTable(django_user_model.objects)


@pytest.fixture
def rumble(django_user_model):
    return RoundTable(django_user_model.objects, "dice-rumble")


@pytest.mark.rule("DR-14")
def test_initiative_is_rolled_for_all_at_once_and_the_lowest_begins(rumble, dice):
    dice += [[7], [2]]
    assert rumble.names() == ["Anna", "Ben"]
    rumble.do("round", w="act-roll-initiative")
    assert [(event.sheet.name, event.faces, event.who, event.party) for event in Event.objects.order_by("pk")] == [
        ("Anna", [7], rumble.users["gm"], rumble.party), ("Ben", [2], rumble.users["gm"], rumble.party)]
    assert (rumble.sheet("anna").play, rumble.sheet("ben").play) == ({"initiative": 7}, {"initiative": 2})
    assert rumble.names("anna") == ["Ben", "Anna"]
    assert "In the order of Initiative B Ben ben Initiative 2" in text_of(rumble.read("anna"))


@pytest.mark.rule("DR-19")
def test_dice_are_rolled_again_for_those_alone_who_have_spent_theirs(rumble, dice):
    dice += [[7], [2], [9]]
    rumble.do("round", w="act-roll-initiative")
    rumble.play("anna", "act-spend-die")
    rumble.do("round", w="act-roll-initiative")
    assert (rumble.sheet("anna").play, rumble.sheet("ben").play) == ({"initiative": 9}, {"initiative": 2})
    assert Event.objects.count() == 4
    rumble.do("round", w="act-roll-initiative")
    assert Event.objects.count() == 4
    assert "no longer offered" in text_of(rumble.read())


@pytest.mark.rule("DR-14")
def test_the_gm_gives_someone_the_first_turn_until_dice_are_rolled_anew(rumble, dice):
    dice += [[7], [2], [7], [2]]
    rumble.do("round", w="act-roll-initiative")
    rumble.do(f"place:{rumble.sheets['anna'].pk}:0")
    assert rumble.names("ben") == ["Anna", "Ben"]
    rumble.do("round", w="act-spend-die")
    rumble.do("round", w="act-roll-initiative")
    assert rumble.names("ben") == ["Ben", "Anna"]


def test_without_a_figure_for_it_the_gm_alone_sets_the_order(table):
    assert table.names() == ["Anna", "Ben"]
    table.do(f"place:{table.sheets['ben'].pk}:0")
    assert table.names("anna") == ["Ben", "Anna"]
    table.do("round", w="act-end-adventure")
    table.do(f"place:{table.sheets['anna'].pk}:0")
    assert table.names("anna") == ["Anna", "Ben"]
    table.do(f"place:{table.sheets['ben'].pk}:0")
    table.do("unordered")
    assert table.names("anna") == ["Anna", "Ben"]


def test_whoever_is_moved_takes_the_place_and_the_others_keep_theirs(table):
    for name in ("Cleo", "Dora"):
        table.sheets[name.lower()] = Sheet.objects.create(
            owner=table.users["gm"], party=table.party, ruleset="condice", name=name, data=table.sheet("anna").data)
    for who, place, order in (("cleo", 0, "Cleo Anna Ben Dora"), ("cleo", 2, "Anna Ben Cleo Dora"),
                              ("anna", 3, "Ben Cleo Dora Anna"), ("ben", 99, "Cleo Dora Anna Ben")):
        answer = table.do(f"place:{table.sheets[who].pk}:{place}")
        assert answer["Location"].endswith(f"#up-{table.sheets[who].pk}")
        assert table.names() == order.split()


@pytest.mark.parametrize(("doing", "form", "events"), [
    ("round", {"w": "act-roll-initiative"}, 2), ("throw:open", {"w": "roll-initiative"}, 1),
    ("throw:hidden", {"w": "roll-initiative"}, 1),
])
def test_a_press_that_arrives_twice_is_done_once(rumble, doing, form, events):
    press = uuid.uuid4()
    for _arrival in range(2):
        assert rumble.do(doing, press=press, **form).status_code == 302
    assert Event.objects.count() == events


@pytest.mark.rule("CD-50")
def test_a_round_of_condice_ends_for_those_who_count_one(table):
    table.play("anna", "act-change-attributes-others", attributes="attack", by=2, rounds=2, name="Zorn")
    assert "act-end-round" in table.read().text
    table.do("round", w="act-end-round")
    assert table.sheet("anna").play["effects"][0]["rounds"] == 1
    assert table.sheet("ben").play == {}
    table.do("round", w="act-end-round")
    assert "act-end-round" not in table.read().text


@pytest.mark.rule("DS-50")
def test_turns_begin_for_all_and_exhaustion_is_rolled_for_whom_it_is_due(django_user_model, dice):
    table = RoundTable(django_user_model.objects, "daemmersturm")
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(play={"life": 4})
    assert "round-act-roll-exhaustion" not in table.read().text
    table.do("round", w="act-begin-turn")
    assert "round-act-roll-exhaustion" in table.read().text
    dice += [[3]]
    table.do("round", w="act-roll-exhaustion")
    assert (table.sheet("anna").play, table.sheet("ben").play) == ({}, {"life": 4, "down": True})
    table.do("round", w="act-begin-turn")
    assert Event.objects.filter(act="begin-turn").count() == 3


def test_a_players_own_act_of_a_round_can_be_taken_back_by_the_player(rumble, dice):
    dice += [[7], [2]]
    rumble.do("round", w="act-roll-initiative")
    rumble.play("anna", "undo", _event=Event.objects.get(sheet=rumble.sheets["anna"]).pk)
    assert (rumble.sheet("anna").play, rumble.sheet("ben").play) == ({}, {"initiative": 2})


def test_whom_an_act_is_refused_is_named_with_the_reason_and_the_others_do_it(rumble, dice, monkeypatch):
    dice += [[3, 5], [2]]
    rumble.play("anna", "act-roll-initiative", fighters=2)
    monkeypatch.setattr("sheets.parties.table.takes_part", lambda character, offer: issubclass(offer.cls, Act))
    rumble.do("round", w="act-roll-initiative")
    assert "Anna: You still hold a die with 3" in text_of(rumble.read())
    assert (rumble.sheet("anna").play, rumble.sheet("ben").play) == ({"initiative": 3}, {"initiative": 2})


def test_an_open_roll_of_the_gm_is_seen_by_all(table, dice):
    dice += [[6, 5, 1]]
    table.do("throw:open", "helper", **OPEN)
    event = Event.objects.get()
    assert (event.sheet, event.party, event.faces, event.hidden) == (None, table.party, [6, 5, 1], False)
    for who in table.browsers:
        assert "helper Success roll" in text_of(table.read(who))
        assert table.read(who).text.count('class="die') == 3


def test_of_a_hidden_roll_players_see_nothing_and_hear_of_nothing_until_it_is_shown(table):
    seen = {who: table.now(who) for who in table.browsers}
    before = {who: table.read(who).text for who in ("anna", "ben")}
    table.do("throw:hidden", **HIDDEN)
    event = Event.objects.get()
    for who in ("anna", "ben"):
        assert table.since(who, seen[who]).status_code == 204
        assert log_of(table.read(who).text) == log_of(before[who])
    for who in ("gm", "helper"):
        assert f"reveal:{event.pk}" in table.since(who, seen[who]).text
    assert table.do(f"reveal:{event.pk}", "anna").status_code == 404
    table.do(f"reveal:{event.pk}", "helper")
    assert "gm Attack" in text_of(table.since("anna", seen["anna"]))


def test_a_hidden_roll_of_another_party_is_not_shown(table, django_user_model):
    other = Party.objects.create(name="x", ruleset="condice")
    event = Event.objects.create(party=other, key=uuid.uuid4(), widget="x", title="x", hidden=True)
    table.do(f"reveal:{event.pk}")
    event.refresh_from_db()
    assert event.hidden


@pytest.mark.parametrize(("doing", "form"), [
    ("round", {"w": "act-end-adventure"}), ("throw:open", OPEN), ("throw:hidden", OPEN), ("unordered", {}),
    ("place", {}), ("count:x:1", {}), ("reveal:1", {}),
])
def test_players_press_none_of_the_gms_buttons(table, doing, form):
    if doing == "place":
        doing = f"place:{table.sheets['anna'].pk}:0"
    seen = table.now("gm")
    assert table.do(doing, "anna", **form).status_code == 404
    assert table.since("gm", seen).status_code == 204
    page = table.read("anna").text
    for word in ("round", "throw", "unordered", "place", "count", "reveal", "trust", "turn", "all-back"):
        assert f'name="do" value="{word}' not in page


@pytest.mark.parametrize(("doing", "form", "status"), [
    ("dance", {}, 400), ("throw", OPEN, 400), ("throw:loud", OPEN, 400), ("count:x:1", {}, 400), ("reveal:x", {}, 400),
    ("place:x", {}, 404), ("round", {"w": "act-end-adventure", "press": "x"}, 400),
    (f"place:{uuid.UUID(int=7)}:0", {}, 404), ("throw:open", {"w": "roll-none"}, 302),
    ("throw:open", {**OPEN, "dice": "viele"}, 422),
])
def test_what_no_button_sends_is_answered_by_words(table, doing, form, status):
    answer = table.do(doing, **form)
    assert answer.status_code == status
    assert not Event.objects.exists()


def test_a_number_that_is_none_stays_in_its_input_with_what_is_wrong(table):
    for headers in ({}, {"HX-Request": "true"}):
        answer = table.browsers["gm"].post(table.address, {
            "do": "throw:open", "w": "roll-success", "dice": "viele", "_press": str(uuid.uuid4())}, headers=headers)
        assert 'value="viele"' in answer.text
        assert 'aria-invalid="true"' in answer.text
        assert '<details class="card" id="gm-rolls" open>' in answer.text
    assert answer.status_code == 200


def test_htmx_is_answered_with_all_that_a_press_changes(table):
    answer = table.browsers["gm"].post(table.address, {"do": "unordered"}, headers={"HX-Request": "true"})
    assert answer.text.lstrip().startswith('<div id="party-table"')
    assert "<html" not in answer.text
