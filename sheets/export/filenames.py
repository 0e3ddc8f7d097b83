"""File names of exported sheets."""

import re
import unicodedata
from urllib.parse import quote

from django.utils.http import content_disposition_header

LONGEST = 80
"""The most characters of a file name that every file system allows; names of sheets may be longer."""
SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})


def disposition(name: str, ending: str) -> str:
    """Return the header of a download: its name in ASCII for old programs, and in full for others (RFC 6266)."""
    full = _safe(name)
    spelt = unicodedata.normalize("NFKD", full.translate(SPELT)).encode("ascii", "ignore").decode()
    known = re.sub(r"[^\w .-]+", "", spelt, flags=re.ASCII).strip(" .-") or "sheet"
    return f"attachment; filename=\"{known}.{ending}\"; filename*=UTF-8''{quote(f'{full}.{ending}', safe='')}"


def inline(filename: str) -> str:
    """Return the header that names a file shown by the browser itself."""
    return content_disposition_header(as_attachment=False, filename=filename) or "inline"


def _safe(name: str) -> str:
    """Return a name without invisible characters, or any that have a meaning in paths, shells and file systems."""
    letters = ("-" if letter in '/\\:*?"<>|%' else letter for letter in name if letter.isprintable())
    return re.sub(r"\s+", " ", "".join(letters))[:LONGEST].strip(" .-") or "sheet"

