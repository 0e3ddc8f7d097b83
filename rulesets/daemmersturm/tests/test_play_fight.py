import pytest
from pydantic import ValidationError

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
    assert hans.left == {"life": 20, "action_points": 6}
    assert not hans.play.down


@pytest.mark.rule("DS-50")
@pytest.mark.parametrize(("life", "due"), [(6, False), (5, True), (1, True)])
def test_the_exhausted_are_asked_for_the_roll_when_their_turn_begins(hans, life, due):
    hans.do("damage", points=20 - life)
    assert hans.offers("roll-exhaustion") == []
    hans.do("begin-turn")
    assert hans.play.exhaustion_due is due
    assert ("DS-50" in hans.notices) is due
    assert len(hans.offers("roll-exhaustion")) == due


@pytest.mark.rule("DS-50")
def test_the_exhaustion_roll_fells_or_lets_stand(hans):
    hans.do("damage", points=15)
    hans.do("begin-turn")
    assert hans.do("roll-exhaustion", 6) == ""  # the roll says it
    assert not hans.play.exhaustion_due
    hans.do("begin-turn")
    assert hans.do("roll-exhaustion", 5) == "Out of the fight"
    assert hans.play.down


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
def test_damage_over_time_has_its_lower_end_first(hans):
    with pytest.raises(ValidationError, match="5 is above 3"):
        hans.do("add-condition", lowest=5, highest=3)


@pytest.mark.rule("DS-45")
def test_an_effect_of_an_area_ends_on_leaving_it(hans):
    hans.do("add-condition", name="Giftwolke", lowest=1, highest=3)
    for _turn in range(9):
        hans.do("begin-turn")
    hans.do("end-condition", key="conditions.0")
    assert hans.play.conditions == []


@pytest.mark.rule("DS-08", "DS-25")
def test_what_the_armour_forbids_stands_with_the_armour():
    told = {one: Table(profile({"armour_class": one})) for one in ("light", "medium", "heavy")}
    assert {one: bool(hans.play.board(hans.sheet)["forbids"]) for one, hans in told.items()} == {
        "light": False, "medium": True, "heavy": True}
    assert {one: hans.notices for one, hans in told.items()} == {one: [] for one in told}


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
    hans.do("damage", points=1)
    hans.do("hold-on", 1)
    assert hans.play.channelling is None


@pytest.mark.rule("DS-54")
def test_an_instant_spell_needs_no_channelling(hans):
    hans.do("channel", rounds=0)
    assert hans.play.channelling is None


def test_no_damage_disturbs_nothing(hans):
    hans.do("channel", rounds=1)
    hans.do("damage", points=0)
    assert not hans.play.disturbed


@pytest.mark.rule("DS-50")
def test_who_begins_a_fight_with_five_life_owes_no_roll_until_life_sinks():
    rat = Table(profile({"life": 5}))
    rat.do("begin-turn")
    assert not rat.play.exhaustion_due
    assert "DS-50" not in rat.notices
    rat.do("damage", points=1)
    rat.do("begin-turn")
    assert (rat.play.exhaustion_due, rat.play.exhausted_by) == (True, "life")


@pytest.mark.rule("DS-50")
def test_the_reason_of_an_exhaustion_roll_is_the_true_one_after_a_healing_too():
    hans = Table(profile())
    hans.do("damage", points=16)
    hans.do("begin-turn")
    hans.do("heal", points=10)
    told = [str(one.message) for one in hans.play.notices(hans.sheet)]
    assert told == ["The turn began with 5 life or less: the exhaustion roll is due, though life is 14 by now."]


@pytest.mark.rule("DS-45")
def test_a_condition_says_that_its_last_turn_is_at_hand():
    hans = Table(profile())
    hans.do("add-condition", kind="cramps", turns=1)
    assert not [one for one in hans.play.notices(hans.sheet) if "last turn" in str(one.message)]
    hans.do("begin-turn")
    told = [str(one.message) for one in hans.play.notices(hans.sheet)]
    assert told == ["Cramps: no actions. This is the last turn of it."]


@pytest.mark.rule("DS-54")
def test_each_hit_while_channelling_owes_a_roll():
    hans = Table(profile())
    hans.do("channel", rounds=2)
    for _hit in range(3):
        hans.do("damage", points=1)
    for left in (2, 1, 0):
        hans.do("hold-on", 4)
        assert (hans.play.owed, hans.play.channelling) == (left, 2)
    assert not hans.offers("hold-on")
    hans.do("damage", points=1)
    hans.do("damage", points=1)
    hans.do("hold-on", 1)
    assert (hans.play.owed, hans.play.channelling) == (0, None)


@pytest.mark.rule("DS-45")
def test_damage_over_time_is_due_when_the_turn_begins_and_once_a_turn():
    hans = Table(profile())
    hans.do("add-condition", name="Widerhaken", lowest=1, highest=3)
    assert [one.rare for one in hans.offers("damage-over-time")] == [True]
    assert "Widerhaken, 1-3 damage" in hans.do("begin-turn")
    assert [one.rare for one in hans.offers("damage-over-time")] == [False]
    assert "due this turn" in str(next(hans.play.notices(hans.sheet)).message)
    hans.do("damage-over-time", 2, key="conditions.0")
    assert hans.left["life"] == 18
    assert [one.rare for one in hans.offers("damage-over-time")] == [True]


@pytest.mark.rule("DS-45")
def test_a_condition_is_told_by_its_name_alone():
    hans = Table(profile())
    assert hans.do("add-condition", name="Widerhaken") == "Widerhaken"
