"""What a file of a sheet is called when it is saved."""

import re
import unicodedata
from urllib.parse import quote

LONGEST = 80
"""Characters of a file name, which every file system takes, of a name that has 200 at most."""
SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})


def disposition(name: str, ending: str) -> str:
    """The header that names a file: in ASCII for old programs, in full for the others (RFC 6266)."""
    full = _safe(name)
    spelt = unicodedata.normalize("NFKD", full.translate(SPELT)).encode("ascii", "ignore").decode()
    known = re.sub(r"[^\w .-]+", "", spelt, flags=re.ASCII).strip(" .-") or "sheet"
    return f"attachment; filename=\"{known}.{ending}\"; filename*=UTF-8''{quote(f'{full}.{ending}', safe='')}"


def _safe(name: str) -> str:
    """A name without what paths, shells and file systems make something of, and without letters that nobody sees."""
    kept = ("-" if letter in '/\\:*?"<>|%' else letter for letter in name if letter.isprintable())
    return re.sub(r"\s+", " ", "".join(kept))[:LONGEST].strip(" .-") or "sheet"

