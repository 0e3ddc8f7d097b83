"""A finding as the wizard shows it, with its mends as buttons."""

from dataclasses import dataclass

from rulesets.kit import Finding
from sheets.forms.differences import FieldDifference


@dataclass(frozen=True)
class MendButton:
    """A mend as a button: what it is called, what it changes, the action that its button posts."""

    label: str
    changes: list[FieldDifference]
    action: str


@dataclass(frozen=True)
class FindingNote:
    """A finding with a link to its field, a link to its rule, and its mends."""

    finding: Finding
    link: str
    where: str
    rule: str
    ways: list[MendButton]
    still_open: bool
    """True if it is about what is yet to come rather than wrong."""

    @property
    def touched(self) -> set[str]:
        """The paths that its mends would change."""
        return {one.path for way in self.ways for one in way.changes}
