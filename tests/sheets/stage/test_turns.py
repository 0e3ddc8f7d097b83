"""Turns at a party's table are pressed twice, late, by strangers, and taken back: what is done is done once or not."""

import uuid

import pytest
from django.test import Client

from sheets.models import PRIVATE, Event, Sheet
from sheets.scenes.order import turn_of, turn_token
from sheets.stage.rounds import PreparedTurn
from tests.support.guest import text_of, words_in
from tests.support.sheets.fight import table_of
from tests.support.sheets.forms import pressed

pytestmark = pytest.mark.alike

SETTLED = "That has already been settled."
STAYS = "That has already been taken back, or something else has happened since."


def stored(table):
    """All that a turn changes."""
    return (turn_of(table.scene), list(Sheet.objects.order_by("pk").values_list("pk", "play")),
            list(Event.objects.order_by("pk").values_list("pk", "undone")))


def said(table, who, *words):
    """Which of some words the table tells somebody."""
    return words_in(table.read(who), *words)


def back(table, who="gm", event=None):
    """Take a turn back, the last one unless stated otherwise."""
    event = event or Event.objects.filter(turn__isnull=False).latest("pk")
    return table.settle("turn", who, f"back:{event.pk}")


@pytest.fixture
def going(table):
    """A fight has begun in which Anna's turn comes first, then Ben's."""
    table.do(f"place:{table.sheets['anna'].pk}:0")
    table.settle("turn", "gm", "begin")
    assert table.on == ["Anna"]
    return table


def test_each_button_of_the_turns_does_as_the_page_sends_it(table):
    table.do(f"place:{table.sheets['anna'].pk}:0")
    gm, seen = table.browsers["gm"], []
    for word in ("begin", "next", "back", "hold", "end"):
        last = Event.objects.filter(turn__isnull=False).order_by("-pk").values_list("pk", flat=True).first()
        page = table.look("gm")
        pressed(gm, page, f"turn:back:{last}" if word == "back" else f"turn:{word}")
        seen.append((table.scene.round, table.on))
    assert seen == [(1, ["Anna"]), (1, ["Ben"]), (1, ["Anna"]), (1, ["Ben"]), (0, [])]


def test_of_two_who_end_a_turn_at_once_the_later_one_is_told_that_it_is_over(going, monkeypatch):
    shown, prepare, first = turn_token(going.scene), PreparedTurn.of, [True]

    def disturbed(stored_table):
        found = prepare(stored_table)
        if first:
            first.clear()
            going.settle("turn", "anna", "next", _turn=shown)
        return found

    monkeypatch.setattr(PreparedTurn, "of", disturbed)
    going.settle("turn", "gm", "next", _turn=shown)
    assert (going.on, Event.objects.filter(widget="turn").count()) == (["Ben"], 2)
    assert said(going, "gm", SETTLED) == [SETTLED]


def test_a_press_of_a_turn_that_arrives_twice_is_done_once(going):
    key, done = uuid.uuid4(), "That was already done at"
    for told in ([], [done]):
        going.settle("turn", "gm", "next", key=key)
        assert (going.on, said(going, "gm", done)) == (["Ben"], told)


def test_a_fight_that_is_over_is_ended_and_passed_on_by_nobody(going):
    going.settle("turn", "helper", "end")
    before = stored(going)
    for word in ("end", "next", "hold"):
        going.settle("turn", "gm", word)
        assert (stored(going), said(going, "gm", SETTLED)) == (before, [SETTLED])


def test_a_turn_is_not_taken_back_once_whoever_is_on_has_acted_but_after_that_is_taken_back_too(going):
    going.settle("turn", "anna", "next")
    turn = Event.objects.filter(turn__isnull=False).latest("pk")
    going.press("act-move", "ben", "ben", None)
    before, told = stored(going), "Ben did something else afterwards; the turn stays as it is."
    back(going)
    assert (stored(going), said(going, "gm", told)) == (before, [told])
    going.settle("back", "ben", Event.objects.get(act="move").pk)
    back(going, event=turn)
    assert (going.on, Event.objects.get(pk=turn.pk).undone) == (["Anna"], True)


