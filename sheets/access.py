"""Access to sheets and parties. All views get their rows from here, and answer 404 for rows that they do not get."""

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django_htmx.middleware import HtmxDetails

from rulesets import systems
from rulesets.kit import redacted, secretive, slots
from sheets import access_queries
from sheets.guests import begin_guest, end_guest, guest_key
from sheets.models import GM, PARTY, PLAYER, PRIVATE, PUBLIC, Handout, HandoutReader, Member, Party, Sheet
from sheets.models.compiled_queries import compiled, read_row
from sheets.models.keys import key_or_404
from sheets.models.scenes import ASKED


class PageRequest(HttpRequest):
    """A request for a page, which htmx may have made."""

    htmx: HtmxDetails


def editable(request: HttpRequest, *, deleted: bool = False) -> QuerySet[Sheet]:
    """Return the user's or guest's own sheets, which the request may change; with `deleted` those in the trash."""
    return Sheet.objects.filter(_own(request), deleted__isnull=not deleted)


def _own(request: HttpRequest) -> Q:
    ways = [Q(owner=request.user)] if request.user.is_authenticated else []
    if guest := guest_key(request):
        ways.append(Q(owner=None, guest=guest))
    return reduce(or_, ways) if ways else Q(pk__in=[])


def owns(request: HttpRequest, sheet: Sheet) -> bool:
    """Return True if a sheet belongs to the request's user or guest."""
    if sheet.owner_id:
        return sheet.owner_id == request.user.pk
    return bool(sheet.guest) and sheet.guest == guest_key(request)


def user_of(request: HttpRequest) -> User | None:
    """Return the user who makes the request, None for a guest."""
    return request.user if request.user.is_authenticated else None


def readable(request: HttpRequest) -> QuerySet[Sheet]:
    """Return the sheets that the request may read: the user's own, public ones, and sheets of the user's parties.

    A GM may read all sheets of the party; players may read those that are shown to the party or offered to be taken.
    """
    return Sheet.objects.not_deleted().filter(_own(request) | access_queries.open_to(request.user.pk))


def named_sheets(keys: set[str], reader: int | None) -> dict[str, bool]:
    """Return {key: True if the reader may see its figures, too} of those sheets whose names the reader may see.

    `keys` are those of targets. Without a `reader`, as for a shared link, no figures may be seen.
    """
    found = access_queries.named_sheets([*map(UUID, keys)], reader, known=reader is not None)
    return {str(pk): whole for pk, whole in found}


def readable_sheet(request: HttpRequest, pk: UUID) -> Sheet:
    """Return a sheet that the request may read, with its party and, for others' sheets, its owner (Http404)."""
    # Usually it is the user's own sheet; the query for other readers is expensive.
    return _sheet_of(request, pk) or get_object_or_404(readable(request).select_related("party", "owner"), pk=pk)


def reviewable(request: HttpRequest) -> QuerySet[Sheet]:
    """Return the sheets whose revisions and reviews the request may see: the user's own, and those of parties as GM."""
    return Sheet.objects.not_deleted().filter(_own(request) | access_queries.run_by(request.user.pk, [*systems()]))


def reviewable_sheet(request: HttpRequest, pk: UUID,
                     annotated: Callable[[Any], QuerySet[Sheet]] = QuerySet.all) -> Any:
    """Return a sheet from `reviewable` with its party and owner (Http404), queried as `annotated` extends that."""
    user = request.user.pk
    if user and (found := access_queries.reviewable_by(pk, user, [*systems()], annotated=annotated)):
        return found[0]
    # The sheets of a guest have another condition.
    return get_object_or_404(annotated(reviewable(request)).select_related("party", "owner"), pk=pk)


def own_sheet(request: HttpRequest, pk: UUID) -> Sheet:
    """Return the user's own sheet with its party, not locked (Http404 for sheets of others)."""
    if (sheet := _sheet_of(request, pk)) is None:
        raise Http404
    return sheet


def _sheet_of(request: HttpRequest, pk: UUID) -> Sheet | None:
    sheet = read_sheet(pk)
    return sheet if sheet and not sheet.deleted and owns(request, sheet) else None


def read_sheet(pk: Any) -> Sheet | None:
    """Return the sheet with this key, even from the trash, with its party in a consistent state; None if it is gone."""
    if (sheet := read_row(Sheet, pk)) is None or not sheet.party_id:
        return sheet
    if not (party := read_row(Party, sheet.party_id)) or party.house != sheet.house:
        # The two queries saw different states; a single query is consistent.
        return Sheet.objects.select_related("party").filter(pk=pk).first()
    sheet.party = party
    return sheet


