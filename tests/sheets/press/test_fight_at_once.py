"""A fight in which all press at once, on the server that production runs: two workers, one database."""

import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import pytest
from django.db import connection

from tests.support.rulesets.contract import report

pytestmark = [pytest.mark.slow, pytest.mark.database("postgresql", mostly=True)]
ATTACK = "roll-attack-attacks-0"
PLAYERS, ARRIVALS = 5, 2


def together(presses):
    """The statuses of presses that arrive together, mixed up, each of them more than once."""
    mixed = [press for begin in range(7) for press in presses[begin::7] for _time in range(ARRIVALS)]
    with ThreadPoolExecutor(16) as pool:
        return set(pool.map(lambda press: press(), mixed))


def test_each_press_counts_once_and_what_lands_is_applied_once_however_often_it_arrives(server, full):
    table = server.ask("fight", str(PLAYERS))
    players = table["players"]

    def attack(by, at):
        address, key = f"{table['address']}?_by={by}&_at={at}", str(uuid.uuid4())
        return lambda: server.send("POST", address, session=players[by], w=ATTACK, _press=key)[0]

    def applied(number, sheet):
        key = str(uuid.uuid4())
        return lambda: server.send(
            "POST", table["address"], session=players[sheet], do=f"apply:{number}", _press=key)[0]

    def open_(found):
        return [applied(number, sheet) for number, sheet, state, _points in found["landed"] if state == "open"]

    # At full counts there are 2,000 presses in all: 1,040 attacks, of which nearly all hit.
    pairs = [*permutations(players, 2)] * (26 if full else 2)
    assert together([attack(*pair) for pair in pairs]) == {302}
    found = server.ask("fought")
    assert (found["rolls"], found["acts"]) == (len(pairs), 0)
    # What has landed is applied while the fight goes on.
    assert together([*open_(found), *(attack(*pair) for pair in pairs)]) == {302}
    assert together(open_(server.ask("fought"))) == {302}
    after = server.ask("fought")
    assert {state for _number, _sheet, state, _points in after["landed"]} == {"applied"}
    assert (after["rolls"], after["acts"]) == (2 * len(pairs), len(after["landed"]))
    if full:
        assert after["rolls"] + after["acts"] > 2_000
    lost = Counter()
    for _number, sheet, _state, points in after["landed"]:
        lost[sheet] += points
    assert after["lost"] == dict(lost)
    if full:
        report(f"{connection.vendor}: {after['rolls']:,} rolls and {after['acts']:,} acts by {PLAYERS}, each pressed "
               f"{ARRIVALS} times, counted once; life lost {sum(lost.values()):,}, the sum of the log")


ATTACKS = {
    "dice-rumble": ({"w": "roll-attack-unarmed"}, "dodge", [["attack"]], [["dodge-duel"]]),
    "daemmersturm": ({"w": "roll-damage", "range": "1-6", "rolls": "1", "critical": "0", "source": "melee"}, "shield",
                     [["damage"]], [["shield"], ["shield", "damage"]])}
"""{system: (press, answer, what may fall without and with that answer)}."""


@pytest.mark.parametrize("slug", ATTACKS)
def test_of_answers_that_arrive_at_once_one_counts_and_the_roll_falls_once_or_was_called_off(server, full, slug):
    table, (attack, answer, without, with_answer) = server.ask("duel", slug), ATTACKS[slug]
    (anna, attacker), (ben, defender) = table["anna"], table["ben"]

    def pressing(session, key=None, **fields):
        key = key or str(uuid.uuid4())
        return lambda: server.send("POST", f"{table['address']}?_by={anna}&_at={ben}", session=session, _press=key,
                                   **fields)[0]

    answers = Counter()
    for _time in range(40 if full else 8):
        before = server.ask("responded", table["party"])
        assert together([pressing(attacker, **attack)]) == {302}
        number = max(one for one, response in server.ask("responded", table["party"])["questions"] if not response)
        presses = [pressing(session, do=f"respond:{number}:{choice}")
                   for choice in ("forgo", answer) for session in (defender, table["gm"])]
        assert together([*presses, pressing(attacker, do=f"call-off:{number}")]) <= {302, 404}
        after = server.ask("responded", table["party"])
        fallen = after["rolls"][len(before["rolls"]):]
        response = dict(map(tuple, after["questions"])).get(number)
        assert fallen in ([[]] if response is None else without if response == "Do not respond" else with_answer)
        assert len(after["acts"]) - len(before["acts"]) == (fallen == ["dodge-duel"] and before["dice"][1] is not None)
        answers[response] += 1
    if full:
        report(f"{connection.vendor}, {slug}: of answers at once counted {dict(answers)}")
