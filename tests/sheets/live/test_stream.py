"""Streams that meet what nobody expects: they end, or go on for all others, and never stand still."""

import asyncio
import os
import uuid

import psycopg
import pytest
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest

from sheets.live import feed, stream, watchers
from sheets.live.topics import TopicState
from sheets.live.watchers import Watcher, Watchers

KEY = uuid.uuid4()


def scope(query="", cookie=""):
    return {"type": "http", "method": "GET", "path": f"/live/table/{KEY}/", "query_string": query.encode(),
            "headers": [(b"host", b"127.0.0.1"), (b"cookie", cookie.encode())], "client": ("127.0.0.1", 1)}


def watcher(topic="table"):
    return Watcher(None, topic, KEY, "", ("all", "address", "browser"))


def test_more_fields_than_are_read_are_a_bad_request():
    sent, running = [], stream.Streams()
    running.watchers = Watchers()

    async def send(message):
        sent.append(message)
    query = "since=1&" * (settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)
    asyncio.run(running._answer(scope(query), None, send))
    assert sent[0]["status"] == 400


@pytest.mark.parametrize(("cookie", "key"), [
    ("a" * 32, "a" * 32), ('"\\000aaaaaaaaaaaa"', None), ("ä" * 32, None), ("", None)])
def test_what_is_no_key_of_a_session_is_asked_of_no_database(cookie, key):
    async def asked():
        held = scope(cookie=f"{settings.SESSION_COOKIE_NAME}={cookie}")
        return stream._watcher(ASGIRequest(held, None)).request.session.session_key
    assert asyncio.run(asked()) == key


def test_who_may_no_longer_watch_before_the_first_word_is_out_is_let_go():
    async def run_stream():
        sent, gone = [], watcher()

        async def send(message):
            sent.append(message)
        gone.end()
        await asyncio.wait_for(stream.Streams()._stream(gone, "", send), 5)
        return sent
    assert [one["more_body"] for one in asyncio.run(run_stream())] == [False]


def test_each_pays_for_a_look_and_who_has_nothing_left_is_told_nothing(monkeypatch):
    monkeypatch.setattr(watchers, "_states", lambda _topic, _about, some: [("word", set())] * len(some))
    charged = []

    async def checked():
        rich, poor = watcher(), watcher()
        rich.request, poor.request = "rich", "poor"

        def charge(request, seconds):
            charged.append((request, seconds >= 0))
            return request == "rich"
        found = watchers._check([rich, poor], charge)
        return [word for one in (rich, poor) for whom, word in found if whom is one]
    assert asyncio.run(checked()) == [("word", set()), None]
    assert charged == [("rich", True), ("poor", True)]


def test_a_topic_that_fails_lets_its_own_watchers_go_and_all_others_hear_on(monkeypatch):
    def fails(_requests, _pk):
        raise ValueError
    monkeypatch.setattr(watchers, "TOPICS", {"table": lambda requests, pk: [TopicState("1", {pk}) for _one in requests],
                                             "sheet": fails})

    async def begun():
        running = Watchers()
        telling = asyncio.create_task(running.deliver_news())
        there = [watcher("table"), watcher("sheet"), watcher("table")]
        found = [await asyncio.wait_for(running.add(one), 5) for one in there]
        for one in there:
            running.remove(one)
        telling.cancel()
        return found, running.count, running.by_key
    assert asyncio.run(begun()) == ([True, False, True], {}, {})


@pytest.mark.parametrize(("changes", "times"), [("nothing", 1), ("another", 1), ("party", 2), ("anything", 2)])
def test_a_watcher_is_checked_again_only_if_what_it_hangs_on_changed_meanwhile(monkeypatch, changes, times):
    party, checked, running = uuid.uuid4(), [], None

    def states(requests, pk):
        checked.append(pk)
        if len(checked) == 1:
            {"another": lambda: running.note_changes({uuid.uuid4()}), "party": lambda: running.note_changes({party}),
             "anything": running.note_gap, "nothing": lambda: None}[changes]()
        return [TopicState("1", {pk, party}) for _one in requests]
    monkeypatch.setattr(watchers, "TOPICS", {"sheet": states})

    async def begun():
        nonlocal running
        running = Watchers()
        telling = asyncio.create_task(running.deliver_news())
        first = watcher("sheet")
        await asyncio.wait_for(running.add(first), 5)
        while running.wake.is_set() or running.changed_meanwhile is not None:
            await asyncio.sleep(0)
        assert first.keys == {KEY, party}
        telling.cancel()
    asyncio.run(begun())
    assert len(checked) == times


def test_what_changes_while_nobody_is_checked_is_not_remembered():
    async def noted():
        running = Watchers()
        running.note_changes({uuid.uuid4()})
        return running.changed_meanwhile
    assert asyncio.run(noted()) is None


def test_a_server_that_stands_by_and_lets_nobody_listen_is_asked_again(monkeypatch):
    asked = []

    async def listen(_watchers):
        asked.append(True)
        raise psycopg.errors.ReadOnlySqlTransaction if len(asked) == 1 else asyncio.CancelledError
    for name in ("_poll_sqlite", "_listen_to_postgresql"):
        monkeypatch.setattr(feed, name, listen)
    monkeypatch.setattr(feed, "DATABASE_RETRY", 0)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(feed.listen_for_changes(Watchers()))
    assert len(asked) == 2


@pytest.mark.parametrize("broken", [True, False])
def test_a_process_whose_task_broke_ends_and_makes_room_for_another(monkeypatch, broken):
    ended = []
    monkeypatch.setattr(os, "_exit", ended.append)

    async def listen_for_changes(_watchers):
        if broken:
            raise RuntimeError
        await asyncio.sleep(60)
    monkeypatch.setattr(stream, "listen_for_changes", listen_for_changes)

    async def run_lifespan():
        told = asyncio.Queue()
        for _time in range(2):
            told.put_nowait({})

        async def send(_message):
            await asyncio.sleep(0.01)
        await asyncio.wait_for(stream.Streams()._lifespan(told.get, send), 5)
    asyncio.run(run_lifespan())
    assert ended == [1] * broken
