"""The help of a field says what the house rules of the party allow, and without them what the book says."""

import pytest
from django.urls import reverse

from sheets.models import Party, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import Fight


@pytest.mark.parametrize(("slug", "step", "house", "book", "there"), [
    pytest.param("dice-rumble", "talents", {"talent_cap": 8}, "At most 6.", "At most 8.",
                 marks=pytest.mark.rule("DR-02")),
    pytest.param("daemmersturm", "skills", {"highest": 7}, "By the book −5 to +5; added to the roll.",
                 "−5 to +7; added to the roll.", marks=pytest.mark.rule("DS-01")),
    pytest.param("daemmersturm", "equipment", {"hands": 4}, "How many it takes, 1 to 2.", "How many it takes, 1 to 4.",
                 marks=pytest.mark.rule("DS-09")),
])
def test_a_help_text_follows_the_house_rules_of_the_party(django_user_model, slug, step, house, book, there):
    table = Fight(django_user_model.objects, slug)
    sheet = table.sheets["anna"]
    if step == "equipment":
        table.have("anna", **sheet.data | {"weapons": [
            {"name": "Axt", "kind": "one-handed", "hands": 1, "damage": "1-6", "reload_actions": 0,
             "w": None, "targets": None}]})

    def page():
        return text_of(table.browsers["anna"].get(reverse("step", args=[sheet.pk, step]), headers={
            "Accept-Language": "en"}))
    assert book in page()
    Party.objects.filter(pk=table.party.pk).update(house=house)
    Sheet.objects.filter(pk=sheet.pk).update(house=house)
    assert (book in page(), there in page()) == (False, True)
