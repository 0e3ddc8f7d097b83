"""One address that sends without a pause, by a dozen connections at once, whatever once took the program down.

Each kind is what such a person does over and over: it yields every answer, first one that costs little, since what is
dear leaves nothing to begin with. What a bound forbids comes along with what it still allows.
"""

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import cycle, islice, repeat

from PIL import Image

from rulesets import systems
from tests.support.hostile_documents import astray, chained, parcelled, rootless, tabled
from tests.support.hostile_requests import EXACT, FOUND, POSTED
from tests.support.server import PATIENCE
from tests.support.sheets.files import scanned
from tests.support.strangers import Answer, Stranger, version_of

SIDE = 4_472
"""Dots of a picture's side: as many as are allowed."""
LOST, MANY = 5_000, 100
"""Scans that are far too many, and those that are ten times as many as photographs have."""
SPACES, PRESS = " " * 65_000, "11111111-2222-4333-8444-555555555555"
ROWS, EMOJI = 4, "🐐" * 31_000
CONNECTIONS = 12


@cache
def picture(scans) -> bytes:
    """A progressive JPEG with so many more scans."""
    return scanned(scans, Image.new("L", (SIDE, SIDE)))


def pictures(stranger, scans=LOST) -> Iterator[Answer]:
    """Bring a picture with thousands of scans."""
    key = stranger.begin().split("/")[2]
    yield stranger.ask("GET", f"/sheets/{key}/picture/")
    for content in repeat(picture(scans)):
        yield stranger.ask("POST", f"/sheets/{key}/picture/", file=content, do="bring")


def allowed_pictures(stranger) -> Iterator[Answer]:
    """Bring one with as many as can be decoded within the bounds."""
    return pictures(stranger, MANY)


def texts(stranger) -> Iterator[Answer]:
    """Send the texts that two expressions took forever for, wherever somebody reads them."""
    document = json.dumps(systems()["daemmersturm"].examples["two-weapons"])
    draft = stranger.keep(stranger.ask("POST", "/import/", document=document, do="import"))
    sheet, step, die = f"/sheets/{draft.split('/')[2]}", f"{draft}/equipment/", f"1{SPACES}w"
    version = version_of(stranger.ask("GET", step))
    for address, fields in cycle([
        *((address, {"document": f"LP{SPACES}", "do": "check"}) for address in ("/paste/", "/validate/", "/import/")),
        ("/dice/daemmersturm/", {"w": "roll-damage", "range": die}),
        (step, {"_version": version, "weapons.0.damage": die}),
        (f"{sheet}/play/", {"w": "roll-damage", "_press": PRESS, "range": die}),
        (f"{sheet}/play/", {"w": "roll-paired-attack-weapons-0-dagger-handgun", "_press": PRESS, "second_damage": die}),
    ]):
        yield stranger.ask("POST", address, **fields)


def sums(stranger) -> Iterator[Answer]:
    """Ask for what takes longest to reckon, as whoever wants a worker to be ended."""
    asked = [("GET", one, {}) for one in (*EXACT, *FOUND)]
    asked += [("POST", where, {"document": text, "do": "check"}) for where, text in POSTED.values()]
    for method, address, fields in cycle(asked):
        yield stranger.ask(method, address, **fields)


def emoji(stranger) -> Iterator[Answer]:
    """Begin drafts, each in a new browser, and fill them with what is long when it is stored."""
    while True:
        stranger.session = ""
        made = stranger.ask("POST", "/build/condice/")
        yield made
        if made.status != 302:
            continue
        page = stranger.ask("GET", f"{stranger.keep(made)}/attacks/")
        yield page
        if page.status == 200:
            yield from filled(stranger, f"{'/'.join(made.headers['Location'].split('/')[:3])}/attacks/", page)


def filled(stranger, step, page) -> Iterator[Answer]:
    """Fill one draft, until that is refused."""
    version = version_of(page)
    for fields in (fields for n in range(ROWS)
                   for fields in ({"do": "add:attacks"}, {f"attacks.{n}.description": EMOJI})):
        saved = stranger.ask("POST", step, _version=version, **fields)
        yield saved
        if saved.status != 302:
            # There would be no row for the next one.
            return
        version += 1


def papers(stranger) -> Iterator[Answer]:
    """Have PDFs looked into that cost far more than one of ours."""
    yield stranger.ask("GET", "/validate/")
    for content in cycle([tabled(1_000_000), parcelled(), rootless(9_000), astray(3_900), chained(1_000)]):
        yield stranger.ask("POST", "/validate/", file=content)


KINDS: dict[str, Callable[[Stranger], Iterator[Answer]]] = {
    "pictures": pictures, "allowed pictures": allowed_pictures, "texts": texts, "sums": sums, "emoji": emoji,
    "papers": papers}


def storm(port, address, seconds) -> tuple[float, list[tuple[float, str, int]]]:
    """Send all kinds at once for so many seconds; for 0 until each connection was refused last.

    Return how long that took, and of each answer when it came, its kind and its status.
    """
    senders = [(kind, KINDS[kind](Stranger(port, address))) for kind in islice(cycle(KINDS), CONNECTIONS)]
    last = {number: next(answers).status for number, (_kind, answers) in enumerate(senders)}
    came, begun = [], time.monotonic()
    end = begun + (seconds or PATIENCE)

    def send(number):
        kind, answers = senders[number]
        for answer in answers:
            last[number] = answer.status
            came.append((time.monotonic() - begun, kind, answer.status))
            if time.monotonic() > end or (not seconds and set(last.values()) == {429}):
                return
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(send, range(CONNECTIONS)))
    return time.monotonic() - begun, came
