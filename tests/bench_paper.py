"""How long a PDF takes once the compiler is warm. Each sheet is another, for typst remembers what it has set."""

from collections.abc import Iterator
from random import Random
from statistics import quantiles
from time import perf_counter

from django.utils.timezone import now
from django.utils.translation import override

from rulesets import generate
from sheets.export import paper, pdf
from sheets.export.layouts import LAYOUTS
from sheets.models import Sheet

SHEETS = 200
WARM = 10


def pages(ruleset) -> Iterator[str]:
    """Random characters with notes of their own, from the stored sheet to the bytes of the PDF."""
    rng = Random(ruleset.slug)  # noqa: S311 - the same sheets in every run
    for layout in ("sheet", "pencil"):
        taken = []
        with override("de"):
            for _number in range(WARM + SHEETS):
                document = generate.sheet(ruleset, rng)
                notes = " ".join(f"{rng.randrange(10**6)} Silber" for _word in range(40))
                sheet = Sheet(ruleset=ruleset.slug, name=document["name"], data=document["data"], notes=notes,
                              updated=now())
                begun = perf_counter()
                pdf.typeset(LAYOUTS[layout], paper.paper(sheet))
                taken.append(perf_counter() - begun)
        cuts = quantiles(taken[WARM:], n=20)
        yield (f"PDF, layout {layout}, warm, {SHEETS} different sheets: "
               f"{1000 * cuts[9]:.1f} ms, one in twenty above {1000 * cuts[18]:.1f} ms (goal under 45)")
