"""The time that measures of a party take, and the cost of a GM's pages with a hundred times as many decisions."""

from collections.abc import Iterator
from importlib import import_module
from random import Random
from statistics import median
from time import process_time
from uuid import uuid4

from django.contrib.auth.models import User
from django.test import Client

from rulesets import cached, generate, systems
from rulesets.kit import blank, entry_data, open_lists
from sheets.models import Party, Sheet
from sheets.parties.catalogue import add_entries
from sheets.parties.catalogue_form import whole_row
from sheets.parties.services import found_party
from sheets.status.sheet_check import check_sheet
from tests.bench_live import kept
from tests.support.sheets.decided import decided

PARTY = 12
TIMES = 15
DOCUMENTS, ENTRIES = 100, 200
FEW, MANY = 100, 10_000
"""Reviews of one GM."""


def measures(ruleset) -> Iterator[str]:
    """The measures of a party of random characters, first with nothing counted before."""
    rng = Random(ruleset.slug)  # noqa: S311 - the same sheets in every run
    party = [ruleset.sheet.model_validate(generate.sheet(ruleset, rng)["data"]) for _number in range(PARTY)]
    cached.clear()
    for one in vars(import_module(f"rulesets.{ruleset.slug.replace('-', '_')}.measures")).values():
        getattr(one, "cache_clear", int)()
    taken = []
    for _time in range(TIMES):
        begun = process_time()
        for sheet in party:
            list(sheet.measures(ruleset.book))
        taken.append(1000 * (process_time() - begun))
    yield (f"measures of a party of {PARTY}: cold {taken[0]:.1f} ms, warm {median(taken):.2f} ms (goal under 50)")


def catalogue(ruleset) -> Iterator[str]:
    """Verdicts on sheets in a party with a catalogue and in one without, in processor time."""
    rng, (where, part) = Random(ruleset.slug), next(iter(open_lists(ruleset.sheet).items()))  # noqa: S311 - the same
    rows = [entry_data(part, blank(part) | {part.party_entry.name: f"Nebelwand {number}"})
            for number in range(ENTRIES)]
    data = [generate.sheet(ruleset, rng)["data"] for _number in range(DOCUMENTS)]
    own = {**data[0], where[0]: [*data[0][where[0]], whole_row(ruleset, where, rows[0])]}
    with kept():
        gm = User.objects.create_user(uuid4().hex)
        without, full = (found_party(gm, name, ruleset) for name in ("without", "full"))
        add_entries(full, [(where, row) for row in rows])
        none, many = _verdicts(ruleset, data, without, full)
        yield (f"verdicts on {DOCUMENTS} sheets: {none:.1f} ms in a party without a catalogue, {many:.1f} ms with "
               f"{ENTRIES} entries, ratio {many / none:.2f} (goal 1.05)")
        none, many = _verdicts(ruleset, [own], without, full)
        yield f"reading {ENTRIES} entries for the first sheet of a page with an own row: {many - none:.1f} ms more"


def _verdicts(ruleset, data: list, *parties: Party) -> list[float]:
    """Return the milliseconds that verdicts on these sheets take in each party, the quickest time of each."""
    taken: dict[Party, list[float]] = {party: [] for party in parties}
    for _time in range(TIMES):
        for party in parties:
            party.__dict__.pop("_catalogue", None)
            sheets = [Sheet(party=party, ruleset=ruleset.slug, data=one) for one in data]
            begun = process_time()
            for sheet in sheets:
                check_sheet(ruleset, sheet, ruleset.book)
            taken[party].append(1000 * (process_time() - begun))
    return [min(times) for times in taken.values()]


def desk() -> Iterator[str]:
    """The GM's pages after many decisions beside those after few, in processor time; what waits is the same."""
    ruleset, costs = next(iter(systems().values())), {}
    with kept():
        for reviews in (FEW, MANY):
            gm, player = (User.objects.create_user(uuid4().hex) for _one in range(2))
            party = decided(ruleset, gm, player, reviews)
            costs[reviews] = dict(_costs(gm, party))
    for name, few in costs[FEW].items():
        many = costs[MANY][name]
        yield (f"{name} of a GM: {few:.1f} ms after {FEW} reviews, {many:.1f} ms after {MANY:,}, ratio "
               f"{many / few:.2f} (goal 1.3)")


def _costs(gm: User, party: Party) -> Iterator[tuple[str, float]]:
    client = Client()
    client.force_login(gm)
    for name, address in (("the queue", "/reviews/"), ("home", "/"), ("the party's page", f"/parties/{party.pk}/")):
        taken = []
        for _time in range(TIMES):
            begun = process_time()
            if client.get(address).status_code != 200:
                raise AssertionError(address)
            taken.append(1000 * (process_time() - begun))
        yield name, median(taken)
