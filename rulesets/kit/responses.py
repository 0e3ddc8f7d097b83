"""Responses: what the target of a roll may do before it falls."""

from dataclasses import dataclass

from rulesets.kit.offers import Offer
from rulesets.kit.words import Wording

FORGO = "forgo"
"""The key of the response that is always possible: to do nothing."""


@dataclass(frozen=True)
class Response:
    """Something that the target of a roll may do before it falls."""

    key: str
    """Letters, digits and hyphens that name it among the responses to this roll."""
    title: Wording
    """Told to others too: no figure of the target stands in it."""
    note: Wording = ""
    """The text beside it, for those who answer."""
    does: Offer | None = None
    """The act or roll of the target that it is, with nothing left to ask; a roll may stop the other one."""
    instead: Offer | None = None
    """The roll that the actor makes then, with nothing left to ask; None for the one that was pressed."""
    readies: str = ""
    """The key of another response that it only makes ready, and so is worth nothing once that was tried."""
