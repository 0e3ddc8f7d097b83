"""A press that arrives many times at once, on the server that production runs: two workers, one database."""

import uuid

import pytest

pytestmark = pytest.mark.slow
AT_ONCE = 20
ROLL, ACT = "roll-attack-attacks-0", "act-damage"


def test_twenty_arrivals_of_one_press_are_one_roll_and_twenty_presses_are_twenty(server):
    for which, answers in ((ROLL, {"defence": "2"}), (ACT, {"points": "3", "against": "nothing"})):
        assert server.at_once(which, [str(uuid.uuid4())] * AT_ONCE, **answers) == [302] * AT_ONCE
    assert server.ask("count") == {"events": {ROLL: 1, ACT: 1}, "play": {"life": 7}}
    assert server.at_once(ROLL, [str(uuid.uuid4()) for _ in range(AT_ONCE)]) == [302] * AT_ONCE
    assert server.ask("count")["events"] == {ROLL: 1 + AT_ONCE, ACT: 1}
