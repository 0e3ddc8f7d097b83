"""What landed at a sheet: applied as it came or with other answers, or dismissed."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, cast
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from rulesets import systems
from rulesets.dice import Outcome
from rulesets.kit import Act, Lasting, Play, Refused, Ruleset, Wording
from sheets.character import Character, paired_with
from sheets.forms.inputs import Answers
from sheets.models import PUBLIC, Event, Landing, Party, Question, Sheet
from sheets.models.events import APPLIED, OPEN
from sheets.press.events import make_event
from sheets.press.log import LANDED, announce
from sheets.press.prepare import titles
from sheets.rolls.rows import BY_ITSELF
from sheets.rolls.stored import stored_roll
from sheets.rolls.widgets import Widget
from sheets.scenes.log import record
from sheets.secrets import OTHERS, for_others
from sheets.status.reviews import review_statuses, shown_names

MOST = 40
"""Of what waits a page shows so much, the newest; what is older has a page of its own."""


@dataclass(frozen=True)
class Landed:
    """What landed at a sheet and waits: as an act of its own, with what it would change, and who may press what."""

    landing: Landing
    widget: Widget
    character: Character
    decides: bool
    """Whether whoever looks may apply it; else they may call it off."""
    guards: tuple[Widget, ...] = ()
    """The rolls by which it may still be stopped, for those who decide about it."""

    @property
    def binding(self) -> bool:
        """Whether those alone may settle it who decide about it."""
        return self.widget.offer.cls in self.character.ruleset.crossing.binding

    @property
    def foreseen(self) -> list[tuple[Any, int, int]]:
        """(gauge, left now, left then), for those who decide about it."""
        made = self.widget.made if self.decides else None
        return list(foreseen(self.character, made)) if made else []

    @property
    def deed(self) -> str:
        """What was done to whom, "hits Troll", by whom it came from; "" where there are no words for that."""
        roll = self.character.ruleset.rolls.get(self.landing.event.roll)
        return roll.done_to(self.character.whom, self.landing.event.outcome) if roll else ""

    @property
    def told(self) -> str:
        """What the act will say of itself once it is applied, for those who decide about it where no gauge changes."""
        made = self.widget.made if self.decides else None
        after = _applied(self.character, made) if made else None
        return str(made.tell(self.character.written, after) or "") if made and after else ""

    @property
    def rethrow(self) -> Widget | None:
        """The act by which the target's own dice of that roll fall once more, for those who decide about it."""
        event, cls = self.landing.event, self.character.ruleset.crossing.rethrows
        roll = stored_roll(self.character.ruleset, event.roll, event.parameters) if cls and self.decides else None
        if cls is None or roll is None or self.landing.sheet_id == event.sheet_id:
            return None
        gone = event.sheet.party_id != self.character.sheet.party_id or event.sheet.deleted
        if gone or all(place in roll.own(len(event.thrown)) for place in range(len(event.thrown))):
            return None
        offer = next(iter(cls.offered(self.character.written, self.character.play)), None)
        return Widget(replace(offer, key=f"{LANDED[1:]}{self.landing.pk}")) if offer else None


def waiting(ruleset: Ruleset, party: UUID) -> QuerySet[Landing]:
    """What landed at the sheets of a party and waits, as far as its system still has the acts."""
    found = Landing.objects.filter(state=OPEN, act__in=[*ruleset.acts], sheet__party=party, event__party=party)
    return found if ruleset.crossing.lands else Landing.objects.none()


def newest(found: QuerySet[Landing]) -> tuple[list[Landing], int]:
    """The newest of what waits, the oldest of these first; and how many are older."""
    # Mostly nothing waits, and to ask for all that a page says of it is dear.
    keys = [*found.order_by("-pk").values_list("pk", flat=True)[:MOST]]
    told = Landing.objects.filter(pk__in=keys).select_related("event__sheet__party").order_by("pk") if keys else ()
    return [*told], found.count() - MOST if len(keys) == MOST else 0


def say_whence(shown: list[Landing], names: Mapping[Any, str] = MappingProxyType({})) -> None:
    """Notes from whom each came; `names` is {key of a sheet: name} as others see it, as far as that is known."""
    names = {**names, **shown_names({one.event.sheet for one in shown if one.event.sheet_id not in names})}
    for one in shown:
        one.source_name = names[one.event.sheet_id]


