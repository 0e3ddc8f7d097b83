"""Queries for a user's home page.

They cover all the user's parties at once, so that their number does not grow with the number of sheets.
"""

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
from sheets.evenings.queries import ShownEvening, shown_evenings
from sheets.home.characters import characters, with_all_columns
from sheets.models import AskedRoll, Event, Member, PendingEffect, Question, Review, Scene, Sheet
from sheets.models.events import OPEN
from sheets.models.reviews import RETURNED
from sheets.press.asked import answering_events
from sheets.reviews.queries import oldest_waiting
from sheets.sheet_list import own_sheets
from sheets.status.reviews import NEWEST, review_statuses, shown_state

SCENE_IS_PLAYED = timedelta(hours=8)
"""A scene counts as being played for this long after the last event in it."""
MAX_CHARACTERS = 4
"""The most of the user's characters that are shown."""
MAX_RETURNED = 4
"""The most returned sheets that are shown."""
MAX_WAITING = 4
"""The most waiting submissions that are named."""
MAX_PARTIES = 30
"""The most parties that are listed."""
MAX_ON_TURN = 20
"""The most characters of others that are named because it is their turn."""
MAX_ROLLS = 20
"""The most rolls asked for by GMs that are checked for answers, the latest first."""


@dataclass(frozen=True)
class PartyAtHome:
    """A party as one member's home page shows it."""

    member: Member
    system: Ruleset
    scene: Scene | None = None
    latest: datetime | None = None
    """The time of the last event in that scene."""
    own_on_turn: tuple[str, ...] = ()
    """Names of the characters that the member plays and whose turn it is."""
    others_on_turn: tuple[str, ...] = ()
    """Names of the other characters whose turn it is, shortened as far as they can still be told apart."""
    n_waiting: int = 0
    """The number of things there that wait for the member's answer."""
    evening: ShownEvening | None = None
    """The next evening, if there is one."""
    query: str = ""
    """The query string ("?…") that selects this scene on the table page; "" if it is the party's only open scene."""

    @property
    def being_played(self) -> bool:
        """True if it is being played right now."""
        return self.latest is not None and timezone.now() - self.latest < SCENE_IS_PLAYED

    @property
    def urgent(self) -> bool:
        """True if the page lists the party at the top, among the things to do now."""
        return bool(self.own_on_turn or self.n_waiting or self.being_played)


def at_home(request: HttpRequest) -> dict[str, Any]:
    """Return template context for the home page of a signed-in user.

    Parties that are being played come first, then those where it is the user's turn, then those where something waits;
    among characters, those in play come first.
    """
    members = list(memberships(request).order_by("party__called", "pk")[:MAX_PARTIES])
    scenes = by_key((scene.party_id, scene) for scene in Scene.objects.filter(
        party__in=[member.party_id for member in members], ended=None).order_by("-begun", "-pk").annotate(
            latest=Subquery(Event.objects.filter(scene=OuterRef("pk")).order_by("-pk").values("made")[:1])))
    own = list(own_sheets(request).filter(
        ruleset__in=list(systems())).select_related("party")[:MAX_CHARACTERS + 1])
    others = _others_on_turn(request, scenes)
    statuses = review_statuses([*others, *(own_full := with_all_columns(own[:MAX_CHARACTERS]))])
    evenings = shown_evenings(request.user, members)
    parties = _parties(request, members, scenes, by_key(
        (sheet.party_id, shown_state(sheet, statuses[sheet.pk]).name) for sheet in others if sheet.party_id), evenings)
    standings = oldest_waiting(request, MAX_WAITING)
    submissions = {review.number: review for review in Review.objects.filter(
        number__in=[standing.waiting for standing in standings]).select_related("revision").defer(
            "seen", "said", "revision__data")}
    return {
        "parties": sorted(parties, key=lambda party: party.scene is None),
        "urgent": sorted((party for party in parties if party.urgent),
                         key=lambda party: (not party.being_played, not party.own_on_turn, not party.n_waiting)),
        "asking": [party for party in parties if party.evening and party.evening.unanswered],
        "mine": characters(own_full, statuses, scenes), "more": len(own) > MAX_CHARACTERS,
        "waiting": [submissions[standing.waiting] for standing in standings if standing.waiting in submissions],
        "returned": _returned(request),
        "has_anything": bool(own or members),
    }


