"""What looks like a critical hit or a fumble, what attacks aim at, and what a press at a gauge costs."""

import pytest

from rulesets.daemmersturm import RULESET
from rulesets.dice import LoadedTray, thrown
from rulesets.document import read_tree
from rulesets.kit import target_slots

ATTACK = {"bonus": 3, "defence": 12}


def looks(slug, *faces, **given):
    roll = RULESET.rolls[slug](**given)
    return roll.extreme(thrown(roll.throw, LoadedTray(*faces))[0])


@pytest.mark.rule("DS-21")
@pytest.mark.rule("DS-22")
@pytest.mark.parametrize(("face", "found"), [(20, "critical"), (19, ""), (9, ""), (2, ""), (1, "fumble")])
def test_an_attack_looks_critical_or_fumbled_by_its_numbers(face, found):
    assert looks("attack", face, **ATTACK) == found


@pytest.mark.rule("DS-21")
def test_numbers_of_an_ability_count_and_a_number_that_is_both_is_neither():
    assert looks("attack", 19, **ATTACK, criticals="19,20") == "critical"
    assert looks("attack", 20, **ATTACK, fumbles="1,20") == ""


@pytest.mark.rule("DS-28")
@pytest.mark.parametrize(("faces", "found"), [((3,), ""), ((2, 1), "fumble"), ((2, 2), "fumble"), ((20,), "critical")])
def test_a_friend_who_is_hit_is_no_fumble_by_itself(faces, found):
    assert looks("friendly-fire", *faces, **ATTACK, fumbles="1,2") == found


@pytest.mark.rule("DS-27")
@pytest.mark.parametrize(("kind", "face", "found"), [
    ("spell", 20, "critical"), ("artillery", 20, ""), ("artillery", 1, "fumble"), ("spell", 12, "")])
def test_of_w_rolls_only_a_spell_is_critical(kind, face, found):
    assert looks("w-roll", face, bonus=0, target=14, kind=kind) == found


@pytest.mark.rule("DS-52")
def test_perception_is_critical_from_eighteen_on_and_never_fumbles():
    assert [looks("perception", face, bonus=0) for face in (1, 17, 18)] == ["", "", "critical"]
    assert looks("stealth", 1, bonus=0) == ""


def test_an_attack_aims_at_the_defence_of_its_skill():
    sheet = read_tree(RULESET.examples["hans-peter"]).sheet
    play = RULESET.play()
    aims = {str(offer.asks["defence"].ask.target_figure): offer
            for offer in sheet.roll_offers(play) if "defence" in offer.asks}
    assert {*aims} == {"melee", "ranged", "magic"}
    asked = target_slots(sheet.roll_offers(play))
    assert {key: slot.default for key, slot in asked.items()} == {
        "melee": 12, "ranged": 12, "magic": 12, "senses": 0}
    for offer in aims.values():
        assert offer.take(defence=14).defence == 14


@pytest.mark.rule("DS-10")
@pytest.mark.rule("DS-55")
@pytest.mark.rule("DS-57")
@pytest.mark.parametrize(("resource", "spends"), [("mana", "spend"), ("shadow", "use-shadow"), ("light", None)])
def test_a_magic_point_is_spent_by_the_act_of_its_resource(resource, spends):
    document = next(iter(RULESET.examples.values()))
    data = document["data"] | {"resource": resource, "magic": {"attack": 5, "defence": 12}}
    sheet, play = read_tree({**document, "data": data}).sheet, RULESET.play()
    gauge = next(one for one in play.gauges(sheet) if one.key == "magic_points")
    assert (gauge.less and gauge.less.offer.cls.slug) == spends
    assert gauge.more is None, "nothing was spent"
    if gauge.less:
        after = gauge.less.offer.take(**gauge.less.answers).apply(sheet, play)
        now = next(one for one in after.gauges(sheet) if one.key == "magic_points")
        assert now.current == gauge.current - 1
        assert (now.more is None) == (resource == "shadow")
