"""Actions on several sheets at once: tag, archive, print, export, bring into a party, throw away."""

import time
import zipfile
from collections.abc import Callable
from functools import partial
from typing import IO
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from builder import drafts
from rulesets import systems
from sheets.access import editable, key_or_404, membership
from sheets.buttons import pressed_about
from sheets.documents import document_of, written
from sheets.export.long_files import file_response
from sheets.models import Sheet
from sheets.parties import services as parties
from sheets.parties.paper import printed_together
from sheets.parties.services import Full
from sheets.signed_in import signed_in_user
from sheets.tags import Untaggable, keys_of, put_tags, take_tags

MAX_SHEETS = 100
"""The most sheets that one action applies to."""


@require_POST
def several(request: HttpRequest) -> HttpResponse:
    """Apply the pressed button's action to the ticked sheets, and redirect to the list or to the action's page."""
    action, about = pressed_about(request.POST, ACTIONS)
    if not (keys := [one.pk for one in _own(request, request.POST.getlist("sheet"))]):
        messages.warning(request, _("No sheet is selected yet; tick at least one."))
        return redirect("mine")
    try:
        url = ACTIONS[action](request, keys, about)
    except (Untaggable, Full) as error:
        messages.error(request, str(error))
        url = None
    return redirect(url or reverse("mine"))


def _own(request: HttpRequest, texts: list[str]) -> list[Sheet]:
    found = editable(request).filter(pk__in=keys_of(texts)[:MAX_SHEETS], offered=False, opponent=False)
    return list(found.filter(ruleset__in=list(systems())).order_by("called", "pk"))


@transaction.atomic
def _tag(request: HttpRequest, keys: list[UUID], _about: str, *, change: Callable = put_tags) -> None:
    change(signed_in_user(request), keys, request.POST.get("tag", ""))


def _archive(request: HttpRequest, keys: list[UUID], _about: str) -> None:
    """Archive the sheets, which hides them from their owner's lists; each stays in its party."""
    editable(request).filter(pk__in=keys, archived=None).update(archived=timezone.now())
    message = ngettext("{n} sheet has been archived; it stays in its party.",
                       "{n} sheets have been archived; they stay in their parties.", len(keys))
    messages.success(request, message.format(n=len(keys)))


def _unarchive(request: HttpRequest, keys: list[UUID], _about: str) -> None:
    editable(request).filter(pk__in=keys).update(archived=None)


def _export(_request: HttpRequest, keys: list[UUID], _about: str) -> str:
    return f"{reverse('several-export')}?{urlencode([('sheet', one) for one in keys])}"


def _move(request: HttpRequest, keys: list[UUID], _about: str) -> str | None:
    """Bring sheets into the chosen party, except those of another system and those in a party already.

    Raise `Full` if the party has no room for all of them; then none is brought in.
    """
    with transaction.atomic():
        party = membership(request, key_or_404(request.POST.get("party", "")), lock=True).party
        eligible = editable(request).filter(
            pk__in=keys, party=None, ruleset=party.ruleset, opponent=False, offered=False)
        found = list(eligible.select_for_update(of=("self",)).order_by("pk"))
        for sheet in found:
            parties.bring_sheet(party, sheet, signed_in_user(request))
    if left := len(keys) - len(found):
        message = ngettext("{n} sheet was left out: it is for another system, or already in a party.",
                           "{n} sheets were left out: they are for another system, or already in parties.",
                           left)
        messages.warning(request, message.format(n=left))
    return reverse("party", args=[party.pk]) if found else None


def _delete(request: HttpRequest, keys: list[UUID], _about: str) -> None:
    for pk in keys:
        drafts.throw_away(request, pk)
    message = ngettext(
        "{n} sheet is in the bin; you can restore it for {days} days.",
        "{n} sheets are in the bin; you can restore them for {days} days.", len(keys))
    messages.success(request, message.format(n=len(keys), days=drafts.DELETED_DAYS))


ACTIONS: dict[str, Callable[[HttpRequest, list[UUID], str], str | None]] = {
    "tag": _tag, "untag": partial(_tag, change=take_tags), "archive": _archive, "unarchive": _unarchive,
    "print": printed_together, "export": _export, "move": _move, "delete": _delete}
"""{name of a button: its function, which returns the URL to redirect to, None for the list of sheets}."""


@require_safe
@never_cache
def export(request: HttpRequest) -> FileResponse:
    """Return a zip with the documents of the requester's sheets whose keys are the `?sheet=` parameters."""
    if not (found := _own(request, request.GET.getlist("sheet"))):
        raise Http404

    def write(file: IO[bytes]) -> None:
        now = time.localtime()[:6]
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for sheet in found:
                name = slugify(sheet.name, allow_unicode=True)[:60] or sheet.ruleset
                entry = zipfile.ZipInfo(f"{name}-{str(sheet.pk)[:8]}.json", now)
                archive.writestr(entry, written(document_of(sheet).asdict()))

    return file_response(write, "application/zip", "bogenschmiede", "zip")