def _keys_on_turn(scenes: Mapping[UUID, Sequence[Any]]) -> list[str]:
    """Return the keys of the characters whose turn it is in any of these scenes."""
    return [key for several in scenes.values() for scene in several for key in scene.on]


def _others_on_turn(request: HttpRequest, scenes: Mapping[UUID, Sequence[Any]]) -> list[Sheet]:
    """Return other players' characters whose turn it is, at most `MAX_ON_TURN`, in turn order, without opponents."""
    keys = _keys_on_turn(scenes)
    found = Sheet.objects.not_deleted().filter(pk__in=keys, party__in=scenes, opponent=False, offered=False)
    others = found.exclude(owner=request.user.pk).order_by("pk")[:MAX_ON_TURN] if keys else []
    return sorted(others, key=lambda sheet: keys.index(str(sheet.pk)))


def _parties(request: HttpRequest, members: Iterable[Member], scenes: Mapping[UUID, Sequence[Any]],
             other_names: Mapping[UUID, Sequence[str]], evenings: Mapping[UUID, ShownEvening]) -> list[PartyAtHome]:
    """Return each party with its open scene, if any, the characters on turn, and the number of things that wait.

    If several scenes are open, the one where it is the user's turn is used, otherwise the one played last.
    """
    rulesets, by_party = systems(), {member.party_id: member for member in members}
    parties_run = [party for party, member in by_party.items() if member.gm]
    keys = _keys_on_turn(scenes)
    on_turn = Sheet.objects.not_deleted().filter(pk__in=keys, party__in=scenes).filter(
        Q(owner=request.user.pk) | Q(opponent=True, party__in=parties_run)) if keys else []
    own_names = by_key((sheet.party_id, sheet.name) for sheet in on_turn)
    own_keys = {str(sheet.pk) for sheet in on_turn}
    n_waiting, chosen = _n_waiting(request, by_party), {key: max(several, key=lambda scene: (
        not own_keys.isdisjoint(scene.on), scene.latest or scene.begun)) for key, several in scenes.items()}
    return [PartyAtHome(member, rulesets[member.party.ruleset], scene := chosen.get(key),
                        scene.latest if scene else None, tuple(own_names.get(key, ())),
                        tuple(short_names(other_names.get(key, ())).values()), n_waiting[key],
                        evenings.get(key), f"?{scene.query}" if scene and len(scenes[key]) > 1 else "")
            for key, member in by_party.items()]


def _n_waiting(request: HttpRequest, parties: Mapping[UUID, Member]) -> Counter[UUID]:
    """Return {party: number of effects, questions and rolls that wait for the user}."""
    user, found = request.user.pk, Counter[UUID]()
    if not parties:
        return found
    # Filtered by owner, because these parties may have many sheets.
    pending = PendingEffect.objects.filter(sheet__owner=user, sheet__deleted=None, state=OPEN)
    found.update({party: n for party, n in pending.order_by().values_list("sheet__party").annotate(n=Count("pk"))
                  if party in parties})
    questions = Question.objects.filter(
        target__owner=user, target__deleted=None, party__in=parties, response__isnull=True)
    found.update(questions.values_list("party", flat=True))
    rolls = list(AskedRoll.objects.filter(sheet__owner=user, sheet__deleted=None, party__in=parties)
                 .order_by("-pk")[:MAX_ROLLS])
    answered = answering_events(rolls)
    found.update(roll.party_id for roll in rolls if roll.pk not in answered)
    return found


def _returned(request: HttpRequest) -> list[Review]:
    """Return the decisions that returned the user's sheets, where nothing was decided or submitted since."""
    parties = list(memberships(request).values_list("party", flat=True))
    own = Sheet.objects.not_deleted().filter(owner=request.user.pk, party__in=parties, offered=False)
    newest = own.annotate(newest=NEWEST).exclude(newest=None).values_list("newest", flat=True)
    return list(Review.objects.filter(number__in=list(newest), kind=RETURNED).defer("seen").select_related(
        "sheet", "revision", "by", "party").order_by("-number")[:MAX_RETURNED])
