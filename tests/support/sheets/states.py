"""States of examples and what becomes of them."""

from django.template.loader import render_to_string

from rulesets import systems
from rulesets.kit import patched
from sheets.diff.changes import SheetContent
from sheets.diff.comparison import diff

CAPTAIN = {"talents.2.points": 5, "talents.3.points": 5}
"""Captain Knurrhahn with a point of Nahkampf in Ballistik: all forty are spent."""


def side(slug, key, patch=None, name=None, house=None):
    document = systems()[slug].examples[key]
    return SheetContent(document["name"] if name is None else name, patched(document["data"], patch or {}), house or {})


def became(slug, key, after, before=None, **sides):
    """What becomes of an example: `before` and `after` {path in its data: value}."""
    return diff(systems()[slug], side(slug, key, before), side(slug, key, {**(before or {}), **after}, **sides))


def page(found, **context):
    return render_to_string("diff/_diff.html", {"diff": found, **context})
