"""Undoing the last act of a sheet, together with its effects on other sheets and the act that it is an effect of."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from rulesets.kit import Refused
from rulesets.names import isolated
from sheets.audit_log import chain
from sheets.history import saves
from sheets.models import Event, Party, PendingEffect, Sheet
from sheets.models.events import APPLIED, DISMISSED, OPEN
from sheets.models.reviews import PLAYED
from sheets.models.store import store
from sheets.press.log import announce, done_for_all, is_others, last_act
from sheets.rolls.repeats import counters_without
from sheets.rolls.rows import AUTOMATIC_MARK
from sheets.status.reviews import entries_since, review_status, shown_state


def _as_before(sheet: Sheet, event: Event, user: User | None) -> None:
    """Make the revision that was played before an act the played one again; an approval given since then stays.

    A revision older than the approval in force is not restored.
    """
    status = review_status(sheet)
    if event.before_revision and status.approval and status.played != status.approval and (
            entries_since(sheet, status.approval).filter(revision_number=event.before_revision).exists()):
        chain.append(PLAYED, user, sheet=sheet, revision=sheet.revisions.get(number=event.before_revision))


def undo_act(sheet: Sheet, pk: int, user: User | None = None, *, for_all: bool = False) -> list[Event]:
    """Undo the last act of a locked sheet if its key is `pk`; return the undone events. Rolls are not undone.

    Its effects on other sheets, and the act that it is an effect of, are undone with it; raise `Refused` if one of them
    cannot be. An act that changed the sheet for good cannot be undone once the sheet has changed otherwise, nor can an
    act if one of the sheets involved has left the table. While two characters are paired, players undo only their own
    acts; a GM may undo those of both. An act that several did at once is undone only by whoever pressed it and GMs. An
    act that can only be undone together with others is refused unless `for_all`.
    """
    settled = Refused(_("That has already been taken back, or something else has happened since."))
    if (event := last_act(sheet)) is None or event.pk != pk:
        if sheet.events.filter(pk=pk, undone=False).exclude(party=sheet.party_id).exists():
            raise Refused(_("That was done in another party or in none, so it stays."))
        raise settled
    act = sheet.system.acts.get(event.act)
    if not for_all and act and act.taken_back_together and done_for_all(sheet, event):
        raise Refused(_("That was done for everyone at once, so nobody takes it back alone; a GM can take it back for "
                        "everyone in the table's log."))
    user_pk = user.pk if user else None
    if not (for_all or sheet.system.crossing.pairs or event.who_id in (sheet.owner_id, user_pk)) and (
            is_others(sheet, event, user_pk)):
        raise Refused(_("That was done for everyone at once; only whoever did it or a GM can take it back."))
    undone = together(sheet, event)
    # The oldest act is the one that caused the others.
    did = undone[-1][0].owner_id
    if sheet.system.crossing.pairs and (user_pk is None or did != user_pk) and is_others(sheet, event, user_pk):
        raise Refused(_("Your opponent did that; only they or a GM can take it back."))
    if not_undoable(undone):
        raise settled
    take_back_all(undone, user)
    if sheet.party:
        announce(sheet.party, table=any(one.group for _sheet, one in undone), events_suffice=all(
            one.before_data is None for _sheet, one in undone))
    return [one for _sheet, one in undone]


def undo_for_all(party: Party, key: UUID, user: User | None = None) -> list[str]:
    """Undo the acts that several sheets did at once under one key; return the names of sheets where it is `Refused`.

    If acts can only be undone together and one of them cannot be, all stay. The party is locked.
    """
    done = {one.sheet_id: one for one in party.events.filter(key=key, undone=False).exclude(act="")}
    found = party.sheets.not_deleted().filter(pk__in=done, offered=False).order_by("pk").select_for_update(of=("self",))
    # Newest first, because the first act may have changed the party's shared counters for all later ones.
    there, stays = sorted(found, key=lambda one: -done[one.pk].pk), []
    for sheet in there:
        sheet.party = party
    if any(done_for_all(sheet, done[sheet.pk]) for sheet in there) and (
            stuck := [sheet for sheet in there if not may_be_undone(sheet, done[sheet.pk])]):
        return [shown_state(sheet).name for sheet in stuck]
    for sheet in there:
        try:
            undo_act(sheet, done[sheet.pk].pk, user, for_all=True)
        except Refused:
            stays.append(shown_state(sheet).name)
    return stays


def undo_failures(names: Iterable[str]) -> list[str]:
    """Return a message for each name whose act could not be undone."""
    return [_("{name} did something else afterwards, so it stays.").format(name=isolated(name)) for name in names]


def together(sheet: Sheet, event: Event) -> list[tuple[Sheet, Event]]:
    """Return [(sheet, event)] of an act and all that is undone with it, newest first; all sheets are locked.

    These are its effects on others and, if it is itself an effect of another sheet's act, that act with its effects.
    `sheet` is locked with its party.
    """
    root = event
    # Rolls and repeats are not undone; an act that caused an effect on its own sheet is undone separately.
    while (effect := PendingEffect.objects.filter(applied=root).select_related("event").first()) and (
            effect.event.act and not effect.event.again_id and effect.event.sheet_id != root.sheet_id):
        root = effect.event
    found = [root, *_applied(root)] if root != event else [
        event, *(one for one in _applied(event) if one.sheet_id != sheet.pk)]
    return _newest_first(sheet, found)


def _applied(event: Event, *, first: Callable[[Event], bool] = bool) -> list[Event]:
    """Return the acts that applied an event's effects (if `first` allows) and, recursively, their effects."""
    effects = event.pending_effects.select_related("applied")
    found = [one.applied for one in effects if one.applied and first(one.applied)]
    return [*found, *(more for one in found for more in _applied(one))]


