"""Events at the table as all but the sheet's owner read them: without what the system says is secret."""

from collections.abc import Container, Sequence
from copy import copy
from operator import attrgetter

from django.utils.translation import gettext as _

from rulesets.kit import Refused, Ruleset, secretive
from sheets.models import Event

OTHERS = "others"
"""The key in an event's `said` under which the others' text is found, {language: text}."""


def hiding(ruleset: Ruleset) -> bool:
    """Return True if a system has anything that only the owner may see."""
    return secretive(ruleset.play) or any(one.hides() for one in (*ruleset.acts.values(), *ruleset.rolls.values()))


def refusal(ruleset: Ruleset, fault: Refused, *, others: bool) -> str:
    """Return the reason for a refusal as the reader may see it; for `others` none, because it might tell a secret."""
    return _("That cannot be done now.") if others and hiding(ruleset) else str(fault)


def for_others(ruleset: Ruleset, event: Event) -> Event:
    """Return an event as others read it; it is not to be saved.

    Of a secret act its own title is left and what it told others, which those of earlier days did not; of a secret
    roll nothing. Of what the system no longer knows nobody can tell whether it was secret.
    """
    if event.sheet_id is None or not (hiding(ruleset) or OTHERS in event.said):
        return event
    seen = copy(event)
    said = {key: text for key, text in event.said.items() if key != OTHERS}
    seen.said, act, roll = event.said.get(OTHERS, said), ruleset.acts.get(event.act), ruleset.rolls.get(event.roll)
    if OTHERS in event.said:
        seen.text = ""
    if event.act and (act is None or act.hides()):
        seen.title = str(act.title) if act else _("Something that is its owner's to know")
        seen.titles = {}
        seen.widget, seen.text, seen.said = "", "", event.said.get(OTHERS, {})
    if event.roll and (roll is None or roll.hides()):
        if not event.act:
            seen.title = str(roll.title) if roll else _("Something that is its owner's to know")
            seen.titles = {}
        seen.roll, seen.given, seen.faces, seen.tries = "", {}, [], []
        seen.outcome, seen.figures, seen.veiled = None, {}, {}
    return seen


def unveiled(event: Event, known: Container[str]) -> Event:
    """Return an event with the figures of its targets, if all of these are `known` by the keys of their sheets.

    It is not to be saved.
    """
    if not event.veiled or not all(key in known for key in event.aimed_at):
        return event
    seen = copy(event)
    seen.given, seen.faces, seen.tries = event.parameters, event.thrown, event.veiled.get("tries", event.tries)
    seen.done, seen.veiled = event.done and event.answered, {}
    return seen


def naming(event: Event, known: Container[str]) -> Event:
    """Return an event that names only these of its targets, by the keys of their sheets; it is not to be saved."""
    if all(key in known for key in event.aimed_at):
        return event
    seen = copy(event)
    seen.aimed_at = {key: name for key, name in event.aimed_at.items() if key in known}
    return seen


def told_to(reader: int | None, log: Sequence[Event], named: Container[str], read: Container[str]) -> list[Event]:
    """Return events with the figures only of those whom somebody may `read`, and the names only of those `named`.

    Whom they have aimed at themselves they know by name; a repeat is aimed at whom its roll was. Not to be saved.
    """
    own: set[int] = set()
    for event in sorted(log, key=attrgetter("pk")):
        if reader and event.who_id == reader and (event.again_id is None or event.again_id in own):
            own.add(event.pk)
    told = (unveiled(event, read) for event in log)
    return [event if event.pk in own else naming(event, named) for event in told]


def outwardly(event: Event) -> Event:
    """Return an event as mere spectators read it: what was done, the dice, what came of them."""
    seen = copy(event)
    seen.text, seen.said = "", {}
    # A roll that is veiled is told by its outcome alone.
    seen.veiled = {"given": event.parameters}
    return seen
