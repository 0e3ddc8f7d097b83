"""Several PDFs of ours one after the other in one file, with their tags; a library that does that is not there."""

import io
from collections.abc import Iterable, Iterator
from typing import cast

from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, BooleanObject, DictionaryObject, NameObject, NumberObject, TextStringObject


def joined(parts: Iterable[bytes], title: str, lang: str) -> bytes:
    """Return one PDF of all pages of several, each with its own pages counted, readable by screen readers, too."""
    writer, out = PdfWriter(), io.BytesIO()
    tree = DictionaryObject({NameObject("/Type"): NameObject("/StructTreeRoot")})
    root = writer._add_object(tree)  # noqa: SLF001 - pypdf's own way to write what it has no method for
    documents, places = ArrayObject(), ArrayObject()
    for raw in parts:
        reader, first, begin = PdfReader(io.BytesIO(raw)), len(writer.pages), len(places) // 2
        writer.append(reader, import_outline=False)
        read = cast("DictionaryObject", reader.root_object["/StructTreeRoot"]).clone(writer)
        tree[NameObject("/RoleMap")] = read["/RoleMap"]
        for number, elements in _places(cast("DictionaryObject", read["/ParentTree"])):
            places += [NumberObject(begin + number), elements]
        for page, was in zip(writer.pages[first:], reader.pages, strict=True):
            page[NameObject("/StructParents")] = NumberObject(begin + cast("int", was["/StructParents"]))
        for one in cast("ArrayObject", read["/K"]):
            one.get_object()[NameObject("/P")] = root
            documents.append(one)
    tree.update({
        NameObject("/K"): documents, NameObject("/ParentTreeNextKey"): NumberObject(len(places) // 2),
        NameObject("/ParentTree"): DictionaryObject({NameObject("/Nums"): places})})
    writer.root_object.update({
        NameObject("/StructTreeRoot"): root, NameObject("/Lang"): TextStringObject(lang),
        NameObject("/MarkInfo"): _holds("/Marked"), NameObject("/ViewerPreferences"): _holds("/DisplayDocTitle")})
    writer.add_metadata({"/Title": title})
    writer.write(out)
    return out.getvalue()


def _holds(what: str) -> DictionaryObject:
    return DictionaryObject({NameObject(what): BooleanObject(value=True)})


def _places(tree: DictionaryObject) -> Iterator[tuple[int, object]]:
    """(number, elements) of each page in a tree of numbers."""
    for one in tree.get("/Kids", ()):
        yield from _places(one.get_object())
    numbers = tree.get("/Nums", ArrayObject())
    for at in range(0, len(numbers), 2):
        yield int(numbers[at]), numbers[at + 1].indirect_reference
