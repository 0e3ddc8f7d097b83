"""The document that a PDF encloses, as `sheets.separate_process` reads it."""

from io import BytesIO

from pypdf import Configuration, PdfReader, apply_configuration

NAME = "bogenschmiede.json"
"""The name of the document within a PDF."""


def enclosed(raw: bytes, most: int) -> bytes:
    """Return so many bytes of the file of that name, b"" if there is none; no other is unpacked."""
    # Its reader starts no program.
    with apply_configuration(Configuration(jbig2dec_binary=None)):
        for file in PdfReader(BytesIO(raw), strict=True).attachment_list:
            if file.name == NAME:
                return file.content[:most]
    return b""
