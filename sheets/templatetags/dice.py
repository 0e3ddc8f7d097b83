"""Dice and gauges as drawings: SVG, so that they print, scale and need no style attribute."""

from functools import lru_cache

from django.template import Library
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext as _

from rulesets.kit import numeral, signed

register = Library()

_SPOTS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}
"""Pips of a d6 on a grid of three by three, from the upper left."""
COLOURS = {"white": pgettext_lazy("die", "white"), "black": pgettext_lazy("die", "black")}
_WIDE = 15
"""Pips of a gauge in one line."""


_BODIES = {6: '<rect x="2" y="2" width="44" height="44" rx="9"/>', 10: '<path d="M24 2 46 27 24 46 2 27Z"/>'}
"""The outline of a die by its sides; any other is a hexagon."""
_HEXAGON = '<path d="M24 2 44 13v22L24 46 4 35V13Z"/>'


@register.simple_tag
def die(face: int, sides: int = 6, colour: str = "") -> str:
    """One die: pips for six sides, else its number; of a colour if it has one, empty (0) before it falls."""
    return _die(face, sides, colour, get_language())


@lru_cache(256)
def _die(face: int, sides: int, colour: str, _language: str) -> str:
    if not face:
        inner = ""
    elif sides == 6 and face in _SPOTS:
        spots = ("abcdefghi".index(spot) for spot in _SPOTS[face])
        inner = format_html_join("", '<circle cx="{}" cy="{}" r="4"/>', ((12 + spot % 3 * 12, 12 + spot // 3 * 12)
                                                                       for spot in spots))
    else:
        inner = format_html('<text x="24" y="31" text-anchor="middle">{}</text>', face)
    said = " ".join(map(str, filter(None, (face, COLOURS.get(colour)))))
    return format_html('<svg class="die {}" viewBox="0 0 48 48" role="img" aria-label="{}">{}{}</svg>', colour, said,
                       mark_safe(_BODIES.get(sides, _HEXAGON)), inner)  # noqa: S308 - our own


@register.simple_tag
def rows(bars, beside=None) -> str:
    """A row of a table for each outcome of a chart; `beside` is the roll's second reading."""
    return format_html_join("\n", '<tr{}><th scope="row">{}{}</th><td><svg viewBox="0 0 100 10" '
                            'preserveAspectRatio="none" aria-hidden="true"><rect width="{}" height="10"/>{}</svg></td>'
                            '<td class="number">{}</td>{}</tr>', (
        (mark_safe(' class="rolled"') if bar.fell else "", bar.label,
         format_html('<span class="hidden"> ({})</span>', _("this fell")) if bar.fell else "", bar.height,
         format_html('<rect class="part" width="{}" height="10"/>', bar.part) if bar.part else "", bar.chance,
         format_html('<td class="both">{}</td>', bar.both) if beside else "") for bar in bars))


@register.simple_tag
def lengths(chart) -> str:
    """A row of a table for each bar of a chart."""
    return mark_safe("".join(  # noqa: S308 - the label is escaped, the rest are numbers
        f'<tr><th scope="row">{escape(label)}</th><td><svg viewBox="0 0 100 10" preserveAspectRatio="none" '
        f'aria-hidden="true"><rect width="{width}" height="10"/></svg></td><td class="number">{number}</td></tr>'
        for label, number, width in chart.bars))


@register.filter
def pips(gauge) -> list[tuple[int, int, bool]]:
    """(x, y, full) of each pip of a gauge."""
    return [(7 + 14 * (i % _WIDE), 7 + 14 * (i // _WIDE), i < gauge.left) for i in range(gauge.most)]


register.filter(numeral)
register.filter(signed)


@register.simple_tag
def widest(most: int) -> int:
    """How wide the drawing of a gauge is."""
    return 14 * min(max(most, 1), _WIDE)


@register.simple_tag
def tallest(most: int) -> int:
    """How tall the drawing of a gauge is."""
    return 14 * max(1, -(-most // _WIDE))
