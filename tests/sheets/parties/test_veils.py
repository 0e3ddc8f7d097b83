"""What others may not read of an opponent, or of anybody that is aimed at, stands in no answer to them."""

import re

import pytest

from sheets.models import Event, Landing, Sheet
from tests.support.guest import text_of, words_in
from tests.support.sheets.fight import ATTACK, CLUB


@pytest.fixture
def den(table):
    """A table with a troll of a few figures."""
    table.troll()
    return table


def test_players_see_its_name_and_its_wounds_and_nothing_else_and_a_gm_all_of_it(den):
    assert re.search(r"Life points 16.*\d+ % hit", text_of(den.look("gm", "troll", "anna")))
    for life, words in ((16, "unhurt"), (12, "wounded"), (7, "badly wounded"), (0, "down")):
        Sheet.objects.filter(pk=den.sheets["troll"].pk).update(play={"life": life})
        shown = text_of(den.look("anna", "anna", "troll")).partition("Opponents")[2].partition("Anna against Troll")[0]
        assert re.search(rf"T Troll {words} Aim at", shown), shown
        assert "Life points" not in shown
    assert den.own("troll", "anna").status_code == 404


def test_against_a_hidden_opponent_no_odds_and_no_figures_are_in_the_answer(den):
    seen = {}
    for defence in (3, 17):
        den.have("troll", defence=defence)
        page = den.look("anna", "anna", "troll").text
        tokens = r'value="[0-9a-f-]{36}"|name="csrfmiddlewaretoken" value="\w+"|since=[^"]*|CSRFToken": "\w+"'
        seen[defence] = re.sub(tokens, "", page)
    assert seen[3] == seen[17]
    odds = den.browsers["anna"].get(f"{den.address}?{den.seats('anna', 'troll')}&w={ATTACK}").text
    assert words_in(odds, " % hit", "is the GM&#x27;s to know") == ["is the GM&#x27;s to know"]


def test_a_hit_on_a_hidden_opponent_tells_dice_and_damage_but_no_defence(den, dice):
    den.have("anna", attacks=CLUB)
    dice += [[6, 6, 5, 1]]
    den.press(at="troll")
    event = Event.objects.get()
    assert "defence" not in event.given
    assert event.veiled == {"given": {"defence": 3}}
    for answer in (den.look("anna", "anna", "troll"), den.own("anna")):
        assert words_in(text_of(answer), "2 damage", "against Defence") == ["2 damage"]
    assert Landing.objects.get().filled["points"] == 2
    den.settle("apply", "gm")
    assert den.life("troll") == 14
    log = text_of(den.look("anna", "anna", "troll")).partition("What happened")[2]
    # When it happened is no figure of the troll's.
    assert "14" not in re.sub(r"\d\d:\d\d", "", log)
    assert b"veiled" not in den.browsers["anna"].get("/account/download/").getvalue()


@pytest.mark.parametrize(("who", "given"), [
    ({"anna": {"seen_by": "private"}}, False),
    ({"anna": {"seen_by": "public"}}, False),
    ({"anna": {"seen_by": "public"}, "troll": {"seen_by": "party"}}, False),
    ({"anna": {"share": "x"}, "troll": {"seen_by": "party"}}, False),
    ({"troll": {"seen_by": "party"}}, True),
    ({"anna": {"share": "x"}, "troll": {"seen_by": "public"}}, True),
])
def test_figures_of_a_target_stand_only_where_all_who_read_the_acting_sheet_read_the_target(den, dice, who, given):
    """Whoever presses: a GM who acts with a player's sheet knows more than its owner."""
    den.have("anna", attacks=CLUB)
    for name, fields in who.items():
        Sheet.objects.filter(pk=den.sheets[name].pk).update(**fields)
    dice += [[6, 6, 5, 1]]
    den.press(who="gm", at="troll")
    event = Event.objects.get()
    assert ("defence" in event.given, event.outcome) == (given, 2)
    assert ("against Defence" in text_of(den.own("anna"))) == given
    # What one may read for oneself is reckoned with, whoever else is not to know.
    readable = den.sheet("troll").seen_by != "private"
    assert bool(re.search(r"\d+ % hit", text_of(den.look("anna", "anna", "troll")))) == readable
    assert re.search(r"\d+ % hit", text_of(den.look("gm", "anna", "troll")))


def test_what_a_hidden_opponent_or_a_gms_own_does_is_told_the_gms_whole(den, dice):
    Sheet.objects.filter(pk=den.sheets["ben"].pk).update(seen_by="private")
    Sheet.objects.filter(pk=den.sheets["anna"].pk).update(seen_by="private", owner=den.users["gm"])
    for by, at in (("troll", "ben"), ("anna", "ben"), ("anna", "troll")):
        den.press(ATTACK, "gm", by, at)
        assert "defence" in Event.objects.latest("pk").given


def test_what_an_opponent_does_is_seen_without_its_figures(den, dice):
    dice += [[6, 6, 6, 6, 6, 6]]
    den.press(ATTACK, "helper", "troll", "anna")
    assert "Troll Attack → Anna" in text_of(den.look("ben", "ben", None))
    den.settle("apply", "anna")
    den.press("act-damage", "gm", "troll", None, points=3, against="nothing")
    assert "3 suffered" not in text_of(den.look("ben", "ben", None))
    assert "3 suffered" in text_of(den.look("helper", "troll", None))
