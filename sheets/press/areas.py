"""Areas: the dice of an earlier roll are applied to one more target, with an outcome of its own."""

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from rulesets.dice import LoadedTray, thrown
from rulesets.kit import Refused, target_figures_of
from sheets.character import Character
from sheets.models import Event, Member, PendingEffect
from sheets.press.apply_effects import apply_at_once
from sheets.press.distinct_targets import refuse_hit_twice
from sheets.press.log import announce, recent_events, tell, topmost
from sheets.press.perform import follow, press
from sheets.press.prepare import Seats, pressed_widget
from sheets.press.spread_dice import area_key, targets_reached
from sheets.press.targets import Target, meets_more
from sheets.rolls.further_targets import further_target_key
from sheets.rolls.stored import roll_of_event


def meet_one_more(seats: Seats, event: Event, user: User) -> Event | None:
    """Apply the dice of an event to the chosen target, too; raise `Refused` if that is not allowed.

    The seats are locked. Return the new event for an area roll; None if the target was added to the same event.
    """
    by, at, me = seats.by, seats.at, seats.me
    newest, character = topmost(recent_events(by)), Character(by)
    if character.barred:
        raise Refused(character.barred)
    if at is None or me is None or newest is None or meets_more(by.system, newest, at) != event:
        raise Refused(_("These dice do not apply to anybody else."))
    target, roll = Target(Character(at)), roll_of_event(by.system, event)
    if roll:
        refuse_hit_twice(by, roll, event.widget, at)
    if type(roll) in by.system.crossing.areas:
        return _meet(me, event, character, target, user)
    if not seats.own:
        # A GM may choose a target that the player who rolled does not know.
        event.who = user
    _reach_further(event, target)
    announce(me.party)
    if me.party.trust:
        apply_at_once(me.party, event, user)
    return None


def _meet(me: Member, event: Event, character: Character, target: Target, user: User) -> Event:
    """Record the dice of a roll against one more target as an event of its own, with its own consequences."""
    # An event stores its row as "roll~mark"; a press posts the mark only.
    widget = pressed_widget(character, {}, event.widget, target, event.row.rpartition("~")[2])
    roll = roll_of_event(character.ruleset, event)
    if widget is None or roll is None:
        raise Refused(_("That roll is no longer possible."))
    widget.complete = roll.model_copy(update=dict(widget.offer.from_target))
    key = area_key(event, str(target.character.sheet.pk))
    widget.key = further_target_key(widget, key)
    found = press(character, widget, key, user=user, called=event.titles, target=target, me=me, before=event)
    tell(me, character.sheet, found)
    follow(character, found, widget, user)
    return found


def _reach_further(event: Event, target: Target) -> None:
    """Add a target to an event, with the pending effects of the same dice on it; the event is locked."""
    ruleset, sheet = target.character.ruleset, target.character.sheet
    if (roll := roll_of_event(ruleset, event)) is None:
        return
    known = {key: target.figures[name] for key, name in target_figures_of(type(roll)).items() if name in target.figures}
    roll = roll.model_copy(update=known)
    outcome, _tray = thrown(roll.throw, LoadedTray(*event.thrown))
    if ruleset.crossing.most_targets(roll) is not None:
        # Earlier targets on which no effect is left do not count toward the most targets.
        stands = targets_reached(event)
        event.aimed_at = {key: name for key, name in event.aimed_at.items() if key in stands}
    event.aimed_at[str(sheet.pk)] = target.character.name
    event.save(update_fields=["aimed_at", "who"])
    PendingEffect.objects.bulk_create(
        PendingEffect(event=event, sheet=sheet, act=offer.cls.slug, filled=dict(offer.filled))
        for offer in ruleset.crossing.target_offers(roll, outcome, target.figures))
