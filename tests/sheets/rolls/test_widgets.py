"""Widgets that offer values to choose from, and dice as they are drawn."""

import re

import pytest
from django.utils.translation import override

from rulesets import systems
from rulesets.condice import RULESET
from rulesets.dice import Outcome
from rulesets.document import read_tree
from rulesets.kit import Count, Roll, field, slots
from sheets.rolls.odds_chart import cached_by_roll, odds_bars
from sheets.rolls.stored import roll_text
from sheets.rolls.widgets import Widget, widgets
from sheets.templatetags.dice import die, rows, spark

SHEET = read_tree(RULESET.examples["juan"]).sheet


class Leap(Roll):
    """A leap that ends in a word or in so many feet."""

    limit: Count = field("Limit")
    extra: Count = field("Extra", 0)
    title, unit, outcomes, sides = "Leap", "{n} feet", {"slip": "a slip"}, 4

    def throw(self, tray):
        face = tray.die(4)
        return Outcome("slip" if face == 4 else face + self.limit + self.extra)


class Narrow(Leap):
    """The same, with a word for all, one of them hoped for; it cannot fall beyond a limit of 4."""

    outcomes, good = {"over": "over", "short": "short", "slip": "a slip"}, ("over",)

    def throw(self, tray):
        face = tray.die(4)
        return Outcome("slip" if face == 4 else "over" if face > self.limit else "short")


class Amount(Roll):
    """A die that brings nothing, one or two."""

    title = "Amount"

    def throw(self, tray):
        return Outcome(tray.die(3) - 1)


def test_dice_have_six_sides_unless_their_roll_says_otherwise():
    assert [Widget(one.offer(), {}).sides for one in (Amount, Leap)] == [6, 4]


def test_a_bar_is_filled_as_far_as_there_is_hope_and_empty_where_there_is_none_and_amounts_have_one_each():
    for limit, filled in ((2, "M0 11h25.0v10"), (9, "M0 11h0.0v10")):
        assert f'class="hope" d="{filled}' in spark(odds_bars(Narrow(limit=limit)))
    assert spark(odds_bars(Leap(limit=2))).count("M") == len(odds_bars(Leap(limit=2))) > 2


@pytest.mark.parametrize(("fell", "classes"), [
    (None, ["hope", "rest"]), (0, ["hope", "rest fell"]), (1, ["hope", "hope fell", "rest"])])
def test_in_a_chart_of_amounts_the_bar_of_nothing_is_pale_and_what_fell_is_marked(fell, classes):
    drawn = spark(odds_bars(Amount(), fell))
    assert sorted(re.findall('<path class="([^"]*)" d="M', drawn)) == classes
    assert [bar.label for bar in odds_bars(Amount())] == ["0", "1", "2"]


def test_a_row_in_which_the_other_side_is_asked_is_another_than_where_one_is_asked_oneself():
    alone, aimed = Widget(Leap.offer()), Widget(Leap.offer(aims={"extra": "defence"}))
    assert len(aimed.target_inputs) == 1 > len(alone.target_inputs)
    assert alone.fingerprint != aimed.fingerprint


def offer(**limits):
    return Leap.offer(among={"limit": {int(key[1:]): label for key, label in limits.items()}})


def test_values_to_choose_from_are_a_choice_and_the_usual_one_is_chosen():
    widget = Widget(offer(_7="7 (far)", _3="3 (near)"))
    limit, extra = widget.inputs
    assert (limit.slot.kind, limit.choices, limit.value) == ("choice", [(7, "7 (far)"), (3, "3 (near)")], 7)
    assert (extra.slot.kind, extra.value, widget.complete) == ("number", 0, Leap(limit=7))
    # One that is not on offer is refused; where nothing is to be chosen from the value is asked.
    refused, asked = Widget(offer(_7="7 (far)"), {"limit": ["5"]}), Widget(Leap.offer(among={"limit": {}}))
    assert (refused.complete, bool(refused.inputs[0].fault)) == (None, True)
    assert (asked.inputs[0].slot.kind, asked.complete) == ("number", Leap(limit=0))


@pytest.mark.rule("CD-50")
def test_what_nobody_has_answered_yet_is_not_blamed_for_it():
    boost = next(one for one in RULESET.acts["change-attributes"].offered(SHEET, RULESET.play()) if one.key == "others")
    with override("en"):
        assert [(one.complete, one.fault) for one in (Widget(boost), Widget(boost, {}))] == [
            (None, ""), (None, "Choose between 1 and 5 attributes, each once.")]


@pytest.mark.parametrize(("before", "made"), [
    ({"limit": ["3"], "extra": ["2"]}, Leap(limit=3, extra=2)), ({"limit": ["5"], "extra": ["2"]}, Leap(limit=7)),
    ({}, Leap(limit=7)),
])
def test_the_answers_of_the_last_roll_stay_as_long_as_they_are_on_offer(before, made):
    widget, = widgets([offer(_7="7 (far)", _3="3 (near)")], prefill={"roll-leap": before} if before else {})
    assert widget.complete == made


def test_a_chart_of_words_and_numbers_has_the_words_first():
    assert [bar.label for bar in odds_bars(Leap(limit=1))] == ["a slip", "2 feet", "3 feet", "4 feet"]


