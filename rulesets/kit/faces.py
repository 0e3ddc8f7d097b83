"""Rows that are cards: how one looks on the table and on paper."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulesets.kit.words import Wording


@dataclass(frozen=True)
class Face:
    """A card as it is read: catalogue, sheet and paper set it alike."""

    title: str
    corner: str = ""
    """What stands in its corner: what it costs."""
    line: str = ""
    texts: tuple[tuple[str, str], ...] = ()
    """(lead, what it says) of each paragraph."""
    copies: int = 1
    foot: str = ""
    """What changes at the table: the life it has left."""
    offered: bool = True
    """Whether a catalogue offers it; where not, its foot says why."""
    secret: bool = False
    """Whether only the owner of the sheet sees its front, at the table a card in hand."""
    marks: Mapping[Wording, tuple[str, ...]] = field(default_factory=dict)
    """What a catalogue can be narrowed down to, {title: labels}."""
