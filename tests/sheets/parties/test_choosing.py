"""Where one chooses among sheets of one's own, those beyond the first are found; what is refused keeps its text."""

import re
from uuid import uuid4

import pytest

from sheets.models import Encounter, Sheet
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
    ("", "", 100, "bring in the rest from your sheets")])
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


def test_an_encounter_is_filled_with_those_beyond_the_first_too(many):
    gm = many.browsers["gm"]
    made = Encounter.objects.create(owner=many.users["gm"], ruleset="condice", name="Hof")
    address = f"/opponents/encounters/{made.pk}/"
    found = gm.get(address)
    assert "These are the first 200; search for the others" in text_of(found)
    found = gm.get(address, {"find": "wer 200"})
    assert [one.name for one in found.context["own"]] == ["Wer 200"]
    gm.post(address, {"do": "add", "sheet": found.context["own"][0].pk, "_count": "3"})
    assert [(one.sheet.name, one.number) for one in Encounter.objects.get().placed.all()] == [("Wer 200", 3)]


def test_all_a_gm_keeps_may_be_put_on_stage_one_by_one(many):
    last = Sheet.objects.get(name="Wer 200", opponent=True)
    many.browsers["gm"].post(f"/parties/{many.party.pk}/opponents/", {"do": "stage", "sheet": last.pk, "_count": "2"})
    assert sorted(many.party.sheets.filter(opponent=True).values_list("name", flat=True)) == ["Wer 200 1", "Wer 200 2"]


def test_a_form_that_is_refused_keeps_what_was_typed_and_a_sent_again_form_is_done(table):
    place = f"/parties/{table.party.pk}/opponents/"
    for where in (place, "/opponents/"):
        page = table.browsers["gm"].post(where, {"do": "figures", "system": "condice", "_name": "Ratte", "_count": "99",
                                                 "dice": "3", "defence": "1", "life": "7", "mental_resistance": "viel"})
        assert page.status_code == 422
        for name, value in (("_name", "Ratte"), ("_count", "99"), ("life", "7"), ("mental_resistance", "viel")):
            assert re.search(rf'name="{name}"\s+value="{value}"', page.text), (where, name)
    Sheet.objects.bulk_create(Sheet(owner=table.users["gm"], party=table.party, ruleset="condice", data={})
                              for _number in range(198))
    form = {"do": "figures", "_name": "Ratte", "_count": "3", "dice": "3", "defence": "1", "life": "7",
            "mental_resistance": "2", "_once": str(uuid4())}
    page = table.browsers["gm"].post(place, form)
    assert (page.status_code, "already has 200 sheets" in text_of(page)) == (422, True)
    assert re.search(r'name="life"\s+value="7"', page.text)
    Sheet.objects.filter(name="", party=table.party).delete()
    assert table.browsers["gm"].post(place, form).status_code == 302
    assert Sheet.objects.filter(party=table.party, name__startswith="Ratte").count() == 3


def test_an_encounter_that_is_refused_keeps_its_numbers(table):
    gm = table.browsers["gm"]
    gm.post("/opponents/", {"do": "figures", "system": "condice", "_name": "Wolf", "_count": "1", "life": "7"})
    gm.post("/opponents/", {"do": "encounter", "system": "condice", "encounter": "Am Weiher",
                            "sheet": Sheet.objects.get(name="Wolf").pk})
    found = Encounter.objects.get()
    (placed,) = found.placed.all()
    page = gm.post(f"/opponents/encounters/{found.pk}/", {
        "do": "save", "name": "Am See", f"number.{placed.pk}": "dreizehn"})
    assert (page.status_code, "You can have 0 to 12 of each opponent." in text_of(page)) == (422, True)
    assert 'value="dreizehn"' in page.text
    assert 'value="Am See"' in page.text
    assert Encounter.objects.get().name == "Am Weiher"
