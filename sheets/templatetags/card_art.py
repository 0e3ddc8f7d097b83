"""Pictures on cards: a landscape drawn from the card's name, always the same for one name."""

from functools import lru_cache
from hashlib import sha256
from itertools import pairwise

from django.template import Library
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = Library()
WIDE, HIGH = 120, 48


@register.simple_tag
def art(name: str) -> SafeString:
    """Return the picture on a card with this name: hills under a sun or moon, in colours that the card takes on."""
    return _drawn(str(name))


@lru_cache(512)
def _drawn(name: str) -> SafeString:
    seed = sha256(name.encode()).digest()
    hue = int.from_bytes(seed[1:3], "big") % 360
    return format_html(
        '<svg class="art hue-{}" viewBox="0 0 {} {}" preserveAspectRatio="xMidYMid slice" aria-hidden="true">'
        '<rect width="100%" height="100%" fill="hsl({} 42% 40%)"/>'
        '<circle cx="{}" cy="{}" r="{}" fill="hsl({} 60% 78%)"/>'
        '<path d="{}" fill="hsl({} 32% 56%)"/><path d="{}" fill="hsl({} 38% 27%)"/></svg>',
        hue // 30, WIDE, HIGH, hue,
        12 + seed[2] % 96, 8 + seed[3] % 12, 4 + seed[4] % 6, (hue + 150 + seed[5] % 60) % 360,
        _hills(seed[6:12], 12, 30), (hue + seed[12] % 40) % 360, _hills(seed[13:20], 24, 40),
        (hue + 340 + seed[20] % 40) % 360)


def _hills(seed: bytes, low: int, high: int) -> str:
    """Return a ridge from edge to edge, with a peak for each byte and a valley between two."""
    step = WIDE / len(seed)
    peaks = [(round(step * (place + 0.5)), low + byte % (high - low)) for place, byte in enumerate(seed)]
    line = f"M0 {HIGH}V{peaks[0][1] + 6}L{peaks[0][0]} {peaks[0][1]}"
    for (left, tall), (right, other) in pairwise(peaks):
        line += f"L{(left + right) // 2} {min(HIGH, max(tall, other) + 5)}L{right} {other}"
    return f"{line}L{WIDE} {min(HIGH, peaks[-1][1] + 8)}V{HIGH}z"