def lock_rows(rows: QuerySet[Any]) -> None:
    """Lock rows until the transaction ends; SQLite locks its whole file from the transaction's beginning."""
    if connection.features.has_select_for_update:
        list(rows.select_for_update().values_list("pk"))


def lock_sheet(request: HttpRequest, pk: UUID, rightful: Callable = editable, *, party: bool = True) -> Sheet:
    """Return a sheet from the queryset `rightful(request)`, locked until the transaction ends (Http404).

    The party is always locked before the sheet; pass `party=False` if nothing changes that the party sees.
    """
    if (user := request.user.pk) and rightful in (editable, reviewable):
        key, as_gm = (pk, user, [*systems()]), rightful is reviewable
        if party and connection.features.has_select_for_update:
            access_queries.locked_party(*key, as_gm=as_gm)
        if found := access_queries.locked(*key, as_gm=as_gm, party=party):
            return found[0]
    sheets = rightful(request)
    if party and request.user.is_authenticated:
        lock_rows(Party.objects.filter(pk__in=sheets.filter(pk=pk).values("party")))
        sheets = sheets.select_related("party", "owner")
    return get_object_or_404(sheets.select_for_update(of=("self",)), pk=pk)


def taken_along(request: HttpRequest, pk: UUID) -> Sheet:
    """Return a sheet that the request may print and export (Http404); a GM gets it without its owner's secrets.

    It must not be saved.
    """
    return as_taken_along(request, reviewable_sheet(request, pk))


def as_taken_along(request: HttpRequest, sheet: Sheet) -> Sheet:
    """Return a sheet without its owner's secrets, unless the request is the owner's; it must not be saved."""
    if not owns(request, sheet):
        sheet.notes, sheet.play = "", _open_play(sheet)
    return sheet


def _open_play(sheet: Sheet) -> dict:
    """Return the state of play without values that only the owner may see."""
    if (ruleset := systems().get(sheet.ruleset)) is None or not secretive(ruleset.play):
        return sheet.play
    seen = redacted(ruleset.play.model_validate(sheet.play)).model_dump(exclude_defaults=True)
    return {key: value for key, value in seen.items() if not slots(ruleset.play)[key].ask.secret}


def memberships(request: HttpRequest) -> QuerySet[Member]:
    """Return the user's memberships, each with its party."""
    if not request.user.is_authenticated:
        return Member.objects.none()
    return Member.objects.filter(user=request.user, party__ruleset__in=list(systems())).select_related("party")


def membership(request: HttpRequest, pk: UUID, *, gm: bool = False, lock: bool = False) -> Member:
    """Return the user's membership of a party, with `lock` locking the party (Http404 if none or, with `gm`, no GM)."""
    if lock:
        # The membership is read after the party is locked, because it may have ended while this request waited.
        lock_rows(Party.objects.filter(pk__in=Member.objects.filter(user=request.user.pk, party=pk).values("party")))
    if (found := member_of(request, pk)) is None or (gm and not found.gm):
        raise Http404
    found.party.asked = tuple(request.POST.get(name) or request.GET.get(name, "") for name in ASKED)
    return found


def member_of(request: HttpRequest, pk: UUID | None) -> Member | None:
    """Return the user's membership of a party, or None."""
    found = _memberships_in(request.user.pk, pk) if pk and request.user.pk else []
    return next((one for one in found if one.party.ruleset in systems()), None)


@compiled
def _memberships_in(user: Any, party: Any) -> QuerySet[Member]:
    return Member.objects.filter(user=user, party=party).select_related("party")


def handouts(me: Member) -> QuerySet[Handout]:
    """Return the handouts that a member may read: for a GM all, for others those for all and those for the member.

    The pictures are deferred; the annotation `pictured` is True if there is one.
    """
    found = Handout.objects.filter(party=me.party_id).defer("large", "small").annotate(
        pictured=ExpressionWrapper(Q(small__isnull=False), BooleanField()))
    return found if me.gm else found.filter(
        Q(for_all=True) | Exists(HandoutReader.objects.filter(handout=OuterRef("pk"), member=me.pk)))


def at_table(me: Member, sheets: QuerySet[Sheet]) -> QuerySet[Sheet]:
    """Return those of `sheets` that are played at a member's table."""
    return sheets.filter(party=me.party_id, offered=False, deleted=None)


