"""Turns at a table, which is locked with its sheets: begin, end, hold back, and undo as a whole.

Each press is one event. The acts that the system does at these moments (`rulesets.kit.Turns`) are steps of that event.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import ValidationError

from rulesets import systems
from rulesets.folding import order_key
from rulesets.kit import Offer, Refused, Seated, Table, Wording
from sheets.access import lock_rows
from sheets.character import Character
from sheets.models import Event, Party, Scene, Sheet
from sheets.models.compiled_queries import compiled
from sheets.models.event_kinds import Pressed, TurnPassed
from sheets.models.store import store
from sheets.models.webhooks import record_happening
from sheets.press.dice import keeping_rolls
from sheets.press.log import announce
from sheets.press.record_events import in_each_language, make_event
from sheets.press.undo import take_back
from sheets.rolls.open_results import EFFECT_MARK
from sheets.rolls.widgets import Widget
from sheets.scenes.log import record, record_all
from sheets.scenes.order import CLOCK, TURN, OrderedSeat, keys_done, next_on, together, turn_of
from sheets.status.reviews import review_statuses, shown_state

WIDGET = "turn"
"""The name of the widget in the events of turns."""
TITLES: dict[str, Wording] = {
    "begin": gettext_lazy("The fight starts"), "next": gettext_lazy("The turn is over"),
    "hold": gettext_lazy("Holds back"), "end": gettext_lazy("The fight is over")}
"""{word of a button: title of its event}."""


@dataclass
class TurnPress:
    """A press of a turn button: the scene, and the characters as they are after the steps done so far."""

    party: Party
    scene: Scene
    table: Table
    characters: dict[str, Character]
    user: User | None
    steps: list[Event] = field(default_factory=list)

    @cached_property
    def places(self) -> list[OrderedSeat]:
        """All characters in the current order of turns."""
        def key(one: Character) -> tuple[Any, ...]:
            return self.scene.sort_key(self.table, one.sheet, self.table.turn_place(one.as_seated), one.name)

        there = sorted(self.characters.values(), key=key)
        return [OrderedSeat(str(one.sheet.pk), one.sheet.opponent, self.table.due(one.as_seated)) for one in there]

    @property
    def keys(self) -> list[str]:
        """The keys of the characters' sheets, in the order of turns."""
        return [one.key for one in self.places]

    def of_turn(self, keys: Iterable[str], acts: Callable[[Seated], Iterator[Offer]]) -> bool:
        """Do the system's acts for the turn of the given sheets; return True if anything was done."""
        found = [(key, offer) for key in keys if (one := self.characters.get(key)) for offer in acts(one.as_seated)]
        return self._done(found)

    def of_round(self, acts: Callable[[Sequence[Seated]], Iterator[Offer]]) -> bool:
        """Do the system's acts of a round for everybody; return True if anything was done."""
        seats = [self.characters[key].as_seated for key in self.keys]
        return self._done([(key, offer) for offer in acts(seats) for key in self.keys])

    def _done(self, found: Iterable[tuple[str, Offer]]) -> bool:
        done_ = False
        for key, offer in found:
            with suppress(Refused), keeping_rolls():
                done_ = self._step(self.characters[key], offer) or done_
        return done_

    def _step(self, character: Character, offer: Offer) -> bool:
        if not character.takes_part(offer):
            return False
        common = self.party.table
        # Marked as an effect, so that it does not replace the follow-ups of the last roll.
        widget = Widget(replace(offer, title=offer.cls.title, key=f"{EFFECT_MARK[1:]}{WIDGET}"))
        self.steps.append(make_event(character, widget, uuid4(), user=self.user))
        vars(self).pop("places", None)
        touched = self.characters.values() if self.party.table != common else [character]
        self.characters |= {str(one.sheet.pk): Character(one.sheet, one.review_status) for one in touched}
        return True

    def go_on(self) -> None:
        """Pass the turn on to the next in this round or a new one; if there is nobody, the fight is over."""
        scene = self.scene
        while scene.round and not scene.on:
            scene.on = next_on(scene, self.table, self.places)
            if not scene.on:
                self.of_round(self.table.round_ends)
                self.begin_round()
            if not scene.on:
                return nobody_on(scene)
            self.begin_turns()
        return None

    def begin_turns(self) -> None:
        """Begin the turn of those who are on; skip those whom the acts at its beginning put out of the fight."""
        scene, there = self.scene, keys_done(self.scene, self.places)
        self.of_turn([one for one in scene.on if one not in scene.held], self.table.turn_begins)
        out = [one.key for one in self.places if one.key in scene.on and not one.due]
        scene.done, scene.on = [*there, *out], [one for one in scene.on if one not in out]

    def begin_round(self) -> None:
        """Begin the next round with those who are first in it."""
        self.scene.round, self.scene.done, self.scene.held = self.scene.round + 1, [], []
        if self.of_round(self.table.round_begins) and self.table.order:
            # The GM's own order was only for the last round.
            self.scene.order = []
            vars(self).pop("places", None)
        self.scene.on = next_on(self.scene, self.table, self.places)


