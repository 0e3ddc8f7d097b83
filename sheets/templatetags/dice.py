"""Dice and gauges as drawings: SVG, so that they print, scale and need no style attribute."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django.template import Library
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import get_language, ngettext, pgettext_lazy
from django.utils.translation import gettext as _

from rulesets.kit import Gauge, Nudge, Ruleset, numeral, signed
from sheets.character import Character
from sheets.forms.inputs import Input, input_text
from sheets.rolls.odds_chart import hoped_percent
from sheets.rolls.widgets import TARGET_PREFIX, Widget, answered_widget, key_of, press_value_of

register = Library()

_SPOTS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}
"""{face of a d6: positions of its pips on a grid of three by three, "a" in the upper left}."""
COLOURS = {"white": pgettext_lazy("die", "white"), "black": pgettext_lazy("die", "black")}
FEW = 12
"""The most fields that the drawing of a gauge shows one by one."""
DRAWN = 8
"""The most squares that are drawn one by one; if there are more, only their number tells how many."""
_FIGURE = re.compile(r"((?:(?:Ø|avg\.)\s)?[−\d.,]{1,60}(?:\s?%)?)\s(.+)")
"""A figure and the words after it in a roll's odds, a line from its system with names of up to 200 characters."""

_BODIES = {6: '<rect x="2" y="2" width="44" height="44" rx="9"/>', 10: '<path d="M24 2 46 27 24 46 2 27Z"/>'}
"""The outline of a die by its sides; any other is a hexagon."""
_HEXAGON = '<path d="M24 2 44 13v22L24 46 4 35V13Z"/>'


register.filter(numeral)
register.filter(signed)


@register.simple_tag
def die(face: int, sides: int = 6, colour: str = "") -> str:
    """Return a die, with pips if it has six sides, else with its number; the face is 0 before it is thrown."""
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
    label = " ".join(map(str, filter(None, (face, COLOURS.get(colour)))))
    return format_html('<svg class="die {}" viewBox="0 0 48 48" role="img" aria-label="{}">{}{}</svg>', colour, label,
                       mark_safe(_BODIES.get(sides, _HEXAGON)), inner)  # noqa: S308 - our own


_SOLIDS = {
    4: '<path d="M24 4 45 41H3Z"/><path class="edge" d="M24 4 24 29M3 41 24 29 45 41"/>',
    8: '<path d="M24 2 44 13v22L24 46 4 35V13Z"/><path class="edge" d="M24 2 4 35H44Z"/>',
    10: '<path d="M24 2 46 20v9L24 46 2 29v-9Z"/>'
        '<path class="edge" d="M24 2 38 27 24 35 10 27ZM24 35V46M38 27 46 29M10 27 2 29"/>',
    12: '<path d="M24 2 37 6 46 17V31L37 42 24 46 11 42 2 31V17L11 6Z"/>'
        '<path class="edge" d="M24 12 36 21 31 35H17L12 21ZM24 2V12M46 17 36 21M37 42 31 35M11 42 17 35M2 17 12 21"/>',
    20: '<path d="M24 2 44 13v22L24 46 4 35V13Z"/>'
        '<path class="edge" d="M24 11 37 33H11ZM24 2V11M4 13 24 11 44 13 37 33 44 35M4 13 11 33 4 35"/>'
        '<path class="edge" d="M11 33 24 46 37 33"/>',
}
"""The drawn solids by their sides, with their edges; any other is a disc."""
_DISC = '<circle cx="24" cy="24" r="22"/><circle class="edge" cx="24" cy="24" r="17"/>'
_LOW = {4: 31, 10: 25}
"""{sides: y of the number} of solids whose number is not in the middle."""
_BACK = mark_safe('<svg class="back" viewBox="0 0 40 56"><rect x="1" y="1" width="38" height="54" rx="5"/>'
                  '<rect class="inner" x="5" y="5" width="30" height="46" rx="2.5"/>'
                  '<path d="M20 12 31 28 20 44 9 28Z"/><circle cx="20" cy="28" r="4"/></svg>')
_CUBE = mark_safe('<span class="cube"><i></i><i></i><i></i><i></i><i></i><i></i></span>')


@register.simple_tag
def fallen(one: Any) -> str:
    """Return a die in the tray (`FallenDie`): a cube if it has six sides, else a solid; for a card, its back."""
    if one.card:
        return format_html('<span class="fallen drawn">{}{}</span>', _BACK, _heap(one.times))
    names = ("fallen", f"d{one.sides}" if one.sides == 6 or one.sides in _SOLIDS else "disc",
             f"f{one.face}" if one.sides == 6 else "", one.colour, "" if one.own else "theirs",
             "idle" if one.worth == 0 else "")
    return _fallen(one.face, one.sides, " ".join(filter(None, names)), one.times, twice=one.worth == 2)


