"""Pending effects as a page shows them: what each would change, and the rolls that may stop it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.functional import cached_property

from rulesets.kit import Act, Lasting, Play, Refused, Ruleset, Wording
from rulesets.names import isolated
from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import Event, PendingEffect, Question
from sheets.models.compiled_queries import compiled
from sheets.models.events import OPEN
from sheets.press.protections import rolled_by_actor
from sheets.rolls.open_results import EFFECT_MARK, is_followup
from sheets.rolls.stored import roll_of_event
from sheets.rolls.widgets import Widget
from sheets.status.reviews import shown_names

MOST = 40
"""The number of pending effects that a page shows; only the newest are shown, older ones on a page of their own."""


@dataclass(frozen=True)
class OpenEffect:
    """A pending effect with its widget and the target's character, as a page shows it."""

    effect: PendingEffect
    widget: Widget
    character: Character
    decides: bool
    """True if the reader may apply it; otherwise they may only withdraw it."""
    guards: tuple[Widget, ...] = ()
    """The rolls that may still stop the effect; empty unless the reader decides about it."""

    @property
    def binding(self) -> bool:
        """True if only those who decide about the effect may dismiss it."""
        return self.character.ruleset.binds(self.effect.act)

    @property
    def challenges(self) -> bool:
        """True if the effect is a challenge to a game of two, to be accepted or declined."""
        ruleset = self.character.ruleset
        pairs = ruleset.crossing.pairs
        return pairs is not None and ruleset.acts.get(self.effect.act) is pairs

    @property
    def foreseen(self) -> list[tuple[Any, int, int]]:
        """The changes as (gauge title, value now, value afterwards); [] unless the reader decides about the effect."""
        made = self.widget.complete if self.decides else None
        return list(foreseen(self.character, made)) if made else []

    @property
    def deed(self) -> str:
        """The roll's deed in words, such as "hits Troll"; "" if it has no such text, or the effect is on the actor."""
        event, roll = self.effect.event, self.character.ruleset.rolls.get(self.effect.event.roll)
        # The reader may not know the target of such a roll.
        back = self.effect.sheet_id == event.sheet_id and str(event.sheet_id) not in event.aimed_at
        return roll.log_phrase(isolated(self.character.target_name), event.outcome) if roll and not back else ""

    @property
    def expected_text(self) -> str:
        """The text of the act as if applied; "" unless the reader decides about the effect."""
        made = self.widget.complete if self.decides else None
        after = _applied(self.character, made) if made else None
        return str(made.tell_change(self.character.written, self.character.play, after) or "") if made and after else ""

    @cached_property
    def rolled(self) -> Event | None:
        """The event that caused the effect; for an act, the sheet's last roll if the act followed it, else None."""
        event = self.effect.event
        if not event.act or event.again_id:
            return event
        rolls = Event.objects.filter(sheet=event.sheet_id, party=event.party_id, undone=False).exclude(roll="")
        last = rolls.select_related("sheet__party").order_by("-pk").first() if not event.roll else None
        return last if last and is_followup(event, last) else None

    @property
    def rethrow(self) -> Widget | None:
        """The widget of the act that rerolls the target's own dice in the roll; None if not offered to the reader."""
        cls = self.character.ruleset.crossing.rethrows
        event = self.rolled if cls and self.decides else None
        roll = roll_of_event(self.character.ruleset, event) if event else None
        if cls is None or event is None or roll is None or self.effect.sheet_id == event.sheet_id:
            return None
        other = event.sheet
        gone = other is None or other.party_id != self.character.sheet.party_id or other.deleted
        if gone or all(place in roll.own_dice(len(event.thrown)) for place in range(len(event.thrown))):
            return None
        offer = next(iter(cls.offered(self.character.written, self.character.play)), None)
        return Widget(replace(offer, key=f"{EFFECT_MARK[1:]}{self.effect.pk}")) if offer else None


def waiting_effects(ruleset: Ruleset, party: UUID) -> QuerySet[PendingEffect]:
    """Return the pending effects on the sheets of a party whose acts the system still has."""
    found = PendingEffect.objects.filter(state=OPEN, act__in=[*ruleset.acts], sheet__party=party, event__party=party)
    return found if ruleset.crossing.effects_on_target else PendingEffect.objects.none()


def waiting_between(party: Any, sheets: Any, deciders: Any, *, ruleset: Ruleset) -> QuerySet[PendingEffect]:
    """Return the pending effects on some sheets of a party; if `deciders` are given, only those on or from them."""
    found = waiting_effects(ruleset, party).filter(sheet__pk__in=sheets)
    return found.filter(Q(sheet__pk__in=deciders) | Q(event__sheet__pk__in=deciders)) if deciders else found


def newest_keys(found: QuerySet[PendingEffect]) -> QuerySet[PendingEffect, int]:
    """Return the keys of the newest pending effects, at most `MOST`."""
    return found.order_by("-pk").values_list("pk", flat=True)[:MOST]


