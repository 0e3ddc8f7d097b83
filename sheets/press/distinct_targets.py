"""Rolls that follow one throw, one for each target: no two of them may hit the same target."""

from django.utils.translation import gettext as _

from rulesets.kit import Act, Refused, Roll
from rulesets.names import isolated
from sheets.models import Event, Sheet
from sheets.press.targets import Target, own_events
from sheets.rolls.widgets import Widget
from sheets.status.reviews import shown_names


def refuse_hit_twice(by: Sheet, made: Roll | Act, widget: str, at: Sheet) -> None:
    """Raise `Refused` if another roll after the same throw was aimed at the target `at` already, or has spared it."""
    slugs = [roll.slug for roll in by.system.crossing.distinct]
    if not slugs or by.system.crossing.hits(made) == "actor":
        return
    throw = own_events(by).filter(roll__in=slugs).order_by("-pk").first()
    if throw is None or not widget.endswith(f"-{throw.widget}"):
        return
    followed = own_events(by).filter(pk__gt=throw.pk, widget__endswith=f"-{throw.widget}").exclude(widget=widget)
    if any(str(at.pk) in one.aimed_at and (one.roll == made.slug or _spares(by, one, made)) for one in followed):
        name = isolated(shown_names([at])[at.pk].strip()) or _("Unnamed")
        raise Refused(_("{name} is already one of its targets; choose another.").format(name=name))


def _spares(by: Sheet, event: Event, made: Roll | Act) -> bool:
    """Return True if the outcome of an event's roll called off the roll that is `made` now."""
    roll = by.system.rolls.get(event.roll)
    return roll is not None and made.slug in roll.calls_off.get(event.fell.value, ())


def note_spared(event: Event, widget: Widget, target: Target) -> None:
    """Write the target into an unsaved event whose roll may spare one of several targets of a throw."""
    throws = target.character.ruleset.crossing.distinct
    if getattr(widget.made, "calls_off", {}) and any(f"-roll-{one.slug}" in widget.key for one in throws):
        event.aimed_at = {str(target.character.sheet.pk): target.character.name}
