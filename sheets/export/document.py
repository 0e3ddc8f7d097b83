"""The JSON document of an exported sheet."""

from dataclasses import replace

from rulesets.document import Document
from sheets.documents import document_of
from sheets.status.stamp import Stamp


def taken_document(stamp: Stamp) -> Document:
    """Return the document of a sheet for export."""
    whole, state = document_of(stamp.sheet), stamp.state
    shape, house = whole.ruleset.sheet, whole.ruleset.house
    return replace(whole, name=state.name, sheet=shape.model_validate(state.data),
                   house=house.model_validate(state.house))


def tree_of(document: Document, stamp: Stamp) -> dict:
    """Return the JSON data of an exported document, with the state of its approval."""
    return document.asdict() | ({"approval": stamp.asdict()} if stamp.review_status.state else {})

