"""Handouts that a player has not opened yet."""

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from sheets.access import handouts
from sheets.models import PLAYER, Handout, HandoutReader, Member
from sheets.models.compiled_queries import compiled


def new_for(me: Member) -> list[Handout]:
    """Return the handouts that a player has not opened since they joined, the newest first; none for GMs."""
    return [] if me.gm else _unopened(me.pk, me.party_id, me.joined)


@compiled
def _unopened(member: Any, party: Any, joined: Any) -> QuerySet[Handout]:
    opened = HandoutReader.objects.filter(handout=OuterRef("pk"), member=member, opened__isnull=False)
    found = handouts(Member(pk=member, party_id=party, role=PLAYER)).defer("large", "small", "text")
    return found.filter(~Exists(opened), made__gte=joined).order_by("-made")
