"""Responses: what the target of a roll may do before it is made."""

from dataclasses import dataclass

from rulesets.kit.former_names import accept_former_arguments
from rulesets.kit.offers import Offer
from rulesets.kit.words import Wording

FORGO = "forgo"
"""The key of the response that is always possible: to do nothing."""


@accept_former_arguments({"does": "offer", "instead": "replacement"})
@dataclass(frozen=True)
class Response:
    """Something that the target of a roll may do before the roll is made."""

    key: str
    """Its key among the responses to this roll, made of letters, digits and hyphens."""
    title: Wording
    """The title; others see it too, so it must not contain a figure of the target."""
    note: Wording = ""
    """The text beside it, for those who answer."""
    offer: Offer | None = None
    """The target's completely filled act or roll; if it is a roll, its outcome may stop the actor's roll."""
    replacement: Offer | None = None
    """The completely filled roll that the actor then makes; None for the original one."""
    readies: str = ""
    """The key of another response for which this one only prepares; it is not offered once that other one was tried."""
