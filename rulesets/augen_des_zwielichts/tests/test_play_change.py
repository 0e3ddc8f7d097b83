import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.tests.helpers import FIVE, Table
from rulesets.kit import Refused
from tests.support.rulesets.contract import offered


def legal(table):
    return RULESET.check(table.sheet, name="Mio").verdict == "legal"


def black(table):
    return {key for key, one in table.sheet.fields.all().items() if one.colour == "black"}


@pytest.mark.rule("SZ-08", "SZ-09a")
def test_the_sixth_condition_leads_step_by_step_into_a_dark_section():
    table = Table(conditions=FIVE, section_points=7, corruption=1, clues=2)
    assert table.do("dark-section") == "Section II, dark"
    assert (table.sheet.section, table.sheet.shade) == (2, "dark")
    assert (table.words, table.play.section_points, table.play.corruption, table.play.clues) == ([], 0, 2, 2)
    assert table.play.steps == ["turn-black", "exchange-ability", "name-fears", "gain-ability"]
    assert (table.on_offer, "SZ-09a" in table.notices) == ({"turn-black", "paste-table"}, True)
    assert set(table.offers("turn-black")[0].among["key"]) == {"mount", "origin_1", "origin_2", "item", "free_item"}
    table.take(RULESET.acts["turn-black"](key="item"))
    assert (black(table), table.keys("exchange-ability")) == ({"demon", "item"}, ["abilities.1", "abilities.2"])
    table.do("exchange-ability", key="abilities.2", name="Schattenschritt")
    assert table.on_offer == {"gain-ability", "leave-out", "paste-table"}
    assert table.do("gain-ability", name="Wasserlauf") == "New ability: Wasserlauf"
    assert (table.play.free, table.revisions, legal(table)) == (True, 4, True)
    assert [one.name for one in table.sheet.abilities] == [
        "Stimmen im Wind deuten", "Spuren verwischen", "Schattenschritt", "Wasserlauf"]


@pytest.mark.rule("SZ-09a")
@pytest.mark.rule("SZ-04")
@pytest.mark.parametrize(("before", "answers", "after"), [
    ([], {"first": "Feuer", "second": "Stille"}, ["Feuer", "Stille"]),
    (["Feuer"], {"first": "Stille"}, ["Feuer", "Stille"]),
])
def test_a_dark_section_fills_the_fears_up_to_two(before, answers, after):
    table = Table("actress", patch={"fears": before}, steps=["name-fears"])
    table.do("name-fears", **answers)
    assert table.sheet.fears == after


@pytest.mark.rule("SZ-09a")
def test_only_the_ability_gained_can_be_left_out_of_a_dark_section():
    table = Table(conditions=FIVE)
    table.do("dark-section")
    for slug, answers in (("turn-black", {"key": "item"}), ("exchange-ability", {"index": 1, "name": "Neu"})):
        assert not table.offers("leave-out")
        with pytest.raises(Refused, match="cannot be skipped"):
            table.take(RULESET.acts["leave-out"]())
        table.take(RULESET.acts[slug](**answers))
    table.do("leave-out")
    assert (table.play.free, len(table.sheet.abilities), legal(table)) == (True, 3, True)


@pytest.mark.rule("SZ-08", "SZ-09a")
@pytest.mark.parametrize(("points", "levels"), [(4, []), (5, [1]), (7, [1]), (8, [1, 2]), (10, [1, 2, 3])])
def test_levels_take_5_8_and_10_section_points(points, levels):
    table = Table(section_points=points)
    assert table.keys("gain-level") == [f"level-{level}" for level in levels]
    for level in {1, 2, 3, 4} - {*levels}:
        with pytest.raises(Refused, match="section points"):
            table.take(RULESET.acts["gain-level"](level=level))


@pytest.mark.rule("SZ-09a")
@pytest.mark.parametrize(("level", "steps"), [
    (1, ["drop-fear", "change-field", "change-mark", "turn-white", "gain-ability"]),
    (2, ["drop-fear", "change-field", "change-mark", "turn-white", "drop-fear", "exchange-ability", "gain-ability"]),
    (3, ["drop-fear", "change-field", "change-mark", "turn-white", "drop-fear", "exchange-ability", "drop-fear",
         "change-field", "exchange-ability", "gain-ability"]),
])
def test_each_level_includes_the_lower_ones(level, steps):
    table = Table(section_points=10, conditions=FIVE[:2])
    table.do("gain-level", key=f"level-{level}")
    assert (table.sheet.section, table.sheet.shade, table.play.section_points, table.words) == (2, "light", 0, [])
    assert (table.play.steps, table.play.corruption) == (steps, 0)


