"""PDFs set by typst. Texts reach it as data, never as its markup."""

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
HOME = Path(ROOT, "templates", "export", "pdf")
BOARD = Path(HOME, "board.typ")
"""The file for the game's part of a page, for systems without a file of their own."""
STEPS = 5
"""Sizes of type, from the largest to the least that is read well; what one page does not hold flows on at that."""
LINE = 90
"""Characters in a line, roughly."""
FITTING = (39, 50, 55, 62, 120)
"""Lines that one page holds at each size, roughly; of the last more than ever, for there it is tried."""
POCKET, STRIP = (6, 8, 11, 15, 99), (5, 6, 8, 10, 99)
"""The most rolls on a pocket card at each size, and the most people on a party's strip."""
STANDARD = "ua-1"
SIGNS = 200
"""Different signs of a page that are looked for in the fonts."""
DENSITY = 90
"""Pixels an inch of a page as a picture."""
UNBROKEN, NAME = 38, 22
"""Widths, in narrow letters, of a word that fits a text's line and the name's; a longer one is given places to break.

Words of a language are hyphenated long before; this is for what no language has.
"""
ORDINARY = re.compile("[\n -~\u00a0-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u22ff]*")
"""Texts of such characters alone can be set as they are; none is longer than a sheet's document."""
log = logging.getLogger(__name__)
_kept = threading.local()
_drawing = threading.Lock()
"""PDFium draws one page at a time in a process."""


class Panicked(typst.TypstError):
    """The compiler itself crashed, on a text that others have no trouble with."""


def typeset(layout: Layout, data: dict, size: str = "", document: bytes = b"",
            drawn: Sequence[Mapping[str, str]] = ()) -> bytes:
    """Return the PDF of a sheet's data, with its document attached: PDF/UA-1 if the fonts have every character.

    Without a `size` the paper is the first that the layout is for; `drawn` are the pictures (SVG) of each of many, by
    name.
    """
    standards = [STANDARD]

    def made(data: dict, drawn: Sequence[Mapping[str, str]]) -> bytes:
        page, given = _given(layout, data, size, document, drawn)

        def set_at(step: int, **how: Any) -> bytes:
            try:
                return _set(page, given(step, **how), standards)
            except Panicked:
                raise
            except typst.TypstError as error:
                # The standard forbids a character without a glyph. The text is worth more than the claim.
                log.info("not set as %s: %s", STANDARD, error)
                standards.clear()
                return _set(page, given(step, **how), standards)

        return _alone_or_flowing(layout, data, set_at, pages)

    return _in_some_form(made, data, drawn)


def pictures(layout: Layout, data: dict, size: str = "", density: int = DENSITY,
             drawn: Sequence[Mapping[str, str]] = ()) -> list[bytes]:
    """Return the same pages as pictures (PNG) of so many pixels an inch."""
    def made(data: dict, drawn: Sequence[Mapping[str, str]]) -> list[bytes]:
        page, given = _given(layout, data, size, drawn=drawn)

        def set_at(step: int, **how: Any) -> list[bytes]:
            made = _compiled(input=page, format="png", ppi=density, sys_inputs=given(step, **how))
            return made if isinstance(made, list) else [made]

        return _alone_or_flowing(layout, data, set_at, len)

    return _in_some_form(made, data, drawn)


def _in_some_form(made: Callable[[dict, Any], Any], data: dict, drawn: Any) -> Any:
    """Return what is made of the data; if the compiler panics at a text, of plainer forms of all texts."""
    for plainer in (bare, latin_alone):
        try:
            return made(data, drawn)
        except Panicked as error:
            log.warning("set in a plainer form: %s", error)
            data, drawn = _each_text(plainer, data), _each_text(plainer, drawn)
    return made(data, drawn)


def _alone_or_flowing(layout: Layout, data: dict, set_at: Callable[..., Any], count: Callable[[Any], int]) -> Any:
    """Return what is set at the first size of type at which it is one page; else at the last, over several pages.

    Each try is set as if it were a single page, because counting the pages first takes as long again.
    """
    steps = range(first_step(layout, data), STEPS) if layout.stepping else range(0)
    # What was reckoned wrong by two steps is tried at the last alone: each try costs a whole page.
    for step in (*steps[:2], *steps[2:][-1:]):
        made = set_at(step, alone=True)
        if count(made) == 1:
            return made
    return set_at(STEPS - 1 if layout.stepping else 0)


def _given(layout: Layout, data: dict, size: str, document: bytes = b"",
           drawn: Sequence[Mapping[str, str]] = ()) -> tuple[Path, Callable[..., dict]]:
    """Return the file that sets a page, and its input at a size of type, on a page that is `alone` or not."""
    apart = {"name": breakable(data["name"], NAME), "layout": layout.slug, "paper": size or layout.papers[0],
             **{key: plain_text(data[key]) for key in ("document", "alt")}}
    board = "/" + Path(data["board"] or BOARD).relative_to(ROOT).as_posix()
    texts = safe(data | {"qr": "", "face": ""}) | apart
    return HOME / f"{layout.file}.typ", lambda step, *, alone=False: {
        "sheet": json.dumps(texts | {"step": step, "alone": alone}), "qr": data["qr"], "face": data["face"],
        "board": board, "document": document.decode(), "drawn": json.dumps(drawn)}


