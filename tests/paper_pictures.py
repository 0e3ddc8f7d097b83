"""Draws docs/paper/: every layout of every system as a picture, to be looked at; `python -m tests.paper_pictures`."""

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
from sheets.models import Sheet  # noqa: E402

FOLDER = Path(__file__).parents[1] / "docs" / "paper"
HEIGHT, COLOURS = 760, 64
"""Pixels of a page's height; colours of a picture."""


def drawn(slug):
    """Each layout of a system's first example, the blank sheet last, side by side."""
    ruleset = systems()[slug]
    document = next(iter(ruleset.examples.values()))
    sheet = Sheet(ruleset=slug, name=document["name"], data=document["data"], updated=now())
    with override("de"):
        told = paper(sheet, pocket=True)
        pages = [page for one in layouts_of(ruleset) for page in pictures(one, told)]
        pages += pictures(LAYOUTS["pencil"], blank_paper(ruleset))
    opened = [Image.open(io.BytesIO(page)).convert("RGB") for page in pages]
    sized = [one.resize((round(one.width * HEIGHT / one.height), HEIGHT)) for one in opened]
    whole = Image.new("RGB", (sum(one.width + 8 for one in sized), HEIGHT + 8), "#b8b2a4")
    left = 4
    for one in sized:
        whole.paste(one, (left, 4))
        left += one.width + 8
    whole.quantize(COLOURS).save(FOLDER / f"{slug}.png", optimize=True)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for slug in systems():
        drawn(slug)
