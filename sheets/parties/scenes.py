"""The scenes of a party: their beginning and end, the acts for everybody at these moments, and their logs."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.utils import timezone

from rulesets.folding import order_key
from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import Party, Scene, is_key
from sheets.models.store import store
from sheets.parties.seating import close, leave, reopen
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
"""The most events that the log of a scene shows; if there are more, the newest."""
DICE = 12_000
"""The most dice that a scene's log shows."""
PAGE = 24
"""The scenes on one page of the list."""


@dataclass(frozen=True)
class GroupAct:
    """An act for everybody at the beginning or end of a scene, with the characters that take part."""

    widget: Widget
    characters: list[Character]
    wanted: bool

    @property
    def names(self) -> list[str]:
        """The names of the characters."""
        return [one.name for one in self.characters]


def group_acts(party_table: PartyTable, answers: Answers, *, ends: bool) -> list[GroupAct]:
    """Return the acts that are offered at the beginning, or with `ends` at the end, of a scene.

    The answers under "also" are the keys of the wanted acts.
    """
    table, wanted = party_table.table, set(answers.get("also", ()))
    offers = ((offer, [character for character in party_table.characters if character.takes_part(offer)])
             for offer in (act.offer() for act in (table.scene_end_acts if ends else table.scene_start_acts)))
    return [GroupAct(Widget(offer, answers if key_of(offer) in wanted else None, f"{key_of(offer)}."), characters,
                     key_of(offer) in wanted) for offer, characters in offers if characters]


@dataclass(frozen=True)
class PreparedScene:
    """The acts for everybody at the beginning or end of a scene; the first wanted one is computed `ahead`."""

    stored: StoredTable
    answers: Answers
    ends: bool
    offered: list[GroupAct]
    ahead: dict[Any, Ahead]

    @classmethod
    def of(cls, stored: StoredTable, answers: Answers, *, ends: bool) -> "PreparedScene":
        """Return the prepared scene for the answers of a form."""
        offered = group_acts(stored.with_participants(), answers, ends=ends)
        first = next((one for name in answers.get("also", ()) for one in offered if one.widget.key == name), None)
        return cls(stored, answers, ends, offered, ahead_of(first.widget, first.characters) if first else {})

    def fits(self, locked: StoredTable) -> bool:
        """Return True if the table, now locked, has not changed since it was read."""
        return self.stored.same(locked)

    @property
    def answered(self) -> bool:
        """True if the answers of all wanted acts are valid."""
        return all(one.widget.complete for one in self.offered if one.wanted)

    def perform(self, party: Party, user: User) -> tuple[list[str], list[tuple[str, str]]]:
        """Perform the wanted acts; return their press keys, and (name, reason) of characters for whom one was refused.

        The party and its sheets must be locked. Each act is offered anew, because the ones before change the sheets.
        """
        keys, refused, table = [], [], self.stored.table
        table.put_in_order(party)
        offered, ahead = self.offered, self.ahead
        for name in self.answers.get("also", ()):
            if keys:
                table = PartyTable(table.me)
                offered, ahead = group_acts(table, self.answers, ends=self.ends), {}
            act = next((act for act in offered if act.widget.key == name), None)
            if act and act.widget.complete:
                key: UUID = uuid4()
                refused += act_for_all(table, act.widget, act.characters, key, user, ahead)
                keys.append(str(key))
        return keys, refused


def begin_scene(party: Party, name: str, ready: PreparedScene, user: User) -> list[tuple[str, str]]:
    """Begin a scene with the wanted acts; return (name, reason) of the characters for whom one was refused.

    The party and its sheets must be locked. A scene that was opened automatically ends, and the new one continues its
    fight.
    """
    if previous := next((one for one in party.open_scenes if not one.apart), None):
        store(previous, ended=timezone.now())
    scene = open_scene(party, user, name)
    if previous:
        Scene.objects.filter(pk=scene.pk).update(**turn_of(previous), free=previous.free)
    scene.opened, refused = ready.perform(party, user)
    scene.save(update_fields=["opened"])
    announce(party)
    return refused


def end_scene(party: Party, scene: Scene, ready: PreparedScene, user: User) -> list[tuple[str, str]]:
    """End an open scene and its fight with the wanted acts; return as `begin_scene` does."""
    scene.closed, refused = ready.perform(party, user)
    nobody_on(scene)
    scene.save(update_fields=["closed", "round", "on", "done", "held"])
    party.asked_rolls.filter(sheet__scene=scene.seat).delete()
    close(party, scene)
    announce(party)
    return refused


def resume_scene(party: Party, scene: Scene, user: User) -> list[str]:
    """Reopen the newest scene and undo the acts of its end; return the names of characters whose later acts stay."""
    stays = _undo_all(party, scene.closed, user)
    reopen(party, scene)
    announce(party)
    return stays


def call_off_scene(party: Party, scene: Scene, user: User) -> list[str]:
    """Delete the open scene and undo the acts of its beginning; return as `resume_scene` does.

    The events of the scene stay, without their numbers.
    """
    stays = _undo_all(party, scene.opened, user)
    scene.events.update(scene=None, number=None, hidden_number=None)
    others = [one for one in party.open_scenes if one.pk != scene.pk]
    store(scene, ended=timezone.now())
    leave(party, scene, others)
    scene.delete()
    announce(party)
    return stays


def _undo_all(party: Party, keys: list[str], user: User) -> list[str]:
    names = {name for key in reversed(keys) for name in undo_for_all(party, UUID(key), user)}
    return sorted(names, key=order_key)


def page_of_scenes(party: Party, before: str) -> tuple[list[Scene], Scene | None]:
    """Return a page of scenes, the newest first, and the scene after which the next page starts, if any.

    `before` is the key of the last scene on the previous page; any other text means the first page.
    """
    found = party.scenes.order_by("-begun", "-pk")
    if last := party.scenes.filter(uuid=before).first() if is_key(before) else None:
        # Exclude ties that were already shown. Unlike the usual OR, this condition is as fast on late pages.
        found = found.filter(begun__lte=last.begun).exclude(begun=last.begun, pk__gte=last.pk)
    page = list(found[:PAGE + 1])
    return page[:PAGE], page[PAGE - 1] if len(page) > PAGE else None


def scene_log(party_table: PartyTable, scene: Scene) -> list[LogLine]:
    """Return the log of a scene as a member may read it, oldest first."""
    return party_table.log.of_scene(scene, MOST, DICE)
