"""The cost of all who watch a table after a press, beside one whole page of that table."""

import time
from collections.abc import Iterator
from statistics import median
from types import SimpleNamespace

TIMES, LOG = 30, 45
"""Presses that are measured, and those before them, which fill the log."""


def watchers(ruleset) -> Iterator[str]:
    """Eight who watch, of four audiences and in two languages, after a roll of one of them at another."""
    from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django to be set up

    from sheets.live.topics import TOPICS  # noqa: PLC0415 - the same
    from sheets.models import PendingEffect, Sheet  # noqa: PLC0415 - the same
    from sheets.parties import services as parties  # noqa: PLC0415 - the same
    from tests.bench_live import kept  # noqa: PLC0415 - the same
    from tests.bench_table import Attacker  # noqa: PLC0415 - the same

    with kept():
        fight = (somebody := Attacker(ruleset.slug)).fight
        for number in range(4):
            user = fight.users[f"other {number}"] = User.objects.create_user(f"other {number}")
            parties.join_party(fight.party, user)
            Sheet.objects.create(name=f"Held {number}", owner=user, party=fight.party, ruleset=ruleset.slug,
                                 seen_by="party", data=fight.sheets["anna"].data)
        roll, somebody.stored = next(one for one in somebody.both if one.startswith("roll-")), []
        watching = [SimpleNamespace(request=SimpleNamespace(user=user), language=("de", "en")[at % 2], change_token="")
                    for at, user in enumerate(fight.users.values())]

        def look() -> int:
            seen = TOPICS["table"](watching, fight.party.pk)
            for one, found in zip(watching, seen, strict=True):
                one.change_token = found.change_token
            return sum(len(found.pieces or ()) for found in seen)

        pages, news = [], []
        for number in range(LOG + TIMES):
            # What waited before is settled, as at most tables.
            PendingEffect.objects.all().delete()
            look()
            somebody.press(roll, somebody.table)
            if number < LOG:
                continue
            begun = time.thread_time()
            fight.look("ben", "ben", None)
            pages.append(time.thread_time() - begun)
            begun = time.thread_time()
            sent = look()
            news.append(time.thread_time() - begun)
            if sent != len(watching):
                raise AssertionError(sent)
        together, page = 1000 * median(news), 1000 * median(pages)
        yield (f"pieces for {len(watching)} who watch a table after a press: {together:.1f} ms together; one whole "
               f"page of it: {page:.1f} ms, ratio {together / page:.2f} (goal 0.5)")
