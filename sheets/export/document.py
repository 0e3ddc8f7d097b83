"""The JSON document of a sheet as it is exported."""

from dataclasses import replace

from rulesets.document import Document
from sheets.documents import document_of
from sheets.status.stamp import Stamp


def taken_document(taken: Stamp) -> Document:
    """Return the document of a sheet for export."""
    whole, kept = document_of(taken.sheet), taken.kept
    shape, house = whole.ruleset.sheet, whole.ruleset.house
    return replace(whole, name=kept.name, sheet=shape.model_validate(kept.data), house=house.model_validate(kept.house))


def tree_of(document: Document, taken: Stamp) -> dict:
    """Return the JSON data of such a document, with the state of its approval."""
    return document.asdict() | ({"approval": taken.asdict()} if taken.review_status.state else {})