def nobody_on(scene: Scene) -> None:
    """Stop counting turns."""
    scene.round, scene.on, scene.done, scene.held = 0, [], [], []


def begin_fight(turn: TurnPress, _keys: list[str]) -> None:
    """Begin the first round; raise `Refused` if nobody is due a turn."""
    nobody_on(turn.scene)
    turn.begin_round()
    if not turn.scene.on:
        raise Refused(_("Nobody there is in a fight yet."))
    turn.begin_turns()
    turn.go_on()


def end_turn(turn: TurnPress, keys: list[str]) -> None:
    """End the turn of the given sheets; once nobody is on, pass the turn on."""
    scene = turn.scene
    scene.done = [*keys_done(scene, turn.places), *(one for one in keys if one not in keys_done(scene, turn.places))]
    scene.on = [one for one in scene.on if one not in keys and one in turn.characters]
    turn.of_turn(keys, turn.table.turn_ends)
    if not scene.on:
        turn.go_on()


def hold_back(turn: TurnPress, keys: list[str]) -> None:
    """Put a turn off until after the next one in this round; if there is no next one, the turn ends.

    If a whole side has its turn together, those who hold back wait until all the others have had theirs.
    """
    scene, table = turn.scene, turn.table
    held, had = [one for one in keys if one in turn.characters], keys_done(scene, turn.places)
    if not held:
        return end_turn(turn, keys)
    scene.done = [one for one in had if one not in held]
    if turn.of_turn(held, table.delay_offers):
        # Their place follows from their new figure, no longer from the GM's order.
        scene.order = [one for one in scene.order if one not in held]
    else:
        after = next_on(scene, table, [one for one in turn.places if one.key not in held])
        if not after:
            return end_turn(turn, keys)
        if not together(scene, table):
            order = [one for one in turn.keys if one not in held]
            place = order.index(after[0]) + 1
            scene.order = [*order[:place], *held, *order[place:]]
    vars(turn).pop("places", None)
    scene.held = [*scene.held, *(one for one in held if one not in scene.held)]
    scene.on = [one for one in scene.on if one not in keys and one in turn.characters]
    return None if scene.on else turn.go_on()


def end_fight(turn: TurnPress, _keys: list[str]) -> None:
    """End the round, and with it the fight."""
    turn.of_round(turn.table.round_ends)
    nobody_on(turn.scene)


DOING: dict[str, Callable[[TurnPress, list[str]], None]] = {
    "begin": begin_fight, "next": end_turn, "hold": hold_back, "end": end_fight}
"""{word of a button: function that carries it out for the sheets with these keys}."""


def go_first(turn: TurnPress) -> None:
    """Give the turn to the first in order, if a figure decides the order and nobody has had a turn in this round."""
    scene = turn.scene
    if turn.table.order and scene.round and not (scene.held or keys_done(scene, turn.places)):
        scene.on = next_on(scene, turn.table, turn.places)


def press_turn(turn: TurnPress, action: str, keys: list[str], key: UUID) -> Event:
    """Carry out a turn button; save and return its event with the steps."""
    before = turn_of(turn.scene)
    DOING[action](turn, keys)
    pressed = Pressed(turn.user, key, WIDGET, str(TITLES[action]), in_each_language(lambda: str(TITLES[action])))
    passed = TurnPassed(before, turn_of(turn.scene), keys)
    event = Event.of(pressed, passed, party=turn.party, scene=turn.scene)
    record(event)
    for step in turn.steps:
        step.step_of = event
        if step.sheet:
            step.sheet.played = timezone.now()
    record_all(turn.steps)
    played = {step.sheet_id: step.sheet for step in turn.steps if step.sheet}
    Sheet.objects.bulk_update(played.values(), ["play", "played"])
    if turn.scene.on != before["on"] or not turn.scene.round:
        turn.scene.start_clock()
    turn.scene.save(update_fields=(*TURN, *CLOCK))
    if turn.scene.on and turn.scene.on != before["on"]:
        record_happening(turn.party, "turn.started", scene=turn.scene.pk, on=turn.scene.on)
    announce(turn.party, table=True)
    return event


