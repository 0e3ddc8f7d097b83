"""Extraction of the document attached to a PDF made by this site; other PDFs are refused with a message."""

import logging

from django.utils.translation import gettext as _

from rulesets.document import BYTES
from rulesets.kit import size
from sheets import separate_process
from sheets.separate_process import BrokenFile, NoTime, TooCostly
from sheets.validator.enclosed import read_attachment

HEAD = b"%PDF-"
LARGEST = 2 * 1024 * 1024
"""The size limit of a PDF in bytes; those made by this site are 30 to 200 KiB."""
log = logging.getLogger(__name__)


class NoDocument(ValueError):
    """No document could be extracted from a PDF: it is too large, broken, too slow to read, or contains no document."""


def document_in_pdf(raw: bytes) -> bytes:
    """Return the document attached to a PDF. Raise NoDocument if none can be extracted."""
    if len(raw) > LARGEST:
        raise NoDocument(_("The PDF is larger than {most}; PDFs made here never are.").format(most=size(LARGEST)))
    try:
        found = separate_process.run(read_attachment, raw, BYTES + 1)
    except NoTime:
        raise NoDocument(_("Many files are being read right now; try again shortly.")) from None
    except TooCostly:
        message = _("This PDF takes far longer to read than those made here; please export the character again.")
        raise NoDocument(message) from None
    except BrokenFile as error:
        log.info("a PDF that cannot be read: %s", error)
        raise NoDocument(_("This PDF cannot be read; it may be damaged.")) from None
    if not found:
        raise NoDocument(_("This PDF contains no character; only those printed here do."))
    return found
