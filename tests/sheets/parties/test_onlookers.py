"""The link of a scene for onlookers: off by default, revoked by a press, and it shows only what all may know."""

import re

import pytest
from django.test import Client

from sheets.models import Scene, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import ATTACK

HURT = {"w": "act-damage", "against": "nothing", "points": 3}


def settings(table, do, who="gm", **fields):
    scene = Scene.objects.get()
    return table.browsers[who].post(f"/parties/{table.party.pk}/scenes/{scene.uuid}/settings/", {"do": do, **fields})


def look():
    """The page as somebody sees it who has nothing but the link."""
    return Client(headers={"Accept-Language": "en"}).get(f"/onlookers/{Scene.objects.get().share}/")


@pytest.fixture
def watched(table):
    """A scene with a link, in which Anna has attacked and was hurt."""
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin", "name": "Die Furt"})
    settings(table, "share")
    table.press(at="ben")
    table.play("anna", **HURT)
    return table


def test_a_scene_has_no_link_until_a_gm_makes_one_and_none_once_it_is_revoked(table):
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin", "name": "Die Furt"})
    assert Scene.objects.get().share is None
    assert Client().get("/onlookers/None/").status_code == 404
    assert settings(table, "share", "anna").status_code == 404
    settings(table, "share")
    link = Scene.objects.get().share
    assert look().status_code == 200
    assert Client().post(f"/onlookers/{link}/").status_code == 405
    # A page that shows an older link changes nothing.
    assert settings(table, "unshare", _saw="older").status_code == 422
    assert Scene.objects.get().share == link
    settings(table, "unshare", _saw=link)
    assert Client().get(f"/onlookers/{link}/").status_code == 404


def test_onlookers_read_names_deeds_and_outcomes_and_no_name_of_a_person(watched):
    watched.do("throw:open", w="roll-success", dice=3)
    watched.settle("turn", "gm", "begin")
    page = look()
    told = re.sub("[\u2066-\u2069]", "", text_of(page))
    assert "Die Furt" in told
    assert "Anna" in told
    assert "Ben" in told
    assert "noindex" in page.text
    main = page.text.partition("<main")[2]
    assert all(f">{name}<" not in main for name in watched.users)
    assert "Die Runde" not in main
    assert "<form" not in main


def test_nothing_is_read_of_a_sheet_that_is_not_public_but_its_name_and_deeds(watched):
    life = watched.life("anna")
    assert life < watched.full("anna")
    # The figures of an act are shown only if its sheet is public.
    closed = re.sub("[\u2066-\u2069]", "", text_of(look()))
    Sheet.objects.filter(pk=watched.sheets["anna"].pk).update(seen_by="public")
    public = re.sub("[\u2066-\u2069]", "", text_of(look()))
    assert len(public) > len(closed)
    Sheet.objects.update(seen_by="private", at_table=False)
    assert "Anna" not in text_of(look())
    assert "Ben" not in text_of(look())


def test_hidden_rolls_and_those_of_other_scenes_are_not_told(watched):
    watched.do("throw:hidden", w="roll-success", dice=7)
    assert "(7" not in text_of(look())
    shown = look().text.count("<li>")
    other = Scene.objects.create(party=watched.party, apart=True, name="Der Turm")
    Sheet.objects.filter(pk=watched.sheets["ben"].pk).update(scene=other)
    watched.play("ben", ATTACK, defence=0)
    link = Scene.objects.get(name="Die Furt").share
    assert Client().get(f"/onlookers/{link}/").text.count("<li>") == shown
