"""An older copy of SQLite's file that is put in place: the next press of a page that was open says so."""

import json
import re
import signal
import sqlite3
import uuid
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest

from tests.support.everyday import everyday
from tests.support.server import FILE

pytestmark = [pytest.mark.slow, pytest.mark.database("sqlite")]
ROLL = {"w": "roll-attack-attacks-0", "defence": "0", "extra_dice": "0"}
SAID = re.compile("auf einen früheren Stand zurückgesetzt|put back to an earlier state")


class OpenPage:
    """A sheet's page in a browser, which knows of the last roll that it was shown."""

    def __init__(self, server):
        self.server, self.address = server, f"/sheets/{server.filled['sheet']}/"
        self.read(server.send("GET", self.address)[1])

    def read(self, page):
        """See what the page knows by now."""
        self.known = unescape(re.search(r'id="known-roll" value="([^"]*)"', page)[1])
        self.receipts = re.findall(r"/rolls/of/(\d+)/", page)

    def press(self):
        """Return (status, page) of one press, after which the page knows what it was told."""
        status, page = self.server.send("POST", f"{self.address}play/", htmx=True, _press=str(uuid.uuid4()),
                                        _known_roll=self.known, **ROLL)
        self.read(page)
        return status, page

    @property
    def number(self):
        """The number of the last roll that the page knows of."""
        return int(self.known.split("~")[1])


def whole(file, there):
    """Write the database at one path into another, with all that its log holds."""
    with closing(sqlite3.connect(file)) as one, closing(sqlite3.connect(there)) as other:
        one.backup(other)


def stopped(server, file, copy):
    """The program is ended, the file put in place, and the program started."""
    server.stop(signal.SIGKILL)
    moved(server, file, copy)
    server.start()


def moved(_server, file, copy):
    """The file is put in place beneath the running program, and what belonged to the other one removed."""
    copy.replace(file)
    for end in ("-wal", "-shm"):
        file.with_name(f"{file.name}{end}").unlink(missing_ok=True)


def written(_server, file, copy):
    """The copy is written into the file beneath the running program, as `sqlite3 FILE '.restore COPY'` does."""
    whole(copy, file)


@pytest.mark.parametrize("put_back", everyday([moved, stopped, written]))
def test_the_next_press_of_an_open_page_says_that_the_database_was_copied_back_and_does_nothing(
        serve, tmp_path, put_back):
    server = serve()
    file, copy = Path(server.environment["DATABASE_URL"].removeprefix("sqlite:///")), tmp_path / "copy"
    assert file.name == FILE
    page = OpenPage(server)
    for _time in range(2):
        assert page.press()[0] == 200
    whole(file, copy)
    for _time in range(2):
        assert page.press()[0] == 200
    assert page.number == 4
    put_back(server, file, copy)
    status, said = page.press()
    assert (status, bool(SAID.search(said)), page.number) == (409, True, 2)
    assert len(server.ask("numbered")["receipts"]) == 2
    assert [one["ended"] for one in json.loads(server.send("GET", "/rolls/keys.json")[1])["keys"]] == [None, "put-back"]
    # Whoever still wants to presses again, whichever process answers.
    for number in (3, 4, 5):
        status, said = page.press()
        assert (status, bool(SAID.search(said)), page.number) == (200, False, number)
    rows = server.ask("numbered")["receipts"]
    assert [number for _log, number, _nonce, _token in rows] == [1, 2, 3, 4, 5]
