"""A press on a page that is older counts from what is so by now; what it would set is refused where that changed."""

import re
from uuid import uuid4

import pytest

from rulesets import systems
from rulesets.battle_dice.tests.table import SNOW
from sheets.character import Character
from sheets.models import Sheet
from sheets.rolls.widgets import key_of
from tests.support.guest import Guest, example, text_of
from tests.support.sheets.fight import Fight

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
HTMX = {"HX-Request": "true"}
PLAYS = {"battle-dice": {"phase": "enemy", "mana": 5, "hand": [SNOW]}}
"""{system: a state of play in which something is counted}, where a sheet that was never played counts nothing."""


def nudges(sheet):
    """(gauge, how much it is changed by, what the form of its − or + sends) of all that is counted."""
    character = Character(sheet)
    for gauge in character.play.gauges(character.written):
        for sign, nudge, by in (("less", gauge.less, -1), ("more", gauge.more, 1)):
            if nudge:
                yield gauge, by, {"w": key_of(nudge.offer), **nudge.answers, "_nudge": f"{sign}-{gauge.key}"}


def left(sheet, key):
    character = Character(sheet)
    return next(one.current for one in character.play.gauges(character.written) if one.key == key)


@pytest.mark.parametrize("slug", systems())
def test_what_counts_up_and_down_counts_from_the_present_value_and_the_page_shows_that(slug):
    guest, counted = Guest(example(next(iter(systems()[slug].examples)), slug), system=slug), 0
    Sheet.objects.filter(pk=guest.pk).update(play=PLAYS.get(slug, {}))
    address, was = f"/sheets/{guest.pk}/", guest.sheet
    for gauge, by, fields in nudges(was):
        seen = re.search(r'name="_seen" value="([^"]*)"', guest.client.get(address).text)[1]
        elsewhere, here = (guest.client.post(f"{address}play/", {**fields, "_press": str(uuid4()), "_seen": seen},
                                             headers=HTMX) for _device in range(2))
        figures = [re.search(rf'id="figure-{gauge.key}".*?class="figure">([^<]*)<', one.text, re.S) for one in (
            elsewhere, here)]
        # What has an end is refused there, in words.
        now = left(guest.sheet, gauge.key)
        if now == gauge.current + 2 * by:
            assert [one[1].strip().replace("−", "-") for one in figures if one] == [str(gauge.current + by), str(now)]
            counted += 1
        else:
            assert text_of(here)
        Sheet.objects.filter(pk=guest.pk).update(play=was.play)
    assert counted


def test_a_gm_s_page_that_is_older_counts_from_what_an_opponent_has_left_by_now(django_user_model):
    fight = Fight(django_user_model.objects)
    troll = fight.troll()
    page = fight.look("gm", by="troll", at=None).text
    since = re.search(r'data-word="([^"]*)"', page)[1]
    for points in (2, 3):
        answer = fight.press("act-damage", "gm", "troll", None, htmx=True, points=points, against="nothing",
                             _since=since)
    assert fight.life("troll") == fight.full("troll") - 5
    shown = re.search(rf'id="gauges-{troll.pk}".*?<strong>([^<]*)<', answer.text, re.S)[1]
    assert int(shown) == fight.life("troll")


def test_a_place_in_an_order_that_is_another_by_now_is_refused_in_words(django_user_model):
    fight = Fight(django_user_model.objects)
    fight.bring("Cleo", opponent=False)
    order = re.search(r'name="_order" value="([^"]*)"', fight.read().text)[1]
    last = fight.sheets["cleo"].pk
    assert fight.do(f"place:{last}:0", _order=order).status_code == 302
    assert fight.names()[0] == "Cleo"
    answer = fight.browsers["gm"].post(fight.address, {"do": f"place:{last}:2", "_order": order}, headers=HTMX)
    assert "The order has changed in the meantime" in text_of(answer)
    assert fight.names()[0] == "Cleo"


def test_what_was_frosted_meanwhile_is_not_thawed_by_a_page_that_offers_to_frost_it():
    guest = Guest(example(next(iter(systems()["battle-dice"].examples)), "battle-dice"), system="battle-dice")
    Sheet.objects.filter(pk=guest.pk).update(play={"phase": "enemy", "avatars": [{"card": SNOW}]})
    page = guest.client.get(f"/sheets/{guest.pk}/").text
    name = re.search(r'name="w" value="(act-frost-avatars-0~[^"]*)"', page)[1]
    for _device in range(2):
        answer = guest.client.post(f"/sheets/{guest.pk}/play/", {"w": name, "_press": str(uuid4())}, follow=True)
    assert guest.sheet.play["avatars"][0]["frost"] == 1
    assert "no longer available" in text_of(answer)
