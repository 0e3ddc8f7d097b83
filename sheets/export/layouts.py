"""The layouts and paper sizes for printing a sheet."""

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import BadRequest
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from rulesets.kit import Ruleset

PAPERS = {"a4": "A4", "us-letter": "Letter"}
"""{paper size: its name}."""


@dataclass(frozen=True)
class Layout:
    """A layout for printing a sheet: its title, the typst file, and the paper sizes that it suits."""

    slug: str
    title: Any
    file: str
    papers: tuple[str, ...] = tuple(PAPERS)
    stepping: bool = True
    """True if the type becomes smaller before the sheet takes more pages."""

    def suits(self, ruleset: Ruleset) -> bool:
        """Return True if sheets of a system can be printed in this layout."""
        return self.slug != "cards" or ruleset.plays_with_cards


LAYOUTS = {one.slug: one for one in (
    Layout("sheet", _("Sheet"), "sheet"),
    Layout("pencil", _("Play sheet to fill in with a pencil"), "sheet"),
    Layout("pocket", _("Pocket card"), "pocket", ("a6",)),
    Layout("cards", _("Cards to cut out"), "cards", stepping=False),
)}


def layouts_of(ruleset: Ruleset) -> list[Layout]:
    """Return the layouts in which sheets of a system can be printed."""
    return [one for one in LAYOUTS.values() if one.suits(ruleset)]


def asked_layout(query: QueryDict, ruleset: Ruleset) -> tuple[Layout, str]:
    """Return the requested (layout, paper size), by default the sheet on A4. Raise BadRequest for an unknown one."""
    known = {one.slug: one for one in layouts_of(ruleset)}
    if (layout := known.get(query.get("layout", next(iter(known))))) is None:
        raise BadRequest(_("There is no such layout; there are: {layouts}.").format(layouts=", ".join(known)))
    size = query.get("paper", layout.papers[0])
    return layout, size if size in layout.papers else asked_paper(query, layout.papers[0])


def asked_paper(query: QueryDict, instead: str = "") -> str:
    """Return the requested paper size, or `instead` if given. Raise BadRequest for an unknown one."""
    if (size := query.get("paper", next(iter(PAPERS)))) not in PAPERS:
        raise BadRequest(_("There is no such paper; there are: {papers}.").format(papers=", ".join(PAPERS)))
    return instead or size
