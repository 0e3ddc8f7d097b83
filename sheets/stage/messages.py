"""Messages at a party's table, to all or whispered to one member; GMs cannot read whispers of others."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from rulesets.kit import Refused
from rulesets.names import one_line
from sheets.models import Member, Message, Party
from sheets.models.compiled_queries import compiled
from sheets.press.log import announce

LONGEST = 500
"""The maximum length of a message, in characters."""
MAX_MESSAGES = 500
"""The number of messages stored per party; older ones are deleted."""
LOG = 40
"""The number of messages that the page shows."""
REGRET = timedelta(minutes=5)
"""The time within which a member can delete an own message."""


@dataclass(frozen=True)
class ShownMessage:
    """A message as a member sees it."""

    message: Message
    removable: bool
    """True if the reader may delete it, as its writer or as a GM."""

    @property
    def whispered(self) -> bool:
        """True if it was whispered to one member."""
        return self.message.to_id is not None


def heard_by(me: Member) -> QuerySet[Message]:
    """Return the messages that a member may read at their table."""
    return Message.objects.filter(Q(to=None) | Q(to=me.user_id) | Q(who=me.user_id), party=me.party_id)


def _said(me: Member, message: Message) -> ShownMessage:
    own = message.who_id == me.user_id and message.made >= timezone.now() - REGRET
    return ShownMessage(message, own or (me.gm and message.to_id is None))


def newest_said(me: Member) -> list[ShownMessage]:
    """Return the newest messages that a member may read, newest first."""
    return [_said(me, one) for one in _newest_heard(me.user_id, me.party_id)]


@compiled
def _newest_heard(user: Any, party: Any) -> QuerySet[Message]:
    return _with_names(heard_by(Member(user_id=user, party_id=party))).order_by("-pk")[:LOG]


def _with_names(found: QuerySet[Message]) -> QuerySet[Message]:
    return found.select_related("who", "to").only("made", "text", "who", "to", "who__username", "to__username")


def say(me: Member, text: str, to: str, key: UUID) -> None:
    """Save a message to all, or to the member whose user key is `to`; raise `Refused` if that member is gone.

    The party is locked. A message whose `key` was used before is not saved again.
    """
    line = one_line(text, LONGEST)
    if not line or Message.objects.filter(who=me.user_id, key=key).exists():
        return
    others = me.party.members.exclude(user=me.user_id).select_related("user")
    listener = others.filter(user=int(to)).first() if to.isdecimal() and len(to) < 10 else None
    if to and listener is None:
        raise Refused(_("The person you are whispering to is no longer in the party."))
    Message.objects.create(party=me.party, who=me.user, to=listener.user if listener else None, key=key, text=line)
    _forget(me.party)
    announce(me.party)


def take_away(me: Member, number: int) -> bool:
    """Delete a message, if the member may; return True if it was deleted. The party is locked."""
    if (message := heard_by(me).filter(pk=number).first()) is None or not _said(me, message).removable:
        return False
    message.delete()
    announce(me.party)
    return True


def merged(lines: Iterable, messages: Iterable[ShownMessage]) -> list:
    """Return log lines and messages together, newest first."""
    return sorted([*lines, *messages], reverse=True,
                  key=lambda one: (one.message if isinstance(one, ShownMessage) else one.event).made)


def _forget(party: Party) -> None:
    for last in party.messages.order_by("-pk").values_list("pk", flat=True)[MAX_MESSAGES:MAX_MESSAGES + 1]:
        party.messages.filter(pk__lte=last).delete()
