"""The page on which two sheets of a system are compared, or a sheet and typed figures."""

import re
from contextlib import suppress

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe
from pydantic import ValidationError

from rulesets.kit import Ruleset
from sheets.access import PageRequest, editable, owns, readable
from sheets.character import Character
from sheets.models import Sheet, system_or_404
from sheets.pages.comparison import Side, comparison_context
from sheets.pages.samples import sample

MAX_LISTED = 100
"""The most of the user's sheets that are offered, the last changed first."""
MAX_TRIED = 4
"""The most of the user's sheets that are tried as the default of a side."""
MAX_LINK_LENGTH = 2_000
"""The most characters of an address that may be a link; a real one has about a hundred."""
_LINK = re.compile(r"(?:^|/shared/)([\w-]{1,64})/?(?:[?#]|$)")


def _sides(request: HttpRequest, ruleset: Ruleset, own: dict[str, str]) -> list[Side]:
    """Return both sides as the query string has them; a side that it does not mention gets a usable sheet."""
    named = {letter: any(key == letter or key.startswith((f"{letter}.", f"{letter}_")) for key in request.GET)
              for letter in ("a", "b")}
    sides = {letter: _side(request, ruleset, letter) for letter, is_named in named.items() if is_named}
    for letter in named:
        taken = {side.ref for side in sides.values()}
        refs = (ref for ref in (*list(own)[:MAX_TRIED], *ruleset.examples) if ref not in taken)
        candidates = (_usable_side(request, ruleset, letter, ref) for ref in refs if letter not in sides)
        if side := next(filter(None, candidates), None):
            sides[letter] = side
    return [sides.get(letter) or Side(ruleset, letter, {}, None) for letter in named]


def _usable_side(request: HttpRequest, ruleset: Ruleset, letter: str, ref: str) -> Side | None:
    """Return the side for a sheet's reference, or None if the sheet cannot be read or cannot meet another."""
    with suppress(ValidationError):
        side = Side(ruleset, letter, {}, _character(request, ruleset, ref), ref)
        return side if side.usable else None
    return None


def _side(request: HttpRequest, ruleset: Ruleset, letter: str) -> Side:
    """Return a side as the query string has it: with the sheet of a shared link, or else the chosen sheet."""
    link, ref = request.GET.get(f"{letter}_link", "").strip(), request.GET.get(letter, "")
    match = _LINK.search(link) if len(link) <= MAX_LINK_LENGTH else None
    sheet = _shared(ruleset).filter(share=match[1]).first() if match else None
    if sheet:
        link, ref = "", sheet.share or ""
    character = _character(request, ruleset, ref, sheet) if ref else None
    return Side(ruleset, letter, dict(request.GET.lists()), character, ref, link)


def _character(request: HttpRequest, ruleset: Ruleset, ref: str, sheet: Sheet | None = None) -> Character:
    """Return the character for a reference: a sample by its slug, or else a sheet. Raise Http404 without one."""
    if sheet is None and ref in ruleset.examples:
        return sample(ruleset, ref)
    sheet = sheet or _sheet(request, ruleset, ref)
    # A link shows the owner no more than anybody else.
    unplayed = ref == sheet.share and not sheet.share_play
    return Character(sheet, others=not owns(request, sheet), unplayed=unplayed)


def _shared(ruleset: Ruleset) -> QuerySet[Sheet]:
    return Sheet.objects.not_deleted().filter(ruleset=ruleset.slug)


def _sheet(request: HttpRequest, ruleset: Ruleset, ref: str) -> Sheet:
    """Return the sheet for a reference: a readable one by its key, or a shared one by its token; else raise Http404."""
    if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", ref):
        return get_object_or_404(readable(request).filter(ruleset=ruleset.slug), pk=ref)
    if not re.fullmatch(r"[\w-]{1,64}", ref, re.ASCII):
        raise Http404
    return get_object_or_404(_shared(ruleset), share=ref)


@require_safe
def compare(request: PageRequest, slug: str) -> HttpResponse:
    """Show the comparison; everything chosen or typed is in the query string."""
    ruleset = system_or_404(slug)
    sheets = editable(request).filter(ruleset=slug).order_by("-updated").values_list("pk", "name")[:MAX_LISTED]
    own = {str(pk): name for pk, name in sheets}
    context = comparison_context(_sides(request, ruleset, own)) | {
        "ruleset": ruleset, "contest": ruleset.contest, "own": own,
        "samples": {which: document["name"] for which, document in ruleset.examples.items()},
    }
    return render(request, "pages/compare/_answer.html" if request.htmx else "pages/compare/page.html", context)