def test_whoever_is_not_on_or_no_member_passes_no_turn_and_takes_none_back(going):
    before = stored(going)
    going.users["carl"], going.browsers["carl"] = None, Client()
    event = Event.objects.filter(turn__isnull=False).get()
    for who, words in (("ben", ("next", "hold", "end", "begin")), ("anna", ("end", "begin"))):
        for word in (*words, f"back:{event.pk}"):
            assert going.settle("turn", who, word).status_code == 404, (who, word)
    going.browsers["carl"].force_login(type(going.users["gm"]).objects.create_user("carl"))
    for word in ("begin", "next", "hold", "end", f"back:{event.pk}"):
        assert going.settle("turn", "carl", word).status_code == 404, word
    assert going.settle("turn", "gm", "dance").status_code == 400
    assert stored(going) == before


def private(table):
    """Ben's sheet is seen by nobody but him and the GMs, under a name that stands nowhere else."""
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(seen_by=PRIVATE, name="Zwiebelfisch")


def test_a_private_sheet_is_named_to_no_other_player_as_the_turns_go_on(going):
    private(going)
    for who in ("anna", "gm"):
        going.settle("turn", who, "next")
        scene = f"/parties/{going.party.pk}/scenes/{going.scene.uuid}/"
        told = [text_of(one) for one in (going.read("anna"), going.browsers["anna"].get(scene))]
        told.append(going.browsers["anna"].get(f"{scene}log.json").getvalue().decode())
        assert ["Zwiebelfisch" in one for one in told] == [False] * 3
    assert "Zwiebelfisch" in text_of(going.read("gm"))


@table_of("daemmersturm")
def test_why_a_turn_is_not_taken_back_names_no_private_sheet_and_changes_nothing(going):
    private(going)
    going.settle("turn", "anna", "next")
    going.press("act-damage", "ben", "ben", None, points=1)
    before = stored(going)
    for who, name in (("anna", "Somebody"), ("gm", "Zwiebelfisch")):
        told = f"{name} did something else afterwards"
        assert back(going, who).status_code == 302
        shown = text_of(going.read(who))
        assert told in shown
        assert (who == "gm") == ("Zwiebelfisch" in shown)
    assert stored(going) == before


def test_an_older_turn_and_one_of_a_scene_that_is_closed_are_not_taken_back(going):
    older = Event.objects.filter(turn__isnull=False).get()
    going.settle("turn", "gm", "next")
    before = stored(going)
    back(going, event=older)
    assert (stored(going), said(going, "gm", STAYS)) == (before, [STAYS])
    scene = going.scene
    going.browsers["gm"].post(f"/parties/{going.party.pk}/scenes/", {"do": f"end:{scene.uuid}"})
    assert back(going).status_code == 302
    assert said(going, "gm", STAYS) == [STAYS]
    assert not Event.objects.filter(undone=True).exists()
    assert going.scene is None


def test_what_no_button_of_the_turns_sends_does_nothing(going):
    act = going.press("act-move", "anna", "anna", None) and Event.objects.get(act="move")
    elsewhere = Event.objects.create(key=uuid.uuid4(), widget="turn", title="x", turn={"of": []})
    before = stored(going)
    for about in ("x", "", "9" * 30, "-1", str(act.pk), str(elsewhere.pk)):
        assert going.settle("turn", "gm", f"back:{about}").status_code in (400, 404), about
    assert going.browsers["gm"].post(f"{going.address}play/", {"do": "turn:next"}).status_code == 400
    assert stored(going) == before


def test_a_turn_is_taken_back_once_and_by_a_gm_or_whoever_pressed_it(going):
    before = turn_of(going.scene)
    going.settle("turn", "anna", "next")
    assert back(going, "ben").status_code == 404
    for told in ([], [STAYS]):
        back(going, "anna")
        assert (turn_of(going.scene), said(going, "anna", STAYS)) == (before, told)


@table_of("dice-rumble")
def test_what_a_turn_did_to_somebody_is_taken_back_with_the_turn_and_not_alone(table):
    table.settle("turn", "gm", "begin")
    [who] = (name.lower() for name in table.on)
    table.settle("turn", who, "next")
    before, step = stored(table), Event.objects.get(act="spend-die")
    assert 'name="_event"' not in table.own(who).text
    for asks in (who, "gm"):
        table.settle("back", asks, step.pk)
    table.play(who, "undo", _event=step.pk)
    assert stored(table) == before
    back(table, who)
    assert table.on == [who.title()]
    assert table.sheet(who).play


def test_without_anybody_at_the_table_no_fight_begins(table):
    Sheet.objects.filter(party=table.party).update(party=None)
    table.settle("turn", "gm", "begin")
    told = "Nobody there is in a fight yet."
    assert (table.scene, said(table, "gm", told)) == (None, [told])
    assert not Event.objects.exists()


