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
from rulesets.kit import whole
from rulesets.names import isolated
from sheets.access import as_taken_along, membership, reviewable
from sheets.export import layouts
from sheets.export.download_cookie import set_download_cookie
from sheets.export.filenames import inline
from sheets.export.join_pdfs import join_pdfs
from sheets.export.paper import paper
from sheets.export.pdf import missing, typeset
from sheets.models import Encounter, Party, Sheet
from sheets.models.called import by_name
from sheets.parties.evening import (
    EVENING,
    READY,
    SHOWN,
    WHOLE,
    encounter_papers,
    files_of,
    layout_of,
    papers_of,
    people_of,
)
from sheets.parties.library import ON_STAGE, act_of, bodies_of, encounters, listed_encounters
from sheets.parties.paper import AT_ONCE, LAYOUTS, act_paper, group_paper, party_paper, party_title
from sheets.rolls.widgets import Widget
from sheets.signed_in import signed_in, signed_in_user
from sheets.tags import keys_of

log = logging.getLogger(__name__)


@require_safe
@cache_control(private=True, no_store=True)
def print_party(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what can be printed, in files of so many characters each."""
    me = membership(request, pk, gm=True)
    found = listed_encounters(me.user, me.party.ruleset)
    size = layouts.asked_paper(request.GET)
    texts = [me.party.name, *(one.name for one in found[:SHOWN]),
             *me.party.sheets.not_deleted().values_list("name", "data")]
    return render(request, "parties/print.html", {
        "missing": " ".join(missing(texts)),
        "party": me.party, "groups": papers_of(me.party), "encounters": encounter_papers(found[:SHOWN]),
        "more": len(found) > SHOWN, "at_once": AT_ONCE, "size": size, "papers": layouts.PAPERS.items()})


@require_safe
@cache_control(private=True, no_store=True)
def party_pdf(request: HttpRequest, pk: UUID, layout: str, number: int) -> HttpResponse:
    """Return one of these files, counted from 1."""
    party = membership(request, pk, gm=True).party
    if layout not in (*LAYOUTS, *WHOLE, *READY):
        raise Http404
    size = layouts.asked_paper(request.GET)
    if number not in files_of(people_of(party, layout).count()):
        raise Http404
    begin = (number - 1) * AT_ONCE
    people = [as_taken_along(request, one) for one in people_of(party, layout)[begin:begin + AT_ONCE]]
    try:
        raw = _of_party(request, layout, party, people, size)
    except typst.TypstError:
        log.exception("party %s cannot be set as %s", party.pk, layout)
        return render(request, "parties/print.html", {"party": party, "failed": True}, status=500)
    return _file(request, raw, f"{slugify(party.name, allow_unicode=True)[:80] or party.ruleset}-{layout}")


def _of_party(request: HttpRequest, layout: str, party: Party, people: list[Sheet], size: str) -> bytes:
    """Return characters of a party in a layout; whole sheets one after the other, each with its own pages counted."""
    if layout not in LAYOUTS:
        parts = (typeset(layout_of(layout), paper(sheet), size) for sheet in people)
        return join_pdfs(parts, party_title(party), get_language())
    data, drawn = party_paper(party, people, f"{request.scheme}://{request.get_host()}")
    return typeset(LAYOUTS[layout], data, size, drawn=drawn)


@require_safe
@cache_control(private=True, no_store=True)
def evening_pdf(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Return all that is ticked as one file: papers of the party, and of each encounter its sheet and its cards."""
    me = membership(request, pk, gm=True)
    party, size = me.party, layouts.asked_paper(request.GET)
    words = [one for one in (*LAYOUTS, *WHOLE, *READY) if one in request.GET.getlist("with")]
    chosen = {word: list(people_of(party, word)[:EVENING + 1]) for word in words}
    keys = keys_of(request.GET.getlist("encounter"))[:SHOWN]
    found = [(one, bodies_of(one)) for one in by_name(encounters(me.user, party.ruleset).filter(pk__in=keys))]
    number = sum(map(len, chosen.values())) + sum(2 * len(bodies) + bool(one.act) for one, bodies in found)
    if not 0 < number <= EVENING:
        messages.warning(request, _("At most {most} characters are printed in one file; tick fewer.").format(
            most=EVENING) if number else _("Nothing that is ticked has anything to print."))
        return redirect("party-print", pk)
    parts = [
        _of_party(request, word, party, [as_taken_along(request, one) for one in people[begin:begin + AT_ONCE]], size)
        for word, people in chosen.items() for begin in range(0, len(people), AT_ONCE)]
    for one, bodies in found:
        if act := act_of(one):
            parts.append(_of_act(one, act, size))
        parts += [_cards(layout, bodies[begin:begin + ON_STAGE], one.name, size)
                  for layout in (("handed",) if act else ("strip", "handed"))
                  for begin in range(0, len(bodies), ON_STAGE)]
    title = _("{party}, everything for the evening").format(party=isolated(party.name))
    return _file(request, join_pdfs(parts, title, get_language()), f"{party.name}-evening")


@require_safe
@cache_control(private=True, no_store=True)
def together(request: HttpRequest, layout: str) -> HttpResponse:
    """Return several sheets of one's own or of one's parties, `?sheet=` for each, as one PDF in a layout."""
    keys = keys_of(request.GET.getlist("sheet"))
    found = list(reviewable(request).filter(pk__in=keys).select_related("party").order_by("called", "pk"))
    if not found or len(found) < len({*keys}) or layout not in (*LAYOUTS, *WHOLE):
        raise Http404
    if len(found) > AT_ONCE:
        raise BadRequest(_("At most {most} are printed in one file; tick fewer.").format(most=AT_ONCE))
    return _several(request, layout, [as_taken_along(request, one) for one in found], _("Characters"))


@require_safe
@signed_in
@cache_control(private=True, no_store=True)
def encounter_pdf(request: HttpRequest, pk: UUID, layout: str) -> HttpResponse:
    """Return an encounter of one's own as cards, as sheets, or as the sheet by which a GM plays it.

    Of many opponents `?part=` says which so many, counted from 1.
    """
    found = get_object_or_404(encounters(signed_in_user(request)).filter(ruleset__in=list(systems())), pk=pk)
    act = act_of(found)
    if act and layout == "strip":
        return _file(request, _of_act(found, act, layouts.asked_paper(request.GET)), f"{found.name}-{layout}")
    people, part = bodies_of(found), whole(request.GET.get("part", "1")) or 0
    if layout not in (*LAYOUTS, *WHOLE) or not 1 <= part <= -(-len(people) // ON_STAGE):
        raise Http404
    return _several(request, layout, people[(part - 1) * ON_STAGE:part * ON_STAGE], found.name)


def _several(request: HttpRequest, layout: str, people: list[Sheet], name: str) -> HttpResponse:
    """Return sheets that need be in no party as one PDF; of several systems only whole ones are set together."""
    size, rulesets = layouts.asked_paper(request.GET), {one.ruleset for one in people}
    if layout in WHOLE:
        parts = (typeset(layouts.LAYOUTS[layout], paper(sheet), size) for sheet in people)
        raw = join_pdfs(parts, name, get_language())
    elif len(rulesets) == 1:
        raw = _cards(layout, people, name, size)
    else:
        raise BadRequest(_("Cards are printed of one system at a time; tick sheets of one."))
    return _file(request, raw, f"{name}-{layout}")


def _of_act(found: Encounter, act: Widget, size: str) -> bytes:
    """Return the sheet of an encounter against which nobody sits at the table."""
    data, drawn = act_paper(systems()[found.ruleset], found.name, act)
    return typeset(LAYOUTS["strip"], data, size, drawn=drawn)


def _cards(layout: str, people: list[Sheet], name: str, size: str) -> bytes:
    """Return sheets of one system, in a layout in which several share a page."""
    data, drawn = group_paper(people[0].system, name, name, people, [""] * len(people))
    return typeset(LAYOUTS[layout], data, size, drawn=drawn)


def _file(request: HttpRequest, raw: bytes, name: str) -> HttpResponse:
    response = HttpResponse(raw, content_type="application/pdf")
    response["Content-Disposition"] = inline(f"{slugify(name, allow_unicode=True)[:100] or 'sheets'}.pdf")
    set_download_cookie(request, response)
    return response