def pass_turn_of(party: Party, leaving: Collection[Any], user: User | None) -> None:
    """Pass the turn of sheets that leave a party, or their scene, on to the next ones; the party is locked."""
    gone, ruleset = {str(pk) for pk in leaving}, systems().get(party.ruleset)
    for scene in party.open_scenes if ruleset else ():
        if scene.round and (keys := [one for one in scene.on if one in gone]):
            _pass_turn(party, scene, keys, leaving, user)


def _pass_turn(party: Party, scene: Scene, keys: list[str], leaving: Collection[Any], user: User | None) -> None:
    staying = party.sheets.filter(scene=scene.seat).exclude(pk__in=leaving).order_by("pk")
    lock_rows(staying)
    sheets = list(staying.not_deleted().filter(offered=False).select_related("owner"))
    statuses, characters = review_statuses(sheets), {}
    for sheet in sheets:
        sheet.party = party
        with suppress(ValidationError):
            characters[str(sheet.pk)] = Character(sheet, statuses[sheet.pk])
    table = systems()[party.ruleset].table.model_validate(party.table)
    press_turn(TurnPress(party, scene, table, characters, user), "next", keys, uuid4())


def turn_to_undo(scene: Scene) -> Event | None:
    """Return the turn event that led to the scene's present state; None if the scene has changed since."""
    last = next(iter(_turns_of(scene.pk)), None)
    passed = last and last.turn_passed
    return last if passed and passed.after == turn_of(scene) else None


@compiled
def _turns_of(scene: Any) -> QuerySet[Event]:
    found = Event.objects.filter(scene=scene, turn__isnull=False, undone=False)
    return found.only("scene", "turn", "who").order_by("-pk")[:1]


def take_turn_back(party: Party, event: Event, user: User, seen: Collection[UUID]) -> None:
    """Undo a turn event with all its steps; the party is locked with its sheets.

    Raise `Refused` if it is not the last one, or if somebody involved has acted since or has left; the message names
    only sheets whose keys are in `seen`, which the user may know.
    """
    scene = event.scene
    last = turn_to_undo(scene) if scene and scene.ended is None else None
    passed = event.turn_passed
    if scene is None or passed is None or last is None or last.pk != event.pk:
        raise Refused(_("That has already been taken back, or something else has happened since."))
    there = {one.pk: one for one in party.sheets.not_deleted().filter(offered=False)}
    stuck = {one.sheet_id: one.sheet for one in _done_since(party, event, passed)}
    for step in event.steps.exclude(act="").select_related("sheet").order_by("-pk"):
        if (sheet := there.get(step.sheet_id)) is None or not _newest(sheet, step):
            stuck[step.sheet_id] = step.sheet
            continue
        sheet.party = party
        take_back(sheet, step, user)
    if stuck:
        names = {shown_state(one).name.strip() or _("Unnamed")
                 for key, one in stuck.items() if one and key in seen}
        raise Refused(_("{names} did something else afterwards; the turn stays as it is.").format(
            names=", ".join(sorted(names, key=order_key)) or _("Somebody")))
    vars(scene).update(passed.before)
    scene.start_clock()
    store(scene, *CLOCK, **passed.before)
    store(event, undone=True)
    announce(party, table=True)


def _done_since(party: Party, event: Event, passed: TurnPassed) -> Iterable[Event]:
    """Return the acts done since a turn event by the sheets whose turn it began."""
    came = map(UUID, {*passed.after["on"]} - {*passed.before["on"]})
    acts = party.events.filter(sheet__in=came, pk__gt=event.pk, undone=False).exclude(act="")
    return acts.exclude(step_of=event).select_related("sheet")


def _newest(sheet: Sheet, step: Event) -> bool:
    found = sheet.events.exclude(act="").filter(undone=False).order_by("-pk").first()
    return bool(found and found.pk == step.pk and step.version in (None, sheet.version))
