"""What nobody's page sends to a party's table changes nothing, and is answered by a sentence or by a 404."""

import uuid
from itertools import product

import pytest
from django.db.models import Value
from django.db.models.functions import Concat

from sheets.models import PendingEffect, Sheet
from tests.support.database import undone
from tests.support.guest import text_of
from tests.support.sheets.fight import Fight, kept

pytestmark = pytest.mark.slow

WORDS = ["apply", "change", "dismiss", "guard", "rethrow", "back", "all-back", "also"]


@pytest.fixture
def elsewhere(hit, django_user_model):
    """What landed in another party, of other people."""
    django_user_model.objects.update(username=Concat("username", Value("-there")))
    return hit, Fight(django_user_model.objects)


def test_what_landed_elsewhere_is_nobodys_to_settle(elsewhere):
    hit, other = elsewhere
    before, number = kept(), PendingEffect.objects.get().pk
    for word, who in product(("apply", "change", "dismiss", "rethrow", "guard"), ("gm", "anna", "ben")):
        about = f"{number}:x" if word == "guard" else number
        assert other.settle(word, who, about, points="1", against="nothing").status_code == 404, (word, who)
    assert kept() == before
    assert hit.settle("apply").status_code == 302


@pytest.mark.parametrize("word", WORDS)
def test_numbers_that_no_button_sends_are_refused(hit, word):
    before = kept()
    for about, who in product(("", "x", "-1", "0", "9" * 30, "999999:2:3", "١", "1 OR 1=1", "\x00"), ("gm", "ben")):
        answer = hit.browsers[who].post(f"{hit.address}play/?{hit.seats('ben' if who == 'ben' else 'anna')}", {
            "do": f"{word}:{about}", "_press": str(uuid.uuid4())})
        assert answer.status_code in (400, 404), (about, who)
    assert kept() == before


def test_figures_out_of_bounds_and_what_has_no_press_of_its_own_apply_nothing(hit):
    before = kept()
    for fields in ({"points": "-1"}, {"points": "viele"}, {"points": str(10**30)}, {"points": ""}, {"points": "1.5"},
                   {"points": "1", "against": "sleep"}):
        assert hit.settle("change", **{"against": "nothing", **fields}).status_code == 302
        assert kept() == before, fields
        assert "That makes no sense with these values; nothing has happened." in text_of(hit.look("ben", "ben", None))
    for press in ("", "x", "11111111"):
        assert hit.settle("apply", _press=press).status_code == 400
    assert kept() == before


def test_one_press_key_settles_no_two_landings(hit, dice):
    dice += [[6, 5, 4, 1]]
    hit.press()
    first, second = PendingEffect.objects.order_by("pk")
    key = uuid.uuid4()
    hit.settle("apply", number=first.pk, key=key)
    life = hit.life("ben")
    assert hit.settle("apply", number=second.pk, key=key).status_code == 302
    assert hit.life("ben") == life
    second.refresh_from_db()
    assert second.state == "open"


def test_no_player_acts_as_an_opponent_or_for_another_and_nobody_at_a_sheet_of_another_party(elsewhere):
    hit, other = elsewhere
    hit.bring()
    hit.sheets["there"] = other.sheets["ben"]
    before = kept()
    for by, at in (("troll", "ben"), ("ben", "anna"), ("anna", "there"), ("there", "anna"), ("there", "there")):
        assert hit.press(by=by, at=at).status_code == 404, (by, at)
        with undone():
            assert hit.press(who="gm", by=by, at=at).status_code == (404 if "there" in (by, at) else 302)
    assert kept() == before
    assert hit.press(who="gm", by="anna", at="there").status_code == 404
    for bad in ("x", str(uuid.UUID(int=5)), "' OR ''='", "\x00"):
        assert hit.browsers["anna"].post(f"{hit.address}play/", {
            "w": "roll-attack-attacks-0", "_press": str(uuid.uuid4()), "_by": hit.sheets["anna"].pk, "_at": bad,
        }).status_code == 404
    assert kept() == before


def test_a_target_that_the_rules_cannot_read_is_told_and_not_played_against(hit):
    Sheet.objects.filter(pk=hit.sheets["ben"].pk).update(data={"life": "viel"})
    before = kept()
    for headers in ({}, {"htmx": True}):
        assert hit.press(**headers).status_code in (200, 302)
    assert kept() == before
    for word in ("apply", "change", "guard", "rethrow"):
        about = PendingEffect.objects.get().pk
        answer = hit.settle(word, "gm", f"{about}:x" if word == "guard" else about, points="1", against="nothing")
        assert answer.status_code == 302, word
        assert kept() == before, word
    assert "The rules can no longer read this sheet." in text_of(hit.look("gm", "anna", None))
    assert hit.settle("dismiss", "gm").status_code == 302


def test_a_sheet_that_was_taken_out_is_neither_hit_nor_settled_and_whoever_has_left_settles_nothing(hit):
    with undone():
        Sheet.objects.filter(pk=hit.sheets["ben"].pk).update(party=None)
        before = kept()
        assert hit.press().status_code == 404
        assert hit.settle("apply").status_code in (302, 404)
        assert kept() == before
    hit.party.members.filter(user=hit.users["ben"]).delete()
    before = kept()
    assert hit.settle("apply").status_code == 404
    assert kept() == before
