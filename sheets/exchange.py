"""A sheet taken along: the JSON document, and texts to paste into a forum or a chat."""

import json
import re
import unicodedata
from dataclasses import replace
from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from rulesets import systems
from rulesets.document import BYTES, Document, canonical
from rulesets.kit import size
from sheets.access import editable, shared, system_of
from sheets.markup import FORMS, text
from sheets.models import Sheet

JSON = "json"
TITLES = {JSON: "JSON", **{slug: form.title for slug, form in FORMS.items()}}.items()
"""(slug, title) of each form in which a sheet is taken along."""
LONGEST = 80
"""Characters of a file name, which every file system takes."""
SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})


def document_of(sheet: Sheet) -> Document:
    """The document of a stored sheet, with its play and notes, and the sheet as its origin."""
    ruleset = systems()[sheet.ruleset]
    return Document(
        ruleset, sheet.name, ruleset.sheet.model_validate(sheet.data), ruleset.house.model_validate(sheet.house),
        ruleset.play.model_validate(sheet.play) if sheet.play else None, sheet.notes, str(sheet.pk),
    )


def length(sheet: Sheet, name: str | None = None, data: dict | None = None) -> int:
    """Bytes of the document of a stored sheet, with a name and data that are not stored yet if they are given."""
    ruleset = system_of(sheet)
    play = sheet.play and ruleset.play.model_validate(sheet.play).model_dump()
    beside = {"house": sheet.house, "play": play, "notes": sheet.notes, "origin": str(sheet.pk)}
    tree = ruleset.document(sheet.name if name is None else name, sheet.data if data is None else data)
    return len(canonical(tree | {key: value for key, value in beside.items() if value}))


def too_large(sheet: Sheet, name: str, data: dict) -> bool:
    """Whether the sheet's document, play and notes included, would be larger than one may be and than it is."""
    count = length(sheet, name, data)
    return count > BYTES and count > length(sheet)


def overlong(sheet: Sheet) -> str:
    """What to say where the document of a sheet is larger than one may be, "" where it is not."""
    if (count := length(sheet)) <= BYTES:
        return ""
    return _(
        "With this the sheet's document would have {n}; {most} are the most. Shorten the notes or a text of the sheet, "
        "or end something that is kept at the table."
    ).format(n=size(count), most=size(BYTES))


def written(tree: dict) -> bytes:
    """A document for people to read, or closely written where it would be larger than one may be."""
    raw = (json.dumps(tree, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()
    return raw if len(raw) <= BYTES else canonical(tree)


@require_safe
@never_cache
def page(request: HttpRequest, pk) -> HttpResponse:
    """The ways out of here, with the texts to copy."""
    document = _document(request, pk)
    texts = [(form, text(document, form)) for form in FORMS.values()]
    too_large = len(written(document.asdict())) > BYTES
    return render(request, "export.html", {"document": document, "texts": texts, "too_large": too_large})


@require_safe
@never_cache
def file(request: HttpRequest, pk, form: str) -> HttpResponse:
    """One of the ways out, as a file."""
    if form != JSON and form not in FORMS:
        raise Http404
    return _file(_document(request, pk), form)


@require_safe
@never_cache
def shared_file(request: HttpRequest, token: str, form: str) -> HttpResponse:  # noqa: ARG001 - a view is given it
    """The same for whoever holds the link; the document does not say where it comes from."""
    if form != JSON and form not in FORMS:
        raise Http404
    sheet = shared(token)
    system_of(sheet)
    return _file(replace(document_of(sheet), origin=None), form)


def _file(document: Document, form: str) -> HttpResponse:
    if form == JSON:
        response = HttpResponse(written(document.asdict()), content_type="application/json")
    else:
        response = HttpResponse(text(document, FORMS[form]), content_type=f"{FORMS[form].media}; charset=utf-8")
    ending = form if form != "bbcode" else "bbcode.txt"
    response["Content-Disposition"] = disposition(f"{document.ruleset.slug}-{document.name}", ending)
    return response


def _document(request: HttpRequest, pk) -> Document:
    sheet = get_object_or_404(editable(request), pk=pk)
    if sheet.ruleset not in systems():
        raise Http404
    return document_of(sheet)


def disposition(name: str, ending: str) -> str:
    """The header that names a file: in ASCII for old programs, in full for the others (RFC 6266)."""
    full = _safe(name)
    spelt = unicodedata.normalize("NFKD", full.translate(SPELT)).encode("ascii", "ignore").decode()
    known = re.sub(r"[^\w .-]+", "", spelt, flags=re.ASCII).strip(" .-") or "sheet"
    return f"attachment; filename=\"{known}.{ending}\"; filename*=UTF-8''{quote(f'{full}.{ending}', safe='')}"


def _safe(name: str) -> str:
    """A name without what paths, shells and file systems make something of, and without letters that nobody sees."""
    kept = ("-" if letter in '/\\:*?"<>|%' else letter for letter in name if letter.isprintable())
    return re.sub(r"\s+", " ", "".join(kept))[:LONGEST].strip(" .-") or "sheet"
