"""What Locust lets players do: build, roll, follow their table, have a sheet approved, print.

Each follows the table every three seconds or so, as its page does, and does something of their own every fifteen.
"""

import json
import os
import re
import time
import uuid
from itertools import count, cycle
from pathlib import Path

from locust import HttpUser, between, task

TOKEN = "t" * 32
TABLES = json.loads(Path(os.environ["PEOPLE"]).read_text("utf-8"))
SEATS = cycle([(table["table"], table["gm"], *seat) for table in TABLES for seat in table["seats"]])
ROLL = "roll-attack-attacks-0"
PACE = 2, 4
"""Seconds between two looks at the table, at least and at most. With one number for all, those whom Locust lets in at
once would ask at the same moment for good, as people do not."""


class Player(HttpUser):
    """Somebody at a table."""

    wait_time = between(*PACE)

    def on_start(self):
        self.table, self.gm, self.sheet, self.mine = next(SEATS)
        # No name comes twice, whenever this is run: what changes nothing is not submitted.
        self.since, self.number = "", count(int(time.time()))

    def ask(self, method, address, name, session="", *, htmx=False, **fields):
        """An answer; what is neither a page nor a redirect counts as an error."""
        headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "127.0.0.1",
                   "Cookie": f"__Host-sessionid={session or self.mine}; __Host-csrftoken={TOKEN}",
                   "Origin": self.host.replace("http:", "https:"),
                   **({"HX-Request": "true"} if htmx else {})}
        body = {**fields, "csrfmiddlewaretoken": TOKEN} if method == "POST" else None
        # Cookies of answers are not kept: the headers say whose it is.
        self.client.cookies.clear()
        with self.client.request(method, address, name=name, data=body, headers=headers, allow_redirects=False,
                                 catch_response=True) as answer:
            if answer.status_code in {200, 204, 302}:
                answer.success()
            else:
                answer.failure(f"{answer.status_code}")
            return answer.text or ""

    def look(self):
        """What the page of the table asks for by itself."""
        address = f"{self.table}?since={self.since}" if self.since else self.table
        page = self.ask("GET", address, "follow", htmx=bool(self.since))
        if found := re.search(r"since=([^\"&]+)", page):
            self.since = found[1]

    @task(16)
    def follow(self):
        self.look()

    @task(2)
    def roll(self):
        self.ask("POST", f"/sheets/{self.sheet}/play/", "roll", htmx=True, w=ROLL, _press=str(uuid.uuid4()))

    @task(1)
    def build(self):
        address = f"/drafts/{self.sheet}/figure/"
        found = re.search(r'name="_version" value="(\d+)"', self.ask("GET", address, "open the builder"))
        if found:
            self.ask("POST", address, "save", htmx=True, _version=found[1], _name=f"Juan {next(self.number)}")

    @task(1)
    def read(self):
        self.ask("GET", f"/sheets/{self.sheet}/", "open the sheet")

    @task(1)
    def approve(self):
        """One changes something and submits it, the GM looks and approves."""
        self.build()
        address = f"/sheets/{self.sheet}/review/"
        self.ask("POST", address, "submit", do="submit", comment="So.")
        found = re.search(r'name="_seal" value="(\w+)"', self.ask("GET", address, "open the review", self.gm))
        if found:
            self.ask("POST", address, "approve", self.gm, do="approve", _seal=found[1], comment="So.")

    @task(1)
    def print(self):
        self.ask("GET", f"/sheets/{self.sheet}/sheet.pdf", "print")
