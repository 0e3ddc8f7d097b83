"""Drafts: made, saved with a version, undone and redone, copied, thrown away and brought back."""

from datetime import timedelta

from django.db.models import Q
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import ngettext

from builder.merge import State
from rulesets import systems
from rulesets.document import BYTES, canonical
from rulesets.kit import Ruleset
from sheets.access import belonging, editable
from sheets.models import Change, Sheet

UNDO = 20
"""Changes that can be taken back."""
GUEST_DRAFTS = 30
"""Drafts that one browser may keep without an account."""
GUEST_DAYS, DELETED_DAYS = 60, 30
"""Days after which a guest's untouched drafts, and thrown away ones, are gone for good."""
TYPING = timedelta(seconds=10)
"""Texts typed without a longer pause are one change."""


class TooMany(Exception):
    """A guest has as many drafts as a browser may keep; the message says the way out."""


def ruleset_of(sheet: Sheet) -> Ruleset:
    """The system of a stored sheet; nothing is to be found of one whose system is gone."""
    try:
        return systems()[sheet.ruleset]
    except KeyError:
        raise Http404 from None


def create(request: HttpRequest, ruleset: Ruleset, document: dict | None = None) -> Sheet:
    """A new draft of the request's own (`TooMany` for a guest with too many)."""
    tidy()
    room(request)
    document = document or ruleset.document()
    return Sheet.objects.create(
        ruleset=ruleset.slug, name=document["name"], data=document["data"], house=document.get("house", {}),
        typed=document.get("typed", {}), play=document.get("play", {}), notes=document.get("notes", ""),
        **belonging(request),
    )


def room(request: HttpRequest) -> None:
    """`TooMany` for a guest who has as many drafts as a browser may keep."""
    if not request.user.is_authenticated and editable(request).count() >= GUEST_DRAFTS:
        raise TooMany(ngettext(
            "This browser keeps {n} draft already; delete one, or sign in.",
            "This browser keeps {n} drafts already; delete some, or sign in.", GUEST_DRAFTS,
        ).format(n=GUEST_DRAFTS))


def tidy() -> int:
    """Removes what nobody came back for; answers how many sheets went."""
    now = timezone.now()
    old = Sheet.objects.filter(owner=None, updated__lt=now - timedelta(days=GUEST_DAYS))
    gone = Sheet.objects.filter(deleted__lt=now - timedelta(days=DELETED_DAYS))
    return old.delete()[0] + gone.delete()[0]


def too_large(sheet: Sheet, name: str, data: dict) -> bool:
    """Whether the sheet's document would be larger than one may be."""
    return len(canonical({**ruleset_of(sheet).document(name, data), "house": sheet.house})) > BYTES


def locked(request: HttpRequest, pk) -> Sheet:
    """The request's own draft, held until the transaction ends (`Sheet.DoesNotExist` for others')."""
    return editable(request).select_for_update(of=("self",)).get(pk=pk)


def save(sheet: Sheet, new: State, *, text: str = "") -> None:
    """Stores a change of a locked draft and the state before it.

    `text` is the path where only one text was typed on: a run of such saves is one change to undo.
    """
    if new == state(sheet):
        return
    now = timezone.now()
    if not (text and text == sheet.typing and now - sheet.updated < TYPING):
        # What is too old to be taken back goes now and then, not with every change.
        if sheet.position < sheet.top or sheet.position % UNDO == 0:
            sheet.changes.filter(Q(number__gte=sheet.position) | Q(number__lte=sheet.position - UNDO)).delete()
        _keep(sheet)
        sheet.position += 1
        sheet.top = sheet.position
    sheet.name, sheet.data, sheet.typed, sheet.typing = new.name, new.data, new.typed, text
    sheet.version += 1
    sheet.save()


def state(kept: Sheet | Change) -> State:
    """What a draft, or a place in its history, holds."""
    return State(kept.name, kept.data, kept.typed)


def travel(sheet: Sheet, by: int) -> None:
    """Undo (-1) or redo (+1) on a locked draft; nothing happens where there is nothing to go to."""
    there = sheet.changes.filter(number=sheet.position + by).first()
    if there:
        _keep(sheet)
        sheet.position += by
        sheet.name, sheet.data, sheet.typed, sheet.typing = there.name, there.data, there.typed, ""
        sheet.version += 1
        sheet.save()


def _keep(sheet: Sheet) -> None:
    """Stores the draft's state at its place in the history, where undo or redo may have left one already."""
    now = Change(sheet=sheet, number=sheet.position, version=sheet.version, **vars(state(sheet)))
    Change.objects.bulk_create([now], update_conflicts=True, unique_fields=["sheet", "number"],
                               update_fields=["version", "name", "data", "typed"])


def can_undo(sheet: Sheet) -> bool:
    """Whether there is a change to take back."""
    return sheet.position > max(0, sheet.top - UNDO)


def can_redo(sheet: Sheet) -> bool:
    """Whether a change was taken back that can be done again."""
    return sheet.position < sheet.top
