"""What others may not read of an opponent, or of anybody that is aimed at, stands in no answer to them."""

import io
import json
import re
import zipfile

import pytest
from django.utils import timezone

from sheets.models import Event, PendingEffect, Sheet
from tests.support.guest import text_of, words_in
from tests.support.sheets.fight import ATTACK, CLUB, table_of

pytestmark = pytest.mark.alike


@pytest.fixture
def den(table):
    """A table with a troll of a few figures."""
    table.troll()
    return table


def test_players_see_its_name_and_its_wounds_and_nothing_else_and_a_gm_all_of_it(den):
    assert re.search(r"\d+% hit.*Life points 16", text_of(den.look("gm", "troll", "anna")))
    for life, words in ((16, "unhurt"), (12, "wounded"), (7, "badly wounded"), (0, "down")):
        Sheet.objects.filter(pk=den.sheets["troll"].pk).update(play={"life": life})
        shown = text_of(den.look("anna", "anna", "troll")).rpartition("T Troll")[2]
        assert shown.startswith(f" {words} Choose as target")
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
    assert words_in(odds, " % hit", "Only the GM knows") == ["Only the GM knows"]


def test_a_hit_on_a_hidden_opponent_tells_dice_and_damage_but_no_defence(den, dice):
    den.have("anna", attacks=CLUB)
    dice += [[6, 6, 5, 1]]
    den.press(at="troll")
    event = Event.objects.get()
    assert "defence" not in event.given
    assert event.veiled == {"given": {"defence": 3}}
    for answer in (den.look("anna", "anna", "troll"), den.own("anna")):
        assert words_in(text_of(answer), "2 damage", "against Defence") == ["2 damage"]
    assert PendingEffect.objects.get().filled["points"] == 2
    den.settle("apply", "gm")
    assert den.life("troll") == 14
    log = text_of(den.look("anna", "anna", "troll")).partition("Log")[2]
    # When it happened is no figure of the troll's.
    assert "14" not in re.sub(r"\d\d:\d\d", "", log)
    assert b"veiled" not in den.browsers["anna"].get("/account/download/").getvalue()


def show(den, **who):
    """Let those read somebody's sheet from now on, {name: seen_by}."""
    for name, seen_by in who.items():
        Sheet.objects.filter(pk=den.sheets[name].pk).update(seen_by=seen_by)


def told(den, *pages, words="5 successes"):
    """Which of these pages, (reader, whose page or None for the table), tell how the dice met their target."""
    return [(who, whose) for who, whose in pages
            if words in text_of(den.own(whose, who) if whose else den.read(who))]


@pytest.mark.parametrize(("troll", "readers"), [
    ("private", ["gm", "helper"]), ("party", ["gm", "helper", "anna", "ben"]),
    ("public", ["gm", "helper", "anna", "ben"])])
def test_figures_of_a_target_are_told_those_alone_who_may_read_it_when_they_look(den, dice, troll, readers):
    """Whoever pressed, and whoever could read both then: a GM who acts for a player knows more than its owner."""
    den.have("anna", attacks=CLUB)
    dice += [[6, 6, 5, 1]]
    den.press(who="gm", at="troll")
    Sheet.objects.filter(pk=den.sheets["anna"].pk).update(share="x" * 20, share_play=True)
    show(den, anna="public", troll=troll)
    everybody = ("gm", "helper", "anna", "ben")
    assert [who for who, _page in told(den, *((who, "anna") for who in everybody))] == readers
    assert [who for who, _page in told(den, *((who, None) for who in everybody))] == readers
    linked = den.browsers["gm"].get(f"/shared/{'x' * 20}/")
    assert words_in(linked, "2 damage", "5 successes", "against Defence") == ["2 damage"]


def test_what_was_hidden_when_it_fell_is_told_of_by_what_is_shown_since(den, dice):
    den.bring("Orc", data=den.sheet("anna").data | {"attacks": CLUB})
    dice += [[6, 6, 5, 1]]
    den.press(ATTACK, "gm", "orc", "troll")
    seen = []
    for orc, troll in (("private", "private"), ("party", "private"), ("party", "party"), ("party", "private")):
        show(den, orc=orc, troll=troll)
        seen.append([bool(told(den, one)) for one in (("ben", "orc"), ("ben", None), ("gm", None))])
    assert seen == [[False, False, True], [False, False, True], [True, True, True], [False, False, True]]


