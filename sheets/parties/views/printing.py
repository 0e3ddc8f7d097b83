"""Printing of a party, for GMs: the page of choices, and the PDFs."""

import logging
from uuid import UUID

import typst
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from rulesets import systems
from rulesets.kit import parse_whole_number
from rulesets.names import isolated
from sheets.access import as_taken_along, membership, reviewable
from sheets.export import layouts
from sheets.export.download_cookie import set_download_cookie
from sheets.export.filenames import inline
from sheets.export.join_pdfs import join_pdfs
from sheets.export.paper import paper
from sheets.export.pdf import missing_characters, typeset
from sheets.models import Encounter, Party, Sheet
from sheets.models.called import by_name
from sheets.parties.evening import (
    MAX_CHARACTERS,
    MAX_ENCOUNTERS,
    PREGEN_LAYOUTS,
    SHEET_LAYOUTS,
    encounter_papers,
    file_numbers,
    layout_of,
    papers_of,
    sheets_on,
)
from sheets.parties.library import MAX_PER_FILE, act_of, bodies_of, encounters, listed_encounters
from sheets.parties.paper import AT_ONCE, LAYOUTS, act_paper, group_paper, party_paper, party_title
from sheets.rolls.widgets import Widget
from sheets.signed_in import signed_in, signed_in_user
from sheets.tags import keys_of

log = logging.getLogger(__name__)


