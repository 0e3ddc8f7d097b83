"""The stage of a table: who acts, aimed at whom, what stands first, and who is on next."""

import re
import uuid
from types import SimpleNamespace

import pytest

from sheets.models import PRIVATE, Sheet
from sheets.scenes.order import turn_token
from sheets.stage.actor import FEW
from sheets.stage.press_form import NOBODY
from sheets.stage.turn_words import whose_turn
from tests.support.guest import text_of
from tests.support.sheets.fight import CLUB, table_of

pytestmark = pytest.mark.alike


def aimed(page):
    """The key of whom a page is aimed at, as its forms say it."""
    return re.search(r'id="seats">.*?name="_at" value="([^"]*)"', page.text, re.S)[1]


def acts(page):
    """The key of who acts on a page."""
    return re.search(r'id="seats">.*?name="_by" value="([^"]*)"', page.text, re.S)[1]


def next_one(table, who):
    """What the button that ends the turn says comes next."""
    found = re.search(r'id="turn-next">End the turn(.*?)</button>', table.read(who).text)
    return found and re.sub(r"<[^>]*>|→", "", found[1]).strip()


@pytest.fixture
def fight(table, dice):
    """A fight in which Anna is on, then Ben, then the troll; Anna has hit the troll, and Ben has not."""
    table.have("anna", attacks=CLUB)
    table.have("ben", attacks=CLUB)
    table.troll()
    table.do(f"place:{table.sheets['anna'].pk}:0")
    table.settle("turn", "gm", "begin")
    dice += [[1, 1, 1, 1]]
    table.press(at="troll")
    return table


def test_whoever_is_on_is_aimed_at_whom_they_aimed_at_last(fight):
    troll = str(fight.sheets["troll"].pk)
    assert aimed(fight.read("anna")) == troll
    fight.settle("turn", "anna", "next")
    assert aimed(fight.look("ben", "ben", None)) == NOBODY
    fight.settle("turn", "gm", "next")
    assert (fight.on, aimed(fight.read("anna"))) == (["Troll"], NOBODY)
    # With the next round Anna is on again.
    fight.settle("turn", "gm", "next")
    assert (fight.on, aimed(fight.read("anna"))) == (["Anna"], troll)


def test_whoever_aims_at_nobody_is_aimed_at_nobody_when_the_page_is_loaded_again(fight):
    by = fight.sheets["anna"].pk
    page = fight.browsers["anna"].get(f"{fight.address}?_by={by}&_at={NOBODY}")
    assert aimed(page) == NOBODY
    assert f"?_by={by}&amp;_at={NOBODY}" in page.text
    pressed = fight.browsers["anna"].post(f"{fight.address}play/?_by={by}&_at={NOBODY}", {
        "w": "act-take-action", "_press": str(uuid.uuid4())})
    assert pressed["Location"].partition("?")[2].startswith(f"_by={by}&_at={NOBODY}")


def test_a_target_who_left_the_table_is_aimed_at_no_more(fight):
    fight.make(f"out:{fight.sheets['troll'].pk}")
    assert aimed(fight.read("anna")) == NOBODY


def test_the_end_of_a_turn_brings_a_gm_on_with_the_last_target_of_the_next_one(fight, dice):
    fight.settle("turn", "anna", "next")
    fight.settle("turn", "ben", "next")
    dice += [[1] * 6]
    fight.press(who="gm", by="troll", at="ben")
    assert (acts(fight.read("gm")), aimed(fight.read("gm"))) == tuple(
        str(fight.sheets[one].pk) for one in ("troll", "ben"))


def test_the_button_says_who_is_on_next_or_which_round_begins(fight):
    assert [next_one(fight, who) for who in ("gm", "anna", "ben")] == ["Ben", "Ben", None]
    fight.settle("turn", "gm", "next")
    assert next_one(fight, "gm") == "Troll"
    fight.settle("turn", "gm", "next")
    assert next_one(fight, "gm") == "round 2"


@pytest.mark.rule("CD-52")
def test_of_a_side_that_is_on_together_the_last_one_says_who_comes(table):
    table.make(_count="2")
    table.settle("turn", "gm", "begin")
    assert [next_one(table, who) for who in ("gm", "anna")] == ["the opponents", ""]
    table.settle("turn", "ben", "next")
    assert next_one(table, "anna") == "the opponents"


def test_the_other_side_stands_first_among_the_targets_and_oneself_last(fight):
    page = fight.look("ben", "ben", None)
    found = re.search(r'id="targets"[^>]*>(.*?)</ol>', page.text, re.S)[1]
    assert re.findall(r'(?:class="called"|aims="[^>]*")>([^<>]+)<', found) == ["Troll", "Anna", "self"]


@pytest.mark.rule("CD-24", "CD-29")
def test_what_helps_says_so_if_its_target_is_on_the_other_side(fight):
    for who in ("anna", "troll"):
        fight.have(who, abilities=[{"ability": "heilung", "extra_characters": 0, "range": 0}])
    for who, by, at, name in (("anna", "anna", "troll", "Troll"), ("anna", "anna", "ben", None),
                              ("anna", "anna", "anna", None), ("gm", "troll", "anna", "Anna")):
        found = re.findall(r"(\w+) is on the other side!", text_of(fight.look(who, by, at)))
        assert {*found} == ({name} if name else set()), (by, at)
        assert len(found) == bool(name)


def test_rolls_of_a_fight_stand_there_and_the_others_are_folded(fight):
    stage, _fold, folded = fight.look("anna", "anna", None).text.partition('id="further"')
    assert 'id="w-roll-attack-attacks-0"' in stage
    assert 'id="w-roll-success"' not in stage
    assert 'id="w-roll-success"' in folded


