"""The papers of an evening: the files that a GM can print of a party, and what is in each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sheets.export import layouts
from sheets.export.layouts import Layout
from sheets.models import Encounter, Party, Sheet
from sheets.parties.library import act_of
from sheets.parties.library import files_of as parts_of
from sheets.parties.paper import AT_ONCE, LAYOUTS
from sheets.parties.pregens import laid_out

WHOLE = ("sheet", "pencil")
"""Layouts in which sheets are printed one after the other."""
READY = {f"ready-{one}": one for one in WHOLE}
"""{slug: layout} of those in which all ready-made characters are."""
TITLES = {"sheet": gettext_lazy("Sheets"), "pencil": gettext_lazy("Sheets to play on with a pencil")}
"""Titles of layouts where several sheets are printed."""
USUAL, SHOWN = ("strip", "slips", "sheet", "handed", "ready-sheet"), 24
"""The papers that are ticked at first, and the most encounters among which one chooses."""
TICKED = 6
"""The most encounters that are ticked at first."""
EVENING = 150
"""The most characters in the file of all that is ticked, each counted once for each paper."""


@dataclass(frozen=True)
class Paper:
    """One of the papers: its slug, its title, what is in it or why it would be empty, its files by number."""

    slug: str
    title: Any
    inside: str = ""
    lacks: str = ""
    files: Sequence[int] = ()
    ticked: bool = False


def layout_of(slug: str) -> Layout:
    """Return the layout that a slug means."""
    return LAYOUTS.get(slug) or layouts.LAYOUTS[READY.get(slug, slug)]


def title_of(slug: str) -> Any:
    """Return the title of a paper."""
    return TITLES.get(READY.get(slug, slug)) or layout_of(slug).title


def people_of(party: Party, slug: str) -> QuerySet[Sheet]:
    """Return whom a paper is about: all at the table, the players' characters, or those that are laid out."""
    if slug in ("handed", *READY):
        return laid_out(party).order_by("called", "pk")
    found = party.sheets.not_deleted().filter(offered=False).select_related("party").order_by("called", "pk")
    return found.filter(opponent=False) if slug in WHOLE else found


def files_of(count: int) -> range:
    """Return the numbers of the files that so many characters take."""
    return range(1, -(-count // AT_ONCE) + 1)


def papers_of(party: Party) -> list[tuple[str, list[Paper]]]:
    """Return the papers under their headings."""
    there = party.sheets.not_deleted().aggregate(
        players=Count("pk", filter=Q(offered=False, opponent=False)), opponents=Count("pk", filter=Q(opponent=True)),
        ready=Count("pk", filter=Q(offered=True)))
    players, opponents, ready = there["players"], there["opponents"], there["ready"]
    sheets = ngettext("{n} sheet of the players'", "{n} sheets of the players'", players).format(n=players)
    foes = ngettext("{n} opponent", "{n} opponents", opponents).format(n=opponents)
    both = _("{players} and {opponents} at the table").format(players=sheets, opponents=foes)
    seated = both if players and opponents else sheets if players else foes
    made = ngettext("{n} ready-made character", "{n} ready-made characters", ready).format(n=ready)
    nobody, none = _("Nobody is at the table yet."), _("No character is laid out just now.")

    unseated = _("No player has a sheet in the party yet.")

    def paper(slug: str, inside: str, count: int, lacks: str) -> Paper:
        return Paper(slug, title_of(slug), inside if count else "", "" if count else lacks, files_of(count),
                     bool(count) and slug in USUAL)

    return [(_("Characters of the party"), [
        paper("strip", seated, players + opponents, nobody), paper("slips", seated, players + opponents, nobody),
        paper("sheet", sheets, players, unseated), paper("pencil", sheets, players, unseated),
    ]), (_("Ready-made characters"), [
        paper("handed", _("{characters}, each with a code that takes it").format(characters=made), ready, none),
        paper("ready-sheet", made, ready, none), paper("ready-pencil", made, ready, none),
    ])]


def encounter_papers(found: Sequence[Encounter]) -> list[tuple[Encounter, Paper]]:
    """Return encounters, each with what is in its files."""
    papers = []
    for number, one in enumerate(found):
        act = act_of(one)
        asked = [f"{asked.slot.ask.title}: {asked.text}" for asked in (act.inputs if act else ()) if asked.text]
        foes = [ngettext("{n} opponent", "{n} opponents", one.size).format(n=one.size)] if one.size else []
        inside = ", ".join(asked + foes)
        papers.append((one, Paper(str(one.pk), one.name, inside, "" if inside else _("Nobody stands in it yet."),
                                  [part for part, _first, _last in parts_of(one.placed.all())],
                                  bool(inside) and number < TICKED)))
    return papers