def test_a_press_tells_whoever_may_read_the_target_at_once(den, dice):
    den.have("anna", attacks=CLUB)
    for troll in ("private", "party"):
        show(den, troll=troll)
        dice += [[6, 6, 5, 1]]
        answer = den.press(at="troll", htmx=True)
        assert ("against Defence 3" in text_of(answer)) == (troll == "party")


def test_what_was_stored_with_its_figures_before_is_read_as_it_was(den, dice):
    den.have("anna", attacks=CLUB)
    dice += [[6, 6, 5, 1]]
    den.press(at="troll")
    event = Event.objects.get()
    Event.objects.update(given=event.parameters, veiled={})
    assert told(den, ("anna", "anna"), ("ben", None)) == [("anna", "anna"), ("ben", None)]


def downloaded(table, who):
    """The log of somebody's sheet as they take it along."""
    answer = table.browsers[who].get("/account/download/")
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        return json.loads(archive.read(f"sheets/{table.sheets[who].pk}.all.json"))["log"]


@table_of("dice-rumble")
def test_what_one_takes_along_tells_of_the_dice_of_a_target_only_while_one_may_read_it(table, dice):
    table.bring("Boss")
    dice += [[9, 4]]
    table.press("roll-duel-damage", at="boss", weapon=0)
    for seen_by, faces, figures in (("private", [9], set()), ("party", [9, 4], {"own", "theirs"})):
        show(table, boss=seen_by)
        [line] = downloaded(table, "anna")
        assert (line["faces"], {"own", "theirs"} & {*line["figures"]}) == (faces, figures)


def test_a_gm_who_acts_for_somebody_names_nobody_to_them_of_whom_they_do_not_know(den, dice):
    show(den, ben="private")
    Sheet.objects.filter(pk=den.sheets["ben"].pk).update(name="Geheim")
    den.have("anna", attacks=CLUB)
    begun = den.party.scenes.create(begun=timezone.now())
    dice += [[6, 6, 6, 6]]
    den.press(who="gm")
    den.settle("apply")
    pages = [den.address, f"/sheets/{den.sheets['anna'].pk}/", *(
        f"/parties/{den.party.pk}/scenes/{begun.uuid}/{file}" for file in ("", "log.md", "log.json"))]
    assert [[b"Geheim" in den.browsers[who].get(page).getvalue() for page in pages] for who in ("anna", "gm")] == [
        [False] * 5, [True] * 5]
    assert downloaded(den, "anna")[0]["aimed_at"] == {}
    # Whom one has aimed at oneself one knows.
    show(den, ben="party")
    den.press()
    show(den, ben="private")
    assert "→ Geheim" in text_of(den.own("anna"))
    assert "→ Geheim" in text_of(den.look("anna", at=None))


@pytest.mark.parametrize("way", ["further", "again"])
@table_of("dice-rumble")
def test_nor_do_dice_that_a_gm_has_meet_one_more_or_that_are_thrown_again(table, way):
    show(table, ben="private")
    Sheet.objects.filter(pk=table.sheets["ben"].pk).update(name="Geheim")
    table.bring("Boss")
    if way == "further":
        table.press("roll-attack-unarmed", at="boss")
        table.browsers["gm"].post(f"{table.address}play/?{table.seats()}", {"do": f"also:{Event.objects.get().pk}"})
    else:
        table.press("roll-duel-damage", "gm", weapon=0)
        table.press("act-repeat", at=None)
    assert str(table.sheets["ben"].pk) in Event.objects.latest("pk").aimed_at
    for who in ("anna", "gm"):
        pages = table.read(who), table.own("anna", who)
        assert ["Geheim" in page.text for page in pages] == [who == "gm"] * 2


def test_what_an_opponent_does_is_seen_without_its_figures(den, dice):
    dice += [[6, 6, 6, 6, 6, 6]]
    den.press(ATTACK, "helper", "troll", "anna")
    assert "Troll hits Anna" in text_of(den.look("ben", "ben", None))
    den.settle("apply", "anna")
    den.press("act-damage", "gm", "troll", None, points=3, against="nothing")
    assert "3 damage taken" not in text_of(den.look("ben", "ben", None))
    assert "3 damage taken" in text_of(den.look("helper", "troll", None))
