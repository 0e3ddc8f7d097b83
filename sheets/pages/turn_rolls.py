"""The rolls of a character's turn, which can have one address together."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import HttpRequest

from sheets.models import Event, Receipt, TurnReceipt
from sheets.pages.seen_rolls import SeenRoll, may_share, seen_by_strangers, seen_roll
from sheets.receipts.messages import encode

TOKEN = 16
"""The bytes of a token."""
MOST = 50
"""The most rolls of a turn; if there are more, the newest."""
TURNS = 200
"""The most turns, before and after a roll, that are searched for those of its character."""


@dataclass(frozen=True)
class SeenTurn:
    """The rolls under one token as a reader may see them, in the order of their numbers."""

    turn: TurnReceipt
    receipts: list[Receipt]
    """The receipts of all rolls, even if the reader may not see them."""
    rolls: list[tuple[Receipt, SeenRoll]]
    """The rolls that the reader may see."""

    @property
    def removed(self) -> bool:
        """True if nothing but number and link remains of any of them."""
        return not any(one.rolled for one in self.receipts)

    @property
    def by_link(self) -> bool:
        """True if the reader may see some of them only because of the link."""
        return any(seen.by_link for _receipt, seen in self.rolls)


def with_rolls(found: QuerySet[Receipt]) -> QuerySet[Receipt]:
    """Return receipts with the related objects that are needed to show their rolls."""
    return found.select_related("event__sheet", "scene", "sheet", "dice_log", "made_by", "key")


def rolls_since_turn(receipt: Receipt) -> list[Receipt]:
    """Return the rolls that a roll's character made from the beginning of that turn to that of its next one.

    The list is empty if the character had not had a turn in that scene.
    """
    event = receipt.event
    if event is None or event.scene_id is None or event.sheet_id is None or event.hidden:
        return []
    own = str(event.sheet_id)
    turns = Event.objects.filter(scene=event.scene_id, turn__isnull=False, undone=False).only("turn")
    before, after = turns.filter(pk__lt=event.pk).order_by("-pk"), turns.filter(pk__gt=event.pk).order_by("pk")
    begun, ended = (next((one for one in some[:TURNS] if _begins(one, own)), None) for some in (before, after))
    if begun is None:
        return []
    rolls = Receipt.objects.filter(log=receipt.log, event__sheet=event.sheet_id, event__pk__gt=begun.pk)
    if ended:
        rolls = rolls.filter(event__pk__lt=ended.pk)
    return list(with_rolls(rolls).order_by("-number")[:MOST])[::-1]


def _begins(event: Event, sheet: str) -> bool:
    """Return True if a turn of a sheet began with an event."""
    passed = event.turn_passed
    return bool(passed and sheet in passed.after["on"] and (sheet not in passed.before["on"] or sheet in passed.of))


def turn_receipt(rolls: Sequence[Receipt]) -> TurnReceipt:
    """Return the address of some rolls of one scene's log; make it if they have none yet."""
    numbers, scene = [one.number for one in rolls], rolls[0].scene
    place = {"scene": scene, "log": rolls[0].log, "first": numbers[0], "last": numbers[-1]}
    made = next((one for one in TurnReceipt.objects.filter(**place) if one.numbers == numbers), None)
    return made or TurnReceipt.objects.create(**place, numbers=numbers, token=encode(secrets.token_bytes(TOKEN)))


def seen_turn(request: HttpRequest, turn: TurnReceipt) -> SeenTurn:
    """Return the rolls of a turn as the reader may see them."""
    receipts = list(with_rolls(Receipt.objects.filter(log=turn.log, number__in=turn.numbers)).order_by("number"))
    rolls = []
    for one in receipts:
        one.shared = one.shared or turn.shared
        if one.rolled and (seen := seen_roll(request, one)):
            rolls.append((one, seen))
    return SeenTurn(turn, receipts, rolls)


def may_share_turn(request: HttpRequest, seen: SeenTurn) -> bool:
    """Return True if the reader may share each roll that was not removed."""
    return all(may_share(request, one) for one in seen.receipts if one.rolled)


def turn_is_open(seen: SeenTurn) -> bool:
    """Return True if everybody may see at least one of the rolls."""
    return any(seen_by_strangers(one) for one in seen.receipts if one.rolled)
