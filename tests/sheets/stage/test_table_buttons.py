"""What the GMs do at a party's table: rounds for all at once, the order, dice of their own, open or hidden."""

import uuid

import pytest

from rulesets.kit import Act
from sheets.models import Event, Party, Sheet
from tests.support.guest import text_of, words_in
from tests.support.sheets.fight import Fight, table_of

pytestmark = pytest.mark.alike

OPEN, HIDDEN = {"w": "roll-success", "dice": 3}, {"w": "roll-attack", "dice": 2, "defence": 0, "extra_dice": 0}


def log_of(page):
    """What a page of the table says has happened."""
    return page.partition('class="event-list"')[2].partition("</ol>")[0]


@pytest.mark.rule("DR-14", "DR-19")
@table_of("dice-rumble")
def test_initiative_is_rolled_for_all_at_once_the_lowest_begins_and_who_has_spent_theirs_rolls_again(table, dice):
    dice += [[7], [2], [9]]
    assert table.names() == ["Anna", "Ben"]
    table.do("round", w="act-roll-initiative")
    assert [(event.sheet.name, event.faces, event.who, event.party) for event in Event.objects.order_by("pk")] == [
        ("Anna", [7], table.users["gm"], table.party), ("Ben", [2], table.users["gm"], table.party)]
    assert (table.sheet("anna").play, table.sheet("ben").play) == ({"initiative": 7}, {"initiative": 2})
    assert table.names("anna") == ["Ben", "Anna"]
    assert "Order: Initiative Initiative 2 B Ben ben" in text_of(table.read("anna"))
    table.play("anna", "act-spend-die")
    for _time in range(2):
        table.do("round", w="act-roll-initiative")
        assert (table.sheet("anna").play, table.sheet("ben").play) == ({"initiative": 9}, {"initiative": 2})
        assert Event.objects.count() == 4
    assert "no longer available" in text_of(table.read())


@pytest.mark.rule("DR-14")
@table_of("dice-rumble")
def test_the_gm_gives_someone_the_first_turn_until_dice_are_rolled_anew(table, dice):
    dice += [[7], [2], [7], [2]]
    table.do("round", w="act-roll-initiative")
    table.do(f"place:{table.sheets['anna'].pk}:0")
    assert table.names("ben") == ["Anna", "Ben"]
    for act in ("spend-die", "roll-initiative"):
        table.do("round", w=f"act-{act}")
    assert table.names("ben") == ["Ben", "Anna"]
    # A GM takes back the act of a round of one of them.
    table.settle("back", "gm", Event.objects.filter(sheet=table.sheets["anna"]).latest("pk").pk)
    assert (table.sheet("anna").play, table.sheet("ben").play) == ({}, {"initiative": 2})


def test_without_a_figure_for_it_the_gm_alone_sets_the_order_and_the_others_keep_their_places(table):
    for name in ("Cleo", "Dora"):
        table.bring(name, opponent=False, seen_by="party")
    for who, place, order in (("cleo", 0, "Cleo Anna Ben Dora"), ("cleo", 2, "Anna Ben Cleo Dora"),
                              ("anna", 3, "Ben Cleo Dora Anna"), ("ben", 99, "Cleo Dora Anna Ben")):
        answer = table.do(f"place:{table.sheets[who].pk}:{place}")
        assert answer["Location"].endswith(f"#up-{table.sheets[who].pk}")
        assert table.names("anna") == order.split()
    table.do("round", w="act-end-adventure")
    assert table.names("anna") == ["Cleo", "Dora", "Anna", "Ben"]
    table.do("unordered")
    assert table.names("anna") == ["Anna", "Ben", "Cleo", "Dora"]


