"""Emblems: faces for characters without a portrait, drawn only from system and name, and so the same everywhere.

They look like coats of arms: a divided field, a wreath on it, and a medallion with the initials. The system determines
the outline of the medallion, the name everything else. Colours come from CSS (`static/faces/faces.css`): an emblem has
its system as an attribute, for which that system's stylesheet sets them.
"""

from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from math import cos, pi, sin

from django.utils.html import format_html
from django.utils.safestring import SafeString

Chooser = Callable[[int], int]
"""A function that chooses a number from 0 to below its argument."""


@lru_cache(2048)
def emblem(slug: str, name: str) -> SafeString:
    """Return the emblem of a name in a system, as an SVG element that is hidden from screen readers."""
    of_system, of_name = _chooser("system", slug), _chooser(slug, " ".join(name.split()))
    letters = initials(name)
    size = (38, 22)[len(letters) > 1]
    return format_html(
        '<svg class="portrait emblem" data-system="{}" viewBox="-50 -50 100 100" aria-hidden="true">'
        '<path class="ground" d="M-50-50H50V50H-50Z"/><path class="{}" d="{}"/>'
        '<path class="light" d="{}"/><path class="wreath" d="{}"/>'
        '<path class="medallion" d="{}"/>{}</svg>',
        slug, ("light", "dark")[of_name(2)], FIELDS[of_name(len(FIELDS))](of_name), _wreath(of_name, 1),
        _wreath(of_name, 0), MEDALLIONS[of_system(len(MEDALLIONS))],
        format_html('<text y="{}" font-size="{}">{}</text>', round(size * 0.34), size, letters) if letters
        else format_html('<path class="star" d="{}"/>', _star(5 + of_name(4), 20, 9)))


def initials(name: str) -> str:
    """Return the first letters of the first and the last word; “(copy)” and invisible characters do not count."""
    seen = [word for word in name.split() if word[0].isprintable()]
    words = [word for word in seen if word[0].isalnum()] or seen
    return "".join(word[0] for word in (words[:1] + words[1:][-1:])).upper()


def _chooser(*words: str) -> Chooser:
    """Return a chooser whose choices depend only on these words, so that they are the same on every machine."""
    left = int.from_bytes(blake2b("\0".join(words).encode(), digest_size=32).digest())

    def choose(many: int) -> int:
        nonlocal left
        left, one = divmod(left, many)
        return one

    return choose


def _at(turn: float, far: float) -> str:
    """Return the point at distance `far` from the middle; `turn` goes clockwise from 0 at the top to 1."""
    return f"{round(far * sin(2 * pi * turn))} {round(-far * cos(2 * pi * turn))}"


def _star(points: int, outer: float, inner: float) -> str:
    return f"M{'L'.join(_at(i / points / 2, (outer, inner)[i % 2]) for i in range(2 * points))}Z"


def _stripes(choose: Chooser) -> str:
    """Draw one to four stripes: upright (pale), level (fess) or diagonal (bends)."""
    many, turn = 1 + choose(4), choose(4) / 8
    wide = 100 / (2 * many + 1)
    edges = [(-50 + wide * (2 * i + 1), -50 + wide * (2 * i + 2)) for i in range(many)]
    corners = ((one, y) for one in edges for y in (-75, 75))
    points = [[_turned(x, y, turn) for x in (one if y < 0 else one[::-1])] for one, y in corners]
    return "".join(f"M{'L'.join(above + below)}Z" for above, below in zip(points[::2], points[1::2], strict=True))


def _turned(x: float, y: float, turn: float) -> str:
    cosine, sine = cos(2 * pi * turn), sin(2 * pi * turn)
    return f"{round(x * cosine - y * sine)} {round(x * sine + y * cosine)}"


def _rays(choose: Chooser) -> str:
    """Draw quarters, saltires and gyrons: every other one of four to twenty wedges."""
    many, shift = (2, 3, 4, 5, 6, 8, 10)[choose(7)], choose(2) / 2
    return "".join(f"M0 0L{_at((i + shift - 0.25) / many, 75)}L{_at((i + shift + 0.25) / many, 75)}Z"
                   for i in range(many))


def _chevrons(choose: Chooser) -> str:
    """Draw one to three chevrons, upright or turned."""
    many, up = 1 + choose(3), 1 - 2 * choose(2)
    wide = 60 // (many + 1)
    tops = [-52 + wide + 2 * wide * i for i in range(many)]
    return "".join(f"M-50 {up * (top + 40)}L0 {up * top}L50 {up * (top + 40)}V{up * (top + 40 + wide)}"
                   f"L0 {up * (top + wide)}L-50 {up * (top + 40 + wide)}Z" for top in tops)


