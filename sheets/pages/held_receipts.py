"""Receipts that nobody may read yet: those of draws from a deck, until the game in which they were made has ended."""

from typing import Any

from rulesets import systems
from rulesets.kit import Ruleset
from sheets.models import Receipt, Sheet


def is_held(receipt: Receipt) -> bool:
    """Return True if nobody may read a receipt yet, because the game of its roll has not ended.

    A refused roll does not show whether its dice were a secret draw, so all refused rolls wait.
    """
    event = receipt.event
    sheet = event.sheet if event else roller_of(receipt)
    if sheet is None or (ruleset := systems().get(sheet.ruleset)) is None or not _holds(ruleset, sheet.play):
        return False
    if event and not ((roll := ruleset.rolls.get(event.roll)) and roll.hides()):
        return False
    # If no game was under way before one of the acts since the roll, the game of the roll has ended.
    after = {"pk__gt": event.pk} if event else {"made__gt": receipt.made}
    since = sheet.events.filter(**after, undone=False).exclude(act="").order_by("-pk")
    return all(_holds(ruleset, before) for before in since.values_list("before", flat=True).iterator())


def roller_of(receipt: Receipt) -> Sheet | None:
    """Return the sheet that made a refused roll, None if it was made without one."""
    by = (receipt.rolled or {}).get("by") or str(receipt.sheet_id or "")
    return Sheet.objects.filter(pk=by).first() if by else None


def _holds(ruleset: Ruleset, play: Any) -> bool:
    return ruleset.play.model_validate(play or {}).holds_receipts
