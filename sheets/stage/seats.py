"""The seats of a table as a page shows them: as chips in the order of turns, as cards, and as targets."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from rulesets.names import short_names
from sheets.character import Character
from sheets.models import Sheet
from sheets.stage.participants import Participant
from sheets.stage.press_form import NOBODY
from sheets.stage.table import PartyTable


class SeatGauge(NamedTuple):
    """A gauge on a card; `most` is 0 if it has no maximum."""

    title: str
    current: int
    most: int


@dataclass(frozen=True)
class Seat:
    """A participant as a page shows it; seats that are equal look the same in one language."""

    sheet: Sheet = field(compare=False)
    key: UUID
    system: str
    """The slug of its system."""
    name: str
    short: str
    """The first word of the name if that is unique at the table; otherwise the name."""
    portrait: UUID | None
    remark: str
    """A few words below the name: its player or its condition."""
    opponent: bool
    on: bool
    """True if it has the turn."""
    had_turn: bool
    """True if it has had its turn in this round."""
    acting: bool
    aimed_at: bool
    acts_at: str
    """The address with it as the actor; "" if the reader may not act for it."""
    aims_at: str
    """The address with it as the target; "" if it cannot be one."""
    table: str
    """The address of the table."""
    readable: bool
    known: bool
    """True if the system can read the sheet."""
    barred: bool
    undecided: bool
    unshown: bool
    """True if it is the reader's own sheet and its figures are hidden from the other players."""
    order: str
    """The name of the figure that decides the order of turns."""
    place: int | None
    """That figure, or None if the reader does not see it."""
    figures: tuple[SeatGauge, ...] | None
    """Its gauges with their values; None if the reader does not see them."""
    card_figures: tuple[tuple[str, str, int], ...]
    """(abbreviation, title, figure) of its protection and the like; () if the reader does not see figures."""
    notices: tuple[tuple[str, str], ...]
    """(message, rule id) of notices for the current turn."""
    first_gauge: str
    """The value and maximum of the first gauge that has one, "7/10"; "" if the reader sees none."""


def seats(table: PartyTable, participants: Iterable[Participant], by: Participant | None = None,
          at: Participant | None = None, *, aims: bool = False) -> tuple[Seat, ...]:
    """Return participants as a page shows them with the actor `by` and the target `at`.

    `aims` is True if targets may be chosen at all.
    """
    on, had_turn = ({one.sheet.pk for one in those} for those in (table.on, table.had_turn))
    short = short_names([one.name for one in table.participants])
    return tuple(_seat(table, one, by, at, aims=aims, on=one.sheet.pk in on, had_turn=one.sheet.pk in had_turn - on,
                       short=short.get(one.name, one.name)) for one in participants)


def _seat(table: PartyTable, one: Participant, by: Participant | None, at: Participant | None, *, aims: bool,
          on: bool, had_turn: bool, short: str) -> Seat:
    sheet, character, order = one.sheet, one.character, table.table.order
    plays, seen = bool(character) and (one.mine or table.me.gm), bool(character) and one.shown
    acting, aimed_at = _same(one, by), _same(one, at)
    return Seat(
        sheet=sheet, key=sheet.pk, system=sheet.ruleset, name=one.name, short=short,
        portrait=sheet.portrait_id if one.readable else None, remark=_remark(table, one), opponent=sheet.opponent,
        on=on, had_turn=had_turn, acting=acting, aimed_at=aimed_at,
        acts_at=_address(table, _by=sheet.pk, _at=(at.sheet.pk if at else NOBODY) if by else None) if plays else "",
        aims_at=_address(table, _by=by and by.sheet.pk, _at=NOBODY if aimed_at else sheet.pk)
        if character and aims else "",
        table=table.address, readable=one.readable, known=bool(character), barred=bool(character and character.barred),
        undecided=one.undecided, unshown=one.mine and one.private and not sheet.opponent,
        order=str(order), place=one.place if one.shown else None,
        figures=tuple(SeatGauge(str(gauge.title), gauge.current, gauge.most) for gauge in one.gauges
                      if one.place is None or gauge.title != order) if seen else None,
        card_figures=_card_figures(one.character) if seen and one.character else (),
        notices=tuple((str(notice.message), notice.rule or "") for notice in one.notices) if seen and plays else (),
        first_gauge=f"{first.current}/{first.most}" if (first := one.first_gauge) else "")


def _card_figures(character: Character) -> tuple[tuple[str, str, int], ...]:
    crossing = character.ruleset.crossing
    found = crossing.figures(character.written, character.play) if crossing.card_figures else {}
    return tuple((str(short), str(title), found[name]) for name, (short, title) in crossing.card_figures.items()
                 if found.get(name) is not None)


def _remark(table: PartyTable, one: Participant) -> str:
    if not one.sheet.opponent:
        return one.sheet.owner.username if one.sheet.owner else ""
    if not one.shown:
        return one.wounds
    return _("sheet hidden") if table.me.gm and one.private else ""


def _same(one: Participant, other: Participant | None) -> bool:
    return other is not None and one.sheet.pk == other.sheet.pk


def _address(table: PartyTable, **keys: object) -> str:
    # Keys of sheets and `NOBODY` need no quoting in addresses.
    pairs = [f"{name}={key}" for name, key in keys.items() if key]
    return f"{table.address}{'&' if table.scene_query else '?'}{'&'.join(pairs)}"
