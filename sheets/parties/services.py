"""Changes of a party: its founding and end, its members and its sheets. Callers must have locked the party."""

import secrets
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Case, F, QuerySet, Value, When
from django.urls import reverse
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from rulesets.kit import Ruleset
from sheets.models import CO_GM, GM, GMS, PARTY, PLAYER, PRIVATE, ROLES, Member, Party, Sheet
from sheets.models.compiled_queries import compiled
from sheets.models.store import store
from sheets.notifications.services import notify, notify_unshared
from sheets.press.log import announce
from sheets.press.partings import part
from sheets.status.unshared import SHARED, end_sharing_of_drafts

PARTIES, MEMBERS, SHEETS = 100, 100, 200
"""The most parties of a user, members of a party, and sheets in a party."""
LONGEST = 200
"""The most characters of a name that users give: of a party, a scene, a handout."""
FULL = {
    "parties": ngettext_lazy("You are already in {n} party, which is the maximum; leave one first.",
                             "You are already in {n} parties, which is the maximum; leave one first.", "n"),
    "members": ngettext_lazy("The party already has {n} member, which is the maximum.",
                             "The party already has {n} members, which is the maximum.", "n"),
    "sheets": ngettext_lazy("The party already has {n} sheet, which is the maximum; remove some first.",
                            "The party already has {n} sheets, which is the maximum; remove some first.", "n"),
    "handouts": ngettext_lazy("The party already has {n} handout, which is the maximum; take some back first.",
                              "The party already has {n} handouts, which is the maximum; take some back first.", "n"),
    "entries": ngettext_lazy("A party's catalogue has at most {n} entry; withdraw some first.",
                             "A party's catalogue has at most {n} entries; withdraw some first.", "n"),
    "catalogue": ngettext_lazy("A party's catalogue may have at most {n} kB in all; shorten or withdraw some entries.",
                               "A party's catalogue may have at most {n} kB in all; shorten or withdraw some entries.",
                               "n"),
}
TITLES = {GM: _("GM"), CO_GM: _("Co-GM"), PLAYER: _("Player")}


class Full(Exception):
    """A limit is reached; the message states the limit and how to proceed."""

    def __init__(self, what: str, n: int) -> None:
        super().__init__(FULL[what].format(n=n))


def name_fault(name: str) -> str:
    """Return the error in a party's name, "" if there is none."""
    if not name:
        return gettext("The party has no name yet; give it one.")
    if len(name) > LONGEST:
        return too_long(name)
    return ""


def found_party(user: User, name: str, ruleset: Ruleset) -> Party:
    """Create a party whose GM is the user; raise `Full` if they are in too many."""
    _require_room_for_party(user)
    party = Party.objects.create(name=name, ruleset=ruleset.slug, approval=ruleset.needs_approval)
    Member.objects.create(party=party, user=user, role=GM)
    return party


def _require_room_for_party(user: User) -> None:
    if user.memberships.count() >= PARTIES:
        raise Full("parties", PARTIES)


def new_token() -> str:
    """Return a new token for a link that nobody can guess."""
    return secrets.token_urlsafe(24)


def join_party(party: Party, user: User) -> bool:
    """Make a user a player of a party; return False if they are a member already.

    Raise `Full` if the party has too many members, or the user too many parties.
    """
    if party.members.filter(user=user).exists():
        return False
    _require_room_for_party(user)
    if party.members.count() >= MEMBERS:
        raise Full("members", MEMBERS)
    Member.objects.create(party=party, user=user)
    announce(party)
    notify(gms(party), "joined", party, user, url=_members_url(party))
    return True


def _members_url(party: Party) -> str:
    """Return the address of the members on a party's page."""
    return f"{reverse('party', args=[party.pk])}#members"


def gms(party: Party) -> list[User]:
    """Return the users who are GM or co-GM of a party."""
    return [one.user for one in _gms(party.pk)]


@compiled
def _gms(party: Any) -> QuerySet[Member]:
    return Member.objects.filter(party=party, role__in=GMS).select_related("user")


def heir(member: Member) -> Member | None:
    """Return the member who becomes the GM if this one leaves: the earliest co-GM, else the earliest player, if any."""
    return _heirs(member.party.members.exclude(pk=member.pk)).get(member.party_id)


def heirs(user: User) -> dict[UUID, Member]:
    """Return {key of a party: the member who becomes its GM if the user leaves} of parties with other members."""
    return _heirs(Member.objects.filter(party__members__user=user).exclude(user=user))


def _heirs(others: QuerySet[Member]) -> dict[UUID, Member]:
    ranked = sorted(others.select_related("user").order_by("joined", "pk"), key=lambda other: ROLES.index(other.role))
    return {other.party_id: other for other in reversed(ranked)}


