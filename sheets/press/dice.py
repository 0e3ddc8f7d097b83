"""Throwing the dice of a press: each roll is numbered and signed first, then its dice fall (`sheets.receipts`)."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import DatabaseError, transaction

from rulesets.dice import RealTray, thrown
from rulesets.kit import Act, Roll, Ruleset
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
    """The way in which the dice of a press fall; they are signed unless a `tray` is given.

    `nonce` was chosen by the roller's browser, "" if by none. With `opens` a scene is opened if there is none. The roll
    is aimed `at` these sheets; the parameters named in `veiled` are secret.
    """

    tray: RealTray | None = None
    nonce: str = ""
    opens: bool = False
    at: tuple[str, ...] = ()
    veiled: frozenset[str] = frozenset()
    before: Event | None = None
    """The roll whose dice are compared with one more target, so that none is thrown again."""

    def dice(self, event: Event, ruleset: Ruleset, roll: Roll, act: Act | None = None,
             fixed: Mapping[int, int] | None = None) -> Any:
        """Throw the dice of a roll, write them into its unsaved event, and return their outcome.

        Dice that are `fixed`, {place: face}, stay as they are.
        """
        tray, before = self.tray, self.before or event.again
        fixed = dict(enumerate(self.before.thrown)) if self.before else fixed
        if tray is None:
            made = roll if act is None else act
            veiled = type(made).model_fields if _is_private_opponent(event) else self.veiled
            rolling = Rolling(ruleset, roll, act, self.at, veiled, before, fixed or ())
            tray = open_receipt(event, rolling, nonce=self.nonce, opens=self.opens)
            if event.opened and (rolls := _ROLLS.get()) is not None:
                rolls.append(event.opened)
        outcome, tray = thrown(roll.throw, tray if fixed is None else Rethrow(fixed, tray))
        event.add(Rolled(type(roll).slug, roll.model_dump(), tray.fallen, tray.tries, outcome.value,
                         dict(outcome.figures)))
        if event.opened:
            event.opened.note_dice(tray.dice)
        return outcome

    def dice_of_act(self, event: Event, character: Character, act: Act, roll: Roll) -> Any:
        """Throw the dice that an act asks for, and return their outcome.

        If an act was undone and the same is done next, or within the time that the act says, it gives the same dice.
        """
        sheet = character.sheet
        like = Event(act=act.slug, roll=type(roll).slug, party_id=sheet.party_id)
        undone = dice_of_undone_act(sheet.pk, like, sheet.play, act, roll)
        return self.dice(event, character.ruleset, roll, act, undone or None)


@contextmanager
def keeping_rolls() -> Iterator[list[Receipt]]:
    """Run something in a savepoint; if it is refused or breaks, the rolls made in it stay as refused ones.

    Their party, or their sheet, must be locked outside. The value is the list of their receipts.
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
    """Return what `do` returns, or the error by which it is refused or breaks once a roll has its number.

    The caller raises that error after its transaction, so that the roll stays; `do` is called as in `keeping_rolls`.
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
    """Return True for a roll of an opponent whose figures only GMs know; they are secret as those of a target are."""
    sheet = event.sheet
    return bool(sheet and event.party_id and sheet.opponent and sheet.seen_by == PRIVATE)


def _store_as_refused(receipt: Receipt) -> None:
    """Store a receipt again whose savepoint was rolled back; its log is locked, so it has the same number."""
    count_again(receipt)
    if receipt.key and not RollKey.objects.filter(pk=receipt.key.pk).exists():
        # It was made in that savepoint.
        receipt.key.save(force_insert=True)
    receipt.pk, receipt.event = None, None
    receipt.save(force_insert=True)
