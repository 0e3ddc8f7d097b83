"""Who meets and plays whom at a party's table."""


from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest

from sheets.access import key_or_404, membership
from sheets.models import PARTY, PRIVATE, PUBLIC, Member, Sheet


def at_table(me: Member, sheets: QuerySet[Sheet]) -> QuerySet[Sheet]:
    """Return those of some sheets that are played at a member's table."""
    return sheets.filter(party=me.party_id, offered=False, deleted=None)


def played_by(me: Member) -> QuerySet[Sheet]:
    """Return the sheets that a member plays at the party's table: own ones, and as a GM everybody's.

    A GM mends what happens to any of them there, and opponents are the GMs' own.
    """
    return at_table(me, Sheet.objects.all() if me.gm else Sheet.objects.filter(owner=me.user_id))


def plays(me: Member, sheet: Sheet) -> bool:
    """Tell the same of a sheet at the table."""
    return me.gm or sheet.owner_id == me.user_id


def is_own(me: Member, sheet: Sheet) -> bool:
    """Tell whether a sheet is a member's to play, with all that is secret in it; a GM mends others' without that."""
    return sheet.owner_id == me.user_id or (sheet.opponent and me.gm)


def seats(request: HttpRequest, pk, by: str, at: str, *,
          lock: bool = False) -> tuple[Sheet, Sheet | None, Member, bool]:
    """Return the sheet that acts at a table, the one that it is aimed at, who asks, and whether they see its secrets.

    Http404 without the right. `at` is "" for none. With `lock` both sheets are held after the party.
    """
    me, by, at = membership(request, pk, lock=lock), key_or_404(by), key_or_404(at) if at else None
    asked = Sheet.objects.filter(pk__in={by, at} - {None})
    there = at_table(me, asked).order_by("pk").select_for_update(of=("self",)) if lock else asked
    # What is only read is looked at here: each condition more of a query costs as much as all of this.
    found = {one.pk: one for one in there if one.party_id == me.party_id and not (one.offered or one.deleted)}
    for one in found.values():
        one.party = me.party
    acting, target = found.get(by), found.get(at) if at else None
    if acting is None or not plays(me, acting) or (at and (target is None or not meets(me, target))):
        raise Http404
    return acting, target, me, is_own(me, acting)


def met_by(me: Member) -> QuerySet[Sheet]:
    """Return the sheets that a member meets at the party's table.

    They may read them or see their figures at the table; of opponents they see at least the wounds.
    """
    there = at_table(me, Sheet.objects.all())
    return there if me.gm else there.filter(
        Q(opponent=True) | Q(owner=me.user_id) | Q(seen_by__in=(PUBLIC, PARTY)) | Q(at_table=True))


def meets(me: Member, sheet: Sheet) -> bool:
    """Tell the same of a sheet at the table."""
    return plays(me, sheet) or sheet.opponent or sheet.seen_by != PRIVATE or bool(sheet.at_table)
