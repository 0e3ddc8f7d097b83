"""Rolls that stop a hit, made by its actor for the target: the effects they undo, and the rolls left to the target."""

from collections.abc import Iterable, Iterator

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from rulesets.kit import Refused, Roll
from rulesets.names import isolated
from sheets.models import Event, Sheet
from sheets.models.events import DISMISSED, OPEN
from sheets.press.log import announce, recent_events
from sheets.press.spread_dice import targets_reached
from sheets.press.targets import Target
from sheets.press.undo import effects_of, may_be_undone, not_undoable, take_back_all
from sheets.rolls.open_results import is_followup
from sheets.status.reviews import shown_names


def rolls_to_call_off(sheet: Sheet, key: str, made: Roll, target: Target | None) -> list[Event]:
    """Return the earlier rolls of a sheet that may be called off by the outcome of the roll `key`, newest first.

    That is the roll that it follows directly, or else the rolls that followed the same roll; if there are several, only
    those aimed at the target. Raise `Refused` if one of them has effects that can no longer be undone.
    """
    log = [one for one in recent_events(sheet) if one.roll and not one.undone and one.party_id == sheet.party_id]
    before = _nearest(log, key)
    if before is None:
        return []
    found = [before] if _may_call_off(made, before) else _followups_to_call_off(log, before, made, target)
    for one in found:
        if stuck := not_undoable(effects_of(sheet, one, own=True)):
            names = ", ".join(isolated(name.strip()) or _("Unnamed") for name in shown_names(stuck).values())
            raise Refused(_("Something else has followed from that hit: {names}; take that back first.").format(
                names=names))
    return found


def _may_call_off(made: Roll, event: Event) -> bool:
    return any(event.roll in slugs for slugs in made.cancels.values())


def _nearest(log: Iterable[Event], key: str) -> Event | None:
    """Return the event from whose roll the widget `key` follows directly."""
    led = [one for one in log if key.endswith(f"-{one.widget}")]
    return max(led, key=lambda one: (len(one.widget), one.pk), default=None)


def _followups_to_call_off(log: Iterable[Event], before: Event, made: Roll, target: Target | None) -> list[Event]:
    """Return the events that may be called off among those that followed from the same roll, with their followups.

    If the target took several, that is the newest of them: each of them is stopped by a roll of its own.
    """
    since = [one for one in log if one.pk > before.pk and is_followup(one, before)]
    direct = [one for one in since if _may_call_off(made, one) and _nearest([before, *since], one.widget) == before]
    found = [[one for one in since if one is first or is_followup(one, first)] for first in direct]
    if len(found) > 1:
        at = str(target.character.sheet.pk) if target else ""
        found = [chain for chain in found if any(at in targets_reached(one) for one in chain)][:1]
    return found[0] if found else []


def stop(sheet: Sheet, event: Event, earlier: Iterable[Event], user: User | None) -> bool:
    """Undo the effects of the `earlier` rolls that the outcome of a roll calls off; return True if there are any.

    The sheet is locked with its party.
    """
    slugs = sheet.system.rolls[event.roll].cancels.get(event.fell.value, ())
    found = [one for one in earlier if one.roll in slugs]
    for one in found:
        take_back_all([*_made_of(sheet, one), *effects_of(sheet, one, own=True)], user)
        one.pending_effects.filter(state=OPEN).update(state=DISMISSED)
    if found and sheet.party:
        announce(sheet.party)
    return bool(found)


def _made_of(sheet: Sheet, event: Event) -> Iterator[tuple[Sheet, Event]]:
    """Yield (sheet, event) of the last act of a sheet if it depends on the effect of a roll (`Act.once_applied`)."""
    acts = sheet.system.acts
    for one in recent_events(sheet):
        if one.act in acts and acts[one.act].once_applied and not one.undone and is_followup(one, event) \
                and may_be_undone(sheet, one):
            yield sheet, one


def rolled_by_actor(event: Event, slugs: Iterable[str]) -> set[str]:
    """Return those of the rolls `slugs` that the actor has made for the target of a hit; `event` caused the effect."""
    begins = [at for at in range(len(event.widget)) if event.widget.startswith("roll-", at)]
    found = set()
    for tail in (event.widget[at:] for at in begins):
        names = {f"roll-{slug}-{tail}": slug for slug in slugs}
        log = Event.objects.filter(sheet=event.sheet_id, undone=False, widget__in=[tail, *names]).order_by("pk")
        hits = [one.pk for one in log if one.widget == tail]
        first = max((pk for pk in hits if pk <= event.pk), default=0)
        found |= {names[one.widget] for one in log if one.widget in names and one.pk > first and not any(
            first < pk < one.pk for pk in hits)}
    return found
