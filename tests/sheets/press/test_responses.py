"""The target of a roll is asked what it does before the roll falls: who may answer, what it costs, what falls then."""

import re
import uuid

import pytest
from django.utils import timezone

from sheets.models import Event, Party, PendingEffect, Question, Sheet
from sheets.press.questions import ANSWERED_LIFETIME
from tests.support.guest import text_of
from tests.support.sheets.fight import Fight, kept

CLUB = {"name": "Keule", "talent": "Nahkampf", "damage": 1}
ATTACK = "roll-attack-unarmed"


def waiting_fight(users):
    """A table of Dice Rumble at which rolls wait; Ben has a club, and a die left."""
    fight = Fight(users, "dice-rumble")
    fight.have("ben", **fight.sheets["anna"].data | {"weapons": [CLUB]})
    fight.have("anna", weapons=[])
    Sheet.objects.filter(pk=fight.sheets["ben"].pk).update(play={"initiative": 4})
    Party.objects.filter(pk=fight.party.pk).update(waits=True)
    fight.party.refresh_from_db()
    return fight


@pytest.fixture
def table(django_user_model):
    return waiting_fight(django_user_model.objects)


@pytest.fixture
def asked(table):
    """Anna has attacked Ben, who is asked."""
    assert table.press(ATTACK).status_code == 302
    return table


def respond(table, choice, who="ben", key=None, number=None):
    """Presses a response to the newest question."""
    number = number or Question.objects.latest("pk").pk
    return table.browsers[who].post(f"{table.address}play/", {
        "do": f"respond:{number}:{choice}", "_press": str(key or uuid.uuid4())})


def offered(table, who="ben"):
    """The keys of the responses that somebody's page offers."""
    return re.findall(r'value="respond:\d+:([a-z0-9-]+)"', table.look(who, "ben", None).text)


def initiative(table):
    return table.sheet("ben").play.get("initiative")


def test_nothing_falls_before_the_target_has_answered_and_both_see_what_is_waited_for(table):
    before = kept(), Sheet.objects.get(name="Anna").played
    table.press(ATTACK)
    assert (kept(), Sheet.objects.get(name="Anna").played, Question.objects.get().response) == (*before, None)
    assert offered(table) == ["weapon-0", "unarmed", "dodge", "forgo"]
    assert "waiting for Ben" in text_of(table.look())
    assert offered(table, "anna") == []
    assert offered(table, "gm") == ["weapon-0", "unarmed", "dodge", "forgo"]


@pytest.mark.rule("DR-13")
def test_who_does_not_respond_keeps_the_die_and_meets_an_attack(asked, dice):
    dice += [[2]]
    assert respond(asked, "forgo").status_code == 302
    roll = Event.objects.get()
    assert (roll.roll, roll.sheet.name, roll.who, initiative(asked)) == ("attack", "Anna", asked.users["anna"], 4)
    assert (Question.objects.get().response["de"], PendingEffect.objects.get().sheet.name) == ("Nicht reagieren", "Ben")


@pytest.mark.rule("DR-12")
@pytest.mark.rule("DR-14")
def test_who_strikes_back_spends_the_die_and_deals_what_the_weapon_adds(asked, dice):
    dice += [[9, 2]]
    respond(asked, "weapon-0")
    spent, roll = Event.objects.order_by("pk")
    assert (spent.act, spent.sheet.name, initiative(asked)) == ("spend-die", "Ben", None)
    assert (roll.roll, roll.sheet.name, roll.widget) == ("counter-duel", "Anna", ATTACK)
    hurt = PendingEffect.objects.get()
    assert (hurt.sheet.name, hurt.filled) == ("Anna", {"points": 8})


@pytest.mark.rule("DR-12")
def test_who_dodges_deals_nothing(asked, dice):
    dice += [[9, 2]]
    respond(asked, "dodge")
    assert (Event.objects.latest("pk").roll, initiative(asked)) == ("dodge-duel", None)
    assert PendingEffect.objects.count() == 0


@pytest.mark.rule("DR-13")
def test_whoever_has_no_die_left_while_turns_count_is_not_asked(table, dice):
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(play={})
    dice += [[5], [6], [2]]
    table.browsers["gm"].post(f"{table.address}play/?{table.seats()}", {
        "do": "turn:begin", "_press": str(uuid.uuid4())})
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(play={})
    dice[:] = [[2]]
    table.press(ATTACK)
    assert (Question.objects.count(), Event.objects.filter(roll="attack").count()) == (0, 1)


@pytest.mark.rule("DR-13")
def test_a_duel_that_nobody_answers_is_an_attack(table, dice):
    table.press("roll-duel-damage")
    dice += [[2]]
    respond(table, "forgo")
    assert [one.roll for one in Event.objects.all()] == ["attack"]


