"""Rolls that follow a throw for several targets: each must hit another target, and their number is limited."""

from django.utils.translation import gettext as _

from rulesets.kit import Act, Refused, Roll
from rulesets.names import isolated
from sheets.models import Event, Sheet
from sheets.press.log import recent_events
from sheets.press.targets import Target
from sheets.rolls.each_target import targets_spent, throw_before
from sheets.rolls.widgets import Widget
from sheets.status.reviews import shown_names


def refuse_hit_twice(by: Sheet, made: Roll | Act, widget: str, at: Sheet | None) -> None:
    """Raise `Refused` if a roll that follows a throw for several targets would hit one of them twice, or too many.

    Targets that have stopped such a roll, or are still asked about one, count as hit.
    """
    crossing = by.system.crossing
    log = recent_events(by) if crossing.target_counts and type(made) in crossing.effects_on_target else []
    if (throw := throw_before(by.system, widget, log)) is None:
        return
    asked = by.questions_asked.filter(response__isnull=True, widget__endswith=f"-{throw.widget}").exclude(widget=widget)
    spent = targets_spent(by.system, throw, log, widget) | {str(key) for key in asked.values_list("target", flat=True)}
    hit = by if crossing.hits(made) == "actor" else at
    if hit and str(hit.pk) in spent:
        name = isolated(shown_names([hit])[hit.pk].strip()) or _("Unnamed")
        raise Refused(_("{name} is already one of its targets; choose another.").format(name=name))
    if isinstance(throw.outcome, int) and len(spent) >= throw.outcome:
        raise Refused(_("“{what}” hits no more targets.").format(what=throw.what))


def note_spared(event: Event, widget: Widget, target: Target) -> None:
    """Write the target into an unsaved event whose roll may spare one of several targets of a throw."""
    throws = target.character.ruleset.crossing.target_counts
    if getattr(widget.complete, "cancels", {}) and any(f"-roll-{one.slug}" in widget.key for one in throws):
        event.aimed_at = {str(target.character.sheet.pk): target.character.name}
