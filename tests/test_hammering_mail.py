"""Senders of mails as processes of their own: several at once, one that is killed, one that is told to end."""

import re
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.server import PATIENCE, ROOT, Installation

pytestmark = pytest.mark.slow
SITE = {"SITE_URL": "https://sheets.example.org"}
MANY, PIPE = 40, 4_096
"""Mails that do not all fit into a pipe that nobody reads: a sender of so many waits to be read, and is met at work."""
TO = re.compile(r"^To: (\w+)@example\.org$", re.MULTILINE)


@pytest.fixture
def site(tmp_path, transactional_db):
    """An installation without a mail server, whose mails go to the log."""
    made = Installation(tmp_path)
    made.migrate(tmp_path)
    return made


def begun(site, *words):
    return subprocess.Popen([sys.executable, "manage.py", "deliver", *words], cwd=ROOT, env=site.environment | SITE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, pipesize=PIPE)


def sent(process, number):
    """What a sender says until it has sent so many."""
    lines = []
    while number:
        lines.append(process.stdout.readline())
        assert lines[-1], process.stderr.read()
        number -= bool(TO.match(lines[-1]))
    return "".join(lines)


def test_several_senders_at_once_send_each_person_one_mail(site, full, figure):
    senders, people = (6, 300) if full else (3, 40)
    names = site.ask("readers", str(people))
    with ThreadPoolExecutor(senders) as pool:
        done = list(pool.map(lambda _number: site.command("deliver", **SITE), range(senders)))
    assert [(one.returncode, one.stderr) for one in done] == [(0, "")] * senders
    assert Counter(name for one in done for name in TO.findall(one.stdout)) == Counter(names)
    assert sum(int(re.search(r"mail: (\d+) sent", one.stdout)[1]) for one in done) == people
    assert site.ask("mailed") == {"sent": 2 * people}
    share = [len(TO.findall(one.stdout)) for one in done]
    figure(f"{senders} senders, {people} people: {share} mails, one each")


@pytest.mark.alike
def test_a_sender_that_is_killed_loses_no_mail_and_sends_none_but_its_last_again(site, full):
    kills, people = (8, 25 * MANY) if full else (2, MANY)
    names = site.ask("readers", str(people))
    said = []
    for _kill in range(kills):
        sender = begun(site)
        said.append(sent(sender, 3))
        sender.kill()
        said.append(sender.communicate()[0])
        assert sender.returncode == -signal.SIGKILL
    site.ask("mailed", "later")
    last = site.command("deliver", **SITE)
    assert (last.returncode, last.stderr) == (0, "")
    assert TO.findall(last.stdout)
    found = Counter(TO.findall("".join(said) + last.stdout))
    assert set(found) == set(names)
    assert found.total() <= people + kills
    assert site.ask("mailed") == {"sent": 2 * people}


@pytest.mark.more
def test_a_sender_that_is_told_to_end_lets_the_mail_at_hand_go_out(site):
    names = site.ask("readers", str(MANY))
    sender = begun(site, "--every", "60")
    said = sent(sender, 2)
    sender.terminate()
    rest, error = sender.communicate(timeout=PATIENCE)
    assert (sender.returncode, error) == (0, "")
    first = TO.findall(said + rest)
    assert len(first) < MANY
    assert f"mail: {len(first)} sent" in rest
    assert site.ask("mailed").get("sent", 0) == 2 * len(first)
    # Nobody is left claimed: the next one sends the others at once.
    assert sorted(first + TO.findall(site.command("deliver", **SITE).stdout)) == sorted(names)
