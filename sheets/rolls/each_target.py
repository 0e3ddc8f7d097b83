"""Rolls that follow one throw for several targets: each target is hit once, and no more of them than the throw says."""

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
    """Return the keys of the sheets that count as targets of a throw by the rolls that followed it.

    A target is one whom such a roll has hit or something that stopped it has spared; one without a sheet has a key of
    its own.
    """
    return {key for event in events if event.pk > throw.pk and not event.undone and event.widget != except_key
            and event.widget.endswith(f"-{throw.widget}") for key in _targets_spent_by(ruleset, event)}


def _targets_spent_by(ruleset: Ruleset, event: Event) -> set[str]:
    # A roll that was stopped before it was made is known by its name alone.
    cls, crossing = ruleset.rolls.get(roll_slug(ruleset, event.widget)), ruleset.crossing
    if cls in crossing.effects_on_target:
        made = roll_of_event(ruleset, event)
        return {str(event.sheet_id)} if made and crossing.hits(made) == "actor" else {*event.aimed_at} or {event.widget}
    return {*event.aimed_at} if cls and event.roll and event.fell.value in cls.cancels else set()


def all_targets_spent(ruleset: Ruleset, event: Event, events: Iterable[Event]) -> bool:
    """Return True if an event is a throw for several targets, and as many of them count as it says."""
    if ruleset.rolls.get(event.roll) not in ruleset.crossing.target_counts or not isinstance(event.outcome, int):
        return False
    return len(targets_spent(ruleset, event, events)) >= event.outcome
