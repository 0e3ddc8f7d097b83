"""PDFs set by typst. Texts reach it as data, never as markup."""

import io
import json
import logging
import re
import threading
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

import pypdfium2
import typst
from django.conf import settings

from sheets.export.layouts import Layout
from sheets.export.paper import MARKS

ROOT = Path(settings.BASE_DIR)
HOME = Path(settings.BESIDE, "templates", "export", "pdf")
BOARD = Path(HOME, "board.typ")
"""The file for the system's part of a page if it has none of its own."""
TYPE_SIZES = 5
"""The sizes of type, from the largest to the smallest readable one, at which the text flows onto more pages."""
LINE = 90
"""The approximate number of characters in a line."""
FITTING = (39, 50, 55, 62, 120)
"""The approximate number of lines on a page at each size; high for the last, which is always tried."""
POCKET, STRIP = (6, 8, 11, 15, 99), (5, 6, 8, 10, 99)
"""The most rolls on a pocket card, and the most characters on a party's strip, at each size."""
STANDARD = "ua-1"
MAX_SIGNS = 200
"""The most different characters of a page that are looked for in the fonts."""
DENSITY = 90
"""The dots per inch of a page as a picture."""
UNBROKEN_WIDTH, NAME = 38, 22
"""The widths of words, in narrow letters, that fit a line of text and that of the name; wider ones can be broken.

Hyphenation breaks the words of a language before that.
"""
ORDINARY = re.compile("[\n -~\u00a0-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u22ff]*")
"""Texts of these characters can be set as they are; none is longer than a sheet's document."""
log = logging.getLogger(__name__)
_thread_local = threading.local()
_drawing = threading.Lock()
"""A lock, because PDFium draws only one page at a time in a process."""


class CompilerPanic(typst.TypstError):
    """Raised if the compiler itself crashes on a text."""


def typeset(layout: Layout, data: dict, size: str = "", document: bytes = b"",
            drawn: Sequence[Mapping[str, str]] = ()) -> bytes:
    """Return the PDF of a sheet's data, with its document attached: PDF/UA-1 if the fonts have every character.

    The default `size` is the first of the layout. `drawn` are pictures (SVG) by name, for each of several people.
    """
    standards = [STANDARD]

    def made(data: dict, drawn: Sequence[Mapping[str, str]]) -> bytes:
        page, given = _input(layout, data, size, document, drawn)

        def set_at(step: int, **how: Any) -> bytes:
            try:
                return _compile_pdf(page, given(step, **how), standards)
            except CompilerPanic:
                raise
            except typst.TypstError as error:
                # The standard forbids a character without a glyph. The text is worth more than the claim.
                log.info("not set as %s: %s", STANDARD, error)
                standards.clear()
                return _compile_pdf(page, given(step, **how), standards)

        return _fit_page(layout, data, set_at, pages)

    return _with_fallbacks(made, data, drawn)


def pictures(layout: Layout, data: dict, size: str = "", density: int = DENSITY,
             drawn: Sequence[Mapping[str, str]] = ()) -> list[bytes]:
    """Return the pages as pictures (PNG) with this density in dots per inch."""
    def made(data: dict, drawn: Sequence[Mapping[str, str]]) -> list[bytes]:
        page, given = _input(layout, data, size, drawn=drawn)

        def set_at(step: int, **how: Any) -> list[bytes]:
            made = _compile(input=page, format="png", ppi=density, sys_inputs=given(step, **how))
            return made if isinstance(made, list) else [made]

        return _fit_page(layout, data, set_at, len)

    return _with_fallbacks(made, data, drawn)


def _with_fallbacks(made: Callable[[dict, Any], Any], data: dict, drawn: Any) -> Any:
    """Return what `made` returns for the data; if the compiler crashes, for simplified forms of all texts."""
    for plainer in (without_marks, only_ordinary):
        try:
            return made(data, drawn)
        except CompilerPanic as error:
            log.warning("set in a plainer form: %s", error)
            data, drawn = _each_text(plainer, data), _each_text(plainer, drawn)
    return made(data, drawn)


