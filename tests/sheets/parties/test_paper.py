"""What a GM prints of a party: everybody on one page, slips, cards whose code takes the character, all sheets."""

import io
import re

import pypdfium2
import pytest
from django.urls import reverse
from pypdf import PdfReader

from rulesets import systems
from sheets.models import Sheet
from sheets.parties.paper import AT_ONCE, taking_url
from tests.sheets.export.test_paper import claims_the_standard, outside, squeezed, text_of
from tests.support.database import undone
from tests.support.everyday import everyday
from tests.support.guest import words_in
from tests.support.party import SITE, Round, browser

pytestmark = pytest.mark.alike


def printed(one, layout, number=1, **asked):
    address = reverse("party-pdf", args=[one.party.pk, layout, number])
    return browser(one.gm).get(address, asked)


def all_examples(one):
    """The party has a sheet of each example."""
    documents = list(systems()[one.party.ruleset].examples.values())[1:]
    Sheet.objects.bulk_create(Sheet(owner=one.player, party=one.party, ruleset=one.party.ruleset, name=document["name"],
                                    data=document["data"]) for document in documents)
    return Sheet.objects.order_by("name", "pk")


@pytest.mark.parametrize("slug", everyday(systems(), 2))
def test_the_party_has_room_on_one_page(db, slug):
    one = Round(slug)
    sheets = all_examples(one)
    for size in ("a4", "us-letter"):
        raw = printed(one, "strip", paper=size).content
        assert len(PdfReader(io.BytesIO(raw)).pages) == 1
        assert claims_the_standard(raw)
        assert list(outside(raw)) == []
        said = text_of(raw)
        assert all(squeezed(sheet.name) in said for sheet in sheets)


def test_the_strip_tells_figures_life_and_attacks_and_each_has_a_slip_for_the_turn(round_):
    told = [squeezed(text).replace("\u00a0", "") for text in ("Defence 4", "Life points", "Einhornpiranhas 28 % hit")]
    assert words_in(text_of(printed(round_, "strip").content).replace("\u00a0", ""), *told) == told
    sheets = all_examples(round_)
    assert text_of(printed(round_, "slips").content).count("Turn:") == sheets.count()


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
@pytest.mark.slow
def test_all_sheets_come_in_one_file(round_, layout):
    sheets = all_examples(round_)
    raw = printed(round_, layout).content
    pages = [squeezed(page.get_textpage().get_text_bounded()) for page in pypdfium2.PdfDocument(raw)]
    assert len(pages) == sheets.count()
    assert all(squeezed(sheet.name) in page for sheet, page in zip(sheets, pages, strict=True))


@pytest.mark.slow
def test_the_file_of_all_sheets_has_language_title_and_the_tags_of_each(round_):
    sheets = all_examples(round_)
    attacks = [{"name": "Rede", "dice": 1, "range": 0, "description": "Wort " * 790}] * 2
    sheets.filter(name="Brocken").update(data=round_.sheet.data | {"attacks": attacks})
    alone = [browser(round_.player).get(reverse("pdf", args=[sheet.pk])).content for sheet in sheets]
    read = PdfReader(io.BytesIO(printed(round_, "sheet").content))
    assert (read.root_object["/Lang"], read.metadata.title) == ("en", "Die Runde, characters for ConDice")
    assert read.root_object["/MarkInfo"]["/Marked"]
    assert len(read.pages) > sheets.count()
    found = tagged(read)
    assert found == [number for each in alone for number in tagged(PdfReader(io.BytesIO(each)))]
    assert len(found) == len(read.pages)
    assert all(found)


def tagged(read):
    """How many parts of each page's text stand in the tree of tags, each once."""
    pages = [page.indirect_reference.idnum for page in read.pages]
    found, todo = [], [(read.root_object["/StructTreeRoot"]["/K"], None)]
    while todo:
        node, page = todo.pop()
        node = node.get_object()
        if isinstance(node, int):
            found.append((page, node))
        elif isinstance(node, list):
            todo += [(each, page) for each in node]
        else:
            page = node.raw_get("/Pg").idnum if "/Pg" in node else page
            todo += [(node[key], page) for key in ("/K", "/MCID") if key in node]
    assert len(set(found)) == len(found)
    return [sum(where == page for where, _number in found) for page in pages]