@pytest.mark.parametrize(("doing", "form", "events"), [
    ("round", {"w": "act-roll-initiative"}, 2), ("throw:open", {"w": "roll-initiative"}, 1),
    ("throw:hidden", {"w": "roll-initiative"}, 1),
])
@table_of("dice-rumble")
def test_a_press_that_arrives_twice_is_done_once_and_the_page_says_when(table, doing, form, events):
    press, said = uuid.uuid4(), "That was already done at"
    for told in ([], [said]):
        assert table.do(doing, press=press, **form).status_code == 302
        assert words_in(table.read("gm"), said) == told
    assert Event.objects.count() == events


@pytest.mark.rule("CD-50")
def test_a_round_of_condice_ends_for_those_who_count_one(table):
    table.play("anna", "act-change-attributes-others", attributes="attack", by=2, rounds=2, name="Zorn")
    table.settle("turn", "gm", "begin")
    table.settle("turn", "gm", "next")
    assert table.sheet("anna").play["effects"][0]["rounds"] == 1
    assert table.sheet("ben").play == {}
    table.settle("turn", "gm", "next")
    assert (table.sheet("anna").play, table.scene.round) == ({}, 3)


@pytest.mark.rule("CD-46")
@pytest.mark.parametrize(("slug", "act", "hurt"), [
    ("condice", "act-end-adventure", {"life": 0}), ("dice-rumble", "act-new-adventure", {"life_lost": 30}),
    ("daemmersturm", "act-new-section", {"life": 0, "down": True})])
def test_an_adventure_that_ends_and_a_rest_bring_no_dead_opponent_back(django_user_model, slug, act, hurt):
    table = Fight(django_user_model.objects, slug)
    table.bring("Troll")
    Sheet.objects.filter(party=table.party).update(play=hurt)
    table.do("round", w=act)
    assert [table.sheet(name).play for name in ("anna", "ben", "troll")] == [{}, {}, hurt]


def test_who_acts_while_another_is_on_or_with_the_action_used_is_told_so_and_may(table):
    table.troll()
    table.settle("turn", "gm", "begin")
    assert "It is not the turn of Troll." in text_of(table.look("gm", "troll", "anna"))
    assert "This turn's action is used." not in text_of(table.look())
    table.play("anna", "act-take-action")
    assert "This turn's action is used." in text_of(table.look())
    table.settle("turn", "anna", "next")
    assert "It is not the turn of Anna." in text_of(table.look())
    table.press()
    assert Event.objects.filter(roll="attack").count() == 1


@pytest.mark.rule("DS-50")
@table_of("daemmersturm")
def test_turns_begin_for_all_and_exhaustion_is_rolled_for_whom_it_is_due(table, dice):
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(play={"life": 4})
    assert "round-act-roll-exhaustion" not in table.read().text
    table.settle("turn", "gm", "begin")
    assert "round-act-roll-exhaustion" not in table.read().text
    table.settle("turn", "gm", "next")
    assert "round-act-roll-exhaustion" in table.read().text
    dice += [[3]]
    table.do("round", w="act-roll-exhaustion")
    assert (table.sheet("anna").play, table.sheet("ben").play) == ({}, {"life": 4, "down": True})
    for _turn in range(2):
        table.settle("turn", "gm", "next")
    # Whoever is out of the fight has no turn.
    assert Event.objects.filter(act="begin-turn").count() == 4
    assert table.on == ["Anna"]
    # A roll that is left out in the turn falls as it ends.
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(play={"life": 4, "exhaustion_due": True})
    dice += [[6]]
    table.settle("turn", "gm", "next")
    assert (dice, Event.objects.filter(act="roll-exhaustion").count()) == ([], 2)


@table_of("dice-rumble")
def test_whom_an_act_is_refused_is_named_with_the_reason_and_the_others_do_it(table, dice, monkeypatch):
    dice += [[3, 5], [2]]
    table.play("anna", "act-roll-initiative", fighters=2)
    monkeypatch.setattr("sheets.character.Character.takes_part", lambda character, offer: issubclass(offer.cls, Act))
    table.do("round", w="act-roll-initiative")
    assert "Anna: You still have a die showing 3" in text_of(table.read())
    assert (table.sheet("anna").play, table.sheet("ben").play) == ({"initiative": 3}, {"initiative": 2})


