"""Sheets as text to be pasted elsewhere, in Markdown and BBCode. Texts of players stay plain text in both.

A zero-width space breaks up whatever forums and chats would turn into a link, a mention or a tag.
"""

import re
from collections.abc import Callable
from typing import Any
from unicodedata import category

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rulesets.document import Document
from sheets.export.dialects import TABLE, USUAL, Dialect
from sheets.models import Party
from sheets.outline import Outline, OutlineEntry, outline
from sheets.status.stamp import Stamp, marks
from sheets.verdicts import VERDICTS

GAP = "\u200b"
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", " ")
JOINERS = "\u200c\u200d"


# Each text here comes from a sheet, whose document has at most `rulesets.parsing.BYTES`.
def plain_lines(text: Any) -> list[str]:
    """Return the non-empty lines of a text without control characters."""
    lines = ("".join(map(_clean_letter, line)) for line in str(text).splitlines())
    return [" ".join(line.split()) for line in lines if line.strip()]


def _clean_letter(letter: str) -> str:
    """Return the letter if it is visible or a joiner, else a space, or nothing for a format character."""
    if letter.isprintable() or letter in JOINERS:
        return letter
    return "" if category(letter) == "Cf" else " "


def break_links(text: str) -> str:
    """Return the text with its links and mentions broken up."""
    text = re.sub(r"(?i)(://|(?<![^\W_])www\.)", lambda found: found[0][:-2] + GAP + found[0][-2:], text)
    return text.replace("@", "@" + GAP)


class Markdown:
    """CommonMark without HTML, with characters escaped in a way that every dialect understands."""

    slug, title, media = "md", "Markdown", "text/markdown"

    def inline(self, text: Any) -> str:
        """Return a text for use within a line."""
        return self._escape(" ".join(plain_lines(text)))

    def block(self, text: Any) -> list[str]:
        """Return the lines of a text as a paragraph; none of them begins a list or a heading."""
        return [re.sub(r"^(\d+)([.)])", r"\1\\\2", re.sub(r"^([-+=|:])", r"\\\1", self._escape(line)))
                for line in plain_lines(text)]

    @staticmethod
    def _escape(text: str) -> str:
        text = re.sub(r"&(?=[#\w])", "&amp;", break_links(text)).replace("<", "&lt;").replace(">", "&gt;")
        text = re.sub(r"([\\`*_\[\]{}#$^~])", r"\\\1", text)
        return re.sub(r":(?=\S)|\|(?=\|)", r"\\\g<0>", text)

    def strong(self, text: Any) -> str:
        """Return a name or a figure in bold."""
        return f"**{inner}**" if (inner := self.inline(text)) else ""

    def head(self, text: Any, level: int) -> list[str]:
        """Return a heading."""
        return [f"{'#' * level} {self.inline(text)}", ""]

    def items(self, items: list[list[str]]) -> list[str]:
        """Return a list; an item may have several lines."""
        return [*("- " + "  \n  ".join(lines) for lines in items), ""]

    def link(self, url: str, text: str = "") -> str:
        """Return a link to an address of this site, with a text of its own if there is one."""
        return f"[{self.inline(text)}](<{url}>)" if text else f"<{url}>"


class BBCode:
    """BBCode in the dialect of a forum."""

    slug, title, media = "bbcode", "BBCode", "text/plain"

    def __init__(self, dialect: Dialect = USUAL) -> None:
        self.dialect = dialect

    def inline(self, text: Any) -> str:
        """Return a text for use within a line."""
        return self._escape(" ".join(plain_lines(text)))

    def block(self, text: Any) -> list[str]:
        """Return the lines of a text as a paragraph."""
        return [self._escape(line) for line in plain_lines(text)]

    def _escape(self, text: str) -> str:
        return self.dialect.inert(break_links(text), GAP)

    def strong(self, text: Any) -> str:
        """Return a name or a figure in bold."""
        return self._within(self.dialect.strong, text)

    def slanted(self, text: Any) -> str:
        """Return a remark in italics."""
        return self._within(self.dialect.slanted, text)

    def head(self, text: Any, level: int) -> list[str]:
        """Return a heading."""
        return [self._within(self.dialect.heads[min(level, len(self.dialect.heads)) - 1], text)]

    def _within(self, tags: tuple[str, str], text: Any) -> str:
        return inner.join(tags) if (inner := self.inline(text)) else ""

    def items(self, items: list[list[str]]) -> list[str]:
        """Return a list."""
        opens, item, closes = self.dialect.listed
        return [opens, *(item + "\n".join(lines) for lines in items), closes, ""]

    def link(self, url: str, text: str = "") -> str:
        """Return an address of this site, which forums turn into a link, or a link with a text of its own."""
        before, between, behind = self.dialect.link
        return f"{before}{url}{between}{self.inline(text)}{behind}" if text else url


