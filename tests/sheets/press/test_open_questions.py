"""Questions that stay open while their target loses what it could respond with: nobody waits for good."""

import re
import uuid

import pytest

from sheets.models import Event, Party, PendingEffect, Question, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import Fight, table_of

ATTACK = "roll-attack-unarmed"


@pytest.fixture
def table(request, django_user_model):
    """A table at which rolls wait, of Dice Rumble with a die before Anna and Ben, or of the system that it says."""
    fight = Fight(django_user_model.objects, getattr(request, "param", "dice-rumble"))
    fight.have("ben", **fight.sheets["anna"].data)
    if fight.ruleset.slug == "dice-rumble":
        set_dice(fight, anna=3, ben=4)
    Party.objects.filter(pk=fight.party.pk).update(waits=True)
    fight.party.refresh_from_db()
    return fight


@pytest.fixture
def counted(table, dice):
    """Turns are counted there, and Anna is on."""
    set_dice(table, anna=0, ben=0)
    dice += [[3], [4]]
    table.settle("turn", "gm", "begin")
    set_dice(table, anna=3, ben=4)
    assert table.on == ["Anna"]
    return table


def set_dice(fight, **dice):
    for name, die in dice.items():
        Sheet.objects.filter(pk=fight.sheets[name].pk).update(play={"initiative": die} if die else {})


def respond(table, choice, who="ben", number=None):
    """Presses a response to a question, the newest unless another is named."""
    number = number or Question.objects.latest("pk").pk
    return table.browsers[who].post(f"{table.address}play/", {
        "do": f"respond:{number}:{choice}", "_press": str(uuid.uuid4())})


def offered(table, who="ben", number=None):
    """The keys of the responses that somebody's page offers."""
    number = number or r"\d+"
    return re.findall(rf'value="respond:{number}:([a-z0-9-]+)"', table.look(who, "ben", None).text)


def initiative(table, who="ben"):
    return table.sheet(who).play.get("initiative")


@pytest.mark.rule("DR-13", "DR-14")
def test_a_second_attack_waits_for_a_target_whose_die_went_into_the_first_answer_and_is_let_fall(counted, dice):
    counted.bring("Ratte")
    counted.press(ATTACK)
    counted.press(ATTACK, "gm", "ratte", "ben")
    first, second = Question.objects.order_by("pk")
    dice += [[9, 2]]
    respond(counted, "dodge", number=first.pk)
    assert initiative(counted) is None
    assert [offered(counted, who, second.pk) for who in ("ben", "gm")] == [["forgo"], ["forgo"]]
    # Whoever cannot call the roll off is not offered to.
    assert "call-off" not in counted.look("ben", "ben", None).text
    dice += [[2]]
    respond(counted, "forgo", number=second.pk)
    assert ([one.roll for one in Event.objects.exclude(roll="").order_by("-pk")[:2]],
            Question.objects.filter(response__isnull=True).count()) == (["attack", "dodge-duel"], 0)


@pytest.mark.rule("DR-13", "DR-14")
def test_whoever_puts_the_die_away_before_answering_is_hit_by_an_attack_without_a_reaction(counted, dice):
    counted.press("roll-duel-damage")
    counted.press("act-spend-die", "ben", "ben", None)
    assert initiative(counted) is None
    assert offered(counted) == ["forgo"]
    respond(counted, "dodge")
    assert (Event.objects.filter(roll__contains="duel").count(), Question.objects.get().response) == (0, None)
    dice += [[2]]
    respond(counted, "forgo", "gm")
    assert Event.objects.filter(roll="attack").count() == 1


@pytest.mark.rule("DR-13", "DR-14", "DR-19")
def test_a_question_of_an_earlier_round_takes_no_die_of_the_new_one_from_either_side(counted, dice):
    counted.press(ATTACK)
    before = offered(counted)
    dice += [[2], [2]]
    for _turn in range(2):
        counted.settle("turn", "gm", "next")
    assert (counted.scene.round, counted.on) == (2, ["Anna"])
    set_dice(counted, anna=2, ben=5)
    assert ("dodge" in before, offered(counted)) == (True, ["forgo"])
    dice += [[2]]
    respond(counted, "forgo")
    assert Event.objects.filter(roll="attack").count() == 1
    assert (initiative(counted, "anna"), initiative(counted)) == (2, 5)


