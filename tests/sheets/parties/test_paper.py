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
from tests.support.everyday import everyday
from tests.support.party import SITE, Round, browser

pytestmark = pytest.mark.django_db


def printed(one, layout, number=1, **asked):
    address = reverse("party-pdf", args=[one.party.pk, layout, number])
    return browser(one.gm).get(address, asked)


def all_examples(one):
    """The party has a sheet of each example."""
    documents = list(systems()[one.party.ruleset].examples.values())[1:]
    Sheet.objects.bulk_create(Sheet(owner=one.player, party=one.party, ruleset=one.party.ruleset, name=document["name"],
                                    data=document["data"]) for document in documents)
    return Sheet.objects.order_by("name", "pk")


@pytest.mark.parametrize("size", ["a4", "us-letter"])
@pytest.mark.parametrize("slug", everyday(systems(), 2))
def test_the_party_has_room_on_one_page(slug, size):
    one = Round(slug)
    sheets = all_examples(one)
    raw = printed(one, "strip", paper=size).content
    assert len(PdfReader(io.BytesIO(raw)).pages) == 1
    assert claims_the_standard(raw)
    assert list(outside(raw)) == []
    said = text_of(raw)
    assert all(squeezed(sheet.name) in said for sheet in sheets)


def test_the_strip_tells_figures_life_and_attacks():
    said = text_of(printed(Round(), "strip").content)
    for text in ("Defence 4", "Life points", "Einhornpiranhas 28 % hit"):
        assert squeezed(text).replace("\u00a0", "") in said.replace("\u00a0", "")


def test_each_has_a_slip_for_the_turn():
    one = Round()
    sheets = all_examples(one)
    said = text_of(printed(one, "slips").content)
    assert said.count("Turn:") == sheets.count()


@pytest.mark.parametrize("layout", ["sheet", "pencil"])
def test_all_sheets_come_in_one_file(layout):
    one = Round()
    sheets = all_examples(one)
    raw = printed(one, layout).content
    pages = [squeezed(page.get_textpage().get_text_bounded()) for page in pypdfium2.PdfDocument(raw)]
    assert len(pages) == sheets.count()
    assert all(squeezed(sheet.name) in page for sheet, page in zip(sheets, pages, strict=True))


def test_the_file_of_all_sheets_has_language_title_and_the_tags_of_each():
    one = Round()
    sheets = all_examples(one)
    attacks = [{"name": "Rede", "dice": 1, "range": 0, "description": "Wort " * 790}] * 2
    sheets.filter(name="Brocken").update(data=one.sheet.data | {"attacks": attacks})
    alone = [browser(one.player).get(reverse("pdf", args=[sheet.pk])).content for sheet in sheets]
    raw = printed(one, "sheet").content
    read = PdfReader(io.BytesIO(raw))
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


def test_more_characters_than_a_file_holds_come_in_several():
    one = Round()
    Sheet.objects.bulk_create(Sheet(owner=one.player, party=one.party, ruleset="condice", name=f"Juan {number:02}",
                                    data=one.sheet.data) for number in range(AT_ONCE))
    page = browser(one.gm).get(reverse("party-print", args=[one.party.pk])).text
    assert reverse("party-pdf", args=[one.party.pk, "strip", 2]) in page
    assert reverse("party-pdf", args=[one.party.pk, "strip", 3]) not in page
    assert "Juan11" in text_of(printed(one, "strip", 2).content)
    for number in (0, 3, 10**30):
        assert printed(one, "strip", number).status_code == 404
    assert printed(one, "cloud").status_code == 404
    assert printed(one, "strip", paper="a3").status_code == 400


def laid_out(one, invitation="i" * 22):
    """The party's sheet is laid out by its GM, and the party has a link."""
    one.party.invitation = invitation
    one.party.save()
    one.sheet.owner, one.sheet.offered = one.gm, True
    one.sheet.save()
    return taking_url(one.party, one.sheet, SITE)


def test_a_card_that_is_handed_out_names_where_its_character_is_taken():
    one = Round()
    url = laid_out(one)
    raw = printed(one, "handed").content
    assert squeezed(url) in text_of(raw)
    assert claims_the_standard(raw)
    assert str(one.sheet.pk) in url


def test_whoever_follows_the_card_joins_and_has_the_character():
    one = Round()
    url = laid_out(one)
    new = browser(Round(people=("a", "b", "c")).player)
    page = new.get(url).text
    assert "Join and take the character" in page
    answer = new.post(re.search(r'action="(/join/[^"]+)"', page)[1], {"take": one.sheet.pk})
    assert answer["Location"] == reverse("sheet", args=[one.sheet.pk])
    one.sheet.refresh_from_db()
    assert (one.sheet.owner.username, one.sheet.offered) == ("c", False)
    again = browser(one.player).post(url.partition("?")[0].removeprefix(SITE), {"take": one.sheet.pk})
    assert again["Location"] == reverse("party", args=[one.party.pk])
    one.sheet.refresh_from_db()
    assert one.sheet.owner.username == "c"


@pytest.mark.parametrize("take", ["", "x", "11111111-2222-4333-8444-555555555555"])
def test_a_card_whose_character_is_gone_leads_to_the_party(take):
    one = Round()
    laid_out(one)
    new = browser(Round(people=("a", "b", "c")).player)
    assert "take the character" not in new.get(f"/join/{one.party.invitation}/?take={take}").text
    answer = new.post(f"/join/{one.party.invitation}/", {"take": take})
    assert answer["Location"] == reverse("party", args=[one.party.pk])


def test_without_a_link_a_card_leads_members_to_what_is_laid_out():
    one = Round()
    assert laid_out(one, None) == SITE + reverse("ready", args=[one.party.pk])


def test_notes_of_a_player_are_on_no_paper_of_a_gm():
    one = Round()
    one.sheet.notes = "Geheimnis"
    one.sheet.save()
    for layout in ("strip", "slips", "sheet", "pencil"):
        assert "Geheimnis" not in text_of(printed(one, layout).content)


def test_players_print_no_party():
    one = Round()
    client = browser(one.player)
    assert client.get(reverse("party-print", args=[one.party.pk])).status_code == 404
    assert client.get(reverse("party-pdf", args=[one.party.pk, "strip", 1])).status_code == 404


@pytest.mark.parametrize(("token", "told"), [
    ("1790000000000-abc", "1790000000000-abc"), ("a; Domain=x.org", None), ("kurz", None), ("", None)])
def test_a_page_that_waits_for_a_file_is_told_that_it_comes(token, told):
    answer = printed(Round(), "strip", wait=token)
    assert answer.status_code == 200
    found = answer.cookies.get("there")
    assert (found and found.value) == told
    assert told is None or (found["max-age"], found["samesite"]) == (60, "Strict")
