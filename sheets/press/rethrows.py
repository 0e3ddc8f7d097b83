"""Rerolls of the target's own dice in a roll aimed at it; the effects of the roll are replaced."""

from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from rulesets.kit import Act, Refused
from sheets.models import Event, Party, Sheet
from sheets.models.event_kinds import Pressed
from sheets.models.events import APPLIED
from sheets.models.store import store
from sheets.press.apply_effects import apply_at_once
from sheets.press.dice import Throw
from sheets.press.log import announce
from sheets.press.pending import OpenEffect
from sheets.press.prepare import titles
from sheets.press.record_events import record_act
from sheets.press.targets import note_again, repeat_effects
from sheets.press.undo import give_up, undo_act
from sheets.rolls.repeats import dice_of_undone_repeat, require_nothing_since
from sheets.rolls.rows import AUTOMATIC_MARK
from sheets.rolls.stored import roll_of_event
from sheets.scenes.log import record
from sheets.status.reviews import shown_names


def rethrow(effect: OpenEffect, key: UUID, user: User) -> Event | None:
    """Do the act that pays for a reroll of the target's dice, then reroll them; return the event of that act.

    The target's sheet is locked with its party. The effects of the first roll are dismissed, and the act that followed
    it is undone; raise `Refused` if an effect was applied already or play does not allow the act.
    A reroll that was undone before gives the same dice again. Return None if the reroll is not offered.
    """
    widget, character, source = effect.rethrow, effect.character, effect.rolled
    roll = roll_of_event(character.ruleset, source) if source else None
    if widget is None or source is None or roll is None or not isinstance(act := widget.complete, Act):
        return None
    if character.barred:
        raise Refused(character.barred)
    if source.pending_effects.filter(state=APPLIED).exclude(applied__widget__contains=AUTOMATIC_MARK).exists():
        raise Refused(_("Part of that roll's result has already been applied; take that back before you reroll."))
    sheet = character.sheet
    if act.only_directly_after and source.sheet:
        name = shown_names([source.sheet])[source.sheet.pk].strip() or _("Unnamed")
        require_nothing_since(source.sheet, source, {source.pk}, name)
    if source != effect.effect.event and source.sheet:
        source.sheet = _undo_followup(effect.effect.event, source.sheet, sheet.party, user)
    pressed = Pressed(user, key, widget.key, str(widget.offer.title), titles(character, widget))
    paid = Event.of(pressed, sheet=sheet, party=sheet.party)
    record_act(character, paid, act, act.apply(character.written, character.play))
    store(sheet, "play", played=timezone.now())
    record(paid, opens=False)
    pressed = Pressed(user, key, source.widget, source.title, source.titles, source.row)
    again = Event.of(pressed, sheet=source.sheet, party=sheet.party, again=source)
    own = roll.own_dice(len(source.thrown))
    fixed = {place: face for place, face in enumerate(source.thrown) if place in own}
    Throw().dice(again, source.sheet.system if source.sheet else sheet.system, roll, None,
                 fixed | dice_of_undone_repeat(source, by_roller=False))
    note_again(again, source)
    record(again, opens=False)
    store(paid, paid_for=again)
    give_up(source)
    if source.sheet and sheet.party:
        source.sheet.party = sheet.party
        repeat_effects(source.sheet, again)
        announce(sheet.party)
    if sheet.party and sheet.party.trust:
        apply_at_once(sheet.party, again, user)
    return paid


def _undo_followup(event: Event, by: Sheet, party: Party | None, user: User) -> Sheet:
    """Undo the act that followed a roll of the sheet `by`, with its effects; return that sheet, locked.

    Its player may do it again if the new result allows it. Raise `Refused` if the sheet has done something else since.
    """
    held = Sheet.objects.select_for_update(of=("self",)).get(pk=by.pk)
    held.party = party
    undo_act(held, event.pk, user)
    return held
