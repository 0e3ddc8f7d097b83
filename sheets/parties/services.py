"""A party from its founding to its end: who is in it, and which sheets are. Whoever calls holds the party locked."""

import secrets
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Case, F, QuerySet, Value, When
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.kit import Ruleset
from sheets.models import CO_GM, GM, GMS, PARTY, PLAYER, PRIVATE, ROLES, Member, Party, Sheet
from sheets.notifications.services import notify, tell_unshared
from sheets.press.log import announce
from sheets.press.partings import part
from sheets.status.unshared import SHARED, end_sharing_of_drafts

PARTIES, MEMBERS, SHEETS = 100, 100, 200
"""At most so many parties of one person, members of a party, and sheets in it."""
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
    """No more of that; the message says how many there are and the way out."""

    def __init__(self, what: str, n: int):
        super().__init__(FULL[what].format(n=n))


def found_party(user: User, name: str, ruleset: Ruleset) -> Party:
    """A new party whose GM is the user (`Full` for somebody who is in too many)."""
    _room_for(user)
    party = Party.objects.create(name=name, ruleset=ruleset.slug, approval=ruleset.signed)
    Member.objects.create(party=party, user=user, role=GM)
    return party


def _room_for(user: User) -> None:
    if user.memberships.count() >= PARTIES:
        raise Full("parties", PARTIES)


def new_token() -> str:
    """A new link that nobody guesses."""
    return secrets.token_urlsafe(24)


def join_party(party: Party, user: User) -> bool:
    """Makes somebody a player; False for whoever is in it already (`Full` where the party or the person is)."""
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
    """Where a party's members stand."""
    return f"{reverse('party', args=[party.pk])}#members"


def gms(party: Party) -> list[User]:
    """The GM and the co-GMs, as users."""
    return [one.user for one in party.members.filter(role__in=GMS).select_related("user")]


def heir(member: Member) -> Member | None:
    """Who becomes GM when this one goes: the co-GM who joined first, else the player who did; None if nobody stays."""
    return _heirs(member.party.members.exclude(pk=member.pk)).get(member.party_id)


def heirs(user: User) -> dict[UUID, Member]:
    """{key of a party: who becomes GM there when this one goes}, of all in which somebody stays; asked at once."""
    return _heirs(Member.objects.filter(party__members__user=user).exclude(user=user))


def _heirs(others: QuerySet[Member]) -> dict[UUID, Member]:
    in_order = sorted(others.select_related("user").order_by("joined", "pk"), key=lambda one: ROLES.index(one.role))
    return {one.party_id: one for one in reversed(in_order)}


def leave_party(member: Member, *, account_ends: bool = False) -> None:
    """Somebody goes, and their sheets with them. A party without its GM gets another, one without members ends."""
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


def leave_all(user: User) -> None:
    """Somebody goes from every party at once, as the end of an account does; nobody need be asked for anything."""
    with transaction.atomic():
        for pk in user.memberships.order_by("party").values_list("party", flat=True):
            party = Party.objects.select_for_update().filter(pk=pk).first()
            member = party and party.members.select_related("user").filter(user=user).first()
            if member:
                leave_party(member, account_ends=True)


def remove_member(member: Member, by: User) -> None:
    """Somebody else is made to go, and their sheets with them."""
    release_sheets(member.party, member.party.sheets.filter(owner=member.user), by)
    member.delete()
    announce(member.party)
    notify([member.user], "removed", member.party, by, url="", key=str(member.party_id))


def appoint(member: Member, role: str, by: User) -> None:
    """Makes a player a co-GM, or the other way round, who leaves the opponents to the GM then.

    What was noted on these is for whoever wrote it, and goes; a link to them ends.
    """
    member.role = role
    member.save(update_fields=["role"])
    if role == PLAYER:
        gm = member.party.members.get(role=GM)
        made = member.party.sheets.filter(owner=member.user_id, opponent=True)
        made.update(owner=gm.user_id, notes="", share=None)
    announce(member.party)
    notify([member.user], role, member.party, by)


def hand_over(gm: Member, to: Member) -> None:
    """Another becomes the GM; who was it is a co-GM from now on."""
    gm.role = CO_GM
    gm.save(update_fields=["role"])
    announce(gm.party)
    _crown(to, gm.user)


def _crown(member: Member, by: User | None) -> None:
    member.role = GM
    member.save(update_fields=["role"])
    notify([member.user], GM, member.party, by)


def end_party(party: Party, by: User) -> None:
    """The party is no more; every sheet stays with its owner."""
    users = [one.user for one in party.members.exclude(user=by).select_related("user")]
    release_sheets(party, party.sheets.all(), by)
    notify(users, "ended", party, by, url="", key=str(party.pk))
    party.delete()


def room_for(party: Party, n: int) -> None:
    """`Full` where so many more sheets have no room."""
    if party.sheets.not_deleted().count() + n > SHEETS:
        raise Full("sheets", SHEETS)


def bring_sheet(party: Party, sheet: Sheet, by: User) -> None:
    """A locked sheet of the party's system comes in; from now on it goes by the party's house rules.

    Who reads it is as the party has it, unless others read it already; the party sees its figures at the table.
    """
    room_for(party, 1)
    sheet.party, sheet.house, sheet.at_table = party, party.house, True
    if sheet.seen_by == PRIVATE:
        sheet.seen_by = party.seen_by
    sheet.save(update_fields=["party", "house", "seen_by", "at_table"])
    notify([user for user in gms(party) if user != by], "brought", party, by, url=reverse("sheet", args=[sheet.pk]),
           about=sheet)


def drop_sheet(party: Party, sheet: Sheet, by: User) -> None:
    """A sheet of the party goes out, by its owner or by a GM; the other side is told."""
    release_sheets(party, party.sheets.filter(pk=sheet.pk), by)
    if sheet.owner == by:
        notify([user for user in gms(party) if user != by], "withdrawn", party, by, about=sheet,
               url=f"{reverse('party', args=[party.pk])}#sheets")
    elif sheet.owner:
        notify([sheet.owner], "dropped", party, by, about=sheet,
               url=f"{reverse('sheet', args=[sheet.pk])}?done=drop#party-and-readers")


def release_sheets(party: Party, sheets: QuerySet[Sheet], by: User | None) -> None:
    """Sheets go out of their party. They keep its house rules: nothing about them changes unasked.

    But games of two are over, for whoever stays, too; and what was approved there counts no more, where a draft beside
    it is not shown to others for that.
    """
    part(party, sheets, by)
    for one in end_sharing_of_drafts(sheets.filter(SHARED).select_related("party", "owner"), leaving=True):
        tell_unshared(one)
    hidden = Case(When(seen_by=PARTY, then=Value(PRIVATE)), default=F("seen_by"))
    sheets.update(party=None, offered=False, opponent=False, seen_by=hidden, at_table=None)
