"""Files are read one at a time from an address; nobody waits for another address."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from builder import turns
from builder.turns import Busy, one_at_a_time


@pytest.fixture
def reading():
    """Begin to read a file from here; it ends with the test."""
    begun, end = threading.Event(), threading.Event()

    def read():
        with one_at_a_time("here"):
            begun.set()
            end.wait(60)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(read)
        assert begun.wait(60)
        yield end
        end.set()


def test_another_address_waits_for_nobody(reading, monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0)
    with one_at_a_time("there"):
        pass
    with pytest.raises(Busy), one_at_a_time("here"):
        pass


def test_one_more_of_the_same_address_waits_and_a_third_is_refused_at_once(reading, monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 60)

    def second():
        with one_at_a_time("here"):
            return True
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(second)
        while "here" not in turns._waiting:
            threading.Event().wait(0.01)
        with pytest.raises(Busy), one_at_a_time("here"):
            pass
        reading.set()
        assert waiting.result(60)
    assert not turns._busy | turns._waiting
