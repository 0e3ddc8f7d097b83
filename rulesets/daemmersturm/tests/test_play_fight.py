import pytest
from pydantic import ValidationError

from rulesets.daemmersturm import RULESET
from rulesets.daemmersturm.tests.helpers import Table, profile
from rulesets.kit import Refused


@pytest.fixture
def hans():
    return Table(profile())


@pytest.mark.rule("DS-10", "DS-23")
def test_damage_and_healing_stay_between_nought_and_the_start_of_the_fight(hans):
    assert hans.do("damage", points=7) == "7 damage taken, life 13"
    assert hans.do("heal", points=30) == "30 healed, life 20"
    assert hans.offers("heal") == []


@pytest.mark.rule("DS-10")
def test_a_fight_begins_at_the_profiles_life_or_at_the_gms(hans):
    hans.do("damage", points=7)
    hans.do("use-action", ability="nachsetzen")
    hans.do("new-fight", life=25)
    assert hans.left == {"life": 25, "action_points": 5}
    hans.do("new-fight")
    assert hans.left == {"life": 20, "action_points": 5}
    with pytest.raises(Refused):
        hans.do("new-fight", life=0)


@pytest.mark.rule("DS-32")
def test_at_no_life_the_character_is_out_until_the_next_kampfabschnitt(hans):
    hans.do("damage", points=20)
    assert (hans.left["life"], hans.play.down, hans.notices) == (0, True, ["DS-32"])
    assert [hans.offers(slug) for slug in ("damage", "heal", "begin-turn", "new-fight", "use-action", "spend")] == \
        [[]] * 6
    hans.do("new-section")
    assert (hans.left, hans.play.down) == ({"life": 20, "action_points": 6}, False)


@pytest.mark.rule("DS-50")
@pytest.mark.parametrize(("start", "points", "due"), [(20, 14, False), (20, 15, True), (20, 19, True), (5, 0, False),
                                                      (5, 1, True)])
def test_the_exhausted_are_asked_for_the_roll_when_their_turn_begins_but_who_began_so(start, points, due):
    hans = Table(profile({"life": start}))
    hans.do("damage", points=points)
    assert hans.offers("roll-exhaustion") == []
    hans.do("begin-turn")
    assert (hans.play.exhaustion_due, "DS-50" in hans.notices, len(hans.offers("roll-exhaustion"))) == (due, due, due)
    assert hans.play.exhausted_by == ("life" if due else None)


@pytest.mark.rule("DS-50")
@pytest.mark.parametrize(("face", "told", "down"), [(6, "", False), (5, "Out of the fight", True)])
def test_the_exhaustion_roll_fells_or_lets_stand(hans, face, told, down):
    hans.do("damage", points=15)
    hans.do("begin-turn")
    assert hans.do("roll-exhaustion", face) == told  # where one stands the roll says it
    assert (hans.play.exhaustion_due, hans.play.down) == (False, down)


@pytest.mark.rule("DS-44", "DS-43")
def test_protection_is_sought_to_the_end_of_the_next_turn(hans):
    hans.do("seek-protection")
    assert hans.notices == ["DS-44"]
    hans.do("protection", 10)
    assert hans.offers("end-protection") == []
    hans.do("begin-turn")
    assert hans.notices == ["DS-44"]
    before = hans.play
    hans.do("end-protection")
    assert (hans.notices, hans.offers("protection")) == ([], [])
    hans.play = before
    hans.do("begin-turn")
    assert hans.notices == []


@pytest.mark.rule("DS-45")
def test_damage_over_time_is_rolled_each_turn_and_may_be_reduced(hans):
    hans.do("add-condition", name="Brand", turns=2, lowest=1, highest=5)
    assert hans.notices == ["DS-45"]
    assert hans.do("damage-over-time", 4, key="conditions.0") == "Life 16"
    hans.do("damage-over-time", 3, key="conditions.0", reduced=2)
    assert hans.left["life"] == 15
    for _turn in range(3):
        hans.do("begin-turn")
    assert hans.play.conditions == []


@pytest.mark.rule("DS-45")
def test_damage_over_time_has_its_lower_end_first_and_a_condition_is_told_by_its_name_alone(hans):
    with pytest.raises(ValidationError, match="5 is above 3"):
        hans.do("add-condition", lowest=5, highest=3)
    assert hans.do("add-condition", name="Widerhaken") == "Widerhaken"


@pytest.mark.rule("DS-45")
def test_an_effect_of_an_area_ends_on_leaving_it(hans):
    hans.do("add-condition", name="Giftwolke", lowest=1, highest=3)
    for _turn in range(9):
        hans.do("begin-turn")
    hans.do("end-condition", key="conditions.0")
    assert hans.play.conditions == []


