"""Acts that are a GM's: in a party nobody else is offered them or does them, on whichever page."""

import pytest

from sheets.models import Event, Member, Party, Sheet
from tests.support.sheets.fight import table_of

pytestmark = pytest.mark.alike
SPEND = "act-spend-corruption"


def corrupted(table, n=3):
    Party.objects.filter(pk=table.party.pk).update(table={"corruption": n})


def counted(table):
    table.party.refresh_from_db()
    return table.party.table["corruption"]


@pytest.mark.rule("SZ-09d")
@table_of("augen-des-zwielichts")
def test_gms_alone_spend_corruption_points(table):
    corrupted(table)
    assert SPEND not in table.own("anna").text
    assert SPEND not in table.look().text
    table.press(SPEND, at=None, what="difficulty", points=1)
    table.play("anna", SPEND, what="difficulty", points=1)
    assert not Event.objects.exists()
    assert f"press-button-{SPEND}" in table.look("gm", "anna", None).text
    table.press(SPEND, "gm", at=None, what="difficulty", points=1)
    table.party.refresh_from_db()
    assert (table.party.table["corruption"], table.party.table["difficulty"]) == (2, 1)
    # So does a co-GM, on the own page as well.
    Member.objects.filter(user=table.users["anna"]).update(role="co-gm")
    assert SPEND in table.own("anna").text
    table.play("anna", SPEND, what="difficulty", points=1)
    table.party.refresh_from_db()
    assert table.party.table["corruption"] == 1


@table_of("augen-des-zwielichts")
def test_the_points_that_a_sheet_brought_along_wait_there_while_the_partys_count(table):
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(play={"corruption": 7})
    corrupted(table)
    before = counted(table)
    table.play("anna", "act-change-counts", what="corruption", by=1, taken="")
    assert counted(table) == before + 1
    assert Sheet.objects.get(pk=table.sheets["anna"].pk).play["corruption"] == 7


@pytest.mark.rule("SZ-09d")
@table_of("augen-des-zwielichts")
def test_gms_alone_lower_corruption_points_and_players_raise_them(table):
    def buttons(page):
        return [f'id="{way}-corruption"' in page for way in ("less", "more")]

    corrupted(table)
    assert buttons(table.own("anna").text) == [False, True]
    fewer = {"what": "corruption", "by": 1, "taken": "on"}
    table.play("anna", "act-take-corruption", points=1)
    table.play("anna", "act-change-counts", **fewer)
    assert not Event.objects.exists()
    table.play("anna", "act-change-counts", **fewer | {"taken": ""})
    assert counted(table) == 4
    Member.objects.filter(user=table.users["anna"]).update(role="co-gm")
    assert buttons(table.own("anna").text) == [True, True]
    table.play("anna", "act-take-corruption", points=1)
    assert counted(table) == 3


@pytest.mark.rule("SZ-36")
@table_of("augen-des-zwielichts")
def test_no_player_says_that_a_weak_point_is_taken_over_elsewhere(table):
    Party.objects.filter(pk=table.party.pk).update(table={"open_weak_point": 3})
    table.press("act-taken-over", at=None)
    assert not Event.objects.exists()
    table.press("act-taken-over", "gm", at=None)
    assert Event.objects.get().act == "taken-over"


@pytest.mark.rule("SZ-09d")
@table_of("augen-des-zwielichts")
def test_without_a_party_whoever_plays_a_sheet_does_the_gms_part_too(table):
    sheet = table.sheet("anna")
    sheet.party, sheet.play = None, {"corruption": 2}
    sheet.save()
    table.play("anna", SPEND, what="event", points=1)
    assert Event.objects.get().act == "spend-corruption"


@pytest.mark.rule("SZ-31", "SZ-34")
@table_of("augen-des-zwielichts")
def test_gms_alone_end_the_round_of_a_group_and_decide_on_a_tie_for_all(table):
    Party.objects.filter(pk=table.party.pk).update(table={"danger_level": 12, "fighters": 2})
    Sheet.objects.filter(party=table.party).update(play={"weak_point": 2, "tied": True})
    for slug in ("settle-round", "settle-together", "settle-for-one", "hold-second-die"):
        table.press(f"act-{slug}", at=None, won="", hits=0, highest="on", ties="")
        table.play("anna", f"act-{slug}", won="", hits=0, highest="on", ties="")
    assert not Event.objects.exists()
    table.do("round", w="act-hold-second-die")
    assert [table.sheet(who).play.get("second_die") for who in ("anna", "ben")] == [True, True]
    table.press("act-settle-for-one", "gm", at=None, won="", hits=1, highest="")
    assert (table.sheet("anna").play["rounds"], "rounds" in table.sheet("ben").play) == (1, False)