def _fit_page(layout: Layout, data: dict, set_at: Callable[..., Any], count: Callable[[Any], int]) -> Any:
    """Return the result at the largest size of type at which it is one page, else at the smallest, with more pages.

    Each attempt sets a single page, because counting the pages first would take as long again.
    """
    steps = range(first_step(layout, data), TYPE_SIZES) if layout.stepping else range(0)
    # After two wrong estimates only the last size is tried, because each try sets a whole page.
    for step in (*steps[:2], *steps[2:][-1:]):
        made = set_at(step, alone=True)
        if count(made) == 1:
            return made
    return set_at(TYPE_SIZES - 1 if layout.stepping else 0)


def _input(layout: Layout, data: dict, size: str, document: bytes = b"",
           drawn: Sequence[Mapping[str, str]] = ()) -> tuple[Path, Callable[..., dict]]:
    """Return (file of a page, function that returns its input at a size of type, on a page that is `alone` or not)."""
    apart = {"name": breakable(data["name"], NAME), "layout": layout.slug, "paper": size or layout.papers[0],
             **{key: plain_text(data[key]) for key in ("document", "alt")}}
    board = "/" + Path(data["board"] or BOARD).relative_to(ROOT).as_posix()
    texts = safe_texts(data | {"qr": "", "face": ""}) | apart
    return HOME / f"{layout.file}.typ", lambda step, *, alone=False: {
        "sheet": json.dumps(texts | {"step": step, "alone": alone}), "qr": data["qr"], "face": data["face"],
        "board": board, "document": document.decode(), "drawn": json.dumps(drawn)}


