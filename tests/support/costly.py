"""A search for requests that cost much: whatever takes figures is asked, and what took longest is changed further.

`python -m tests.support.costly 120` searches for so many seconds and prints the worst addresses, for the table of
`tests/support/hostile_requests.py`.
"""

import logging
import os
import sys
import time
from random import Random
from urllib.parse import urlencode

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
os.environ["DATABASE_URL"] = "sqlite://:memory:"

import django

import builder.development  # noqa: F401 - declares development before the settings are read

django.setup()

from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402

from rulesets import systems  # noqa: E402
from rulesets.kit import slots  # noqa: E402

TEXTS = ("0-999", "0-1", "1-999", "1-10", "998-999", "20", "1,2,3,4,5", "6,6,6,6,6,6", "",
         ",".join(map(str, range(1, 21))))
KEPT = 40
"""Requests that are changed further."""


def answers(shape, rng: Random) -> dict[str, str]:
    """An answer to each field of a roll or contest, at the bounds rather than between them."""
    return {key: answer(slot, rng) for key, slot in slots(shape).items()}


def answer(slot, rng: Random) -> str:
    """One answer."""
    if slot.kind == "number":
        low, high = max(slot.low or 0, slot.ask.least or 0), slot.high or 999
        middle = rng.randint(low, high)
        return str(rng.choice((low, high, middle, low + (middle - low) // 8, low + (middle - low) // 30)))
    if slot.kind == "check":
        return rng.choice(("0", "1"))
    return str(rng.choice(slot.choices)) if slot.choices else rng.choice(TEXTS)


def requests() -> list[tuple]:
    """(how an address begins, the shapes that are asked) of whatever takes figures."""
    found = []
    for slug, ruleset in systems().items():
        for key, roll in ruleset.rolls.items():
            places = f"/api/v1/rulesets/{slug}/rolls/{key}/odds?", f"/dice/{slug}/?w=roll-{key}&"
            found += [(place, (("", roll),)) for place in places]
        if ruleset.contest:
            sides = (("a.", ruleset.contest), ("b.", ruleset.contest))
            found += [(f"/compare/{slug}/?", sides)] * 6
    return found


def search(client, seconds: float, rng: Random) -> list[tuple[float, int, int, str]]:
    """(seconds of processor, bytes, status, address) of what was asked, the worst first."""
    kinds, worst, until = requests(), [], time.monotonic() + seconds
    while time.monotonic() < until:
        if worst and rng.random() < 0.6:
            _cost, _bytes, _status, kind, given = rng.choice(worst[:KEPT])
            given = dict(given)
            for _change in range(rng.randint(1, 2)):
                prefix, shape = rng.choice(kind[1])
                key, text = rng.choice(list(answers(shape, rng).items()) or [("", "")])
                given |= {prefix + key: text} if key else {}
        else:
            kind = rng.choice(kinds)
            given = {prefix + key: text for prefix, shape in kind[1] for key, text in answers(shape, rng).items()}
        began = time.process_time()
        response = client.get(kind[0] + urlencode(given))
        worst.append((time.process_time() - began, len(response.content), response.status_code, kind, given))
        worst.sort(key=lambda one: (-(one[2] >= 500), -one[0]))
        del worst[10 * KEPT:]
    return [(cost, size, status, kind[0] + urlencode(given)) for cost, size, status, kind, given in worst]


def main() -> None:
    """Searches and prints."""
    setup_test_environment()
    logging.getLogger("django.request").setLevel(logging.CRITICAL)
    call_command("migrate", verbosity=0)
    for address in ("/compare/condice/", "/dice/condice/", "/api/v1/rulesets"):
        Client().get(address)
    chance = Random(14)  # noqa: S311 - requests, not secrets
    for cost, size, status, address in search(Client(), float(sys.argv[1]), chance)[:60]:
        sys.stdout.write(f"{cost:.3f} s {size:>7} {status} {address}\n")


if __name__ == "__main__":
    main()
