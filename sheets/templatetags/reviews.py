"""Template filters for reviews."""

from collections.abc import Iterable, Mapping

from django import template
from django.utils.translation import gettext as _

from rulesets.names import isolated
from sheets.audit_log.check_codes import grouped
from sheets.character import Character
from sheets.forms.inputs import Input
from sheets.models import Review, Sheet
from sheets.reviews.comments import Comment, comments_with_fields
from sheets.rolls.widgets import Widget
from sheets.status.stamp import stamp_of

register = template.Library()
register.simple_tag(comments_with_fields, name="comments")
DEEDS = {
    "submitted": lambda: _("{who} submitted revision {n}"),
    "recalled": lambda: _("{who} took the submission back"),
    "returned": lambda: _("{who} returned revision {n}"),
    "approved": lambda: _("{who} approved revision {n}"),
    "withdrawn": lambda: _("{who} withdrew the approval"),
    "played": lambda: _("{who} made a permanent change at the table: revision {n}"),
}


@register.filter
def deed(entry: Review) -> str:
    """Return an entry of the chain as a sentence."""
    who = entry.by.username if entry.by else _("Somebody")
    return DEEDS[entry.kind]().format(who=isolated(str(who)), n=entry.revision_number)


@register.filter
def comments_at(comments: Iterable[Comment], path: str) -> list[Comment]:
    """Return the comments about a field."""
    return [one for one in comments if one.at == path]


@register.filter
def comments_on_list(comments: Iterable[Comment], rows: Input) -> list[Comment]:
    """Return the comments about a list, or about a row of it whose fields are not shown now."""
    shown = {row.path for row in rows.rows}
    return [one for one in comments if one.at == rows.path or (
        one.at.startswith(f"{rows.path}.") and ".".join(one.at.split(".")[:2]) not in shown)]


@register.filter
def roll_of_row(rolled: Mapping[str, Widget], path: str) -> Widget | None:
    """Return the roll of a row, None if it has none."""
    return rolled.get(path)


@register.filter
def typed_reply(replies: Mapping[str, str], comment: Comment) -> str:
    """Return the reply to a comment that is being typed."""
    return replies.get(comment.about, "")


@register.filter
def code(entry: Review) -> str:
    """Return an approval's check code as it is shown."""
    return grouped(entry.code or "")


@register.filter
def approval_of_played(character: Character) -> str:
    """Return the approval of what is played, in a line."""
    return stamp_of(character.sheet, character.review_status).line


@register.filter
def approval_of_draft(sheet: Sheet) -> str:
    """Return the approval of a sheet's draft, in a line."""
    return stamp_of(sheet, draft=True).line
