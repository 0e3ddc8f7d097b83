"""What the kit says of rolls, gauges and offers for those who set them on a desk; the toy system states none of it."""

from fractions import Fraction

import pytest
from django.utils.translation import override

from rulesets import systems
from rulesets.dice import Odds, Outcome
from rulesets.document import read_tree
from rulesets.kit import Act, Count, Gauge, Nudge, Roll, decimal, field, percent, target_slots

CONDICE = systems()["condice"]


class Toss(Roll):
    """A roll of a system that states nothing more."""

    dice: Count = field("Dice", 1)
    against: Count = field("Against", 0, target_figure="shell", start=2)
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


class Hit(Toss):
    chance_label = "hit"


class Lose(Talk):
    good = ("lost",)


class Either(Talk):
    good, chance_label = ("heard", "lost"), "either way"


class Three(Talk):
    outcomes = {"a": "A", "b": "B", "c": "C"}


@pytest.mark.parametrize(("roll", "counts", "said"), [
    (Toss(against=4), None, "33% above 0, avg. 0.5"), (Toss(against=6), None, "0% above 0, avg. 0.0"),
    (Toss(), None, "avg. 3.5"), (Talk(), None, "50% heard"), (Hit(against=4), None, "33% hit, avg. 0.5"),
    (Lose(), None, "50% lost"), (Either(), None, "100% either way"),
    (Three(), {"a": 1, "b": 1, "c": 1}, "3 possible outcomes"), (Three(), {"a": 2, "b": 1, "c": 1}, "50% A"),
    (Three(), {"a": 1, 4: 1}, "50% above 0, avg. 2.0"),
])
def test_a_roll_says_its_odds_in_a_few_words_its_own_where_it_states_some(roll, counts, said):
    odds = Odds.counted(counts, [one for one in roll.outcomes if one in counts]) if counts else roll.odds()
    assert roll.gist(odds) == said
    with override("de"):
        assert Toss(against=4).gist(Toss(against=4).odds()) == "33\u00a0% über 0, Ø 0,5"


@pytest.mark.parametrize(("chance", "said"), [
    (Fraction(1, 3), "33%"), (Fraction(1, 1000), "<1%"), (Fraction(999, 1000), ">99%"),
    (0, "0%"), (1, "100%"),
])
def test_a_chance_without_digits_is_0_or_100_only_where_it_has_to_be(chance, said):
    assert percent(Fraction(chance), 0) == said
    assert decimal(chance, 0) == str(round(float(chance)))


def test_the_dice_at_the_head_are_those_of_the_field_of_that_name_and_a_heading_that_of_the_offer_or_the_class():
    assert (Toss(dice=4).pool(), Talk().pool(), Toss().extreme(Outcome(6))) == (4, None, "")
    assert [one.group for one in (Rest.offer(), Rest.offer(group="Attack"), Talk.offer())] == [
        "At the table", "Attack", ""]


def test_figures_of_the_other_side_are_asked_for_once_and_an_offer_knows_better_than_its_field_what_it_aims_at():
    asked = target_slots([Talk.offer(), Toss.offer(), Toss.offer(dice=2)])
    assert [(key, slot.ask.title, slot.default) for key, slot in asked.items()] == [("shell", "Against", 2)]
    assert target_slots([Toss.offer(against=1)]) == {}
    assert [*target_slots([Toss.offer(), Toss.offer(aims={"against": "helmet"})])] == ["shell", "helmet"]
    assert Toss.offer(aims={"against": "helmet"}).take(against=3) == Toss(against=3)


def test_a_nudge_is_the_act_as_it_is_offered_and_none_where_it_is_not_or_no_system_names_any():
    sheet, play = read_tree(CONDICE.examples["juan"]).sheet, CONDICE.play()
    assert play.nudge(sheet, "damage", points=1) == Nudge(
        next(CONDICE.acts["damage"].offered(sheet, play)), {"points": 1})
    assert play.nudge(sheet, "heal", points=1) is None, "nothing is missing"
    with pytest.raises(KeyError):
        play.nudge(sheet, "no-such-act")
    assert (Gauge("life", "Life", 3).less, Gauge("life", "Life", 3).more) == (None, None)
