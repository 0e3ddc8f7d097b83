"""How long a live change takes beside a plain view that does nothing but save, and what a first visit fetches."""

import gzip
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from urllib.parse import urlencode

from django.core.management import call_command
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from builder.urls import urlpatterns as ours
from sheets.models import Sheet
from tests.bench_plain import Plain
from tests.bench_plain import urlpatterns as plain

TIMES = 300
TURN = 20
"""Requests that are made in turn before the other kind has its turn; what else the machine does hits both alike."""

# Django looks for an address among these in their order.
urlpatterns = [*plain, *ours]


@contextmanager
def kept() -> Iterator[None]:
    """A database of its own on this machine's disk, with the settings of production."""
    connection.close()
    name = connection.settings_dict["NAME"]
    with TemporaryDirectory(dir=Path(__file__).parent.parent) as folder:
        connection.settings_dict["NAME"] = str(Path(folder, "bench.sqlite3"))
        try:
            with override_settings(ROOT_URLCONF="tests.bench_live", ALLOWED_HOSTS=["testserver"]):
                call_command("migrate", verbosity=0)
                yield
        finally:
            connection.close()
            connection.settings_dict["NAME"] = name


class Bench:
    """Somebody who changes a sheet on one step, over and over, each time to something else."""

    def __init__(self, document, slug: str, field: str, values):
        self.client = Client(headers={"HX-Request": "true"})
        self.pk = self.client.post(f"/build/{document['ruleset']}/")["Location"].split("/")[2]
        Sheet.objects.filter(pk=self.pk).update(name=document["name"], data=document["data"])
        self.slug, self.field, self.values, self.version = slug, field, values, 1
        page = self.client.get(f"/drafts/{self.pk}/{slug}/", headers={"HX-Request": ""}).text
        form = re.search(r'<form id="step".*?</form>', page, re.S)[0]
        self.fields = dict(re.findall(r'<input [^>]*name="([^"]+)" value="([^"]*)"', form))

    def live(self, number: int) -> HttpResponse:
        """A change, checked, saved and shown: the whole form as the browser sends it."""
        fields = self.fields | {self.field: self.values[number % 2], "_version": str(self.version)}
        answer = self._post(f"/drafts/{self.pk}/{self.slug}/", fields)
        self.version += 1
        if f'data-version="{self.version}"' not in answer.text:
            raise AssertionError(answer.text)
        return answer

    def _post(self, address: str, fields: dict, **more) -> HttpResponse:
        """A form as browsers send it."""
        return self.client.post(address, urlencode(fields), content_type="application/x-www-form-urlencoded", **more)


def timed(call, numbers) -> list[float]:
    """Seconds of each call."""
    found = []
    for number in numbers:
        begun = perf_counter()
        call(number)
        found.append(perf_counter() - begun)
    return found


def synchronous() -> str:
    """How the database answers for what it acknowledged."""
    if connection.vendor != "sqlite":
        return connection.vendor
    with connection.cursor() as cursor:
        modes = [cursor.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in ("journal_mode", "synchronous")]
    with Path(connection.settings_dict["NAME"]).with_name("sync").open("wb") as file:
        synced = median(timed(lambda _number: (file.write(b"x" * 4096), file.flush(), os.fsync(file)), range(50)))
    return f"SQLite on disk, {modes[0].upper()}, synchronous={modes[1]}, fsync {1000 * synced:.1f} ms"


def change(ruleset) -> Iterator[str]:
    """A live change beside plain views that do nothing but save, in turn, on each step of an example."""
    document = next(iter(ruleset.examples.values()))
    with kept():
        for slug, field, values in _changes(ruleset, document):
            bench, plain = Bench(document, slug, field, values), Plain()
            taken = {call: [] for call in (bench.live, plain.page, plain.word)}
            for start in range(0, TIMES, TURN):
                for call, seconds in taken.items():
                    seconds.extend(timed(call, range(start, start + TURN)))
            live, shown, saved = (median(seconds[TURN:]) for seconds in taken.values())
            with CaptureQueriesContext(connection) as queries:
                bench.live(TIMES)
            yield (f"a live change on “{slug}” ({synchronous()}): {1000 * live:.1f} ms; a plain view that saves a row "
                   f"and shows a page: {1000 * shown:.1f} ms, ratio {live / shown:.2f} (goal 1.3); one that saves and "
                   f"says a word: {1000 * saved:.1f} ms, ratio {live / saved:.2f}; {len(queries)} queries "
                   "(goal at most 8)")


def _changes(ruleset, document) -> Iterator[tuple]:
    """(step, input, two values) of a number on each step that has one; rather one less than one more."""
    from builder.wizard.steps import steps  # noqa: PLC0415 - needs Django to be set up

    for slug, (_step, keys) in steps(ruleset).items():
        for field, value in _numbers({key: document["data"][key] for key in keys}):
            yield slug, field, (str(value - 1 if value > 1 else value + 1), str(value))
            break


def _numbers(node, place="") -> Iterator[tuple[str, int]]:
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        if isinstance(value, dict | list):
            yield from _numbers(value, f"{place}{key}.")
        elif isinstance(value, int) and not isinstance(value, bool):
            yield f"{place}{key}", value


def visit() -> Iterator[str]:
    """All that a browser fetches which comes for the first time, compressed, and whose it is."""
    with kept():
        client = Client(headers={"Accept-Language": "de"})
        begun = client.post("/build/condice/")["Location"]
        for name, address in (("the front page", "/"), ("the wizard", begun)):
            page = client.get(address).text
            files = set(re.findall(r'(?:src|href)="([^"#]+\.(?:css|js|svg)[^"]*)"', page))
            foreign = set(re.findall(r'(?:src|href|action)="((?:[a-z]+:)?//[^"]*)"', page))
            sizes = {one: len(gzip.compress(b"".join(client.get(one)), 9)) for one in files}
            sizes[address] = len(gzip.compress(page.encode(), 6))
            yield (f"first visit to {name}: {sum(sizes.values()) / 1024:.1f} KB compressed in {len(sizes)} requests "
                   f"(goal at most 60), {len(foreign)} to anybody else (goal 0)"
                   + (f" {json.dumps(sorted(foreign))}" if foreign else ""))
