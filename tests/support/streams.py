"""Pages that watch, as browsers do: many of them in one loop, which come back with the last word that they have."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import time
from pathlib import Path

from builder.processes import STREAMS
from tests.support.server import PATIENCE, SESSION, granian
from tests.support.server import until as soon


class Live:
    """The process of the streams as `make serve` starts it, beside a server's pages; on one core if one is named."""

    def __init__(self, server, port, core=None):
        self.server, self.port = server, port
        words = ["taskset", "-c", str(core)] if core is not None else []
        self.process = granian(STREAMS, port, "builder.asgi:application", server.environment, server.log, words)

        def listens():
            with socket.create_connection(("127.0.0.1", port)):
                return True
        soon(listens, server.log.read_text)

    @property
    def workers(self):
        """The processes that hold the streams."""
        found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        # Python's own process that looks after what they share is none.
        return [int(one) for one in found if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()
                or b"granian" in Path(f"/proc/{one}/cmdline").read_bytes()]

    def cost(self):
        """Processor seconds that they have used."""
        return sum(sum(map(int, Path(f"/proc/{one}/stat").read_text().rpartition(") ")[2].split()[11:13]))
                   for one in self.workers) / os.sysconf("SC_CLK_TCK")

    def kill(self):
        """Ends them without a word."""
        for one in self.workers:
            os.kill(one, signal.SIGKILL)

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


class Page:
    """An open page: `heard` are the words of its stream, (time, word, whether it was news)."""

    def __init__(self, port, topic, key, session, address):
        self.port, self.path, self.session, self.address = port, f"/live/{topic}/{key and f'{key}/'}", session, address
        self.heard, self.status, self.up, self.opened = [], 0, False, 0

    @property
    def word(self):
        """The last word."""
        return self.heard[-1][1] if self.heard else ""

    async def watch(self):
        """Until it is cancelled, or refused."""
        self.retry = 1.0
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                if not await self.listen():
                    return
            self.up = False
            await asyncio.sleep(self.retry)

    async def listen(self):
        """One stream until it is cut off; False where there is none."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            last = f"Last-Event-ID: {self.word}\r\n" if self.word else ""
            writer.write(f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-Proto: https\r\n"
                         f"X-Forwarded-For: {self.address}\r\nCookie: {SESSION}={self.session}\r\n{last}\r\n".encode())
            self.status = int((await reader.readline()).split()[1])
            if self.status != 200:
                return False
            news, pieces = True, False
            # A chunk of no length is the end of a stream whose connection stays.
            while (line := await reader.readline()) not in (b"", b"0\r\n"):
                name, _colon, value = line.decode().strip().partition(": ")
                if name == "retry":
                    self.retry = int(value) / 1000
                elif name == "event":
                    news, pieces = value != "known", value == "pieces"
                elif name == "data":
                    self.heard.append((time.monotonic(), json.loads(value)["word"] if pieces else value, news))
                    self.up, news, pieces = True, True, False
            return True
        finally:
            writer.close()


async def until(what, seconds=PATIENCE):
    """Waits until something is so; answers whether it became so."""
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.02)
    return True