def too_long(name: str) -> str:
    """Return the error for a name that is too long."""
    return gettext("A name may have at most {most} characters; this one has {n}.").format(most=LONGEST, n=len(name))


def leave_party(member: Member, *, account_ends: bool = False) -> None:
    """Remove a member and their sheets. A GM is succeeded by another member; without members the party is deleted."""
    party, successor = member.party, heir(member)
    # A deleted account cannot be named in notifications.
    user = None if account_ends else member.user
    release_sheets(party, party.sheets.filter(owner=member.user), user)
    member.delete()
    if successor is None:
        party.delete()
        return
    if member.role == GM:
        _make_gm(successor, user)
    announce(party)
    notify(gms(party), "left", party, user, url=_members_url(party))


@transaction.atomic
def leave_all(user: User) -> None:
    """Remove a user from all parties, because the account is being deleted."""
    for pk in user.memberships.order_by("party").values_list("party", flat=True):
        party = Party.objects.select_for_update().filter(pk=pk).first()
        if member := party and party.members.select_related("user").filter(user=user).first():
            leave_party(member, account_ends=True)


def remove_member(member: Member, user: User) -> None:
    """Remove another member, and their sheets with them."""
    release_sheets(member.party, member.party.sheets.filter(owner=member.user), user)
    member.delete()
    announce(member.party)
    notify([member.user], "removed", member.party, user, url="", key=str(member.party_id))


def appoint(member: Member, role: str, user: User) -> None:
    """Make a player a co-GM, or a co-GM a player, whose opponents then become the GM's.

    The notes on those opponents are private and therefore deleted; links to them are revoked.
    """
    store(member, role=role)
    if role == PLAYER:
        gm = member.party.members.get(role=GM)
        opponents = member.party.sheets.filter(owner=member.user_id, opponent=True)
        opponents.update(owner=gm.user_id, notes="", share=None)
    announce(member.party)
    notify([member.user], role, member.party, user)


def hand_over(gm: Member, to: Member) -> None:
    """Make another member the GM; the former one becomes a co-GM."""
    store(gm, role=CO_GM)
    announce(gm.party)
    _make_gm(to, gm.user)


def _make_gm(member: Member, user: User | None) -> None:
    store(member, role=GM)
    notify([member.user], GM, member.party, user)


def end_party(party: Party, user: User) -> None:
    """Delete a party; every sheet stays with its owner."""
    users = [one.user for one in party.members.exclude(user=user).select_related("user")]
    release_sheets(party, party.sheets.all(), user)
    notify(users, "ended", party, user, url="", key=str(party.pk))
    party.delete()


def require_room(party: Party, n: int) -> None:
    """Raise `Full` if there is no room for `n` more sheets."""
    if party.sheets.not_deleted().count() + n > SHEETS:
        raise Full("sheets", SHEETS)


def bring_sheet(party: Party, sheet: Sheet, user: User) -> None:
    """Bring a locked sheet of the party's system into the party, whose house rules then apply to it.

    A private sheet gets the readers that the party sets; the party sees its figures at the table.
    """
    require_room(party, 1)
    readers = party.seen_by if sheet.seen_by == PRIVATE else sheet.seen_by
    store(sheet, party=party, house=party.house, seen_by=readers, at_table=True, opponent=False)
    notify([gm for gm in gms(party) if gm != user], "brought", party, user, url=reverse("sheet", args=[sheet.pk]),
           about=sheet)


def drop_sheet(party: Party, sheet: Sheet, user: User) -> None:
    """Take a sheet out of the party for its owner or for a GM, and notify the other side."""
    release_sheets(party, party.sheets.filter(pk=sheet.pk), user)
    if sheet.owner == user:
        notify([gm for gm in gms(party) if gm != user], "withdrawn", party, user, about=sheet,
               url=f"{reverse('party', args=[party.pk])}#sheets")
    elif sheet.owner:
        notify([sheet.owner], "dropped", party, user, about=sheet,
               url=f"{reverse('sheet', args=[sheet.pk])}?done=drop#party-and-readers")


def release_sheets(party: Party, sheets: QuerySet[Sheet], user: User | None) -> None:
    """Release sheets from their party. They keep its house rules.

    Games of two end, also for an opponent who stays. Approvals of the party no longer count; sheets whose draft would
    thereby become visible to others are no longer shared.
    """
    part(party, sheets, user)
    for draft in end_sharing_of_drafts(sheets.filter(SHARED).select_related("party", "owner"), leaving=True):
        notify_unshared(draft)
    readers = Case(When(seen_by=PARTY, then=Value(PRIVATE)), default=F("seen_by"))
    sheets.update(party=None, scene=None, offered=False, opponent=False, seen_by=readers, at_table=None)
