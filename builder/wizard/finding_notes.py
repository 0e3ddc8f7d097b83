"""A finding as the wizard shows it, with its fixes as buttons."""

from dataclasses import dataclass

from rulesets.kit import Finding
from sheets.forms.differences import FieldChange


@dataclass(frozen=True)
class MendButton:
    """A button that applies a fix: its label, the changes that it makes, and the action that it posts."""

    label: str
    changes: list[FieldChange]
    action: str


@dataclass(frozen=True)
class FindingNote:
    """A finding with a link to its field, the field's name, a link to its rule, and its fixes."""

    finding: Finding
    link: str
    where: str
    rule: str
    ways: list[MendButton]
    still_open: bool
    """True if it is about something not filled in yet, rather than something wrong."""

    @property
    def touched(self) -> set[str]:
        """The paths that its fixes would change."""
        return {one.path for way in self.ways for one in way.changes}