def played_by(me: Member) -> QuerySet[Sheet]:
    """Return the sheets that a member plays at the party's table: the member's own or, for a GM, all of them.

    GMs play all of them because they correct mistakes, and because opponents belong to the GMs.
    """
    return at_table(me, Sheet.objects.all() if me.gm else Sheet.objects.filter(owner=me.user_id))


def plays(me: Member, sheet: Sheet) -> bool:
    """Return True if a member plays a sheet at the table."""
    return me.gm or sheet.owner_id == me.user_id


def is_own(me: Member, sheet: Sheet) -> bool:
    """Return True if a member plays a sheet with all its secrets; GMs play the sheets of players without these."""
    return sheet.owner_id == me.user_id or (sheet.opponent and me.gm)


def seats(request: HttpRequest, pk: UUID, by: str, at: str, *,
          lock: bool = False) -> tuple[Sheet, Sheet | None, Member, bool]:
    """Return (acting sheet, target or None, the user's membership, True if the user may see the former's secrets).

    Raise Http404 without the right to both. `at` is "" for no target. With `lock`, both are locked after the party.
    """
    me, by, at = membership(request, pk, lock=lock), key_or_404(by), key_or_404(at) if at else None
    there = _asked_for({one for one in (by, at) if one}, me.party_id, lock=lock)
    # These conditions are checked in Python, because each one in the query would cost more than this whole check.
    found = {one.pk: one for one in there if one.party_id == me.party_id and not (one.offered or one.deleted)}
    for one in found.values():
        one.party = me.party
    acting, target = found.get(by), found.get(at) if at else None
    if acting is None or not plays(me, acting) or (at and (
            target is None or target.scene_id != acting.scene_id or not sees_at_table(me, target))):
        raise Http404
    return acting, target, me, is_own(me, acting)


@compiled
def _asked_for(keys: Any, party: Any, *, lock: bool) -> QuerySet[Sheet]:
    asked = Sheet.objects.filter(pk__in=keys)
    return at_table(Member(party_id=party), asked).order_by("pk").select_for_update(of=("self",)) if lock else asked


def seen_at_table(me: Member) -> QuerySet[Sheet]:
    """Return the sheets at the party's table that a member sees there.

    The member may read them or see their figures; for opponents, the member sees at least the wounds.
    """
    there = at_table(me, Sheet.objects.all())
    return there if me.gm else there.filter(
        Q(opponent=True) | Q(owner=me.user_id) | Q(seen_by__in=(PUBLIC, PARTY)) | Q(at_table=True))


def seen_with_owners(me: Member, *, everybody: bool = False) -> list[Sheet]:
    """Return the sheets of `seen_at_table` with their owners; with `everybody` also those that are hidden from me."""
    return _seen(me.user_id, me.party_id, gm=me.gm or everybody)


@compiled
def _seen(user: Any, party: Any, *, gm: bool) -> QuerySet[Sheet]:
    return seen_at_table(Member(user_id=user, party_id=party, role=GM if gm else PLAYER)).select_related("owner")


def sees_at_table(me: Member, sheet: Sheet) -> bool:
    """Return True if a member sees a sheet at the table (as in `seen_at_table`)."""
    return plays(me, sheet) or sheet.opponent or sheet.seen_by != PRIVATE or bool(sheet.at_table)


def sees_not_all(me: Member) -> bool:
    """Return True if there is a sheet at the table that a member does not see (as in `seen_at_table`)."""
    return not me.gm and at_table(me, Sheet.objects.exclude(pk__in=seen_at_table(me).values("pk"))).exists()


def shared(token: str) -> Sheet:
    """Return the sheet with this link's token, without its notes and state of play (Http404).

    It must not be saved.
    """
    sheet = get_object_or_404(Sheet.objects.not_deleted(), share=token)
    sheet.notes, sheet.play = "", {}
    return sheet


def adopt(request: HttpRequest, user: User) -> None:
    """Give the sheets that this browser made as a guest to the user who signs in or up with it."""
    if guest := end_guest(request):
        Sheet.objects.filter(owner=None, guest=guest).update(owner=user, guest="")


def belonging(request: HttpRequest) -> dict:
    """Return the fields that make a new sheet the user's or guest's own; a new guest gets a key here."""
    return {"owner": request.user} if request.user.is_authenticated else {"guest": begin_guest(request)}
