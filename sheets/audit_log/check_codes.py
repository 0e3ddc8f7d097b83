"""Check codes as people write them: in two groups, and read however they are typed."""

import re
import unicodedata

from sheets.audit_log.chain import LETTERS

ALIKE = str.maketrans("OILU", "011V")
"""The letters that no code holds, and those that they look like."""
LONGEST = 40
"""Characters of a typed code, however it is grouped."""
_CODE = re.compile(rf"[0-9A-HJKMNP-TV-Z]{{{LETTERS}}}")


def grouped(code: str) -> str:
    """Return a code as it is shown, "XXXXX-XXXXX"."""
    return f"{code[:LETTERS // 2]}-{code[LETTERS // 2:]}"


def plain_code(typed: str) -> str:
    """Return a typed code without case, spaces, hyphens, and differences between letters that look alike.

    A text that is too long for a code is returned as it is.
    """
    if len(typed) > LONGEST:
        return typed
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", typed)).upper().translate(ALIKE)


def is_code(text: str) -> bool:
    """Return True if a plain text has a code's shape."""
    return bool(_CODE.fullmatch(text))
