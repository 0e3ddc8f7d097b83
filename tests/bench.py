"""`make bench`: how fast it is, as ratios and beside its goals, measured in one run on one machine."""

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")

import django

import builder.development  # noqa: F401 - declares development before the settings are read

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.utils.translation import override  # noqa: E402
from jsonschema import Draft202012Validator  # noqa: E402

from rulesets import cached, dice, document, generate, systems  # noqa: E402
from tests import bench_live, bench_paper, bench_reviews, bench_sheet, bench_table, bench_watch  # noqa: E402
from tests.support.rulesets.crowds import crowds  # noqa: E402

DOCUMENTS = 1_000
ROUNDS = 3


def spent(*works) -> list[float]:
    """Seconds of the quickest of some rounds of each: what else the machine does only ever adds.

    They have their rounds in turn, so that a machine that slows down does so for all of them.
    """
    rounds = []
    for _round in range(ROUNDS):
        rounds.append([])
        for work in works:
            begun = perf_counter()
            work()
            rounds[-1].append(perf_counter() - begun)
    return [*map(min, zip(*rounds, strict=True))]


def documents(ruleset) -> list[bytes]:
    """Finished sheets, each another."""
    rng = Random(ruleset.slug)  # noqa: S311 - the same sheets in every run
    return [document.canonical(generate.sheet(ruleset, rng)) for _number in range(DOCUMENTS)]


def offenders(ruleset) -> list[bytes]:
    """Sheets that break one rule each, and have their fixes tried."""
    return [document.canonical(one) for one in islice(cycle(ruleset.offenders.values()), DOCUMENTS)]


def validation(ruleset) -> Iterator[str]:
    """A whole verdict beside what python-jsonschema takes for the shape alone."""
    schema = Draft202012Validator(ruleset.sheet.model_json_schema())
    for what, raw, goal in (("finished sheets", documents(ruleset), " (goal 10)"),
                            ("sheets with findings and their fixes", offenders(ruleset), " (goal 3)")):
        ours, theirs = spent(lambda raw=raw: [document.verdict(one) for one in raw],
                             lambda raw=raw: [list(schema.iter_errors(json.loads(one)["data"])) for one in raw])
        yield (f"verdicts a second, {what}: {DOCUMENTS / ours:,.0f}; their shape alone by python-jsonschema: "
               f"{DOCUMENTS / theirs:,.0f}; ratio {theirs / ours:.1f}{goal}")
    raw = [document.canonical(one) for one in crowds(ruleset)]
    slowest, theirs = max(spent(lambda one=one: document.verdict(one),
                                lambda one=one: list(schema.iter_errors(json.loads(one)["data"]))) for one in raw)
    yield (f"the slowest of {len(raw)} sheets where nearly all is wrong: {1000 * slowest:.0f} ms (goal under 300); its "
           f"shape alone by python-jsonschema: {1000 * theirs:.1f} ms; ratio {theirs / slowest:.2f}")


def command(ruleset) -> Iterator[str]:
    """Many documents in one call."""
    with TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.json") for number in range(DOCUMENTS)]
        for file, raw in zip(files, documents(ruleset), strict=True):
            file.write_bytes(raw)

        def call():
            with suppress(SystemExit):
                call_command("validate", *map(str, files), "--format", "json", stdout=io.StringIO())

        yield f"{DOCUMENTS:,} documents in one `validate`: {spent(call)[0]:.2f} s (goal under 5)"


def odds() -> Iterator[str]:
    """Thirty dice from nothing."""

    def cold():
        cached.clear()
        dice.Odds.counted(dice.replayed(lambda tray: dice.Outcome(tray.total(30, (0, 0, 0, 1, 1, 2)))))

    yield f"exact odds of 30 dice, cold: {1000 * spent(cold)[0]:.2f} ms (goal under 50)"


def generation(ruleset) -> Iterator[str]:
    """Random characters."""
    rng = Random(1)  # noqa: S311 - the same sheets in every run
    yield f"random character: {1000 * spent(lambda: generate.sheet(ruleset, rng))[0]:.1f} ms"


EACH = (validation, command, generation, bench_live.change, bench_sheet.roll, bench_table.press, bench_watch.watchers,
        bench_paper.pages, bench_reviews.measures, bench_reviews.catalogue)
"""Measurements made for every system."""
ONCE = (odds, bench_live.visit, bench_sheet.listing, bench_table.table, bench_reviews.desk)
"""Measurements of what all systems share."""


def main() -> None:
    """Prints every measurement, a line each."""
    # Pages and commands always speak a language; without one each text looks for it anew.
    with override(settings.LANGUAGE_CODE):
        for ruleset in systems().values():
            for measure in EACH:
                for line in measure(ruleset):
                    sys.stdout.write(f"{ruleset.slug}: {line}\n")
        for measure in ONCE:
            for line in measure():
                sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
