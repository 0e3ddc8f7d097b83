"""The JSON document of a sheet as it is exported."""

from dataclasses import replace

from rulesets.document import Document
from sheets.documents import document_of
from sheets.status.stamp import Stamp


def taken_document(taken: Stamp) -> Document:
    """Return the document of a sheet for export."""
    whole, state = document_of(taken.sheet), taken.state
    shape, house = whole.ruleset.sheet, whole.ruleset.house
    return replace(whole, name=state.name, sheet=shape.model_validate(state.data),
                   house=house.model_validate(state.house))


def tree_of(document: Document, taken: Stamp) -> dict:
    """Return the JSON data of such a document, with the state of its approval."""
    return document.asdict() | ({"approval": taken.asdict()} if taken.review_status.state else {})