def test_the_first_answer_counts_and_a_later_one_is_told_it(asked, dice):
    dice += [[2]]
    respond(asked, "forgo")
    before = kept()
    respond(asked, "dodge", "gm", number=Question.objects.get().pk)
    assert kept() == before
    assert "already been answered: Do not respond" in text_of(asked.look("gm"))


def test_a_press_that_arrives_twice_asks_once_and_falls_once(table, dice):
    key = uuid.uuid4()
    for _time in range(2):
        table.press(ATTACK, key=key)
    assert Question.objects.count() == 1
    dice += [[2]]
    answer = uuid.uuid4()
    for _time in range(2):
        respond(table, "dodge" if _time else "forgo", key=answer)
    table.press(ATTACK, key=key)
    assert (Question.objects.count(), Event.objects.count()) == (1, 1)


def test_the_actor_waits_or_calls_the_roll_off(asked):
    asked.press(ATTACK)
    assert "Ben has not responded" in text_of(asked.look())
    assert Question.objects.count() == 1
    number = Question.objects.get().pk
    for who, status in (("ben", 404), ("anna", 302)):
        answer = asked.browsers[who].post(f"{asked.address}play/", {"do": f"call-off:{number}"})
        assert (answer.status_code, Question.objects.count()) == (status, int(who == "ben"))
    assert respond(asked, "forgo", number=number).status_code == 404


def test_a_gm_who_attacks_a_player_may_answer_for_them_or_call_the_attack_off(table):
    table.bring("Troll")
    table.press(ATTACK, "gm", "troll", "ben")
    pages = {who: re.findall(r'id="(respond|call-off)-', table.read(who).text) for who in ("gm", "helper", "ben")}
    assert {who: sorted(set(found)) for who, found in pages.items()} == {
        "gm": ["call-off", "respond"], "helper": ["call-off", "respond"], "ben": ["respond"]}
    table.settle("call-off", "gm", Question.objects.get().pk)
    assert not Question.objects.exists()
    # Nobody else's attack is a GM's to call off while its target may still answer.
    table.press(ATTACK)
    assert "call-off-" not in table.read("gm").text


def test_a_roll_that_the_actor_cannot_make_any_more_is_called_off(table):
    table.have("anna", weapons=[CLUB])
    table.press("roll-attack-weapons-0")
    table.have("anna", weapons=[])
    before = kept()
    respond(table, "dodge")
    assert (kept(), Question.objects.count(), initiative(table)) == (before, 0, 4)
    assert "cancelled" in text_of(table.look("ben", "ben", None))


def test_whoever_is_not_concerned_may_neither_see_nor_answer_a_question(asked):
    assert respond(asked, "forgo", "anna").status_code == 404
    for choice in ("weapon-7", "", "x" * 300, "<b>"):
        respond(asked, choice)
    assert (Question.objects.get().response, Event.objects.count()) == (None, 0)
    assert "choose another response" in text_of(asked.look("ben", "ben", None))


def test_the_page_of_a_gm_asks_for_all_opponents_only_where_several_are_asked(asked):
    assert "Before the roll" in text_of(asked.read("gm"))
    assert "No opponent responds" not in text_of(asked.read("gm"))


@pytest.mark.parametrize("side", ["anna", "ben"])
def test_a_question_ends_with_either_sheet_at_the_table(asked, side):
    Sheet.objects.filter(pk=asked.sheets[side].pk).update(party=None)
    assert respond(asked, "forgo").status_code == (404 if side == "ben" else 302)
    assert Event.objects.count() == 0
    assert "Before the roll" not in text_of(asked.read("gm"))


def test_the_answer_stands_on_the_sheets_own_page_too(asked, dice):
    assert "Before the roll" in text_of(asked.own("ben"))
    dice += [[2]]
    asked.browsers["ben"].post(f"/sheets/{asked.sheets['ben'].pk}/play/", {
        "do": f"respond:{Question.objects.get().pk}:forgo", "_press": str(uuid.uuid4())})
    assert Event.objects.count() == 1
    assert "Before the roll" not in text_of(asked.own("ben"))


def test_a_gm_lets_no_opponent_respond_by_one_press(table, dice):
    for name in ("Troll", "Ratte"):
        table.bring(name)
    table.press(ATTACK, at="troll")
    table.press(ATTACK, "gm", "ben", "ratte")
    assert Question.objects.count() == 2
    assert "No opponent responds" in text_of(table.read("gm"))
    dice += [[2], [3]]
    assert table.browsers["ben"].post(f"{table.address}play/", {"do": "forgo-all:0"}).status_code == 404
    assert table.browsers["gm"].post(f"{table.address}play/", {"do": "forgo-all:0"}).status_code == 302
    assert [one.roll for one in Event.objects.all()] == ["attack", "attack"]


