"""What Locust lets players do: roll on their sheet and at their table, build, have a sheet approved, print.

Each has two tabs, the sheet and the table, and looks at the one where they rolled or read last: it follows by a stream,
and asks what is new as soon as it hears of it. The other one is hidden, and looks when it is shown. What is built or
approved is so in a third, soon left. Every fifteen seconds or so they do something of their own.
"""

import json
import os
import random
import re
import time
from collections import Counter, defaultdict
from itertools import count, cycle
from pathlib import Path

import gevent
from locust import HttpUser, events, task

from tests.load.page import LINES, Builder, Page, Sheet, Table, Watched
from tests.load.seen import Seen
from tests.load.stream import Stream

TOKEN = "t" * 32
TABLES = json.loads(Path(os.environ["PEOPLE"]).read_text("utf-8"))
STREAMS, TOLD = os.environ["STREAMS"], Path(os.environ["FOLLOWED"])
SEATS = cycle([(number, place) for number, table in enumerate(TABLES) for place in range(len(table["seats"]))])
ROLLS = "roll-attack-attacks-0", "roll-healing-abilities-2"
"""Rolls that land at their target: always, or where they hit."""
WAITS, BACK = r'\sid="(apply-\d+)"', r'\sid="(back-\d+)"'
ACT = "press-button-act-damage"
"""Buttons at the table: what waits for one, what one can take back, and what one suffers."""
PACE = 10, 20
"""Seconds from one thing that somebody does to the next, at least and at most. With one number for all, those whom
Locust lets in at once would press at the same moment for good, as people do not."""
TYPES = 1, 3
"""Seconds in which somebody reads and types."""
SEEN, PLAYERS, PRESSES = Seen(), defaultdict(set), Counter()


def between(least, most):
    """Some time."""
    return random.uniform(least, most)  # noqa: S311 - no secret