@pytest.mark.rule("DS-08", "DS-25")
@pytest.mark.parametrize(("armour", "forbids"), [("light", False), ("medium", True), ("heavy", True)])
def test_what_the_armour_forbids_stands_with_the_armour(armour, forbids):
    hans = Table(profile({"armour_class": armour}))
    assert (bool(hans.play.board(hans.sheet)["prohibition"]), hans.notices) == (forbids, [])


@pytest.mark.rule("DS-54")
def test_channelling_counts_turns_and_damage_may_break_it(hans):
    hans.do("channel", rounds=2)
    assert hans.notices == ["DS-54"]
    hans.do("begin-turn")
    hans.do("damage", points=1)
    assert (hans.play.disturbed, len(hans.offers("hold-on"))) == (True, 1)
    hans.do("hold-on", 2)
    assert hans.play.channelling == 1
    hans.do("begin-turn")
    assert [str(one.message) for one in hans.play.notices(hans.sheet)] == [
        "Channelled: the spell can be completed this turn."]
    hans.do("end-channelling")
    hans.do("channel", rounds=1)
    hans.do("damage", points=0)
    assert not hans.play.disturbed, "no damage disturbs nothing"


@pytest.mark.rule("DS-54")
def test_each_hit_while_channelling_owes_a_roll(hans):
    hans.do("channel", rounds=0)
    assert hans.play.channelling is None, "an instant spell needs none"
    hans.do("channel", rounds=2)
    for _hit in range(3):
        hans.do("damage", points=1)
    for left in (2, 1, 0):
        hans.do("hold-on", 4)
        assert (hans.play.owed, hans.play.channelling) == (left, 2)
    assert not hans.offers("hold-on")
    for _hit in range(2):
        hans.do("damage", points=1)
    hans.do("hold-on", 1)
    assert (hans.play.owed, hans.play.channelling) == (0, None)


@pytest.mark.rule("DS-50")
def test_the_reason_of_an_exhaustion_roll_is_the_true_one_after_a_healing_too(hans):
    hans.do("damage", points=16)
    hans.do("begin-turn")
    hans.do("heal", points=10)
    assert [str(one.message) for one in hans.play.notices(hans.sheet)] == [
        "The turn started with 5 life or less: the exhaustion roll is due, even though life is now 14."]


@pytest.mark.rule("DS-45")
@pytest.mark.parametrize(("conditions", "told"), [
    ([{"kind": "cramps", "turns": 1}], "Cramps: no actions. This is its last turn."),
    ([{"name": "Segen", "turns": 1}, {"name": "Bann"}], "Segen: this is its last turn."),
])
def test_a_condition_says_that_its_last_turn_is_at_hand(conditions, told):
    hans = Table(profile(), conditions=conditions)
    assert not [one for one in hans.play.notices(hans.sheet) if "last turn" in str(one.message)]
    hans.do("begin-turn")
    assert [str(one.message) for one in hans.play.notices(hans.sheet)] == [told]
    hans.do("begin-turn")
    assert [one.name for one in hans.play.conditions] == ["Bann"] * (len(conditions) - 1)


@pytest.mark.rule("DS-45")
def test_damage_over_time_is_due_when_the_turn_begins_and_once_a_turn(hans):
    hans.do("add-condition", name="Widerhaken", lowest=1, highest=3)
    rare = [one.rare for one in hans.offers("damage-over-time")]
    assert "Widerhaken, 1-3 damage" in hans.do("begin-turn")
    rare += [one.rare for one in hans.offers("damage-over-time")]
    assert "due this turn" in str(next(hans.play.notices(hans.sheet)).message)
    hans.do("damage-over-time", 2, key="conditions.0")
    assert hans.left["life"] == 18
    assert [*rare, *(one.rare for one in hans.offers("damage-over-time"))] == [True, False, True]


@pytest.mark.rule("DS-44", "DS-54")
@pytest.mark.parametrize("state", [{"channelling": 2}, {"channelling": 0, "disturbed": True, "disturbances": 2}])
def test_seeking_protection_breaks_off_what_is_channelled(state):
    act, sheet = RULESET.acts["seek-protection"], profile().sheet
    play = RULESET.play(**state)
    assert ["breaks off" in str(one.note) for now in (RULESET.play(), play) for one in act.offered(sheet, now)] == [
        False, True]
    after = act().apply(sheet, play)
    assert (after.sheltered, after.channelling, after.disturbed, after.owed) == (2, None, False, 0)
