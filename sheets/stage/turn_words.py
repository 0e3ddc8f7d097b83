"""Names for those whose turn it is: of one it is the name, of several the side that they are on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from sheets.stage.table import Participant


def named(seats: Sequence["Participant"]) -> str:
    """Return the name of one, the side of several, "" for nobody."""
    if len(seats) < 2:
        return seats[0].name if seats else ""
    sides = {one.sheet.opponent for one in seats}
    return _("all") if len(sides) > 1 else _("the opponents") if True in sides else _("the players")


def whose_turn(seats: Sequence["Participant"]) -> str:
    """Return a sentence that says whose turn it is, "" for nobody."""
    if len(seats) < 2:
        return _("{name} has the turn").format(name=seats[0].name) if seats else ""
    sides = {one.sheet.opponent for one in seats}
    if len(sides) > 1:
        return _("Everybody has the turn")
    return _("The opponents have the turn") if True in sides else _("The players have the turn")