@pytest.mark.rule("DR-14")
def test_a_round_that_is_taken_back_gives_the_answers_back(counted, dice):
    counted.press(ATTACK)
    counted.settle("turn", "gm", "next")
    dice += [[2], [5]]
    counted.settle("turn", "gm", "next")
    assert offered(counted) == ["forgo"]
    counted.settle("turn:back", "gm", Event.objects.filter(turn__isnull=False).latest("pk").pk)
    assert (counted.scene.round, "dodge" in offered(counted)) == (1, True)


@table_of("daemmersturm")
@pytest.mark.rule("DS-32", "DS-40")
def test_damage_that_waits_for_a_shield_falls_without_it_once_its_bearer_is_out(table, dice):
    table.have("anna", weapons=[{"name": "Schwert", "kind": "one-handed", "hands": 1, "damage": "1-10",
                                 "reload_actions": 0}])
    table.have("ben", shield={"target": 12}, armour=None)
    dice += [[19]]
    table.press("roll-attack-weapons-0")
    table.press("roll-damage-roll-attack-weapons-0")
    assert offered(table) == ["shield", "forgo"]
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(play={"life": 0, "down": True})
    assert [offered(table, who) for who in ("ben", "gm")] == [["forgo"], ["forgo"]]
    dice += [[5]]
    respond(table, "forgo")
    # Whoever is out has no life left to lose.
    assert (Event.objects.latest("pk").roll, PendingEffect.objects.count()) == ("damage", 0)


def test_whoever_is_asked_about_a_roll_that_is_not_possible_any_more_may_say_so(table):
    table.have("anna", weapons=[{"name": "Keule", "talent": "Nahkampf", "damage": 1}])
    table.press("roll-attack-weapons-0")
    table.have("anna", weapons=[])
    assert offered(table) == ["forgo"]
    respond(table, "forgo")
    assert (Question.objects.count(), Event.objects.count()) == (0, 0)
    assert "cancelled" in text_of(table.look("ben", "ben", None))


@table_of("daemmersturm")
@pytest.mark.rule("DS-43", "DS-44")
def test_whoever_has_rolled_for_cover_is_not_led_to_seek_protection_that_is_rolled_for_no_more(table, dice):
    table.press("act-take-cover", "ben", "ben", None, number="15")
    dice += [[19]]
    table.press("roll-attack-magic")
    table.press("roll-damage-roll-attack-magic", range="1-6")
    assert offered(table) == ["cover", "seek-protection", "forgo"]
    dice += [[3], [4]]
    respond(table, "cover")
    assert table.sheet("ben").play.get("sheltered") is None
    assert Question.objects.filter(response__isnull=True).count() == 0
    assert PendingEffect.objects.get().filled["points"] == 4


@table_of("daemmersturm")
@pytest.mark.rule("DS-40", "DS-42")
@pytest.mark.parametrize(("armour", "face", "states"), [
    ({"target": 4, "max_damage": 12}, 4, ["open", "dismissed"]), ({"target": 4, "max_damage": 12}, 3, ["open", "open"]),
    ({"target": 4, "max_damage": 3}, 4, ["applied"] * 2), (None, 4, ["applied"] * 2)])
def test_a_party_that_asks_and_lets_hits_count_at_once_leaves_the_armour_roll_to_whom_it_hits(table, dice, armour, face,
                                                                                              states):
    Party.objects.update(trust=True)
    table.have("ben", shield=None, armour=armour)
    dice += [[19]]
    table.press("roll-attack-magic")
    table.press("roll-damage-roll-attack-magic", range="1-10")
    dice += [[6]]
    respond(table, "forgo")
    effect = PendingEffect.objects.get()
    found = re.search(rf"guard:{effect.pk}:(roll-armour[^\"]*)", table.look("ben", "ben", None).text)
    dice[:] = [[face]]
    if found:
        table.settle("guard", "ben", f"{effect.pk}:{found[1]}")
    assert [effect.state, PendingEffect.objects.get().state] == states
