import pytest

from builder.wizard.steps import FIGURE, FINISH, stages, step_of, steps
from rulesets import systems
from rulesets.kit import approval, error, patched, slots, warning
from tests.support.guest import example

CONDICE = systems()["condice"]


def look(document=None, *, current="values", typed=None, findings=()):
    """{slug: stage} of a ConDice document."""
    document = document or example()
    sheet = CONDICE.sheet.model_validate(document["data"])
    found = stages(CONDICE, current, sheet.ledger(CONDICE.house()), tuple(findings), typed or {}, document["data"],
                   document["name"])
    return {stage.step.slug: stage for stage in found}


@pytest.mark.parametrize("ruleset", systems().values(), ids=list(systems()))
def test_every_field_of_a_system_is_asked_on_exactly_one_step(ruleset):
    asked = [key for _step, keys in steps(ruleset).values() for key in keys]
    assert sorted(asked) == sorted(slots(ruleset.sheet))
    first, *_rest, last = steps(ruleset)
    assert (first, last) == (FIGURE.slug, FINISH.slug)


def test_a_step_says_the_points_that_went_into_it_where_a_line_of_the_ledger_belongs():
    assert list(steps(CONDICE)) == ["figure", "values", "attacks", "abilities", "finish"]
    assert steps(CONDICE)["values"][1] == ("defence", "life", "mental_resistance", "movement")
    assert {slug: stage.points for slug, stage in look().items()} == {
        "figure": None, "values": 15, "attacks": 11, "abilities": 4, "finish": None,
    }
    blank = look(CONDICE.document("Nobody"))
    assert (blank["attacks"].points, blank["figure"].points) == (0, None)


def test_a_step_that_needs_approval_says_so_and_no_other():
    found = look(findings=[approval("", "abilities.0"), warning("", "attacks.0.name"), error("", "life")])
    assert [slug for slug, stage in found.items() if stage.asks] == ["abilities"]


def test_a_step_counts_its_errors_and_its_broken_texts_but_no_advice():
    found = look(typed={"attacks.0.dice": "x", "attacks.1.dice": "y"}, findings=[
        error("", "attacks.0.dice"), warning("", "attacks.0.name"), error("", "life"), error("", ""),
    ])
    assert {slug: stage.faults for slug, stage in found.items()} == {
        "figure": 0, "values": 1, "attacks": 3, "abilities": 0, "finish": 0,
    }


def test_a_step_is_done_when_something_is_in_it_and_nothing_is_wrong_and_the_character_when_it_has_a_name():
    empty = CONDICE.document(" ", patched(example()["data"], {"attacks": []}))
    assert [look()[slug].done for slug in ("attacks", "figure")] == [True, True]
    assert [look(empty)[slug].done for slug in ("attacks", "figure")] == [False, False]
    assert not look(typed={"attacks.0.dice": "x"})["attacks"].done
    assert [slug for slug, stage in look(current="attacks").items() if stage.current] == ["attacks"]


@pytest.mark.parametrize(("path", "slug"), [
    ("life", "values"), ("attacks", "attacks"), ("attacks.0.dice", "attacks"), ("abilities.2", "abilities"),
    ("", "figure"), ("_name", "figure"), ("nowhere.1", "figure"),
])
def test_a_path_leads_to_the_step_that_asks_it(path, slug):
    assert step_of(CONDICE, path) == slug