@table_of("daemmersturm")
def test_a_sheet_that_cannot_be_read_any_more_has_no_turn_and_stops_nobody(going):
    Sheet.objects.filter(pk=going.sheets["ben"].pk).update(data={})
    for round_ in (2, 3):
        going.settle("turn", "gm", "next")
        assert (going.on, going.scene.round) == (["Anna"], round_)
    Sheet.objects.filter(pk=going.sheets["anna"].pk).update(data={})
    assert "can no longer read this sheet" in text_of(going.read("anna"))
    going.settle("turn", "gm", "next")
    assert (going.on, going.scene.round) == ([], 0)


@table_of("dice-rumble", "daemmersturm")
def test_nothing_is_done_to_a_sheet_that_is_not_approved_where_that_is_asked_for(table):
    type(table.party).objects.filter(pk=table.party.pk).update(approval=True)
    for word in ("begin", "next", "end"):
        table.settle("turn", "gm", word)
    assert not Event.objects.exclude(act="").exists()
    assert {str(play) for play in Sheet.objects.values_list("play", flat=True)} == {"{}"}


@pytest.mark.rule("CD-52")
def test_who_of_several_holds_back_comes_after_all_others_and_the_next_round_is_as_ever(table):
    table.bring()
    table.settle("turn", "gm", "begin")
    for who, word, on in (("anna", "hold", ["Ben"]), ("ben", "next", ["Troll"]), ("gm", "next", ["Anna"]),
                          ("anna", "next", ["Anna", "Ben"]), ("anna", "next", ["Ben"]), ("ben", "hold", ["Troll"]),
                          ("gm", "next", ["Ben"]), ("ben", "hold", ["Anna", "Ben"])):
        table.settle("turn", who, word)
        assert (who, word, table.on, table.scene.order) == (who, word, on, [])
    assert table.scene.round == 3


@table_of("daemmersturm")
def test_where_all_act_when_they_like_nobodys_turn_begins_again_as_one_holds_back(table):
    table.do("free:on")
    table.settle("turn", "gm", "begin")
    assert (table.on, Event.objects.filter(act="begin-turn").count()) == (["Anna", "Ben"], 2)
    for who, word, on in (("anna", "hold", ["Ben"]), ("ben", "next", ["Anna"])):
        table.settle("turn", who, word)
        assert (table.on, Event.objects.filter(act="begin-turn").count()) == (on, 2)


@pytest.mark.rule("DR-14")
@table_of("dice-rumble")
def test_the_gm_gives_somebody_the_first_turn_whatever_has_fallen_and_nobody_a_second_one(table, dice):
    dice += [[7], [2], [7], [2]]
    table.settle("turn", "gm", "begin")
    for who, on in (("anna", "Anna"), ("ben", "Ben"), ("anna", "Anna")):
        table.do(f"place:{table.sheets[who].pk}:0")
        assert table.on == [on]
    table.settle("turn", "anna", "next")
    table.do(f"place:{table.sheets['anna'].pk}:0")
    assert (table.on, table.scene.round) == (["Ben"], 1)
    table.settle("turn", "ben", "next")
    assert (table.on, table.scene.round) == (["Ben"], 2)


@pytest.mark.rule("DR-14", "DR-15")
@table_of("dice-rumble")
def test_whom_the_gm_lets_go_first_waits_as_everybody_does(table, dice):
    dice += [[7], [2]]
    table.settle("turn", "gm", "begin")
    assert table.on == ["Ben"]
    table.do(f"place:{table.sheets['ben'].pk}:0")
    table.settle("turn", "ben", "hold")
    assert (table.on, table.sheet("ben").play) == (["Anna"], {"initiative": 10})
    # A die of 10 cannot be turned: then whoever is next goes first.
    table.settle("turn", "anna", "hold")
    table.settle("turn", "anna", "hold")
    assert (table.on, table.scene.round) == (["Ben"], 1)


@pytest.mark.rule("DS-32", "DS-57")
@table_of("daemmersturm")
def test_whom_the_beginning_of_the_own_turn_puts_out_of_the_fight_has_no_turn(going):
    Sheet.objects.filter(pk=going.sheets["ben"].pk).update(play={"life": 3, "shadow_owed": 3})
    going.settle("turn", "anna", "next")
    assert going.sheet("ben").play == {"life": 0, "down": True}
    assert (going.on, going.scene.round) == (["Anna"], 2)
    back(going)
    assert (going.on, going.sheet("ben").play) == (["Anna"], {"life": 3, "shadow_owed": 3})