def first_step(layout: Layout, data: dict) -> int:
    """Return the size of type to begin with, 0 for the largest, `STEPS` if it does not fit on one page at any.

    It is estimated from the amount of text, so that few sizes are tried.
    """
    if layout.slug == "pocket":
        single = sum(len(one["against"]) == 1 for one in data["pocket"])
        rows = len(data["pocket"]) - single // 2 if single > 9 else len(data["pocket"])
        return _first_of(POCKET, rows + len(data["tiles"]) // 5)
    if layout.slug == "strip":
        return _first_of(STRIP, len(data["people"]))
    entries = [one for part in data["sections"] for one in part["entries"]]
    lines = sum(2 + sum(map(_lines, (one["text"], *one["prose"]))) for one in entries)
    lines += 2 * len(data["tiles"]) + 1.5 * len(data["facts"]) + 3.5 * len(data["charts"])
    lines += 2 * len(data["findings"]) + 2 * len(data["footnotes"])
    lines += 4 + _lines(data["notes"]) if data["notes"] else 0
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
    return _first_of(FITTING, lines)


def _lines(text: str) -> float:
    return len(text) / LINE + text.count("\n")


def _first_of(holding: Sequence[int], needed: float) -> int:
    return next((step for step, most in enumerate(holding) if needed <= most), STEPS)


def pages(raw: bytes) -> int:
    """Return the number of pages in a PDF of ours."""
    found = re.search(rb"/Type/Pages/Count (\d+)", raw)
    return int(found[1]) if found else 0


def missing(data: Any) -> list[str]:
    """Return the signs in the texts of a page that the fonts do not have: boxes stand for them on paper."""
    found: set[str] = set()

    def look(text: str) -> str:
        found.update(ORDINARY.sub("", text))
        return text

    _each_text(look, data)
    return [one for one in sorted(found)[:SIGNS] if unicodedata.category(one)[0] in "LNPS" and not _drawn(one)]


@lru_cache(4096)
def _drawn(sign: str) -> bool:
    try:
        _set(Path(HOME, "sign.typ"), {"sign": sign}, [STANDARD])
    except typst.TypstError:
        return False
    return True


def picture(raw: bytes, number: int) -> bytes:
    """Return one page of a PDF, counted from 1, as a picture (PNG); typst itself would draw all of them."""
    drawn = io.BytesIO()
    with _drawing, closing(pypdfium2.PdfDocument(raw)) as document, closing(document[number - 1]) as page:
        page.render(scale=DENSITY / 72).to_pil().save(drawn, "PNG")
    return drawn.getvalue()


def _set(page: Path, given: dict, standards: Any) -> bytes:
    made = _compiled(input=page, format="pdf", sys_inputs=given, pdf_standards=standards)
    if not isinstance(made, bytes):
        raise TypeError("a PDF is one file, whatever its pages")
    return made


def _compiled(**what: Any) -> Any:
    """Return the compiler's result (`TypstError`, `Panicked`); one that has panicked is not used again."""
    try:
        return _compiler().compile(**what)
    except BaseException as error:
        # What Rust calls a panic is no Exception to Python, and its class has no name that could be imported.
        if type(error).__name__ != "PanicException":
            raise
        del _kept.compiler
        raise Panicked(str(error), "") from error


def _compiler() -> typst.Compiler:
    """Return this thread's compiler: one shared between threads fails. It remembers what it has set before."""
    if not hasattr(_kept, "compiler"):
        _kept.compiler = typst.Compiler(root=ROOT)
    return _kept.compiler


def safe(data: Any) -> Any:
    """Return the data with texts that can be set whatever is in them."""
    return _each_text(lambda text: breakable(text, UNBROKEN), data)


def _each_text(change: Callable[[str], str], data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _each_text(change, value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_each_text(change, value) for value in data]
    return change(data) if isinstance(data, str) else data


def bare(text: str) -> str:
    """Return a text without anything that joins, turns or adorns its letters: the compiler has crashed on such."""
    return "".join(one for one in text if one == "\n" or unicodedata.category(one)[0] in "LNPSZ")


def latin_alone(text: str) -> str:
    """Return a text with a question mark for whatever is not ordinary, on which no compiler has crashed."""
    return "".join(one if ORDINARY.fullmatch(one) else "?" for one in text)


def plain_text(text: str) -> str:
    """Return a text without what has no form: control characters, surrogates, noncharacters; line breaks are uniform.

    Only as many marks above a letter are kept as a language may need: setting thousands of them takes seconds.
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
    """Return a text whose words can be broken wherever they are wider than `width` narrow letters."""
    plain = plain_text(text)
    if len(plain) < width // 2:
        return plain
    return re.sub(rf"[^\s\u200b]{{{width // 2},}}", lambda word: _broken(word[0], width), plain)


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

