"""A GM's library: opponents kept over all parties, tagged, copied, printed, and put on stage as encounters."""

import pytest

from sheets.models import Encounter, Party, Sheet, Tag
from sheets.parties.library import figures_of
from tests.support.guest import text_of
from tests.support.sheets.fight import ATTACK, TROLL, table_of

LIBRARY = "/opponents/"


def make(table, do="figures", who="gm", **fields):
    """Press a button of the library."""
    return table.browsers[who].post(LIBRARY, {"do": do, "system": table.ruleset.slug, **TROLL, **fields})


def press(table, do, *sheets, who="gm", **fields):
    """Press a button about opponents that are ticked."""
    keys = [one.pk for one in sheets]
    return table.browsers[who].post(LIBRARY, {"do": do, "system": table.ruleset.slug, "sheet": keys, **fields})


def kept(name="Troll"):
    return Sheet.objects.get(name=name, opponent=True, party=None, deleted=None)


def encounter(table, *sheets, name="Am Weiher"):
    """An encounter of these."""
    answer = press(table, "encounter", *sheets, encounter=name)
    assert answer.status_code == 302
    return Encounter.objects.get(name=name)


def test_what_is_kept_is_its_owners_alone_and_in_none_of_their_lists_of_sheets(table):
    make(table, life="7")
    troll = kept()
    assert (troll.owner, figures_of(troll)[0][1]) == (table.users["gm"], "7")
    assert "Troll" in text_of(table.browsers["gm"].get(LIBRARY, {"system": "condice"}))
    for who, address in (("gm", "/sheets/"), ("gm", f"/parties/{table.party.pk}/"), ("helper", LIBRARY)):
        assert "Troll" not in text_of(table.browsers[who].get(address))
    assert table.browsers["helper"].get(f"/sheets/{troll.pk}/").status_code == 404
    for do in ("delete", "copy-these", "tag"):
        press(table, do, troll, who="helper", tag="x")
    assert (kept().tags.count(), Sheet.objects.filter(name="Troll").count()) == (0, 1)


def test_an_encounter_comes_on_stage_by_one_press_numbered_on_and_whole(table):
    make(table, life="7")
    make(table, _name="Wolf", life="4")
    found = encounter(table, kept(), kept("Wolf"))
    numbers = {f"number.{one.pk}": "3" if one.sheet.name == "Wolf" else "1" for one in found.placed.all()}
    table.browsers["gm"].post(f"{LIBRARY}encounters/{found.pk}/", {"do": "save", "name": "Am Weiher", **numbers})
    where = f"/parties/{table.party.pk}/opponents/"
    for _time in range(2):
        answer = table.browsers["gm"].post(where, {"do": f"encounter:{found.pk}"})
        assert answer["Location"] == table.address
    assert sorted(table.party.sheets.filter(opponent=True).values_list("name", flat=True)) == [
        "Troll", "Troll 2", *(f"Wolf {number}" for number in range(1, 7))]
    troll = table.party.sheets.get(name="Troll")
    assert figures_of(troll)[0][1] == "7"
    for who, status in (("helper", 404), ("anna", 404)):
        assert table.browsers[who].post(where, {"do": f"encounter:{found.pk}"}).status_code == status
        assert table.browsers[who].get(f"{LIBRARY}encounters/{found.pk}/").status_code == status


def test_a_co_gm_keeps_a_copy_of_what_is_on_stage_as_it_was_made(table):
    table.troll(life="7")
    sheet = table.party.sheets.get(opponent=True)
    Sheet.objects.filter(pk=sheet.pk).update(play={**sheet.play, "life": 2})
    table.make(f"keep:{sheet.pk}", who="helper")
    # A co-GM plays all that is at the table as well.
    assert table.press(ATTACK, "helper", "troll", "anna").status_code == 302
    copy = kept()
    assert (copy.owner, figures_of(copy)[0][1], figures_of(sheet)[0][1]) == (table.users["helper"], "7", "7")
    assert figures_of(table.party.sheets.get(opponent=True))[0][1] == "2 / 7"


