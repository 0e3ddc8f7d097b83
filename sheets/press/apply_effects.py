"""Apply pending effects, either on request or immediately where nobody has to be asked."""

from collections.abc import Iterable
from contextlib import nullcontext, suppress
from dataclasses import replace
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from rulesets import systems
from rulesets.kit import Act, Offer, Refused
from sheets.character import Character, paired_with
from sheets.models import PUBLIC, Event, Party, PendingEffect, Sheet
from sheets.models.events import APPLIED, DISMISSED, OPEN, OTHERS
from sheets.models.store import store
from sheets.press.dice import keeping_rolls
from sheets.press.log import announce
from sheets.press.pending import effect_widget, open_effects, with_guards
from sheets.press.prepare import titles
from sheets.press.record_events import in_each_language, make_event
from sheets.rolls.open_results import EFFECT_MARK
from sheets.rolls.rows import AUTOMATIC_MARK
from sheets.rolls.widgets import Widget
from sheets.scenes.log import record
from sheets.status.reviews import ReviewStatus, review_statuses


def apply_effect(effect: PendingEffect, widget: Widget, key: UUID, user: User | None,
                 called: dict[str, str] | None = None) -> Event:
    """Apply a pending effect to its sheet, which is locked with its party; raise `Refused` if play does not allow it.

    `called` are the `titles` of an act that a roll does automatically; the text of such an act names no source.
    """
    sheet, source = effect.sheet, effect.event.sheet
    gone = sheet.system.acts[effect.act].superseded_by
    if gone and sheet.events.filter(pk__gt=effect.event_id, act=gone[0].slug, undone=False).exists():
        raise Refused(str(gone[1]))
    statuses = review_statuses({one.pk: one for one in (sheet, source) if one}.values())
    character = Character(sheet, statuses[sheet.pk])
    event = make_event(character, widget, key, user=user, called=called or _titles(widget))
    if called is None and source:
        _name_source(event, effect.event, source, (statuses[source.pk].revision or source).name)
    store(sheet, "play", played=timezone.now())
    record(event, opens=False)
    event.source = effect.event_id
    store(effect, state=APPLIED, applied=event)
    _dismiss_lapsed(sheet, statuses[sheet.pk])
    if sheet.party:
        announce(sheet.party, table=bool(event.group), events_suffice=event.before_data is None)
    pass_on(character, event, widget, user)
    _give_back(character, event, source, widget, user)
    return event


def _dismiss_lapsed(sheet: Sheet, status: ReviewStatus) -> None:
    """Dismiss the effects that wait at a locked sheet and lapse in its new state (`Crossing.lapsing`)."""
    lapsing = sheet.system.crossing.lapsing
    play = Character(sheet, status).play if lapsing else None
    if gone := [act.slug for act, lapses in lapsing.items() if lapses(play)]:
        PendingEffect.objects.filter(sheet=sheet.pk, state=OPEN, act__in=gone).update(state=DISMISSED)


def _give_back(before: Character, event: Event, source: Sheet | None, widget: Widget, user: User | None) -> None:
    """Apply an effect's effects in return to `source`, the sheet that caused it, if that is at the same table.

    `before` is the target as it was before the effect; the party is locked. Raise `Refused` if play does not allow it.
    """
    returns = before.ruleset.crossing.effects_in_return.get(type(widget.complete))
    if returns is None or source is None or before.sheet.party is None or source.pk == before.sheet.pk:
        return
    after = Character(before.sheet, before.review_status)
    there = Sheet.objects.not_deleted().filter(pk=source.pk, party=before.sheet.party_id, offered=False)
    for held in there.select_for_update(of=("self",)):
        held.party = before.sheet.party
        for offer in returns(widget.complete, before.written, before.play, after.play):
            effect = PendingEffect(event=event, sheet=held, act=offer.cls.slug, filled=dict(offer.filled))
            effect.save()
            apply_effect(effect, Widget(replace(offer, key=f"{AUTOMATIC_MARK[1:]}{effect.pk}")), uuid4(), user)


def _titles(widget: Widget) -> dict[str, str]:
    """Return {language: title} of an effect: the offer's title in the current language, the class's title in others."""
    own, cls = widget.offer.title, widget.offer.cls
    return in_each_language(lambda: str(cls.title)[:300]) | {str(translation.get_language()): str(own)[:300]}


def by_itself(before: Character, event: Event, offers: Iterable[Offer], user: User | None) -> bool:
    """Do the acts that a roll does automatically, without those that play refuses; return True if any was done."""
    done = False
    for offer in offers:
        effect = PendingEffect(event=event, sheet=before.sheet, act=offer.cls.slug, filled=dict(offer.filled))
        # The act that uses up the turn does not mention the hit, which stays if the act is undone.
        named = offer if offer.automatic == "always" else replace(offer, title=offer.cls.title)
        called = titles(Character(before.sheet, before.review_status), Widget(named))
        with suppress(Refused), keeping_rolls():
            effect.save()
            act = Widget(replace(offer, key=f"{AUTOMATIC_MARK[1:]}{effect.pk}"))
            apply_effect(effect, act, uuid4(), user, called)
            event.new_effects = None if event.new_effects is None else [*event.new_effects, effect]
            done = True
    return done


