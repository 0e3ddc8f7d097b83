"""Sheets in which nearly everything is wrong: they are answered with little work, and what is offered holds."""

import pytest

from rulesets.document import BYTES, canonical, read
from rulesets.kit import findings
from rulesets.kit.mending import MAX_FAILURES, MAX_FIXES, MAX_FIXES_IN_ALL, MAX_PAIR_TRIES, Trial
from tests.support.everyday import everyday
from tests.support.rulesets.contract import SYSTEMS, assert_mended, every_system
from tests.support.rulesets.crowds import crowds

CROWDS = [(ruleset, number) for ruleset in SYSTEMS for number, _one in enumerate(crowds(ruleset))]
every_crowd = pytest.mark.parametrize(
    ("ruleset", "number"), everyday(CROWDS, each=4), ids=[f"{ruleset.slug}-{number}" for ruleset, number in CROWDS])


def document(ruleset, number):
    return read(canonical(list(crowds(ruleset))[number]))


@pytest.fixture
def tries(monkeypatch):
    """The data of every mend that is tried."""
    tried, works = [], Trial.works
    monkeypatch.setattr(Trial, "works", lambda trial, finding, mend, data, partial: (
        tried.append(data) or works(trial, finding, mend, data, partial)))
    return tried


@every_crowd
def test_however_much_is_wrong_only_so_many_mends_are_tried_and_offered(ruleset, number, tries):
    crowd = document(ruleset, number)
    found = crowd.check().findings
    assert found
    assert len(tries) <= MAX_FIXES_IN_ALL + MAX_FAILURES
    assert sum(len(one.fixes) for one in found) <= MAX_FIXES_IN_ALL
    assert all(len(one.fixes) <= MAX_FIXES for one in found)


@every_system
@pytest.mark.slow
def test_what_is_offered_for_a_crowded_sheet_holds(ruleset):
    assert max(len(canonical(crowd)) for crowd in crowds(ruleset)) < BYTES
    for number in (0, 1):
        assert_mended(document(ruleset, number))


@every_system
def test_rows_that_a_mend_leaves_alone_are_not_asked_again(ruleset, tries, monkeypatch):
    crowd, asked, said = document(ruleset, 1), [], findings._rules_and_nested
    monkeypatch.setattr(findings, "_rules_and_nested", lambda shape: asked.append(shape) or said(shape))
    crowd.check()
    rows = sum(1 for _part in findings.parts(crowd.sheet))
    # All speak once for the verdict and once for the first try; then the sheet itself and what a mend changes. Where no
    # mend holds alone, all speak again for each that is tried together with another.
    assert len(asked) <= (2 + MAX_PAIR_TRIES) * rows + 4 * len(tries)
