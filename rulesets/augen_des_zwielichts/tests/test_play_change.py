import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.play.state import Word
from rulesets.augen_des_zwielichts.tests.helpers import Table
from rulesets.kit import Refused

FIVE = [Word(word=word) for word in ("Müde", "Zornig", "Verletzt", "Traurig", "Verloren")]


def legal(table):
    return RULESET.check(table.sheet, name="Mio").verdict == "legal"


def black(table):
    return {key for key, one in table.sheet.fields.all().items() if one.colour == "black"}


@pytest.mark.rule("SZ-08")
@pytest.mark.rule("SZ-09a")
def test_the_sixth_condition_leads_step_by_step_into_a_dark_section():
    table = Table(conditions=FIVE, section_points=7, corruption=1, clues=2)
    assert table.do("dark-section") == "Section II, dark"
    assert (table.sheet.section, table.sheet.shade) == (2, "dark")
    assert (table.words, table.play.section_points, table.play.corruption, table.play.clues) == ([], 0, 2, 2)
    assert table.play.steps == ["turn-black", "exchange-ability", "name-fears", "gain-ability"]
    assert table.on_offer == {"turn-black", "paste-table"}
    assert "SZ-09a" in table.notices
    assert set(table.offers("turn-black")[0].among["key"]) == {
        "mount", "origin_1", "origin_2", "item", "free_item"}
    table.take(RULESET.acts["turn-black"](key="item"))
    assert black(table) == {"demon", "item"}
    assert table.keys("exchange-ability") == ["abilities.1", "abilities.2"]
    table.do("exchange-ability", key="abilities.2", name="Schattenschritt")
    assert [one.name for one in table.sheet.abilities] == [
        "Stimmen im Wind deuten", "Spuren verwischen", "Schattenschritt"]
    assert table.on_offer == {"gain-ability", "leave-out", "paste-table"}
    assert table.do("gain-ability", name="Wasserlauf") == "New ability: Wasserlauf"
    assert table.play.free
    assert table.revisions == 4
    assert len(table.sheet.abilities) == 4
    assert legal(table)


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
        with pytest.raises(Refused, match="cannot be left out"):
            table.take(RULESET.acts["leave-out"]())
        table.take(RULESET.acts[slug](**answers))
    table.do("leave-out")
    assert table.play.free
    assert len(table.sheet.abilities) == 3
    assert legal(table)


@pytest.mark.rule("SZ-09a")
@pytest.mark.rule("SZ-08")
@pytest.mark.parametrize(("points", "levels"), [(4, []), (5, [1]), (7, [1]), (8, [1, 2]), (10, [1, 2, 3])])
def test_levels_take_5_8_and_10_section_points(points, levels):
    table = Table(section_points=points)
    assert table.keys("gain-level") == [f"level-{level}" for level in levels]
    with pytest.raises(Refused, match="section points"):
        table.take(RULESET.acts["gain-level"](level=4))
    if points < 10:
        with pytest.raises(Refused, match="section points"):
            table.take(RULESET.acts["gain-level"](level=3))


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
    assert table.play.steps == steps
    assert table.play.corruption == 0


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
    table.do("leave-out")
    table.do("leave-out")
    table.do("leave-out")
    assert table.play.free
    sheet = table.sheet
    assert (sheet.fears, sheet.demon.mark, black(table)) == ([], "Silberne Linien", set())
    assert (sheet.fields.origin_1.word, sheet.fields.origin_1.combat) == ("Sternenlicht", True)
    assert legal(table)


@pytest.mark.rule("SZ-05")
def test_the_demons_ability_is_never_exchanged():
    table = Table(steps=["exchange-ability"])
    with pytest.raises(Refused, match="never exchanged"):
        table.take(RULESET.acts["exchange-ability"](index=0, name="Neu"))
    with pytest.raises(Refused, match="A word is missing"):
        table.take(RULESET.acts["exchange-ability"](index=1, name=" "))


@pytest.mark.rule("SZ-02")
@pytest.mark.rule("SZ-09a")
def test_an_empty_honour_does_not_turn_black_a_filled_one_may():
    table = Table("smith", steps=["turn-black"])
    assert list(table.offers("turn-black")[0].among["key"]) == ["origin_1"]
    with pytest.raises(Refused, match="already"):
        table.take(RULESET.acts["turn-black"](key="item"))
    assert "honour" in Table("actress", steps=["turn-black"]).offers("turn-black")[0].among["key"]