@pytest.mark.rule("SZ-09a")
def test_a_level_gained_goes_through_its_levels_and_skips_what_nothing_is_left_for():
    table = Table(section_points=10)
    assert table.do("gain-level", key="level-3") == "Section II, light"
    table.do("drop-fear", key="fears.0")
    table.take(RULESET.acts["change-field"](key="origin_1", word="Sternenlicht", combat=True))
    assert table.do("change-mark", mark="Silberne Linien") == "Mark: Silberne Linien"
    assert list(table.offers("turn-white")[0].among["key"]) == ["demon"]
    table.take(RULESET.acts["turn-white"](key="demon"))
    table.do("drop-fear", key="fears.0")
    table.do("exchange-ability", key="abilities.1", name="Glut tragen")
    assert table.play.steps[0] == "change-field", "no fear is left to drop"
    for _step in range(3):
        table.do("leave-out")
    sheet = table.sheet
    assert (table.play.free, sheet.fears, sheet.demon.mark, black(table)) == (True, [], "Silberne Linien", set())
    assert (sheet.fields.origin_1.word, sheet.fields.origin_1.combat, legal(table)) == ("Sternenlicht", True, True)


@pytest.mark.rule("SZ-04", "SZ-05", "SZ-08", "SZ-09a", "SZ-09b")
@pytest.mark.parametrize(("state", "slug", "answers", "why"), [
    ({"steps": ["exchange-ability"]}, "exchange-ability", {"index": 0, "name": "Neu"}, "never exchanged"),
    ({"steps": ["exchange-ability"]}, "exchange-ability", {"index": 1, "name": " "}, "A word is missing"),
    ({"steps": ["drop-fear"]}, "change-mark", {"mark": "Neu"}, "That step is not next"),
    ({"start": "smith", "steps": ["turn-black"]}, "turn-black", {"key": "item"}, "already"),
    ({"conditions": FIVE[:4]}, "dark-section", {}, "sixth condition"),
    ({}, "end-session", {"chosen": 0, "peaceful": True}, "tick both"),
    *(({"start": "actress", "patch": {"fears": fears}, "steps": ["name-fears"]}, "name-fears", answers, why)
      for fears, answers, why in (
          ([], {"first": "Feuer"}, "A word is missing"), ([], {"first": "Feuer", "second": "feuer "}, "different"),
          (["Feuer"], {"first": " Feuer"}, "different"))),
])
def test_what_is_not_the_step_at_hand_or_makes_no_sense_is_refused(state, slug, answers, why):
    with pytest.raises(Refused, match=why):
        Table(**state).take(RULESET.acts[slug](**answers))


@pytest.mark.rule("SZ-09a")
def test_while_a_step_is_at_hand_nothing_else_is_done():
    table = Table(section_points=5)
    table.do("gain-level", key="level-1")
    assert table.on_offer == {"drop-fear", "leave-out", "paste-table"}


@pytest.mark.rule("SZ-02", "SZ-09a")
def test_an_empty_honour_and_the_field_of_no_mount_do_not_turn_black_a_filled_one_may():
    walking, riding = ([*Table(start, steps=["turn-black"]).offers("turn-black")[0].among["key"]]
                       for start in ("smith", "actress"))
    assert (walking, {"honour", "mount"} <= {*riding}) == (["origin_1"], True)


@pytest.mark.rule("SZ-08")
def test_vi_is_retirement():
    table = Table("monk", conditions=FIVE, section_points=10)
    assert ("SZ-08" in table.notices, table.on_offer & {"dark-section", "gain-level"}) == (True, set())
    with pytest.raises(Refused, match="no section after VI"):
        table.take(RULESET.acts["dark-section"]())
    assert Table("smith", patch={"section": 5}, conditions=FIVE).do("dark-section") == "Section VI, dark"
    # With six conditions the dark section comes first.
    assert not Table(conditions=FIVE, section_points=10).offers("gain-level")


@pytest.mark.rule("SZ-09b")
@pytest.mark.parametrize(("answers", "points"), [
    ({"chosen": 3, "solved": True, "peaceful": True}, 5), ({"chosen": 2}, 2), ({"chosen": 0, "solved": True}, 1)])
def test_a_session_gives_up_to_five_section_points(answers, points):
    table = Table(section_points=4)
    table.do("end-session", **answers)
    assert table.play.section_points == 4 + points
    with pytest.raises(ValueError, match="3"):
        RULESET.acts["end-session"](chosen=4)


@pytest.mark.rule("SZ-09a")
@given(st.data())
def test_any_way_through_any_change_leaves_a_legal_sheet(data):
    start = data.draw(st.sampled_from([key for key in RULESET.examples if key != "monk"]))
    level = data.draw(st.integers(0, 3))
    table = Table(start, conditions=[] if level else FIVE, section_points=10)
    before = table.sheet.section
    table.do("gain-level" if level else "dark-section", key=f"level-{level}" if level else "")
    for _step in range(12):
        if not table.play.free:
            offer = data.draw(st.sampled_from([offer for offer in offered(RULESET, table.sheet, table.play)
                                               if offer.cls.slug != "paste-table"]))
            choices = {key: slot.choices for key, slot in offer.asks.items() if slot.kind == "choice"}
            words = [key for key, slot in offer.asks.items() if slot.kind == "text" and slot.required]
            choices |= dict.fromkeys(words, ("Neu", "Anders"))
            table.take(offer.take(**{key: data.draw(st.sampled_from(some)) for key, some in choices.items()}))
    assert (table.play.free, table.sheet.section, legal(table)) == (True, before + 1, True)
