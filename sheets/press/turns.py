"""Turns at a table that is held with its sheets: begun, passed on, held back, ended, and taken back as a whole.

Each is one event. What it does to somebody is a step of it, by the acts that the system names (`rulesets.kit.Turns`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone, translation
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rulesets.kit import Offer, Refused, Seated, Table, Wording
from sheets.character import Character
from sheets.models import Event, Party, Scene, Sheet
from sheets.press.events import make_event
from sheets.press.log import LANDED, announce
from sheets.press.undo import take_back
from sheets.rolls.widgets import Widget
from sheets.scenes.log import record
from sheets.scenes.order import TURN, OrderedSeat, done, next_on, sort_key, turn_of

WIDGET = "turn"
"""The name of what is pressed, in the events of turns."""
TITLES: dict[str, Wording] = {
    "begin": gettext_lazy("The fight begins"), "next": gettext_lazy("The turn is over"),
    "hold": gettext_lazy("Holds back"), "end": gettext_lazy("The fight is over")}
"""{word of a button: what its event is called}."""


@dataclass
class TurnPress:
    """A table whose turns go on: the scene, and everybody there as they are after what was done so far."""

    party: Party
    scene: Scene
    table: Table
    characters: dict[str, Character]
    who: User
    steps: list[Event] = field(default_factory=list)

    @cached_property
    def places(self) -> list[OrderedSeat]:
        """Everybody in the order of turns as it is now."""
        def key(one: Character) -> tuple[Any, ...]:
            return sort_key(self.scene, self.table, one.sheet, self.table.turn_place(one.seated), one.name)

        there = sorted(self.characters.values(), key=key)
        return [OrderedSeat(str(one.sheet.pk), one.sheet.opponent, self.table.due(one.seated)) for one in there]

    @property
    def keys(self) -> list[str]:
        """The keys of their sheets, in that order."""
        return [one.key for one in self.places]

    def of_turn(self, keys: Iterable[str], acts: Callable[[Seated], Iterator[Offer]]) -> bool:
        """Do what the system names for the turn of some seats; True where anything was done."""
        found = [(key, offer) for key in keys if key in self.characters for offer in acts(self.characters[key].seated)]
        return self._done(found)

    def of_round(self, acts: Callable[[Sequence[Seated]], Iterator[Offer]]) -> bool:
        """Do what the system names for a round of all."""
        seats = [self.characters[key].seated for key in self.keys]
        return self._done([(key, offer) for offer in acts(seats) for key in self.keys])

    def _done(self, found: Iterable[tuple[str, Offer]]) -> bool:
        done_ = False
        for key, offer in found:
            with suppress(Refused):
                done_ = self._step(self.characters[key], offer) or done_
        return done_

    def _step(self, character: Character, offer: Offer) -> bool:
        if not character.takes_part(offer):
            return False
        common = self.party.table
        # It comes from the table, as what has landed does, and so leads on to nothing.
        widget = Widget(replace(offer, title=offer.cls.title, key=f"{LANDED[1:]}{WIDGET}"))
        event = make_event(character, widget, uuid4(), who=self.who)
        self.steps.append(event)
        vars(self).pop("places", None)
        touched = self.characters.values() if self.party.table != common else [character]
        self.characters |= {str(one.sheet.pk): Character(one.sheet, one.review_status) for one in touched}
        return True

    def go_on(self) -> None:
        """Somebody is on: the next ones in this round, else the first of a new one; the fight is over without any."""
        self.scene.on = next_on(self.scene, self.table, self.places)
        if not self.scene.on:
            self.of_round(self.table.round_ends)
            self.begin_round()
        if not self.scene.on:
            return nobody_on(self.scene)
        self.of_turn([one for one in self.scene.on if one not in self.scene.held], self.table.turn_begins)
        return None

    def begin_round(self) -> None:
        """The next round begins with those who are first in it."""
        self.scene.round, self.scene.done, self.scene.held = self.scene.round + 1, [], []
        if self.of_round(self.table.round_begins) and self.table.order:
            # Whom the GM let go first went first in the last round.
            self.scene.order = []
            vars(self).pop("places", None)
        self.scene.on = next_on(self.scene, self.table, self.places)


def nobody_on(scene: Scene) -> None:
    """Turns are not counted any more."""
    scene.round, scene.on, scene.done, scene.held = 0, [], [], []


def begin_fight(turn: TurnPress, _keys: list[str]) -> None:
    """The first round begins (`Refused` where a turn is due to nobody)."""
    nobody_on(turn.scene)
    turn.begin_round()
    if not turn.scene.on:
        raise Refused(_("Nobody there takes part in a fight yet."))
    turn.of_turn(turn.scene.on, turn.table.turn_begins)


def end_turn(turn: TurnPress, keys: list[str]) -> None:
    """The turn of some is over; as soon as nobody is on the next ones are, at last those of the next round."""
    scene = turn.scene
    scene.done = [*done(scene, turn.places), *(one for one in keys if one not in done(scene, turn.places))]
    scene.on = [one for one in scene.on if one not in keys and one in turn.characters]
    turn.of_turn(keys, turn.table.turn_ends)
    if not scene.on:
        turn.go_on()


def hold_back(turn: TurnPress, keys: list[str]) -> None:
    """Whose turn it is comes later in this round, after whoever is next; whoever is last has had their turn."""
    scene, had = turn.scene, done(turn.scene, turn.places)
    held = [one for one in keys if one in turn.characters]
    scene.done = [one for one in had if one not in held]
    if not turn.of_turn(held, turn.table.holds):
        after = next_on(scene, turn.table, [one for one in turn.places if one.key not in held])
        if not after:
            return end_turn(turn, keys)
        order = [one for one in turn.keys if one not in held]
        place = order.index(after[0]) + 1
        scene.order = [*order[:place], *held, *order[place:]]
        vars(turn).pop("places", None)
    scene.held = [*scene.held, *held]
    return turn.go_on()


def end_fight(turn: TurnPress, _keys: list[str]) -> None:
    """The round is over, and with it the fight."""
    turn.of_round(turn.table.round_ends)
    nobody_on(turn.scene)


DOING: dict[str, Callable[[TurnPress, list[str]], None]] = {
    "begin": begin_fight, "next": end_turn, "hold": hold_back, "end": end_fight}
"""{word of a button: what it does to a table for those whose turn is over by it}."""


def press_turn(turn: TurnPress, word: str, keys: list[str], key: UUID) -> Event:
    """Do what a button of the turns says, as one event with its steps."""
    before = turn_of(turn.scene)
    DOING[word](turn, keys)
    event = Event(party=turn.party, who=turn.who, key=key, widget=WIDGET, title=str(TITLES[word]),
                  turn={"before": before, "after": turn_of(turn.scene), "of": keys})
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            event.titles[language] = str(TITLES[word])
    record(event)
    for step in turn.steps:
        step.step_of, step.sheet.played = event, timezone.now()
        record(step)
    Sheet.objects.bulk_update({step.sheet_id: step.sheet for step in turn.steps}.values(), ["play", "played"])
    turn.scene.save(update_fields=TURN)
    announce(turn.party, table=True)
    return event


def turn_to_undo(scene: Scene) -> Event | None:
    """Return the event that made it the turn of those who are on, None where it is not known any more."""
    last = scene.events.filter(turn__isnull=False, undone=False).order_by("-pk").first()
    return last if last and last.turn["after"] == turn_of(scene) else None


def take_turn_back(party: Party, event: Event, who: User) -> None:
    """Take an event of turns back with all that it did; the party is held with its sheets.

    `Refused` where it is not the last one, or somebody has done something since or is no longer there.
    """
    scene = event.scene
    last = turn_to_undo(scene) if scene and scene.ended is None else None
    if scene is None or last is None or last.pk != event.pk:
        raise Refused(_("That was taken back already, or something else happened since."))
    there = {one.pk: one for one in party.sheets.not_deleted().filter(offered=False)}
    stuck = set()
    for step in event.steps.select_related("sheet").order_by("-pk"):
        sheet = there.get(step.sheet_id)
        if not step.act:
            continue
        if sheet is None or not _newest(sheet, step):
            stuck.add(step.sheet.name.strip() or _("Without a name"))
            continue
        sheet.party = party
        take_back(sheet, step, who)
    if stuck:
        raise Refused(_("{names} did something else since; the turn stays as it is.").format(
            names=", ".join(sorted(stuck))))
    for name, value in event.turn["before"].items():
        setattr(scene, name, value)
    scene.save(update_fields=TURN)
    event.undone = True
    event.save(update_fields=["undone"])
    announce(party, table=True)


def _newest(sheet: Sheet, step: Event) -> bool:
    found = sheet.events.exclude(act="").filter(undone=False).order_by("-pk").first()
    return bool(found and found.pk == step.pk and step.version in (None, sheet.version))
