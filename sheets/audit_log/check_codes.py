"""Check codes as people write them: in two groups, and read however they are typed."""

import re
import unicodedata

from sheets.audit_log.chain import LETTERS

ALIKE = str.maketrans("OILU", "011V")
"""What no code holds, and what it looks like."""
LONGEST = 40
"""Characters of a code that somebody types, however it is grouped."""
_CODE = re.compile(rf"[0-9A-HJKMNP-TV-Z]{{{LETTERS}}}")


def grouped(code: str) -> str:
    """A code as it is shown, "XXXXX-XXXXX"."""
    return f"{code[:LETTERS // 2]}-{code[LETTERS // 2:]}"


def plain_code(typed: str) -> str:
    """What counts of a typed code: not its case, spaces and hyphens, nor which of two letters that look alike.

    What is longer than one can be comes back as it is.
    """
    if len(typed) > LONGEST:
        return typed
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", typed)).upper().translate(ALIKE)


def is_code(text: str) -> bool:
    """Whether a plain text has a code's shape."""
    return bool(_CODE.fullmatch(text))
