"""What every system owes that says how two meet: figures from any sheet, exact odds, assumptions in words."""

import pytest
from pydantic import ValidationError

from rulesets.document import read_tree
from rulesets.kit import ENDS, slots
from tests.support.rulesets.contract import SYSTEMS
from tests.support.rulesets.contract import every as every_of

MEETING = [ruleset for ruleset in SYSTEMS if ruleset.contest]
every_contest = pytest.mark.parametrize("ruleset", MEETING, ids=lambda ruleset: ruleset.slug)


def ways(ruleset, key):
    """Every way in which an example meets another."""
    offers = list(ruleset.contest.offers_for(read_tree(ruleset.examples[key]).sheet, ruleset.play()))
    return [offer.take(**{key: slot.default for key, slot in offer.asks.items()}) for offer in offers]


@every_contest
def test_a_contest_has_words_rules_and_figures_to_begin_with(ruleset):
    contest = ruleset.contest
    assert str(contest().title)
    assert set() < set(contest.rules) <= set(ruleset.rules("en"))
    assert len(contest.assumptions) == len(set(map(str, contest.assumptions))) > 2
    assert all(str(slot.ask.title) and not slot.required for slot in slots(contest).values())


@every_of("examples")
def test_an_example_meets_itself_on_even_terms(ruleset, key):
    if ruleset.contest is None:
        return
    found = ways(ruleset, key)
    assert found
    for prospect in found[0].meet(found[0]):
        assert sum(prospect.odds().chances.values()) == 1
        named = prospect.named("Anna {0}", "Bert")
        assert "{first}" not in named.title + "".join(map(named.label, named.odds().chances))
        if prospect.outcomes is ENDS:
            assert set(prospect.odds().chances) <= set(ENDS)


@every_contest
def test_sides_changed_change_who_wins_and_nothing_else(ruleset):
    first, second = (ways(ruleset, key)[0] for key in list(ruleset.examples)[:2])
    ends = [[dict(one.odds().chances) for one in a.meet(b) if one.outcomes is ENDS]
            for a, b in ((first, second), (second, first))]
    # The other side beginning stands second in the list of the one and first in that of the other.
    for one, other in zip(ends[0], reversed(ends[1]), strict=True):
        assert {"first": one.get("second", 0), "second": one.get("first", 0)} == {
            "first": other.get("first", 0), "second": other.get("second", 0)}


@pytest.mark.parametrize("ruleset", [one for one in MEETING if "life" in slots(one.contest)], ids=lambda one: one.slug)
def test_a_fight_that_is_too_long_says_so_and_the_rest_is_answered(ruleset):
    found = list(ruleset.contest(life=999).meet(ruleset.contest(life=999)))
    long = [str(one.note) for one in found if one.exact is None]
    assert 0 < len(long) < len(found)
    assert all(long)
    with pytest.raises(ValidationError):
        ruleset.contest(life=0)
