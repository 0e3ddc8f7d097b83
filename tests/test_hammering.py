"""What was acknowledged is kept: editors who collide, a server that is killed, backups while others write."""

import re
import shutil
import signal
import sys
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from itertools import count, cycle

import pytest

pytestmark = pytest.mark.slow
ROLL = "roll-attack-attacks-0"


def version_of(server, sheet):
    """The version that a page of the builder is made from."""
    return re.search(r'name="_version" value="(\d+)"', server.send("GET", f"/drafts/{sheet}/figure/")[1])[1]


def rename(server, sheet, version, name):
    """The status of one save."""
    return server.send("POST", f"/drafts/{sheet}/figure/", _version=version, _name=name)[0]


def test_editors_of_one_sheet_at_once_lose_nothing(server, full):
    editors, saves = (200, 10) if full else (12, 4)
    sheet = server.filled["sheet"]

    def edit(editor):
        found = []
        for number in range(saves):
            name = f"{editor}-{number}"
            found.append((rename(server, sheet, version_of(server, sheet), name), name))
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
    if full:
        sys.stdout.write(f"\n{editors} editors: {len(saved)} saves, {len(conflicts)} conflicts, version {version}\n")


class Player:
    """Renames a sheet of their own and rolls on it, by turns, and remembers what was acknowledged."""

    def __init__(self, server, sheet):
        self.server, self.sheet = server, sheet
        self.version, self.saves, self.keys, self.open = 1, 0, [], None

    def step(self):
        """One save and one roll; what nobody answered is asked again, as a person would."""
        name = self.open or f"Juan {self.version}"
        self.open = name
        status = rename(self.server, self.sheet, self.version, name)
        if status == 302:
            self.saves += 1
        else:
            # The save before was made, and its answer was killed.
            assert status == 409
        self.version, self.open = self.version + 1, None
        key = str(uuid.uuid4())
        if self.server.press(ROLL, key, sheet=self.sheet) == 302:
            self.keys.append(key)


def test_what_was_acknowledged_survives_a_server_that_is_killed(server, full):
    kills, wanted, hands = (50, 5_000, 4) if full else (3, 120, 4)
    players = [Player(server, sheet) for sheet in server.ask("more", str(hands))]
    done = threading.Event()

    def play(player):
        while not done.is_set():
            try:
                player.step()
            except OSError:
                time.sleep(0.02)

    def acknowledged():
        return sum(player.saves + len(player.keys) for player in players)

    with ThreadPoolExecutor(hands) as pool:
        running = [pool.submit(play, player) for player in players]
        for kill in range(kills):
            while acknowledged() < wanted * (kill + 1) / kills and not any(one.done() for one in running):
                time.sleep(0.005)
            server.stop(signal.SIGKILL)
            server.start()
        done.set()
        for one in running:
            one.result()
    kept = server.ask("kept")
    for player in players:
        version, name, keys = kept[player.sheet]
        assert set(player.keys) <= set(keys)
        # The last save of all may have been made without an answer.
        assert version - player.version in ({0, 1} if player.open else {0})
        assert version == 1 or name == f"Juan {version - 1}"
    assert acknowledged() >= wanted
    if full:
        sys.stdout.write(f"\n{kills} kills, {acknowledged()} acknowledged, none lost\n")


def test_backups_under_way_are_whole_and_come_back(server, tmp_path, full):
    backups, pace = (20, 50) if full else (2, 25)
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
        made = [server.command("backup", str(tmp_path / f"{number}.backup")) for number in range(backups)]
        took = time.monotonic() - began
        done.set()
        writing.result()
    assert [one.returncode for one in made] == [0] * backups, made[0].stderr
    assert set(sent) == {302}
    empty = tmp_path / "empty.sqlite3"
    assert server.command("migrate", DATABASE_URL=f"sqlite:///{empty}").returncode == 0
    counts = []
    for number in range(backups):
        file = tmp_path / f"{number}.sqlite3"
        shutil.copy(empty, file)
        there = {"DATABASE_URL": f"sqlite:///{file}"}
        back = server.command("restore", str(tmp_path / f"{number}.backup"), **there)
        assert back.returncode == 0, back.stderr
        looked = server.command("doctor", **there)
        assert looked.returncode == 0, looked.stdout
        counts.append(int(re.search(r"sheets.Event: (\d+)", looked.stdout)[1]))
    # And back into the database that they came from, which may be of another kind.
    last = str(tmp_path / "last.backup")
    assert server.command("backup", last, **there).returncode == 0
    again = server.command("restore", "--replace", last)
    assert again.returncode == 0, again.stderr
    assert server.command("doctor").returncode == 0
    assert sum(len(keys) for _version, _name, keys in server.ask("kept").values()) == counts[-1]
    assert counts == sorted(counts)
    assert counts[-1] > counts[0]
    if full:
        pace = len(sent) / took
        sys.stdout.write(f"\n{backups} backups in {took:.0f} s under {pace:.0f} writes a second, rows {counts}\n")


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


def test_edits_submissions_and_decisions_at_once_approve_only_what_a_gm_has_seen(server, full):
    rounds = 50 if full else 3
    made = server.ask("reviewed")
    sheet = made.pop("sheet")
    people = {name: Reviewer(server, sheet, session) for name, session in made.items()}
    gm, helper, player = (people[name] for name in ("gm", "helper", "player"))
    done = threading.Event()
    with ThreadPoolExecutor(8) as pool:
        beside = [pool.submit(player.edit, sheet, done), pool.submit(verified, server, done)]
        try:
            for one in [pool.submit(player.repeat, *("submit", "submit", "recall") * rounds),
                        pool.submit(player.repeat, *("submit",) * 3 * rounds),
                        pool.submit(gm.repeat, *("approve",) * 3 * rounds),
                        pool.submit(gm.repeat, *("approve", "return") * rounds),
                        pool.submit(helper.repeat, *("approve", "approve", "withdraw") * rounds)]:
                one.result()
            # An account that ends takes the same rows, and in the same order.
            for one in [pool.submit(server.ask, "end", "helper"), pool.submit(player.repeat, *("submit",) * 2 * rounds),
                        pool.submit(gm.repeat, *("approve",) * 2 * rounds)]:
                one.result()
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
    assert approvals
    for _number, _kind, by, seal, name in approvals:
        assert people[by or "helper"].seen[seal] == name
    if full:
        sys.stdout.write(f"\n{len(told['entries'])} entries written at once, {len(approvals)} of them approvals\n")


def test_attempts_are_counted_by_both_workers_together(server):
    statuses = [server.send("POST", "/account/login/", login=f"name{n}", password="falsch")[0] for n in range(14)]
    # 30 attempts a minute from one address; were each worker to count for itself, all of these would be let in
    pages = [server.send("POST", "/account/login/", login=f"name{n}", password="falsch") for n in range(20)]
    statuses += [status for status, _page in pages]
    assert statuses == [200] * 30 + [429] * 4