def waiting_shown(party: UUID, landed: list[Landed], older: int) -> dict[str, Any]:
    """What waits as a page shows it, with the address of what is older than that."""
    address = f"{reverse('waiting', args=[party])}?before={landed[0].landing.pk}" if older else ""
    return {"landed": landed, "older": older, "older_url": address}


def landed_at(character: Character, found: Iterable[Landing]) -> Iterator[Landed]:
    """What landed at a character, for whoever plays it."""
    for one in found if not character.others else ():
        if widget := landing_widget(character.ruleset, one):
            yield Landed(one, widget, character, decides=True)


def landing_widget(ruleset: Ruleset, landing: Landing, answers: Answers | None = None) -> Widget | None:
    """What landed as an act to be done, with other answers if there are some; None if the system has lost the act."""
    if act := ruleset.acts.get(landing.act):
        return Widget(act.asking(key=f"{LANDED[1:]}{landing.pk}"), answers, given=landing.filled)
    return None


def apply_landing(landing: Landing, widget: Widget, key: UUID, who: User | None,
                  called: dict[str, str] | None = None) -> Event:
    """Does the act that landed at a sheet which is held with its party (`Refused` where play does not allow it).

    `called` are the `titles` of one that a roll did by itself, which says no more whence it came.
    """
    sheet, source = landing.sheet, landing.event.sheet
    taken = review_statuses({one.pk: one for one in (sheet, source)}.values())
    character = Character(sheet, taken[sheet.pk])
    event = make_event(character, widget, key, who=who, called=called)
    if called is None:
        _say_whence(event, landing.event, (taken[source.pk].revision or source).name)
    sheet.played = timezone.now()
    sheet.save(update_fields=["play", "played"])
    record(event, opens=False)
    event.source, landing.state, landing.applied = landing.event_id, APPLIED, event
    landing.save(update_fields=["state", "applied"])
    if sheet.party:
        announce(sheet.party, table=bool(event.group), told=event.before_data is None)
    pass_on(character, event, widget, who)
    return event


def follow(before: Character, event: Event, widget: Widget, who: User | None) -> bool:
    """Does at once what an event brings where that is not asked for; answers whether anything was done so.

    That is what a roll does by itself, to the other of two that are paired, and wherever it lands in a party that
    trusts. `before` is the character as it was before the event; its sheet is held, and is afterwards as it is stored.
    """
    sheet = before.sheet
    itself = _by_itself(before, event, widget, who)
    passed = pass_on(before, event, widget, who)
    if passed:
        # Of what it brought to the other one something may have come back.
        sheet.refresh_from_db(fields=["play", "played"])
    return (bool(event.brought or event.again) and apply_at_once(sheet.party, event, who)) or passed or itself


def _in_turn(event: Event) -> bool:
    """Whether it happened in the turn of whoever did it."""
    return bool(event.scene and event.scene.round and str(event.sheet_id) in event.scene.on)


def _by_itself(before: Character, event: Event, widget: Widget, who: User | None) -> bool:
    """Does the acts that a roll does by itself; answers whether there were any."""
    done, leads = False, widget.offer.leads
    if event.act or event.again_id or leads is None:
        return done
    for offer in leads(widget.made, Outcome.stored(cast("Any", event.outcome), event.figures)):
        if offer.itself == "always" or (offer.itself and _in_turn(event)):
            landing = Landing(event=event, sheet=before.sheet, act=offer.cls.slug, filled=dict(offer.filled))
            # What is done to the turn says nothing of the hit, which stands if that is taken back.
            said = offer if offer.itself == "always" else replace(offer, title=offer.cls.title)
            called = titles(Character(before.sheet, before.review_status), Widget(said))
            with suppress(Refused), transaction.atomic():
                landing.save()
                act = Widget(replace(offer, key=f"{BY_ITSELF[1:]}{landing.pk}"))
                apply_landing(landing, act, uuid4(), who, called)
                event.brought = None if event.brought is None else [*event.brought, landing]
                done = True
    return done


def done_by(event: Event) -> Event | None:
    """Return the last act that a roll has done by itself just now."""
    acts = (one.applied for one in reversed(event.brought or ()) if one.applied)
    return next((act for act in acts if BY_ITSELF in act.widget), None)


