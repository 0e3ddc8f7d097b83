"""Faces where there is no style sheet, on paper and in previews, as self-contained SVG."""

from base64 import b64encode

from sheets.faces.emblems import emblem
from sheets.models import Portrait, Sheet

FRAME = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">{}</svg>'
CORNERS = '<clipPath id="corners"><rect x="-50" y="-50" width="100" height="100" rx="19"/></clipPath>'
STYLE = (
    "<style>.ground{{fill:{accent}}}.light{{fill:#fff;fill-opacity:.18}}.dark{{fill:{deep};fill-opacity:.6}}"
    ".wreath{{fill:#fff8e6;fill-opacity:.7}}.medallion{{fill:{deep};stroke:#fff8e6;stroke-width:2.5}}"
    "text,.star{{fill:#fff8e6;font-family:'Libertinus Serif';font-weight:700;text-anchor:middle}}</style>"
)
"""The style of an emblem in light colours, as in `static/faces/faces.css`."""


def printed_face(sheet: Sheet, name: str, accent: str) -> str:
    """Return the face of a sheet as an SVG: its picture, else the emblem of a name in the system's colour "#rrggbb"."""
    large = Portrait.objects.filter(pk=sheet.portrait_id).values_list("large", flat=True).first() \
        if sheet.portrait_id else None
    if large is not None:
        data = b64encode(large).decode()
        drawn = f'<image x="-50" y="-50" width="100" height="100" href="data:image/webp;base64,{data}"/>'
    else:
        _head, _end, inner = emblem(sheet.ruleset, name).partition(">")
        drawn = STYLE.format(accent=accent, deep=_deep(accent)) + inner.removesuffix("</svg>")
    return FRAME.format(f'{CORNERS}<g clip-path="url(#corners)">{drawn}</g>')


def _deep(accent: str) -> str:
    """Return the darker colour that goes with an accent, as `static/base.css` mixes it."""
    return "#" + "".join(f"{round(int(accent[at:at + 2], 16) * 0.55):02x}" for at in (1, 3, 5))
