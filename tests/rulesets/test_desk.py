"""What the kit says of rolls, gauges and offers for those who set them on a desk; the toy system states none of it."""

from fractions import Fraction

import pytest
from django.utils.translation import override

from rulesets import systems
from rulesets.dice import Odds, Outcome
from rulesets.document import read_tree
from rulesets.kit import Act, Count, Gauge, Nudge, Roll, decimal, field, percent, targets

CONDICE = systems()["condice"]


class Toss(Roll):
    """A roll of a system that states nothing more."""

    dice: Count = field("Dice", 1)
    against: Count = field("Against", 0, target="shell", start=2)
    title = "Toss"

    def throw(self, tray):
        """Eyes above what is against them."""
        return Outcome(max(0, tray.die(6) - self.against))


class Talk(Roll):
    title, outcomes = "Talk", {"heard": "heard", "lost": "lost"}

    def throw(self, tray):
        """An even is heard."""
        return Outcome("lost" if tray.die(6) % 2 else "heard")


class Rest(Act):
    title, group = "Rest", "At the table"


def gist(roll):
    with override("en"):
        return roll.gist(roll.odds())


@pytest.mark.parametrize(("roll", "said"), [
    (Toss(against=4), "33\u00a0% above 0, Ø 0.5"), (Toss(against=6), "0\u00a0% above 0, Ø 0.0"), (Toss(), "Ø 3.5"),
    (Talk(), "50\u00a0% heard"),
])
def test_a_roll_that_states_nothing_says_its_odds_in_a_few_words(roll, said):
    assert gist(roll) == said


def test_a_roll_says_what_it_hopes_for_in_its_own_words():
    class Hit(Toss):
        promise = "hit"

    class Lose(Talk):
        good = ("lost",)

    class Either(Talk):
        good, promise = ("heard", "lost"), "either way"

    assert gist(Hit(against=4)) == "33\u00a0% hit, Ø 0.5"
    assert gist(Lose()) == "50\u00a0% lost"
    assert gist(Either()) == "100\u00a0% either way"


def test_words_that_are_all_alike_are_counted_and_numbers_beside_words_are_the_hope():
    class Table(Talk):
        outcomes = {"a": "A", "b": "B", "c": "C"}

    with override("en"):
        assert Table().gist(Odds.counted({"a": 1, "b": 1, "c": 1}, ("a", "b", "c"))) == "one of 3"
        assert Table().gist(Odds.counted({"a": 2, "b": 1, "c": 1}, ("a", "b", "c"))) == "50\u00a0% A"
        assert Table().gist(Odds.counted({"a": 1, 4: 1}, ("a",))) == "50\u00a0% above 0, Ø 2.0"


def test_the_gist_is_written_as_the_language_writes_figures():
    with override("de"):
        assert Toss(against=4).gist(Toss(against=4).odds()) == "33\u00a0% über 0, Ø 0,5"


@pytest.mark.parametrize(("chance", "said"), [
    (Fraction(1, 3), "33\u00a0%"), (Fraction(1, 1000), "<\u00a01\u00a0%"), (Fraction(999, 1000), ">\u00a099\u00a0%"),
    (0, "0\u00a0%"), (1, "100\u00a0%"),
])
def test_a_chance_without_digits_is_0_or_100_only_where_it_has_to_be(chance, said):
    assert percent(Fraction(chance), 0) == said
    assert decimal(chance, 0) == str(round(float(chance)))


def test_the_dice_at_the_head_are_those_of_the_field_of_that_name():
    assert Toss(dice=4).pool() == 4
    assert Talk().pool() is None
    assert Toss().extreme(Outcome(6)) == ""


def test_an_offer_stands_under_its_own_heading_or_that_of_its_class():
    assert Rest.asking().group == "At the table"
    assert Rest.asking(group="Attack").group == "Attack"
    assert Talk.asking().group == ""


def test_figures_of_the_other_side_are_asked_for_once_and_begin_with_something_sensible():
    asked = targets([Talk.asking(), Toss.asking(), Toss.asking(dice=2)])
    assert [(key, slot.ask.title, slot.default) for key, slot in asked.items()] == [("shell", "Against", 2)]
    assert targets([Toss.asking(against=1)]) == {}


def test_an_offer_knows_better_than_its_field_what_it_aims_at():
    asked = targets([Toss.asking(), Toss.asking(aims={"against": "helmet"})])
    assert [*asked] == ["shell", "helmet"]
    assert Toss.asking(aims={"against": "helmet"}).take(against=3) == Toss(against=3)


def test_a_gauge_has_no_acts_until_a_system_names_them():
    assert (Gauge("life", "Life", 3).less, Gauge("life", "Life", 3).more) == (None, None)


def test_a_nudge_is_the_act_as_it_is_offered_and_none_where_it_is_not():
    sheet = read_tree(next(iter(CONDICE.examples.values()))).sheet
    nudge = CONDICE.play().nudge(sheet, "damage", points=1)
    assert nudge == Nudge(next(CONDICE.acts["damage"].offered(sheet, CONDICE.play())), {"points": 1})
    assert CONDICE.play().nudge(sheet, "heal", points=1) is None, "nothing is missing"
    with pytest.raises(KeyError):
        CONDICE.play().nudge(sheet, "no-such-act")
