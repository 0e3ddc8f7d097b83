"""The scenes of a party: their beginning and end, what the system then does for all, and what happened in them."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.utils import timezone

from rulesets.folding import order_key
from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import Party, Scene
from sheets.models.store import store
from sheets.press.log import announce
from sheets.press.turns import nobody_on
from sheets.press.undo import undo_for_all
from sheets.rolls.widgets import Widget, key_of
from sheets.scenes.log import open_scene
from sheets.scenes.order import turn_of
from sheets.stage.rounds import Ahead, StoredTable, act_for_all, ahead_of
from sheets.stage.table import PartyTable
from sheets.stage.table_log import LogLine

MOST = 2000
"""The most events of a scene that its log shows, the newest."""
DICE = 12_000
"""The most dice in a scene's log, because a page of so many is large enough; of each event a few at the most."""
LISTED = 200
"""Scenes that the page of a party lists."""


@dataclass(frozen=True)
class Together:
    """An act that the system does for all as a scene begins or ends, and those whom it concerns."""

    widget: Widget
    characters: list[Character]
    wanted: bool

    @property
    def names(self) -> list[str]:
        """The names of those whom it concerns."""
        return [one.name for one in self.characters]


def offered_then(party_table: PartyTable, answers: Answers, *, ends: bool) -> list[Together]:
    """Return what may be done for all now that a scene begins, or with `ends` ends; `also` names what is wanted."""
    table, wanted = party_table.table, set(answers.get("also", ()))
    found = ((offer, [one for one in party_table.characters if one.takes_part(offer)])
             for offer in (act.asking() for act in (table.ends if ends else table.begins)))
    return [Together(Widget(offer, answers if key_of(offer) in wanted else None, f"{key_of(offer)}."), characters,
                     key_of(offer) in wanted) for offer, characters in found if characters]


@dataclass(frozen=True)
class PreparedScene:
    """The acts for everybody as a scene begins or ends, the first of them worked out."""

    stored: StoredTable
    answers: Answers
    ends: bool
    offered: list[Together]
    ahead: dict[Any, Ahead]

    @classmethod
    def of(cls, stored: StoredTable, answers: Answers, *, ends: bool) -> "PreparedScene":
        """Return the prepared scene as it was answered."""
        offered = offered_then(stored.seated(), answers, ends=ends)
        first = next((one for name in answers.get("also", ()) for one in offered if one.widget.key == name), None)
        return cls(stored, answers, ends, offered, ahead_of(first.widget, first.characters) if first else {})

    def fits(self, held: StoredTable) -> bool:
        """Return True if everybody is as they were read."""
        return self.stored.same(held)

    @property
    def answered(self) -> bool:
        """True if the answers make sense."""
        return all(one.widget.made for one in self.offered if one.wanted)

    def done(self, party: Party, user: User) -> tuple[list[str], list[tuple[str, str]]]:
        """Return the keys of what was done, and (name, why not) of those who cannot; the party is held with its sheets.

        Each is offered in the state in which the ones before have left everything.
        """
        keys, refused, now = [], [], self.stored.table
        now.put_in_order(party)
        offered, ahead = self.offered, self.ahead
        for name in self.answers.get("also", ()):
            if keys:
                now = PartyTable(now.me)
                offered, ahead = offered_then(now, self.answers, ends=self.ends), {}
            found = next((one for one in offered if one.widget.key == name), None)
            if found and found.widget.made:
                key: UUID = uuid4()
                refused += act_for_all(now, found.widget, found.characters, key, user, ahead)
                keys.append(str(key))
        return keys, refused


def begin_scene(party: Party, name: str, ready: PreparedScene, user: User) -> list[tuple[str, str]]:
    """Begin a scene, with what is wanted of `offered_then`; return (name, why not) of those who cannot.

    The party is held with its sheets. A scene that was opened by itself ends, and its fight goes on in the new one.
    """
    if before := party.scene:
        _end(before)
    scene = open_scene(party, name)
    if before:
        Scene.objects.filter(pk=scene.pk).update(**turn_of(before), free=before.free)
    scene.opened, refused = ready.done(party, user)
    scene.save(update_fields=["opened"])
    announce(party)
    return refused


def end_scene(party: Party, scene: Scene, ready: PreparedScene, user: User) -> list[tuple[str, str]]:
    """End an open scene in the same way, and with it the fight for all."""
    scene.closed, refused = ready.done(party, user)
    nobody_on(scene)
    scene.save(update_fields=["closed", "round", "on", "done", "held"])
    _end(scene)
    party.asked_rolls.all().delete()
    announce(party)
    return refused


def _end(scene: Scene) -> None:
    store(scene, ended=timezone.now())


def go_on(party: Party, scene: Scene, user: User) -> list[str]:
    """Let the newest scene go on, taking back its end and what was done then; return those whose later deeds stay."""
    stays = _taken_back(party, scene.closed, user)
    store(scene, ended=None, closed=[])
    announce(party)
    return stays


def call_off_scene(party: Party, scene: Scene, user: User) -> list[str]:
    """Undo the beginning of the open scene in the same way: it never was, and so no roll has a number."""
    stays = _taken_back(party, scene.opened, user)
    scene.events.update(scene=None, number=None, hidden_number=None)
    scene.delete()
    announce(party)
    return stays


def _taken_back(party: Party, keys: list[str], user: User) -> list[str]:
    names = {name for key in reversed(keys) for name in undo_for_all(party, UUID(key), user)}
    return sorted(names, key=order_key)


def scene_log(party_table: PartyTable, scene: Scene) -> list[LogLine]:
    """Return the log of a scene as a member may read it, oldest first."""
    return party_table.told.of_scene(scene, MOST, DICE)
