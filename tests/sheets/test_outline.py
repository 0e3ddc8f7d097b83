"""A sheet set out: rows with the figures that are derived for them, lists with and without points."""

import pytest
from django.utils.translation import override

from rulesets import systems
from rulesets.kit import CheckedPart, Count, House, Offer, Roll, Sheet, derived, field, rows
from sheets.outline import Fact, outline, outline_beside_rolls, read_figure
from sheets.templatetags.texts import figure_text
from sheets.verdicts import derived_lines


class Song(CheckedPart):
    name: str = field("Name")
    verses: Count = field("Verses")

    @property
    def label(self):
        return self.name

    def price(self, house):
        return self.verses


class Friend(CheckedPart):
    name: str = field("Name")


class Bard(Sheet):
    songs: list[Song] = rows("Songs")
    friends: list[Friend] = rows("Friends")

    @derived("minutes", "Minutes", "BA-01", of="songs")
    def minutes(self, house):
        return {song.name: 3 * song.verses or None for song in self.songs}


def test_figures_of_rows_stand_with_them_and_points_only_where_they_are_paid():
    bard = Bard(songs=[Song(name="Ode", verses=2), Song(name="Hum", verses=0)], friends=[Friend(name="Ole")])
    songs, friends = outline(bard, House()).sections
    assert [entry.facts for entry in songs.entries] == [
        (Fact("Verses", "2"), Fact("Minutes", "6")), (Fact("Verses", "0"),)]
    assert (songs.paid, friends.paid, [*outline(bard, House()).values]) == (True, False, [])


class Badge(CheckedPart):
    colour: str = field("Colour", "white")

    @property
    def label(self):
        return "Badge"

    @property
    def die(self):
        return self.colour

    def what(self):
        return self.colour


class Coat(CheckedPart):
    left: Badge = field("Left")
    right: Badge = field("Right")


class Knight(Sheet):
    coat: Coat = field("Coat")

    @derived("sworn", "Sworn", "KN-01")
    def sworn(self, house):
        return True


def test_the_parts_of_a_whole_stand_by_themselves_each_with_its_die_and_yes_is_a_word():
    read = outline(Knight(coat=Coat(left=Badge(), right=Badge(colour="black"))), House())
    section, = read.sections
    assert (section.within, section.title, read.facts) == (True, "Coat", ())
    assert [(one.path, one.label, one.title, one.text, one.die) for one in section.entries] == [
        ("coat.left", "Badge", "Left", "Left, white", "white"),
        ("coat.right", "Badge", "Right", "Right, black", "black")]
    assert [value.value for value in read.values] == ["ja"]


@pytest.mark.rule("DR-04", "DR-07")
def test_a_figure_that_is_not_known_yet_is_a_dash_and_no_word_of_the_programs():
    sheet = systems()["dice-rumble"].sheet
    assert derived_lines(sheet, "life", None) == ["–"]
    assert derived_lines(sheet, "thresholds", {"Nahkampf": None, "Klettern": 7}) == ["Nahkampf –, Klettern 7"]


@pytest.mark.parametrize(("value", "told"), [
    (True, "ja"), (False, "nein"), ({"Boot": True}, "Boot ja"), ([{"Boot": False}], "Boot nein")])
def test_whether_something_is_so_is_said_in_words_where_a_sheet_is_brought_in(value, told):
    with override("de"):
        assert derived_lines(Knight, "sworn", value) == [told]


@pytest.mark.parametrize(("language", "told"), [("en", "4.4"), ("de", "4,4")])
def test_a_fraction_is_read_as_a_decimal_and_texts_stay_as_they_are(language, told):
    with override(language):
        assert read_figure("35/8") == told
        assert [read_figure(value) for value in ("35/0", "1/2/3", "1-6", 8, None)] == ["35/0", "1/2/3", "1-6", 8, None]
        deck = systems()["battle-dice"]
        shape = deck.sheet.model_validate({"cards": [{"card": "snowbuddies", "copies": 3},
                                                     {"card": "the-biggest-fan", "copies": 3},
                                                     {"card": "pina-rohkinar", "copies": 2}]})
        assert {one.key: one.value for one in outline(shape, deck.house()).values}["average_cost"] == \
            {"en": "3.9", "de": "3,9"}[language]


def test_a_figure_below_nothing_has_its_sign():
    with override("de"):
        assert [figure_text(value) for value in (-1, 3, True, "7/2")] == ["−1", "3", "ja", "3,5"]


def test_what_rolls_say_already_goes_on_the_list_that_stands_beside_and_then_come_others():
    bard = Bard(songs=[Song(name="Ode", verses=2)], friends=[Friend(name="Ole"), Friend(name="Ida")])
    figure_text = [Offer(Roll, "", key=key) for key in ("songs.0", "friends.1")]
    parts = outline_beside_rolls(outline(bard, House()), figure_text)
    assert [section.title for section in parts["beside"]] == ["Friends"]
    assert [(section.title, section.goes_on) for section in parts["rest"]] == [("Friends", True), ("Songs", False)]
