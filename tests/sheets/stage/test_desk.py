"""What the page of a sheet says, it says once, where it belongs."""

import re
from uuid import uuid4

import pytest

from tests.support.guest import Guest, example

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def test_rows_that_a_roll_says_are_folded_beside_it_and_what_is_taken_back_has_one_place_at_the_log(juan):
    given = {"w": "act-damage", "points": "2", "against": "nothing", "_press": str(uuid4())}
    juan.client.post(f"/sheets/{juan.pk}/play/", given)
    said = juan.client.get(f"/sheets/{juan.pk}/").text
    open_, _bar, folded = said.partition('<div class="aside">')[2].partition('id="whole"')
    assert [re.findall(r"<td><strong>([^<]*)", part) for part in (open_, folded)] == [
        ["Spellcasting", "Walk through walls"], ["Healing", "Einhornpiranhas", "Faustschlag"]]
    assert re.search(r'<div class="log-head"><h2 id="log">[^<]*</h2>\s*<div class="undo" id="undo"><form', said)


@pytest.mark.rule("SZ-07")
def test_conditions_fill_and_empty_where_they_stand():
    guest = Guest(example("charcoal-burner", "augen-des-zwielichts"), system="augen-des-zwielichts")

    def places():
        strip = re.search(r'<ol class="places">(.*?)</ol>', guest.client.get(f"/sheets/{guest.pk}/").text, re.S)[1]
        return [re.sub(r"<[^>]+>", " ", one).split() for one in strip.split("<li")[1:]], strip

    words, strip = places()
    assert [bool(re.search("Rußkatze", " ".join(one))) for one in words] == [True, *[False] * 5]
    assert 'name="w" value="act-note-condition"' in strip
    given = {"w": "act-note-condition", "word": "Nass", "_press": str(uuid4())}
    guest.client.post(f"/sheets/{guest.pk}/play/", given)
    words, strip = places()
    assert "Nass" in words[1]
    end = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', strip.split("Nass")[1].split("</form>")[0]))
    guest.client.post(f"/sheets/{guest.pk}/play/", end)
    assert "Nass" not in places()[0][1]
