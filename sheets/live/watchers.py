"""The watchers: told what is new for them, within limits, and checked again for whether they still may."""

import asyncio
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.db import DatabaseError, close_old_connections
from django.http import HttpRequest
from prometheus_client import Counter as Counted
from prometheus_client import Gauge

from rulesets.grouping import by_key
from sheets.live.topics import TOPICS, Seen

LOG = logging.getLogger(__name__)
ALL, PER_ADDRESS, PER_BROWSER = LIMITS = 10_000, 120, 12
"""The most that may watch at once: altogether, from one address, in one browser."""
UNSENT = 20
"""Pieces that may wait for a slow reader."""
AWAY = 1.0
"""Seconds until a database that does not answer is asked again."""
WATCHING = Gauge("bogenschmiede_watchers", "Pages that watch.", multiprocess_mode="mostrecent")
NEWS = Counted("bogenschmiede_news", "News that pages were told of.")
Answer = TypeVar("Answer")
Charge = Callable[[HttpRequest, float], bool]
"""Charge processor seconds to whoever asks; return whether they may use more."""


class Crowded(Exception):
    """Too many are watching already."""


class Watcher:
    """Somebody's open page: what it watches, whose it is, and the last change token that it has of it.

    What it is `about` is a party or a sheet, or a sheet's link; "" where it is one's own. Its `pieces`, in JSON, are
    still to be sent; None says that the page is to be asked for.
    """

    def __init__(self, request: HttpRequest, topic: str, about: UUID | str, change_token: str, whose: tuple[str, ...],
                 language: str = "") -> None:
        self.request, self.topic, self.about, self.change_token, self.whose = request, topic, about, change_token, whose
        self.language = language
        self.shown: Any = None
        self.pieces: list[str] | None = []
        self.keys: set[UUID] = set()
        self.news, self.ended = asyncio.Event(), False
        self.begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def end(self) -> None:
        """Tell it nothing more."""
        self.ended = True
        self.news.set()


class Watchers:
    """All watchers. The database is asked in one thread, by one connection, however many they are."""

    def __init__(self, charge: Charge | None = None) -> None:
        self.charge = charge
        self.by_key: dict[UUID, set[Watcher]] = defaultdict(set)
        self.count: Counter[str] = Counter()
        self.thread = ThreadPoolExecutor(1, "live")
        self.changed: set[UUID] = set()
        self.new: set[Watcher] = set()
        self.woken = asyncio.Event()

    async def ask(self, question: Callable[..., Answer], *about: Any) -> Answer:
        """Return the answer to a question that asks the database."""
        return await asyncio.get_running_loop().run_in_executor(self.thread, partial(_asked, question, *about))

    async def begin(self, watcher: Watcher) -> bool:
        """Let somebody watch (`Crowded` if there is no room); return whether they may."""
        limits = dict(zip(watcher.whose, LIMITS, strict=True))
        if any(self.count[one] >= most for one, most in limits.items()):
            raise Crowded
        self.count.update(watcher.whose)
        WATCHING.set(self.count[watcher.whose[0]])
        try:
            # Known by its key before it is looked at, so that nothing happens in between.
            self._keep(watcher, {watcher.about} if isinstance(watcher.about, UUID) else set())
            self.new.add(watcher)
            self.woken.set()
            await watcher.begun
        except BaseException:
            self.leave(watcher)
            raise
        return not watcher.ended

    def leave(self, watcher: Watcher) -> None:
        """Remove a watcher."""
        watcher.end()
        self._keep(watcher, set())
        self.new.discard(watcher)
        for one in watcher.whose:
            self.count[one] -= 1
            if not self.count[one]:
                del self.count[one]
        WATCHING.set(self.count[watcher.whose[0]])

    def happened(self, keys: Collection[UUID]) -> None:
        """Note that there is news of these parties and sheets, as far as anybody watches them."""
        if there := self.by_key.keys() & keys:
            self.changed |= there
            self.woken.set()

    async def tell(self) -> None:
        """Tell those concerned of all that happens, and those who are new, until it is cancelled."""
        while True:
            await self.woken.wait()
            self.woken.clear()
            (keys, self.changed), (new, self.new) = (self.changed, set()), (self.new, set())
            watching = new.union(*(self.by_key.get(key, ()) for key in keys))
            try:
                for watcher, found in await self.ask(_looked, watching, self.charge):
                    self._tell(watcher, found)
            except DatabaseError as error:
                for watcher in new:
                    _settle(watcher, error)
                LOG.warning("the database does not answer: %s", " ".join(str(error).split()))
                await asyncio.sleep(AWAY)
                self.happened(keys)
            for watcher in new:
                _settle(watcher)

    def end(self) -> None:
        """End all streams, because the server ends."""
        for watcher in {one for watching in self.by_key.values() for one in watching}:
            watcher.end()

    def _keep(self, watcher: Watcher, keys: set[UUID]) -> None:
        for key in watcher.keys - keys:
            self.by_key[key].discard(watcher)
            if not self.by_key[key]:
                del self.by_key[key]
        for key in keys - watcher.keys:
            self.by_key[key].add(watcher)
        watcher.keys = keys

    def _tell(self, watcher: Watcher, found: Seen | None) -> None:
        if found is None:
            watcher.end()
            return
        change_token, keys, pieces = found
        if watcher.ended:
            return
        if keys - watcher.keys:
            # What happened there before it was known by these keys is looked at once more.
            self.new.add(watcher)
            self.woken.set()
        self._keep(watcher, keys)
        if change_token != watcher.change_token:
            watcher.change_token = change_token
            # What is not sent yet comes before it; of too much that waits the page is asked for.
            watcher.pieces = None if pieces is None or watcher.pieces is None or len(
                watcher.pieces) >= UNSENT else [*watcher.pieces, *pieces]
            watcher.news.set()
            NEWS.inc()


def _settle(watcher: Watcher, error: Exception | None = None) -> None:
    """Settle a new watcher's wait to begin, with the error if there is one; those gone meanwhile are skipped."""
    if watcher.begun.done():
        return
    if error:
        watcher.begun.set_exception(error)
    else:
        watcher.begun.set_result(None)


def _looked(watching: Collection[Watcher], charge: Charge | None = None) -> list[tuple[Watcher, Seen | None]]:
    """Return each with the present change token and the keys that reveal its news; None for those who may not watch.

    Each pays for its part; one with nothing left hears no more: its page then asks by itself as any page does.
    """
    groups = by_key(((one.topic, one.about), one) for one in watching)
    found: list[tuple[Watcher, Seen | None]] = []
    for (topic, about), some in groups.items():
        begun = time.thread_time()
        seen = _seen(topic, about, some)
        each = (time.thread_time() - begun) / len(some)
        found += [(one, change_token if charge is None or charge(one.request, each) else None)
                  for one, change_token in zip(some, seen, strict=True)]
    return found


def _seen(topic: str, about: UUID | str, some: list[Watcher]) -> list[Seen | None]:
    """Return a topic's answers; if it fails, those who watch it are let go, and all others go on."""
    try:
        return TOPICS[topic](some, about)
    except DatabaseError:
        raise
    except Exception:
        LOG.exception("%s %s cannot be watched", topic, about)
        return [None] * len(some)


def _asked(question: Callable[..., Answer], *about: Any) -> Answer:
    # A connection that broke is another the next time.
    close_old_connections()
    return question(*about)
