"""A sheet taken along: the JSON document, and texts to paste into a forum or a chat."""

import json
import re
import unicodedata
from dataclasses import replace
from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from rulesets import systems
from rulesets.document import BYTES, Document, canonical
from rulesets.kit import size
from sheets.access import shared, system_of, taken_along
from sheets.markup import FORMS, text
from sheets.models import Sheet
from sheets.reviews.proving import Standing, asked

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


def taken_document(taken: Standing) -> Document:
    """The document of a sheet as it is taken along."""
    whole, kept = document_of(taken.sheet), taken.kept
    shape, house = whole.ruleset.sheet, whole.ruleset.house
    return replace(whole, name=kept.name, sheet=shape.model_validate(kept.data), house=house.model_validate(kept.house))


def tree_of(document: Document, taken: Standing) -> dict:
    """The JSON data of such a document, with what is known of its approval."""
    return document.asdict() | ({"approval": taken.asdict()} if taken.course.state else {})


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
    """The ways out of here, with the texts to copy; `?of=draft` is the draft beside what is played."""
    taken = _taken(request, pk)
    document = taken_document(taken)
    texts = [(form, text(document, form, taken)) for form in FORMS.values()]
    too_large = len(written(tree_of(document, taken))) > BYTES
    return render(request, "export.html", {"document": document, "texts": texts, "too_large": too_large,
                                           "standing": taken})


@require_safe
@never_cache
def file(request: HttpRequest, pk, form: str) -> HttpResponse:
    """One of the ways out, as a file."""
    if form != JSON and form not in FORMS:
        raise Http404
    taken = _taken(request, pk)
    return _file(taken_document(taken), taken, form)


@require_safe
@never_cache
def shared_file(request: HttpRequest, token: str, form: str) -> HttpResponse:
    """The same for whoever holds the link; the document does not say where it comes from."""
    if form != JSON and form not in FORMS:
        raise Http404
    sheet = shared(token)
    system_of(sheet)
    taken = asked(request, sheet)
    return _file(replace(taken_document(taken), origin=None), taken, form)


def _file(document: Document, taken: Standing, form: str) -> HttpResponse:
    if form == JSON:
        response = HttpResponse(written(tree_of(document, taken)), content_type="application/json")
    else:
        response = HttpResponse(text(document, FORMS[form], taken), content_type=f"{FORMS[form].media}; charset=utf-8")
    ending = form if form != "bbcode" else "bbcode.txt"
    response["Content-Disposition"] = disposition(f"{document.ruleset.slug}-{document.name}", ending)
    return response


def _taken(request: HttpRequest, pk) -> Standing:
    sheet = taken_along(request, pk)
    system_of(sheet)
    return asked(request, sheet)


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
