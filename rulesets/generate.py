"""Random characters, built along a concept with all points spent.

A character is built without a concept if its system has none, or if the house rules leave no room for one.
"""

from collections.abc import Collection
from random import Random
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.document import house_data
from rulesets.kit import Concept, Data, House, Ruleset, blank
from rulesets.kit.concepts import Drawing, random_name
from rulesets.spending import Stuck, Walk
from rulesets.work import TooMuch

__all__ = ["Character", "Stuck", "character", "filled", "sheet"]

ATTEMPTS = 20
"""The most attempts to make a character; one fails if no legal step spends its last points."""
OVERSPENT = ngettext_lazy(
    "You have already overspent by {n} point; take it back first.",
    "You have already overspent by {n} points; take them back first.", "n",
)
NO_PLACE = ngettext_lazy(
    "No legal way was found to spend the last {n} point.", "No legal way was found to spend the last {n} points.", "n"
)
NO_SUCH = _("“{concept}” is not a concept of {system}; there are: {concepts}.")
NO_CONCEPTS = _("{system} has no concepts to choose from.")
NO_ROOM = _("These house rules leave no room for “{concept}”.")


class Character(NamedTuple):
    """A random sheet document, and the slug of its concept, or ""."""

    document: Data
    concept: str


def sheet(ruleset: Ruleset, rng: Random, house: House | None = None) -> Data:
    """Return a random legal document without findings or unspent points. Raise Stuck if the house rules forbid it."""
    return character(ruleset, rng, house).document


def character(ruleset: Ruleset, rng: Random, house: House | None = None, concept: str = "",
              taken: Collection[str] = ()) -> Character:
    """Return a random legal character in the current language, built along `concept` if given.

    Names in `taken` are avoided if possible. Raise Stuck if there is no such concept, or no room for it.
    """
    house = house or ruleset.house()
    if concept and concept not in ruleset.concepts:
        why = NO_SUCH if ruleset.concepts else NO_CONCEPTS
        raise Stuck(why.format(concept=concept[:40], system=ruleset.title, concepts=", ".join(ruleset.concepts)))
    names = rng.random()
    weights = [one.weight for one in ruleset.concepts.values()]
    for _attempt in range(ATTEMPTS if ruleset.concepts else 0):
        slug = concept or rng.choices([*ruleset.concepts], weights)[0]
        name = _choose_name(ruleset, names, taken, slug)
        drawing = Drawing(rng, house, ruleset.vocabulary())
        data = _draw(ruleset, ruleset.concepts[slug], drawing)
        if data is not None and _has_no_findings(ruleset, data, house, name):
            lines = ruleset.concept_lines(slug, data)
            return Character(_document(ruleset, name, data, house, drawing.pick(lines) if lines else ""), slug)
    if concept:
        raise Stuck(NO_ROOM.format(concept=ruleset.concept_title(concept)))
    name = _choose_name(ruleset, names, taken)
    for _attempt in range(ATTEMPTS):
        sampled = ruleset.sheet.sample(rng, house)
        data = ruleset.sheet.model_validate(sampled).model_dump() if sampled else \
            filled(ruleset, blank(ruleset.sheet), rng, house, free=True)
        if _has_no_findings(ruleset, data, house, name):
            return Character(_document(ruleset, name, data, house), "")
    raise Stuck(_("Under these house rules every {system} sheet has findings.").format(system=ruleset.title))


def _choose_name(ruleset: Ruleset, seed: float, taken: Collection[str], slug: str = "") -> str:
    """Return a name in the current language; with its own seed, all other choices are the same in every language."""
    own = Random(seed)  # noqa: S311 - characters are no secrets
    stated = [name for name in ruleset.names if name not in taken] or ruleset.names
    return random_name(ruleset.vocabulary(), own, taken, slug) or own.choice(stated or (str(ruleset.title),))


def _draw(ruleset: Ruleset, concept: Concept, drawing: Drawing) -> Data | None:
    """Return sheet data drawn from a concept with all points spent, or None if that is impossible."""
    start = ruleset.sheet.model_validate(blank(ruleset.sheet) | drawing.made(concept.has))
    walk = Walk(ruleset, start, drawing.house, drawing.rng, concept=concept)
    try:
        return ruleset.sheet.model_validate(walk.data).model_dump() if walk.lower_to_budget() and walk.spend() else None
    except TooMuch:
        return None


def _has_no_findings(ruleset: Ruleset, data: Data, house: House, name: str) -> bool:
    return not ruleset.check(ruleset.sheet.model_validate(data), house, name, mends=False).findings


def _document(ruleset: Ruleset, name: str, data: Data, house: House, notes: str = "") -> Data:
    differing = house_data(house)
    return ruleset.document(name, data) | ({"house": differing} if differing else {}) | \
        ({"notes": notes} if notes else {})


def filled(ruleset: Ruleset, data: Data, rng: Random, house: House | None = None, *, free: bool = False) -> Data:
    """Return sheet data with the unspent points of `data` spent and without new findings.

    If `free`, rows that cost no points are added and choices are made. Raise Stuck if nothing spends the exact points.
    """
    house = house or ruleset.house()
    for _attempt in range(ATTEMPTS):
        walk = Walk(ruleset, ruleset.sheet.model_validate(data), house, rng, free=free)
        if walk.left < 0:
            raise Stuck(OVERSPENT.format(n=-walk.left))
        try:
            if free:
                walk.choose()
            walk.settle()
            done = walk.spend()
        except TooMuch:
            break
        if done:
            return ruleset.sheet.model_validate(walk.data).model_dump()
    raise Stuck(NO_PLACE.format(n=walk.left))
