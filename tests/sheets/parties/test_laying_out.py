"""Ready-made characters as a GM lays them out: each of another kind first, withdrawn with a way back, counted on."""

import pytest

from rulesets import systems
from sheets.models import Sheet
from sheets.parties.pregens import offered_sheets
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of


def press(table, do, who="gm", **fields):
    return table.browsers[who].post(f"/parties/{table.party.pk}/ready/", {"do": do, **fields})


@table_of(*(slug for slug, one in systems().items() if len(one.concepts) >= 6))
def test_of_six_that_the_dice_make_no_two_are_of_one_kind(table):
    press(table, "generate", count="6")
    assert len({one.concept for one in offered_sheets(table.party)}) == 6


def test_who_makes_some_finds_the_number_and_the_kind_as_they_asked_for_them(table):
    concept = next(iter(table.ruleset.concepts))
    page = table.browsers["gm"].get(press(table, "generate", count="2", _concept=concept)["Location"])
    assert (page.context["count"], page.context["chosen"]) == ("2", concept)
    assert {one.concept for one in offered_sheets(table.party)} == {concept}


@pytest.mark.parametrize("which", ["one", "all"])
def test_what_was_withdrawn_is_laid_out_again_by_one_press_of_whoever_made_it(table, which):
    press(table, "generate", count="2")
    there = {one.pk for one in offered_sheets(table.party)}
    one = offered_sheets(table.party).first()
    page = table.browsers["gm"].get(press(table, f"withdraw:{one.pk}" if which == "one" else "withdraw")["Location"])
    assert offered_sheets(table.party).count() == (1 if which == "one" else 0)
    assert "bin for 30 days" in text_of(page)
    gone = [str(one) for one in page.context["gone"]]
    for who, status in (("anna", 404), ("helper", 302)):
        assert press(table, "again", who, gone=gone).status_code == status
        assert offered_sheets(table.party).count() < 2
    press(table, "again", gone=gone)
    assert {one.pk for one in offered_sheets(table.party)} == there


def test_only_what_is_thrown_away_and_ones_own_is_laid_out_again(table):
    others = Sheet.objects.create(owner=table.users["anna"], ruleset="condice", data=table.sheet("anna").data)
    press(table, "again", gone=[str(others.pk), str(table.sheets["anna"].pk), "x"])
    assert not offered_sheets(table.party).exists()


def test_the_page_speaks_to_a_gm_of_players_and_offers_them_no_character_as_if_they_came_to_take_one(table):
    press(table, "generate", count="1")
    words = ("Players find these characters here", "Play it yourself", "take one: from then on it is yours")
    for who, told in (("gm", [True, True, False]), ("anna", [False, False, True])):
        page = text_of(table.browsers[who].get(f"/parties/{table.party.pk}/ready/"))
        assert [one in page for one in words] == told, who
