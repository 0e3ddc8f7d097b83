"""Check codes as they are shown, in two groups, and as people type them."""

import re
import unicodedata

from sheets.audit_log.chain import CODE_LENGTH

ALIKE = str.maketrans("OILU", "011V")
"""The letters that no code contains, and the characters that they are mistaken for."""
MAX_TYPED = 40
"""The most characters of a typed code, with its spaces and hyphens."""
_CODE = re.compile(rf"[0-9A-HJKMNP-TV-Z]{{{CODE_LENGTH}}}")


def grouped(code: str) -> str:
    """Return a code as it is shown, "XXXXX-XXXXX"."""
    return f"{code[:CODE_LENGTH // 2]}-{code[CODE_LENGTH // 2:]}"


def normalized_code(typed: str) -> str:
    """Return a typed code in capitals, without spaces and hyphens, and with look-alike letters replaced.

    A text that is too long for a code is returned as it is.
    """
    if len(typed) > MAX_TYPED:
        return typed
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", typed)).upper().translate(ALIKE)


def is_code(text: str) -> bool:
    """Return True if a normalized text has the form of a code."""
    return bool(_CODE.fullmatch(text))
