"""Checking receipts without a database: key, signature and dice, and the outcome computed again by the rules."""

import json
from base64 import b64decode
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeGuard

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets import systems
from rulesets.dice import WORD, Die, LoadedTray, thrown
from rulesets.kit import FreeRoll, Roll
from rulesets.parsing import DEPTH, DIGITS
from rulesets.signed_dice import matches_signature
from sheets.models.receipts import LEAKED, PUT_BACK
from sheets.receipts import keys
from sheets.receipts.messages import FORMAT, NONCE, SIGNATURE, VERSION, decode, message

BYTES = 8 * 1024 * 1024
"""The maximum size of a file with receipts or keys, in bytes."""
RECEIPTS, DICE = 20_000, 2_000
"""The most receipts of a file, and the most dice of a roll."""
LARGEST = 2**53
"""Integers of at least this absolute value have no canonical JSON."""
HOLDS, NOT_PROVED, REFUSED, UNREADABLE = ("holds", "not-proved", "refused", "unreadable")
"""The verdicts on a receipt."""


class Unverifiable(ValueError):
    """Raised for an invalid file of receipts or keys, or an invalid receipt; the message says why."""


@dataclass(frozen=True)
class CheckedReceipt:
    """The verdict on a receipt, with its reason; `outcome` is True if its outcome was recomputed and is the same."""

    verdict: str
    message: str
    log: str | None = None
    number: int | None = None
    outcome: bool = False


@dataclass(frozen=True)
class _Receipt:
    key: str | None
    log: str
    number: int
    nonce: str | None
    rolled: dict[str, Any] | None
    signature: str | None
    dice: list[Die]
    outcome: Any
    by_hand: bool


@dataclass
class PublishedKeys:
    """Published keys as returned by `GET /rolls/keys.json`; each is checked when a receipt first names it."""

    published: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    checked: dict[str, RSAPublicKey | None] = field(default_factory=dict)

    def good(self, identity: str) -> RSAPublicKey | None:
        """Return the published key with this id; None if it does not pass the check."""
        if identity not in self.checked:
            self.checked[identity] = _good(self.published[identity])
        return self.checked[identity]


def keys_in(raw: bytes) -> PublishedKeys:
    """Return the keys in a file; raise `Unverifiable` if it contains none."""
    tree = _parse(raw)
    found = tree.get("keys") if isinstance(tree, dict) else None
    if not isinstance(found, list) or not all(isinstance(one, dict) and isinstance(one.get("id"), str)
                                              for one in found):
        raise Unverifiable(_("These are not keys as served at rolls/keys.json."))
    return PublishedKeys({one["id"]: one for one in found})


def receipts_in(raw: bytes) -> list[Any]:
    """Return the receipts in a file, unchecked; raise `Unverifiable` if it contains none."""
    found = tree.get("receipts", [tree]) if isinstance(tree := _parse(raw), dict) else [tree]
    if not isinstance(found, list) or not found:
        raise Unverifiable(_("It contains no receipt."))
    if len(found) > RECEIPTS:
        raise Unverifiable(_("A file may hold at most {most} receipts.").format(most=RECEIPTS))
    return found


def check(tree: Any, published: PublishedKeys) -> CheckedReceipt:
    """Return the verdict on a receipt, which may be any JSON value."""
    try:
        receipt = _shaped(tree)
    except Unverifiable as error:
        return CheckedReceipt(UNREADABLE, str(error))
    verdict, text, outcome = _verdict(receipt, published)
    return CheckedReceipt(verdict, text, receipt.log, receipt.number, outcome)


