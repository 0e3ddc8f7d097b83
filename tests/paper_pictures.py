"""Draws docs/paper/: every layout of every system as a picture, to be looked at; `make screenshots`."""

import io
import os
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")

import django

import builder.development  # noqa: F401 - before the settings are read

django.setup()

from django.utils.timezone import now  # noqa: E402
from django.utils.translation import override  # noqa: E402
from PIL import Image  # noqa: E402

from rulesets import systems  # noqa: E402
from sheets.export.layouts import LAYOUTS, layouts_of  # noqa: E402
from sheets.export.paper import blank_paper, paper  # noqa: E402
from sheets.export.pdf import pictures  # noqa: E402
from sheets.models import Party, Sheet  # noqa: E402
from sheets.parties import paper as party_paper  # noqa: E402

FOLDER = Path(__file__).parents[1] / "docs" / "paper"
HEIGHT, BESIDE = 640, 4
"""Pixels of a page's height; pages in a row."""


def pages(slug):
    """(the first page of) each layout of a system's first example, the blank sheet, a GM's papers of all examples."""
    ruleset = systems()[slug]
    people = [Sheet(ruleset=slug, name=one["name"], data=one["data"], updated=now(), offered=True)
              for one in ruleset.examples.values()]
    told = paper(people[0], pocket=True)
    yield from (page for one in layouts_of(ruleset) for page in pictures(one, told))
    yield from pictures(LAYOUTS["pencil"], blank_paper(ruleset))
    party = Party(name="Die Nebelrunde", ruleset=slug, invitation="i" * 22)
    data, drawn = party_paper.party_paper(party, people, "https://bogenschmiede.example")
    yield from (pictures(one, data, drawn=drawn)[0] for one in party_paper.LAYOUTS.values())


def together(slug):
    """Draw them in one picture."""
    with override("de"):
        opened = [Image.open(io.BytesIO(page)).convert("RGB") for page in pages(slug)]
    sized = [one.resize((round(one.width * HEIGHT / one.height), HEIGHT)) for one in opened]
    rows = [sized[begin:begin + BESIDE] for begin in range(0, len(sized), BESIDE)]
    wide = max(sum(one.width + 8 for one in row) for row in rows)
    whole = Image.new("RGB", (wide, len(rows) * (HEIGHT + 8)), "#b8b2a4")
    for at, row in enumerate(rows):
        left = 4
        for one in row:
            whole.paste(one, (left, at * (HEIGHT + 8) + 4))
            left += one.width + 8
    whole.save(FOLDER / f"{slug}.webp", quality=70, method=6)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for slug in systems():
        together(slug)
