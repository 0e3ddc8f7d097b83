"""Printing of a party, for GMs: the page of choices, and the PDFs."""

import logging
from uuid import UUID

import typst
from django.core.exceptions import BadRequest
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from rulesets import systems
from rulesets.kit import whole
from sheets.access import as_taken_along, membership, reviewable
from sheets.export import awaited, layouts
from sheets.export.filenames import inline
from sheets.export.joined import joined
from sheets.export.paper import paper
from sheets.export.pdf import missing, typeset
from sheets.models import Party, Sheet
from sheets.parties.library import ON_STAGE, act_of, bodies_of, encounters
from sheets.parties.paper import AT_ONCE, LAYOUTS, act_paper, group_paper, party_paper, party_title
from sheets.parties.pregens import laid_out
from sheets.signed_in import signed_in, signed_in_user
from sheets.tags import keys_of

log = logging.getLogger(__name__)
WHOLE = ("sheet", "pencil")
"""Layouts in which all sheets of a party are printed, one after the other."""
READY = {f"ready-{one}": one for one in WHOLE}
"""{word: layout} of those in which all ready-made characters are."""


@require_safe
@cache_control(private=True, no_store=True)
def print_party(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what can be printed, in files of so many characters each."""
    party = membership(request, pk, gm=True).party
    whole = [(layouts.LAYOUTS[slug], _files(_sheets(party).count())) for slug in WHOLE]
    ready = [(word, layouts.LAYOUTS[one], _files(_people(party, word).count())) for word, one in READY.items()]
    own = [(one, _files(_people(party, one.slug).count())) for one in LAYOUTS.values()]
    texts = [party.name, *party.sheets.not_deleted().values_list("name", "data")]
    return render(request, "parties/print.html", {"party": party, "layouts": own + whole, "ready": ready,
                                                  "at_once": AT_ONCE, "missing": " ".join(missing(texts))})


@require_safe
@cache_control(private=True, no_store=True)
def party_pdf(request: HttpRequest, pk: UUID, layout: str, number: int) -> HttpResponse:
    """Return one of these files, counted from 1."""
    party = membership(request, pk, gm=True).party
    if layout not in (*LAYOUTS, *WHOLE, *READY):
        raise Http404
    size = layouts.asked_paper(request.GET)
    if number not in _files(_people(party, layout).count()):
        raise Http404
    begin = (number - 1) * AT_ONCE
    people = [as_taken_along(request, one) for one in _people(party, layout)[begin:begin + AT_ONCE]]
    try:
        made = _whole if layout in (*WHOLE, *READY) else _of_party
        raw = made(request, layout, party, people, size)
    except typst.TypstError:
        log.exception("party %s cannot be set as %s", party.pk, layout)
        return render(request, "parties/print.html", {"party": party, "failed": True}, status=500)
    name = f"{slugify(party.name, allow_unicode=True)[:80] or party.ruleset}-{layout}.pdf"
    response = HttpResponse(raw, content_type="application/pdf")
    response["Content-Disposition"] = inline(name)
    awaited.tell(request, response)
    return response


def _of_party(request: HttpRequest, layout: str, party: Party, people: list[Sheet], size: str) -> bytes:
    data, drawn = party_paper(party, people, f"{request.scheme}://{request.get_host()}")
    return typeset(LAYOUTS[layout], data, size, drawn=drawn)


def _whole(_request: HttpRequest, layout: str, party: Party, people: list[Sheet], size: str) -> bytes:
    """Return sheets one after the other, each with its own pages counted."""
    parts = (typeset(layouts.LAYOUTS[READY.get(layout, layout)], paper(sheet), size) for sheet in people)
    return joined(parts, party_title(party), get_language())


def _people(party: Party, layout: str) -> QuerySet[Sheet]:
    """Return the characters to be printed in this layout: those at the table, or those that are laid out."""
    return laid_out(party).order_by("called", "pk") if layout in ("handed", *READY) else _sheets(party)


def _sheets(party: Party) -> QuerySet[Sheet]:
    return party.sheets.not_deleted().filter(offered=False).select_related("party").order_by("called", "pk")


def _files(count: int) -> range:
    """Return the numbers of the files that so many characters take."""
    return range(1, -(-count // AT_ONCE) + 1)


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


@signed_in
@require_safe
@cache_control(private=True, no_store=True)
def encounter_pdf(request: HttpRequest, pk: UUID, layout: str) -> HttpResponse:
    """Return an encounter of one's own as cards, as sheets, or as the sheet by which a GM plays it.

    Of many opponents `?part=` says which so many, counted from 1.
    """
    found = get_object_or_404(encounters(signed_in_user(request)).filter(ruleset__in=list(systems())), pk=pk)
    act = act_of(found)
    if act and layout == "strip":
        data, drawn = act_paper(systems()[found.ruleset], found.name, act)
        return _sent(request, typeset(LAYOUTS[layout], data, layouts.asked_paper(request.GET), drawn=drawn),
                     found.name, layout)
    people, part = bodies_of(found), whole(request.GET.get("part", "1")) or 0
    if layout not in (*LAYOUTS, *WHOLE) or not 1 <= part <= -(-len(people) // ON_STAGE):
        raise Http404
    return _several(request, layout, people[(part - 1) * ON_STAGE:part * ON_STAGE], found.name)


def _several(request: HttpRequest, layout: str, people: list[Sheet], name: str) -> HttpResponse:
    """Return sheets that need be in no party as one PDF; of several systems only whole ones are set together."""
    size, rulesets = layouts.asked_paper(request.GET), {one.ruleset for one in people}
    if layout in WHOLE:
        parts = (typeset(layouts.LAYOUTS[layout], paper(sheet), size) for sheet in people)
        raw = joined(parts, name, get_language())
    elif len(rulesets) == 1:
        data, drawn = group_paper(people[0].system, name, name, people, [""] * len(people))
        raw = typeset(LAYOUTS[layout], data, size, drawn=drawn)
    else:
        raise BadRequest(_("Cards are printed of one system at a time; tick sheets of one."))
    return _sent(request, raw, name, layout)


def _sent(request: HttpRequest, raw: bytes, name: str, layout: str) -> HttpResponse:
    response = HttpResponse(raw, content_type="application/pdf")
    response["Content-Disposition"] = inline(f"{slugify(name, allow_unicode=True)[:80] or 'sheets'}-{layout}.pdf")
    awaited.tell(request, response)
    return response
