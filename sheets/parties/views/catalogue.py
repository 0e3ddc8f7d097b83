"""The pages of a party's catalogue: its entries, each entry with the impact of a change, and the document."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from rulesets import systems
from rulesets.kit import open_lists
from rulesets.parsing import BYTES, Unreadable
from sheets.access import membership, memberships
from sheets.buttons import no_such_button, pressed_about
from sheets.documents import written
from sheets.export.filenames import disposition
from sheets.models import GMS, Member, PartyEntry
from sheets.models.keys import key_or_404
from sheets.optimistic_lock import prepare_then_lock
from sheets.parties.catalogue import (
    EntryChange,
    add_entries,
    catalogue_document,
    prepare_entry_change,
    read_catalogue,
    save_entry_change,
    shown_entries,
    standing,
)
from sheets.parties.catalogue_form import EntryForm
from sheets.parties.house_impact import impact_in_words
from sheets.parties.house_services import PartySheets, party_sheets
from sheets.parties.services import Full

SEARCHED, SOUGHT = 24, 200
"""The most entries for which no search is shown, and the most characters of a query that are used."""
MOST_TOLD = 10
"""The most errors of a document that are listed."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def catalogue(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the catalogue; on POST add an entry as a GM, import a document, or copy all to another party."""
    if request.method != "POST":
        return _page(request, membership(request, pk))
    action, about = pressed_about(request.POST, ("add", "import", "copy"))
    me = membership(request, pk, gm=True)
    if action == "add":
        return _add(request, me, about)
    return (_import if action == "import" else _copy)(request, me)


def _page(request: HttpRequest, me: Member, form: EntryForm | None = None, faults: list[str] | None = None,
          ) -> HttpResponse:
    ruleset = systems()[me.party.ruleset]
    lists = open_lists(ruleset.sheet)
    if me.gm and form is None and lists:
        asked = tuple(request.GET.get("list", "").split(":"))
        form = EntryForm(ruleset, asked if asked in lists else next(iter(lists)))
    entries, query = standing(me.party), request.GET.get("q", "")[:SOUGHT]
    return render(request, "parties/catalogue/list.html", {
        "me": me, "party": me.party, "ruleset": ruleset, "found": shown_entries(me, entries, query), "form": form,
        "entries": entries, "query": query, "searched": query or len(entries) > SEARCHED,
        "forms": [EntryForm(ruleset, where) for where in lists] if me.gm and len(lists) > 1 else (),
        "faults": faults or (), "others": _others(request, me) if me.gm and entries else (),
    }, status=422 if faults or (form and form.posted is not None) else 200)


def _others(request: HttpRequest, me: Member) -> list[Member]:
    """Return the memberships of a GM in their other parties of the same system."""
    return list(memberships(request).filter(role__in=GMS, party__ruleset=me.party.ruleset)
                .exclude(party=me.party_id).order_by("party__called", "party"))


def _add(request: HttpRequest, me: Member, about: str) -> HttpResponse:
    ruleset, (place, _colon, tag) = systems()[me.party.ruleset], about.partition(":")
    if (place, tag) not in open_lists(ruleset.sheet):
        raise no_such_button()
    form = EntryForm(ruleset, (place, tag), None, request.POST.dict())
    if form.row is None:
        return _page(request, me, form)
    try:
        with transaction.atomic():
            added = add_entries(membership(request, me.party_id, gm=True, lock=True).party, [((place, tag), form.row)])
    except Full as error:
        return _page(request, me, form, [str(error)])
    messages.success(request, _("The entry is in the catalogue.") if added else _("The catalogue has that entry."))
    return redirect("catalogue", me.party_id)


def _import(request: HttpRequest, me: Member) -> HttpResponse:
    file = request.FILES.get("file")
    raw = file.read(BYTES + 1) if file else request.POST.get("document", "").encode("utf-8", "replace")
    if not raw.strip():
        return _page(request, me, faults=[_("This is empty; paste a document or choose a file.")])
    try:
        rows = read_catalogue(systems()[me.party.ruleset], raw)
        with transaction.atomic():
            added = add_entries(membership(request, me.party_id, gm=True, lock=True).party, rows)
    except Unreadable as error:
        return _page(request, me, faults=[": ".join(filter(None, map(str, one)))
                                          for one in error.offences[:MOST_TOLD]])
    except Full as error:
        return _page(request, me, faults=[str(error)])
    messages.success(request, _told(added))
    return redirect("catalogue", me.party_id)


def _told(added: int) -> str:
    return ngettext("{n} entry has been added.", "{n} entries have been added.", added).format(n=added)


def _copy(request: HttpRequest, me: Member) -> HttpResponse:
    rows = [((one.place, one.tag), one.row) for one in standing(me.party)]
    with transaction.atomic():
        other = membership(request, key_or_404(request.POST.get("party", "")), gm=True, lock=True)
        if other.party.ruleset != me.party.ruleset:
            raise no_such_button()
        try:
            added = add_entries(other.party, rows)
        except Full as error:
            return _page(request, me, faults=[str(error)])
    messages.success(request, _told(added))
    return redirect("catalogue", other.party_id)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def entry(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show an entry as a form; on POST show the impact of its change or withdrawal, then save it as shown."""
    me = membership(request, pk, gm=True)
    found = _entry(me, number)
    ruleset, where = systems()[me.party.ruleset], (found.place, found.tag)
    if where not in open_lists(ruleset.sheet):
        raise no_such_button()
    if request.method != "POST":
        return _entry_page(request, me, EntryForm(ruleset, where, found.row), found)
    action, seen = pressed_about(request.POST, ("change", "withdraw"))
    form = EntryForm(ruleset, where, found.row, request.POST.dict())
    if action == "change" and (form.row is None or form.row == found.row):
        return _entry_page(request, me, form, found)
    row = form.row if action == "change" else None
    change, saved = prepare_then_lock(
        partial(_sheets, request, pk), partial(_sheets, request, pk, lock=True),
        lambda sheets: prepare_entry_change(sheets, _entry(sheets.me, number), row),
        partial(save_entry_change, seen=seen))
    if saved:
        messages.success(request, (_("The entry has been changed.") if row else _("The entry has been withdrawn."))
                         + " " + impact_in_words(change.impacts))
        return redirect("catalogue", pk)
    return _entry_page(request, me, form, found, change, action, unsaved=bool(seen))


def _entry(me: Member, number: int) -> PartyEntry:
    return get_object_or_404(PartyEntry, party=me.party_id, withdrawn=None, pk=number)


def _sheets(request: HttpRequest, pk: UUID, *, lock: bool = False) -> PartySheets:
    return party_sheets(membership(request, pk, gm=True, lock=lock), lock=lock)


def _entry_page(request: HttpRequest, me: Member, form: EntryForm, found: PartyEntry,
                change: EntryChange | None = None, action: str = "", *, unsaved: bool = False) -> HttpResponse:
    return render(request, "parties/catalogue/entry.html", {
        "me": me, "party": me.party, "ruleset": systems()[me.party.ruleset], "form": form, "entry": found,
        "change": change, "action": action, "said": impact_in_words(change.impacts) if change else "",
        "unsaved": unsaved,
    }, status=409 if unsaved else 422 if form.faults and not change else 200)


@require_safe
@never_cache
def catalogue_file(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Return the catalogue as a document."""
    me = membership(request, pk)
    answer = HttpResponse(written(catalogue_document(me.party)), content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = disposition(me.party.name, "catalogue.json")
    return answer
