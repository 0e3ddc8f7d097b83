"""Sources of rows for a draft's lists besides the book: the party's catalogue, and the user's other sheets."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from typing import Any

from django.http import HttpRequest
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from builder.wizard import other_sheets
from builder.wizard.catalogue import MAX_QUERY, CatalogueEntry
from builder.wizard.party_entries import entries_of
from sheets.forms.inputs import Input
from sheets.parties.catalogue import standing

PARTY, SHEETS = "party", "sheets"
"""The sources, as addresses of pages name them."""
FEW = 8
"""The most entries for which no search is shown."""
MOST_ENTRIES = 48
"""The most entries of a party that are shown at once; the search finds the others."""
LETTERS = 24_000
"""The most characters of the entries that are shown at once; each is up to six bytes in the response."""


@dataclass(frozen=True)
class RowSource:
    """A source of rows for a list: its name, its title, and the address of the page that shows its entries."""

    name: str
    title: str
    url: str
    open: bool


@dataclass(frozen=True)
class Sources:
    """The sources of a list, and the entries of the one that is open."""

    input: Input
    sources: list[RowSource]
    entries: list[CatalogueEntry]
    matching: int
    """The number of entries that match the query, which may be more than are shown."""
    query: str

    @property
    def open(self) -> RowSource | None:
        """The source whose entries are shown."""
        return next((one for one in self.sources if one.open), None)

    @property
    def opened(self) -> str:
        """The list and the source that is open, as addresses name them."""
        return f"{self.input.path}:{self.open.name}" if self.open else ""

    @property
    def searched(self) -> bool:
        """True if the entries can be searched."""
        return bool(self.query) or self.matching > FEW

    @property
    def empty(self) -> str:
        """The text that is shown if there are no entries."""
        if self.query or (self.open and self.open.name == PARTY):
            return _("Nothing found.")
        return _("Your other sheets have no rows of your own here.")


_TITLES = {PARTY: gettext_lazy("From your party's catalogue"), SHEETS: gettext_lazy("From another sheet")}


def opened(request: HttpRequest) -> dict[str, str]:
    """Return {list and source that a request shows, as in "abilities:sheets": what is searched there}."""
    form, sign = (request.POST, "_") if request.method == "POST" else (request.GET, "")
    searches = zip_longest(form.getlist(f"{sign}from"), form.getlist(f"{sign}own"), fillvalue="")
    found = {name: query[:MAX_QUERY] for name, query in searches if name}
    button, _colon, tag = request.POST.get("do", "").rpartition(":")
    if button.startswith("add:") and tag.startswith(other_sheets.PREFIX):
        found.setdefault(f"{button.removeprefix('add:')}:{SHEETS}", "")
    return found


def row_sources(request: HttpRequest, wizard: Any) -> list[Sources]:
    """Return the lists of a step that take rows of a player's own, each with its sources.

    The party's catalogue is open if it has entries, unless the request opens the user's other sheets.
    """
    inputs = [one for one in wizard.inputs if other_sheets.takes_own_rows(wizard.ruleset, one.slot)]
    if not inputs:
        return []
    asked = opened(request)
    agreed = standing(wizard.sheet.party) if wizard.sheet.party else []
    others = other_sheets.other_sheets(request, wizard.sheet).exists()
    found = []
    for one in inputs:
        names = [PARTY] * any(entry.place == one.path for entry in agreed) + [SHEETS] * others
        if not names:
            continue
        name = next((name for name in names if f"{one.path}:{name}" in asked), PARTY if PARTY in names else "")
        sought = asked.get(f"{one.path}:{name}", "")
        entries = (entries_of(wizard, one.path, agreed, sought) if name == PARTY else
                   other_sheets.rows_of_others(request, wizard, one.slot, sought) if name else [])
        most = MOST_ENTRIES if name == PARTY else other_sheets.MOST_ROWS
        found.append(Sources(one, [_source(wizard, one, source, name) for source in names], _fitting(entries, most),
                             len(entries), sought))
    return found


def _fitting(entries: list[CatalogueEntry], most: int) -> list[CatalogueEntry]:
    """Return as many entries as a page has room for, but at least one; each shows its title twice."""
    lengths = accumulate(2 * len(str(one.title)) + len(str(one.text)) for one in entries)
    return [one for index, (one, letters) in enumerate(zip(entries[:most], lengths, strict=False))
            if not index or letters <= LETTERS]


def with_source(url: str, asked: Iterable[str]) -> str:
    """Return the address of a step with the sources that are open there."""
    names = urlencode([("from", name) for name in asked])
    return f"{url}{'&' if '?' in url else '?'}{names}" if names else url


def _source(wizard: Any, one: Input, name: str, current: str) -> RowSource:
    url = f"{with_source(wizard.url_here, [f'{one.path}:{name}'])}#{one.id}-own"
    return RowSource(name, str(_TITLES[name]), url, name == current)
