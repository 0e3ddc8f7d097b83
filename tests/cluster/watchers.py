"""Pages at one table of the many machines, which watch by the streams of each server and by the front."""

import asyncio
import threading
import time
import uuid
from types import SimpleNamespace

from tests.cluster.machines import APPLICATIONS, FRONT, FRONT_STREAMS, STREAMS, until
from tests.cluster.players import ROLL
from tests.support.server import Server
from tests.support.streams import Page


class Watched:
    """A table with a page on each server's streams, and two that HAProxy leads to either."""

    def __init__(self, machines):
        self.machines = machines
        (self.table,) = machines.ask("tables", "1", "4")
        places = [*STREAMS.values(), FRONT_STREAMS, FRONT_STREAMS]
        self.pages = [Page(machines.ports[place], "table", self.table["party"], session, f"10.0.0.{number}")
                      for number, (place, session) in enumerate(zip(places, self.table["sessions"], strict=True))]
        self.done = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self.watch()))
        self.thread.start()

    async def watch(self):
        """All of them, until told to end."""
        tasks = [asyncio.create_task(self.keep(page)) for page in self.pages]
        while not self.done.is_set():
            await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def keep(self, page):
        """What was refused is asked for again, as the page's own script does (static/live.js)."""
        while True:
            await page.watch()
            await asyncio.sleep(1)

    def hear(self, server=None):
        """Seconds from a press that one server took, or the front, until every page has heard of it."""
        place = SimpleNamespace(port=self.machines.ports[APPLICATIONS[server] if server else FRONT])
        key, began = str(uuid.uuid4()), time.monotonic()
        # By its key it is done once, however often it is asked for.
        address, session = f"/sheets/{self.table['sheet']}/play/", self.table["sessions"][0]
        until(lambda: Server.send(place, "POST", address, session=session, w=ROLL, _press=key)[0] == 302, 30, "a press")
        pressed = time.monotonic()
        until(lambda: all(any(at > began and news for at, _word, news in page.heard) for page in self.pages), 20,
              "news on all pages")
        return time.monotonic() - pressed

    def end(self):
        self.done.set()
        self.thread.join()