class Player(HttpUser):
    """Somebody at a table."""

    begun = 0.0

    def wait_time(self):
        """Return the seconds until they do something again."""
        return max(0, between(*PACE) - (time.monotonic() - self.begun))

    def on_start(self):
        self.number, self.place = next(SEATS)
        table = TABLES[self.number]
        self.gm, (self.sheet, self.mine) = table["gm"], table["seats"][self.place]
        self.address = f"10.{self.number // 250}.{self.number % 250}.{self.place + 1}"
        # No name comes twice, whenever this is run: what changes nothing is not submitted.
        self.name, self.page, self.stream = count(int(time.time())), None, None
        self.own = self.opened(Sheet, f"/sheets/{self.sheet}/", "open the sheet")
        self.table = self.opened(Table, table["table"], "open the table")
        mate = table["seats"][(self.place + 1) % len(table["seats"])][0]
        self.table.follow(f"at-{mate}", "aim")
        PLAYERS[self.number].add(self)
        self.show(self.table, loaded=True)
        self.thinking = gevent.spawn(self.think)

    def on_stop(self):
        self.thinking.kill()
        PLAYERS[self.number].discard(self)
        self.stream.close()

    # What browsers do.

    def headers(self, session=""):
        """Return the headers that a browser sends with every request."""
        return {"X-Forwarded-Proto": "https", "X-Forwarded-For": self.address,
                "Cookie": f"__Host-sessionid={session or self.mine}; __Host-csrftoken={TOKEN}"}

    def ask(self, method, address, name, more=(), body=None, session=""):
        """(status, headers, text) of an answer; what is neither a page nor a redirect counts as an error."""
        origin = self.host.replace("http:", "https:")
        headers = {**self.headers(session), "Origin": origin, **dict(more)}
        if "HX-Current-URL" in headers:
            headers["HX-Current-URL"] = origin + headers["HX-Current-URL"]
        # Cookies of answers are not kept: the headers say whose it is.
        self.client.cookies.clear()
        with self.client.request(method, address, name=name, data=body, headers=headers, allow_redirects=False,
                                 catch_response=True) as answer:
            if answer.status_code in {200, 204, 302}:
                answer.success()
            else:
                answer.failure(f"{answer.status_code}")
            return answer.status_code, answer.headers, answer.text or ""

    def opened(self, kind, address, name, session=""):
        """A page that is loaded."""
        def ask(*asked):
            return self.ask(*asked, session=session)
        page = kind(ask, address, name, SEEN.drawn if kind is Table else lambda _page: None)
        page.open()
        return page

    def show(self, page, *, loaded=False):
        """A tab is looked at, and no other; it looks itself, unless it has just been loaded."""
        if page is self.page and not page.hidden:
            return
        if self.page and not self.page.hidden:
            self.hide()
        page.hidden, self.page = False, page
        self.stream = Stream(page, STREAMS, self.headers())
        gevent.spawn(self.stream.follow, gevent.spawn)
        page.look(page is self.table and not loaded)

    def hide(self):
        """Nobody looks at the tab that was shown."""
        self.page.hidden = True
        self.stream.close()
        SEEN.left(self.page)

    def think(self):
        """What the page does by itself every few seconds."""
        while True:
            gevent.sleep(self.page.every)
            self.page.thinks(live=self.stream.live)

    # What people do.

    def press(self, page, button, name, **filled):
        """They press a button of a page, which is shown; returns the lines of its log that are new."""
        known = page.lines
        _status, text = page.press(button, name, **filled)
        PRESSES[page.drawn_anew(text)] += 1
        return set(LINES.findall(text)) - known

    def rolls(self, page, roll, name):
        """They roll, and the others at the table are to see it."""
        self.turn_to(page)
        lines = self.press(page, f"press-button-{roll}", name)
        # Of its own sheet it is the newest that they have rolled; at the table all that is new is news.
        told = lines if page is self.table else {max(lines, key=int)} if lines else set()
        SEEN.pressed(told, [one.table for one in PLAYERS[self.number]
                            if one is not self and one.page is one.table and one.stream.live])
        page.look()

    def acts(self, what, name):
        """They press the first such button at the table; where there is none they suffer something."""
        self.turn_to(self.table)
        if found := re.search(what, self.table.document.text):
            self.press(self.table, found[1], name)
        else:
            self.press(self.table, ACT, "act", points="1", against="nothing")
        self.table.look()

    def turn_to(self, page):
        """They begin something on a page; who looks at it only now sees it first."""
        self.begun = time.monotonic()
        if page.hidden or page is not self.page:
            self.show(page)
            gevent.sleep(between(*TYPES))

    def apart(self, kind, address, name):
        """A page in a tab of its own, until somebody has typed there."""
        page = self.opened(kind, address, name)
        self.show(page, loaded=True)
        gevent.sleep(between(*TYPES))
        return page

    @task(36)
    def roll(self):
        self.rolls(self.own, ROLLS[0], "roll")

    @task(18)
    def roll_at_the_table(self):
        self.rolls(self.table, random.choice(ROLLS), "roll at the table")  # noqa: S311 - no secret

    @task(9)
    def apply(self):
        self.acts(WAITS, "apply")

    @task(9)
    def take_back(self):
        self.acts(BACK, "take back")

    @task(27)
    def build(self):
        self.begun, before = time.monotonic(), self.page
        self.change()
        self.show(before)

    def change(self):
        """Another name for the sheet."""
        page = self.apart(Builder, f"/drafts/{self.sheet}/figure/", "open the builder")
        page.sends(*page.fill("step", _name=f"Juan {next(self.name)}", _q=""), "save")

    @task(27)
    def read(self):
        self.begun = time.monotonic()
        self.loads(self.own, "open the sheet")

    @task(20)
    def reload(self):
        self.begun = time.monotonic()
        self.loads(self.page, "reload")

    def loads(self, page, name):
        """A page that they go to, or load anew: with a stream of its own."""
        self.hide()
        page.open(name)
        self.show(page, loaded=True)

    @task(27)
    def approve(self):
        """One changes something and submits it, the GM looks and approves."""
        self.begun, before = time.monotonic(), self.page
        self.change()
        address = f"/sheets/{self.sheet}/review/"
        self.decides(self.apart(Watched, address, "open the approval"), "submit", comment="So.")
        page = self.opened(Page, address, "open the review", self.gm)
        if 'name="_seal"' in page.document.text:
            self.decides(page, "approve", comment="So.")
        self.show(before)

    def decides(self, page, do, **filled):
        """A button of the approval, and the page that the browser is led to then."""
        form, sent = page.fill("review", do=do, **filled)
        status, headers, _text = page.ask("POST", form["action"], do, {}, sent)
        if status == 302:
            page.address = headers["Location"]
            (self.loads if page is self.page else Page.open)(page, f"{do}: see")

    @task(27)
    def print(self):
        self.begun = time.monotonic()
        self.ask("GET", f"/sheets/{self.sheet}/sheet.pdf", "print")


def everybody():
    """All who play."""
    return [player for players in PLAYERS.values() for player in players]


@events.init.add_listener
def _counts_once_all_are_there(environment, **_said):
    # All of them have opened their pages by then, which takes longer than what comes afterwards.
    environment.events.spawning_complete.add_listener(
        lambda **_said: gevent.spawn_later(float(os.environ["SETTLES"]), _begins_to_count, environment.stats))


def _begins_to_count(stats):
    stats.reset_all()
    SEEN.times.clear()
    PRESSES.clear()
    for player in everybody():
        player.own.news = player.table.news = 0


@events.test_stopping.add_listener
def _it_ends(**_said):
    for player in everybody():
        SEEN.left(player.table)
    TOLD.write_text(json.dumps({
        "streams": sum(player.stream.live for player in everybody()),
        "news": sum(player.own.news + player.table.news for player in everybody()), "seen": SEEN.times,
        "presses": PRESSES.total(), "anew": PRESSES[True]}), "utf-8")
