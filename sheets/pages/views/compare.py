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
from sheets.pages.comparison import Side, compared
from sheets.pages.samples import sample

LISTED = 100
"""Sheets of one's own that are to choose from, the last changed first."""
TRIED = 4
"""Sheets of one's own of which one is taken that can meet another."""
LONGEST = 2_000
"""Characters of an address in which a link is looked for; one of ours has a hundred."""
_LINK = re.compile(r"(?:^|/shared/)([\w-]{1,64})/?(?:[?#]|$)")


def _sides(request: HttpRequest, ruleset: Ruleset, own: dict[str, str]) -> list[Side]:
    """Both as the address has them; a side of which it says nothing has a sheet that makes sense there."""
    stated = {letter: any(key == letter or key.startswith((f"{letter}.", f"{letter}_")) for key in request.GET)
              for letter in ("a", "b")}
    sides = {letter: _side(request, ruleset, letter) for letter, there in stated.items() if there}
    for letter in stated:
        taken = {side.ref for side in sides.values()}
        refs = (ref for ref in (*list(own)[:TRIED], *ruleset.examples) if ref not in taken)
        offered = (_sensible(request, ruleset, letter, ref) for ref in refs if letter not in sides)
        if found := next(filter(None, offered), None):
            sides[letter] = found
    return [sides.get(letter) or Side(ruleset, letter, {}, None) for letter in stated]


def _sensible(request: HttpRequest, ruleset: Ruleset, letter: str, ref: str) -> Side | None:
    """Return a side as an address states it, if it can be read and meet another."""
    with suppress(ValidationError):
        side = Side(ruleset, letter, {}, _character(request, ruleset, ref), ref)
        return side if side.sensible else None
    return None


def _side(request: HttpRequest, ruleset: Ruleset, letter: str) -> Side:
    """Return the side as the address has it: with the sheet of a shared link, else with the chosen one."""
    link, ref = request.GET.get(f"{letter}_link", "").strip(), request.GET.get(letter, "")
    found = _LINK.search(link) if len(link) <= LONGEST else None
    sheet = _shared(ruleset).filter(share=found[1]).first() if found else None
    if sheet:
        link, ref = "", sheet.share or ""
    character = _character(request, ruleset, ref, sheet) if ref else None
    return Side(ruleset, letter, dict(request.GET.lists()), character, ref, link)


def _character(request: HttpRequest, ruleset: Ruleset, ref: str, sheet: Sheet | None = None) -> Character:
    """Return the character that an address names (Http404): a sample by its slug, else a sheet."""
    if sheet is None and ref in ruleset.examples:
        return sample(ruleset, ref)
    sheet = sheet or _sheet(request, ruleset, ref)
    # By a link nobody sees more than it shows, the owner neither.
    unplayed = ref == sheet.share and not sheet.share_play
    return Character(sheet, others=not owns(request, sheet), unplayed=unplayed)


def _shared(ruleset: Ruleset) -> QuerySet[Sheet]:
    return Sheet.objects.not_deleted().filter(ruleset=ruleset.slug)


def _sheet(request: HttpRequest, ruleset: Ruleset, ref: str) -> Sheet:
    """Return the sheet that an address names: a readable one by its key, a shared one by its token (else Http404)."""
    if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", ref):
        return get_object_or_404(readable(request).filter(ruleset=ruleset.slug), pk=ref)
    if not re.fullmatch(r"[\w-]{1,64}", ref, re.ASCII):
        raise Http404
    return get_object_or_404(_shared(ruleset), share=ref)


@require_safe
def compare(request: PageRequest, slug: str) -> HttpResponse:
    """Show the comparison; whatever is chosen and typed is in its address."""
    ruleset = system_or_404(slug)
    found = editable(request).filter(ruleset=slug).order_by("-updated").values_list("pk", "name")[:LISTED]
    own = {str(pk): name for pk, name in found}
    context = compared(_sides(request, ruleset, own)) | {
        "ruleset": ruleset, "contest": ruleset.contest, "own": own,
        "samples": {which: document["name"] for which, document in ruleset.examples.items()},
    }
    return render(request, "pages/compare/_answer.html" if request.htmx else "pages/compare/page.html", context)
