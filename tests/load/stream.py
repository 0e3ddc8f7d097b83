"""The stream of a page's news, as a browser's EventSource and static/live.js have it together."""

import random
import socket
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

PAUSE, LONGEST = 1, 60
"""Seconds until a page asks again that was refused: each time twice as many."""


def events(lines, stream):
    """(name, data) of the events in a stream's lines; what else it says is kept as `stream.last` and `stream.retry`.

    An event without a name is a "message"; its data may have several lines.
    """
    name, data = "message", []
    for line in lines:
        field, _colon, value = line.rstrip("\r\n").partition(":")
        value = value.removeprefix(" ")
        if field == "id":
            stream.last = value
        elif field == "retry":
            stream.retry = int(value) / 1000
        elif field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif not (field or value):
            if data:
                yield name, "\n".join(data)
            name, data = "message", []


class Stream:
    """A page's stream, from the moment at which it is shown until it is hidden."""

    def __init__(self, page, host, headers):
        self.page, self.host, self.headers = page, urlsplit(host), headers
        self.live = self.over = False
        self.last, self.retry, self.line = "", 1.0, None

    def follow(self, later):
        """Tells the page of all that comes, until it is over; `later` does something beside what comes next."""
        pause = PAUSE
        while self.page.stream and not self.over:
            address, self.last, heard = self.page.stream, "", False
            # What was cut off is asked for anew by the browser, with what came last; what was refused is not.
            while not self.over and (status := self._listen(address, later)) in (None, 200):
                heard = heard or status == 200
                time.sleep(self.retry)
            if self.over:
                return
            if heard:
                later(self.page.hears_word)
            time.sleep(pause * (1 + random.random()))  # noqa: S311 - no secret
            pause = PAUSE if heard else min(2 * pause, LONGEST)

    def close(self):
        """The page is hidden, or left."""
        self.over, self.live = True, False
        if self.line:
            with suppress(OSError):
                self.line.shutdown(socket.SHUT_RDWR)

    def _listen(self, address, later):
        """The status of one connection, once it has ended; None where nobody answered."""
        line, status = HTTPConnection(self.host.hostname, self.host.port), None
        try:
            line.connect()
            self.line = line.sock
            line.request("GET", address, headers=self.headers | ({"Last-Event-ID": self.last} if self.last else {}))
            answer = line.getresponse()
            status = answer.status
            if status == 200 and not self.over:
                self.live = True
                for event in events((part.decode() for part in answer), self):
                    later(self.page.hears, *event)
        except (OSError, HTTPException):
            pass
        finally:
            self.live, self.line = False, None
            line.close()
        return status
