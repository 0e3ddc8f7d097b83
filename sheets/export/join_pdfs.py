"""Joins several PDFs of this program into one with their accessibility tags, for which there is no library."""

import io
from collections.abc import Iterable, Iterator
from typing import cast

from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, BooleanObject, DictionaryObject, NameObject, NumberObject, TextStringObject


def join_pdfs(parts: Iterable[bytes], title: str, lang: str) -> bytes:
    """Return one PDF with the pages of several, each with its own page numbers and readable by screen readers."""
    writer, out = PdfWriter(), io.BytesIO()
    tree = DictionaryObject({NameObject("/Type"): NameObject("/StructTreeRoot")})
    root = writer._add_object(tree)  # noqa: SLF001 - pypdf's own way to write what it has no method for
    documents, elements_by_number = ArrayObject(), ArrayObject()
    for raw in parts:
        reader, first, begin = PdfReader(io.BytesIO(raw)), len(writer.pages), len(elements_by_number) // 2
        writer.append(reader, import_outline=False)
        read = cast("DictionaryObject", reader.root_object["/StructTreeRoot"]).clone(writer)
        tree[NameObject("/RoleMap")] = read["/RoleMap"]
        for number, elements in _number_tree_items(cast("DictionaryObject", read["/ParentTree"])):
            elements_by_number += [NumberObject(begin + number), elements]
        for page, was in zip(writer.pages[first:], reader.pages, strict=True):
            page[NameObject("/StructParents")] = NumberObject(begin + cast("int", was["/StructParents"]))
        for one in cast("ArrayObject", read["/K"]):
            one.get_object()[NameObject("/P")] = root
            documents.append(one)
    tree.update({
        NameObject("/K"): documents, NameObject("/ParentTreeNextKey"): NumberObject(len(elements_by_number) // 2),
        NameObject("/ParentTree"): DictionaryObject({NameObject("/Nums"): elements_by_number})})
    writer.root_object.update({
        NameObject("/StructTreeRoot"): root, NameObject("/Lang"): TextStringObject(lang),
        NameObject("/MarkInfo"): _true_entry("/Marked"),
        NameObject("/ViewerPreferences"): _true_entry("/DisplayDocTitle")})
    writer.add_metadata({"/Title": title})
    writer.write(out)
    return out.getvalue()


def _true_entry(what: str) -> DictionaryObject:
    return DictionaryObject({NameObject(what): BooleanObject(value=True)})


def _number_tree_items(tree: DictionaryObject) -> Iterator[tuple[int, object]]:
    """Yield (number, elements) of each page in a number tree."""
    for one in tree.get("/Kids", ()):
        yield from _number_tree_items(one.get_object())
    numbers = tree.get("/Nums", ArrayObject())
    for at in range(0, len(numbers), 2):
        yield int(numbers[at]), numbers[at + 1].indirect_reference
