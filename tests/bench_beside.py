"""What each kind of request costs beside another commit, told as a ratio of processor time.

`python -m tests.bench_beside FOLDER PYTHON [PART OF A NAME …]` names a worktree of that commit and a Python with its
packages. A process in each makes the same request in turn. A kind that the other commit does not have is left out.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles
from urllib.parse import urlencode
from uuid import uuid4

ROUNDS, TURN = 24, 5
"""How often each tree has its turn at a kind of request, and how many it makes then."""
LOG = 30
"""Rolls that stand in the log of a sheet that is played."""


class Tree:
    """A process that makes requests in one tree."""

    def __init__(self, folder: str, python: str):
        self.process = subprocess.Popen([python, __file__, "work"], cwd=folder, text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.kinds = set(self.heard())

    def heard(self) -> list:
        """The next answer."""
        return json.loads(self.process.stdout.readline())

    def seconds(self, kind: str) -> float:
        """Of one request of a kind, the quickest of a turn: what else the machine does only makes one slower."""
        self.process.stdin.write(f"{kind}\n")
        return min(self.heard())


def beside(old: Tree, new: Tree, kind: str) -> str:
    """One kind in both trees, now one first, now the other; the quartiles tell how sure the ratio is."""
    taken: dict[Tree, list[float]] = {old: [], new: []}
    for number in range(ROUNDS + 2):
        for tree in (old, new) if number % 2 else (new, old):
            taken[tree].append(tree.seconds(kind))
    ratios = [there / here for here, there in zip(taken[old], taken[new], strict=True)][2:]
    low, usual, high = quantiles(ratios, n=4)
    there, here = (1000 * median(taken[tree]) for tree in (old, new))
    return f"{usual:.2f} ({low:.2f} to {high:.2f}), {there:.2f} and {here:.2f} ms: {kind}\n"


def main(folder: str, python: str, *words: str) -> None:
    """Prints a line for each kind that both trees have, or for those whose name has one of the words in it."""
    # Both on one core, since what else runs may slow down another one.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    old, new = Tree(folder, python), Tree(str(Path.cwd()), sys.executable)
    for kind in sorted(old.kinds & new.kinds):
        if not words or any(word in kind for word in words):
            sys.stdout.write(beside(old, new, kind))
            sys.stdout.flush()


def spent(call: Callable, *arguments) -> float:
    """Seconds of processor that a call takes."""
    begun = time.thread_time()
    call(*arguments)
    return time.thread_time() - begun


def below(frames: int, call: Callable[[int], float], number: int) -> float:
    """A call from that many frames further down."""
    return below(frames - 1, call, number) if frames else call(number)


def posted(client, address: str, fields: dict):
    """A form as a browser sends it."""
    return client.post(address, urlencode(fields), content_type="application/x-www-form-urlencoded")


def kinds(ruleset) -> Iterator[tuple[str, Callable[[int], float]]]:
    """(name, what makes it once and tells its seconds) of each kind of request about one system."""
    from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django to be set up
    from django.test import Client  # noqa: PLC0415 - the same

    from rulesets import document, generate  # noqa: PLC0415 - the same
    from sheets.models import Sheet  # noqa: PLC0415 - the same
    from tests.bench_live import Bench, _changes  # noqa: PLC0415 - the same
    from tests.bench_sheet import Player  # noqa: PLC0415 - the same

    example = next(iter(ruleset.examples.values()))
    for step, field, values in _changes(ruleset, example):
        yield f"live change {step}", partial(spent, Bench(example, step, field, values).live)
    yield "roll", partial(spent, Player(example).roll)
    yield "roll by htmx", partial(spent, Player(example).shown)
    yield from acts(ruleset, example)
    yield from at_table(ruleset.slug)
    yield from settled(ruleset.slug)
    yield from turns(ruleset.slug)
    played = Player(example)
    for number in range(LOG):
        played.roll(number)
    somebody, guest = Client(), played.client
    somebody.force_login(User.objects.create_user(ruleset.slug))
    pk = somebody.post(f"/build/{ruleset.slug}/")["Location"].split("/")[2]
    Sheet.objects.filter(pk=pk).update(name=example["name"], data=example["data"])
    own = ("/", "/sheets/", f"/sheets/{pk}/", f"/drafts/{pk}/figure/", f"/drafts/{pk}/finish/", "/parties/")
    seen = (f"/sheets/{played.pk}/", f"/dice/{ruleset.slug}/", f"/rules/{ruleset.slug}/", f"/compare/{ruleset.slug}/",
            "/validate/")
    for who, client, addresses in (("somebody", somebody, own), ("a guest", guest, seen)):
        for address in addresses:
            name = re.sub(r"[0-9a-f-]{36}", "KEY", address)
            yield (f"GET {name} by {who}", lambda _number, client=client, address=address: spent(
                lambda: client.get(address, headers={"HX-Request": ""}).text))
    rng = Random(ruleset.slug)  # noqa: S311 - the same sheets in both trees
    found = [document.canonical(one) for one in [*ruleset.examples.values()] * 20]
    wrong = [document.canonical(one) for one in [*ruleset.offenders.values()] * 3]
    yield "verdicts of examples", lambda _number: spent(lambda: [document.verdict(one) for one in found])
    yield "verdicts with fixes", lambda _number: spent(lambda: [document.verdict(one) for one in wrong])
    yield "random character", lambda _number: spent(generate.sheet, ruleset, rng)


def acts(ruleset, example: dict) -> Iterator[tuple[str, Callable[[int], float]]]:
    """Each act as its form stands on the sheet, at least one of whatever is counted; afterwards all is put back."""
    from django.test import Client  # noqa: PLC0415 - needs Django to be set up

    from sheets.models import Event, Sheet  # noqa: PLC0415 - the same

    client = Client(headers={"HX-Request": "true"})
    pk = client.post(f"/build/{ruleset.slug}/")["Location"].split("/")[2]
    Sheet.objects.filter(pk=pk).update(name=example["name"], data=example["data"])
    row = Sheet.objects.filter(pk=pk).values().get()
    page = client.get(f"/sheets/{pk}/", headers={"HX-Request": ""}).text
    seen = re.search(r'name="_seen" value="([^"]*)"', page)[1]

    def press(fields: dict) -> float:
        fields |= {"_press": str(uuid4()), "_seen": seen}
        seconds = spent(posted, client, f"/sheets/{pk}/play/", fields)
        made, _rows = Event.objects.filter(sheet=pk).delete()
        Sheet.objects.filter(pk=pk).update(**row)
        return seconds if made else 0

    for which in dict.fromkeys(re.findall(r'id="w-(act-[^"]+)"', page)):
        form = re.search(rf'id="w-{which}".*?</form>', page, re.DOTALL)[0]
        chosen = re.findall(r'<select[^>]*name="([^"]+)".*?<option value="([^"]*)"', form, re.DOTALL)
        fields = dict(re.findall(r'<input (?!type="checkbox")[^>]*name="([^"]+)" value="([^"]*)"', form))
        fields |= {**dict(chosen), **{name: "1" for name in ("points", "by") if name in fields}, "w": which}
        if press(fields):
            yield which, lambda _number, fields=fields: press(fields)


def at_table(slug: str) -> Iterator[tuple[str, Callable[[int], float]]]:
    """A roll and an act at a party's table, aimed at another: the press alone, and until all of it stands there.

    A page that its answer does not tell all looks for the rest.
    """
    from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django to be set up

    from sheets.models import Event  # noqa: PLC0415 - the same
    from tests.bench_table import Attacker  # noqa: PLC0415 - the same

    somebody = Attacker(slug)
    for user in somebody.fight.users.values():
        # Those of the next system are called the same.
        User.objects.filter(pk=user.pk).update(username=f"{user.username} {slug}")
    table, query = somebody.table, f"?{somebody.fight.seats()}"
    since = re.search(r'since=([^"&]+)"', somebody.pages[table])[1]

    def press(which: str, *, whole: bool) -> float:
        for there, rows in somebody.stored:
            for row in rows:
                there.filter(pk=row["id"]).update(**row)
        fields = somebody.answers(table, which) | {"_press": str(uuid4())}
        headers, begun = {"HX-Request": "true"}, time.thread_time()
        answer = somebody.client.post(f"{table}play/{query}", fields, headers=headers)
        if whole and "table-lines" not in answer.text and "table-log" not in answer.text:
            somebody.client.get(f"{table}{query}&since={since}&_rows={fields.get('_rows', '')}", headers=headers)
        seconds = time.thread_time() - begun
        made, _rows = Event.objects.filter(key=fields["_press"]).delete()
        return seconds if made else 0

    for kind in ("roll-", "act-"):
        which = next((one for one in somebody.both if one.startswith(kind) and press(one, whole=False)), None)
        if which:
            yield f"{which} at the table", lambda _number, which=which: press(which, whole=False)
            yield f"{which} at the table, until all stands there", lambda _number, which=which: press(which, whole=True)


def turns(slug: str) -> Iterator[tuple[str, Callable[[int], float]]]:
    """A roll, the end of a turn and the page of a table of twelve, for a GM while a fight goes on there."""
    from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django to be set up

    from sheets.models import Sheet  # noqa: PLC0415 - the same
    from tests.bench_table import Attacker  # noqa: PLC0415 - the same

    fight = (somebody := Attacker(slug)).fight
    for number in range(10):
        Sheet.objects.create(name=f"Troll {number}", owner=fight.users["gm"], party=fight.party, ruleset=slug,
                             opponent=True, data=fight.sheets["anna"].data)
    for user in fight.users.values():
        User.objects.filter(pk=user.pk).update(username=f"{user.username} in turn {slug}")
    address = f"{fight.address}play/?{fight.seats()}"

    def press(**fields: str) -> float:
        page = fight.look("gm").text
        carried = dict(re.findall(r'<input type="hidden"[^>]* name="(_rows|_by|_at|_order)" value="([^"]*)"', page))
        said = {**carried, **fields, "_press": str(uuid4()), "_since": re.search(r'since=([^"&]+)"', page)[1]}
        return spent(partial(fight.browsers["gm"].post, headers={"HX-Request": "true"}), address, said)

    press(do="turn:begin")
    if roll := next((one for one in somebody.both if one.startswith("roll-")), ""):
        answers = {name: text for name, text in somebody.answers(somebody.table, roll).items() if name[0] != "_"}
        yield "roll at a table of twelve", lambda _number: press(**{**answers, "w": roll})
    yield "turn ended at a table of twelve", lambda _number: press(do="turn:next")
    yield "page of a table of twelve", lambda _number: spent(fight.look, "gm")


def settled(slug: str) -> Iterator[tuple[str, Callable[[int], float]]]:
    """What landed at somebody at a party's table is applied there, and that is taken back, as htmx presses it."""
    from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django to be set up

    from sheets import models  # noqa: PLC0415 - the same
    from tests.bench_table import Attacker  # noqa: PLC0415 - the same

    somebody = Attacker(slug)
    fight, somebody.stored = somebody.fight, []
    for user in fight.users.values():
        User.objects.filter(pk=user.pk).update(username=f"{user.username} at {slug}")
    rolls = [one for one in somebody.both if one.startswith("roll-")]
    landed = getattr(models, "PendingEffect", getattr(models, "Landing", None)).objects.filter(event__party=fight.party)
    for number in range(10 * LOG if rolls else 0):
        if number < LOG or not landed.exists():
            somebody.press(rolls[number % len(rolls)], somebody.table)
    if newest := landed.order_by("pk").last():
        settling = Settling(fight, newest)
        if settling.last_of("apply"):
            yield "effect applied at the table", lambda _number: settling.last_of("apply")
            yield "effect taken back at the table", lambda _number: settling.last_of("apply", "back")


