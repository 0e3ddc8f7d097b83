"""Handouts of a party: given by GMs, read and opened by members. Callers that change something hold the party."""

from collections.abc import Collection
from uuid import uuid4

from django.db.models import QuerySet
from django.utils import timezone

from rulesets.folding import order_key
from sheets.access import handouts
from sheets.models import PLAYER, Handout, HandoutReader, Member, Party, Scene
from sheets.models.store import store
from sheets.parties.services import Full
from sheets.press.log import announce

MOST = 100
"""The most handouts that a party keeps."""
TEXT = 8000
"""Characters of one."""


def hand_out(me: Member, title: str, text: str, pictures: tuple[bytes, bytes] | None,
             whom: Collection[Member] | None) -> None:
    """Hand out a text with the two sizes of a picture, to some or to all (None).

    `Full` if the party keeps as many as it can.
    """
    if me.party.handouts.count() >= MOST:
        raise Full("handouts", MOST)
    large, small = pictures or (None, None)
    made = Handout.objects.create(party=me.party, key=uuid4(), by=me.user, title=title, text=text, large=large,
                                  small=small, for_all=whom is None)
    show_to(made, whom)


def show_to(handout: Handout, whom: Collection[Member] | None) -> None:
    """Let some more members read it, or all (None); those who have it already keep it."""
    if whom is None:
        store(handout, for_all=True)
    HandoutReader.objects.bulk_create((HandoutReader(handout=handout, member=one) for one in whom or ()),
                                      ignore_conflicts=True)
    announce(handout.party)


def take_back(handout: Handout) -> None:
    """Take it back, so that nobody has it any more."""
    party = handout.party
    handout.delete()
    announce(party)


def open_handout(me: Member, handout: Handout) -> None:
    """Mark it as no longer new to somebody."""
    now = timezone.now()
    _reader, made = HandoutReader.objects.get_or_create(handout=handout, member=me, defaults={"opened": now})
    if not made:
        HandoutReader.objects.filter(handout=handout, member=me, opened=None).update(opened=now)


def of_scene(me: Member, scene: Scene) -> QuerySet[Handout]:
    """Return the handouts of a scene that a member may read, oldest first."""
    found = handouts(me).filter(made__gte=scene.begun).order_by("made")
    return found.filter(made__lte=scene.ended) if scene.ended else found


def players(party: Party) -> list[Member]:
    """Return those to whom something can be handed out: the GMs read it all."""
    found = party.members.filter(role=PLAYER).select_related("user")
    return sorted(found, key=lambda one: order_key(one.user.username))
