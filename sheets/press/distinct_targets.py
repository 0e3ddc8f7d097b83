"""Rolls that follow one throw, one for each target: no two of them may hit the same target."""

from django.utils.translation import gettext as _

from rulesets.kit import Act, Refused, Roll
from rulesets.names import isolated
from sheets.models import Sheet
from sheets.press.targets import own_events
from sheets.status.reviews import shown_names


def refuse_hit_twice(by: Sheet, made: Roll | Act, widget: str, at: Sheet) -> None:
    """Raise `Refused` if another roll after the same throw was aimed at the target `at` already."""
    slugs = [roll.slug for roll in by.system.crossing.distinct]
    if not slugs or by.system.crossing.hits(made) == "actor":
        return
    throw = own_events(by).filter(roll__in=slugs).order_by("-pk").first()
    if throw is None or not widget.endswith(f"-{throw.widget}"):
        return
    followed = own_events(by).filter(roll=made.slug, pk__gt=throw.pk, widget__endswith=f"-{throw.widget}")
    others = followed.exclude(widget=widget)
    if any(str(at.pk) in other.aimed_at for other in others):
        name = isolated(shown_names([at])[at.pk].strip()) or _("Unnamed")
        raise Refused(_("{name} is already one of its targets; choose another.").format(name=name))