def test_a_gm_says_whether_rolls_wait(table):
    press = {"do": "waits:off", "_press": str(uuid.uuid4())}
    table.press(ATTACK)
    assert table.browsers["ben"].post(f"{table.address}play/", press).status_code == 404
    table.browsers["gm"].post(f"{table.address}play/", press)
    assert (Party.objects.get(pk=table.party.pk).waits, Question.objects.count()) == (False, 0)
    table.press(ATTACK)
    assert (Event.objects.count(), Question.objects.count()) == (1, 0)


def test_who_strikes_back_takes_the_die_back_as_any_act(asked, dice):
    dice += [[9, 2]]
    respond(asked, "weapon-0")
    asked.settle("back", number=Event.objects.get(act="spend-die").pk)
    assert initiative(asked) == 4


@pytest.mark.rule("DR-12")
def test_neither_the_answer_nor_the_roll_tells_others_the_figures_of_who_responds(asked, dice):
    threshold = re.search(r"Strike back: Keule \((\d+)\)<", asked.look("ben", "ben", None).text)[1]
    dice += [[9, 2]]
    respond(asked, "weapon-0")
    spent, roll = Event.objects.order_by("pk")
    assert (spent.title, Question.objects.get().response["en"]) == ("Strike back: Keule", "Strike back: Keule")
    assert (roll.parameters["opponent"], roll.parameters["opponent_weapon"]) == (int(threshold), 1)
    assert roll.given.keys().isdisjoint({"opponent", "opponent_weapon"})


def test_what_was_answered_is_forgotten_after_a_day(asked, dice):
    dice += [[2]]
    respond(asked, "forgo")
    Question.objects.update(made=timezone.now() - 2 * ANSWERED_LIFETIME)
    asked.press(ATTACK)
    assert [one.response for one in Question.objects.all()] == [None]


@pytest.mark.rule("DS-44")
def test_who_seeks_protection_before_the_damage_may_roll_for_it_then(django_user_model, dice):
    table = Fight(django_user_model.objects, "daemmersturm")
    Party.objects.update(waits=True)
    dice += [[20]]
    table.press("roll-attack-ranged")
    dice += [[4]]
    table.press("roll-critical-roll-attack-ranged")
    table.press("roll-damage-roll-critical-roll-attack-ranged", range="1-6")
    assert offered(table) == ["seek-protection", "forgo"]
    respond(table, "seek-protection")
    assert (offered(table), table.sheet("ben").play["sheltered"], dice) == (["cover", "forgo"], 2, [])
    dice += [[10]]
    respond(table, "cover")
    assert [one.roll or one.act for one in Event.objects.order_by("pk")] == [
        "attack", "critical", "seek-protection", "cover", ""], "what was stopped is told last"
    assert (Question.objects.get().response["en"], PendingEffect.objects.count()) == ("Cover roll", 0)


@pytest.mark.rule("DR-13", "DR-14")
def test_a_duel_with_somebody_who_cannot_react_falls_at_once_as_an_attack(table, dice):
    table.settle("turn", "gm", "begin")
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(play={"initiative": None})
    dice += [[3]]
    table.press("roll-duel-damage")
    event = Event.objects.exclude(roll="").latest("pk")
    assert (event.roll, event.thrown, Question.objects.count()) == ("attack", [3], 0)


@pytest.mark.rule("DR-13", "DR-14", "DR-19")
@pytest.mark.parametrize(("choice", "faces", "fell", "left"), [
    ("react", [9, 2], ["spend-die", "duel"], None), ("forgo", [3], ["unanswered-duel"], 4)])
def test_whoever_a_plain_duel_is_aimed_at_reacts_or_does_not_before_any_dice_fall(table, dice, choice, faces, fell,
                                                                                   left):
    table.press("roll-duel", opponent="usual")
    assert (Event.objects.count(), offered(table)) == (0, ["react", "forgo"])
    dice += [faces]
    respond(table, choice)
    assert ([one.roll or one.act for one in Event.objects.order_by("pk")], initiative(table)) == (fell, left)
    # The die is spent by the answer, and not once more by what lands.
    assert PendingEffect.objects.count() == 0


def test_what_no_database_keeps_is_no_part_of_a_question(table):
    table.press(ATTACK, **{"against.x": "a\0b", "against.y\0": "c"})
    assert Question.objects.get().answers == {"against.x": ["ab"]}