@lru_cache(1024)
def _fallen(face: int, sides: int, names: str, times: int, *, twice: bool) -> str:
    solid = _CUBE if sides == 6 else format_html(
        '<svg class="solid" viewBox="0 0 48 48">{}<text x="24" y="{}" text-anchor="middle">{}</text></svg>',
        mark_safe(_SOLIDS.get(sides, _DISC)), _LOW.get(sides, 24), face)  # noqa: S308 - our own
    mark = mark_safe('<small class="twice">2×</small>') if twice else ""
    return format_html('<span class="{}">{}{}{}</span>', names, solid, mark, _heap(times))


def _heap(times: int) -> str:
    return format_html("<b>×\u00a0{}</b>", times) if times > 1 else ""


@register.filter
def without_shared_inputs(inputs: Iterable[Input], against: Any) -> list:
    """Return the inputs of a form without those asked once for all rolls (`against`, or "" if there are none)."""
    elsewhere = shared_input_names(against)
    return [one for one in inputs if f"{TARGET_PREFIX}{one.slot.ask.target_figure}" not in elsewhere]


@register.filter
def shared_input_names(against: Any) -> tuple[str, ...]:
    """Return the names of the inputs that are asked once for all rolls."""
    return tuple(against.answers) if against else ()


@register.filter
def paths(inputs: Iterable[Input]) -> tuple[str, ...]:
    """Return the names of inputs, by which those of a drawing are recognised."""
    return tuple(one.path for one in inputs)


@register.filter
def rule_title(ruleset: Ruleset, rule: str) -> str:
    """Return the title of a rule in the active language."""
    found = ruleset.rules(get_language()).get(rule)
    return found.title if found else rule


@register.filter
def pressed(nudge: Nudge, against: Any) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return a nudge's button value, and (name, text) of its answers, first those asked once for all (`against`)."""
    known = against.answers if against else {}
    aims = ((key, known[place][0]) for key, target in nudge.offer.target_figures.items()
            if (place := f"{TARGET_PREFIX}{target}") in known)
    return press_value_of(nudge.offer), (*aims, *((name, input_text(value)) for name, value in nudge.answers.items()))


@register.simple_tag
def answered(character: Character, widget_key: str, **answers: str) -> Widget | None:
    """Return the roll with this key and these answers, for a board to draw its chart; None if it is not offered."""
    return answered_widget(character.rolls(), {name: [text] for name, text in answers.items()}, widget_key)


@register.filter
def board_key(number: str, nudge: Nudge) -> str:
    """Return the name of the form of a press on a board; the number tells presses of one offer apart."""
    return f"board-{key_of(nudge.offer)}-{number or 0}"


@register.filter
def has_required(inputs: Iterable[Input]) -> bool:
    """Return True if any of these inputs is required, because it has no default."""
    return any(one.slot.required for one in inputs)


@register.simple_tag
def rows(bars: Any, second_reading: Any = None) -> str:
    """Return a table row for each outcome of a chart; `second_reading` is the roll's second reading."""
    return format_html_join("\n", '<tr{}><th scope="row">{}{}{}</th><td><svg viewBox="0 0 100 10" '
                            'preserveAspectRatio="none" aria-hidden="true"><rect width="{}" height="10"/>{}</svg></td>'
                            '<td class="number">{}</td>{}</tr>', (
        (mark_safe(' class="rolled"') if bar.was_thrown else "", bar.label,
         format_html(" <small>{}</small>", bar.meaning) if bar.meaning else "",
         format_html('<span class="hidden"> ({})</span>', _("rolled")) if bar.was_thrown else "", bar.height,
         format_html('<rect class="part" width="{}" height="10"/>', bar.joint_height) if bar.joint_height else "",
         bar.chance, format_html('<td class="both">{}</td>', bar.joint_chance) if second_reading else "")
        for bar in bars))


@register.simple_tag
def lengths(chart: Any) -> str:
    """Return a table row for each bar of a chart."""
    return mark_safe("".join(  # noqa: S308 - the label is escaped, the rest are numbers
        f'<tr><th scope="row">{escape(label)}</th><td><svg viewBox="0 0 100 10" preserveAspectRatio="none" '
        f'aria-hidden="true"><rect width="{width}" height="10"/></svg></td><td class="number">{number}</td></tr>'
        for label, number, width in chart.bars))


