"""Before printing it is said which signs the fonts of the paper do not have."""

import pytest

from sheets.export.pdf import missing_characters
from sheets.models import Encounter, Placed, Sheet
from tests.support.guest import text_of


@pytest.mark.alike
def test_what_the_fonts_have_is_not_told_and_what_they_lack_is():
    assert missing_characters({"name": "Jürgen Łukasz „Иван“ → 3 × 4", "rows": ["−2"]}) == []
    assert missing_characters({"name": "Ada \U0001fae8漢\u0601", "rows": [{"text": "漢\U000f0000"}]}).count("漢") == 1


@pytest.mark.django_db
def test_the_page_before_printing_says_which_signs_become_boxes(juan):
    juan.whole("finish")
    assert "lack these characters" not in text_of(juan.client.get(f"/sheets/{juan.pk}/print/"))
    Sheet.objects.filter(pk=juan.pk).update(name="Ada 漢")
    assert "empty boxes will appear instead: 漢" in text_of(juan.client.get(f"/sheets/{juan.pk}/print/"))


def test_the_pages_before_printing_a_party_or_an_encounter_say_so_too(table):
    gm = table.browsers["gm"]
    kept = Sheet.objects.create(owner=table.users["gm"], ruleset="condice", name="Wolf", opponent=True,
                                data=table.sheets["anna"].data)
    encounter = Encounter.objects.create(owner=table.users["gm"], ruleset="condice", name="Am Weiher")
    Placed.objects.create(encounter=encounter, sheet=kept)
    pages = (f"/parties/{table.party.pk}/print/", f"/opponents/encounters/{encounter.pk}/")
    assert not any("lack these characters" in text_of(gm.get(page)) for page in pages)
    Sheet.objects.update(name="Ada 漢")
    assert all("empty boxes will appear instead: 漢" in text_of(gm.get(page)) for page in pages)