def first_step(layout: Layout, data: dict) -> int:
    """Return the size of type to begin with, 0 for the largest, `TYPE_SIZES` if no size fits on one page.

    It is estimated from the amount of text, so that few sizes have to be tried.
    """
    if layout.slug == "pocket":
        single = sum(len(one["against"]) == 1 for one in data["pocket"])
        rows = len(data["pocket"]) - single // 2 if single > 9 else len(data["pocket"])
        return _first_step_for(POCKET, rows + len(data["tiles"]) // 5)
    if layout.slug == "strip":
        return _first_step_for(STRIP, len(data["people"]))
    entries = [one for part in data["sections"] for one in part["entries"]]
    lines = sum(2 + sum(map(_line_count, (one["text"], *one["prose"]))) for one in entries)
    lines += 2 * len(data["tiles"]) + 1.5 * len(data["facts"]) + 3.5 * len(data["charts"])
    lines += 2 * len(data["findings"]) + 2 * len(data["footnotes"])
    lines += 4 + _line_count(data["notes"]) if data["notes"] else 0
    shown = {one["roll"]["key"] for one in entries if one["roll"]}
    others = [one for one in data["rolls"] if one["key"] not in shown]
    if layout.slug == "pencil":
        figured = [one for one in others if one["figures"]][:12]
        lines += 2 + 0.9 * len(figured) if figured else 0
        lines += len({one["key"] for one in data["gauges"]} - {one["key"] for one in data["tiles"]})
        lines += sum(5 if len(one["columns"]) > 4 else 3.5 for one in data["tables"]) + len(data["ticks"]) / 3
    else:
        lines += sum(1 + bool(one["note"]) for one in [one for one in others if one["first"]][:10])
        lines += sum(2 + sum(len(lead) + len(said) for lead, said in face["texts"]) / 60 for face in data["faces"])
    return _first_step_for(FITTING, lines)


def _line_count(text: str) -> float:
    return len(text) / LINE + text.count("\n")


def _first_step_for(holding: Sequence[int], needed: float) -> int:
    return next((step for step, most in enumerate(holding) if needed <= most), TYPE_SIZES)


def pages(raw: bytes) -> int:
    """Return the number of pages in a PDF of this program."""
    found = re.search(rb"/Type/Pages/Count (\d+)", raw)
    return int(found[1]) if found else 0


def missing_characters(data: Any) -> list[str]:
    """Return the characters in a page's texts that the fonts do not have, and that are printed as boxes."""
    found: set[str] = set()

    def look(text: str) -> str:
        found.update(ORDINARY.sub("", text))
        return text

    _each_text(look, data)
    return [one for one in sorted(found)[:MAX_SIGNS] if unicodedata.category(one)[0] in "LNPS" and not _has_glyph(one)]


@lru_cache(4096)
def _has_glyph(sign: str) -> bool:
    try:
        _compile_pdf(Path(HOME, "sign.typ"), {"sign": sign}, [STANDARD])
    except typst.TypstError:
        return False
    return True


def picture(raw: bytes, number: int) -> bytes:
    """Return a page of a PDF, counted from 1, as a picture (PNG); typst could only draw all of them."""
    drawn = io.BytesIO()
    with _drawing, closing(pypdfium2.PdfDocument(raw)) as document, closing(document[number - 1]) as page:
        page.render(scale=DENSITY / 72).to_pil().save(drawn, "PNG")
    return drawn.getvalue()


def _compile_pdf(page: Path, given: dict, standards: Any) -> bytes:
    made = _compile(input=page, format="pdf", sys_inputs=given, pdf_standards=standards)
    if not isinstance(made, bytes):
        raise TypeError("a PDF is one file, whatever its pages")
    return made


def _compile(**what: Any) -> Any:
    """Return the compiler's result. Raise CompilerPanic if it crashes; that compiler is not used again."""
    try:
        return _compiler().compile(**what)
    except BaseException as error:
        # A panic in Rust is no Exception in Python, and its class cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        del _thread_local.compiler
        raise CompilerPanic(str(error), "") from error


def _compiler() -> typst.Compiler:
    """Return the compiler of this thread: threads cannot share one. It caches what it has set before."""
    if not hasattr(_thread_local, "compiler"):
        _thread_local.compiler = typst.Compiler(root=ROOT)
    return _thread_local.compiler


def safe_texts(data: Any) -> Any:
    """Return the data with all texts in a form that can be set."""
    return _each_text(lambda text: breakable(text, UNBROKEN_WIDTH), data)


def _each_text(change: Callable[[str], str], data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _each_text(change, value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_each_text(change, value) for value in data]
    return change(data) if isinstance(data, str) else data


def without_marks(text: str) -> str:
    """Return a text without combining and format characters, on which the compiler has crashed."""
    return "".join(one for one in text if one == "\n" or unicodedata.category(one)[0] in "LNPSZ")


def only_ordinary(text: str) -> str:
    """Return a text with a question mark for each character that is not ordinary."""
    return "".join(one if ORDINARY.fullmatch(one) else "?" for one in text)


def plain_text(text: str) -> str:
    """Return a text without control characters, surrogates and noncharacters, and with uniform line breaks.

    The number of combining marks on a letter is limited, because thousands of them take seconds.
    """
    if ORDINARY.fullmatch(text):
        return text
    text = re.sub(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]", "\n", text).replace("\ufeff", "")
    letters, marks = [], 0
    for one in text:
        category = unicodedata.category(one)
        marks = marks + 1 if category[0] == "M" else 0
        if marks <= MARKS:
            letters.append(" " if one != "\n" and category in ("Cc", "Cs", "Cn") else one)
    return "".join(letters)


def breakable(text: str, width: int) -> str:
    """Return a text in which words wider than `width` narrow letters can be broken anywhere."""
    plain = plain_text(text)
    if len(plain) < width // 2:
        return plain
    return re.sub(rf"[^\s\u200b]{{{width // 2},}}", lambda word: _with_breaks(word[0], width), plain)


def _with_breaks(word: str, width: int) -> str:
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

