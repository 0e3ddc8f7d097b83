"""Open results: rolls whose result is still to be taken, and the dice that have come after them.

The act in `Roll.applied_by` applies its result. Such a roll is open until that act is done or its sheet makes another
roll. Followups, and rolls on another's dice (`Crossing.rolls_on_open_dice`), do not count.
"""

from collections.abc import Collection, Iterable, Iterator

from django.utils.translation import gettext as _

from rulesets.kit import Offer, Refused, Ruleset
from sheets.models import Event
from sheets.models.events import APPLIED
from sheets.rolls.each_target import all_targets_spent, throw_before
from sheets.rolls.stored import roll_slug, turn_moved_on

EFFECT_MARK = "-landing-"
"""The part of a widget's key that marks the event of a pending effect; keys are stored, hence the former word."""


def is_followup(event: Event, other: Event) -> bool:
    """Return True if an event followed from another one's roll."""
    return event.widget.endswith(f"-{other.widget}")


def is_averted(event: Event) -> bool:
    """Return True if no effect of a roll on others is applied."""
    return not event.pending_effects.filter(state=APPLIED).exists()


def own_rolls(ruleset: Ruleset, events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events in which a sheet has made a roll of its own, not one on another's dice, in the given order."""
    on_open_dice = ruleset.crossing.rolls_on_open_dice
    return (one for one in events if one.roll and not one.undone and ruleset.rolls.get(one.roll) not in on_open_dice
            and (EFFECT_MARK not in one.widget or one.step_of_id))


def own_rolls_after(ruleset: Ruleset, event: Event, events: Iterable[Event]) -> list[Event]:
    """Return the own rolls of a sheet that came after a roll and are not followups of it, in the given order."""
    return [one for one in own_rolls(ruleset, events) if one.pk > event.pk and not is_followup(one, event)]


def taking_act(ruleset: Ruleset, event: Event) -> str:
    """Return the slug of the act that takes the result of an event's roll, "" if none does."""
    roll = ruleset.rolls.get(event.roll)
    return roll.applied_by if roll and not event.act else ""


def _is_taken(ruleset: Ruleset, event: Event, events: Iterable[Event]) -> bool:
    act = taking_act(ruleset, event)
    return any(one.act == act and one.pk > event.pk and not one.undone for one in events)


def open_roll(ruleset: Ruleset, log: Collection[Event]) -> Event | None:
    """Return the newest roll of a sheet if its result is still to be taken; else None. `log` begins with the newest."""
    newest = next((one for one in own_rolls(ruleset, log) if not one.act), None)
    if newest is None or not taking_act(ruleset, newest) or _is_taken(ruleset, newest, log):
        return None
    return newest


def open_chain(ruleset: Ruleset, log: Collection[Event]) -> Event | None:
    """Return the newest roll of a chain if newer events are not followups of it, and its turn is not over; else None.

    What follows from it is still due (see `Roll.chain`). `log` begins with the newest.
    """
    newest = next((one for one in log if EFFECT_MARK not in one.widget), None)
    found = next((one for one in own_rolls(ruleset, log) if _chain(ruleset, one)), None)
    if newest is None or found is None or found.pk == newest.pk or is_followup(newest, found):
        return None
    return None if turn_moved_on(found) else found


def comes_too_late(ruleset: Ruleset, event: Event, offer: Offer, events: Collection[Event]) -> bool:
    """Return True for an offer that follows from an event's roll and comes too late.

    That is an offer to apply its result or to repeat it (after the dice of an act, the result may still be applied,
    but the roll cannot be repeated); one that is forfeited by the next roll of the chain (`Roll.chain`); or one that
    would hit more targets than there are; or an attack of its own (`Offer.own_target`) once the turn is over.
    """
    if offer.own_target and _turn_is_over(ruleset, event, events):
        return True
    if offer.cls in ruleset.crossing.effects_on_target and all_targets_spent(ruleset, event, events):
        return True
    if getattr(offer.cls, "forfeited", False) and _forfeiting_rolls(ruleset, event, events):
        return True
    if not (act := taking_act(ruleset, event)):
        return False
    later = own_rolls_after(ruleset, event, events)
    if offer.cls.slug == act:
        return any(not one.act for one in later) or _is_taken(ruleset, event, events)
    return offer.cls.slug == event.roll and (bool(later) or _is_taken(ruleset, event, events))


def _turn_is_over(ruleset: Ruleset, event: Event, events: Iterable[Event]) -> bool:
    """Return True once the turn in which a sheet made a roll is over, counted at the table or begun by its own act."""
    ending = {act.slug for act in ruleset.acts.values() if act.ends_turn}
    return any(one.act in ending and one.pk > event.pk and not one.undone for one in events) or turn_moved_on(event)


def _forfeiting_rolls(ruleset: Ruleset, event: Event, events: Collection[Event]) -> list[Event]:
    """Return the later rolls of the same chain that make the followups of a roll void; followups do not count."""
    predecessors = [one for one in own_rolls(ruleset, events)
           if one.pk == event.pk or (one.pk < event.pk and is_followup(event, one))]
    succeeded = [one for one in predecessors if _chain(ruleset, one) and one.outcome in ruleset.rolls[one.roll].good]
    if not succeeded:
        return []
    chain_start = max(succeeded, key=lambda one: len(one.widget))
    return [one for one in own_rolls_after(ruleset, chain_start, events)
            if _chain(ruleset, one) == _chain(ruleset, chain_start)
            and not any(is_followup(one, other) for other in predecessors)]


def _chain(ruleset: Ruleset, event: Event) -> str:
    roll = ruleset.rolls.get(event.roll)
    return roll.chain if roll and not event.act else ""


def refuse_if_too_late(ruleset: Ruleset, widget_key: str, log: Collection[Event]) -> None:
    """Raise `Refused`, with the reason, if `widget_key` is that of a followup that comes too late."""
    rolls = [one for one in own_rolls(ruleset, log) if widget_key.endswith(f"-{one.widget}")]
    if not rolls:
        return
    event = max(rolls, key=lambda one: (len(one.widget), one.pk))
    if (throw := throw_before(ruleset, widget_key, rolls)) and all_targets_spent(ruleset, throw, log):
        raise Refused(_("“{what}” hits no more targets.").format(what=throw.what))
    slug = roll_slug(ruleset, widget_key)
    if slug and ruleset.rolls[slug].forfeited and (later := _forfeiting_rolls(ruleset, event, log)):
        raise Refused(_("“{what}” came after that roll, and what that led to is given up.").format(what=later[-1].what))
    if not taking_act(ruleset, event):
        return
    if later := own_rolls_after(ruleset, event, log):
        raise Refused(_("“{what}” came after that roll, whose result stands. Only the newest roll can still be "
                        "changed.").format(what=later[-1].what))
    if _is_taken(ruleset, event, log):
        raise Refused(_("The result of that roll was applied already."))
