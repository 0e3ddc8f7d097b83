"""What reviews say, for templates."""

from django import template
from django.utils.translation import gettext as _

from sheets.models import Review
from sheets.reviews.fields import comments

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
