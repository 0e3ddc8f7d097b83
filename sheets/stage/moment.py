"""A table's newest events and reviews at one moment, with the counts of its change token: what `broadcast` compares."""

from collections.abc import Set
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from rulesets import systems
from rulesets.kit import Ruleset
from sheets.models import GMS, Event, Member, Party, PendingEffect, Review, Sheet
from sheets.models.compiled_queries import compiled
from sheets.press.pending import waiting_effects
from sheets.stage.press_form import COUNTED, token
from sheets.stage.table_log import BRIEF, LOG, STEPS

SHOWN_BEYOND_SEAT = ("owner", "seen_by", "at_table", "opponent", "offered", "deleted", "portrait")
"""Fields of a sheet whose changes affect more of the page than the sheet's seat."""
REVIEWS = 20
"""The number of newest reviews that are compared."""


@dataclass(frozen=True)
class TableCounts:
    """The values of `COUNTED` at one moment; `presses` is the part of `pulse` that events describe completely."""

    presses: int
    version: int
    pulse: int
    secret: int
    sheets: tuple[int | None, ...]
    """The sum of their versions, their number, and the number of them in the trash."""

    def token(self, role: str) -> str:
        """Return the change token for a member of this role."""
        return token(role, self.version, self.pulse, self.secret, *self.sheets)

    def told_until(self, later: "TableCounts", role: str, secret: int = 0) -> bool:
        """Return True if events, sheet versions and reviews describe all changes until `later` for this role.

        `secret` is the number of reviews that only GMs hear of.
        """
        return (self.version, self.sheets[1:]) == (later.version, later.sheets[1:]) and (
            later.pulse - self.pulse == later.presses - self.presses) and (
            role not in GMS or self.secret + secret == later.secret)


def counts_of(party: UUID, users: Set[int]) -> dict[int, tuple[str, TableCounts]]:
    """Return {key of an account: (role, counts)} of those `users` who are members of a party."""
    return {user: (role, TableCounts(presses, version, pulse, secret, tuple(sheets)))
            for user, role, ruleset, presses, version, pulse, secret, *sheets in _counts(party, users)
            if ruleset in systems()}


@compiled
def _counts(party: Any, users: Any) -> QuerySet[Member, tuple]:
    return Member.objects.filter(party=party, user__pk__in=users).values_list(
        "user", "role", "party__ruleset", "party__presses", *COUNTED)


@compiled
def _recent(party: Any) -> QuerySet[Event]:
    return Event.objects.filter(party=party).exclude(STEPS).select_related("applied_effect").order_by("-pk").only(
        *BRIEF, "hidden")[:LOG]


@compiled
def _states(events: Any) -> QuerySet[PendingEffect, tuple]:
    return PendingEffect.objects.filter(event__pk__in=events).values_list("pk", "state")


@compiled
def _waiting(party: Any, *, ruleset: Ruleset) -> QuerySet[PendingEffect, tuple]:
    return waiting_effects(ruleset, party).values_list("pk", "sheet", "event__sheet")


@compiled
def _versions(party: Any) -> QuerySet[Sheet, tuple]:
    return Sheet.objects.filter(party=party).values_list("pk", "version", "name", *SHOWN_BEYOND_SEAT)


@compiled
def _reviews(party: Any) -> QuerySet[Review, tuple]:
    return Review.objects.filter(party=party).order_by("-number").values_list("number", "sheet", "kind")[:REVIEWS]


class Moment:
    """The newest events and reviews of a table and the states of its effects, at the time of these counts."""

    def __init__(self, party: Party, counts: TableCounts) -> None:
        self.party, self.counts = party, counts
        self.recent = _recent(party.pk)
        for one in self.recent:
            one.party = party
        self.undone = {one.pk: one.undone for one in self.recent}
        self.sources = {one.pk: one.applied_effect.event_id for one in self.recent if hasattr(one, "applied_effect")}
        self.states = dict(_states(self.undone.keys()))
        found = _waiting(party.pk, ruleset=systems()[party.ruleset])
        self.waiting = {pk: (sheet, source) for pk, sheet, source in found}
        self.sheets = {pk: (version, name, otherwise) for pk, version, name, *otherwise in _versions(party.pk)}
        self.reviews = {number: (sheet, kind) for number, sheet, kind in _reviews(party.pk)}
