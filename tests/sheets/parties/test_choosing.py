"""Where one chooses among sheets of one's own, those beyond the first are said to be there and found by their names."""

import pytest

from sheets.models import Sheet
from tests.support.guest import text_of


@pytest.fixture
def many(table):
    """A GM's sheets and opponents, more of each than a page chooses among."""
    for opponent in (False, True):
        Sheet.objects.bulk_create(Sheet(owner=table.users["gm"], ruleset="condice", name=f"Wer {number:03}",
                                        data=table.sheets["anna"].data, opponent=opponent) for number in range(201))
    return table


@pytest.mark.parametrize(("page", "field", "most", "word"), [
    ("opponents/", "find", 200, "search for the others"), ("ready/", "q", 100, "search for the others"),
    ("", "", 100, "bring in the others from your sheets")])
def test_those_beyond_the_first_are_told_and_found(many, page, field, most, word):
    gm, address = many.browsers["gm"], f"/parties/{many.party.pk}/{page}"
    found = gm.get(address)
    assert f"These are the first {most}; {word}" in text_of(found)
    assert len(found.context["own" if page else "loose"]) == most
    if field:
        found = gm.get(address, {field: "wer 200"})
        assert [one.name for one in found.context["own"]] == ["Wer 200"]
        assert "These are the first" not in text_of(found)
    assert "These are the first" not in text_of(many.browsers["anna"].get(f"/parties/{many.party.pk}/"))


def test_all_a_gm_keeps_may_be_put_on_stage_one_by_one(many):
    last = Sheet.objects.get(name="Wer 200", opponent=True)
    many.browsers["gm"].post(f"/parties/{many.party.pk}/opponents/", {"do": "stage", "sheet": last.pk, "_count": "2"})
    assert sorted(many.party.sheets.filter(opponent=True).values_list("name", flat=True)) == ["Wer 200 1", "Wer 200 2"]
