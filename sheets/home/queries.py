"""Queries for the page that somebody comes home to: of all their parties at once, however many sheets these have."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, Q, Subquery
from django.http import HttpRequest
from django.utils import timezone

from rulesets import systems
from rulesets.grouping import by_key
from rulesets.kit import Ruleset
from rulesets.names import short_names
from sheets.access import memberships
from sheets.home.characters import characters, with_state
from sheets.models import AskedRoll, Event, Member, PendingEffect, Question, Review, Scene, Sheet
from sheets.models.events import OPEN
from sheets.models.reviews import RETURNED
from sheets.models.scenes import NAMED as NAMED_SCENE
from sheets.press.asked import answers
from sheets.reviews.queries import oldest_waiting
from sheets.sheet_list import own_sheets
from sheets.status.reviews import NEWEST, review_statuses, shown_state

LATELY = timedelta(hours=8)
"""The time since the last thing that happened in a scene within which it is going on."""
PLAYED, NAMED, PARTIES, ASKED = 4, 4, 30, 20
"""Characters that are shown, names that are told, parties that are listed, rolls asked for that are looked at."""


@dataclass(frozen=True)
class PartyAtHome:
    """A party with what goes on there for one member."""

    member: Member
    system: Ruleset
    scene: Scene | None = None
    latest: datetime | None = None
    """When something happened in that scene last."""
    turns: tuple[str, ...] = ()
    """Names of those whom the member plays and whose turn it is."""
    others: tuple[str, ...] = ()
    """Names of the other characters whose turn it is, as short as they can be told apart."""
    waits: int = 0
    """The number of things there that wait for the member's answer."""
    query: str = ""
    """The query of the address of the table that names the scene, with its "?"; "" where no other is open."""

    @property
    def live(self) -> bool:
        """True if it is played just now."""
        return self.latest is not None and timezone.now() - self.latest < LATELY

    @property
    def calls(self) -> bool:
        """True if it is to be told before all else."""
        return bool(self.turns or self.waits or self.live)


def at_home(request: HttpRequest) -> dict[str, Any]:
    """Return what the page of somebody who is signed in shows.

    What is played just now comes first, then whose turn it is, then what waits; of the characters those in play.
    """
    members = list(memberships(request).order_by("party__called", "pk")[:PARTIES])
    scenes = by_key((one.party_id, one) for one in Scene.objects.filter(
        party__in=[one.party_id for one in members], ended=None).order_by("-begun", "-pk").annotate(
            latest=Subquery(Event.objects.filter(scene=OuterRef("pk")).order_by("-pk").values("made")[:1])))
    mine = list(own_sheets(request).filter(ruleset__in=list(systems())).select_related("party")[:PLAYED + 1])
    others = _others_on(request, scenes)
    taken = review_statuses([*others, *(whole := with_state(mine[:PLAYED]))])
    parties = _parties(request, members, scenes, by_key(
        (one.party_id, shown_state(one, taken[one.pk]).name) for one in others if one.party_id))
    waiting = oldest_waiting(request, NAMED)
    said = {one.number: one for one in Review.objects.filter(
        number__in=[one.waiting for one in waiting]).select_related("revision").defer("seen", "said", "revision__data")}
    return {
        "parties": sorted(parties, key=lambda one: one.scene is None),
        "calls": sorted((one for one in parties if one.calls),
                        key=lambda one: (not one.live, not one.turns, not one.waits)),
        "mine": characters(whole, taken, scenes), "more": len(mine) > PLAYED,
        "waiting": [said[one.waiting] for one in waiting if one.waiting in said],
        "returned": _returned(request),
        "began": bool(mine or members),
    }


def _on(scenes: Mapping[UUID, Sequence[Any]]) -> list[str]:
    """Return the keys of those whose turn it is in any of these scenes."""
    return [key for several in scenes.values() for one in several for key in one.on]


def _others_on(request: HttpRequest, scenes: Mapping[UUID, Sequence[Any]]) -> list[Sheet]:
    """Return characters of others whose turn it is, a few of them in the order of turns; opponents are none."""
    on = _on(scenes)
    found = Sheet.objects.not_deleted().filter(pk__in=on, party__in=scenes, opponent=False, offered=False)
    few = found.exclude(owner=request.user.pk).order_by("pk")[:ASKED] if on else []
    return sorted(few, key=lambda one: on.index(str(one.pk)))


def _parties(request: HttpRequest, members: Iterable[Member], scenes: Mapping[UUID, Sequence[Any]],
             others: Mapping[UUID, Sequence[str]]) -> list[PartyAtHome]:
    """Return each party with its open scene, whose turn it is and what waits.

    Of several open scenes it is the one in which it is the turn of whoever asks, else the one that was played last.
    """
    known, by_party = systems(), {one.party_id: one for one in members}
    run = [party for party, one in by_party.items() if one.gm]
    on = _on(scenes)
    played = Sheet.objects.not_deleted().filter(pk__in=on, party__in=scenes).filter(
        Q(owner=request.user.pk) | Q(opponent=True, party__in=run)) if on else []
    turns, mine = by_key((sheet.party_id, sheet.name) for sheet in played), {str(sheet.pk) for sheet in played}
    waits, chosen = _waits(request, by_party), {key: max(several, key=lambda one: (
        not mine.isdisjoint(one.on), one.latest or one.begun)) for key, several in scenes.items()}
    return [PartyAtHome(one, known[one.party.ruleset], scene := chosen.get(key), scene.latest if scene else None,
                        tuple(turns.get(key, ())), tuple(short_names(others.get(key, ())).values()), waits[key],
                        f"?{NAMED_SCENE}={scene.uuid}" if scene and len(scenes[key]) > 1 else "")
            for key, one in by_party.items()]


def _waits(request: HttpRequest, parties: Mapping[UUID, Member]) -> Counter[UUID]:
    """Return how much waits in each party for whoever plays the request's sheets: effects, questions, rolls."""
    user, found = request.user.pk, Counter[UUID]()
    if not parties:
        return found
    # Found by whose sheets they are: the sheets of all these parties are many.
    pending = PendingEffect.objects.filter(sheet__owner=user, sheet__deleted=None, state=OPEN)
    found.update({party: n for party, n in pending.order_by().values_list("sheet__party").annotate(n=Count("pk"))
                  if party in parties})
    questions = Question.objects.filter(target__owner=user, target__deleted=None, party__in=parties, response=None)
    found.update(questions.values_list("party", flat=True))
    rolls = list(AskedRoll.objects.filter(sheet__owner=user, sheet__deleted=None, party__in=parties)
                 .order_by("-pk")[:ASKED])
    done = answers(rolls)
    found.update(one.party_id for one in rolls if one.pk not in done)
    return found


def _returned(request: HttpRequest) -> list[Review]:
    """Return the decisions by which sheets of one's own were given back that were not submitted again since."""
    parties = list(memberships(request).values_list("party", flat=True))
    own = Sheet.objects.not_deleted().filter(owner=request.user.pk, party__in=parties, offered=False)
    newest = own.annotate(newest=NEWEST).exclude(newest=None).values_list("newest", flat=True)
    return list(Review.objects.filter(number__in=list(newest), kind=RETURNED).defer("seen").select_related(
        "sheet", "revision", "by", "party").order_by("-number")[:PLAYED])
