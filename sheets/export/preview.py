"""The picture of a shared sheet for pages that link to it, drawn on demand and cached until it would look different."""

import json
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from sheets.export.layouts import Layout
from sheets.export.paper import paper
from sheets.export.pdf import HOME, pictures
from sheets.models import Preview, Sheet
from sheets.status.outward import outward
from sheets.status.stamp import stamp_of

LAYOUT = Layout("preview", "", "preview", stepping=False)
DENSITY = 72
"""The dots per inch: one pixel for each point."""
TILES, FACTS = 6, 3
"""The most figures and other facts that are shown; with many figures there are fewer facts."""
ROOM = 96 * 1024
"""The most bytes of a preview; a picture with many colours is reduced to fewer."""
COLOURS = (256, 64, 16, 4)
NAME, FACT = 60, 44
"""The most characters of the name, and of a fact with its title."""


def preview(sheet: Sheet) -> tuple[str, bytes]:
    """Return (fingerprint, PNG) of a sheet in the current language, as holders of its link see it."""
    shown = _preview_data(sheet)
    of = sha256(Path(HOME, f"{LAYOUT.file}.typ").read_bytes() + json.dumps(shown).encode()).hexdigest()
    cached = Preview.objects.filter(sheet=sheet.pk, language=shown["lang"], of=of).values_list("png", flat=True).first()
    if cached is None:
        cached = _compressed(pictures(LAYOUT, shown, density=DENSITY)[0])
        Preview.objects.update_or_create(sheet_id=sheet.pk, language=shown["lang"], defaults={"of": of, "png": cached})
    return of, bytes(cached)


def _compressed(png: bytes) -> bytes:
    """Return the picture with as many colours as its size allows."""
    with Image.open(BytesIO(png)) as opened:
        whole = opened.convert("RGB")
    for colours in COLOURS:
        whole.quantize(colours).save(made := BytesIO(), "PNG", optimize=True)
        if made.tell() <= ROOM:
            break
    return made.getvalue()


def _preview_data(sheet: Sheet) -> dict[str, Any]:
    """Return those parts of a sheet's paper that the preview shows; nothing else reaches it."""
    whole = paper(sheet, stamp_of(sheet, outward(sheet)))
    tiles = [{key: one[key] for key in ("title", "value")} for one in whole["tiles"][:TILES]]
    facts = [{"title": one["title"], "value": _shorten(one["value"], FACT - len(one["title"]))}
             for one in whole["facts"] if len(one["title"]) < FACT / 2][: max(0, FACTS - len(tiles) // 3)]
    named = {key: whole[key] for key in ("lang", "system", "accent", "face", "verdict", "status", "stamp", "draft",
                                         "words", "document", "date", "deep", "board")}
    return {**named, **dict.fromkeys(("short", "qr", "alt"), ""), **dict.fromkeys(("tables", "gauges"), ()),
            "name": _shorten(whole["name"], NAME), "tiles": tiles, "facts": facts}


def _shorten(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[:most].rstrip()}…"
