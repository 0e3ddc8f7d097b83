"""What was acknowledged is kept: editors who collide, a server that is killed, backups while others write."""

import re
import shutil
import signal
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from itertools import count, cycle

import pytest

from tests.cluster.players import ROLL, Load
from tests.support.server import PATIENCE, migrated, until

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(serve):
    """The server, whose limits hold for an hour where they hold for a minute else."""
    return serve(DJANGO_SETTINGS_MODULE="tests.support.stuck.settings")


def version_of(server, sheet):
    """The version that a page of the builder is made from."""
    return re.search(r'name="_version" value="(\d+)"', server.send("GET", f"/drafts/{sheet}/figure/")[1])[1]


def rename(server, sheet, version, name):
    """The status of one save."""
    return server.send("POST", f"/drafts/{sheet}/figure/", _version=version, _name=name)[0]


def test_editors_of_one_sheet_at_once_lose_nothing(server, full, figure):
    editors, saves = (200, 10) if full else (12, 2)
    sheet = server.filled["sheet"]
    together = threading.Barrier(editors, timeout=PATIENCE)

    def edit(editor):
        found = []
        for number in range(saves):
            name, version = f"{editor}-{number}", version_of(server, sheet)
            if not number:
                # All have the same version before them: one saves, and all others are told.
                together.wait()
            found.append((rename(server, sheet, version, name), name))
        return found

    with ThreadPoolExecutor(editors) as pool:
        answers = [one for found in pool.map(edit, range(editors)) for one in found]
    saved = [name for status, name in answers if status == 302]
    conflicts = [name for status, name in answers if status == 409]
    version, name, _keys = server.ask("kept")[sheet]
    assert len(saved) + len(conflicts) == editors * saves
    assert saved
    assert conflicts
    assert version == 1 + len(saved)
    assert name in saved
    figure(f"{editors} editors: {len(saved)} saves, {len(conflicts)} conflicts, version {version}")


@pytest.mark.database("sqlite", mostly=True)
def test_what_was_acknowledged_survives_a_server_that_is_killed(server, full, figure):
    kills, wanted = (50, 100) if full else (2, 40)
    load = Load(server, cut=True)
    try:
        for _kill in range(kills):
            load.goes_on_for(wanted)
            server.stop(signal.SIGKILL)
            server.start()
        load.goes_on(PATIENCE, time.monotonic())
    finally:
        load.end()
    load.proven()
    figure(f"{kills} kills, {load.acknowledged()} acknowledged, none lost")


class Reviewer:
    """Somebody at the page of a sheet's approval; remembers what each form showed and what was acknowledged."""

    def __init__(self, server, sheet, session):
        self.server, self.address = copy(server), f"/sheets/{sheet}/review/"
        self.server.filled = {"session": session}
        self.seen, self.approved, self.statuses = {}, [], set()

    def do(self, word, **fields):
        """Presses a button."""
        status = self.server.send("POST", self.address, do=word, **fields)[0]
        self.statuses.add(status)
        return status

    def decide(self, word):
        """Looks, and then decides about what was seen."""
        status, page = self.server.send("GET", self.address)
        seal = re.search(r'name="_seal" value="(\w+)"', page)
        if status != 200 or not seal:
            return
        self.seen[seal[1]] = re.search(r"<h1>([^<]*)</h1>", page)[1]
        time.sleep(0.01)
        if self.do(word, _seal=seal[1], comment="So.") == 302 and word == "approve":
            self.approved.append(seal[1])

    def repeat(self, *words):
        """All of it, one after the other."""
        for word in words:
            if word in {"approve", "return"}:
                self.decide(word)
            else:
                self.do(word, comment="So.")

    def edit(self, sheet, done):
        """Renames the sheet until the end."""
        for number in count():
            if done.is_set():
                return
            rename(self.server, sheet, version_of(self.server, sheet), f"Juan {number}")


def verified(server, done):
    """Looks at the chain until the end, and finds it whole each time."""
    while not done.wait(0.5):
        checked = server.command("verify_reviews")
        assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.database("postgresql", mostly=True)
