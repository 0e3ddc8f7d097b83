"""The history of a sheet: its revisions with the changes between them, any two compared, and one restored."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from pydantic import ValidationError

from rulesets.kit import Ruleset
from sheets.access import lock_sheet, owns, reviewable_sheet, user_of
from sheets.buttons import pressed_about
from sheets.diff.changes import Diff
from sheets.diff.comparison import difference
from sheets.documents import too_large
from sheets.fitting import beginning, fitted
from sheets.history.revisions import restore
from sheets.models import Review, Revision, Sheet
from sheets.models.reviews import APPROVED, FINISHED, PLAYED, RENEWED, RESTORED, RETURNED, SUBMITTED, WITHDRAWN
from sheets.outline import outline
from sheets.status.reviews import STATES, review_status

PAGE = 12
"""The revisions on one page."""
CHOICES = 100
"""The most revisions that are offered for comparison, the newest; an address may name any."""
ROOM = 192 * 1024
"""The most bytes of all texts of one state."""
NOW = "now"
"""The value that stands for the draft in an address."""
REASONS = {
    FINISHED: gettext_lazy("finished"), SUBMITTED: gettext_lazy("submitted"),
    PLAYED: gettext_lazy("changed at the table"), RESTORED: gettext_lazy("restored"),
    RENEWED: gettext_lazy("seen under newer rules"),
}
"""{kind of a revision: its title}."""
DECISION_MARKS = {
    RETURNED: STATES["returned"], WITHDRAWN: STATES["withdrawn"],
    APPROVED: (gettext_lazy("previously approved"), ""),
}
"""{kind of an entry: (title, tone)} for revisions about which the GMs decided."""


class NoSuchRevision(Exception):
    """An address names no revision; the message says which exist."""


@dataclass(frozen=True)
class RevisionEntry:
    """A revision with its marks, and the difference from the one before."""

    revision: Revision
    reason: Any
    marks: list[tuple[Any, str]]
    """(title, tone) of each."""
    before: Revision | None = None
    diff: Diff | None = None
    """None for the first one, or if the rules cannot read both."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def history(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the revisions before `?before=`, the newest first; compare two by `?a=` and `?b=`; show one by `?of=`.

    On POST restore one, unless the draft was changed since the page was shown.
    """
    if request.method == "POST":
        return _restore(request, pk)
    return _history_page(request, reviewable_sheet(request, pk))


def _restore(request: HttpRequest, pk: UUID) -> HttpResponse:
    _word, which = pressed_about(request.POST, {"restore"})
    with transaction.atomic():
        sheet = lock_sheet(request, pk)
        revision, status = _revision(sheet, which), 409
        if revision is None:
            messages.error(request, _("There is no such revision."))
        elif request.POST.get("_version") != str(sheet.version):
            messages.error(request, _("The sheet was changed in the meantime, so nothing has been restored. Check "
                                      "what is different now, then restore it again."))
        elif too_large(sheet, revision.name, revision.data):
            messages.error(request, _("With the sheet's current notes that revision would be too large for a "
                                      "document; shorten the notes."))
        else:
            try:
                new = restore(sheet, revision, user_of(request))
            except ValidationError:
                messages.error(request, _("The rules can no longer read that revision, so it cannot be restored; open "
                                          "it to see what it says."))
            else:
                status = 302
                messages.success(request, _restored(revision.number, new.number))
    return redirect("history", pk) if status == 302 else _history_page(request, sheet, status=status)


def _restored(number: int, new: int) -> str:
    """Return the message for a restored revision, which is saved as a new one unless it was the last."""
    message = _("The sheet is back to revision {number}.") if number == new else _(
        "The sheet is back to revision {number}, saved as revision {new}.")
    return message.format(number=number, new=new) + " " + _("To go back, use Undo in the builder.")


def _revision(sheet: Sheet, text: str) -> Revision | None:
    """Return the revision with the number in a text, None if there is none."""
    known = text.isascii() and text.isdigit() and len(text) < 9
    return sheet.revisions.select_related("author").filter(number=int(text)).first() if known else None


def _history_page(request: HttpRequest, sheet: Sheet, *, status: int = 200) -> HttpResponse:
    ruleset, mine = sheet.system, owns(request, sheet)
    chosen = {side: request.GET.get(side, "").strip() for side in "ab"}
    context = {"sheet": sheet, "ruleset": ruleset, "mine": mine, "now": NOW,
               "rules_url": reverse("rules", args=[ruleset.slug]), **_choices(sheet, chosen)}
    try:
        if "of" in request.GET:
            context |= _shown(ruleset, sheet, _meant(sheet, request.GET["of"]))
        elif "a" in request.GET:
            context |= _compared(ruleset, *(_meant(sheet, request.GET.get(side, NOW) or NOW) for side in "ab"))
        else:
            context |= _listed(ruleset, sheet, request.GET.get("before", ""))
    except NoSuchRevision as error:
        context |= {"fault": str(error), **_listed(ruleset, sheet, "")}
        status = 422
    return render(request, "history/page.html", context, status=status)


def _choices(sheet: Sheet, chosen: dict[str, str]) -> dict[str, Any]:
    """Return the choices for a comparison, [(value in an address, title)], the newest first, and the chosen two."""
    known = sheet.revisions.order_by("-number").defer("data", "house")
    revisions = list(known[:CHOICES])
    more = {int(text) for text in chosen.values() if text.isascii() and text.isdigit() and len(text) < 9}
    if len(revisions) == CHOICES and (older := more - {one.number for one in revisions}):
        revisions += known.filter(number__in=older)
    if not revisions:
        return {"choices": []}
    choices = [(str(one.number), " · ".join((
        _called(one), str(REASONS[one.kind]), date_format(localtime(one.made), "SHORT_DATETIME_FORMAT"))))
        for one in revisions]
    return {"choices": [(NOW, _called(sheet)), *choices], "a": chosen["a"] or choices[0][0], "b": chosen["b"] or NOW}


def _meant(sheet: Sheet, text: str) -> Revision | Sheet:
    """Return the revision, or the draft, that an address names; raise `NoSuchRevision` if there is none."""
    if text.strip() == NOW:
        return sheet
    if found := _revision(sheet, text.strip()):
        return found
    if (last := sheet.revisions.order_by("-number").values_list("number", flat=True).first()) is None:
        raise NoSuchRevision(_("There is no revision yet; one is saved when you finish or submit the sheet."))
    raise NoSuchRevision(_("“{text}” is not a revision; there are 1 to {last}.").format(text=text[:20], last=last))


def _listed(ruleset: Ruleset, sheet: Sheet, before: str) -> dict[str, Any]:
    """Return a page of revisions; the first page begins with the draft."""
    found = sheet.revisions.select_related("author").order_by("-number")
    deeper = before.isascii() and before.isdigit() and len(before) < 9
    # One more than is shown, because the last one is compared with it.
    revisions = list((found.filter(number__lt=int(before)) if deeper else found)[: PAGE + 1])
    marks = _marks(sheet, revisions)
    entries = [RevisionEntry(one, REASONS[one.kind], marks.get(one.pk, []), older,
                             difference(ruleset, older, one) if older else None)
               for one, older in zip(revisions[:PAGE], [*revisions[1:], None], strict=False)]
    newest = revisions[0] if revisions and not deeper else None
    return {"entries": entries, "more": revisions[PAGE - 1] if len(revisions) > PAGE else None, "deeper": deeper,
            "newest": newest, "draft": newest and difference(ruleset, newest, sheet)}


def _marks(sheet: Sheet, revisions: list[Revision]) -> dict[int | None, list[tuple[Any, str]]]:
    """Return {key of a revision: its marks from the reviews in the sheet's present party}."""
    if not (revisions and sheet.party_id):
        return {}
    status = review_status(sheet, likely=True)
    found: dict[int | None, list[tuple[Any, str]]] = {}
    reviews = Review.objects.filter(sheet=sheet, party=sheet.party_id, revision__in=revisions, kind__in=DECISION_MARKS)
    for revision, kind in reviews.order_by("number").values_list("revision", "kind"):
        found[revision] = [DECISION_MARKS[kind]]
    if status.waiting:
        found[status.waiting.revision_id] = [STATES["waiting"]]
    if status.approval:
        found[status.approval.revision_id] = [STATES["approved"]]
    if status.revision:
        found.setdefault(status.revision.pk, []).append((_("played"), "good"))
    return found


def _compared(ruleset: Ruleset, before: Revision | Sheet, after: Revision | Sheet) -> dict[str, Any]:
    """Return the context for comparing two states; as they are stored if the rules cannot read them."""
    found = difference(ruleset, before, after)
    raw = [] if found is not None else [(_called(one), _raw(one)) for one in (before, after)]
    return {"compared": [_called(before), _called(after)], "diff": found and found.on_a_page(), "raw": raw}


def _shown(ruleset: Ruleset, sheet: Sheet, state: Revision | Sheet) -> dict[str, Any]:
    """Return the context for showing one complete state."""
    context: dict[str, Any] = {"shown": state, "called": _called(state)}
    if isinstance(state, Revision):
        context["entry"] = RevisionEntry(state, REASONS[state.kind], _marks(sheet, [state]).get(state.pk, []))
    try:
        house = ruleset.house.model_validate(state.house)
        read = outline(ruleset.sheet.model_validate(state.data).under(house), house, state.name)
    except ValidationError:
        return context | {"raw": [(_called(state), _raw(state))]}
    read, cut = fitted(read, ROOM)
    return context | {"outline": read, "cut": cut}


def _called(one: Revision | Sheet) -> str:
    return _("revision {number}").format(number=one.number) if isinstance(one, Revision) else _("the draft")


def _raw(one: Revision | Sheet) -> str:
    """Return the stored data of a state as indented JSON, cut to `ROOM`."""
    stored = json.dumps({"name": one.name, "house": one.house, "data": one.data}, ensure_ascii=False, indent=2)
    text, cut = beginning(stored, ROOM)
    return text + ("…" if cut else "")
