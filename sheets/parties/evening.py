"""The papers of a party: the files that its GMs can print, and their contents."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sheets.export import layouts
from sheets.export.layouts import Layout
from sheets.models import Encounter, Party, Sheet
from sheets.parties.library import act_of, files_of
from sheets.parties.paper import AT_ONCE, LAYOUTS
from sheets.parties.pregens import offered_sheets

SHEET_LAYOUTS = ("sheet", "pencil")
"""The slugs of layouts in which sheets are printed one after the other."""
PREGEN_LAYOUTS = {f"ready-{one}": one for one in SHEET_LAYOUTS}
"""{slug of a paper: layout} of the papers with all ready-made characters."""
TITLES = {"sheet": gettext_lazy("Sheets"), "pencil": gettext_lazy("Play sheets to fill in with a pencil")}
"""The titles of layouts for several sheets."""
DEFAULT_PAPERS, MAX_ENCOUNTERS = ("strip", "slips", "sheet", "handed", "ready-sheet"), 24
"""The papers that are ticked by default, and the most encounters that the page lists."""
MAX_TICKED = 6
"""The most encounters that are ticked by default."""
MAX_CHARACTERS = 150
"""The most characters in the file of all ticked papers; a character counts once for each paper."""


@dataclass(frozen=True)
class Paper:
    """A paper: its slug, title, contents as text (or `lacks`, why it would be empty), and the numbers of its files."""

    slug: str
    title: Any
    inside: str = ""
    lacks: str = ""
    files: Sequence[int] = ()
    ticked: bool = False


def layout_of(slug: str) -> Layout:
    """Return the layout of a paper."""
    return LAYOUTS.get(slug) or layouts.LAYOUTS[PREGEN_LAYOUTS.get(slug, slug)]


def title_of(slug: str) -> Any:
    """Return the title of a paper."""
    return TITLES.get(PREGEN_LAYOUTS.get(slug, slug)) or layout_of(slug).title


def sheets_on(party: Party, slug: str) -> QuerySet[Sheet]:
    """Return the sheets on a paper: all at the table, the players' characters, or the offered ready-made ones."""
    if slug in ("handed", *PREGEN_LAYOUTS):
        return offered_sheets(party).order_by("called", "pk")
    sheets = party.sheets.not_deleted().filter(offered=False).select_related("party").order_by("called", "pk")
    return sheets.filter(opponent=False) if slug in SHEET_LAYOUTS else sheets


def file_numbers(count: int) -> range:
    """Return the numbers of the files for a count of characters."""
    return range(1, -(-count // AT_ONCE) + 1)


def papers_of(party: Party) -> list[tuple[str, list[Paper]]]:
    """Return (heading, papers) pairs."""
    counts = party.sheets.not_deleted().aggregate(
        players=Count("pk", filter=Q(offered=False, opponent=False)), opponents=Count("pk", filter=Q(opponent=True)),
        ready=Count("pk", filter=Q(offered=True)))
    players, opponents, ready = counts["players"], counts["opponents"], counts["ready"]
    sheets = ngettext("{n} player sheet", "{n} player sheets", players).format(n=players)
    foes = ngettext("{n} opponent", "{n} opponents", opponents).format(n=opponents)
    both = _("{players} and {opponents} at the table").format(players=sheets, opponents=foes)
    at_table = both if players and opponents else sheets if players else foes
    pregens = ngettext("{n} ready-made character", "{n} ready-made characters", ready).format(n=ready)
    nobody, no_pregens = _("Nobody is at the table yet."), _("No character is on offer right now.")

    no_sheets = _("No player has a sheet in the party yet.")

    def paper(slug: str, inside: str, count: int, lacks: str) -> Paper:
        return Paper(slug, title_of(slug), inside if count else "", "" if count else lacks, file_numbers(count),
                     bool(count) and slug in DEFAULT_PAPERS)

    return [(_("Characters of the party"), [
        paper("strip", at_table, players + opponents, nobody), paper("slips", at_table, players + opponents, nobody),
        paper("sheet", sheets, players, no_sheets), paper("pencil", sheets, players, no_sheets),
    ]), (_("Ready-made characters"), [
        paper("handed", _("{characters}, each with a code to take it").format(characters=pregens), ready,
              no_pregens),
        paper("ready-sheet", pregens, ready, no_pregens), paper("ready-pencil", pregens, ready, no_pregens),
    ])]


def encounter_papers(encounters: Sequence[Encounter]) -> list[tuple[Encounter, Paper]]:
    """Return (encounter, its paper) pairs."""
    papers = []
    for number, encounter in enumerate(encounters):
        act = act_of(encounter)
        answers = [f"{one.slot.ask.title}: {one.text}" for one in (act.inputs if act else ()) if one.text]
        size = encounter.size
        foes = [ngettext("{n} opponent", "{n} opponents", size).format(n=size)] if size else []
        inside = ", ".join(answers + foes)
        lacks = "" if inside else _("Nobody is in it yet.")
        papers.append((encounter, Paper(str(encounter.pk), encounter.name, inside, lacks,
                                  [part for part, _first, _last in files_of(encounter.placed.all())],
                                  bool(inside) and number < MAX_TICKED)))
    return papers
