"""The watchers: limits on their number, and delivery of news to them with a check of their permission each time."""

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
from prometheus_client import Counter as CounterMetric
from prometheus_client import Gauge

from rulesets.grouping import by_key
from sheets.live.topics import TOPICS, TopicState

LOG = logging.getLogger(__name__)
ALL, PER_ADDRESS, PER_BROWSER = LIMITS = 10_000, 120, 12
"""The most watchers at once: in all, from one address, in one browser."""
MAX_UNSENT = 20
"""The most pieces that wait for a slow client."""
DATABASE_RETRY = 1.0
"""Seconds to wait after the database did not answer."""
WATCHING = Gauge("bogenschmiede_watchers", "Pages that watch.", multiprocess_mode="mostrecent")
NEWS = CounterMetric("bogenschmiede_news", "News that pages were told of.")
Result = TypeVar("Result")
Charge = Callable[[HttpRequest, float], bool]
"""A function that charges processor seconds to the sender of a request, and returns True if they may use more."""


class TooManyWatchers(Exception):
    """There are too many watchers already."""


class Watcher:
    """An open page: the topic that it watches, the last change token that it has, and its rate limit buckets.

    `about` is the key of a party or a sheet, or a sheet's link; "" for the user's own queue. `pieces` holds
    the pieces not yet sent, as JSON; None means that the page must be reloaded. `started` completes once the watcher
    has been checked for the first time.
    """

    def __init__(self, request: HttpRequest, topic: str, about: UUID | str, change_token: str, buckets: tuple[str, ...],
                 language: str = "") -> None:
        self.request, self.topic, self.about, self.change_token = request, topic, about, change_token
        self.buckets, self.language = buckets, language
        self.shown: Any = None
        self.pieces: list[str] | None = []
        self.keys: set[UUID] = set()
        self.news, self.ended = asyncio.Event(), False
        self.started: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def end(self) -> None:
        """Mark the watcher as ended, and wake its stream."""
        self.ended = True
        self.news.set()