@pytest.mark.rule("SZ-09a")
def test_steps_are_taken_in_their_order_and_nothing_else_is_done_meanwhile():
    table = Table(section_points=5)
    table.do("gain-level", key="level-1")
    with pytest.raises(Refused, match="not the step at hand"):
        table.take(RULESET.acts["change-mark"](mark="Neu"))
    assert table.on_offer == {"drop-fear", "leave-out", "paste-table"}


@pytest.mark.rule("SZ-08")
def test_vi_is_retirement():
    table = Table("monk", conditions=FIVE, section_points=10)
    assert "SZ-08" in table.notices
    assert not table.on_offer & {"dark-section", "gain-level"}
    with pytest.raises(Refused, match="no section after VI"):
        table.take(RULESET.acts["dark-section"]())
    fifth = Table("smith", patch={"section": 5}, conditions=FIVE)
    assert fifth.do("dark-section") == "Section VI, dark"


@pytest.mark.rule("SZ-08")
def test_with_six_conditions_the_dark_section_comes_first():
    table = Table(conditions=FIVE, section_points=10)
    assert not table.offers("gain-level")
    with pytest.raises(Refused, match="sixth condition"):
        Table(conditions=FIVE[:4]).take(RULESET.acts["dark-section"]())


@pytest.mark.rule("SZ-09b")
@pytest.mark.parametrize(("answers", "points"), [
    ({"chosen": 3, "solved": True, "peaceful": True}, 5), ({"chosen": 2}, 2), ({"chosen": 0, "solved": True}, 1)])
def test_a_session_gives_up_to_five_section_points(answers, points):
    table = Table(section_points=4)
    table.do("end-session", **answers)
    assert table.play.section_points == 4 + points


@pytest.mark.rule("SZ-09b")
def test_what_was_solved_peacefully_was_solved():
    with pytest.raises(Refused, match="tick both"):
        Table().do("end-session", chosen=0, peaceful=True)
    with pytest.raises(ValueError, match="3"):
        RULESET.acts["end-session"](chosen=4)


@pytest.mark.rule("SZ-09a")
@given(st.data())
def test_any_way_through_any_change_leaves_a_legal_sheet(data):
    start = data.draw(st.sampled_from([key for key in RULESET.examples if key != "monk"]))
    dark = data.draw(st.booleans())
    table = Table(start, conditions=FIVE if dark else [], section_points=10)
    before = table.sheet.section
    if dark:
        table.do("dark-section")
    else:
        table.do("gain-level", key=f"level-{data.draw(st.integers(1, 3))}")
    for _step in range(12):
        if table.play.free:
            break
        steps = [offer for slug, act in RULESET.acts.items() if slug != "paste-table"
                 for offer in act.offered(table.sheet, table.play)]
        offer = data.draw(st.sampled_from(steps))
        answers = {}
        for key, slot in offer.asks.items():
            if slot.kind == "choice":
                answers[key] = data.draw(st.sampled_from(slot.choices))
            elif slot.kind == "text" and slot.required:
                answers[key] = data.draw(st.sampled_from(("Neu", "Anders")))
        table.take(offer.take(**answers))
    assert table.play.free
    assert table.sheet.section == before + 1
    assert legal(table)


@pytest.mark.rule("SZ-04")
@pytest.mark.parametrize(("before", "answers", "why"), [
    ([], {"first": "Feuer"}, "A word is missing"), ([], {"first": "Feuer", "second": "feuer "}, "different"),
    (["Feuer"], {"first": " Feuer"}, "different")])
def test_two_fears_are_named_and_not_one_twice(before, answers, why):
    table = Table("actress", patch={"fears": before}, steps=["name-fears"])
    with pytest.raises(Refused, match=why):
        table.do("name-fears", **answers)


@pytest.mark.rule("SZ-02")
def test_the_field_of_no_mount_does_not_turn_black():
    walking, riding = (Table(start, steps=["turn-black"]).offers("turn-black")[0].among["key"]
                       for start in ("smith", "actress"))
    assert ("mount" in walking, "mount" in riding) == (False, True)