def test_more_characters_than_a_file_holds_come_in_several_and_there_is_nothing_beside_them(round_):
    Sheet.objects.bulk_create(Sheet(owner=round_.player, party=round_.party, ruleset="condice", data=round_.sheet.data,
                                    name=f"Juan {number:02}") for number in range(AT_ONCE))
    page = browser(round_.gm).get(reverse("party-print", args=[round_.party.pk])).text
    assert [reverse("party-pdf", args=[round_.party.pk, "strip", number]) in page for number in (2, 3)] == [True, False]
    assert "Juan11" in text_of(printed(round_, "strip", 2).content)
    for number in (0, 3, 10**30):
        assert printed(round_, "strip", number).status_code == 404
    assert printed(round_, "cloud").status_code == 404
    assert printed(round_, "strip", paper="a3").status_code == 400


def laid_out(one, invitation="i" * 22):
    """The party's sheet is laid out by its GM, and the party has a link."""
    one.party.invitation = invitation
    one.party.save()
    one.sheet.owner, one.sheet.offered = one.gm, True
    one.sheet.save()
    return taking_url(one.party, one.sheet, SITE)


def test_a_card_that_is_handed_out_leads_to_its_character_by_a_link_or_else_to_what_is_laid_out(round_):
    url = laid_out(round_)
    raw = printed(round_, "handed").content
    assert squeezed(url) in text_of(raw)
    assert claims_the_standard(raw)
    assert str(round_.sheet.pk) in url
    assert laid_out(round_, None) == SITE + reverse("ready", args=[round_.party.pk])


def test_whoever_follows_the_card_joins_and_has_the_character(round_):
    url = laid_out(round_)
    new = browser(Round(people=("a", "b", "c")).player)
    page = new.get(url).text
    assert "Join and take the character" in page
    answer = new.post(re.search(r'action="(/join/[^"]+)"', page)[1], {"take": round_.sheet.pk})
    assert answer["Location"] == reverse("sheet", args=[round_.sheet.pk])
    round_.sheet.refresh_from_db()
    assert (round_.sheet.owner.username, round_.sheet.offered) == ("c", False)
    again = browser(round_.player).post(url.partition("?")[0].removeprefix(SITE), {"take": round_.sheet.pk})
    assert again["Location"] == reverse("party", args=[round_.party.pk])
    round_.sheet.refresh_from_db()
    assert round_.sheet.owner.username == "c"


def test_a_card_whose_character_is_gone_leads_to_the_party(round_):
    laid_out(round_)
    new = browser(Round(people=("a", "b", "c")).player)
    for take in ("", "x", "11111111-2222-4333-8444-555555555555"):
        where = f"/join/{round_.party.invitation}/"
        assert "take the character" not in new.get(f"{where}?take={take}").text
        with undone():
            assert new.post(where, {"take": take})["Location"] == reverse("party", args=[round_.party.pk])


def test_notes_of_a_player_are_on_no_paper_of_a_gm_and_players_print_no_party(round_):
    round_.sheet.notes = "Geheimnis"
    round_.sheet.save()
    for layout in ("strip", "slips", "sheet", "pencil"):
        assert "Geheimnis" not in text_of(printed(round_, layout).content)
    for name, more in (("party-print", ()), ("party-pdf", ("strip", 1))):
        assert browser(round_.player).get(reverse(name, args=[round_.party.pk, *more])).status_code == 404


def test_a_page_that_waits_for_a_file_is_told_that_it_comes(round_):
    for token, told in (("1790000000000-abc", ["1790000000000-abc"]), ("a; Domain=x.org", []), ("kurz", []), ("", [])):
        answer = printed(round_, "strip", wait=token)
        assert answer.status_code == 200
        found = [cookie for name, cookie in answer.cookies.items() if name == "there"]
        assert [one.value for one in found] == told
        assert all((one["max-age"], one["samesite"]) == (60, "Strict") for one in found)
