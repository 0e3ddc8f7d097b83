"""Which rows of two lists are the same ones; here a letter is what a row is called, and a digit all its figures."""

from itertools import product

import pytest

from sheets.diff.row_matching import RowTraits, matched, moved


def rows(text):
    """"A4 b:A3": a row for each word; before a colon stands its kind, else there is one kind."""
    found = []
    for word in text.split():
        kind, _colon, rest = word.rpartition(":")
        found.append(RowTraits(kind, rest[0].casefold(), word, rest[1:]))
    return found


@pytest.mark.parametrize(("before", "after", "pairs"), [
    ("A1 B2", "A1 B2", "00 11"),
    ("A1 B2", "C3 A1 B2", "01 12"),
    ("A1 B2 C3", "A1 C3", "00 21"),
    ("A1 B2", "A1 B5", "00 11"),
    ("A1 B2", "a1 B2", "00 11"),
    ("A1 B2 C3", "C3 A1 B2", "01 12 20"),
    ("A1 B2 C3", "A1 D2 C3", "00 11 22"),
    ("A1 B2 C3", "A1 X9 D2 C3", "00 12 23"),
    ("A1 B2 C3", "A1 D8 C3", "00 11 22"),
    ("A1 A2 A3", "A2 A3", "10 21"),
    ("A1 A1", "A1 A1 A1", "00 11"),
    ("A1", "k:A1", ""),
    ("k:A1 l:A2", "l:A2 k:A1", "01 10"),
    ("", "A1", ""),
    ("A1", "B2 C3", "00"),
])
def test_rows_are_told_apart_by_what_they_are_called_then_by_where_they_stand(before, after, pairs):
    assert matched(rows(before), rows(after)) == [(int(pair[0]), int(pair[1])) for pair in pairs.split()]


def test_to_ask_the_other_way_round_gives_the_same_pairs():
    words = ("A1", "A2", "B1", "k:B1")
    lists = [" ".join(row) for many in range(4) for row in product(words, repeat=many)]
    for before in lists[::3]:
        for after in lists[::2]:
            there = matched(rows(before), rows(after))
            back = matched(rows(after), rows(before))
            assert sorted((b, a) for a, b in back) == there, (before, after)


def test_a_row_between_other_neighbours_is_another_one():
    before, after = rows("A1 A2 B1 k:C3 k:A1"), rows("k:A1 B2 A2 D4 k:D4")
    found = matched(before, after)
    assert found == [(1, 2), (2, 1), (4, 0)]


@pytest.mark.parametrize(("pairs", "shifted"), [
    ([], set()), ([(0, 0), (1, 1)], set()), ([(0, 1), (1, 2)], set()), ([(0, 1), (1, 2), (2, 0)], {0}),
    ([(0, 2), (1, 0), (2, 1)], {2}), ([(0, 3), (1, 1), (2, 2), (3, 0)], {0, 3}),
])
def test_as_few_rows_as_explain_the_order_changed_places(pairs, shifted):
    assert moved(pairs) == shifted
