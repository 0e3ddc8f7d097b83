"""Decisions as text for other sites on which the party talks, in BBCode and Markdown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from rulesets.kit import Ruleset
from sheets.audit_log.check_codes import grouped
from sheets.export.text import BBCode, Markdown, bbcode_of
from sheets.models import Party, Review
from sheets.models.reviews import APPROVED, RETURNED
from sheets.reviews.comments import comments_with_fields

DECISIONS = (APPROVED, RETURNED)
"""The kinds of entries that can be posted."""


@dataclass(frozen=True)
class Post:
    """A text to copy, as `components/_copy_text.html` shows it."""

    key: str
    title: str
    value: str


def posts_of(entries: Sequence[Review], ruleset: Ruleset, party: Party | None) -> list[Post]:
    """Return the newest decision in each format; an empty list if there is none, or its revision was erased."""
    newest = next((one for one in entries if one.kind in DECISIONS and one.revision), None)
    return [Post(f"post-{form.slug}", form.title, decision_text(newest, ruleset, form)) for form in (
        bbcode_of(party), Markdown())] if newest else []


def decision_text(entry: Review, ruleset: Ruleset, form: BBCode | Markdown) -> str:
    """Return a decision as text: the sheet's name, the decision, the GM's comment, and each comment at a field."""
    name = (entry.revision.name if entry.revision else "") or _("Unnamed")
    params = {"n": entry.revision_number, "date": date_format(localtime(entry.made)),
            "who": entry.by.username if entry.by else _("Somebody")}
    decision = _("approved by {who} on {date}, revision {n}") if entry.kind == APPROVED else \
        _("returned by {who} on {date}, revision {n}")
    lines = [f"{form.strong(name)} ({form.inline(ruleset.title)}): {form.inline(decision.format(**params))}", ""]
    if comment := entry.said.get("comment"):
        lines += [*form.block(comment), ""]
    items = [[f"{form.strong(title)}: {form.inline(text)}"] for title, text in _items(entry, ruleset)]
    lines += form.items(items) if items else []
    if entry.kind == APPROVED and entry.code:
        lines.append(form.inline(_("Check code {code}").format(code=grouped(entry.code))))
    return "\n".join(lines).strip() + "\n"


def _items(entry: Review, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield (title, text) of the comments at fields and of the exceptions."""
    for _path, title, text in comments_with_fields(entry, ruleset):
        yield title, text
    for exception in entry.said.get("exceptions", ()):
        yield _("Exception to {rule}").format(rule=exception["rule"]), exception["reason"]
