"""Lines that members say at a party's table, to all or whispered to one; GMs read no whisper that is not theirs."""

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
"""The greatest length of a line, in characters."""
KEPT = 500
"""The number of lines of a party that are kept, the newest."""
LOG = 40
"""The number of lines that the page shows."""
REGRET = timedelta(minutes=5)
"""The time for which one's own line can be taken back."""


@dataclass(frozen=True)
class ShownMessage:
    """A line as one of the members reads it."""

    message: Message
    removable: bool
    """True if whoever looks may take it back, or as a GM remove it."""

    @property
    def whispered(self) -> bool:
        """True if it is for one alone."""
        return self.message.to_id is not None


def heard_by(me: Member) -> QuerySet[Message]:
    """Return what somebody may read of what is said at their table."""
    return Message.objects.filter(Q(to=None) | Q(to=me.user_id) | Q(who=me.user_id), party=me.party_id)


def _said(me: Member, message: Message) -> ShownMessage:
    own = message.who_id == me.user_id and message.made >= timezone.now() - REGRET
    return ShownMessage(message, own or (me.gm and message.to_id is None))


def newest_said(me: Member) -> list[ShownMessage]:
    """Return the newest of what somebody may read, newest first."""
    return [_said(me, one) for one in _newest_heard(me.user_id, me.party_id)]


@compiled
def _newest_heard(user: Any, party: Any) -> QuerySet[Message]:
    return _with_names(heard_by(Member(user_id=user, party_id=party))).order_by("-pk")[:LOG]


def _with_names(found: QuerySet[Message]) -> QuerySet[Message]:
    return found.select_related("who", "to").only("made", "text", "who", "to", "who__username", "to__username")


def say(me: Member, text: str, to: str, key: UUID) -> None:
    """Say a line at a table that is held, to all or to the member of this key (`Refused` for one who is not there).

    What has arrived before by this key is said once.
    """
    line = one_line(text, LONGEST)
    if not line or Message.objects.filter(who=me.user_id, key=key).exists():
        return
    others = me.party.members.exclude(user=me.user_id).select_related("user")
    listener = others.filter(user=int(to)).first() if to.isdecimal() and len(to) < 10 else None
    if to and listener is None:
        raise Refused(_("Whom you whisper to is not in the party any more."))
    Message.objects.create(party=me.party, who=me.user, to=listener.user if listener else None, key=key, text=line)
    _forget(me.party)
    announce(me.party)


def take_away(me: Member, number: int) -> bool:
    """Take a line away at a table that is held; return True if there was one that one may take away."""
    if (message := heard_by(me).filter(pk=number).first()) is None or not _said(me, message).removable:
        return False
    message.delete()
    announce(me.party)
    return True


def merged(lines: Iterable, messages: Iterable[ShownMessage]) -> list:
    """Return lines of a log and what was said meanwhile, newest first."""
    return sorted([*lines, *messages], reverse=True,
                  key=lambda one: (one.message if isinstance(one, ShownMessage) else one.event).made)


def _forget(party: Party) -> None:
    for last in party.messages.order_by("-pk").values_list("pk", flat=True)[KEPT:KEPT + 1]:
        party.messages.filter(pk__lte=last).delete()
