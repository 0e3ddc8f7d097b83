import pytest

from rulesets.daemmersturm import RULESET
from rulesets.daemmersturm.tests.helpers import Table, profile
from rulesets.kit import Refused, Seated


def caster(resource, bonus=3, **more):
    """Hans-Peter as a caster with so many points."""
    return Table(profile({"resource": resource, "magic.attack": bonus, **more}))


@pytest.mark.rule("DS-05a", "DS-05", "DS-10")
@pytest.mark.parametrize(("start", "given", "key", "left"), [
    *(("hans-peter", {"ability": ability, "cost": cost}, "action_points", left) for ability, cost, left in (
        ("nachsetzen", None, 5), ("volle-kraft", None, 4), ("konzentration", None, 4), ("durchbrechen", None, 4),
        ("volle-kraft", 1, 5), ("nachsetzen", 0, 6))),
    # Feuerbereitschaft is of the focus points.
    ("marksman", {"key": "feuerbereitschaft"}, "focus_points", 7),
    ("marksman", {"key": "feuerbereitschaft", "cost": 2}, "focus_points", 5),
])
def test_action_abilities_are_counted_down_at_their_cost(start, given, key, left):
    table = Table(profile(start=start))
    table.do("use-action", **given)
    assert table.left[key] == left


@pytest.mark.rule("DS-05a")
def test_points_that_are_not_there_cannot_be_spent():
    hans = Table(profile())
    hans.do("spend", key="action_points", points=5, what="Sprinten")
    with pytest.raises(Refused, match="2 needed, but only 1 left"):
        hans.do("use-action", ability="volle-kraft")
    hans.do("use-action", ability="nachsetzen")
    assert hans.offers("use-action") == []
    hans.do("get-back", key="action_points", points=2)
    assert hans.left["action_points"] == 2


@pytest.mark.rule("DS-10")
def test_a_new_kampfabschnitt_sets_all_points_back():
    tjark = Table(profile(start="shaman"))
    tjark.do("use-action", ability="nachsetzen")
    tjark.do("choose-element", 4, element="fire")
    tjark.do("use-element", points=3)
    assert (tjark.left["action_points"], tjark.left["magic_points"]) == (2, 2)
    tjark.do("new-section")
    assert (tjark.left["action_points"], tjark.left["magic_points"]) == (3, 5)
    assert tjark.offers("new-section") == []


@pytest.mark.rule("DS-06")
def test_before_a_fight_another_resource_may_be_chosen():
    one = caster("mana")
    for resource, left in (("shadow", 5), ("none", None), ("mana", 5)):
        one.do("choose-resource", resource=resource)
        used = one.play.resource_in_use(one.sheet)
        assert (one.now.resource, used, one.left.get("magic_points")) == (resource, resource, left)
    assert Table(profile()).offers("choose-resource") == []


@pytest.mark.rule("DS-55")
def test_light_points_go_only_where_the_test_works():
    one = caster("light", bonus=2, armour_class="heavy")
    for face, points, action_points, left in ((3, 2, 0, (4, 6)), (3, 2, 2, (2, 5)), (5, 1, 2, (2, 5))):
        one.do("call-light", face, points=points, action_points=action_points)
        assert (one.left["magic_points"], one.left["action_points"]) == left
    with pytest.raises(Refused):
        one.do("call-light", 0, points=3)


@pytest.mark.rule("DS-56")
def test_one_element_a_round_with_as_many_points_as_the_die_says():
    one = caster("elements")
    one.do("choose-element", 2, element="air")
    assert one.offers("choose-element") == []
    # Another resource, and the same again, would bring another element.
    assert one.offers("choose-resource") == []
    with pytest.raises(Refused, match="already uses the other resource"):
        one.take(RULESET.acts["choose-resource"](resource="mana"))
    with pytest.raises(Refused, match="3 points are too many"):
        one.do("use-element", points=3)
    one.do("use-element", points=2)
    assert (one.left["magic_points"], one.offers("use-element")) == (3, [])
    one.do("begin-turn")
    assert len(one.offers("choose-element")) == 1


@pytest.mark.rule("DS-57", "DS-50")
def test_without_mana_each_round_has_an_exhaustion_roll():
    one = caster("mana", bonus=0)
    one.do("spend", key="magic_points", points=2)
    one.do("begin-turn")
    assert (one.play.exhaustion_due, one.notices) == (True, ["DS-57"])
    one.do("roll-exhaustion", 10)
    none = caster("mana", bonus=-1)
    none.do("begin-turn")
    assert not none.play.exhaustion_due


@pytest.mark.rule("DS-57")
@pytest.mark.parametrize(("dealt", "notices", "life"), [(5, ["DS-57"], 16), (9, [], 20)])
def test_shadow_is_not_spent_but_limits_the_round_and_demands_damage(dealt, notices, life):
    one = caster("shadow")
    one.do("use-shadow", points=2)
    one.do("use-shadow", points=1)
    assert (one.left["magic_points"], one.play.shadow_owed) == (2, 9)
    with pytest.raises(Refused, match="this round allows only 2 more"):
        one.do("use-shadow", points=3)
    one.do("deal-damage", points=dealt)
    assert one.notices == notices
    one.do("begin-turn")
    assert (one.left["life"], one.left["magic_points"], one.play.shadow_owed) == (life, 5, 0)


@pytest.mark.rule("DS-57", "DS-10")
@pytest.mark.parametrize(("life", "told", "fights"), [(9, "Out of the fight", False), (10, "life 20", True)])
def test_what_the_shadow_still_demands_falls_due_before_a_new_fight(life, told, fights):
    one = caster("shadow")
    one.do("damage", points=20 - life)
    one.do("use-shadow", points=3)
    assert told in one.do("new-fight")
    assert (one.play.down, one.play.shadow_owed) == (not fights, 0)


def test_points_follow_the_base_bonus_and_not_a_sickness():
    one = caster("mana", bonus=3)
    one.do("add-condition", kind="sickness", turns=4)
    assert one.left == {"life": 20, "action_points": 6, "magic_points": 5}
    shaman = Table(profile(start="shaman"))
    shaman.do("add-condition", kind="sickness", turns=4)
    act, = RULESET.acts["choose-element"].offered(shaman.sheet, shaman.play)
    assert act.take(element="fire").roll(shaman.sheet, shaman.play).maximum == 5


@pytest.mark.rule("DS-56")
@pytest.mark.rule("DS-57")
@pytest.mark.parametrize("state", [{"element": "fire", "element_points": 2}, {"shadow_used": 2}])
def test_where_rounds_are_counted_their_limits_end_with_the_round_and_not_with_the_turn(state):
    table, seat = RULESET.table(), Seated("Anna", caster("elements").sheet, RULESET.play(**state))

    def after(offers):
        play = seat.play
        for offer in offers:
            if offer.cls.takes_part(seat.sheet, play):
                play = offer.take().apply(seat.sheet, play)
        return play.element, play.element_points, play.shadow_used

    play = seat.play
    assert after(table.turn_begins(seat)) == (play.element, play.element_points, play.shadow_used)
    assert after(table.round_begins([seat])) == (None, 0, 0)
    # Where nobody counts turns, the round of each begins with the own turn.
    assert after(RULESET.acts["begin-turn"].offered(seat.sheet, play)) == (None, 0, 0)
