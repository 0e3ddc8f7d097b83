"""Texts beside the inputs of a step that change while somebody types."""

from collections.abc import Iterable, Iterator
from typing import Any

from builder.wizard import at_fields
from builder.wizard.context import Wizard
from sheets.forms.inputs import Input, Row


def texts(wizard: Wizard) -> Iterator[tuple[str, Any]]:
    """Yield (id of an element, text) for the texts beside the inputs that may have changed since the page was shown."""
    for one in wizard.inputs:
        if one.slot.kind != "rows" and (one.slot.kind != "part" or one.value is not None):
            yield from (() if one.deal else _faults(wizard, one.parts or [one]))
            yield f"{one.id}--hint", one.hint
        for row in one.rows:
            if _changed(wizard, one, row):
                yield f"{row.id}--label", row.label or one.slot.ask.title
                yield f"{row.id}--points", row.cost
                yield f"{row.id}--text", row.text
            yield f"{row.id}--hint", row.hint
            yield from _faults(wizard, row.inputs)
    yield from at_fields.texts(wizard, wizard.marked)


def _changed(wizard: Wizard, one: Input, row: Row) -> bool:
    return not wizard.base or wizard.base.data[one.path][row.index] != one.value[row.index]


def _faults(wizard: Wizard, inputs: Iterable[Input]) -> Iterator[tuple[str, str]]:
    return ((f"{one.id}--fault", one.fault) for one in inputs
            if not wizard.base or one.path in wizard.base.typed or one.fault)
