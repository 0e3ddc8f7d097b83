"""What a press has changed of a sheet's page: all that htmx is shown of it."""

from rulesets.kit import Offer
from sheets.character import Character
from sheets.models import Event
from sheets.play import queries
from sheets.play.event_log import last_events
from sheets.rolls.followups import roll_cards
from sheets.rolls.widgets import chosen, key_of


def what_changed(before: Character, event: Event) -> dict | None:
    """What a page shows otherwise after a press than before; None where that may be anything.

    `rolled` is the card that a roll stands in, whose form stays as it was filled; `parts` are templates, `cards` and
    `pressed` single rolls and acts; the event's line comes on top of the log.
    """
    character = Character(before.sheet, before.review_status) if event.act else before
    said = {**queries.page_head(character), "mine": True, "plays": True, "event": event}
    if not event.act:
        return said | _rolled(character, event)
    spread, spread_now = (any(one.play.spread(one.written)) for one in (before, character))
    if event.again_id or event.before_data is not None or spread != spread_now:
        return None
    rolls, acts = _rolls(before, character, event), _acts(before, character, event)
    parts = [f"play/_{part}.html" for part in ("values_now", "state_of_play", "undo")]
    parts += [*rolls.pop("parts"), *acts.pop("parts")]
    more = {"text": queries.event_text(character, event), "last_act": event, "parts": parts}
    return said | queries.values_now(character) | rolls | acts | more


def _rolled(character: Character, event: Event) -> dict:
    widget = chosen(character.rolls(), {}, event.widget)
    if widget is None:
        # It stands in the card of a roll that led on to it.
        holding = (one for one in character.rolls() if _holds(one, event))
        found = roll_cards(character.ruleset, holding, last_events(character.sheet))
        return {"cards": found, "text": queries.event_text(character, event)}
    card, = roll_cards(character.ruleset, [widget.offer], {event.widget: event})
    # A form that began with a fault does not keep it.
    return {"rolled": card, "text": card.text} if widget.made else {"cards": [card], "text": card.text}


def _rolls(before: Character, character: Character, event: Event) -> dict:
    """The cards of rolls that an act filled otherwise, and those that it stands in; all where others are offered."""
    were, offers = list(before.rolls()), list(character.rolls())
    if [_place(one) for one in were] != [_place(one) for one in offers]:
        return {**queries.rolls_shown(character, last_events(character.sheet)), "parts": ["play/_rolls.html"]}
    changed = [one for was, one in zip(were, offers, strict=True) if was != one or _holds(one, event)]
    cards = roll_cards(character.ruleset, changed, last_events(character.sheet)) if changed else []
    return {"cards": cards, "parts": []}


def _acts(before: Character, character: Character, event: Event) -> dict:
    """Acts to render again; all if the set changed."""
    were, acts = queries.acts_shown(before), queries.acts_shown(character, which=event.widget)
    was, now = ([*one["acts"], *one["rare_acts"]] for one in (were, acts))
    if [_place(one.offer) for one, _odds in was] != [_place(one.offer) for one, _odds in now]:
        return {**acts, "parts": ["play/_acts.html"]}
    changed = [(one, odds) for (old, chances), (one, odds) in zip(was, now, strict=True)
               if one.key == event.widget or (old.offer, chances) != (one.offer, odds)]
    return {"pressed": changed, "parts": []}


def _place(offer: Offer) -> tuple:
    return key_of(offer), offer.rare


def _holds(offer: Offer, event: Event) -> bool:
    """Whether an event is of an offer or of what follows from it, whose key ends on the offer's."""
    return f"-{event.widget}".endswith(f"-{key_of(offer)}")