@register.simple_tag
def spark(bars: Any) -> str:
    """Return a chart of odds as small as a word, with the thrown outcome in a colour of its own.

    Numbers have a bar each; words share one bar, filled to the chance of the hoped-for outcomes.
    """
    if (share := hoped_percent(bars)) is not None:
        return _filled(bars, share)
    wide, high = 10, 32
    # The bar of 0 is pale, because nobody hopes for that.
    drawn = {(True, True): "", (True, False): "", (False, True): "", (False, False): ""}
    for place, bar in enumerate(bars):
        tall = max(1, round(high * bar.height / 100))
        drawn[bar.label != "0", bar.was_thrown] += f"M{wide * place} {high}v-{tall}h{wide - 1}v{tall}z"
    paths = [(f"{'hope' if something else 'rest'}{' fell' if fell else ''}", path)
             for (something, fell), path in drawn.items() if path]
    return format_html('<svg class="spark" viewBox="0 0 {} {}" preserveAspectRatio="none" aria-hidden="true">{}</svg>',
                       wide * len(bars) - 1, high,
                       format_html_join("", '<path class="{}" d="{}"/>', paths)) if bars else ""


def _filled(bars: Any, share: float) -> str:
    thrown = next((bar for bar in bars if bar.was_thrown), None)
    return format_html(
        '<svg class="spark" viewBox="0 0 100 32" preserveAspectRatio="none" aria-hidden="true">'
        '<path class="{}" d="M0 11h{}v10h-{}z"/><path class="{}" d="M{} 11h{}v10h-{}z"/></svg>',
        "hope fell" if thrown and thrown.hoped_for else "hope", share, share,
        "rest fell" if thrown and not thrown.hoped_for else "rest", share, 100 - share, 100 - share)


@register.filter
def figure_and_words(text: str) -> tuple[str, str]:
    """Return the figure of a roll's odds and the words after it, "28%" and "hit"; words alone count as the figure."""
    found = _FIGURE.fullmatch(text)
    return (found[1], found[2]) if found else (text, "")


@register.simple_tag
def shares(bars: Any) -> str:
    """Return the likeliest outcome, and a bar in which each outcome has a part as long as it is likely, in order."""
    whole, start, parts = sum(bar.height for bar in bars) or 1, 0.0, []
    for number, bar in enumerate(bars):
        width = 100 * bar.height / whole
        parts.append((number % 6, round(start, 3), round(width, 3)))
        start += width
    likeliest = max(bars, key=lambda bar: bar.height)
    return format_html('<p class="likeliest"><strong>{}</strong> {}</p><svg class="shares" viewBox="0 0 100 8" '
                       'preserveAspectRatio="none" aria-hidden="true">{}</svg>', likeliest.label, likeliest.chance,
                       format_html_join("", '<rect class="share-{}" x="{}" width="{}" height="8"/>', parts))


@register.simple_tag
def level(gauge: Gauge) -> str:
    """Return a drawing of a gauge's level: up to `FEW` fields, else one bar."""
    return _level(max(0, min(gauge.current, gauge.most)), gauge.most)


@lru_cache(1024)
def _level(left: int, most: int) -> str:
    fields = most if most <= FEW else 1
    gap = 2 if fields > 1 else 0
    wide = (100 + gap) / fields
    full = fields * left / most
    widths = [(kind, place, (wide - gap) * part) for kind, shares in (
        ("empty", [1] * fields), ("full", [max(0, min(1, full - place)) for place in range(fields)]))
        for place, part in enumerate(shares) if part]
    return format_html('<svg class="level" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">{}</svg>',
                       format_html_join("", '<rect class="{}" x="{}" width="{}" height="6"/>', (
                           (kind, round(wide * place, 2), round(width, 2)) for kind, place, width in widths)))


@register.simple_tag
def fields(count: int) -> str:
    """Return a row of up to `DRAWN` squares, and their number as text."""
    return _fields(count, ngettext("{n} square", "{n} squares", count).format(n=count)) if count > 0 else ""


@lru_cache(64)
def _fields(count: int, label: str) -> str:
    shown = min(count, DRAWN)
    return format_html('<span class="ground"><svg class="fields" viewBox="0 0 {} 16" aria-hidden="true">{}</svg> '
                       '<span>{}</span></span>', 19 * shown - 3,
                       format_html_join("", '<rect x="{}" y=".5" width="15" height="15" rx="3"/>',
                                        ((19 * place + 0.5,) for place in range(shown))), label)