def _newest_first(sheet: Sheet, events: Collection[Event]) -> list[tuple[Sheet, Event]]:
    """Return [(sheet, event)] for events of a locked sheet and of others, newest first; all sheets are locked."""
    own = [(sheet, one) for one in events if one.sheet_id == sheet.pk]
    found = _elsewhere(sheet, [one for one in events if one.sheet_id != sheet.pk])
    return sorted([*own, *found], key=lambda one: -one[1].pk)


def _elsewhere(sheet: Sheet, events: Collection[Event]) -> list[tuple[Sheet, Event]]:
    """Return [(sheet, event)] for events of other sheets of the party; the sheets are locked in order of their keys.

    Raise `Refused` if one of the sheets is no longer at the table.
    """
    keys = {one.sheet_id for one in events}
    if not events:
        return []
    there = Sheet.objects.not_deleted().filter(pk__in=keys, party=sheet.party).order_by("pk").select_for_update()
    if sheet.party is None or len(there) < len(keys):
        raise Refused(_("Somebody involved in that is no longer at this table, so it stays."))
    for one in there:
        one.party = sheet.party
    return [(one, event) for one in there for event in events if event.sheet_id == one.pk]


def may_be_undone(sheet: Sheet, event: Event, after: Collection[tuple[Sheet, Event]] = ()) -> bool:
    """Return True if an act is the last of its sheet and the sheet has not changed otherwise since.

    A reroll that it paid for must not have been repeated, nor have applied effects or followups. Events in `after` are
    undone before this act and do not count as later ones.
    """
    last = last_act(sheet, but=[one.pk for _whose, one in after])
    if last is None or last.pk != event.pk or event.version not in (None, sheet.version):
        return False
    again = event.paid_for
    return again is None or again.undone or not (
        again.pending_effects.filter(state=APPLIED).exists()
        or Event.objects.filter(again=again, undone=False).exists()
        or Event.objects.filter(sheet=again.sheet_id, pk__gt=again.pk, undone=False,
                                widget__endswith=f"-{again.widget}").exists())


