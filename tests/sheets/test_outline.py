"""A sheet set out: rows with the figures that are derived for them, lists with and without points."""

from rulesets.kit import Count, House, Sheet, Spoken, derived, field, rows
from sheets.outline import Fact, outline


class Song(Spoken):
    name: str = field("Name")
    verses: Count = field("Verses")

    @property
    def label(self):
        return self.name

    def price(self, house):
        return self.verses


class Friend(Spoken):
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
    assert (songs.paid, friends.paid) == (True, False)
    assert not outline(bard, House()).values
