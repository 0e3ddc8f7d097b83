"""Notifications of what waits for members who are not at the table: turns, effects, questions, rolls and handouts.

Nothing is written when something begins to wait. The worker looks for what has waited for a while, so nobody is
notified during an evening at the table, where everything is answered in time.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from sheets.models import (
    GMS,
    PLAYER,
    AskedRoll,
    Event,
    Handout,
    Member,
    PendingEffect,
    Question,
    Reminded,
    Scene,
    Sheet,
)
from sheets.models.events import OPEN
from sheets.notifications.services import notify
from sheets.press.asked import answering_events
from sheets.press.reminders import is_away
from sheets.stage.handouts import new_for

WAITED = timedelta(minutes=15)
"""The time after which members are notified, unless they have pressed something in that party meanwhile."""
OUTDATED = timedelta(days=2)
"""The age from which nobody is notified any more."""


class Waiting(NamedTuple):
    """Something that waits for a user in a party: `turns`, `effects`, `questions`, `rolls` or `handouts`."""

    party: UUID
    user: int
    since: datetime
    kind: str
    name: str = ""
    """The name of the character whose turn it is."""
    query: str = ""
    """The query string that selects the scene of that turn."""


def remind_of_waiting() -> int:
    """Notify members of what has waited for them for a while, each time once; return the number of notifications."""
    now, number = timezone.now(), 0
    found = sorted(_all_waiting(now - OUTDATED, now - WAITED))
    members = {(one.party_id, one.user_id): one for one in Member.objects.filter(
        party__in={one.party for one in found}, user__in={one.user for one in found},
        user__is_active=True).select_related("reminded")}
    for key, group in groupby(found, lambda one: (one.party, one.user)):
        waiting, member = list(group), members.get(key)
        if member and not is_away(member) and not _knows(getattr(member, "reminded", None), waiting):
            number += _remind(member.pk, waiting, now - WAITED)
    return number


def _knows(reminded: Reminded | None, waiting: list[Waiting]) -> bool:
    return reminded is not None and all(one.since <= reminded.until for one in waiting)


@transaction.atomic
def _remind(pk: int, waiting: list[Waiting], until: datetime) -> bool:
    """Notify a member unless they sit at the table, or know of all of it; two workers do so one after the other."""
    member = Member.objects.select_for_update(of=("self",)).select_related("party", "user").filter(pk=pk).first()
    if member is None:
        return False
    pressed = Event.objects.filter(party=member.party_id, who=member.user_id).order_by("-pk").first()
    if (pressed and pressed.made > until) or _knows(Reminded.objects.filter(member=member).first(), waiting):
        return False
    Reminded.objects.update_or_create(member=member, defaults={"until": until})
    turns, table = [one for one in waiting if one.kind == "turns"], reverse("table", args=[member.party_id])
    counts: dict[str, Any] = Counter(one.kind for one in waiting if one.kind != "turns")
    notify([member.user], "waiting", member.party, None, url=f"{table}?{turns[0].query}" if turns else table,
           turns=list(dict.fromkeys(one.name for one in turns)), **counts)
    return True


def _all_waiting(after: datetime, until: datetime) -> Iterator[Waiting]:
    """Yield what began to wait in this time and still does; its user need not be a member any more."""
    yield from _turns(after, until)
    effects = PendingEffect.objects.filter(
        state=OPEN, event__made__gt=after, event__made__lte=until, sheet__deleted=None)
    for one in effects.values_list("sheet__party", "sheet__owner", "event__made"):
        if None not in one:
            yield Waiting(*one, "effects")
    questions = Question.objects.filter(
        response__isnull=True, made__gt=after, made__lte=until, target__deleted=None, target__party=F("party"))
    for one in questions.values_list("party", "target__owner", "made"):
        if None not in one:
            yield Waiting(*one, "questions")
    asked = AskedRoll.objects.filter(made__gt=after, made__lte=until).prefetch_related("sheet")
    rolls = [one for one in asked if one.sheet.deleted is None and one.sheet.party_id == one.party_id]
    answered = answering_events(rolls)
    for roll in rolls:
        if roll.pk not in answered and roll.sheet.owner_id:
            yield Waiting(roll.party_id, roll.sheet.owner_id, roll.made, "rolls")
    parties = set(Handout.objects.filter(made__gt=after, made__lte=until).values_list("party", flat=True))
    for player in Member.objects.filter(role=PLAYER, party__in=parties):
        for handout in new_for(player):
            if after < handout.made <= until:
                yield Waiting(player.party_id, player.user_id, handout.made, "handouts")


def _turns(after: datetime, until: datetime) -> Iterator[Waiting]:
    """Yield the turns of characters, for their players, and of opponents, for GMs."""
    scenes = list(Scene.objects.filter(ended=None, free=False, turn_began__gt=after, turn_began__lte=until))
    keys = {key: scene for scene in scenes for key in scene.on}
    sheets = list(Sheet.objects.not_deleted().filter(
        pk__in=keys, party__in={scene.party_id for scene in scenes}, offered=False)) if keys else []
    gms = list(Member.objects.filter(role__in=GMS, party__in={one.party_id for one in sheets if one.opponent}))
    for sheet in sheets:
        scene = keys[str(sheet.pk)]
        users = [one.user_id for one in gms if one.party_id == sheet.party_id] if sheet.opponent else [sheet.owner_id]
        for user in users:
            if user and scene.turn_began and scene.party_id == sheet.party_id:
                yield Waiting(scene.party_id, user, scene.turn_began, "turns", sheet.name, scene.query)
