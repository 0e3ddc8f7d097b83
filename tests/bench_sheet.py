"""How long a roll takes beside a plain view that writes one row, and a list at depth beside its first page."""

import html
import re
from collections.abc import Iterator
from datetime import timedelta
from statistics import median
from uuid import uuid4

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from rulesets import systems
from sheets.models import Event, Sheet
from tests.bench_live import TIMES, TURN, Bench, kept, synchronous, timed
from tests.bench_plain import Plain

SHEETS = 20_000
CHUNK = 2_000


class Player(Bench):
    """Somebody who rolls the first widget of a sheet over and over, by its form as the browser sends it."""

    def __init__(self, document):
        super().__init__(document, "figure", "_name", ("a", "b"))
        page = self.client.get(f"/sheets/{self.pk}/", headers={"HX-Request": ""}).text
        form = re.search(r"<article .*?<form .*?</form>", page, re.S)[0]
        self.answers = dict(re.findall(r'<input (?!type="checkbox")[^>]*name="([^"]+)" value="([^"]*)"', form))
        self.seen = re.search(r'name="_seen" value="([^"]*)"', page)[1]

    def roll(self, _number: int):
        """A press without JavaScript: the answer sends the browser to the page."""
        return self._rolled({"HX-Request": ""}, 302)

    def shown(self, _number: int):
        """A press with htmx: the answer is what of the page it has changed."""
        answer = self._rolled({}, 200, _seen=self.seen)
        self.seen = re.search(r'name="_seen" value="([^"]*)"', answer.text)[1]
        if 'id="table"' in answer.text:
            raise AssertionError(answer.text[:200])
        return answer

    def _rolled(self, headers: dict, status: int, **more):
        fields = {**self.answers, "_press": str(uuid4()), **more}
        answer = self._post(f"/sheets/{self.pk}/play/", fields, headers=headers)
        if answer.status_code != status:
            raise AssertionError(answer.text[:200])
        return answer


def roll(ruleset) -> Iterator[str]:
    """A roll of an example, in turn with plain views that do nothing but save."""
    with kept():
        player, htmx = (Player(next(iter(ruleset.examples.values()))) for _kind in range(2))
        plain = Plain()
        taken = {call: [] for call in (player.roll, htmx.shown, plain.page, plain.word)}
        for start in range(0, TIMES, TURN):
            for call, seconds in taken.items():
                seconds.extend(timed(call, range(start, start + TURN)))
        rolled, shown, page, bare = (median(seconds[TURN:]) for seconds in taken.values())
        with CaptureQueriesContext(connection) as queries:
            player.roll(0)
        if Event.objects.count() != 2 * TIMES + 1:
            raise AssertionError(Event.objects.count())
        yield (f"a roll ({synchronous()}): {1000 * rolled:.1f} ms, shown by htmx {1000 * shown:.1f} ms; a plain "
               f"view that saves a row and shows a page: {1000 * page:.1f} ms, ratio {rolled / page:.2f}, by htmx "
               f"{shown / page:.2f} (goal 1.0); one that saves and says a word: {1000 * bare:.1f} ms, ratio "
               f"{rolled / bare:.2f}, by htmx {shown / bare:.2f}; {len(queries)} queries")


def listing() -> Iterator[str]:
    """The last page of many sheets beside the first: half of them never played, each ten touched at one moment."""
    ruleset = next(iter(systems().values()))
    document = next(iter(ruleset.examples.values()))
    with kept():
        client = Client()
        first = Sheet.objects.get(pk=client.post(f"/build/{ruleset.slug}/")["Location"].split("/")[2])
        now = timezone.now()
        for start in range(0, SHEETS, CHUNK):
            made = [Sheet(ruleset=ruleset.slug, name=f"{document['name']} {number}", data=document["data"],
                          guest=first.guest, played=now - timedelta(minutes=number // 10) if number % 2 else None)
                    for number in range(start, start + CHUNK)]
            Sheet.objects.bulk_create(made)
            for one in made:
                one.updated = now - timedelta(minutes=int(one.name.rsplit(" ", 1)[1]) // 10)
            Sheet.objects.bulk_update(made, ["updated"])
        pages, address = ["/sheets/"], "/sheets/"
        while more := re.search(r'href="(\?[^"]*before=[^"]*)"', client.get(address).text):
            address = f"/sheets/{html.unescape(more[1])}"
            pages.append(address)
        names = (("in the middle", pages[len(pages) // 2]), ("the last but one", pages[-2]))
        taken = {address: [] for address in ("/sheets/", *(one for _name, one in names))}
        for _turn in range(TURN):
            for one, seconds in taken.items():
                seconds.extend(timed(lambda _number, one=one: client.get(one), range(5)))
        top = median(taken["/sheets/"])
        for name, one in names:
            yield (f"my sheets, {SHEETS:,} of them on {len(pages)} pages: the first {1000 * top:.1f} ms; {name} "
                   f"{1000 * median(taken[one]):.1f} ms, ratio {median(taken[one]) / top:.2f} (goal 1.5)")
