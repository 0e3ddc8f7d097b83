"""What every system owes: each figure by which it compares a sheet with a party is exact and at its place."""

from fractions import Fraction

import pytest
from django.utils.translation import override

from rulesets.kit import Measure, Sheet, blank
from sheets.forms.paths import field_or_list_at
from tests.support.rulesets.contract import every, every_system


@every("examples")
def test_each_measure_is_an_exact_fraction_of_a_place_on_the_sheet(ruleset, key):
    data = ruleset.examples[key]["data"]
    sheet = ruleset.sheet.model_validate(data)
    found = list(sheet.measures(ruleset.book))
    assert len({one.key for one in found}) == len(found)
    for one in found:
        assert isinstance(one.exact, Fraction | int), one
        assert not one.chance or 0 <= one.exact <= 1, one
        assert not one.path or field_or_list_at(ruleset.sheet, sheet.model_dump(), one.path), one


@every_system
def test_measures_of_a_sheet_without_anything_are_no_fault(ruleset):
    assert all(one.exact >= 0 for one in ruleset.sheet.model_validate(blank(ruleset.sheet)).measures(ruleset.book))


@every_system
def test_the_sheets_of_a_system_are_measured_by_the_same_figures_in_both_languages(ruleset):
    told = {}
    for language in ("de", "en"):
        with override(language):
            told[language] = [{one.key: str(one.title) for one in ruleset.sheet.model_validate(
                doc["data"]).measures(ruleset.book)} for doc in ruleset.examples.values()]
    assert all(one == told["de"][0] for one in told["de"])
    assert set(told["de"][0].values()).isdisjoint(told["en"][0].values())


def test_a_system_that_states_none_has_none():
    assert list(Sheet().measures(None)) == []


@pytest.mark.parametrize(("exact", "chance", "less", "stronger"), [
    (Fraction(1, 3), False, False, Fraction(1, 2)), (Fraction(1, 3), True, True, Fraction(1, 4))])
def test_more_is_stronger_unless_less_is(exact, chance, less, stronger):
    one, other = (Measure("a", "A", figure, chance, less) for figure in (exact, stronger))
    assert (one.beats(other), other.beats(one), one.beats(one)) == (False, True, False)
