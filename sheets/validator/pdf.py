"""The document that a PDF of ours carries. Whatever else somebody brings is refused with a word."""

import io
import logging

from django.utils.translation import gettext as _
from pypdf import Configuration, PdfReader, apply_configuration
from pypdf.generic import ArrayObject, DictionaryObject

from rulesets.document import BYTES
from rulesets.kit import size

HEAD = b"%PDF-"
LARGEST = 2 * 1024 * 1024
"""Bytes of a PDF that is looked into; ours have 30 to 200 KiB."""
UNPACKED = 1024 * 1024
"""Bytes that anything within it may unpack to."""
LIMITS = Configuration(
    zlib_maximum_output_length=UNPACKED, lzw_maximum_output_length=UNPACKED,
    run_length_maximum_output_length=UNPACKED, array_based_stream_maximum_output_length=UNPACKED,
    maximum_declared_stream_length=LARGEST, stream_decoding_work_maximum_length=2 * UNPACKED,
    stream_filters_maximum_length=2, array_maximum_element_count=4_000, jbig2dec_binary=None,
)
"""What its reader may spend on it, and that it starts no program."""
OBJECT, OBJECTS = b" obj", 20_000
"""How each of its objects begins, and how many it may have: ours have some thousand."""
TABLE, TABLES = b"xref", 100
"""What each table of objects begins with, and how many there may be: ours have one, and one more with each change."""
END, WITHIN = b"%%EOF", 1024
"""How a PDF ends, and in how many of its last bytes; without that its reader looks through all of it."""
NAME = "bogenschmiede.json"
ENCLOSED = 200
"""Files that a PDF may enclose, and nodes of their tree: ours enclose one."""
"""What the document is called within."""
log = logging.getLogger(__name__)


class NoDocument(ValueError):
    """A PDF that carries no document; the message says so."""


class Tabled(io.BufferedReader):
    """A file that is read by its table: for an object that is not where that says nobody looks through all of it."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Read so many bytes, never all there are."""
        if size is None or size < 0:
            raise ValueError("its table leads nowhere")
        return super().read(size)


def attached(raw: bytes) -> bytes:
    """The document within a PDF (`NoDocument` where there is none that can be had)."""
    if len(raw) > LARGEST:
        raise NoDocument(_("The PDF is larger than {most}; those from here are not.").format(most=size(LARGEST)))
    try:
        return _document(raw)
    except NoDocument:
        raise
    except Exception as error:  # noqa: BLE001 - a broken file breaks its reader in many ways, none of them ours
        log.info("a PDF that cannot be read: %r", error)
        raise NoDocument(_("This PDF cannot be read; perhaps it is damaged.")) from None


def _document(raw: bytes) -> bytes:
    if END not in raw[-WITHIN:]:
        raise ValueError("it has no end")
    if raw.count(OBJECT) > OBJECTS:
        raise ValueError("it has too many objects")
    if raw.count(TABLE) > TABLES:
        raise ValueError("it has too many tables")
    with apply_configuration(LIMITS):
        reader = PdfReader(Tabled(io.BytesIO(raw)), strict=True, root_object_recovery_limit=0,
                           xref_stream_maximum_entries=OBJECTS)
        found = _enclosed(reader)
    if not found:
        raise NoDocument(_("This PDF carries no character; only those that were printed here do."))
    return found[:BYTES + 1]


def _enclosed(reader: PdfReader) -> bytes:
    """The file of that name which a PDF encloses, b"" where it encloses none; no other is unpacked.

    ValueError where there are far more than ours have.
    """
    names = reader.root_object.get("/Names", DictionaryObject()).get_object()
    nodes, seen = [names.get("/EmbeddedFiles", DictionaryObject())], 0
    while nodes:
        node = nodes.pop().get_object()
        files, kids = (node.get(key, ArrayObject()).get_object() for key in ("/Names", "/Kids"))
        seen += 1
        if seen > ENCLOSED or len(nodes) + len(kids) > ENCLOSED or len(files) > 2 * ENCLOSED:
            raise ValueError("it encloses too many files")
        for name, file in zip(files[::2], files[1::2], strict=False):
            if str(name.get_object()) == NAME:
                return bytes(file.get_object()["/EF"]["/F"].get_data())
        nodes += kids
    return b""