class Settling:
    """Ben's page of a table at which something waits for him."""

    def __init__(self, fight, landed):
        self.fight, self.landed = fight, landed

    def press(self, word: str) -> float:
        """The seconds of a press on what landed, or on the act that it became."""
        self.landed.refresh_from_db()
        page = self.fight.look("ben", "ben", None).text
        # What each request of the page carries.
        carried = re.findall(r'<input type="hidden"[^>]* name="(_rows|_by|_at)" value="([^"]*)"', page)
        fields = {"do": f"{word}:{self.landed.applied_id or self.landed.pk}", "_press": str(uuid4()),
                  "_since": re.search(r'since=([^"&]+)"', page)[1], **dict(carried)}
        address = f"{self.fight.address}play/?{self.fight.seats('ben', None)}"
        return spent(partial(self.fight.browsers["ben"].post, headers={"HX-Request": "true"}), address, fields)

    def last_of(self, *words: str) -> float:
        """The seconds of the last of these presses; whatever they did is put back."""
        party = self.fight.party
        landed = type(self.landed).objects.filter(event__party=party)
        rows = type(party).objects.filter(pk=party.pk), party.sheets, landed
        stored, newest = [(one.model.objects, list(one.values())) for one in rows], party.events.latest("pk").pk
        seconds = [self.press(word) for word in words][-1]
        for there, kept in stored:
            for row in kept:
                there.filter(pk=row["id"]).update(**row)
        party.events.filter(pk__gt=newest).delete()
        return seconds


def work() -> None:
    """Makes what is asked for by lines, and answers with the seconds of each."""
    sys.path[0] = str(Path.cwd())
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
    import builder.development  # noqa: PLC0415 - declares development before the settings are read
    import builder.wsgi  # noqa: F401, PLC0415 - sets Django up, and the collector, as that tree is served
    from rulesets import systems  # noqa: PLC0415 - needs Django to be set up
    from tests.bench_live import kept  # noqa: PLC0415 - the same

    with kept():
        found = {f"{slug} {name}": call for slug, ruleset in systems().items() for name, call in kinds(ruleset)}
        sys.stdout.write(f"{json.dumps([*found])}\n")
        sys.stdout.flush()
        times = dict.fromkeys(found, 0)
        for line in sys.stdin:
            call, first = found[kind := line.strip()], times[line.strip()]
            times[kind] += TURN
            # Python 3.11 maps its stack by 16 KB: a loop that happens to stand at an end of one maps with each turn.
            taken = [below(20 * (number % TURN), call, number) for number in range(first, first + TURN)]
            sys.stdout.write(f"{json.dumps(taken)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    work() if sys.argv[1:] == ["work"] else main(*sys.argv[1:])
