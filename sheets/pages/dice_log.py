"""The log of a signed-in user's dice pages, in which each roll is numbered and signed. Guests have none."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.crypto import salted_hmac
from django_htmx.http import HttpResponseClientRedirect

from rulesets.dice import RealTray
from rulesets.kit import Offer, Ruleset
from rulesets.signed_dice import source_of
from sheets.access import PageRequest, user_of
from sheets.forms.inputs import Answers
from sheets.models import DiceLog, Event, Receipt
from sheets.press.dice import rolling_safely
from sheets.receipts.messages import encode
from sheets.receipts.services import Rolling, sign
from sheets.rolls.dice_page import DicePage, ThrowInAddress
from sheets.rolls.dice_responses import respond_with_dice
from sheets.rolls.widgets import Widget
from sheets.stage.press_form import nonce_in, press_key, press_keys, tell_done

TOKEN = 16
"""The bytes of the token of a receipt."""


class AlreadyRolled(Exception):
    """Another roll was already made with the key of a press."""

    def __init__(self, receipt: Receipt) -> None:
        super().__init__()
        self.receipt = receipt


class LoggedDicePage(DicePage):
    """A dice page whose rolls enter the log of the user who makes them."""

    def __init__(self, request: PageRequest, ruleset: Ruleset, offers: Iterable[Offer] | None, answers: Answers,
                 widget_key: str, chain: Sequence[ThrowInAddress] = ()) -> None:
        self.request, self.user = request, user_of(request)
        super().__init__(ruleset, answers, widget_key, chain, offers)

    def throw(self, widget: Widget, dice_source: RealTray | None = None, token: str = "") -> list[ThrowInAddress]:
        """Return the chain with one more roll, which is numbered and signed unless a guest makes it.

        A press that arrives twice makes one roll. Raise `AlreadyRolled` if its key belongs to another roll.
        """
        if self.user is None:
            return super().throw(widget, dice_source, token)
        key = press_key(self.request.POST) if self.request.POST.get("_press") else uuid4()
        with transaction.atomic():
            log = _locked_log(self.user)
            receipt = Receipt(log=f"person:{log.pk}", dice_log=log, made_by=self.user, token=_token(log, key),
                              rolled=Rolling(self.ruleset, widget.complete).rolled(Event()))
            earlier = Receipt.objects.filter(token=receipt.token).first()
            done = self._throw_again(widget, earlier, receipt) if earlier else self._throw_first(widget, receipt)
        if isinstance(done, Exception):
            raise done
        return done

    def _throw_again(self, widget: Widget, earlier: Receipt, receipt: Receipt) -> list[ThrowInAddress]:
        """Return the chain with a roll that was made before; its dice follow from its signature."""
        if earlier.rolled != receipt.rolled or not earlier.outcome:
            raise AlreadyRolled(earlier)
        return super().throw(widget, RealTray(source_of(bytes(earlier.signature or b""))), earlier.token)

    def _throw_first(self, widget: Widget, receipt: Receipt) -> list[ThrowInAddress] | Exception:
        """Return the chain with a new roll, or the error that stopped it after it got its number, which it keeps."""
        throw = super().throw

        def roll(rolls: list[Receipt]) -> list[ThrowInAddress]:
            tray = sign(receipt, nonce_in(self.request.POST))
            rolls.append(receipt)
            chain = throw(widget, tray, receipt.token)
            receipt.note_dice(tray.dice)
            last = chain[-1]
            receipt.outcome = {"value": last["outcome"], "figures": last["figures"], "faces": last["faces"]}
            receipt.save(update_fields=["dice", "outcome"])
            return chain

        return rolling_safely(roll)

    def shown(self) -> dict[str, Any]:
        """Return the template context of the page, with the receipt of its last roll if the reader made it."""
        if self.user is None:
            return super().shown() | {"unlogged": True}
        token = self.chain[-1].get("token") if self.chain else None
        logged = Receipt.objects.filter(token=token, dice_log__user=self.user).only(
            "number", "token").first() if token else None
        return super().shown() | {"logged": logged, "press": press_keys()}


def answer_logged(request: PageRequest, ruleset: Ruleset, offers: Iterable[Offer] | None, url: str,
                  show: Callable[..., HttpResponse]) -> HttpResponse:
    """Respond to a request for a page of rolls, all of the system or those in `offers`; log what is rolled there."""
    try:
        return respond_with_dice(request, partial(LoggedDicePage, request, ruleset, offers), url, show)
    except AlreadyRolled as done:
        tell_done(request, done.receipt)
        return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def _locked_log(user: User) -> DiceLog:
    """Return the log of a user's dice pages, locked until the transaction ends."""
    log, _made = DiceLog.objects.get_or_create(user=user)
    return DiceLog.objects.select_for_update().get(pk=log.pk)


def _token(log: DiceLog, key: UUID) -> str:
    """Return the token for the receipt of a press: the same for the same press, and impossible to guess."""
    return encode(salted_hmac("dice log", f"{log.pk} {key}", algorithm="sha256").digest()[:TOKEN])
