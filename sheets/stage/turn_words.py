"""Texts that say whose turn it is: a name, or the side of several sheets."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from sheets.stage.participants import Participant


def name_of_seats(seats: Sequence["Participant"]) -> str:
    """Return the name of a single seat, or the side of several; "" for none."""
    if len(seats) < 2:
        return seats[0].name if seats else ""
    return {"all": _("all"), "opponents": _("the opponents"), "players": _("the players")}[_side(seats)]


def whose_turn(seats: Sequence["Participant"]) -> str:
    """Return a heading that says whose turn it is, "" for nobody."""
    if len(seats) < 2:
        return _("{name}’s turn").format(name=seats[0].name) if seats else ""
    return {"all": _("Everybody’s turn"), "opponents": _("The opponents’ turn"),
            "players": _("The players’ turn")}[_side(seats)]


def _side(seats: Sequence["Participant"]) -> str:
    """Return the side that all seats are on, "all" if they are on both."""
    sides = {one.sheet.opponent for one in seats}
    return "all" if len(sides) > 1 else "opponents" if True in sides else "players"
