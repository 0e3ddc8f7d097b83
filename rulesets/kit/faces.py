"""Rows that are cards: how one looks on the table and on paper."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulesets.kit.words import Wording


@dataclass(frozen=True)
class Face:
    """A card as it is read: catalogue, sheet and paper set it alike."""

    title: str
    corner: str = ""
    """The text in its corner: what it costs."""
    line: str = ""
    texts: tuple[tuple[str, str], ...] = ()
    """(lead, what it says) of each paragraph."""
    copies: int = 1
    foot: str = ""
    """The text for what changes at the table: the life it has left."""
    offered: bool = True
    """True if a catalogue offers it; where not, its foot says why."""
    secret: bool = False
    """True if only the owner of the sheet sees its front, like a card in hand at the table."""
    marks: Mapping[Wording, tuple[str, ...]] = field(default_factory=dict)
    """The labels that a catalogue can be narrowed down to, {title: labels}."""
