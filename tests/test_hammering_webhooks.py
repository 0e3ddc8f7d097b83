"""Workers that tell webhooks, as processes of their own: several at once, and some that are killed."""

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from tests.support.receivers import RECEIVERS, receivers, several
from tests.support.server import Installation

__all__ = ["receivers"]
pytestmark = pytest.mark.slow


def names(receivers):
    """{path: names of the scenes that it was told of, in order}."""
    return {path: [name_of(body) for body, _headers in told] for path, told in receivers.got.items()}


def name_of(body):
    return int(json.loads(body)["data"]["scene"]["name"])


@pytest.fixture
def site(tmp_path, transactional_db, receivers):
    """An installation with a party that has some webhooks, and no pause between two messages to one."""
    made = Installation(tmp_path)
    made.environment |= {"SITE_URL": "https://sheets.example.org", "TRUSTED_RECEIVERS": receivers.origin,
                         "WEBHOOK_SECONDS": "0"}
    made.migrate(tmp_path)
    made.ask("hooked", *receivers.addresses)
    return made


def test_several_workers_at_once_tell_each_receiver_all_of_it_exactly_once_and_in_order(site, receivers, full, figure):
    workers, events = (4, 2_000 // RECEIVERS) if full else (3, 20 // RECEIVERS)
    site.ask("happen", str(events))
    with ThreadPoolExecutor(workers) as pool:
        done = list(pool.map(lambda _number: site.command("deliver"), range(workers)))
    assert [(one.returncode, one.stderr) for one in done] == [(0, "")] * workers
    assert names(receivers) == {f"/{one}": [*range(events)] for one in range(RECEIVERS)}
    assert site.ask("mailed") == {"sent": RECEIVERS * events}
    figure(f"{workers} workers, {RECEIVERS} receivers: {RECEIVERS * events} messages, each once and in order")


def test_workers_that_are_killed_lose_nothing_and_keep_the_order(site, receivers, full):
    kills, events = (8, 2_000 // RECEIVERS) if full else (2, 20 // RECEIVERS)
    site.ask("happen", str(events))
    for kill in range(kills):
        receivers.kill_sender(site, 3, arrives=kill % 2 == 0)
        site.ask("mailed", "later")
    assert site.command("deliver").returncode == 0
    for told in receivers.got.values():
        # Whoever was told twice was told the same: the id says so.
        once = dict.fromkeys((headers["webhook-id"], name_of(body)) for body, headers in told)
        assert [name for _id, name in once] == [*range(events)]
    assert receivers.number() == RECEIVERS * events + kills // 2


def test_a_receiver_is_sent_at_most_one_message_a_second(site, receivers):
    site.environment["WEBHOOK_SECONDS"] = "1"
    site.ask("happen", "5")
    with several(site, 1):
        receivers.wait_for(RECEIVERS * 5)
    assert names(receivers) == {f"/{one}": [*range(5)] for one in range(RECEIVERS)}
    times = [[int(headers["webhook-timestamp"]) for _body, headers in told] for told in receivers.got.values()]
    assert all(before < after for each in times for before, after in pairwise(each))