class Watchers:
    """All watchers. However many they are, one thread with one connection runs their database queries."""

    def __init__(self, charge: Charge | None = None) -> None:
        self.charge = charge
        self.by_key: dict[UUID, set[Watcher]] = defaultdict(set)
        self.count: Counter[str] = Counter()
        self.thread = ThreadPoolExecutor(1, "live")
        self.changed: set[UUID] = set()
        self.to_check: set[Watcher] = set()
        self.changed_meanwhile: set[UUID] | None = None
        """The keys of all changes since the current check began; None if no check is running."""
        self.gap = False
        """True if changes other than those in `changed_meanwhile` may have happened since the check began."""
        self.wake = asyncio.Event()

    async def query(self, function: Callable[..., Result], *args: Any) -> Result:
        """Call a function in the database thread; return its result."""
        return await asyncio.get_running_loop().run_in_executor(self.thread, partial(_run_query, function, *args))

    async def add(self, watcher: Watcher) -> bool:
        """Add a watcher; return True once it has been checked and may watch.

        Raise `TooManyWatchers` if one of its buckets is full.
        """
        limits = dict(zip(watcher.buckets, LIMITS, strict=True))
        if any(self.count[bucket] >= most for bucket, most in limits.items()):
            raise TooManyWatchers
        self.count.update(watcher.buckets)
        WATCHING.set(self.count[watcher.buckets[0]])
        try:
            # The key is set before the check, so that no change in between is missed.
            self._set_keys(watcher, {watcher.about} if isinstance(watcher.about, UUID) else set())
            self.to_check.add(watcher)
            self.wake.set()
            await watcher.started
        except BaseException:
            self.remove(watcher)
            raise
        return not watcher.ended

    def remove(self, watcher: Watcher) -> None:
        """Remove a watcher."""
        watcher.end()
        self._set_keys(watcher, set())
        self.to_check.discard(watcher)
        for bucket in watcher.buckets:
            self.count[bucket] -= 1
            if not self.count[bucket]:
                del self.count[bucket]
        WATCHING.set(self.count[watcher.buckets[0]])

    def note_changes(self, keys: Collection[UUID]) -> None:
        """Note that these parties and sheets have changed; those that nobody watches are ignored."""
        if self.changed_meanwhile is not None:
            self.changed_meanwhile.update(keys)
        if watched := self.by_key.keys() & keys:
            self.changed |= watched
            self.wake.set()

    def note_gap(self) -> None:
        """Note that any party or sheet may have changed."""
        self.note_changes(self.by_key.keys())
        self.gap = True

    async def deliver_news(self) -> None:
        """Check watchers that are new or affected by a change, and deliver their news, until cancelled."""
        while True:
            await self.wake.wait()
            self.wake.clear()
            (keys, self.changed), (to_check, self.to_check) = (self.changed, set()), (self.to_check, set())
            self.changed_meanwhile, self.gap = set(), False
            affected = to_check.union(*(self.by_key.get(key, ()) for key in keys))
            try:
                for watcher, state in await self.query(_check, affected, self.charge):
                    self._deliver(watcher, state)
            except DatabaseError as error:
                for watcher in to_check:
                    _settle(watcher, error)
                LOG.warning("the database does not answer: %s", " ".join(str(error).split()))
                await asyncio.sleep(DATABASE_RETRY)
                self.note_changes(keys)
            self.changed_meanwhile = None
            for watcher in to_check:
                _settle(watcher)

    def end(self) -> None:
        """End all watchers, because the server shuts down."""
        for watcher in {one for watching in self.by_key.values() for one in watching}:
            watcher.end()

    def _set_keys(self, watcher: Watcher, keys: set[UUID]) -> None:
        for key in watcher.keys - keys:
            self.by_key[key].discard(watcher)
            if not self.by_key[key]:
                del self.by_key[key]
        for key in keys - watcher.keys:
            self.by_key[key].add(watcher)
        watcher.keys = keys

    def _deliver(self, watcher: Watcher, state: TopicState | None) -> None:
        if state is None:
            watcher.end()
            return
        change_token, keys, pieces = state
        if watcher.ended:
            return
        if (new := keys - watcher.keys) and (self.gap or new & (self.changed_meanwhile or set())):
            # Check it again, because these keys have changed before they were set.
            self.to_check.add(watcher)
            self.wake.set()
        self._set_keys(watcher, keys)
        if change_token != watcher.change_token:
            watcher.change_token = change_token
            # New pieces follow the unsent ones; if too many wait, the page must be reloaded.
            watcher.pieces = None if pieces is None or watcher.pieces is None or len(
                watcher.pieces) >= MAX_UNSENT else [*watcher.pieces, *pieces]
            watcher.news.set()
            NEWS.inc()


def _settle(watcher: Watcher, error: Exception | None = None) -> None:
    """Complete a watcher's `started`, with the error if there is one; do nothing if it is done or cancelled."""
    if watcher.started.done():
        return
    if error:
        watcher.started.set_exception(error)
    else:
        watcher.started.set_result(None)


def _check(watching: Collection[Watcher], charge: Charge | None = None) -> list[tuple[Watcher, TopicState | None]]:
    """Return each watcher with the current state of its topic, or None if it may not watch.

    Each watcher is charged its share of the cost; if it has used up its limit it also gets None, and its page polls.
    """
    groups = by_key(((watcher.topic, watcher.about), watcher) for watcher in watching)
    results: list[tuple[Watcher, TopicState | None]] = []
    for (topic, about), group in groups.items():
        start = time.thread_time()
        states = _states(topic, about, group)
        share = (time.thread_time() - start) / len(group)
        results += [(watcher, state if charge is None or charge(watcher.request, share) else None)
                  for watcher, state in zip(group, states, strict=True)]
    return results


def _states(topic: str, about: UUID | str, group: list[Watcher]) -> list[TopicState | None]:
    """Return the state of a topic for each watcher in a group; None for all of them if the topic fails."""
    try:
        return TOPICS[topic](group, about)
    except DatabaseError:
        raise
    except Exception:
        LOG.exception("%s %s cannot be watched", topic, about)
        return [None] * len(group)


def _run_query(function: Callable[..., Result], *args: Any) -> Result:
    # Replace a broken connection.
    close_old_connections()
    return function(*args)
