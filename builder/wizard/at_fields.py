"""Findings shown on the page of a step, at the field, row or list that they are about."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from builder.wizard.finding_notes import FindingNote, MendButton
from builder.wizard.steps import FIGURE, key_of
from sheets.forms.inputs import Input, element_id
from sheets.models.state import HasState

TOP_OF_STEP = "whole"
"""The id of the place at the top of a step, for findings about the sheet as a whole."""
NAME = "f-_name"
"""The id of the input of the sheet's name."""

_MARK = '<div class="mark {}"><p><span class="hidden">{}</span> <span class="said">{}</span>{}</p>{}</div>'
_WHY = ' <a class="muted" href="{}">{}<span class="hidden"> ({})</span></a>'
_WAY = """<div class="mend"><button class="button quiet" form="step" name="do" value="{}">{}</button>{}</div>"""
_FEW = '<details data-of="ways {} {}"><summary>{}</summary><div class="told">{}</div></details>'
_SHORT = '<span class="muted">{}</span>'
_FOLDED = '<details data-of="at {} {} {}"><summary>{}</summary><ul>{}</ul></details>'
_GRAVE = {"error": ("error", gettext_lazy("Not legal.")), "approval": ("ask", gettext_lazy("Needs approval.")),
          "warning": ("hint", gettext_lazy("Worth considering."))}
SHORT = 100
"""The most characters of a fix's changes that are shown beside its button; longer ones are collapsed."""


class Page(Protocol):
    """The page of a step: the attributes that this module needs."""

    slug: str

    @property
    def inputs(self) -> list[Input]:
        """The inputs of the step."""

    @property
    def notes(self) -> list[FindingNote]:
        """The findings with their links and fixes."""

    @property
    def finished(self) -> bool:
        """True if this is the last step."""

    @property
    def sheet(self) -> HasState:
        """The draft."""

    def spends(self) -> bool:
        """Return True if something on this step costs points."""


def places(page: Page) -> dict[str, list[FindingNote]]:
    """Return {id of an element on the page: the findings shown there}; empty on the last step, which lists them all."""
    if page.finished or not page.notes:
        return {}
    there = set(_elements(page.inputs))
    found: dict[str, list[FindingNote]] = {}
    for note in page.notes:
        path = note.finding.path
        # The finding is about the previous value, which the page does not show.
        if path and path in page.sheet.typed:
            continue
        where = _of_whole(page, note) if not path else next((one for one in _upwards(path) if one in there), "")
        if where:
            found.setdefault(where, []).append(note)
    return found


def _upwards(path: str) -> Iterator[str]:
    """Yield the id of the element of a path, then of each path that contains it."""
    while path:
        yield element_id(path)
        path = path.rpartition(".")[0]


def _of_whole(page: Page, note: FindingNote) -> str:
    """Return the place of a finding about the whole sheet, "" if this step has none.

    It is at the name for something missing, else at the top of a step that spends points or that its fixes change.
    """
    if note.finding.lacking:
        return NAME if page.slug == FIGURE.slug else ""
    touched = {key_of(path) for path in note.touched}
    return TOP_OF_STEP if page.spends() or touched & {one.path for one in page.inputs} else ""


def _elements(inputs: Iterable[Input]) -> Iterator[str]:
    """Yield the ids of the elements of inputs: the inputs, their parts and rows, and counted rows in the catalogue."""
    for one in inputs:
        yield one.id
        yield from () if one.deal else (part.id for part in one.parts)
        shown = {row.index for row in one.rows}
        for row in one.rows:
            yield row.id
            yield from _elements(row.inputs)
        if one.slot.ask.counted:
            yield from (element_id(f"{one.path}.{index}") for index, _row in enumerate(one.value)
                        if index not in shown)


def element_ids_in_form(inputs: Iterable[Input]) -> Iterator[str]:
    """Yield the ids of the elements within the form at which a live answer can show a text."""
    for one in inputs:
        yield one.id
        yield from () if one.deal else (part.id for part in one.parts)
        for row in one.rows:
            yield row.id
            yield from element_ids_in_form(row.inputs)


def places_with_findings(page: Page, marked: Mapping[str, list[FindingNote]]) -> list[str]:
    """Return the places within the form that have findings."""
    return [where for where in (TOP_OF_STEP, NAME, *element_ids_in_form(page.inputs)) if where in marked]


def findings_html(notes: Iterable[FindingNote]) -> str:
    """Return the HTML of findings: message, link to the rule, fixes; a fix that several findings share appears once."""
    texts, seen = [], set()
    for note in notes:
        grave, words = _GRAVE[note.finding.severity]
        ways = [way for way in note.ways if way.action not in seen]
        seen |= {way.action for way in ways}
        why = format_html(_WHY, note.rule, _("why?"), note.finding.rule)
        texts.append(format_html(
            _MARK, "open" if note.still_open else grave, "" if note.still_open else words, note.finding.message, why,
            _ways(note, ways)))
    return mark_safe("".join(texts))  # noqa: S308


def _ways(note: FindingNote, ways: list[MendButton]) -> str:
    """Return the buttons of a finding's fixes, collapsed if there are several and none is urgent."""
    said = mark_safe("".join(_way(note, way, number, several=len(ways) > 1)  # noqa: S308
                             for number, way in enumerate(ways, 1)))
    if len(ways) > 1 and (note.still_open or note.finding.severity == "warning"):
        return format_html(_FEW, note.finding.rule, note.finding.path, _("What would help"), said)
    return said


def _way(note: FindingNote, way: MendButton, number: int, *, several: bool) -> str:
    """Return the button of a fix, with its changes unless its label contains them.

    Short changes are shown only if the finding has several fixes, long ones are collapsed.
    """
    changes = [(one.title, one.before, one.after) for one in way.changes]
    if all(theirs in way.label for _title, _mine, theirs in changes):
        more = ""
    elif sum(map(len, (text for change in changes for text in change))) > SHORT:
        more = format_html(_FOLDED, note.finding.rule, note.finding.path, number, _("What it changes"),
                           format_html_join("", "<li>{}: {} → {}</li>", changes))
    else:
        more = format_html(_SHORT, format_html_join("; ", "{}: {} → {}", changes)) if several else ""
    return format_html(_WAY, way.action, way.label, more)


def texts(page: Page, marked: Mapping[str, list[FindingNote]]) -> Iterator[tuple[str, str]]:
    """Yield (id of an element, HTML of the findings there); a script empties the elements that have none any more."""
    return ((f"{where}--told", findings_html(marked[where])) for where in places_with_findings(page, marked))
