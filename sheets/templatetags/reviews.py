"""What reviews say, for templates."""

from django import template
from django.utils.translation import gettext as _

from sheets.audit_log.check_codes import grouped
from sheets.character import Character
from sheets.models import Review, Sheet
from sheets.reviews.comments import comments
from sheets.status.stamp import stamp_of

register = template.Library()
register.simple_tag(comments)
DEEDS = {
    "submitted": lambda: _("{who} submitted revision {n}"),
    "recalled": lambda: _("{who} took the submission back"),
    "returned": lambda: _("{who} returned revision {n}"),
    "approved": lambda: _("{who} approved revision {n}"),
    "withdrawn": lambda: _("{who} withdrew the approval"),
    "played": lambda: _("{who} changed it for good at the table: revision {n}"),
}


@register.filter
def deed(entry: Review) -> str:
    """What was done, in a sentence."""
    who = entry.by.username if entry.by else _("Somebody")
    return DEEDS[entry.kind]().format(who=who, n=entry.revision_number)


@register.filter
def code(entry: Review) -> str:
    """An approval's check code as it is shown."""
    return grouped(entry.code)


@register.filter
def played(character: Character) -> str:
    """How what is played stands before the GMs, in a line."""
    return stamp_of(character.sheet, character.review_status).line


@register.filter
def drafted(sheet: Sheet) -> str:
    """How a draft stands before the GMs, in a line."""
    return stamp_of(sheet, draft=True).line
