"""The Undo line shown on the page where a button just removed, fixed or filled in something."""

from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from builder.wizard.at_fields import TOP_OF_STEP
from builder.wizard.context import Wizard
from sheets.forms.inputs import element_id
from sheets.verdicts import fix_digest

_WORDS = {"drop": gettext_lazy("Removed."), "mend": gettext_lazy("Fixed."), "fill": gettext_lazy("Filled in.")}
_LINE = """<p class="did{}" role="status">{}
<button class="button quiet" form="step" name="do" value="undo:">{}</button></p>"""


def undo_line(before: Wizard, after: Wizard, action: str, about: str) -> tuple[str, str]:
    """Return (id of the element that a button changed, line with an Undo button), ("", "") for other actions.

    If that element is gone or in a catalogue, it is `TOP_OF_STEP`, and the line is shown at the bottom of the window.
    """
    if action not in _WORDS:
        return "", ""
    where = TOP_OF_STEP
    if action == "mend":
        where = next((where for where, notes in before.marked.items() for note in notes
                      if any(fix_digest(fix) == about for fix in note.finding.fixes)), TOP_OF_STEP)
    elif action == "drop":
        where = element_id(about.rpartition(".")[0] or about)
    there = where in after.elements and not any(one.id == where and one.slot.ask.counted for one in after.inputs)
    return where if there else TOP_OF_STEP, format_html(_LINE, "" if there else " afar", _WORDS[action], _("Undo"))
