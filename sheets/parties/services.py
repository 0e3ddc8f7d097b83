"""A party from its founding to its end: its members and its sheets. Callers hold the party locked."""

import secrets
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Case, F, QuerySet, Value, When
from django.urls import reverse
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from rulesets.kit import Ruleset
from sheets.models import CO_GM, GM, GMS, PARTY, PLAYER, PRIVATE, ROLES, Member, Party, Sheet
from sheets.models.store import store
from sheets.notifications.services import notify, tell_unshared
from sheets.press.log import announce
from sheets.press.partings import part
from sheets.status.unshared import SHARED, end_sharing_of_drafts

PARTIES, MEMBERS, SHEETS = 100, 100, 200
"""The most parties of one person, members of a party, and sheets in it."""
LONGEST = 200
"""Characters of a name that people give: of a party, a scene, a handout."""
FULL = {
    "parties": ngettext_lazy("You are in {n} party already, the most there can be; leave one first.",
                             "You are in {n} parties already, the most there can be; leave one first.", "n"),
    "members": ngettext_lazy("The party has {n} member already, the most there can be.",
                             "The party has {n} members already, the most there can be.", "n"),
    "sheets": ngettext_lazy("The party has {n} sheet already, the most there can be; take some out first.",
                            "The party has {n} sheets already, the most there can be; take some out first.", "n"),
    "handouts": ngettext_lazy("The party has {n} handout already, the most there can be; take some back first.",
                              "The party has {n} handouts already, the most there can be; take some back first.", "n"),
}
TITLES = {GM: _("GM"), CO_GM: _("Co-GM"), PLAYER: _("Player")}


class Full(Exception):
    """The limit is reached; the message says how many there are and the way out."""

    def __init__(self, what: str, n: int) -> None:
        super().__init__(FULL[what].format(n=n))


def name_fault(name: str) -> str:
    """Return the error in a party's name, "" if there is none."""
    if not name:
        return gettext("The party has no name yet; give it one.")
    if len(name) > LONGEST:
        return gettext("A name has at most {most} characters; this one has {n}.").format(most=LONGEST, n=len(name))
    return ""


def found_party(user: User, name: str, ruleset: Ruleset) -> Party:
    """Found a party whose GM is the user (`Full` if they are in too many)."""
    _room_for(user)
    party = Party.objects.create(name=name, ruleset=ruleset.slug, approval=ruleset.signed)
    Member.objects.create(party=party, user=user, role=GM)
    return party


def _room_for(user: User) -> None:
    if user.memberships.count() >= PARTIES:
        raise Full("parties", PARTIES)


def new_token() -> str:
    """Return a new token for a link that nobody can guess."""
    return secrets.token_urlsafe(24)


def join_party(party: Party, user: User) -> bool:
    """Make somebody a player; return False if they are in the party already (`Full` if the party or the person is)."""
    if party.members.filter(user=user).exists():
        return False
    _room_for(user)
    if party.members.count() >= MEMBERS:
        raise Full("members", MEMBERS)
    Member.objects.create(party=party, user=user)
    announce(party)
    notify(gms(party), "joined", party, user, url=_members(party))
    return True


def _members(party: Party) -> str:
    """Return the address of the members on a party's page."""
    return f"{reverse('party', args=[party.pk])}#members"


def gms(party: Party) -> list[User]:
    """Return the GM and the co-GMs, as users."""
    return [one.user for one in party.members.filter(role__in=GMS).select_related("user")]


def heir(member: Member) -> Member | None:
    """Return the next GM when this one goes: the earliest co-GM, else the earliest player; None if nobody stays."""
    return _heirs(member.party.members.exclude(pk=member.pk)).get(member.party_id)


def heirs(user: User) -> dict[UUID, Member]:
    """Return {key of a party: its next GM when this one goes} of all in which somebody stays; by one query."""
    return _heirs(Member.objects.filter(party__members__user=user).exclude(user=user))


def _heirs(others: QuerySet[Member]) -> dict[UUID, Member]:
    in_order = sorted(others.select_related("user").order_by("joined", "pk"), key=lambda one: ROLES.index(one.role))
    return {one.party_id: one for one in reversed(in_order)}


