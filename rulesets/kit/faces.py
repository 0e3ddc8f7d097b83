"""The faces of rows that are cards, as shown at the table and on paper."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulesets.kit.words import Wording


@dataclass(frozen=True)
class Face:
    """The content of a card; catalogue, sheet and paper lay it out alike."""

    title: str
    corner: str = ""
    """The text in its corner, such as its cost."""
    line: str = ""
    """The line below the title."""
    texts: tuple[tuple[str, str], ...] = ()
    """(opening words in bold, text) of each paragraph."""
    copies: int = 1
    foot: str = ""
    """The text at its foot for what changes at the table, such as the life left."""
    offered: bool = True
    """True if a catalogue offers it; otherwise `foot` says why not."""
    secret: bool = False
    """True if only the owner of the sheet sees its front, like a card in hand."""
    marks: Mapping[Wording, tuple[str, ...]] = field(default_factory=dict)
    """The labels that a catalogue can be filtered by, {title of the filter: labels}."""
