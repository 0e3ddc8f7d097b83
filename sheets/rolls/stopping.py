"""Rolls that may stop a hit, and the right of the target to decide about them."""

from collections.abc import Container, Iterable
from typing import Any

from rulesets.kit import Offer, Roll, Ruleset
from sheets.models import Event
from sheets.rolls.stored import roll_of_event


def may_stop(offer: Offer, stopping: Container[Any]) -> bool:
    """Return True if a roll has an outcome that stops an effect."""
    return any(one in stopping for one in getattr(offer.cls, "outcomes", ()))


def target_may_stop(ruleset: Ruleset, event: Event, offers: Iterable[Offer]) -> bool:
    """Return True if the target of a roll, or of a followup, may decide to stop it, before the roll or at its effect.

    In a party with `trust` and without `waits`, this is so only for rolls in `Crossing.answered`.
    """
    party, hits, cls = event.sheet.party if event.sheet else None, ruleset.crossing.hits, ruleset.rolls.get(event.roll)
    is_answered = cls is not None and issubclass(cls, tuple(ruleset.crossing.answered))
    if party is None or event.party_id != party.pk or (party.trust and not party.waits and not is_answered):
        return False
    roll = roll_of_event(ruleset, event) if is_answered else None
    # A followup of a roll without a target hits the target that is chosen by then.
    hits_others = event.unnamed or bool({*event.aimed_at} - {str(event.sheet_id)}) or (
        not event.aimed_at and any(one.fill_from_target for one in offers))
    return hits_others or bool(roll and hits(roll) == "actor") or any(
        issubclass(one.cls, Roll) and hits(one.cls.model_construct(**one.filled)) == "actor" for one in offers)


def is_aimed(ruleset: Ruleset, event: Event) -> bool:
    """Return True if a roll was aimed at somebody, or was made in a party and hits the actor."""
    roll = roll_of_event(ruleset, event) if event.party_id else None
    return bool(event.aimed_at) or event.unnamed or bool(roll and ruleset.crossing.hits(roll) == "actor")