def pass_on(before: Character, event: Event, widget: Widget, who: User | None) -> bool:
    """Does at once at the other of two that are paired what an act brings there; answers whether it brought anything.

    `before` is the character as it was before the act; the party is held. What the other one's play does not allow is
    `Refused`, but to end the game.
    """
    crossing, sheet, act = before.ruleset.crossing, event.sheet, widget.made
    if not (crossing.pairs and event.act and sheet.party):
        return False
    after = Character(sheet, before.review_status)
    goes_on = crossing.paired(after.play)
    if not (goes_on or crossing.paired(before.play)):
        return False
    offers = [*crossing.passes(before.written, before.play, act, after.play)]
    there = paired_with(sheet) if offers else None
    if offers and there is None and goes_on:
        raise Refused(_("Whom you play against is no longer at this table; end the game."))
    for offer in offers if there else ():
        held = Sheet.objects.select_for_update().get(pk=there.pk)
        held.party = sheet.party
        landing = Landing(event=event, sheet=held, act=offer.cls.slug, filled=dict(offer.filled))
        with nullcontext() if goes_on else suppress(Refused), transaction.atomic():
            landing.save()
            apply_landing(landing, Widget(replace(offer, key=f"{LANDED[1:]}{landing.pk}")), uuid4(), who)
    return bool(there)


def apply_at_once(party: Party | None, event: Event, who: User | None) -> bool:
    """Applies what has landed where the party trusts, and answers whether anything was; the party is held.

    What play does not allow there stays open, and whoever is to be paired is asked.
    """
    applied = False
    if party is None or not party.trust:
        return applied
    pairs = systems()[party.ruleset].crossing.pairs
    waits = event.landings.filter(state=OPEN).exclude(act=pairs.slug if pairs else "")
    for landing in waits.select_related("event__sheet").order_by("pk"):
        there = Sheet.objects.filter(pk=landing.sheet_id, party=party, offered=False, deleted=None)
        # Who did it is at hand, and is to be shown as it is then.
        own = event.sheet if landing.sheet_id == event.sheet_id else None
        sheet = own or there.select_for_update(of=("self",)).first()
        widget = landing_widget(systems()[party.ruleset], landing)
        if sheet and widget and widget.made:
            sheet.party = party
            landing.sheet = sheet
            with suppress(Refused), transaction.atomic():
                apply_landing(landing, widget, uuid4(), who)
                applied = True
    return applied


def guarded(found: Iterable[Landed]) -> list[Landed]:
    """The same, each with the rolls by which somebody may still stop it; each of these is thrown once."""
    offered = [(one, list(_guards(one))) for one in found]
    names = [widget.key for _one, widgets in offered for widget in widgets]
    there = {one.character.sheet.pk for one, widgets in offered if widgets}
    gone = set(Event.objects.filter(sheet__in=there, widget__in=names).values_list("widget", flat=True)) \
        if names else ()
    return [replace(one, guards=tuple(widget for widget in widgets if widget.key not in gone))
            for one, widgets in offered]


def _guards(landed: Landed) -> Iterator[Widget]:
    character, act = landed.character, landed.widget.made if landed.decides else None
    if act is None:
        return
    event, party = landed.landing.event, character.sheet.party
    asked = bool(party and party.waits and Question.objects.filter(sheet=event.sheet_id, key=event.key).exists())
    for offer in character.ruleset.crossing.guards(character.written, character.play, act, asked=asked):
        yield Widget(replace(offer, key=f"{LANDED[1:]}{landed.landing.pk}"))


def _say_whence(event: Event, source: Event, name: str) -> None:
    """Adds to what an act says of itself from whom it came, whose `name` others see, in each language."""
    def told(words: str) -> str:
        return f"{words} ({name}: {for_others(source.sheet.system, source).what})"[:500]

    event.text = told(event.text)
    languages = [language for language, _name in settings.LANGUAGES]
    if not (source.sheet.opponent or source.sheet.seen_by == PUBLIC):
        # Who reads this sheet may not know that one.
        event.said.setdefault(OTHERS, {language: event.said[language] for language in languages})
    for language in languages:
        with translation.override(language):
            event.said[language] = told(event.said[language])


def foreseen(character: Character, act: Act) -> Iterator[tuple[Wording, int, int]]:
    """(gauge, left now, left then) of each gauge that an act without dice would change."""
    after = _applied(character, act)
    then = {one.key: one.left for one in after.gauges(character.written)} if after else {}
    for one in character.play.gauges(character.written):
        if then.get(one.key, one.left) != one.left:
            yield one.title, one.left, then[one.key]


def _applied(character: Character, act: Act) -> Play | None:
    """The state of play after an act; None where that hangs on dice, or play does not allow it."""
    try:
        if act.roll(character.written, character.play):
            return None
        changed = act.apply(character.written, character.play)
    except Refused:
        return None
    return changed.play if isinstance(changed, Lasting) else changed