FORMS = {form.slug: form for form in (Markdown(), BBCode())}


def bbcode_of(party: Party | None) -> BBCode:
    """Return the BBCode of a party's forum; the usual one without a party."""
    return BBCode(TABLE.get(party.bbcode, USUAL) if party else USUAL)


def forms_of(party: Party | None) -> dict[str, Markdown | BBCode]:
    """Return `FORMS` with the BBCode of a party's forum."""
    return {"md": FORMS["md"], "bbcode": bbcode_of(party)}


def as_text(document: Document, form: Markdown | BBCode, stamp: Stamp | None = None) -> str:
    """Return the sheet of a document as text in the current language, with the state of its approval."""
    read = outline(document.sheet, document.house, document.name)
    verdict = document.check(mends=False)
    noted = stamp.noted(verdict.findings) if stamp else []
    status = _("approved") if stamp and stamp.settles(verdict.verdict) else VERDICTS[verdict.verdict]

    def at(path: str) -> str:
        return marks(noted, path).translate(RAISED)

    lines = [*form.head(document.name.strip() or _("Unnamed"), 1),
             f"{form.strong(document.ruleset.title)} · {form.inline(status)}", "",
             *_value_lines(form, read, at)]
    for one in read.copies:
        lines += [*form.head(one.title, 2), *form.items([form.block(one.value)])]
    for section in read.sections:
        if section.entries:
            lines += [*form.head(section.title, 2),
                      *form.items([_entry_lines(form, one, at(one.path)) for one in section.entries])]
    if read.ledger and not read.ledger.lines_are_rows:
        title = f"{read.ledger.words['title']}: {read.ledger.spent}/{read.ledger.budget}"
        spent = [[f"{form.inline(line.title)}: {line.points}"] for line in read.ledger.lines if line.points]
        lines += form.head(title, 2) + (form.items(spent) if spent else [])
    lines += _approval_lines(form, stamp) if stamp and stamp.review_status.state else []
    return "\n".join(lines).strip() + "\n"


def _approval_lines(form: Markdown | BBCode, stamp: Stamp) -> list[str]:
    """Return the lines about the approval: its state, the address for checking it, and the footnotes."""
    lines = [*form.head(_("Approval"), 2), form.inline(stamp.line), ""]
    if stamp.code:
        lines += [f"{form.inline(_('Check code'))}: {form.strong(stamp.code)} · {form.link(stamp.url)}", ""]
    for one in stamp.footnotes:
        first, *rest = form.block(one.said)
        lines += [f"{str(one.number).translate(RAISED)} {form.inline(one.head)} {first}", *rest, ""]
    return lines


def _value_lines(form: Markdown | BBCode, read: Outline, at: Callable[[str], str]) -> list[str]:
    items = [[f"{form.inline(one.title)}: {form.strong(one.value)}{at(one.key)}"
              + (f" ({form.inline(one.how)})" if one.how else "")] for one in read.values]
    items += [_fact_lines(form, one, at(one.key)) for one in read.facts if one.value]
    items += [[f"{form.inline(one.title)}: {form.inline(one.line)}"] for one in read.charts]
    return [*form.head(_("Values"), 2), *form.items(items)] if items else []


def _fact_lines(form: Markdown | BBCode, fact: Any, marked: str) -> list[str]:
    first, *rest = form.block(fact.value) if fact.long else [form.inline(fact.value)]
    return [f"{form.inline(fact.title)}{marked}: {first}", *rest]


def _entry_lines(form: Markdown | BBCode, entry: OutlineEntry, marked: str) -> list[str]:
    """Return the lines of a row: its name and cost, its text, its figures, its longer texts."""
    head = (form.strong(entry.label) or form.strong(_("Unnamed"))) + marked
    if entry.points is not None:
        head += f" ({form.inline(ngettext('{n} point', '{n} points', entry.points).format(n=entry.points))})"
    lines = form.block(entry.text)
    figures = [f"{form.inline(one.title)} {form.inline(one.value)}" for one in entry.facts if not one.long]
    lines += [", ".join(figures)] if figures else []
    for one in entry.facts:
        if one.long:
            lines += form.block(one.value)
    return [f"{head}: {lines[0]}", *lines[1:]] if lines else [head]
