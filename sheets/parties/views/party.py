"""The parties of a user, and the page of each."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets import systems
from rulesets.folding import order_key
from rulesets.names import one_line
from sheets.access import PageRequest, editable, key_or_404, membership, memberships, readable
from sheets.buttons import pressed_about
from sheets.evenings.queries import shown_evenings
from sheets.forms.house_rules import house_differences
from sheets.forms.notes import SentNotes
from sheets.forms.seen import overtaken
from sheets.models import ROLES, Member, Party
from sheets.models.store import store
from sheets.parties import services as parties
from sheets.parties.paper import qr_code
from sheets.parties.services import TITLES, Full, name_fault
from sheets.signed_in import signed_in_user
from sheets.stage.party_gone import party_gone
from sheets.status.outward import outward
from sheets.status.reviews import review_statuses
from sheets.status.sheet_check import check_sheet

MAX_LOOSE = 100
"""The most of the user's sheets that the form offers; the page links to the list of all."""


@require_http_methods(["GET", "HEAD", "POST"])
def my_parties(request: HttpRequest) -> HttpResponse:
    """Show the user's parties; on POST create one. Without an account show an explanation."""
    if not request.user.is_authenticated:
        if request.method == "POST":
            # The page for 404 shows users who were signed out meanwhile what they typed.
            raise Http404
        return render(request, "parties/list.html", {})
    name, slug, fault = "", "", ""
    if request.method == "POST":
        name, slug = one_line(request.POST.get("name", "")), request.POST.get("ruleset", "")
        fault = name_fault(name)
        if slug not in systems():
            raise BadRequest(_("There is no such system."))
        if not fault:
            try:
                return redirect("party", parties.found_party(request.user, name, systems()[slug]).pk)
            except Full as error:
                fault = str(error)
    memberships_ = memberships(request).order_by("party__called", "pk")
    context = {"parties": [(one, systems()[one.party.ruleset], TITLES[one.role]) for one in memberships_],
               "systems": systems().values(), "name": name, "slug": slug, "fault": fault}
    return render(request, "parties/list.html", context, status=422 if fault else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def party(request: PageRequest, pk: UUID) -> HttpResponse:
    """Show the party's page; on POST perform the button's action."""
    if request.method != "POST":
        try:
            me = membership(request, pk)
        except Http404:
            return party_gone(request, pk)
        return _party_page(request, me)
    action, which = pressed_about(request.POST, ACTIONS)
    gm, perform = ACTIONS[action]
    with transaction.atomic():
        me = membership(request, pk, gm=gm, lock=True)
        try:
            error_context = perform(request, me, which)
        except Full as error:
            messages.error(request, str(error))
            error_context = None
    # The page is drawn after the transaction, so that the party is not locked meanwhile.
    if error_context and request.htmx and "sent_notes" in error_context:
        return render(request, "components/_notes_state.html", error_context | {"ref": "notes"})
    return _party_page(request, me, **error_context) if error_context else redirect(
        f"{reverse('party', args=[pk])}?done={action}#{PLACES[action]}")


def _party_page(request: HttpRequest, me: Member, **more: Any) -> HttpResponse:
    group = me.party
    ruleset = systems()[group.ruleset]
    house = ruleset.house.model_validate(group.house)
    sheets = list(readable(request).filter(party=group, opponent=False).select_related("owner", "party")
                .defer("typed", "play"))
    statuses = review_statuses(sheets)
    if not me.gm:
        statuses |= {one.pk: outward(one, statuses[one.pk]) for one in sheets if one.owner_id != me.user_id}
    members = sorted(group.members.select_related("user").order_by("joined", "pk"),
                     key=lambda one: ROLES.index(one.role))
    checks = sorted((check_sheet(ruleset, sheet, house, statuses[sheet.pk]) for sheet in sheets if not sheet.offered),
                     key=lambda one: (order_key(one.name), one.sheet.pk))
    link = _invitation_url(request, group) if me.gm else ""
    loose = list(editable(request).filter(party=None, ruleset=group.ruleset, opponent=False, archived=None).only("name")
                 .order_by("called", "pk")[:MAX_LOOSE + 1])
    return render(request, "parties/party.html", {
        "me": me, "party": group, "ruleset": ruleset, "differences": house_differences(ruleset, house),
        "people": [(one, TITLES[one.role], [check for check in checks if check.sheet.owner_id == one.user_id])
                   for one in members],
        "ready": sum(sheet.offered for sheet in sheets), "link": link, "code": qr_code(link),
        "shown": shown_evenings(request.user, [me]).get(group.pk),
        "loose": loose[:MAX_LOOSE], "beyond": len(loose) > MAX_LOOSE, "most": MAX_LOOSE,
        "done": request.GET.get("done", ""), **more,
    }, status=_status(more))


def _invitation_url(request: HttpRequest, group: Party) -> str:
    """Return the absolute URL of the invitation, "" if there is none."""
    path = reverse("join", args=[group.invitation]) if group.invitation else ""
    return path and request.build_absolute_uri(path)


def _status(more: dict) -> int:
    """Return the status of the page with an error context."""
    if "sent_notes" in more:
        return more["sent_notes"].error_status
    return 409 if "overtaken" in more else 422 if more else 200


def _change_link(request: HttpRequest, me: Member, _which: str, *, action: str) -> dict[str, Any] | None:
    """Replace the invitation link (action "invite"), or revoke it ("revoke")."""
    if overtaken(request.POST, me.party.invitation or ""):
        return {"overtaken": action}
    store(me.party, invitation=parties.new_token() if action == "invite" else None)
    return None


def _notes(request: PageRequest, me: Member, _which: str) -> dict[str, Any] | None:
    sent = SentNotes.of(request.POST, "notes", me.notes)
    if sent.can_save:
        store(me, notes=sent.text)
    return {"sent_notes": sent} if request.htmx or not sent.can_save else None


def _bring(request: HttpRequest, me: Member, _which: str) -> dict[str, Any] | None:
    own = editable(request).select_for_update(of=("self",))
    sheet = get_object_or_404(own, pk=key_or_404(request.POST.get("sheet", "")), ruleset=me.party.ruleset)
    if sheet.party_id:
        return {"overtaken": "bring"}
    parties.bring_sheet(me.party, sheet, signed_in_user(request))
    return None


def _drop(request: HttpRequest, me: Member, which: str) -> dict[str, Any] | None:
    """Take a sheet out, for its owner or for a GM."""
    sheet = me.party.sheets.not_deleted().select_related("owner").filter(pk=key_or_404(which)).first()
    if sheet is None:
        return {"overtaken": "drop"}
    if not me.gm and sheet.owner != request.user:
        raise Http404
    parties.drop_sheet(me.party, sheet, signed_in_user(request))
    return None


ACTIONS: dict[str, tuple[bool, Callable]] = {
    **{action: (True, partial(_change_link, action=action)) for action in ("invite", "revoke")},
    "notes": (False, _notes), "bring": (False, _bring), "drop": (False, _drop),
}
"""{action of a button: (True if only for GMs, function that performs it and returns an error context or None)}."""
PLACES = {"invite": "invitation", "revoke": "invitation", "notes": "notes", "bring": "sheets", "drop": "sheets"}
"""{action: id of the page's section that shows its confirmation}."""