def take_back(sheet: Sheet, event: Event, user: User | None) -> None:
    """Undo the last act of a sheet locked with its party; the party is saved by the caller (`announce`)."""
    if event.before_data is not None:
        _as_before(sheet, event, user)
        saves.save(sheet, replace(sheet.state, data=event.before_data))
        if event.version is not None and sheet.version != event.version:
            # Earlier acts can still be undone: they get the version number that restoring the data has created.
            sheet.events.filter(undone=False, pk__lt=event.pk, version__isnull=False).update(
                version=F("version") + sheet.version - event.version + 1)
    event.after = sheet.play
    store(sheet, play=event.before, played=timezone.now())
    store(event, undone=True)
    if sheet.party and event.group:
        # Only the difference is taken back, because others may have changed the counters since.
        common = sheet.system.table.model_validate(sheet.party.table)
        changes = common.restored_counters(counters_without(sheet.party.table, event))
        sheet.party.table = {**sheet.party.table, **changes}
    # The effect that this act applied is open again; the act's own effects are dismissed.
    if effect := PendingEffect.objects.filter(applied=event).first():
        event.source = effect.event_id
        store(effect, state=OPEN, applied=None)
    _remove_effects(event)
    if (again := event.paid_for) and not again.undone:
        store(again, undone=True)
        _remove_effects(again)


def _remove_effects(event: Event) -> None:
    """Dismiss the effects of an undone event; the effects of the roll that it repeated are open again."""
    event.pending_effects.update(state=DISMISSED, applied=None, repeated=False)
    if event.again:
        came = [event.again_id, *_followups(event.again).filter(pk__lt=event.pk).values_list("pk", flat=True)]
        PendingEffect.objects.filter(event__in=came, repeated=True).update(state=OPEN, repeated=False)


def _followups(event: Event) -> QuerySet[Event]:
    """Return the acts of a sheet that followed its roll, without those that the roll did automatically."""
    return Event.objects.filter(sheet=event.sheet_id, pk__gt=event.pk, undone=False,
                                widget__endswith=f"-{event.widget}").exclude(act="").exclude(
                                    widget__contains=AUTOMATIC_MARK)


def give_up(*events: Event) -> None:
    """Dismiss the open effects of a roll that is rerolled, marked so that undoing the reroll opens them again."""
    PendingEffect.objects.filter(event__in=events, state=OPEN).update(state=DISMISSED, repeated=True)


def undo_effects(sheet: Sheet, event: Event, user: User | None) -> list[Sheet]:
    """Undo the effects of a roll on other sheets, and dismiss its open ones; the sheet is locked with its party.

    The same is done with the effects of acts that followed the roll. Return the sheets whose acts can no longer be
    undone; if there are any, nothing is undone.
    """
    came = [event, *_followups(event)]
    undone = effects_of(sheet, *came)
    if stuck := not_undoable(undone):
        return stuck
    take_back_all(undone, user)
    give_up(*came)
    return []


def effects_of(sheet: Sheet, *events: Event, own: bool = False) -> list[tuple[Sheet, Event]]:
    """Return [(sheet, event)] of the acts that applied the events' effects, newest first; all sheets are locked.

    Acts that a roll did automatically are left out, as are acts of the sheet itself unless `own` is set.
    """
    return _newest_first(sheet, [found for event in events for found in _applied(
        event, first=lambda one: (own or one.sheet_id != sheet.pk) and AUTOMATIC_MARK not in one.widget)])


def not_undoable(undone: list[tuple[Sheet, Event]]) -> list[Sheet]:
    """Return the sheets whose acts can no longer be undone in this order."""
    return [whose for at, (whose, one) in enumerate(undone) if not may_be_undone(whose, one, after=undone[:at])]


def take_back_all(undone: list[tuple[Sheet, Event]], user: User | None) -> None:
    """Undo acts of locked sheets in this order."""
    for whose, one in undone:
        take_back(whose, one, user)
