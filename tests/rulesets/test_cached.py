"""What was reckoned is kept by how large it is, all of it within one bound."""

import tracemalloc
from fractions import Fraction

import pytest

from rulesets import cached, dice
from rulesets.dice import Odds, totals


@pytest.fixture(autouse=True)
def _forgotten():
    cached.clear()
    yield
    cached.clear()


@pytest.fixture
def reckoned():
    """What was reckoned, and two functions that keep what they reckon: so many zeros."""
    done = []

    def zeros(number):
        done.append(number)
        return [0] * number

    return done, cached.cached_by_size(zeros), cached.cached_by_size(zeros.__call__)


def test_what_is_kept_is_reckoned_once_by_each_function(reckoned):
    done, zeros, others = reckoned
    assert zeros(3) is zeros(3)
    assert others(3) is not zeros(3)
    assert done == [3, 3]


def test_all_that_is_kept_takes_so_much_at_most_and_what_was_asked_for_last_stays(reckoned, monkeypatch):
    done, zeros, others = reckoned
    monkeypatch.setattr(cached, "MOST", 4 * cached.size_of(zeros(1000)))
    cached.clear()
    for number in (1000, 1001, 1002):
        zeros(number)
        others(1000)
    del done[:]
    for number in (1001, 1002):
        zeros(number)
    others(1000)
    assert done == []
    zeros(1000)
    assert done == [1000]
    # What alone is larger is not kept, and takes nobody's place.
    zeros(99_000)
    zeros(1000)
    assert done == [1000, 99_000]
    assert cached._size <= cached.MOST


@pytest.mark.parametrize("make", [
    lambda: totals.__wrapped__(30, tuple(range(1, 300))), lambda: totals.__wrapped__(400, (0, 0, 0, 1, 1, 2)),
    lambda: dice.multisets.__wrapped__(9, range(1, 7)),
    lambda: Odds.counted(dict(totals.__wrapped__(400, (0, 0, 0, 1, 1, 2)))),
    lambda: Odds({number: Fraction(3 ** number, 5 ** 400) for number in range(400)}),
], ids=["ranges", "dice", "multisets", "odds", "fractions"])
def test_how_large_something_is_is_known_about(make):
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    made = make()
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert 0.5 < cached.size_of(made) / taken < 3


def test_ways_that_people_choose_leave_no_more_behind_than_is_kept(monkeypatch):
    monkeypatch.setattr(cached, "MOST", 1_000_000)
    for count in range(300, 330):
        totals(count, (0, 0, 0, 1, 1, 2))
    assert 0 < cached._size <= cached.MOST
    assert sum(map(cached.size_of, (answer for answer, _size in cached._cached.values()))) <= cached.MOST
