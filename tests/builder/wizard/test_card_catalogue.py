"""Rows that are cards: a catalogue with plus and minus, what it is narrowed to, cards on page and paper."""

import re
from types import SimpleNamespace
from typing import Annotated, ClassVar, Literal

import pytest
from django.utils.translation import override
from pydantic import Field

from rulesets import systems
from rulesets.kit import Count, Entry, House, Sheet, field, rows, slots
from sheets.forms.inputs import Input
from sheets.models import Sheet as Sheets
from sheets.outline import charts, outline
from sheets.templatetags.cards import stack
from tests.support.builder.held import lacking
from tests.support.guest import Guest

DECK = systems()["battle-dice"].examples["quick"]
pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def guest():
    return Guest(DECK, system="battle-dice")


def page(guest, **query):
    return guest.get("deck", **query).text


def words(html) -> list[str]:
    """What the buttons of the catalogue post."""
    return re.findall(r'form="step" name="do" value="((?:add|more|less|drop):[^"]+)"', html)


def test_a_card_in_the_deck_has_plus_and_minus_another_only_plus_and_the_last_copy_goes_with_its_row(guest):
    found = words(page(guest))
    assert found[:7] == ["less:cards.0.copies", "more:cards.0.copies", "less:cards.1.copies", "more:cards.1.copies",
                         "less:cards.2.copies", "more:cards.2.copies", "add:cards:the-biggest-fan"]
    assert not [word for word in found if "minion" in word]
    guest.post("deck", do="less:cards.2.copies")
    assert "drop:cards.2" in words(page(guest))
    guest.post("deck", do="drop:cards.2")
    assert [row["card"] for row in guest.data["cards"]] == ["the-corona-look", "pina-rohkinar"]
    assert "add:cards:snowbuddies" in words(page(guest))


class Rope(Entry):
    """An entry that is no card."""

    kind: Literal["rope"]
    number: Count = field("Number", 1)
    title: ClassVar[str] = "Rope"
    text: ClassVar[str] = "Ties you to a chimney."
    id: ClassVar[str] = "XX-01"

    def price(self, house):
        """A point each."""
        return self.number


class Hook(Rope):
    """Another."""

    kind: Literal["hook"]


class Kit(Sheet):
    """A list of them."""

    kit: list[Annotated[Rope | Hook, Field(discriminator="kind")]] = rows("Kit", [], counted="number")


@pytest.mark.parametrize(("number", "more", "less"), [
    (None, "add:kit:rope", ""), (1, "more:kit.0.number", "drop:kit.0"), (2, "more:kit.0.number", "less:kit.0.number")])
def test_an_entry_that_brings_no_card_has_plus_and_minus_and_says_what_it_is(number, more, less):
    there = [{"kind": "rope", "number": number}] if number else []
    wizard = SimpleNamespace(shape=Kit(kit=there), house=House(), bounds=lambda _path: (0, 99))
    found = stack(wizard, Input(slots(Kit)["kit"], "kit"), "rope")
    assert (found.more, found.less, found.copies, found.apart) == (more, less, number or 0, False)
    assert (found.face.title, found.face.corner, found.face.line) == ("Rope", "1", "Ties you to a chimney.")


def test_copies_in_several_rows_are_one_stack_and_the_last_row_gives_first(guest):
    sheet = guest.sheet
    sheet.data["cards"].append({"card": "the-corona-look", "copies": 1})
    sheet.save()
    html = page(guest)
    assert "drop:cards.3" in words(html)
    assert lacking(html, "<strong>4</strong>", 'id="f-cards-0-copies"', 'id="f-cards-3-copies"') == []


@pytest.mark.parametrize(("query", "cards"), [
    ({"is": ["4 mana"]}, ["Snowbuddies"]), ({"is": ["Zielsuchend", ""]}, ["Piña ≠ Rohkinar"]),
    ({"is": ["4 mana", "Angriff"]}, []), ({"q": "cake token"}, ["The Biggest Fan"]),
])
def test_the_catalogue_is_narrowed_down_by_what_the_cards_bear(guest, query, cards):
    assert re.findall(r"<h3>([^<]+)</h3>", page(guest, **query).partition('class="entries"')[2]) == cards


def test_only_rows_that_ask_more_than_their_number_are_forms_and_a_row_within_one_comes_is_filled_and_goes(guest):
    assert 'name="cards.0.copies"' not in page(guest)
    for do in ("add:cards:custom", "add:cards.3.keywords"):
        guest.post("deck", do=do)
    assert lacking(page(guest), 'name="cards.3.copies"', 'name="cards.3.cost"') == []
    guest.post("deck", {
        "cards.3.keywords.0.keyword": "fokus", "cards.3.keywords.0.value": " 1/2 ", "cards.3.cost": "x"})
    assert guest.data["cards"][3]["keywords"] == [{"keyword": "fokus", "value": "1/2"}]
    assert guest.sheet.typed == {"cards.3.cost": "x"}
    assert "A cost is a whole number from 0 to 999, or X." in page(guest)
    guest.post("deck", {"cards.3.cost": "7"}, do="drop:cards.3.keywords.0")
    assert (guest.data["cards"][3]["keywords"], guest.data["cards"][3]["cost"]) == ([], 7)


def test_numbers_by_key_are_bars_and_cards_are_laid_out_copy_by_copy():
    ruleset = systems()["battle-dice"]
    shape, house = ruleset.sheet.model_validate(DECK["data"]), ruleset.house()
    with override("en"):
        assert charts(shape, house, shape.derive(house))[0].bars == (
            ("1 mana", 3, 100), ("2 mana", 3, 100), ("4 mana", 2, 66.67))
    section, = outline(shape, house).sections
    assert [one.label for one in section.entries] == ["3 × The Corona Look", "3 × Piña ≠ Rohkinar", "2 × Snowbuddies"]
    assert [face.title for face in section.laid_out].count("Snowbuddies") == 2


def test_the_sheet_shows_hand_and_avatars_as_cards_while_one_plays(guest):
    Sheets.objects.filter(pk=guest.pk).update(play={
        "phase": "summon", "mana": 5, "hand": ["Snowbuddies"], "deck": ["Piña ≠ Rohkinar"],
        "avatars": [{"card": "The Corona Look", "damage": 1}]})
    assert lacking(guest.client.get(f"/sheets/{guest.pk}/").text, "Life 1 of 2", "Summon Snowbuddies") == []


def test_a_catalogues_button_can_be_found_again_once_it_is_pressed():
    guest = Guest(system="battle-dice")
    ids = re.findall(r'id="(f-cards-[^"]+--(?:more|less))"', page(guest))
    guest.post("deck", do="add:cards:snowbuddies")
    assert re.findall(r'id="(f-cards-[^"]+--(?:more|less))"', page(guest)) == ids
    assert len({*ids}) == len(ids) > 4
