"""The document attached to a PDF, as `sheets.separate_process` reads it."""

from io import BytesIO

from pypdf import Configuration, PdfReader, apply_configuration

NAME = "bogenschmiede.json"
"""The name of the document as an attachment of a PDF."""


def read_attachment(raw: bytes, most: int) -> bytes:
    """Return at most `most` bytes of the attachment `NAME`, b"" if there is none; no other is unpacked."""
    # Keep pypdf from running jbig2dec, an external program.
    with apply_configuration(Configuration(jbig2dec_binary=None)):
        for file in PdfReader(BytesIO(raw), strict=True).attachment_list:
            if file.name == NAME:
                return file.content[:most]
    return b""