@require_safe
@cache_control(private=True, no_store=True)
def print_party(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the papers that can be printed, in files of at most `AT_ONCE` characters."""
    me = membership(request, pk, gm=True)
    own = listed_encounters(me.user, me.party.ruleset)
    size = layouts.asked_paper(request.GET)
    texts = [me.party.name, *(one.name for one in own[:MAX_ENCOUNTERS]),
             *me.party.sheets.not_deleted().values_list("name", "data")]
    return render(request, "parties/print.html", {
        "missing": " ".join(missing_characters(texts)),
        "party": me.party, "groups": papers_of(me.party), "encounters": encounter_papers(own[:MAX_ENCOUNTERS]),
        "more": len(own) > MAX_ENCOUNTERS, "at_once": AT_ONCE, "size": size, "papers": layouts.PAPERS.items()})


@require_safe
@cache_control(private=True, no_store=True)
def party_pdf(request: HttpRequest, pk: UUID, layout: str, number: int) -> HttpResponse:
    """Return a file of a paper by its number, counted from 1."""
    party = membership(request, pk, gm=True).party
    if layout not in (*LAYOUTS, *SHEET_LAYOUTS, *PREGEN_LAYOUTS):
        raise Http404
    size = layouts.asked_paper(request.GET)
    if number not in file_numbers(sheets_on(party, layout).count()):
        raise Http404
    begin = (number - 1) * AT_ONCE
    people = [as_taken_along(request, one) for one in sheets_on(party, layout)[begin:begin + AT_ONCE]]
    try:
        raw = _party_file(request, layout, party, people, size)
    except typst.TypstError:
        log.exception("party %s cannot be set as %s", party.pk, layout)
        return render(request, "parties/print.html", {"party": party, "failed": True}, status=500)
    return _pdf_answer(request, raw, f"{slugify(party.name, allow_unicode=True)[:80] or party.ruleset}-{layout}")


def _party_file(request: HttpRequest, layout: str, party: Party, people: list[Sheet], size: str) -> bytes:
    """Return the PDF of a party's characters; in a layout of sheets each has page numbers of its own."""
    if layout not in LAYOUTS:
        parts = (typeset(layout_of(layout), paper(sheet), size) for sheet in people)
        return join_pdfs(parts, party_title(party), get_language())
    data, drawn = party_paper(party, people, f"{request.scheme}://{request.get_host()}")
    return typeset(LAYOUTS[layout], data, size, drawn=drawn)


@require_safe
@cache_control(private=True, no_store=True)
def evening_pdf(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Return one file with all ticked papers of the party, and the sheet and cards of each ticked encounter."""
    me = membership(request, pk, gm=True)
    party, size = me.party, layouts.asked_paper(request.GET)
    papers = [one for one in (*LAYOUTS, *SHEET_LAYOUTS, *PREGEN_LAYOUTS) if one in request.GET.getlist("with")]
    chosen = {slug: list(sheets_on(party, slug)[:MAX_CHARACTERS + 1]) for slug in papers}
    keys = keys_of(request.GET.getlist("encounter"))[:MAX_ENCOUNTERS]
    found = [(one, bodies_of(one)) for one in by_name(encounters(me.user, party.ruleset).filter(pk__in=keys))]
    number = sum(map(len, chosen.values())) + sum(2 * len(bodies) + bool(one.act) for one, bodies in found)
    if not 0 < number <= MAX_CHARACTERS:
        messages.warning(request, _("At most {most} characters can be printed in one file; tick fewer.").format(
            most=MAX_CHARACTERS) if number else _("Nothing you have ticked can be printed."))
        return redirect("party-print", pk)
    parts = [
        _party_file(request, slug, party, [as_taken_along(request, one) for one in people[begin:begin + AT_ONCE]], size)
        for slug, people in chosen.items() for begin in range(0, len(people), AT_ONCE)]
    for one, bodies in found:
        if act := act_of(one):
            parts.append(_act_file(one, act, size))
        parts += [_cards_file(layout, bodies[begin:begin + MAX_PER_FILE], one.name, size)
                  for layout in (("handed",) if act else ("strip", "handed"))
                  for begin in range(0, len(bodies), MAX_PER_FILE)]
    title = _("{party}, everything for the session").format(party=isolated(party.name))
    return _pdf_answer(request, join_pdfs(parts, title, get_language()), f"{party.name}-evening")


@require_safe
@cache_control(private=True, no_store=True)
def together(request: HttpRequest, layout: str) -> HttpResponse:
    """Return several sheets (`?sheet=`) of the user or of their parties as one PDF in a layout."""
    keys = keys_of(request.GET.getlist("sheet"))
    sheets = list(reviewable(request).filter(pk__in=keys).select_related("party").order_by("called", "pk"))
    if not sheets or len(sheets) < len({*keys}) or layout not in (*LAYOUTS, *SHEET_LAYOUTS):
        raise Http404
    if len(sheets) > AT_ONCE:
        raise BadRequest(_("At most {most} can be printed in one file; tick fewer.").format(most=AT_ONCE))
    return _sheets_answer(request, layout, [as_taken_along(request, one) for one in sheets], _("Characters"))


@require_safe
@signed_in
@cache_control(private=True, no_store=True)
def encounter_pdf(request: HttpRequest, pk: UUID, layout: str) -> HttpResponse:
    """Return one of the user's encounters as cards, as sheets, or as the sheet from which a GM plays it.

    `?part=` is the number of the file, counted from 1.
    """
    encounter = get_object_or_404(encounters(signed_in_user(request)).filter(ruleset__in=list(systems())), pk=pk)
    act = act_of(encounter)
    if act and layout == "strip":
        raw = _act_file(encounter, act, layouts.asked_paper(request.GET))
        return _pdf_answer(request, raw, f"{encounter.name}-{layout}")
    people, part = bodies_of(encounter), parse_whole_number(request.GET.get("part", "1")) or 0
    if layout not in (*LAYOUTS, *SHEET_LAYOUTS) or not 1 <= part <= -(-len(people) // MAX_PER_FILE):
        raise Http404
    return _sheets_answer(request, layout, people[(part - 1) * MAX_PER_FILE:part * MAX_PER_FILE], encounter.name)


def _sheets_answer(request: HttpRequest, layout: str, people: list[Sheet], name: str) -> HttpResponse:
    """Return a response with a PDF of sheets; those of different systems can only share a layout of whole sheets."""
    size, rulesets = layouts.asked_paper(request.GET), {one.ruleset for one in people}
    if layout in SHEET_LAYOUTS:
        parts = (typeset(layouts.LAYOUTS[layout], paper(sheet), size) for sheet in people)
        raw = join_pdfs(parts, name, get_language())
    elif len(rulesets) == 1:
        raw = _cards_file(layout, people, name, size)
    else:
        raise BadRequest(_("Cards are printed for one system at a time; tick sheets of only one."))
    return _pdf_answer(request, raw, f"{name}-{layout}")


def _act_file(encounter: Encounter, act: Widget, size: str) -> bytes:
    """Return the PDF of an encounter without opponents."""
    data, drawn = act_paper(systems()[encounter.ruleset], encounter.name, act)
    return typeset(LAYOUTS["strip"], data, size, drawn=drawn)


def _cards_file(layout: str, people: list[Sheet], name: str, size: str) -> bytes:
    """Return the PDF of sheets of one system in a layout with several on a page."""
    data, drawn = group_paper(people[0].system, name, name, people, [""] * len(people))
    return typeset(LAYOUTS[layout], data, size, drawn=drawn)


def _pdf_answer(request: HttpRequest, raw: bytes, name: str) -> HttpResponse:
    response = HttpResponse(raw, content_type="application/pdf")
    response["Content-Disposition"] = inline(f"{slugify(name, allow_unicode=True)[:100] or 'sheets'}.pdf")
    set_download_cookie(request, response)
    return response