def take_at_once(event: Event, user: User | None) -> bool:
    """Apply the effects of an event on its target that need no decision; return True if there were any.

    The target's sheet is locked with its party.
    """
    done = False
    for effect in event.new_effects or ():
        act = effect.sheet.system.acts[effect.act]
        if act in effect.sheet.system.crossing.at_once and effect.state == OPEN:
            with suppress(Refused), keeping_rolls():
                widget = Widget(act.offer(key=f"{AUTOMATIC_MARK[1:]}{effect.pk}"), given=effect.filled)
                apply_effect(effect, widget, uuid4(), user)
                done = True
    return done


def pass_on(before: Character, event: Event, widget: Widget, user: User | None) -> bool:
    """Apply the effects of an act on the paired opponent at once; return True if there were any.

    `before` is the character as it was before the act; the party is locked. Raise `Refused` if the opponent's play does
    not allow an effect, unless the act ends the game.
    """
    crossing, sheet, act = before.ruleset.crossing, event.sheet, widget.complete
    if sheet is None or not (crossing.pairs and event.act and sheet.party):
        return False
    after = Character(sheet, before.review_status)
    goes_on = crossing.paired(after.play)
    if not (goes_on or crossing.paired(before.play)):
        return False
    offers = [*crossing.forwarded(before.written, before.play, act, after.play)]
    there = paired_with(sheet) if offers else None
    if offers and there is None and goes_on:
        raise Refused(_("Your opponent is no longer at this table; end the game."))
    if there is None:
        return False
    for offer in offers:
        held = Sheet.objects.select_for_update().get(pk=there.pk)
        held.party = sheet.party
        effect = PendingEffect(event=event, sheet=held, act=offer.cls.slug, filled=dict(offer.filled))
        with nullcontext() if goes_on else suppress(Refused), keeping_rolls():
            effect.save()
            apply_effect(effect, Widget(replace(offer, key=f"{EFFECT_MARK[1:]}{effect.pk}")), uuid4(), user)
    return bool(there)


def apply_at_once(party: Party, event: Event, user: User | None) -> bool:
    """Apply an event's pending effects in a party that trusts; return True if any was applied. The party is locked.

    An effect stays open if play does not allow it, if it would pair two characters, if the target has to agree to it
    (`Crossing.by_consent`) or throws dice for it, or if the target can still stop it by a roll that depends on it.
    If the target throws dice for an effect or can stop it, later effects on the same target stay open, too. In a party
    that waits for responses, any roll that may stop the effect counts.
    """
    applied, held = False, set()
    ruleset = systems()[party.ruleset]
    pairs = ruleset.crossing.pairs
    if event.act and ruleset.acts.get(event.act) in ruleset.crossing.by_consent:
        return False
    waits = event.pending_effects.filter(state=OPEN).exclude(act=pairs.slug if pairs else "")
    for effect in waits.select_related("event__sheet").order_by("pk"):
        if effect.sheet_id in held:
            continue
        there = Sheet.objects.filter(pk=effect.sheet_id, party=party, offered=False, deleted=None)
        # Reuse the actor's own sheet object, because the caller shows it afterwards.
        own = event.sheet if effect.sheet_id == event.sheet_id else None
        sheet = own or there.select_for_update(of=("self",)).first()
        widget = effect_widget(ruleset, effect)
        if sheet and widget and widget.complete:
            sheet.party = party
            effect.sheet = sheet
            if type(widget.complete).roll is not Act.roll or (sheet.system.crossing.stopping and any(
                    one.guards for one in with_guards(open_effects(Character(sheet), [effect]), late=not party.waits))):
                held.add(effect.sheet_id)
                continue
            with suppress(Refused), keeping_rolls():
                apply_effect(effect, widget, uuid4(), user)
                applied = True
    return applied


def _name_source(event: Event, source: Event, sheet: Sheet, name: str) -> None:
    """Add the source of an act to its text in each language: the sheet's `name` as others see it, and the event."""
    def told(words: str) -> str:
        return f"{words} ({name}: {source.for_others(sheet.system).what})"[:500]

    event.text = told(event.text)
    languages = [language for language, _name in settings.LANGUAGES]
    if not (sheet.opponent or sheet.seen_by == PUBLIC):
        # Readers of this sheet may not be allowed to know the other one.
        event.said.setdefault(OTHERS, {language: event.said[language] for language in languages})
    for language in languages:
        with translation.override(language):
            event.said[language] = told(event.said[language])
