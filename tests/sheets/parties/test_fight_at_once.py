"""A fight in which all press at once, on the server that production runs: two workers, one database."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import pytest

from tests.server import Server

pytestmark = pytest.mark.slow
ATTACK = "roll-attack-attacks-0"
PLAYERS, ROUNDS, ARRIVALS = 4, 5, 3


@pytest.fixture
def server(tmp_path, transactional_db):
    running = Server(tmp_path)
    yield running
    running.stop()


def together(presses):
    """What becomes of presses that arrive together."""
    with ThreadPoolExecutor(16) as pool:
        return list(pool.map(lambda press: press(), presses))


def test_each_press_counts_once_and_what_lands_is_applied_once_however_often_it_arrives(server):
    table = server.ask("fight", str(PLAYERS))
    players = table["players"]

    def attack(by, at):
        def press():
            return server.send("POST", f"{table['address']}?_by={by}&_at={at}", session=players[by], w=ATTACK,
                               _press=str(uuid.uuid4()))[0]
        return press

    def applied(number, sheet):
        def press():
            return server.send("POST", table["address"], session=players[sheet], do=f"apply:{number}",
                               _press=str(uuid.uuid4()))[0]
        return press

    pairs = [*permutations(players, 2)] * ROUNDS
    assert set(together([attack(*pair) for pair in pairs])) == {302}
    found = server.ask("fought")
    assert (found["rolls"], found["acts"]) == (len(pairs), 0)
    assert {state for _number, _sheet, state, _points in found["landed"]} == {"open"}
    presses = [applied(number, sheet) for number, sheet, _state, _points in found["landed"]] * ARRIVALS
    assert set(together(presses)) == {302}
    after = server.ask("fought")
    assert {state for _number, _sheet, state, _points in after["landed"]} == {"applied"}
    assert after["acts"] == len(found["landed"])
    for sheet, life in after["life"].items():
        assert life == 800 - sum(points for _number, whose, _state, points in found["landed"] if whose == sheet)
    log = server.log.read_text()
    assert "locked" not in log
    assert "Traceback" not in log