def leave_party(member: Member, *, account_ends: bool = False) -> None:
    """Remove a member and their sheets. A party without its GM gets another, one without members ends."""
    party, successor = member.party, heir(member)
    # Whose account ends is no more by the time that it is read.
    who = None if account_ends else member.user
    release_sheets(party, party.sheets.filter(owner=member.user), who)
    member.delete()
    if successor is None:
        party.delete()
        return
    if member.role == GM:
        _crown(successor, who)
    announce(party)
    notify(gms(party), "left", party, who, url=_members(party))


@transaction.atomic
def leave_all(user: User) -> None:
    """Remove somebody from every party at once, as the end of an account does; nobody need be asked for anything."""
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
    """Make a player a co-GM, or a co-GM a player, who then leaves the opponents to the GM.

    Notes on those are for their author alone, and are deleted; links to them end.
    """
    store(member, role=role)
    if role == PLAYER:
        gm = member.party.members.get(role=GM)
        made = member.party.sheets.filter(owner=member.user_id, opponent=True)
        made.update(owner=gm.user_id, notes="", share=None)
    announce(member.party)
    notify([member.user], role, member.party, user)


def hand_over(gm: Member, to: Member) -> None:
    """Make another member the GM; the former one is a co-GM from now on."""
    store(gm, role=CO_GM)
    announce(gm.party)
    _crown(to, gm.user)


def _crown(member: Member, user: User | None) -> None:
    store(member, role=GM)
    notify([member.user], GM, member.party, user)


def end_party(party: Party, user: User) -> None:
    """End the party; every sheet stays with its owner."""
    users = [one.user for one in party.members.exclude(user=user).select_related("user")]
    release_sheets(party, party.sheets.all(), user)
    notify(users, "ended", party, user, url="", key=str(party.pk))
    party.delete()


def room_for(party: Party, n: int) -> None:
    """Raise `Full` if there is no room for so many more sheets."""
    if party.sheets.not_deleted().count() + n > SHEETS:
        raise Full("sheets", SHEETS)


def bring_sheet(party: Party, sheet: Sheet, user: User) -> None:
    """Bring a locked sheet of the party's system in; from now on the party's house rules apply to it.

    Its readers are those that the party sets, unless others read it already; the party sees its figures at the table.
    """
    room_for(party, 1)
    readers = party.seen_by if sheet.seen_by == PRIVATE else sheet.seen_by
    store(sheet, party=party, house=party.house, seen_by=readers, at_table=True, opponent=False)
    notify([gm for gm in gms(party) if gm != user], "brought", party, user, url=reverse("sheet", args=[sheet.pk]),
           about=sheet)


def drop_sheet(party: Party, sheet: Sheet, user: User) -> None:
    """Take a sheet out of the party, for its owner or for a GM; the other side is told."""
    release_sheets(party, party.sheets.filter(pk=sheet.pk), user)
    if sheet.owner == user:
        notify([gm for gm in gms(party) if gm != user], "withdrawn", party, user, about=sheet,
               url=f"{reverse('party', args=[party.pk])}#sheets")
    elif sheet.owner:
        notify([sheet.owner], "dropped", party, user, about=sheet,
               url=f"{reverse('sheet', args=[sheet.pk])}?done=drop#party-and-readers")


def release_sheets(party: Party, sheets: QuerySet[Sheet], user: User | None) -> None:
    """Release sheets from their party. They keep its house rules: nothing about them changes unasked.

    But games of two are over, also for the one who stays; and approvals given there no longer count, which does not
    show a draft beside them to others.
    """
    part(party, sheets, user)
    for one in end_sharing_of_drafts(sheets.filter(SHARED).select_related("party", "owner"), leaving=True):
        tell_unshared(one)
    hidden = Case(When(seen_by=PARTY, then=Value(PRIVATE)), default=F("seen_by"))
    sheets.update(party=None, offered=False, opponent=False, seen_by=hidden, at_table=None)
