"""Texts are cut where a page has no room for all of them, and only there."""

from dataclasses import dataclass

from sheets.fitting import beginning, cut_apart, fitted, longest


@dataclass(frozen=True)
class Note:
    text: str
    many: int = 3


def test_what_fits_stays_as_it_is():
    tree = {"a": ["x" * 100, Note("y" * 4_000)], "b": 7}
    assert fitted(tree, 4_100) == (tree, False)


def test_the_longest_texts_are_cut_and_the_shape_stays():
    assert fitted({"a": ("x" * 4_000, "short"), "b": [Note("y" * 4_000), None]}, 3_000) == (
        {"a": ("x" * 999 + "…", "short"), "b": [Note("y" * 999 + "…"), None]}, True)


def test_room_is_counted_as_a_page_needs_it():
    asked = (("'", 6_000), ("'", 5_999), ("ä", 2_000))
    assert [longest([letter * 1_000], room) for letter, room in asked] == [4_000, 500, 4_000]


def test_a_text_that_is_too_long_is_shown_as_it_begins():
    assert [beginning("x" * n, 800) for n in (800, 801)] == [("x" * 800, False), ("x" * 100, True)]


def test_two_texts_are_cut_from_where_they_differ():
    assert cut_apart("one", "other", 60) == ("one", "other")
    before, after = cut_apart("x" * 500 + "alt" + "y" * 500, "x" * 500 + "neu" + "y" * 500, 60)
    assert (before[:4], "alt" in before, "neu" in after) == ("…xxx", True, True)
    assert max(len(before), len(after)) <= 61