def test_tags_find_opponents_again_and_more_than_a_thousand_are_refused(table, monkeypatch):
    make(table)
    make(table, _name="Wolf")
    press(table, "tag", kept("Wolf"), tag=" wild,  Wald ")
    gm = table.browsers["gm"]
    page = text_of(gm.get(LIBRARY, {"system": "condice", "tag": "wild"}))
    assert ("Wolf" in page, "Troll" in page) == (True, False)
    press(table, "untag", kept("Wolf"), tag="wild")
    assert [*Tag.objects.values_list("name", flat=True)] == ["Wald"]
    Tag.objects.bulk_create(Tag(owner=table.users["gm"], name=f"t{number}") for number in range(999))
    press(table, "tag", kept(), tag="Wald")
    answer = press(table, "tag", kept(), tag="neu")
    assert "You already have 1000 tags" in text_of(gm.get(answer["Location"]))
    assert [*kept().tags.values_list("name", flat=True)] == ["Wald"]


def test_what_is_ticked_is_copied_and_deleted_to_the_trash_and_nothing_else_is(table):
    make(table)
    press(table, "copy-these", kept())
    assert sorted(Sheet.objects.filter(opponent=True).values_list("name", flat=True)) == ["Troll", "Troll 2"]
    press(table, "delete", *Sheet.objects.filter(opponent=True))
    assert not Sheet.objects.filter(deleted=None, opponent=True).exists()
    assert "tick at least one" in text_of(table.browsers["gm"].get(press(table, "delete")["Location"]))


@pytest.mark.parametrize("layout", ["strip", "handed", "sheet"])
def test_an_encounter_and_what_is_ticked_are_printed(table, layout):
    make(table)
    found = encounter(table, kept())
    ways = [f"{LIBRARY}encounters/{found.pk}/{layout}.pdf", press(table, f"print:{layout}", kept())["Location"]]
    for way in ways:
        answer = table.browsers["gm"].get(way)
        assert (answer.status_code, b"".join(answer)[:5]) == (200, b"%PDF-")
        assert table.browsers["helper"].get(way).status_code == 404


def test_every_source_of_an_opponent_is_reached_page_by_page_and_by_its_name(table):
    Sheet.objects.bulk_create(Sheet(owner=table.users["gm"], ruleset="condice", name=f"Quelle {number:03}",
                                    data=table.sheets["anna"].data) for number in range(130))
    gm, seen, where = table.browsers["gm"], set(), f"/parties/{table.party.pk}/opponents/"
    query = {}
    for _page in range(10):
        answer = gm.get(where, query)
        seen |= {name for _key, name in answer.context["sources"]}
        if not answer.context["more"]:
            break
        query = {"before": answer.context["more_after"], "last": answer.context["more"].pk}
    assert len(seen) == 132
    assert [name for _key, name in gm.get(where, {"q": "127"}).context["sources"]] == ["Quelle 127"]


@table_of("augen-des-zwielichts")
@pytest.mark.rule("SZ-30")
def test_where_nobody_stands_against_them_an_encounter_is_the_act_that_begins_the_fight(table):
    table.browsers["gm"].post(LIBRARY, {"do": "encounter", "system": table.ruleset.slug, "encounter": "Die Alte",
                                        "danger_level": "11"})
    found = Encounter.objects.get()
    assert found.act == {"danger_level": 11}
    page = table.browsers["gm"].get(f"/parties/{table.party.pk}/opponents/")
    assert 'name="danger_level" value="11"' in page.text
    table.do("round", w=page.context["which"], danger_level=11)
    assert "11" in str(Party.objects.get().table) or any(
        "11" in str(one.play) for one in Sheet.objects.filter(party=table.party))
    assert "Bring it into play again" in text_of(table.browsers["gm"].get(f"/parties/{table.party.pk}/opponents/"))


def test_many_opponents_are_listed_by_as_many_questions_as_few(table, django_assert_max_num_queries):
    make(table)
    found, asked = encounter(table, kept()), {}
    ways = (LIBRARY, f"/parties/{table.party.pk}/opponents/", f"{LIBRARY}encounters/{found.pk}/")
    for count in (1, 9):
        make(table, _count=str(count), _name=f"Wolf {count}")
        table.make(_name=f"Rabe {count}", _count=str(count))
        press(table, "encounter", *Sheet.objects.filter(name__startswith=f"Wolf {count}", party=None), into=found.pk)
        for way in ways:
            with django_assert_max_num_queries(60) as seen:
                table.browsers["gm"].get(way, {"system": "condice"})
            asked.setdefault(way, []).append(len(seen))
    assert [few - many for few, many in asked.values()] == [0, 0, 0]


