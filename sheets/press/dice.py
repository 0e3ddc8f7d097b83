"""Throwing the dice of a press: each roll is numbered and signed first, then its dice fall (`sheets.receipts`)."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import DatabaseError, transaction
from django.utils.translation import gettext as _

from rulesets.dice import Outcome, RealTray, thrown
from rulesets.hand_dice import HandTray
from rulesets.kit import Act, Refused, Roll, Ruleset
from sheets.character import Character
from sheets.models import PRIVATE, Event, Receipt, RollKey
from sheets.models.event_kinds import Rolled
from sheets.models.scene_numbers import count_again
from sheets.receipts.services import Rolling, open_receipt
from sheets.rolls.repeats import Rethrow, dice_of_undone_act

Done = TypeVar("Done")
_ROLLS: ContextVar[list[Receipt] | None] = ContextVar("_ROLLS", default=None)
"""The receipts of the rolls made since `keeping_rolls` began."""


@dataclass(frozen=True)
class Throw:
    """The options for throwing the dice of a press; the dice are signed unless a `tray` is given.

    `nonce` comes from the roller's browser, "" if it sent none. With `opens`, a scene is opened if none is open. `at`
    holds the keys of the sheets that the roll is aimed at, `veiled` the names of its secret parameters.
    """

    tray: RealTray | None = None
    nonce: str = ""
    opens: bool = False
    at: tuple[str, ...] = ()
    veiled: frozenset[str] = frozenset()
    before: Event | None = None
    """An earlier roll whose dice are applied to one more target; no dice are thrown."""
    faces: tuple[int | None, ...] | None = None
    """The faces thrown by hand so far; None if the dice fall here."""

    def dice(self, event: Event, ruleset: Ruleset, roll: Roll, act: Act | None = None,
             fixed: Mapping[int, int] | None = None) -> Any:
        """Throw the dice of a roll, write them into its unsaved event, and return their outcome.

        Dice that are `fixed`, {place: face}, stay as they are.
        """
        tray, before = self.tray, self.before or event.again
        fixed = dict(enumerate(self.before.thrown)) if self.before else fixed
        made = roll if act is None else act
        # Before the roll is numbered: nothing has happened yet if faces are missing.
        by_hand = self._by_hand(roll, made, fixed)
        event.by_hand = by_hand is not None
        if tray is None:
            veiled = type(made).model_fields if _is_private_opponent(event) else self.veiled
            rolling = Rolling(ruleset, roll, act, self.at, veiled, before, fixed or ())
            tray = open_receipt(event, rolling, nonce=self.nonce, opens=self.opens, by_hand=event.by_hand)
            if event.opened and (rolls := _ROLLS.get()) is not None:
                rolls.append(event.opened)
        outcome, tray = by_hand or thrown(roll.throw, tray if fixed is None else Rethrow(fixed, tray))
        event.add(Rolled(type(roll).slug, roll.model_dump(), tray.fallen, tray.tries, outcome.value,
                         dict(outcome.figures)))
        if event.opened:
            event.opened.note_dice(tray.dice)
        return outcome

    def _by_hand(self, roll: Roll, made: Roll | Act,
                 fixed: Mapping[int, int] | None) -> tuple[Outcome, RealTray] | None:
        """Return (outcome, tray) of a roll thrown by hand; None if its dice fall here, or have all fallen before.

        Hidden dice fall here always.
        Raise `NextDice` if faces are missing.
        """
        if self.faces is None or type(roll).hides() or type(made).hides():
            return None
        hand = HandTray(self.faces)
        outcome, tray = thrown(roll.throw, hand if fixed is None else Rethrow(fixed, hand))
        if hand.left:
            raise Refused(_("This roll has fewer dice than you have thrown; begin it again."))
        return (outcome, tray) if hand.dice else None

    def dice_of_act(self, event: Event, character: Character, act: Act, roll: Roll) -> Any:
        """Throw the dice that an act asks for, and return their outcome.

        An act that was undone and is done again next, or for as long as the act says, gets the same dice.
        """
        sheet = character.sheet
        like = Event(act=act.slug, roll=type(roll).slug, party_id=sheet.party_id)
        undone = dice_of_undone_act(sheet.pk, like, sheet.play, act, roll)
        return self.dice(event, character.ruleset, roll, act, undone or None)


@contextmanager
def keeping_rolls() -> Iterator[list[Receipt]]:
    """Run the block in a savepoint; if it raises an error, its rolls stay stored as refused rolls.

    After a `DatabaseError` nothing is stored. The caller must have locked the party or the sheet of the rolls. Yield
    the list of their receipts.
    """
    outer, rolls = _ROLLS.get(), list[Receipt]()
    token = _ROLLS.set(rolls)
    try:
        with transaction.atomic():
            yield rolls
    except DatabaseError:
        raise
    except Exception:
        for receipt in rolls:
            _store_as_refused(receipt)
        raise
    finally:
        _ROLLS.reset(token)
        if outer is not None:
            outer += rolls


def rolling_safely(do: Callable[[list[Receipt]], Done]) -> Done | Exception:
    """Return the result of `do`, or the error that it raised after a roll was numbered.

    The caller must raise that error after its transaction, so that the roll stays stored; `do` runs in `keeping_rolls`.
    """
    rolls: list[Receipt] = []
    try:
        with keeping_rolls() as rolls:
            return do(rolls)
    except DatabaseError:
        raise
    except Exception as fault:
        if not rolls:
            raise
        return fault


def _is_private_opponent(event: Event) -> bool:
    """Return True if an event is of an opponent whose figures only GMs know; its parameters are then secret, too."""
    sheet = event.sheet
    return bool(sheet and event.party_id and sheet.opponent and sheet.seen_by == PRIVATE)


def _store_as_refused(receipt: Receipt) -> None:
    """Store a receipt again after its savepoint was rolled back; its log is locked, so it keeps its number."""
    count_again(receipt)
    if receipt.key and not RollKey.objects.filter(pk=receipt.key.pk).exists():
        # The key was made in that savepoint.
        receipt.key.save(force_insert=True)
    receipt.pk, receipt.event = None, None
    receipt.save(force_insert=True)