@compiled
def newest_keys_between(party: Any, sheets: Any, deciders: Any, *, ruleset: Ruleset) -> QuerySet[PendingEffect, int]:
    """Return the newest keys of `waiting_between` by a compiled query."""
    return newest_keys(waiting_between(party, sheets, deciders, ruleset=ruleset))


def read_newest(keys: Sequence[int], count: Callable[[], int]) -> tuple[list[PendingEffect], int]:
    """Return (the pending effects with these keys, oldest first; the number of older ones, by calling `count`)."""
    # Usually nothing is pending, and the full query is expensive.
    return _read(keys) if keys else [], count() - MOST if len(keys) == MOST else 0


@compiled
def _read(keys: Any) -> QuerySet[PendingEffect]:
    return PendingEffect.objects.filter(pk__in=keys).select_related("event__sheet__party").order_by("pk")


def name_sources(shown: list[PendingEffect], names: Mapping[Any, str] = MappingProxyType({})) -> None:
    """Set the `source_name` of each effect; `names` is {key of a sheet: name as others see it}, if known already."""
    unknown = {one.event.sheet for one in shown if one.event.sheet_id not in names and one.event.sheet}
    names = {**names, **shown_names(unknown)}
    for one in shown:
        one.source_name = names[one.event.sheet_id]


def waiting_shown(party: UUID, effects: list[OpenEffect], older: int) -> dict[str, Any]:
    """Return the template context for pending effects, with the number and the address of older ones."""
    address = f"{reverse('waiting', args=[party])}?before={min(one.effect.pk for one in effects)}" if older else ""
    return {"effects": effects, "older": older, "older_url": address}


def open_effects(character: Character, found: Iterable[PendingEffect]) -> Iterator[OpenEffect]:
    """Yield a character's pending effects as its player sees them; nothing for other readers."""
    for one in found if not character.others else ():
        if widget := effect_widget(character.ruleset, one):
            yield OpenEffect(one, widget, character, decides=True)


def effect_widget(ruleset: Ruleset, effect: PendingEffect, answers: Answers | None = None) -> Widget | None:
    """Return the widget of a pending effect, with other answers if any; None if the system no longer has the act."""
    if act := ruleset.acts.get(effect.act):
        known = {key: effect.filled.get(key, "") for key in ("by", "source") if act.names_source}
        return Widget(act.offer(key=f"{EFFECT_MARK[1:]}{effect.pk}", **known), answers, given=effect.filled)
    return None


def with_guards(found: Iterable[OpenEffect], *, late: bool = False) -> list[OpenEffect]:
    """Return the effects with the rolls that may still stop each; a roll that was made already is left out.

    With `late` these are only the rolls that depend on the effect.
    """
    offered = [(one, list(_guards(one, late=late))) for one in found]
    names = [widget.key for _one, widgets in offered for widget in widgets]
    there = {one.character.sheet.pk for one, widgets in offered if widgets}
    gone = set(Event.objects.filter(sheet__in=there, widget__in=names).values_list("widget", flat=True)) \
        if names else ()
    return [replace(one, guards=tuple(widget for widget in widgets if widget.key not in gone))
            for one, widgets in offered]


def _guards(shown: OpenEffect, *, late: bool) -> Iterator[Widget]:
    character, act = shown.character, shown.widget.complete if shown.decides else None
    if act is None:
        return
    event, party = shown.effect.event, character.sheet.party
    asked = bool(party and party.waits and Question.objects.filter(sheet=event.sheet_id, key=event.key).exists())
    offers = [*character.ruleset.crossing.guards(character.written, character.play, act, asked=asked or late)]
    # If a party trusts and does not wait, the actor may have made the roll for the target.
    done = rolled_by_actor(event, {one.cls.slug for one in offers}) if (
        offers and party and party.trust and not party.waits) else ()
    for offer in offers:
        if offer.cls.slug not in done:
            yield Widget(replace(offer, key=f"{EFFECT_MARK[1:]}{shown.effect.pk}"))


def foreseen(character: Character, act: Act) -> Iterator[tuple[Wording, int, int]]:
    """Yield (gauge title, value now, value afterwards) for each gauge that an act without dice would change."""
    after = _applied(character, act)
    then = {one.key: one.current for one in after.gauges(character.written)} if after else {}
    for one in character.play.gauges(character.written):
        if then.get(one.key, one.current) != one.current:
            yield one.title, one.current, then[one.key]


def _applied(character: Character, act: Act) -> Play | None:
    """Return the state of play after an act; None if it depends on dice or play does not allow the act."""
    try:
        if act.roll(character.written, character.play):
            return None
        changed = act.apply(character.written, character.play)
    except Refused:
        return None
    return changed.play if isinstance(changed, Lasting) else changed
