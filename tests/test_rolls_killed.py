"""People roll at once while workers are killed: each log is without a gap, and holds what was acknowledged."""

import json
import os
import re
import secrets
import signal
import threading
import time
import uuid
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from itertools import cycle

import pytest
from django.db import connection

from sheets.receipts.messages import NO_LINK, decode, encode, link_after, message
from tests.support.server import PATIENCE, form, until

pytestmark = [pytest.mark.slow, pytest.mark.prove, pytest.mark.database("postgresql", mostly=True)]
LINES = re.compile(r"/rolls/(?:of/(\d+)|([\w-]{22}))/")
KNOWN = re.compile(r'id="known-roll" value="([^"~]+)~(\d+)~([\w-]+)')
GROWN = 8
"""Seconds after which granian takes the end of a worker for no failed start."""


class Roller:
    """Somebody with a seat at a table and a sheet of their own, who sends each roll until it is acknowledged.

    `sent` are the nonces of their rolls, `told` what answers said of the last roll of a log, `read` the receipts that
    they read at once.
    """

    def __init__(self, server, table, seat, sheet, session, at):
        self.server, self.session = server, session
        self.sent, self.told, self.read, self.again = [], [], {}, 0
        attack = {"w": "roll-attack-attacks-0", "defence": "0", "extra_dice": "0"}
        self.ways = cycle([(f"{table}?_by={seat}&_at={at}", {"w": "roll-attack-attacks-0"}),
                           (f"/sheets/{sheet}/play/", attack),
                           (f"{table}?_by={seat}&_at=-", attack),
                           ("/dice/condice/", {"w": "roll-success", "dice": "4"})])

    def ask(self, method, address, **fields):
        """Return (status, headers, page) of the first answer; what nobody answered is asked again."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                return form(self.server.port, method, address, session=self.session, **fields)
            except OSError:
                self.again += 1
                time.sleep(0.1)
        raise AssertionError(address)

    def roll(self):
        """Make one roll, and read its receipt at once."""
        address, fields = next(self.ways)
        nonce = encode(secrets.token_bytes(16))
        status, _headers, page = self.ask("POST", address, htmx=True, _press=str(uuid.uuid4()), _nonce=nonce, **fields)
        assert status == 200, (status, page[:2_000])
        self.sent.append(nonce)
        if known := KNOWN.search(unescape(page)):
            log, number, letters = known.groups()
            self.told.append((log, int(number), letters))
        # The newest line; where the press was answered late it may be another's roll.
        lines = [(int(line or 0), token) for line, token in LINES.findall(page)]
        assert lines or known, page[:2_000]
        if lines:
            line, token = max(lines)
            if not token:
                token = self.ask("GET", f"/rolls/of/{line}/")[1]["Location"].split("/")[2]
            self.read[token] = json.loads(self.ask("GET", f"/rolls/{token}.json")[2])


class Evening:
    """So many people who roll, until there are enough rolls and everything has been killed."""

    def __init__(self, server, people):
        self.server, self.done = server, threading.Event()
        table = server.ask("rollers", str(people))
        seats = list(table["players"])
        self.people = [Roller(server, table["address"], seat, *table["players"][seat], seats[number - 1])
                       for number, seat in enumerate(seats)]
        self.pool = ThreadPoolExecutor(people)
        self.running = [self.pool.submit(self.play, one) for one in self.people]

    def play(self, person):
        while not self.done.is_set():
            person.roll()

    def rolls(self):
        """Return how many rolls were acknowledged; raise what ended one of the people."""
        for one in self.running:
            if one.done():
                one.result()
        return sum(len(one.sent) for one in self.people)

    def until(self, number):
        """Wait until so many rolls were acknowledged."""
        until(lambda: self.rolls() >= number, self.server.said)

    def end(self):
        self.done.set()
        self.pool.shutdown(wait=True)
        self.rolls()

    def receipts(self):
        """Return each receipt as somebody of those who may read it is answered, in the order of logs and numbers."""
        rows, found = self.server.ask("numbered"), []
        whose = {nonce: one for one in self.people for nonce in one.sent}
        for log, number, nonce, token in rows["receipts"]:
            status, _headers, page = whose[nonce].ask("GET", f"/rolls/{token}.json")
            assert status == 200, (log, number)
            found.append(json.loads(page) | {"token": token})
        return rows, found


def kill_all(server):
    """Kill workers and master together, as if the machine failed, and start them again."""
    server.stop(signal.SIGKILL)
    server.start()


def kill_worker(server, born):
    """Kill the worker that has served longest; it is replaced."""
    victim = server.workers()[0]
    until(lambda: time.monotonic() > born + GROWN)
    server.begun = len(server.log.read_text())
    os.kill(victim, signal.SIGKILL)
    server.serves(1)


def links(receipts):
    """Return {log: the links of its rolls, computed anew}, whose numbers are without a gap."""
    found = defaultdict(list)
    for one in receipts:
        log = found[one["log"]]
        assert one["number"] == len(log) + 1
        text = message(one["key"], one["log"], one["number"], one["nonce"], one["rolled"])
        before = decode(log[-1], 32) if log else NO_LINK
        log.append(encode(link_after(before, text, decode(one["signature"], 256))))
        assert one["says"]["link"] == log[-1]
    return found


def plain(receipt):
    """Return a receipt without what later rolls change."""
    says = {key: value for key, value in receipt["says"].items() if key != "count"}
    return {key: value for key, value in receipt.items() if key != "token"} | {"says": says}


def test_rolls_that_were_acknowledged_are_in_their_logs_as_they_were_told_whatever_is_killed(
        serve, full, figure, tmp_path):
    server = serve()
    people, wanted, kills = (20, 500, 10) if full else (6, 48, 1)
    began = time.monotonic()
    evening = Evening(server, people)
    try:
        for kill in range(kills):
            evening.until(wanted * (kill + 1) // (kills + 1))
            born = time.monotonic()
            kill_worker(server, born) if kill % 2 else kill_all(server)
        evening.until(max(wanted, evening.rolls() + people))
    finally:
        evening.end()
    took = time.monotonic() - began
    rows, receipts = evening.receipts()
    logs = links(receipts)
    # The scene's, and of each person a sheet's and that of the dice pages.
    assert len(logs) == 1 + 2 * people
    assert rows["counted"] == {log: len(found) for log, found in logs.items() if log.startswith("scene:")}
    sent = [nonce for one in evening.people for nonce in one.sent]
    assert sorted(one["nonce"] for one in receipts) == sorted(sent)
    assert {one["says"]["state"] for one in receipts} == {"stands"}
    assert rows["events"] == sum(not one["log"].startswith("person:") for one in receipts)
    there = {one["token"]: one for one in receipts}
    for one in evening.people:
        for log, number, letters in one.told:
            assert logs[log][number - 1].startswith(letters), (log, number)
        for token, told in one.read.items():
            assert plain(there[token]) == plain(told)
    keys, rolls = tmp_path / "keys.json", tmp_path / "rolls.json"
    keys.write_text(evening.people[0].ask("GET", "/rolls/keys.json")[2])
    rolls.write_text(json.dumps({"receipts": [plain(one) for one in receipts]}))
    verified = server.command("verify_rolls", rolls, "--keys", keys, "--format", "json")
    assert verified.returncode == 0, verified.stdout
    verdicts = json.loads(verified.stdout)
    assert len(verdicts) == len(receipts)
    assert {one["verdict"] for one in verdicts} == {"holds"}
    read, again = sum(len(one.read) for one in evening.people), sum(one.again for one in evening.people)
    assert again or not kills
    figure(f"{connection.vendor}: {len(sent)} rolls by {people} at once in {took:.0f} s, {kills} kills, {again} sent "
           f"again, {len(logs)} logs without a gap, {read} receipts read at once as they are, {len(verdicts)} hold")
