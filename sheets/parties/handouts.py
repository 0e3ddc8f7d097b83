"""Handouts of a party, which GMs give to members. Callers that change something must have locked the party."""

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

MAX_HANDOUTS = 100
"""The most handouts of a party."""
TEXT = 8000
"""The most characters of a handout."""


def hand_out(me: Member, title: str, text: str, pictures: tuple[bytes, bytes] | None,
             members: Collection[Member] | None) -> None:
    """Create a handout with a text and the two sizes of a picture, for some members or for all (None).

    Raise `Full` if the party has too many.
    """
    if me.party.handouts.count() >= MAX_HANDOUTS:
        raise Full("handouts", MAX_HANDOUTS)
    large, small = pictures or (None, None)
    handout = Handout.objects.create(party=me.party, key=uuid4(), by=me.user, title=title, text=text, large=large,
                                  small=small, for_all=members is None)
    show_to(handout, members)


def show_to(handout: Handout, members: Collection[Member] | None) -> None:
    """Let more members read a handout, or all (None)."""
    if members is None:
        store(handout, for_all=True)
    HandoutReader.objects.bulk_create((HandoutReader(handout=handout, member=member) for member in members or ()),
                                      ignore_conflicts=True)
    announce(handout.party)


def take_back(handout: Handout) -> None:
    """Delete a handout for everybody."""
    party = handout.party
    handout.delete()
    announce(party)


def open_handout(me: Member, handout: Handout) -> None:
    """Mark a handout as opened by a member."""
    now = timezone.now()
    _reader, created = HandoutReader.objects.get_or_create(handout=handout, member=me, defaults={"opened": now})
    if not created:
        HandoutReader.objects.filter(handout=handout, member=me, opened=None).update(opened=now)


def handouts_of_scene(me: Member, scene: Scene) -> QuerySet[Handout]:
    """Return the handouts of a scene that a member may read, oldest first."""
    visible = handouts(me).filter(made__gte=scene.begun).order_by("made")
    return visible.filter(made__lte=scene.ended) if scene.ended else visible


def players(party: Party) -> list[Member]:
    """Return the players of a party by name; GMs need not be given handouts, because they read all of them."""
    members = party.members.filter(role=PLAYER).select_related("user")
    return sorted(members, key=lambda one: order_key(one.user.username))
