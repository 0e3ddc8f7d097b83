"""The document that a PDF of ours carries. Whatever else somebody brings is refused with a word."""

import io
import logging

from django.utils.translation import gettext as _
from pypdf import PdfReader

from rulesets.document import BYTES
from rulesets.kit import size

HEAD = b"%PDF-"
LARGEST = 2 * 1024 * 1024
"""Bytes of a PDF that is looked into; ours have 30 to 200 KiB."""
NAME = "bogenschmiede.json"
"""What the document is called within."""
log = logging.getLogger(__name__)


class NoDocument(ValueError):
    """A PDF that carries no document; the message says so."""


def attached(raw: bytes) -> bytes:
    """The document within a PDF (`NoDocument` where there is none that can be had)."""
    if len(raw) > LARGEST:
        raise NoDocument(_("The PDF is larger than {most}; those from here are not.").format(most=size(LARGEST)))
    try:
        found = PdfReader(io.BytesIO(raw), strict=True).attachments.get(NAME, [])
        document = found[0] if found else b""
    except Exception as error:  # noqa: BLE001 - a broken file breaks its reader in many ways, none of them ours
        log.info("a PDF that cannot be read: %r", error)
        raise NoDocument(_("This PDF cannot be read; perhaps it is damaged.")) from None
    if not document:
        raise NoDocument(_("This PDF carries no character; only those that were printed here do."))
    return document[:BYTES + 1]