def test_an_open_roll_of_the_gm_is_seen_by_all(table, dice):
    dice += [[6, 5, 1]]
    table.do("throw:open", "helper", **OPEN)
    event = Event.objects.get()
    assert (event.sheet, event.party, event.faces, event.hidden) == (None, table.party, [6, 5, 1], False)
    for page in map(table.read, table.browsers):
        assert "helper Success roll" in text_of(page)
        assert page.text.count('class="die') == 3


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
    # That of another party is not.
    Event.objects.update(party=Party.objects.create(name="x", ruleset="condice"), hidden=True)
    table.do(f"reveal:{event.pk}")
    event.refresh_from_db()
    assert event.hidden


def test_players_press_none_of_the_gms_buttons(table):
    for doing, form in (("round", {"w": "act-end-adventure"}), ("throw:open", OPEN), ("throw:hidden", OPEN),
                        ("unordered", {}), (f"place:{table.sheets['anna'].pk}:0", {}), ("count:x:1", {}),
                        ("reveal:1", {})):
        seen = table.now("gm")
        assert table.do(doing, "anna", **form).status_code == 404, doing
        assert table.since("gm", seen).status_code == 204, doing
    words = ("round", "throw", "unordered", "place", "count", "reveal", "trust", "turn", "all-back")
    assert words_in(table.read("anna"), *(f'name="do" value="{word}' for word in words)) == []


def test_what_no_button_sends_is_answered_by_words(table):
    for doing, form, status in (
            ("dance", {}, 400), ("throw", OPEN, 400), ("throw:loud", OPEN, 400), ("count:x:1", {}, 400),
            ("reveal:x", {}, 400), ("place:x", {}, 404), ("round", {"w": "act-end-adventure", "press": "x"}, 400),
            (f"place:{uuid.UUID(int=7)}:0", {}, 404), ("throw:open", {"w": "roll-none"}, 302),
            ("throw:open", {**OPEN, "dice": "viele"}, 422)):
        assert table.do(doing, **form).status_code == status, (doing, form)
    assert not Event.objects.exists()


def test_a_number_that_is_none_stays_in_its_input_and_htmx_is_answered_with_all_that_a_press_changes(table):
    wrong = {"do": "throw:open", "w": "roll-success", "dice": "viele", "_press": str(uuid.uuid4())}
    htmx = {"HX-Request": "true"}
    said = ('value="viele"', 'aria-invalid="true"', '<details class="rare" id="gm-rolls" open>')
    for headers, status in (({}, 422), (htmx, 200)):
        answer = table.browsers["gm"].post(table.address, wrong, headers=headers)
        assert (answer.status_code, words_in(answer, *said)) == (status, [*said])
    answer = table.browsers["gm"].post(table.address, {"do": "unordered"}, headers=htmx)
    assert answer.text.lstrip().startswith('<div id="party-table"')
    assert "<html" not in answer.text


def test_the_dice_of_gms_are_drawn_as_they_are_unfolded_and_for_nobody_else(table):
    unfolded = '<details class="rare" id="gm-rolls" open>'
    assert unfolded not in (page := table.read().text)
    assert 'name="w" value="roll-success"' not in page.partition('id="gm-rolls"')[2]
    for headers in ({}, {"HX-Request": "true"}):
        answer = table.browsers["gm"].get(f"{table.address}?tools=dice", headers=headers)
        assert words_in(answer, unfolded, 'id="gm-w-roll-success"') == [unfolded, 'id="gm-w-roll-success"']
        assert ("<html" in answer.text) is not bool(headers)
        assert "gm-rolls" not in table.browsers["anna"].get(f"{table.address}?tools=dice", headers=headers).text
        assert table.browsers["gm"].get(f"{table.address}?tools=all", headers=headers).status_code == 200
