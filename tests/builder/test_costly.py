"""Dear requests are answered a few at a time, of each account and of all at an address; cheap ones never wait."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest

from builder import costly
from builder.turns import Busy

DEAR, CHEAP, NEW = "costly", "cheap", "new"


@pytest.fixture(autouse=True)
def known(monkeypatch):
    """One kind of request that is costly, and one that is not."""
    monkeypatch.setattr(costly, "PATIENCE", 60)
    costly.forget()
    for kind, seconds in ((DEAR, costly.COSTLY), (CHEAP, costly.COSTLY / 2)):
        for where in ("here", "there"):
            costly.learn(where, kind, seconds)
    yield
    assert not costly._at_work | costly._threads
    assert not costly._waiting
    costly.forget()


def in_turn(kind=DEAR, own="guests", where="here"):
    return costly.in_turn(where, kind, f"{own} {where}", [f"house {where}"])


@contextmanager
def several(number, *given):
    with ExitStack() as held:
        for _one in range(number):
            held.enter_context(in_turn(*given))
        yield held


@contextmanager
def one_waits(*given):
    """One more waits for its turn, in a thread of its own; it has had it when this ends."""
    def wait():
        with in_turn(*given):
            return True

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(wait)
        while sum(costly._threads.values()) <= sum(costly._at_work[one] for one in ("house here", "house there")):
            threading.Event().wait(0.01)
        yield waiting
        assert waiting.result(60)


def test_as_many_as_may_be_answered_are_one_more_waits_and_another_is_refused_at_once():
    with ExitStack() as after, several(costly.MAX_PER_OWNER):
        waiting = after.enter_context(one_waits())
        with pytest.raises(Busy), in_turn():
            pass
        assert not waiting.done()


def test_what_is_cheap_goes_on_and_so_does_another_account_and_another_address():
    with several(costly.MAX_PER_OWNER), in_turn(CHEAP), in_turn(own="anna"), in_turn(where="there"):
        pass


def test_all_accounts_at_an_address_hold_no_more_threads_than_leave_one_for_others():
    with ExitStack() as after, several(1, DEAR, "anna"), several(1, DEAR, "ben"), several(1, DEAR, "cleo"):
        after.enter_context(one_waits(DEAR, "dora"))
        with pytest.raises(Busy), in_turn(own="emil"):
            pass
        with in_turn(CHEAP, own="emil"), in_turn(own="emil", where="there"):
            pass


def test_who_waits_longer_than_a_little_is_refused(monkeypatch):
    monkeypatch.setattr(costly, "PATIENCE", 0)
    with several(costly.MAX_PER_OWNER), pytest.raises(Busy), in_turn():
        pass


@pytest.mark.parametrize(("cost", "refused"), [(costly.COSTLY / 2, 0), (costly.COSTLY, 1)])
def test_of_what_nobody_knows_a_few_begin_and_the_others_wait_until_it_is_known(cost, refused):
    answered = []

    def ask():
        with in_turn(NEW):
            answered.append(True)

    with ThreadPoolExecutor(2) as pool:
        # Whatever else is costly there.
        with several(costly.MAX_PER_OWNER), several(costly.MAX_PER_OWNER, NEW):
            waiting = [pool.submit(ask) for _one in range(2)]
            while costly._threads["house here"] < 2 * costly.MAX_PER_OWNER + 2:
                threading.Event().wait(0.01)
            assert not answered
            costly.learn("here", NEW, cost)
            with costly._turn:
                costly._turn.notify_all()
            if refused:
                while not any(one.done() for one in waiting):
                    threading.Event().wait(0.01)
                assert not answered
            else:
                for one in waiting:
                    one.result(60)
        assert sum(isinstance(one.exception(60), Busy) for one in waiting) == refused
    assert len(answered) == 2 - refused


def test_what_was_dear_once_is_so_until_it_has_been_cheap_for_a_while():
    costs = [costly.COSTLY * 1.2, 0, 0]
    for cost in costs:
        costly.learn("here", NEW, cost)
    assert costly.is_cheap("here", NEW)
    costly.learn("here", NEW, costly.COSTLY * 2)
    costly.learn("here", NEW, 0)
    assert not costly.is_cheap("here", NEW)


def test_only_so_many_kinds_are_kept_in_mind(monkeypatch):
    monkeypatch.setattr(costly, "KINDS", 3)
    for number in range(9):
        costly.learn("here", f"{number}", 0)
    assert len(costly._costs) <= 4
    assert ("here", "8") in costly._costs


def test_the_kind_of_a_request_is_its_view_whatever_stands_in_its_address(rf):
    pks = ("00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001")
    assert {costly.kind_of(rf.get(f"/sheets/{pk}/sheet.pdf?paper={pk}")) for pk in pks} == {
        "reads sheets/<uuid:pk>/sheet.pdf"}
    assert costly.kind_of(rf.head("/dice/condice/")) == costly.kind_of(rf.get("/dice/dice-rumble/"))
    assert costly.kind_of(rf.post("/dice/condice/")) != costly.kind_of(rf.get("/dice/condice/"))
    assert costly.kind_of(rf.get("/nowhere/")) == ""
