"""Markdown and BBCode: all that a sheet says, and what a player wrote is text in both."""

import json
import re
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rulesets import systems
from rulesets.document import Document, read_tree
from rulesets.kit import slots
from sheets.export.dialects import TABLE
from sheets.export.text import FORMS, BBCode, as_text
from tests.support import hostile_documents
from tests.support.everyday import everyday
from tests.support.rulesets.contract import every

PAYLOADS = (
    *hostile_documents.WORDS,
    "[x](javascript:alert(1))", "![x](x onerror=alert(1))", "<https://example.org>", "www.example.org",
    "https://example.org", "juan@example.org", "@everyone", "[x]: https://example.org", "# Titel", "> Zitat", "- Punkt",
    "1. Punkt", "+ Punkt", "* Punkt", "===", "---", "***", "~~~", "```js", "    code", "\tcode", "`code`", "**fett**",
    "__fett__", "_kursiv_", "~~weg~~", "||geheim||", "$x$", "^1^", "a | b\n--- | ---\n1 | 2", ":smile:", "&lt;b&gt;",
    "&#60;b&#62;", "&amp;", "\\", "\\*x\\*", "a  \nb", "a\\\nb", "<!-- x", "<![CDATA[x", "<?php", "</li></ul><h1>x",
    "[url=javascript:alert(1)]x[/url]", "[img]x[/img]", "[/b][/list][code]", "[*]", "[quote=x]", "[[x]]", "&[b]",
)
MARKED = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
KNOWN = {"heading", "paragraph", "bullet_list", "list_item", "inline", "text", "strong", "softbreak", "hardbreak",
         "text_special"}
TAGS = re.compile(r"\[/?[a-z*]+[^\]]*\]", re.I)


def plain(words: str) -> str:
    """A text as it reads: no gaps, no control characters, spaces run together."""
    kept = (" " if category(one) == "Cc" else one for one in words if category(one) != "Cf")
    return " ".join("".join(kept).split())


def written_as(words: str) -> Document:
    """A sheet of the first system that has rows, with a text in every place that takes one."""
    ruleset = systems()["condice"]
    tree = json.loads(json.dumps(ruleset.examples["own-ability"]))
    tree["name"] = words[:200]
    for rows in (tree["data"]["attacks"], tree["data"]["abilities"]):
        for row in rows:
            row |= {key: words[:200 if key == "name" else 4000] for key in ("name", "description") if key in row}
    return read_tree(tree)


def tokens(source):
    """Every token of a Markdown text."""
    for one in MARKED.parse(source):
        yield one
        yield from one.children or ()


def assert_inert_markdown(words):
    document = written_as(words)
    source = as_text(document, FORMS["md"])
    assert not re.search(r"<|://|www\.|@(?!\u200b)", source, re.I), source
    found = list(tokens(source))
    kinds = {re.sub(r"_(open|close)$", "", one.type) for one in found}
    assert kinds <= KNOWN, (kinds - KNOWN, source)
    harmless = list(tokens(as_text(written_as("Hase"), FORMS["md"])))
    for kind in ("heading_open", "bullet_list_open", "list_item_open"):
        assert sum(one.type == kind for one in found) == sum(one.type == kind for one in harmless), source
    read = plain(" ".join("".join({"softbreak": " ", "hardbreak": " "}.get(part.type, part.content)
                                  for part in one.children) for one in found if one.type == "inline"))
    for attack in document.sheet.attacks:
        assert plain(attack.description) in read, source


def assert_inert_bbcode(words):
    for dialect in TABLE.values():
        source = as_text(written_as(words), BBCode(dialect))
        harmless = as_text(written_as("Hase"), BBCode(dialect))
        tags = TAGS.findall(source)
        own = (*dialect.strong, *dialect.listed, *(tag for pair in dialect.heads for tag in pair))
        assert set(tags) <= {*TAGS.findall("".join(own))}, source
        if plain(words):
            assert tags == TAGS.findall(harmless)
        assert not re.search(r"<[a-z!/?]|://|www\.|@(?!\u200b)", source, re.I), source


@pytest.mark.parametrize("words", everyday([one.replace("\0", "") for one in PAYLOADS], each=3), ids=ascii)
def test_payloads_stay_text(words):
    assert_inert_markdown(words)
    assert_inert_bbcode(words)


@pytest.mark.prove
@given(st.text(st.sampled_from("ab1 .:/\\`*_{}[]()#+-!|<>&;=~$^@'\"\n\t\r\u200b\u2028ä"), max_size=40))
def test_any_text_stays_text(words):
    assert_inert_markdown(words)
    assert_inert_bbcode(words)


@every("examples")
def test_texts_say_every_value_and_every_row(ruleset, key):
    document = read_tree(ruleset.examples[key])
    for form in FORMS.values():
        said = as_text(document, form)
        assert form.inline(document.name) in said
        for one, slot in slots(ruleset.sheet).items():
            for row in getattr(document.sheet, one) if slot.kind == "rows" else ():
                assert form.inline(row.label) in said


@pytest.mark.parametrize("form", ["md", "bbcode"])
def test_what_stands_close_before_an_address_makes_it_no_link(form):
    assert "www." not in as_text(written_as("_www.example.org"), FORMS[form])


@every("examples")
def test_texts_hold_a_sheet_in_its_systems_own_format_which_is_read_back(ruleset, key):
    document = read_tree(ruleset.examples[key])
    written = document.sheet.to_text(document.name, document.house)
    said = as_text(document, FORMS["bbcode"]), MARKED.render(as_text(document, FORMS["md"]))
    for text in said if written else ():
        passage, = ruleset.sheet.from_text(text)
        read = read_tree(ruleset.document(passage.name, passage.data))
        assert read.sheet.to_text(passage.name, document.house) == written