@table_of("augen-des-zwielichts")
def test_where_nobody_is_fought_rolls_of_any_kind_stand_there(table):
    stage, _fold, folded = table.look("anna", "anna", None).text.partition('id="further"')
    assert stage.count('class="roll-row"') == FEW
    assert 'class="roll-row"' in folded


def test_a_press_on_a_seat_offers_what_one_may_do_with_it(fight):
    def menu(who, name):
        page = fight.look(who, who if who != "gm" else "troll", None).text
        seat = page.partition(f'id="menu-{fight.sheets[name].pk}"')[2]
        return re.findall(r">(Choose as target|Act as|Sheet)<", seat.partition("</details>")[0])

    assert menu("gm", "anna") == ["Choose as target", "Act as", "Sheet"]
    assert menu("anna", "anna") == ["Choose as target", "Act as", "Sheet"]
    assert menu("anna", "ben") == ["Choose as target", "Sheet"]
    # Of a veiled opponent one sees name and wounds.
    assert menu("anna", "troll") == ["Choose as target"]


def test_whose_turn_it_is_is_said_to_them_alone(fight):
    assert "It is your turn" in text_of(fight.read("anna"))
    assert "It is your turn" not in text_of(fight.look("ben", "ben", None))
    assert "It is your turn" not in text_of(fight.read("gm"))


def test_who_is_on_is_said_to_the_others_by_name(fight):
    def said(who, *seats):
        return re.findall(r'id="whose-turn">([^<]*)<', fight.look(who, *seats).text)

    assert said("gm", "troll", None) == said("ben", "ben", None) == ["Anna’s turn"]
    assert said("anna", "anna", None) == []


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(("opponents", "said"), [
    ((), ""), ((False,), "Anna’s turn"), ((False, False), "The players’ turn"),
    ((True, True), "The opponents’ turn"), ((True, False), "Everybody’s turn")])
def test_several_who_are_on_are_called_by_their_side(opponents, said):
    assert whose_turn([SimpleNamespace(name="Anna", sheet=SimpleNamespace(opponent=one)) for one in opponents]) == said


def tray(page):
    """What the tray of a page says."""
    return re.sub(r"<[^>]*>", "", page.text.partition('id="tray"')[2].partition("</section>")[0])


def test_what_others_roll_lies_in_the_tray_under_their_name(fight, dice):
    assert "Anna · Keule → Troll" in tray(fight.look("ben", "ben", None))
    assert "Anna ·" not in tray(fight.read("anna"))
    dice += [[2, 2, 2, 2]]
    fight.press(who="ben", by="ben", at="troll")
    assert "Ben ·" not in tray(fight.look("ben", "ben", None))
    assert "Ben · Keule → Troll" in tray(fight.read("anna"))


@table_of("daemmersturm")
def test_what_others_roll_covers_nothing_that_still_follows_from_ones_own_roll(table, dice):
    dice += [[19], [3]]
    table.press("roll-attack-ranged")
    assert 'id="tray-roll-damage' in table.look().text
    table.press("roll-attack-ranged", who="ben", by="ben", at="anna")
    assert 'id="tray-roll-damage' in table.look().text
    assert "Ben · Ranged" not in tray(table.look())


def test_a_hidden_roll_lies_in_the_tray_of_gms_alone(fight, dice):
    dice += [[6]]
    fight.do("throw:hidden", w="roll-success", dice="1")
    assert "Success" in tray(fight.browsers["helper"].get(fight.address))
    assert "Success" not in tray(fight.read("anna"))


def test_a_page_that_another_turn_overtakes_aims_whoever_is_on_at_nobody_of_the_one_before(fight, dice):
    seats, shown = fight.seats("anna", "troll"), fight.browsers["gm"]
    old = turn_token(fight.scene)
    for _turn in range(2):
        fight.settle("turn", "gm", "next")
    page = shown.get(f"{fight.address}?{seats}&_turn={old}")
    assert (acts(page), aimed(page)) == (str(fight.sheets["troll"].pk), NOBODY)
    dice += [[1] * 6]
    fight.press(who="gm", by="troll", at="ben")
    page = shown.get(f"{fight.address}?{seats}&_turn={old}")
    assert aimed(page) == str(fight.sheets["ben"].pk)


def test_the_button_promises_nothing_where_one_may_be_next_whom_one_does_not_see(fight):
    Sheet.objects.filter(pk=fight.sheets["ben"].pk).update(seen_by=PRIVATE, at_table=False)
    assert [next_one(fight, who) for who in ("gm", "anna")] == ["Ben", ""]


def test_the_end_of_a_turn_says_whose_turn_it_is_and_nothing_that_each_turn_does(fight):
    fight.settle("turn", "gm", "next")
    page = fight.look("gm", "anna", None).text.partition('id="table-lines"')[2].partition("</ol>")[0]
    assert "The turn is over" in page
    assert "It is the others’ turn" not in page


def test_a_card_says_what_protects_where_its_figures_are_seen_and_chips_what_is_left(fight):
    protects = '<abbr title="Defence">D</abbr>'
    card = f'id="seat-{fight.sheets["troll"].pk}"'
    for seen_by, shown in (("party", True), ("private", False)):
        Sheet.objects.filter(pk=fight.sheets["troll"].pk).update(seen_by=seen_by)
        page = fight.look("ben", "ben", None).text
        assert (protects in page.partition(card)[2].partition("</li>")[0]) is shown
        chip = page.partition(f'id="at-{fight.sheets["troll"].pk}"')[2].partition("</a>")[0]
        assert ("16/16" in chip) is shown
