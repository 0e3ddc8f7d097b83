"""People who save and roll while something dies, and remember what was acknowledged."""

import html
import http.client
import re
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, pairwise

from tests.cluster.machines import until
from tests.support.server import Server

PLAYERS = 6
LONGEST = 90
"""Seconds that somebody tries again and again."""
ROLL = "roll-attack-attacks-0"
TOLD = re.compile(r"gleich noch einmal|try again in a moment", re.IGNORECASE)


class Person:
    """Asks for things, and keeps what was said to try again and what failed in any other way.

    Where they are `cut` off, what nobody answers is asked again too.
    """

    def __init__(self, machines, *, keeping=False, cut=False):
        self.machines, self.keeping, self.cut = machines, keeping, cut
        self.told, self.bare = 0, []

    def send(self, method, address, **fields):
        """The status of an answer, None for one that says to try again; anything else that failed is kept as bare."""
        try:
            status, page = Server.send(self.machines, method, address, **fields)
        except (OSError, http.client.HTTPException) as error:
            status, page = 0, repr(error)
        if status in {200, 302, 409}:
            return status
        if status == 503 and TOLD.search(page) and self.holds(page, fields):
            self.told += 1
        elif status or not self.cut:
            self.bare.append((time.monotonic(), status, page[:300]))
        return None

    def holds(self, page, fields):
        """Whether what was typed stands in a page of the program's, to be sent again; a proxy's cannot have it."""
        return not self.keeping or all(f'name="{name}" value="{html.escape(str(value))}"' in page
                                       for name, value in fields.items())


class Reader(Person):
    """Only looks: at a sheet, at it in the builder, on paper, and at the site."""

    def __init__(self, machines, sheet, **how):
        super().__init__(machines, **how)
        self.pages = cycle(["/", f"/sheets/{sheet}/", f"/drafts/{sheet}/figure/", f"/sheets/{sheet}/sheet.pdf",
                            "/account/login/", "/api/v1/rulesets"])
        self.read = 0

    def step(self):
        """One page."""
        self.read += self.send("GET", next(self.pages)) == 200


class Player(Person):
    """Saves a sheet of their own and rolls on it by turns, each until it is acknowledged, as a person would."""

    def __init__(self, machines, sheet, **how):
        super().__init__(machines, **how)
        self.sheet = sheet
        self.version, self.saves, self.keys = 1, 0, []
        self.wrote = []
        """When what was acknowledged."""

    def until_answered(self, address, **fields):
        """The status of the first answer; whether it was in doubt before."""
        doubted, began = False, time.monotonic()
        while (status := self.send("POST", address, **fields)) is None:
            assert not self.bare, self.bare
            assert time.monotonic() < began + LONGEST, address
            doubted = True
            time.sleep(0.2)
        self.wrote.append(time.monotonic())
        return status, doubted

    def step(self):
        """One save and one roll."""
        status, doubted = self.until_answered(f"/drafts/{self.sheet}/figure/", _version=self.version,
                                              _name=f"Juan {self.version}")
        # It was done before, and its answer was lost.
        assert status == 302 or doubted, (status, self.version)
        self.version, self.saves = self.version + 1, self.saves + 1
        key = str(uuid.uuid4())
        status, _doubted = self.until_answered(f"/sheets/{self.sheet}/play/", w=ROLL, _press=key)
        assert status == 302
        self.keys.append(key)


class Load:
    """Players who play, and somebody who looks on, until they are told to end.

    With `keeping` nothing stands between them and the program, so that each page that says to try again holds what was
    typed.
    """

    def __init__(self, machines, **how):
        self.machines, self.done = machines, threading.Event()
        self.players = [Player(machines, sheet, **how) for sheet in machines.ask("more", str(PLAYERS))]
        self.reader = Reader(machines, self.players[0].sheet, **how)
        self.people = [*self.players, self.reader]
        self.pool = ThreadPoolExecutor(len(self.people))
        self.running = [self.pool.submit(self.play, person) for person in self.people]

    def play(self, person):
        while not self.done.is_set():
            person.step()
            time.sleep(0.05)

    def longest(self, since):
        """The longest time since then in which nobody was acknowledged anything."""
        times = [since, *sorted(one for player in self.players for one in player.wrote if one > since)]
        return max((after - before for before, after in pairwise(times)), default=0)

    def acknowledged(self):
        return sum(player.saves + len(player.keys) for player in self.players)

    def goes_on(self, seconds, since):
        """Everybody's next step after that moment is acknowledged; seconds that it took."""
        until(lambda: all(player.wrote and player.wrote[-1] > since for player in self.players) or self.fell(), seconds,
              "a write of everybody")
        return time.monotonic() - since

    def goes_on_for(self, number):
        """So many more are acknowledged."""
        wanted = self.acknowledged() + number
        until(lambda: self.acknowledged() >= wanted or self.fell(), LONGEST, f"{number} writes")

    def fell(self):
        """Raises what ended a player."""
        for one in self.running:
            if one.done():
                one.result()
        return False

    def end(self):
        self.done.set()
        self.pool.shutdown(wait=True)
        for one in self.running:
            one.result()

    def proven(self):
        """What was acknowledged is there, once; what failed was said to."""
        kept = self.machines.ask("kept")
        for player in self.players:
            version, name, keys = kept[player.sheet]
            assert version == player.version
            assert name == f"Juan {version - 1}"
            assert sorted(keys) == sorted(player.keys)
        bare = [one for person in self.people for one in person.bare]
        assert not bare, bare
        assert self.reader.read

    def told(self):
        """How often anybody was told to try again."""
        return sum(person.told for person in self.people)
