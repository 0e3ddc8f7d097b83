"""Mends: two together where none holds alone, never one that leaves wrong what it wrote, and only so many tries."""

from unittest.mock import patch

import pytest

from rulesets import systems
from rulesets.document import canonical, read
from rulesets.kit import DROP, CheckedPart, Count, House, Mend, Sheet, error, field, mending, rows, rule
from rulesets.kit.findings import findings_on
from rulesets.kit.mending import written_paths


@pytest.mark.parametrize(("mend", "places"), [
    ({"a": 1}, {"a"}),
    ({"rows.2.n": 1, "rows.0": DROP}, {"rows.1.n"}),
    ({"rows.0.n": 1, "rows.2": DROP}, {"rows.0.n"}),
    ({"rows.3.n": 1, "rows.0": DROP, "rows.1": DROP}, {"rows.1.n"}),
    ({"rows.1.cells.1.n": 1, "rows.0": DROP, "rows.1.cells.0": DROP}, {"rows.0.cells.0.n"}),
    ({"rows": [], "other.1.n": 1}, {"other.1.n"}),
])
def test_what_a_mend_wrote_is_found_where_it_stands_once_rows_are_gone(mend, places):
    assert written_paths(mend) == places


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
    one = read(canonical(document))
    together, alone = tried(one.sheet, one.house)
    assert together <= mending.MAX_PAIR_TRIES + min(alone, mending.MAX_FAILURES + mending.MAX_FIXES_IN_ALL)


def tried(sheet, house):
    """How many mends of a sheet are tried, with two together and without."""
    tries, trial = [], mending.Trial
    for pairs in (trial.pairs, lambda *_finding: iter(())):
        with patch.object(trial, "pairs", pairs), \
                patch.object(trial, "works", autospec=True, side_effect=trial.works) as held:
            mending.mended(sheet, house, findings_on(sheet, house))
        tries.append(held.call_count)
    return tries


class Knot(CheckedPart):
    """What mends that never hold are tried on: 0 is wrong, and whatever it becomes is wrong in another way."""

    n: Count = field("N")

    @rule("KN-01")
    def tied(self, house):
        if not self.n:
            yield error("tied", "n", [Mend("One", {"n": 1})])

    @rule("KN-02")
    def tangled(self, house):
        if self.n:
            yield error("tangled", "", [Mend(f"{n} and one more", {"n": n}) for n in range(2, 20)])


class Rope(Sheet):
    knots: list[Knot] = rows("Knots")


def test_two_mends_together_are_tried_a_bounded_number_of_times_where_none_ever_holds():
    together, alone = tried(Rope(knots=[Knot(n=0)] * 10), House())
    assert alone == 10
    assert alone < together <= alone + mending.MAX_PAIR_TRIES