def _checks(choose: Chooser) -> str:
    """Draw a chessboard, straight or on its corner."""
    many, lozengy = 4 + choose(3), choose(2)
    side = 100 / many
    cells = [(i * side - 50, j * side - 50) for i in range(-1, many + 1) for j in range(-1, many + 1) if (i + j) % 2]
    half = side / 2
    if lozengy:
        return "".join(f"M{round(x)} {round(y - half)}l{round(half)} {round(side)} {round(-half)} {round(side)}"
                       f"{round(-half)} {round(-side)}Z" for x, y in cells if round(x / side) % 2 == many % 2)
    return "".join(f"M{round(x)} {round(y)}h{round(side)}v{round(side)}h{round(-side)}Z" for x, y in cells
                   if -51 < x < 49 and -51 < y < 49)


def _waves(choose: Chooser) -> str:
    """Draw water: two to four wavy bars."""
    many, high, long = 2 + choose(3), 6 + 3 * choose(3), (25, 50)[choose(2)]
    wide = 50 // many
    there = f"q{long / 2:g} {-high} {long} 0t{long} 0t{long} 0t{long} 0t{long} 0".replace(" -", "-")
    back = f"q{-long / 2:g} {high} {-long} 0t{-long} 0t{-long} 0t{-long} 0t{-long} 0".replace(" -", "-")
    return "".join(f"M-75 {-50 + wide // 2 + 2 * wide * i}{there}v{wide}{back}Z" for i in range(many))


def _rings(choose: Chooser) -> str:
    """Draw ripples around the middle or from an edge."""
    y, wide = (0, -50, 50)[choose(3)], 6 + 2 * choose(4)
    radii = range(wide, 120, 2 * wide)
    return "".join(f"M0 {y - r}a{r} {r} 0 1 1 0 {2 * r}a{r} {r} 0 1 1 0 {-2 * r}Z"
                   f"m0 {-wide}a{r + wide} {r + wide} 0 1 0 0 {2 * (r + wide)}"
                   f"a{r + wide} {r + wide} 0 1 0 0 {-2 * (r + wide)}Z" for r in radii)


FIELDS = (_stripes, _rays, _chevrons, _checks, _waves, _rings)


def _leaf(turn: float, wide: float, far: float) -> str:
    return f"M{_at(turn, 20)}Q{_at(turn - wide, far - 6)} {_at(turn, far)}Q{_at(turn + wide, far - 6)} {_at(turn, 20)}Z"


def _kite(turn: float, wide: float, far: float) -> str:
    return f"M{_at(turn, 20)}L{_at(turn - wide / 2, far - 10)}L{_at(turn, far)}L{_at(turn + wide / 2, far - 10)}Z"


def _flame(turn: float, wide: float, far: float) -> str:
    return (f"M{_at(turn - wide / 2, 24)}Q{_at(turn - wide / 2, far - 6)} {_at(turn + wide, far)}"
            f"Q{_at(turn + wide / 2, far - 10)} {_at(turn + wide / 2, 24)}Z")


def _bead(turn: float, wide: float, far: float) -> str:
    r = min(6, max(2, round(wide * far * 2)))
    return f"M{_at(turn, far - r)}m{-r} 0a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0Z"


PETALS = (_leaf, _kite, _flame, _bead)


def _wreath(choose: Chooser, inner: int) -> str:
    """Draw petals around the middle; the `inner` wreath is smaller and turned by half a petal."""
    many, petal = 5 + choose(8), PETALS[choose(len(PETALS))]
    far, wide = 48 - 6 * inner - 2 * choose(4), (0.24 + 0.05 * choose(4)) / many
    return "".join(petal((i + inner / 2) / many, wide, far) for i in range(many))


MEDALLIONS = (
    "M0-30a30 30 0 1 1 0 60a30 30 0 1 1 0-60Z",
    "M0-33 29-16V16L0 33-29 16V-16Z",
    "M-27-28H27V4C27 20 12 29 0 34C-12 29-27 20-27 4Z",
    "M0-38 38 0 0 38-38 0Z",
    "M-13-31H13L31-13V13L13 31H-13L-31 13V-13Z",
    "M-20-28H20Q20-20 28-20V20Q20 20 20 28H-20Q-20 20-28 20V-20Q-20-20-20-28Z",
)
"""The outlines: a roundel, a hexagon, a shield, a lozenge, an octagon and a plaque."""
