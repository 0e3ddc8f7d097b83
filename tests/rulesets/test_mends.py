"""Mends: two together where none holds alone, never one that leaves wrong what it wrote, and only so many tries."""

from unittest.mock import patch

import pytest

from rulesets import systems
from rulesets.document import canonical, read
from rulesets.kit import DROP, findings
from rulesets.kit.findings import written


@pytest.mark.parametrize(("mend", "places"), [
    ({"a": 1}, {"a"}),
    ({"rows.2.n": 1, "rows.0": DROP}, {"rows.1.n"}),
    ({"rows.0.n": 1, "rows.2": DROP}, {"rows.0.n"}),
    ({"rows.3.n": 1, "rows.0": DROP, "rows.1": DROP}, {"rows.1.n"}),
    ({"rows.1.cells.1.n": 1, "rows.0": DROP, "rows.1.cells.0": DROP}, {"rows.0.cells.0.n"}),
    ({"rows": [], "other.1.n": 1}, {"other.1.n"}),
])
def test_what_a_mend_wrote_is_found_where_it_stands_once_rows_are_gone(mend, places):
    assert written(mend) == places


def worst():
    """ConDice and decks with as much wrong as there is room for, where hardly a mend holds."""
    attacks = [{"name": "", "dice": 0, "range": 9, "description": ""}] * 40
    abilities = [{"ability": "aura", "attribute": None, "range": 1}] * 40
    yield systems()["condice"].document("", {
        "attacks": attacks, "abilities": abilities, "defence": 999, "life": 0, "mental_resistance": 0, "movement": 0})
    minions = [{"card": f"dice-minion-{kind}", "copies": 9} for kind in ("boost", "fokus", "verteidigung")] * 10
    yield systems()["battle-dice"].document("", {"cards": [*minions, {"card": "snowbuddies", "copies": 9}]})


@pytest.mark.parametrize("document", list(worst()), ids=["condice", "battle-dice"])
def test_two_mends_together_make_no_sheet_much_slower_to_check(document):
    one, tries = read(canonical(document)), {}
    for pairs in (0, findings.PAIRS):
        heard = 0
        plain = type(one.sheet).model_validate.__func__

        def counted(cls, *args, plain=plain, **more):
            nonlocal heard
            heard += 1
            return plain(cls, *args, **more)

        with patch.object(findings, "PAIRS", pairs), patch.object(
                type(one.sheet), "model_validate", classmethod(counted)):
            one.ruleset.check(one.sheet, one.house, "")
        tries[pairs] = heard
    assert tries[findings.PAIRS] <= tries[0] + findings.PAIRS
    assert tries[findings.PAIRS] <= findings.MISSES + findings.MENDS_IN_ALL + findings.PAIRS
