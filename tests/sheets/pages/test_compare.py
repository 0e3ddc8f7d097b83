"""Two sheets side by side: whose figures the form holds, what is typed, what nobody may see, what is wrong."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from rulesets import systems
from rulesets.condice.contest import Blows
from rulesets.kit import percent
from sheets.models import PUBLIC, Sheet
from sheets.pages.views.compare import MAX_LISTED
from tests.support.guest import Guest, example, inputs_of, text_of, words_in
from tests.support.rulesets.contract import every_system

pytestmark = pytest.mark.alike


def two_of(ruleset):
    """A guest with the first example of a system and, in the same browser, the second one as `other`."""
    first, second = (list(ruleset.examples.values()) * 2)[:2]
    guest = Guest(first, system=ruleset.slug)
    guest.other = guest.client.post(f"/build/{ruleset.slug}/")["Location"].split("/")[2]
    Sheet.objects.filter(pk=guest.other).update(name=second["name"], data=second["data"])
    return guest


@pytest.fixture
def juan(db):
    """A guest with Juan and Moosmutter Grete."""
    return two_of(systems()["condice"])


def compared(client, slug="condice", *, htmx=False, **query):
    return client.get(reverse("compare", args=[slug]), query, headers={"HX-Request": "true"} if htmx else {})


def fields(answer):
    """What the form of an answer would send."""
    return {name: value for name, value in inputs_of(answer).items() if name[:2] in ("a", "b", "a.", "b.", "a_", "b_")}


def test_figures_come_from_the_sheets_and_the_fight_is_reckoned_from_them(juan):
    answer = compared(juan.client, a=juan.pk, b=juan.other)
    sent = fields(answer)
    assert {key: sent[f"a.{key}"] for key in ("dice", "defence", "life")} == {"dice": "4", "defence": "4", "life": "10"}
    sides = [Blows(**{key: int(sent[f"{side}.{key}"]) for key in ("dice", "defence", "life")}) for side in "ab"]
    text = text_of(answer)
    for prospect in sides[0].meet(sides[1]):
        for value, chance in prospect.odds().chances.items():
            label = prospect.named("Juan", "Moosmutter Grete").label(value)
            assert f"{label} {percent(chance)}".replace("\xa0", " ") in text or not prospect.outcomes
    told = ("If Juan starts", "If Moosmutter Grete starts", "Assumptions")
    assert words_in(text, *told) == [*told]


def test_what_is_typed_holds_as_long_as_sheet_and_way_are_the_same(juan):
    sent = fields(compared(juan.client, a=juan.pk))
    typed = {**sent, "a.life": "3"}
    assert fields(compared(juan.client, **typed))["a.life"] == "3"
    way = fields(compared(juan.client, **{**typed, "a_way": "attacks.1"}))
    assert (way["a.dice"], way["a.life"], way["a_of"]) == ("5", "10", f"{juan.pk} attacks.1")
    assert fields(compared(juan.client, **{**typed, "a": juan.other}))["a.life"] != "3"
    assert fields(compared(juan.client, **{**typed, "a_of": [sent["a_of"], ""]}))["a.life"] == "10"


def test_figures_without_a_sheet_are_what_is_typed(db):
    answer = compared(Client(headers={"Accept-Language": "en"}), **{
        "a.dice": "1", "a.defence": "0", "a.life": "1", "b.dice": "0", "b.life": "1", "b.defence": "0"})
    assert fields(answer)["a.dice"] == "1"
    assert words_in(text_of(answer).replace("\xa0", " "), "Side 1 wins 100.0", "Side by side") == ["Side 1 wins 100.0"]


def test_a_figure_out_of_sense_is_named_and_nothing_is_reckoned(juan):
    sent = fields(compared(juan.client, a=juan.pk, b=juan.other))
    for figure, fault in (("x", "“x” is not a whole number."), ("", "This is empty; enter a whole number."),
                          ("0", "0 is too small; the minimum is 1."),
                          ("1000", "1000 is too large; the maximum is 999.")):
        answer = compared(juan.client, **{**sent, "a.life": figure})
        assert (answer.status_code, text_of(answer).count(fault)) == (200, 2), fault
        link = re.search(r'<a href="#([^"]*)">Life points now</a>', answer.text)[1]
        assert f'id="{link}"' in answer.text
        assert "If Juan starts" not in text_of(answer)


def test_figures_are_those_of_the_table(juan):
    Sheet.objects.filter(pk=juan.pk).update(play={"life": 2})
    answer = compared(juan.client, a=juan.pk)
    assert fields(answer)["a.life"] == "2"
    assert "2 / 10" in text_of(answer)
    Sheet.objects.filter(pk=juan.pk).update(play={"life": 0})
    assert "0 is too small" in text_of(compared(juan.client, a=juan.pk))


def test_a_link_that_is_pasted_is_the_sheet_and_its_key_stays_unknown(juan):
    Sheet.objects.filter(pk=juan.pk).update(share="Nt-_3" * 6)
    stranger = Client(headers={"Accept-Language": "en"})
    for link in ("https://example.org/shared/" + "Nt-_3" * 6 + "/", "Nt-_3" * 6, "/shared/" + "Nt-_3" * 6 + "/?x#y"):
        answer = compared(stranger, b_link=link)
        sent = fields(answer)
        assert (sent["b"], sent["b_link"], sent["b.dice"]) == ("Nt-_3" * 6, "", "4")
        assert words_in(answer, "Juan", str(juan.pk)) == ["Juan"]
        assert fields(compared(stranger, **sent)) == sent


def test_whoever_may_read_a_sheet_may_compare_it_and_is_led_there(juan):
    stranger = Client(headers={"Accept-Language": "en"})
    assert compared(stranger, b=juan.pk).status_code == 404
    Sheet.objects.filter(pk=juan.pk).update(seen_by=PUBLIC)
    answer = compared(stranger, b=juan.pk)
    assert (fields(answer)["b"], fields(answer)["b.dice"]) == (juan.pk, "4")
    assert f'href="{reverse("compare", args=["condice"])}?b={juan.pk}"' in stranger.get(f"/sheets/{juan.pk}/").text


def test_a_link_that_leads_nowhere_is_told_so_and_an_address_that_means_no_sheet_finds_nothing(juan):
    Sheet.objects.filter(pk=juan.pk).update(share="abc")
    for link in ("nowhere", "https://example.org/", "/shared/../", "x" * 70, "\0", "ü", "/" * 2_000 + "/shared/abc/"):
        answer = compared(juan.client, b_link=link)
        assert answer.status_code == 200
        assert "No shared ConDice sheet has this link." in text_of(answer)
    assert "No shared Dice Rumble sheet" in text_of(compared(juan.client, "dice-rumble", b_link="/shared/abc/"))
    for ref in ("1", "None", "\0", "ü", "x" * 70, "00000000-0000-0000-0000-000000000000", "../", "{}"):
        assert compared(juan.client, a=ref).status_code == 404, ref
    assert compared(juan.client, "chess").status_code == 404


def test_a_sheet_against_itself_is_told_apart_and_names_are_words_and_no_patterns(juan):
    told = ("Juan (1) wins", "Juan (2) wins")
    assert words_in(text_of(compared(juan.client, a=juan.pk, b=juan.pk)), *told) == [*told]
    Sheet.objects.filter(pk=juan.pk).update(name="{first} <b>{0}</b> %s")
    answer = compared(juan.client, a=juan.pk, b=juan.other)
    assert "If {first} &lt;b&gt;{0}&lt;/b&gt; %s starts" in answer.text


def test_own_sheets_of_the_system_are_to_choose_from_and_no_others(juan):
    juan.client.post("/build/dice-rumble/")
    Guest(example(), system="condice")
    option = re.compile(r'<option value="([0-9a-f-]{36})"')
    assert {*option.findall(compared(juan.client).text)} == {juan.pk, juan.other}
    Sheet.objects.bulk_create(Sheet(ruleset="condice", data={}, guest=juan.sheet.guest) for _n in range(MAX_LISTED))
    assert len(option.findall(compared(juan.client).text)) == 2 * MAX_LISTED


def test_it_opens_with_ones_own_sheets_where_they_can_meet_and_else_with_samples(juan):
    sent = fields(compared(juan.client))
    assert {sent["a"], sent["b"]} == {juan.pk, juan.other}
    Sheet.objects.filter(pk=juan.other).update(play={"life": 0})
    Sheet.objects.filter(pk=juan.pk).update(data=systems()["condice"].document()["data"])
    answer = compared(juan.client)
    assert [fields(answer)[side] for side in "ab"] == list(systems()["condice"].examples)[:2]
    assert 'role="alert"' not in answer.text.partition("</main>")[0]
    assert fields(compared(juan.client, a=juan.other))["b"] == "juan"


def test_what_differs_and_who_has_more_is_marked(juan):
    assert "differs" not in compared(juan.client, a=juan.pk, b=juan.pk).text
    answer = compared(juan.client, a=juan.pk, b=juan.other)
    ahead = re.findall(r'<tr class="differs"><th scope="row">([^<]+)</th>(.*?)</tr>', answer.text, re.S)
    for title, cells in ahead:
        numbers = [int(one) for one in re.findall(r"<td[^>]*>(-?\d+)(?: / \d+)?<", cells)]
        if len(numbers) == 2:
            assert (cells.index('class="ahead"') < cells.index("</td>")) == (numbers[0] > numbers[1]), title
    assert any('class="ahead"' in cells for _title, cells in ahead)
    assert 'class="shares"' in answer.text
    # By htmx both parts come, and no page.
    parts = ('id="sides"', 'id="comparison"')
    assert words_in(compared(juan.client, htmx=True, a=juan.pk), *parts, "<html") == [*parts]


def test_a_fight_too_long_to_reckon_is_told_so_and_blows_are_answered(juan):
    sent = fields(compared(juan.client, a=juan.pk, b=juan.other))
    text = text_of(compared(juan.client, **{**sent, "a.life": "999", "b.life": "999"}))
    assert text.count("takes too long to calculate exactly") == 2
    assert "A blow by Juan" in text


@every_system
def test_two_examples_stand_side_by_side_row_by_row_wherever_one_comes_from(db, ruleset):
    guest = two_of(ruleset)
    answer = compared(guest.client, ruleset.slug, a=guest.pk, b=guest.other)
    assert answer.status_code == 200
    told = ["Side by side", *(str(one.title) for one in ruleset.sheet.derivations().values() if one.tile)]
    assert words_in(text_of(answer), *told) == told
    table = re.search(r"<table class=\"beside\">(.*?)</table>", answer.text, re.S)[1]
    rows = [row for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table, re.S) if "rowgroup" not in row]
    assert len(rows) > 1
    assert all(len(re.findall(r"<t[hd]", row)) == 3 for row in rows)
    Sheet.objects.filter(pk=guest.pk).update(share="abc")
    here = reverse("compare", args=[ruleset.slug])
    for page, address in (("/", here), ("/sheets/", f"{here}?a={guest.pk}"),
                          (f"/sheets/{guest.pk}/", f"{here}?a={guest.pk}"), ("/shared/abc/", f"{here}?b=abc")):
        assert f'href="{address}"' in guest.client.get(page).text, page


@every_system
def test_a_system_without_a_contest_compares_all_the_same_and_so_does_an_empty_sheet(db, ruleset, monkeypatch):
    empty = Guest(system=ruleset.slug)
    assert compared(empty.client, ruleset.slug, a=empty.pk, b=empty.pk).status_code == 200
    monkeypatch.setitem(ruleset.__dict__, "contest", None)
    guest = Guest(next(iter(ruleset.examples.values())), system=ruleset.slug)
    answer = compared(guest.client, ruleset.slug, a=guest.pk)
    assert words_in(text_of(answer), "Side by side", "there is no contest", "Assumptions") == [
        "Side by side", "there is no contest"]
    assert set(fields(answer)) == {"a", "a_link", "b", "b_link"}


@pytest.mark.parametrize("name", ["Keywords: Tag Team", "Mana curve: 1 mana"])
def test_values_by_key_have_the_names_that_the_sheet_gives_them(db, name):
    guest = two_of(systems()["battle-dice"])
    assert name in text_of(compared(guest.client, "battle-dice", a=guest.pk, b=guest.other))
