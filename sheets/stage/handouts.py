"""Handouts that a player has not opened yet."""

from django.db.models import Exists, OuterRef, QuerySet

from sheets.access import handouts
from sheets.models import Handout, HandoutReader, Member


def new_for(me: Member) -> QuerySet[Handout]:
    """Return the handouts that a player has not opened since they joined, the newest first."""
    if me.gm:
        return Handout.objects.none()
    opened = HandoutReader.objects.filter(handout=OuterRef("pk"), member=me, opened__isnull=False)
    return handouts(me).defer("large", "small", "text").filter(~Exists(opened), made__gte=me.joined).order_by("-made")