def test_equal_rolls_are_reckoned_once_in_each_language():
    reckoned = []
    told = cached_by_roll(lambda roll, *more: reckoned.append((roll, *more)) or len(reckoned))
    assert [told(Leap(limit=1)), told(Leap(limit=1)), told(Leap(limit=2)), told(Leap(limit=1), 3)] == [1, 1, 2, 3]
    assert told(Twin()) == 4
    with override("en"):
        assert told(Leap(limit=1)) == 5
    assert reckoned == [(Leap(limit=1),), (Leap(limit=2),), (Leap(limit=1), 3), (Twin(),), (Leap(limit=1),)]


def test_a_row_says_which_outcome_fell_and_says_it_in_the_readers_language():
    fallen = rows(odds_bars(Leap(limit=1), 3))
    assert fallen.count('<tr class="rolled">') == 1
    assert '<th scope="row">3 feet<span class="hidden"> (so gewürfelt)</span></th>' in fallen
    assert '<rect width="100.0" height="10"/>' in fallen
    with override("en"):
        assert "(rolled)" in rows(odds_bars(Leap(limit=1), 3))
    plain = rows(odds_bars(Leap(limit=1)))
    assert [one in plain for one in ("fell", "gewürfelt", "both")] == [False] * 3
    # The share of a second reading is drawn and told where there is one.
    widget = Widget(Twin.offer())
    drawn = rows(widget.bars, widget.second_reading_total)
    assert '<rect class="part" width="33.33" height="10"/>' in drawn
    assert drawn.count('<td class="both">25,0') == 2


def test_a_die_of_six_has_pips_and_any_other_a_number_and_a_form_of_its_own():
    six, ten, twenty = die(4), die(4, 10), die(4, 20)
    assert [one.count("<circle") for one in (six, ten, twenty)] == [4, 0, 0]
    assert [">4</text>" in one or "<text" in one for one in (six, ten, twenty)] == [False, True, True]
    assert len({drawn[drawn.index("<path"):drawn.index("/>")] for drawn in (ten, twenty)}) == 2
    assert Widget(Leap.offer()).sides == 4


class Twin(Roll):
    """Two dice of two colours, read for the higher and for whether they are alike."""

    title, second_reading = "Twin", ("alike", True, "alike")

    def colours(self):
        return "white", "black"

    def throw(self, tray):
        white, black = tray.die(2), tray.die(2)
        return Outcome(max(white, black), alike=white == black)


def test_a_roll_that_is_read_twice_shows_both_and_its_dice_in_their_colours():
    widget = Widget(Twin.offer())
    assert [(bar.label, bar.chance, bar.joint_chance, bar.joint_height) for bar in widget.bars] == [
        ("1", "25,0\u00a0%", "25,0\u00a0%", 33.33), ("2", "75,0\u00a0%", "25,0\u00a0%", 33.33)]
    assert (widget.second_reading_total, widget.die_colours) == (("alike", "50,0\u00a0%"), ("white", "black"))
    plain = Widget(Leap.offer(limit=1))
    assert (plain.second_reading_total, bool(plain.die_colours)) == (None, False)


class Alike(Twin):
    """The same, of which people tell no figure from the other."""

    def label(self, value):
        return "either"


def test_neighbours_of_one_label_are_one_bar():
    assert [(bar.label, bar.chance, bar.joint_chance, bar.was_thrown) for bar in odds_bars(Alike(), 1)] == [
        ("either", "100,0\u00a0%", "50,0\u00a0%", True)]


def test_a_die_that_has_a_colour_says_it_and_is_empty_before_it_falls():
    white, black = die(3, 6, "white"), die(0, 6, "black")
    assert [one in white for one in ('class="die white"', 'aria-label="3 weiß"')] == [True, True]
    assert [one in black for one in ("<circle", 'aria-label="schwarz"')] == [False, True]


def test_what_a_stored_roll_says_is_a_text_where_its_rules_say_it_for_any_reader():
    assert type(roll_text(systems()["daemmersturm"], "escalation", {}, 1, {})) is str


def test_what_belongs_to_one_target_is_asked_again_and_all_else_stands_there_as_it_was_answered():
    class Throw(Roll):
        limit: Count = field("Limit")
        heavy: bool = field("Heavy opponent", default=False, momentary=True)
        title = "Throw"

    offer = Throw.offer()
    again, = widgets([offer], None, "", {Widget(offer).key: {"limit": 7, "heavy": True}})
    assert (again.complete.limit, again.complete.heavy) == (7, False)


@pytest.mark.parametrize(("slug", "roll", "key"), [
    ("daemmersturm", "attack", "repeat"), ("daemmersturm", "paired-attack", "heavy_opponent"),
    ("daemmersturm", "two-weapons", "heavy_opponent"), ("augen-des-zwielichts", "move", "fear"),
    ("augen-des-zwielichts", "help", "helped_black")])
@pytest.mark.rule("DS-24", "DS-29", "DS-30", "SZ-11", "SZ-25")
def test_repeats_heavy_opponents_fears_and_the_dice_of_others_are_asked_each_time(slug, roll, key):
    assert slots(systems()[slug].rolls[roll])[key].ask.momentary