def _verdict(receipt: _Receipt, published: PublishedKeys) -> tuple[str, str, bool]:
    if (receipt.by_hand or receipt.signature is None or receipt.key is None or receipt.nonce is None
            or receipt.rolled is None):
        return NOT_PROVED, _("it was thrown by hand") if receipt.by_hand else _("it has no signature"), False
    if not published.published:
        return NOT_PROVED, _("there is no key to check it by; name a file of keys with --keys"), False
    if receipt.key not in published.published:
        return NOT_PROVED, _("its key is not among those given"), False
    ended = published.published[receipt.key].get("ended")
    if ended == LEAKED:
        return NOT_PROVED, _("its key became known, so that anybody can have signed it"), False
    if wrong := _wrong(receipt, published.good(receipt.key)):
        return REFUSED, wrong, False
    stay = {place for place, one in enumerate(receipt.dice) if one.stays}
    kept = receipt.rolled.get("kept")
    if not stay <= {one for one in (kept if isinstance(kept, list) else ()) if _is_whole(one)}:
        return REFUSED, _("dice lie there from an earlier roll, but it repeats none"), False
    wrong, known = _made_again(receipt)
    if wrong:
        return REFUSED, wrong, False
    told = [known or _("dice and outcome are proved")]
    if ended == PUT_BACK:
        told.append(_("the database was put back under its key, so that its number may have been given out again"))
    if stay:
        told.append(_("{n} of the dice were kept from an earlier roll; only the receipt of that roll proves them")
                    .format(n=len(stay)))
    return HOLDS, "; ".join(told), not known


def _wrong(receipt: _Receipt, key: RSAPublicKey | None) -> str:
    """Return the reason why the signature does not prove the dice, "" if it does."""
    assert receipt.key is not None  # noqa: S101 - for the type checker
    if key is None:
        return _("its key is refused: under it a message may have several signatures, or none")
    if not NONCE.fullmatch(receipt.nonce or ""):
        return _("its nonce is not valid")
    text = message(receipt.key, receipt.log, receipt.number, receipt.nonce or "", receipt.rolled or {})
    if not keys.verify(key, text, receipt.signature or ""):
        return _("the signature is not that of this log, number, nonce and roll")
    if not matches_signature(receipt.dice, decode(receipt.signature or "", SIGNATURE)):
        return _("the dice did not fall as the signature says")
    return ""


class _Laid(LoadedTray):
    def again(self) -> NoReturn:
        """Repeat the throw; raise `ValueError` if no dice are left."""
        if not self.left:
            raise ValueError("no dice are left for another throw")
        super().again()


def _made_again(receipt: _Receipt) -> tuple[str, str]:
    """Return (reason why the receipt contradicts the rules, reason why its outcome cannot be checked), each or ""."""
    rolled = receipt.rolled or {}
    if "act" in rolled:
        return "", _("the dice are proved; the outcome depends on the sheet and cannot be computed here")
    if "formula" in rolled:
        return _thrown_again(receipt, FreeRoll, {"formula": rolled["formula"]})
    slug, name, parameters = rolled.get("ruleset"), rolled.get("roll"), rolled.get("parameters")
    system = systems().get(slug) if isinstance(slug, str) else None
    if system is None or not isinstance(name, str) or name not in system.rolls or rolled.get("rules") != system.version:
        return "", _("the dice are proved; the outcome cannot be computed, because its rules are not known here")
    if isinstance(parameters, dict) and None in parameters.values():
        return "", _("the dice are proved; the outcome cannot be computed, because a figure is secret")
    return _thrown_again(receipt, system.rolls[name], parameters)


def _thrown_again(receipt: _Receipt, cls: type[Roll], parameters: Any) -> tuple[str, str]:
    """Return the result of `_made_again` for a roll of this class."""
    try:
        roll = cls.model_validate(parameters)
        outcome, tray = thrown(roll.throw, _Laid(*(one.face for one in receipt.dice)))
    except ValidationError:
        return _("the rules have no such roll"), ""
    except ValueError:
        return _("by the rules, this roll throws different dice"), ""
    if [one[:3] for one in tray.dice] != [one[:3] for one in receipt.dice]:
        return _("by the rules, this roll throws different dice"), ""
    if receipt.outcome is None:
        return "", _("the dice are proved; the receipt names no outcome")
    if type(receipt.outcome) is not type(outcome.value) or receipt.outcome != outcome.value:
        return _("by the rules the outcome is {outcome}, not the one in the receipt").format(outcome=outcome.value), ""
    return "", ""


def _good(key: Mapping[str, Any]) -> RSAPublicKey | None:
    spki, proof = key.get("spki"), key.get("proof")
    if not isinstance(spki, str) or not isinstance(proof, list) or not all(isinstance(one, str) for one in proof):
        return None
    try:
        der = b64decode(spki, validate=True)
        return keys.check(der, proof) if keys.key_id(der) == key["id"] else None
    except ValueError:
        return None