def test_edits_submissions_and_decisions_at_once_approve_only_what_a_gm_has_seen(server, full, figure):
    rounds = 50 if full else 3
    made = server.ask("reviewed")
    sheet = made.pop("sheet")
    people = {name: Reviewer(server, sheet, session) for name, session in made.items()}
    gm, helper, player = (people[name] for name in ("gm", "helper", "player"))
    done = threading.Event()
    with ThreadPoolExecutor(8) as pool:
        beside = [pool.submit(player.edit, sheet, done), pool.submit(verified, server, done)]

        def at_once(*deeds):
            for one in [pool.submit(do, *words) for do, *words in deeds]:
                one.result()

        def approved():
            at_once((player.repeat, *("submit", "submit", "recall") * rounds),
                    (player.repeat, *("submit",) * 3 * rounds), (gm.repeat, *("approve",) * 3 * rounds),
                    (gm.repeat, *("approve", "return") * rounds),
                    (helper.repeat, *("approve", "approve", "withdraw") * rounds))
            return gm.approved or helper.approved
        try:
            until(approved)
            # An account that ends takes the same rows, and in the same order.
            at_once((server.ask, "end", "helper"), (player.repeat, *("submit",) * 2 * rounds),
                    (gm.repeat, *("approve",) * 2 * rounds))
        finally:
            done.set()
        for one in beside:
            one.result()
    told = server.ask("chain")
    approvals = [entry for entry in told["entries"] if entry[1] == "approved"]
    assert told["faults"] == []
    assert [entry[0] for entry in told["entries"]] == list(range(1, len(told["entries"]) + 1))
    assert gm.statuses | helper.statuses | player.statuses <= {302, 404, 409}
    assert sorted(entry[3] for entry in approvals) == sorted(gm.approved + helper.approved)
    for _number, _kind, by, seal, name in approvals:
        assert people[by or "helper"].seen[seal] == name
    figure(f"{len(told['entries'])} entries written at once, {len(approvals)} of them approvals")


@pytest.mark.more
@pytest.mark.database("postgresql", mostly=True)
def test_attempts_are_counted_by_both_workers_together(server):
    # 30 attempts from one address; were each worker to count for itself, all of these would be let in.
    assert [server.send("POST", "/account/login/", login=f"name{n}", password="falsch")[0] for n in range(34)] == [
        200] * 30 + [429] * 4


# It comes last: afterwards the server's database is that of a backup, in which nobody is signed in.
@pytest.mark.more
@pytest.mark.database("sqlite", mostly=True)
def test_backups_under_way_are_whole_and_come_back(server, tmp_path, full, figure):
    backups, pace = (20, 50) if full else (1, 25)
    before = sum(len(keys) for _version, _name, keys in server.ask("kept").values())
    sheets = cycle(server.ask("more", "5"))
    done, sent = threading.Event(), []

    def write():
        began = time.monotonic()
        while not done.is_set():
            sent.append(server.press(ROLL, str(uuid.uuid4()), sheet=next(sheets)))
            time.sleep(max(0, began + len(sent) / pace - time.monotonic()))

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write)
        began = time.monotonic()
        made = []
        for number in range(backups):
            made.append(server.command("backup", tmp_path / f"{number}.backup"))
            seen = len(sent)
            until(lambda seen=seen: len(sent) > seen + 1 or writing.done())
        took = time.monotonic() - began
        done.set()
        writing.result()
    assert [one.returncode for one in made] == [0] * backups, made[0].stderr
    assert set(sent) == {302}
    counts = [before]
    for number in range(backups):
        file = tmp_path / f"{number}.sqlite3"
        shutil.copy(migrated(), file)
        there = {"DATABASE_URL": f"sqlite:///{file}"}
        back = server.command("restore", tmp_path / f"{number}.backup", **there)
        assert back.returncode == 0, back.stderr
        looked = server.command("doctor", **there)
        assert looked.returncode == 0, looked.stdout
        counts.append(int(re.search(r"sheets.Event: (\d+)", looked.stdout)[1]))
    # And back into the database that they came from, which may be of another kind.
    last = tmp_path / "last.backup"
    assert server.command("backup", last, **there).returncode == 0
    again = server.command("restore", "--replace", last)
    assert again.returncode == 0, again.stderr
    assert server.command("doctor").returncode == 0
    assert sum(len(keys) for _version, _name, keys in server.ask("kept").values()) == counts[-1]
    assert counts == sorted(counts)
    assert counts[-1] > counts[0]
    figure(f"{backups} backups in {took:.0f} s under {len(sent) / took:.0f} writes a second, rows {counts}")
