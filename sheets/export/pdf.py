"""A PDF set by typst. Texts reach it as data, never as its markup."""

import json
import logging
import re
import threading
import unicodedata
from pathlib import Path
from typing import Any

import typst
from django.conf import settings

from sheets.export.paper import MARKS

HOME = Path(settings.BASE_DIR, "templates", "export", "pdf")
STANDARD = "ua-1"
UNBROKEN, NAME = 38, 22
"""Widths, in narrow letters, of a word that fits a text's line and the name's; a longer one is given places to break.

Words of a language are hyphenated long before; this is for what no language has.
"""
log = logging.getLogger(__name__)
_kept = threading.local()


def typeset(layout: str, data: dict) -> bytes:
    """The PDF of a sheet's data: PDF/UA-1 where the fonts have every character, else tagged all the same."""
    page, given = HOME / f"{layout}.typ", _given(data)
    try:
        return _set(page, given, [STANDARD])
    except typst.TypstError as error:
        # The standard forbids a character without a glyph. The text is worth more than the claim.
        log.info("not set as %s: %s", STANDARD, error)
        return _set(page, given, [])


def picture(layout: str, data: dict) -> bytes:
    """The PNG of a sheet's data, a dot for each point of the layout's one page."""
    made = _compiler().compile(input=HOME / f"{layout}.typ", format="png", ppi=72, sys_inputs=_given(data))
    if not isinstance(made, bytes):
        raise TypeError("a picture is one page")
    return made


def _given(data: dict) -> dict[str, str]:
    """What a layout is given: texts as JSON, what is drawn apart from them."""
    apart = {"name": breakable(data["name"], NAME), **{key: plain_text(data[key]) for key in ("document", "alt")}}
    drawn = {key: data[key] for key in ("qr", "face")}
    return {"sheet": json.dumps(safe(data | dict.fromkeys(drawn, "")) | apart), **drawn}


def _set(page: Path, given: dict, standards: Any) -> bytes:
    made = _compiler().compile(input=page, format="pdf", sys_inputs=given, pdf_standards=standards)
    if not isinstance(made, bytes):
        raise TypeError("a PDF is one file, whatever its pages")
    return made


def _compiler() -> typst.Compiler:
    """This thread's compiler: one that is shared between threads fails. It remembers what it has set before."""
    if not hasattr(_kept, "compiler"):
        _kept.compiler = typst.Compiler(root=HOME)
    return _kept.compiler


def safe(data: Any) -> Any:
    """The data with texts that can be set whatever stands in them."""
    if isinstance(data, dict):
        return {key: safe(value) for key, value in data.items()}
    if isinstance(data, list):
        return [safe(value) for value in data]
    return breakable(data, UNBROKEN) if isinstance(data, str) else data


def plain_text(text: str) -> str:
    """A text without what has no form: control characters, surrogates, noncharacters; line breaks are all the same.

    Of the marks above one letter those are kept that a language may need: setting thousands of them takes seconds.
    """
    text = re.sub(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]", "\n", text).replace("\ufeff", "")
    kept, marks = [], 0
    for one in text:
        category = unicodedata.category(one)
        marks = marks + 1 if category[0] == "M" else 0
        if marks <= MARKS:
            kept.append(" " if one != "\n" and category in ("Cc", "Cs", "Cn") else one)
    return "".join(kept)


def breakable(text: str, width: int) -> str:
    """A text whose words can be broken wherever they are wider than `width` narrow letters."""
    return re.sub(rf"[^\s\u200b]{{{width // 2},}}", lambda word: _broken(word[0], width), plain_text(text))


def _broken(word: str, width: int) -> str:
    wide = [1 + (one not in "abcdefghijklnopqrstuvxyzäöüß.,:;!'|-") for one in word]
    if sum(wide) < width:
        return word
    parts, run = [], 0
    for before, one, room in zip(" " + word, word, wide, strict=False):
        joined = unicodedata.category(one)[0] == "M" or one in "\u200d\ufe0f" or before == "\u200d"
        if run >= width // 3 and not joined:
            parts.append("\u200b")
            run = 0
        parts.append(one)
        run += room
    return "".join(parts)

