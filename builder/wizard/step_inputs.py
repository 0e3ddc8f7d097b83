"""The inputs of a step: its fields with their hints, and the rows on one page of each long list."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from builder.wizard.row_pages import RowPages, n_shown_inner_rows
from rulesets.kit import House, Sheet, short
from rulesets.work import affordable
from sheets.forms.inputs import Input
from sheets.forms.part_inputs import Bounds, inputs_of
from sheets.models.state import HasState

SHOWN = 200
"""The most characters of the text that describes a row."""


def step_inputs(shape: Sheet, house: House, stored: HasState, keys: Collection[str], pages: RowPages,
                shown_rows: Collection[str], bounds: Callable[[str], Bounds]) -> list[Input]:
    """Return the inputs of a step whose fields are `keys`, with hints, and their rows with points.

    `shape` is the draft as an instance of its sheet class, and `stored` its stored state. `shown_rows` are the paths of
    the rows to be shown; if it is empty, the rows of the list's page are shown.
    """
    hints: dict[str, Any] = dict(affordable(shape.hints(house)))
    hidden = shape.hidden_fields()
    found = list(inputs_of(type(shape), stored.data, stored.typed, keys=[key for key in keys if key not in hidden],
                           bounds=bounds))
    for one in found:
        for captioned in (one, *one.parts):
            captioned.hint = hints.get(captioned.path, "")
        if one.slot.ask.deal:
            one.deal = list(dict.fromkeys(getattr(house, one.slot.ask.deal)))
        if one.slot.kind == "rows":
            _lay_out(one, shape, house, hints, pages, shown_rows)
    return found


def _lay_out(one: Input, shape: Sheet, house: House, hints: Mapping[str, Any], pages: RowPages,
             shown_rows: Collection[str]) -> None:
    """Reduce a list to the rows of its page, and set their labels, points, texts and hints."""
    parts = getattr(shape, one.path)
    one.pages = pages.pages_of(one.path)
    here = pages.shown_page(one.path)
    one.page = here.number
    one.rows = [row for row in one.rows if (row.path in shown_rows if shown_rows else row.index in here.rows)]
    for row in one.rows:
        part = parts[row.index]
        row.label, row.points = part.label, part.price(house)
        row.text, row.hint = short(part.what(), SHOWN), hints.get(row.path, "")
        row.inputs = [inner for inner in row.inputs if inner.slot.key not in part.hidden_fields() or inner.fault]
        for inner in row.inputs:
            if inner.slot.kind == "rows":
                shown = n_shown_inner_rows(inner.value)
                inner.rows, inner.unseen = inner.rows[:shown], len(inner.value) - shown
