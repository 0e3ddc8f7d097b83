"""The rights of a user to sheets as conditions, and the compiled queries of `access`, which alone uses them.

`user` is the key of a user, and `rulesets` are the slugs of the systems that there are.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet, Value

from sheets.models import GMS, PARTY, PUBLIC, Member, Party, Sheet
from sheets.models.compiled_queries import compiled


def open_to(user: Any) -> Q:
    """Return the condition for the sheets of others that a user may read."""
    if user is None:
        return Q(seen_by=PUBLIC)
    mine = Member.objects.filter(user=user)
    return Q(seen_by=PUBLIC) | Q(party__in=mine.filter(role__in=GMS).values("party")) | (
        (Q(seen_by=PARTY) | Q(offered=True)) & Q(party__in=mine.values("party")))


def run_by(user: Any, rulesets: Any) -> Q:
    """Return the condition for the sheets in the parties of which a user is a GM."""
    run = Member.objects.filter(user=user, role__in=GMS, party__ruleset__in=rulesets)
    return Q(party__in=run.values("party"), offered=False)


@compiled
def named_sheets(keys: Any, reader: Any, *, known: bool) -> QuerySet[Sheet, tuple[UUID, bool]]:
    """Return (key, True if the reader may see its figures) of sheets whose names the reader may see."""
    party = Q(at_table=True, opponent=False, party__in=Member.objects.filter(user=reader).values("party"))
    read = Q(owner=reader) | (Q(deleted=None) & (open_to(reader) | party))
    whole = ExpressionWrapper(read, BooleanField()) if known else Value(value=False)
    found = Sheet.objects.filter(pk__in=keys).annotate(whole=whole)
    return found.filter(Q(opponent=True) | Q(seen_by=PUBLIC) | Q(whole=True)).values_list("pk", "whole")


def _rightful(pk: Any, user: Any, rulesets: Any, *, as_gm: bool) -> QuerySet[Sheet]:
    """Return a sheet of the user's own or, with `as_gm`, of a party that the user runs."""
    own = Q(owner=user)
    return Sheet.objects.not_deleted().filter(own | run_by(user, rulesets) if as_gm else own, pk=pk)


@compiled
def reviewable_by(pk: Any, user: Any, rulesets: Any, *, annotated: Callable[[Any], QuerySet[Sheet]]) -> QuerySet[Sheet]:
    """Return a sheet that a user may review or have reviewed, with its party and owner."""
    return annotated(_rightful(pk, user, rulesets, as_gm=True)).select_related("party", "owner")


@compiled
def locked(pk: Any, user: Any, rulesets: Any, *, as_gm: bool, party: bool) -> QuerySet[Sheet]:
    """Return and lock a sheet as `_rightful` finds it; with `party` it comes with its party and owner."""
    found = _rightful(pk, user, rulesets, as_gm=as_gm)
    return (found.select_related("party", "owner") if party else found).select_for_update(of=("self",))


@compiled
def locked_party(pk: Any, user: Any, rulesets: Any, *, as_gm: bool) -> QuerySet[Party, UUID]:
    """Lock the party of a sheet as `_rightful` finds it."""
    parties = _rightful(pk, user, rulesets, as_gm=as_gm).values("party")
    return Party.objects.filter(pk__in=parties).select_for_update().values_list("pk", flat=True)
