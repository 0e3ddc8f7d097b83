"""Reach: which dice may meet one more, and whom these have met already."""

from uuid import UUID, uuid5

from rulesets.dice import LoadedTray, thrown
from rulesets.kit import Ruleset, targets_of
from sheets.models import Event, PendingEffect, Sheet
from sheets.models.events import APPLIED, OPEN
from sheets.press.targets import Target
from sheets.rolls.follow_ups import ALSO
from sheets.rolls.stored import roll_made

MOST = 24
"""The number of rolls that are looked through for the one whose dice these are."""


def may_reach_further(ruleset: Ruleset, event: Event, sheet: Sheet) -> bool:
    """Return True if the dice of an event may meet one more: all are one's own, and what they bring waits there."""
    if (roll := roll_made(ruleset, event)) is None or type(roll) in ruleset.crossing.onto:
        return False
    if ruleset.crossing.hits(roll) != ("target" if event.aimed_at else "chosen"):
        return False
    if type(roll) in ruleset.crossing.answered and sheet.party and sheet.party.waits:
        # One more would be hit without having been asked.
        return False
    if event.undone or str(sheet.pk) in event.aimed_at or not ruleset.crossing.spreads(roll):
        return False
    most = ruleset.crossing.most_targets(roll)
    return all(place in roll.own(len(event.thrown)) for place in range(len(event.thrown))) and (
        most is None or len(_reached(event)) < most)


def _reached(event: Event) -> set[str]:
    """Return the keys of the targets at whom something of an event stands."""
    found = event.pending_effects.filter(state__in=(OPEN, APPLIED)).values_list("sheet_id", flat=True)
    return {str(pk) for pk in found} & {*event.aimed_at}


def meets_more(ruleset: Ruleset, newest: Event, sheet: Sheet) -> Event | None:
    """Return what happened last, or what that has followed from, if one more may meet its dice."""
    return newest if may_reach_further(ruleset, newest, sheet) else _area_of(ruleset, newest, sheet)


def _area_of(ruleset: Ruleset, newest: Event, sheet: Sheet) -> Event | None:
    slugs = [one.slug for one in ruleset.crossing.areas]
    begins = tuple(f"roll-{slug}" for slug in slugs)
    again = tuple(f"{one}-{ALSO}" for one in begins)
    chain = [newest.widget[at:] for at in range(len(newest.widget))
             if newest.widget.startswith(begins, at) and not newest.widget.startswith(again, at)]
    if not chain:
        return None
    found = list(Event.objects.filter(sheet=newest.sheet_id, party=newest.party_id, widget__in=chain, roll__in=slugs,
                                      pk__lte=newest.pk).order_by("-pk")[:MOST])
    same = [one for one in found if one.widget == found[0].widget]
    if not same:
        return None
    # In logs of older versions the same dice against one more have the name of the roll itself.
    last = same[0]
    first = next((one for one in same if last.key in {area_key(one, at) for at in last.aimed_at}), last)
    if first.undone or last.undone or not _may_meet(ruleset, first):
        return None
    met = str(sheet.pk) in {*first.aimed_at, str(first.sheet_id)}
    once = Event.objects.filter(sheet=first.sheet_id, key=area_key(first, str(sheet.pk)))
    return None if met or once.exists() else first


def _may_meet(ruleset: Ruleset, event: Event) -> bool:
    roll = roll_made(ruleset, event)
    own = roll and all(place in roll.own(len(event.thrown)) for place in range(len(event.thrown)))
    return bool(roll and own and event.aimed_at and not event.again_id and ruleset.crossing.covers(roll, event.fell))


def area_key(event: Event, target: str) -> UUID:
    """Return the key of the same dice against one more target, who thus meets them only once."""
    return uuid5(event.key, target)


def reach_further(event: Event, target: Target) -> None:
    """Let the same dice meet one more target, as an area does: what they bring waits there; the event is locked."""
    ruleset, sheet = target.character.ruleset, target.character.sheet
    if (roll := roll_made(ruleset, event)) is None:
        return
    met = {key: target.figures[name] for key, name in targets_of(type(roll)).items() if name in target.figures}
    roll = roll.model_copy(update=met)
    outcome, _tray = thrown(roll.throw, LoadedTray(*event.thrown))
    if ruleset.crossing.most_targets(roll) is not None:
        # Where none of it stands it was aimed in vain.
        reached = _reached(event)
        event.aimed_at = {key: name for key, name in event.aimed_at.items() if key in reached}
    event.aimed_at[str(sheet.pk)] = target.character.name
    event.save(update_fields=["aimed_at", "who"])
    PendingEffect.objects.bulk_create(
        PendingEffect(event=event, sheet=sheet, act=offer.cls.slug, filled=dict(offer.filled))
        for offer in ruleset.crossing.target_offers(roll, outcome, target.figures))