def _distinct(items: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _value in items}) < len(items):
        raise Unverifiable(_("A key appears twice in one object."))
    return dict(items)


def _whole(digits: str) -> int:
    if len(digits) > DIGITS:
        raise Unverifiable(_("The number is too long."))
    return int(digits)


def _no_number(_name: str) -> NoReturn:
    raise Unverifiable(_("NaN and Infinity are not JSON numbers."))


def _parse(raw: bytes) -> Any:
    """Return the value of untrusted JSON; raise `Unverifiable` if it is invalid, too large or nested too deep."""
    if len(raw) > BYTES:
        raise Unverifiable(_("The file is larger than {most} MiB.").format(most=BYTES // 1024**2))
    try:
        tree = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_distinct, parse_int=_whole,
                          parse_constant=_no_number)
    except ValueError as error:
        raise error if isinstance(error, Unverifiable) else Unverifiable(_("This is not JSON.")) from None
    except RecursionError:
        raise _too_deep() from None
    deque(_values(tree), maxlen=0)
    return tree


def _values(tree: Any) -> Iterator[Any]:
    """Yield all values and keys of a tree; raise `Unverifiable` if it is nested too deep."""
    level = [tree]
    for _depth in range(DEPTH + 2):
        yield from level
        level = [inner for one in level if isinstance(one, list | dict)
                 for inner in (one if isinstance(one, list) else (*one, *one.values()))]
    if level:
        raise _too_deep()


def _too_deep() -> Unverifiable:
    return Unverifiable(_("Lists and objects are nested deeper than {depth}.").format(depth=DEPTH))


def _shaped(tree: Any) -> _Receipt:
    """Return the receipt in a JSON value; raise `Unverifiable` if it is not valid."""
    if not isinstance(tree, dict) or tree.get("format") != FORMAT:
        raise Unverifiable(_("This is not a receipt."))
    if not _is_whole(tree.get("version")) or tree["version"] != VERSION:
        raise Unverifiable(_("This program does not know receipts of that version."))
    log, number, dice, says = (tree.get(name) for name in ("log", "number", "dice", "says"))
    if not isinstance(log, str) or not 0 < len(log) <= 80 or not (log.isascii() and log.isprintable()):
        raise _wrong_field("log")
    if not _is_whole(number) or not 0 < number < LARGEST:
        raise _wrong_field("number")
    texts = {name: tree.get(name) for name in ("key", "nonce", "signature")}
    for name, text in texts.items():
        if not isinstance(text, str | None):
            raise _wrong_field(name)
    rolled = tree.get("rolled")
    if not isinstance(rolled, dict | None) or not all(map(_is_canonical, _values(rolled))):
        raise _wrong_field("rolled")
    if not isinstance(says, dict):
        raise _wrong_field("says")
    if not isinstance(by_hand := tree.get("by_hand", False), bool):
        raise _wrong_field("by_hand")
    return _Receipt(by_hand=by_hand, log=log, number=number, rolled=rolled, dice=_dice(dice),
                    outcome=says.get("outcome"), **texts)


def _dice(dice: Any) -> list[Die]:
    if not isinstance(dice, list) or not all(isinstance(one, dict) for one in dice):
        raise _wrong_field("dice")
    if len(dice) > DICE:
        raise Unverifiable(_("A roll has at most {most} dice.").format(most=DICE))
    found = [Die(one.get("first"), one.get("last"), one.get("face"), one.get("kept", False)) for one in dice]
    for one in found:
        if not all(_is_whole(value) and abs(value) < LARGEST for value in one[:3]) or not isinstance(one.stays, bool):
            raise _wrong_field("dice")
        if not 1 <= one.last - one.first + 1 <= 256**WORD:
            raise Unverifiable(_("A die must have 1 to {most} faces.").format(most=256**WORD))
    return found


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_canonical(value: Any) -> bool:
    """Return True if a value may be part of the signed JSON: no float, no large integer, no lone surrogate."""
    if isinstance(value, str):
        return not any("\ud800" <= letter <= "\udfff" for letter in value)
    return not isinstance(value, float) and not (_is_whole(value) and abs(value) >= LARGEST)


def _wrong_field(name: str) -> Unverifiable:
    return Unverifiable(_("“{name}” is not what a receipt has there.").format(name=name))
