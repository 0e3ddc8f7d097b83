"""Rolls that follow one throw for several targets: each is hit once, and as many targets as the throw says."""

from collections.abc import Iterable

from rulesets.kit import Ruleset
from sheets.models import Event
from sheets.rolls.stored import roll_of_event, roll_slug


def throw_before(ruleset: Ruleset, widget_key: str, events: Iterable[Event]) -> Event | None:
    """Return the throw for several targets that the roll `widget_key` follows; None if it follows none."""
    throws = {one.slug for one in ruleset.crossing.target_counts}
    found = (one for one in events if one.roll in throws and not one.undone and widget_key.endswith(f"-{one.widget}"))
    return max(found, key=lambda one: one.pk, default=None)


def targets_spent(ruleset: Ruleset, throw: Event, events: Iterable[Event], except_key: str = "") -> set[str]:
    """Return the keys of the targets that the rolls after a throw have used up, leaving out the roll `except_key`.

    A target is used up if it was hit, or if the hit was stopped. The key is that of its sheet; a target without a
    sheet has the key of the roll's widget.
    """
    return {key for event in events if event.pk > throw.pk and not event.undone and event.widget != except_key
            and event.widget.endswith(f"-{throw.widget}") for key in _targets_spent_by(ruleset, event)}


def _targets_spent_by(ruleset: Ruleset, event: Event) -> set[str]:
    # A roll that was stopped before it was made has only the key of its widget.
    cls, crossing = ruleset.rolls.get(roll_slug(ruleset, event.widget)), ruleset.crossing
    if cls in crossing.effects_on_target:
        made = roll_of_event(ruleset, event)
        return {str(event.sheet_id)} if made and crossing.hits(made) == "actor" else {*event.aimed_at} or {event.widget}
    return {*event.aimed_at} if cls and event.roll and event.fell.value in cls.cancels else set()


def all_targets_spent(ruleset: Ruleset, event: Event, events: Iterable[Event]) -> bool:
    """Return True if an event is a throw for several targets, and it has used up as many as it says."""
    if ruleset.rolls.get(event.roll) not in ruleset.crossing.target_counts or not isinstance(event.outcome, int):
        return False
    return len(targets_spent(ruleset, event, events)) >= event.outcome
