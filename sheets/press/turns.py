"""Whose turn it is: the first of the order, the next one, held back; rounds are counted. The party is held."""

from collections.abc import Sequence
from uuid import UUID

from sheets.models import Party, Sheet
from sheets.press.log import announce


def begin_turns(party: Party, order: Sequence[Sheet], _to_come: Sequence[Sheet]) -> None:
    """A fight begins with the first of the order."""
    _now(party, order[0].pk if order else None, 1 if order else 0)


def next_turn(party: Party, order: Sequence[Sheet], to_come: Sequence[Sheet]) -> None:
    """The turn of the first of those to come; after the last the next round begins."""
    if to_come:
        _now(party, to_come[0].pk, party.round)
    else:
        _now(party, order[0].pk if order else None, party.round + 1 if order else 0)


def hold_turn(party: Party, order: Sequence[Sheet], to_come: Sequence[Sheet]) -> None:
    """Whose turn it is goes after the next one from now on, whose turn it becomes."""
    keys = [one.pk for one in order]
    if party.turn not in keys[:-1]:
        return next_turn(party, order, to_come)
    at = keys.index(party.turn)
    keys[at], keys[at + 1] = keys[at + 1], keys[at]
    party.order = [str(key) for key in keys]
    return _now(party, keys[at], party.round)


def end_turns(party: Party, _order: Sequence[Sheet], _to_come: Sequence[Sheet]) -> None:
    """The fight is over: it is nobody's turn."""
    _now(party, None, 0)


def _now(party: Party, turn: UUID | None, round_: int) -> None:
    party.turn, party.round = turn, round_
    Party.objects.filter(pk=party.pk).update(turn=turn, round=round_)
    announce(party, table=True)
