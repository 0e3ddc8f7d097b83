"""Picking the actor and the target at the party's table, and the pending effects that wait there."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.functional import cached_property

from sheets.access import played_by
from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import PendingEffect
from sheets.press.pending import (
    OpenEffect,
    effect_widget,
    guarded,
    newest_keys,
    newest_keys_between,
    read_newest,
    say_whence,
    waiting_between,
    waiting_shown,
)
from sheets.press.questions import open_questions
from sheets.press.responses import questions_shown
from sheets.press.targets import Target
from sheets.stage.actor import ActorPanel
from sheets.stage.facing import facing, to_challenge
from sheets.stage.press_form import NOBODY, seats_query
from sheets.stage.seats import Seat, seats
from sheets.stage.table import Participant, PartyTable


class TargetPicker:
    """The actor of whoever looks and the target; a GM acts for everybody at the table."""

    def __init__(self, table: PartyTable, by: str = "", at: str = "", answers: Answers | None = None, which: str = ""):
        self.table, self.named, self.answers, self.which = table, (by, at), answers, which

    @property
    def keys(self) -> set[UUID]:
        """The keys of both as the address names them, none if it names nobody who acts."""
        try:
            return {UUID(one) for one in self.named if one not in ("", NOBODY)} if self.named[0] else set()
        except ValueError:
            return set()

    @cached_property
    def targets(self) -> list[Participant]:
        """The participants who may be aimed at."""
        return [one for one in self.table.participants if one.character]

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """The participants as the page shows them while that one acts, in the order of turns."""
        aims = bool(self.actor and self.actor.can_aim)
        return seats(self.table, self.table.participants, self.by, self.at, aims=aims)

    @property
    def aimable(self) -> tuple[Seat, ...]:
        """Those who may be aimed at: the other side first, and whoever acts last."""
        ours, there = bool(self.by and self.by.sheet.opponent), (one for one in self.seats if one.known)
        return tuple(sorted(there, key=lambda one: (one.acting, one.opponent == ours)))

    @cached_property
    def actors(self) -> list[Participant]:
        """The participants whom one may act for."""
        return [one for one in self.targets if one.mine or self.table.me.gm]

    @cached_property
    def by(self) -> Participant | None:
        """The actor: the one that is named, else whose turn it is, else the first of one's own."""
        own = (one for one in self.actors if one.mine or one.sheet.opponent)
        return _named(self.actors, self.named[0]) or self.on or next(own, None)

    @property
    def on(self) -> Participant | None:
        """The first whose turn it is of those whom one may act for, one's own before others."""
        there = {one.sheet.pk for one in self.table.on}
        found = [one for one in self.actors if one.sheet.pk in there]
        return next((one for one in found if one.mine or one.sheet.opponent), next(iter(found), None))

    @cached_property
    def at(self) -> Participant | None:
        """The target: the one that is named, else in a fight the last target of whoever is on."""
        if not self.table.ruleset.crossing.effects_on_target or self.named[1] == NOBODY:
            return None
        return _named(self.targets, self.named[1] or self._last_target) or to_challenge(self)

    @property
    def _last_target(self) -> str:
        """The key of the sheet that whoever is on last aimed at in this scene, "" if there is none."""
        scene = self.table.scene
        if not (scene.round and self.by and str(self.by.sheet.pk) in scene.on):
            return ""
        last = scene.events.filter(sheet=self.by.sheet, undone=False).exclude(aimed_at={}).order_by("-pk").first()
        return next(iter(last.aimed_at), "") if last else ""

    def bring_on(self, by: Participant) -> None:
        """Let somebody else act from now on, aimed at whom they aimed at last."""
        self.named, self.by = (str(by.sheet.pk), ""), by
        for one in ("at", "actor", "seats"):
            vars(self).pop(one, None)

    @property
    def query(self) -> str:
        """The query of an address that names the actor and the target."""
        return seats_query(self.by.sheet, self.at.sheet if self.at else None) if self.by else ""

    @property
    def alone(self) -> bool:
        """True if the actor sees nobody else at the table."""
        if self.table.whole:
            return all(one is self.by for one in self.targets)
        return not {*self.table.met_keys} - {self.by.sheet.pk if self.by else None}

    @cached_property
    def actor(self) -> ActorPanel | None:
        """The actor with the target, None if nobody acts."""
        if not (self.by and self.by.character):
            return None
        at, found = self.at, self.at.character if self.at else None
        if at is None or found is None:
            return ActorPanel(self.by, self.by.character)
        whole = Character(at.sheet, found.review_status) if found.others else found
        return ActorPanel(self.by, self.by.character, at, Target(whole))

    def shown(self) -> dict[str, Any]:
        """Return the values of the page for the rolls and acts of whoever acts."""
        if self.actor is None:
            return {}
        said = self.actor.shown(self.answers, self.which)
        said |= facing(self, self.actor, self.answers, self.which)
        return said | {"plays": not self.actor.barred, "turn_notices": self.table.turn_notices(self.actor.by),
                       "tray": self.table.told.tray_since(said["tray"], said["lying"])}

    def promised(self) -> dict[str, Any]:
        """Return what rolls promise with other answers."""
        return self.actor.promised(self.answers or {}, self.which) if self.actor else {"promises": []}

    @cached_property
    def _between(self) -> tuple[UUID, list[UUID], list[UUID]]:
        """The party, those at whom something may wait, and those who may decide about it, none where all of it counts.

        Whoever sent something may call it off.
        """
        table = self.table
        targets = [one.sheet.pk for one in self.targets] if table.whole else table.met_keys
        if table.me.gm:
            return table.party.pk, targets, []
        actors = ([one.sheet.pk for one in self.actors] if table.whole else
                  list(played_by(table.me).values_list("pk", flat=True)))
        return table.party.pk, targets if actors else [], actors

    @property
    def waiting(self) -> QuerySet[PendingEffect]:
        """The pending effects that one may decide about, or call off because one sent them."""
        return waiting_between(*self._between, ruleset=self.table.ruleset)

    @cached_property
    def newest(self) -> tuple[list[PendingEffect], int]:
        """The newest of these, and the number of older ones."""
        keys = newest_keys_between(*self._between, ruleset=self.table.ruleset)
        return read_newest(keys, lambda: self.waiting.count())  # noqa: PLW0108 - composed only where it is asked

    def _older(self, before: int) -> tuple[list[PendingEffect], int]:
        found = self.waiting.filter(pk__lt=before)
        return read_newest([*newest_keys(found)], found.count)

    def _asked(self) -> dict[str, Any]:
        """Return the questions that one may answer or call off, and whether several of them are for opponents."""
        me = self.table.me
        if not self.table.party.waits:
            return {}
        found = questions_shown(me, open_questions(me.party).select_related("sheet", "target"))
        return {"questions": found, "for_opponents": me.gm and sum(one.question.target.opponent for one in found) > 1}

    def effects(self, before: int | None = None) -> dict[str, Any]:
        """Return the newest of these as a page shows them; with the key of one, the older ones."""
        there = {one.sheet.pk: one.character for one in self.targets if one.character}
        own = {one.sheet.pk for one in self.actors}
        found, older = self._older(before) if before else self.newest
        say_whence(found, {one.sheet.pk: one.name for one in self.table.participants})
        effects = [OpenEffect(one, widget, there[one.sheet_id], one.sheet_id in own) for one in found
                   if one.sheet_id in there and (widget := effect_widget(self.table.ruleset, one))]
        return waiting_shown(self.table.party.pk, guarded(effects), older) | self._asked()


def _named(participants: list[Participant], key: str) -> Participant | None:
    return next((one for one in participants if str(one.sheet.pk) == key), None)