def test_an_encounter_of_more_than_one_file_is_printed_whole_and_the_page_says_so(table):
    make(table, _name="Wolf")
    found = encounter(table, kept("Wolf"))
    for number in range(4):
        make(table, _name=f"Ratte {number}")
        press(table, "encounter", kept(f"Ratte {number}"), into=found.pk)
    found.placed.update(number=12)
    way, gm = f"{LIBRARY}encounters/{found.pk}/", table.browsers["gm"]
    page = gm.get(way)
    assert [part for _words, _address, part in page.context["printed"]] == [1, 1, 2, 2]
    assert "(1–40)" in text_of(page)
    assert "(41–60)" in text_of(page)
    for part, status in (("1", 200), ("2", 200), ("3", 404), ("0", 404), ("x", 404)):
        assert gm.get(f"{way}strip.pdf", {"part": part}).status_code == status, part


@table_of("battle-dice")
@pytest.mark.rule("BD-01")
def test_an_opponent_is_a_deck_from_its_form_to_the_stage_and_to_paper(table):
    gm, cards = table.browsers["gm"], {"corona_look": "3", "pina_rohkinar": "0", "snowbuddies": "3", "biggest_fan": "2"}
    page = text_of(gm.get(LIBRARY, {"system": "battle-dice"})).partition("From a few numbers")[2]
    asked = ("The Corona Look", "Piña ≠ Rohkinar", "Snowbuddies", "The Biggest Fan")
    assert sorted(asked, key=page.index) == [*asked]
    new = {"do": "figures", "system": "battle-dice", "_name": "Eisdeck", "_count": "1"}
    refused = gm.post(LIBRARY, {**new, **dict.fromkeys(cards, "0")})
    assert (refused.status_code, "A deck has at least one card." in text_of(refused)) == (422, True)
    assert gm.post(LIBRARY, new | cards).status_code == 302
    deck = kept("Eisdeck")
    assert [(one["card"], one["copies"]) for one in deck.data["cards"]] == [
        ("the-corona-look", 3), ("snowbuddies", 3), ("the-biggest-fan", 2)]
    found = encounter(table, deck)
    staged = gm.post(f"/parties/{table.party.pk}/opponents/", {"do": f"encounter:{found.pk}"})
    assert staged["Location"] == table.address
    assert table.party.sheets.get(opponent=True).data == deck.data
    for layout in ("strip", "handed", "sheet"):
        assert b"".join(gm.get(f"{LIBRARY}encounters/{found.pk}/{layout}.pdf"))[:5] == b"%PDF-"


@table_of("augen-des-zwielichts")
@pytest.mark.rule("SZ-30")
def test_a_danger_level_begins_the_fight_with_a_weak_point_for_each_and_is_printed(table):
    gm = table.browsers["gm"]
    gm.post(LIBRARY, {"do": "encounter", "system": table.ruleset.slug, "encounter": "Die Alte", "danger_level": "11"})
    page = gm.get(f"/parties/{table.party.pk}/opponents/")
    gm.post(f"/parties/{table.party.pk}/table/", {"do": "round", "w": page.context["which"], "danger_level": "11",
                                                 "_press": str(page.context["press"])})
    points = [one.play.get("weak_point") for one in Sheet.objects.filter(party=table.party, opponent=False)]
    assert (len(points), {*points} <= {1, 2, 3, 4, 5, 6}) == (2, True)
    assert "11" in str(Party.objects.get(pk=table.party.pk).table)
    found = Encounter.objects.get()
    way = f"{LIBRARY}encounters/{found.pk}/"
    assert f"{way}strip.pdf" in gm.get(way).text
    assert b"".join(gm.get(f"{way}strip.pdf"))[:5] == b"%PDF-"
    assert gm.get(f"{way}handed.pdf").status_code == 404
