"""Many receipts: the docs' verifier and the program agree on all rolls, and refuse whatever was changed."""

import copy
import json
from functools import cache

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

from rulesets import systems
from rulesets.dice import Die
from rulesets.signed_dice import matches_signature
from sheets.receipts import keys
from sheets.receipts.messages import SIGNATURE, decode, encode
from sheets.receipts.verifying import HOLDS, REFUSED, check, keys_in
from tests.support.commands import run
from tests.support.receipts import docs_verifier, fixed_key, many_receipts, published
from tests.support.rulesets.contract import seeded

MANY, FEW = 10_000, 80
"""Receipts at full counts and every day."""
ONE_FACE = {"first": 1, "last": 1, "face": 1}
"""A die that falls so by every signature: only the rules know that it is too many."""


@pytest.fixture
def proved(monkeypatch):
    """Return the docs' verifier; a key that was good once is not checked again, which takes as long as 100 receipts."""
    names = docs_verifier()
    good = cache(lambda text, found=names["good"]: found(json.loads(text)))
    monkeypatch.setitem(names, "good", lambda key: good(json.dumps(key)))
    return names["proved"]


@pytest.fixture
def known():
    return keys_in(json.dumps({"keys": [published(fixed_key())]}).encode())


def test_the_docs_and_the_program_agree_on_all_rolls(proved, known, full, figure):
    key, rolls = published(fixed_key()), set()
    receipts = list(many_receipts(MANY if full else FEW, seeded("receipts that hold")))
    for receipt in receipts:
        rolls.add((receipt["rolled"]["ruleset"], receipt["rolled"]["roll"]))
        checked = check(receipt, known)
        assert (checked.verdict, checked.outcome) == (HOLDS, True), (receipt, checked)
        dice = [Die(one["first"], one["last"], one["face"]) for one in receipt["dice"]]
        assert matches_signature(dice, decode(receipt["signature"], SIGNATURE))
        assert proved(receipt, key), receipt
    assert {slug for slug, _roll in rolls} == {*systems()}
    if full:
        assert len(rolls) == sum(len(one.rolls) for one in systems().values())
    figure(f"receipts: {len(receipts)} of {len(rolls)} rolls hold by the docs' verifier and the program")


def other_text(text, rng):
    """Return a text of which one character is another."""
    at = rng.randrange(len(text))
    return text[:at] + rng.choice([one for one in "ABCDabcd0123-_" if one != text[at]]) + text[at + 1:]


def other_bytes(text, rng):
    """Return the base64url of bytes of which one bit is another."""
    data = bytearray(decode(text, len(text) * 3 // 4))
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return encode(data)


def other_value(value, rng):
    if isinstance(value, bool) or value is None:
        return not value
    return value + rng.choice([-1, 1]) if isinstance(value, int) else f"{value}x"


def change_rolled(rolled, rng):
    """Change, add or take away one field of what was rolled."""
    fields = [(rolled, name) for name in rolled if name != "parameters"]
    fields += [(rolled["parameters"], name) for name in rolled["parameters"]]
    place, name = rng.choice(fields)
    match rng.randrange(4):
        case 0:
            del place[name]
        case 1:
            place["x" * rng.randint(1, 9)] = place[name]
        case _:
            place[name] = other_value(place[name], rng)


def change_die(receipt, rng):
    """Let one die show another of its faces."""
    die = rng.choice([one for one in receipt["dice"] if one["first"] < one["last"]])
    die["face"] = rng.choice([face for face in range(die["first"], die["last"] + 1) if face != die["face"]])


def changed(receipt, what, rng):
    """Return a copy of a receipt in which one checked thing is another."""
    receipt = copy.deepcopy(receipt)
    match what:
        case "number":
            receipt["number"] += rng.choice([1, 2, 10, 2**32])
        case "rolled":
            change_rolled(receipt["rolled"], rng)
        case "die":
            change_die(receipt, rng)
        case "nonce" | "signature":
            receipt[what] = other_bytes(receipt[what], rng)
        case "log":
            receipt[what] = other_text(receipt[what], rng)
        case "key":
            receipt["key"] = other_bytes(receipt["key"], rng)
    return receipt


CHECKED = ["key", "other key", "log", "number", "nonce", "rolled", "signature", "die"]


def test_the_docs_and_the_program_refuse_receipts_with_one_thing_changed(proved, full, figure):
    rng, key, other = seeded("receipts that were changed"), published(fixed_key()), published(another())
    refused = dict.fromkeys(CHECKED, 0)
    for receipt in many_receipts(MANY if full else FEW, rng):
        thrown = any(one["first"] < one["last"] for one in receipt["dice"])
        what = rng.choice(CHECKED if thrown else CHECKED[:-1])
        bad, known = changed(receipt, what, rng), key
        if what == "other key":
            # The signature is the same, and the key another that is good.
            bad["key"], known = other["id"], other
        elif what == "key" and rng.random() < 0.5:
            known = {**key, "id": bad["key"]}
        assert bad != receipt
        assert not proved(bad, known), (what, bad)
        assert check(bad, keys_of(known)).verdict == REFUSED or known["id"] != bad["key"], (what, bad)
        assert check(bad, keys_of(known)).verdict != HOLDS, (what, bad)
        refused[what] += 1
    assert all(refused.values())
    figure(f"receipts changed and refused: {sum(refused.values())}, {refused}")


@cache
def another():
    return generate_private_key(keys.EXPONENT, keys.BITS)


_KNOWN = {}


def keys_of(key):
    """Return a published key, which is checked once."""
    return _KNOWN.setdefault(json.dumps(key), keys_in(json.dumps({"keys": [key]}).encode()))


def test_a_changed_outcome_and_changed_kinds_of_dice_are_refused_by_the_rules(tmp_path, known, full, figure):
    rng, bad = seeded("outcomes that were changed"), []
    for receipt in many_receipts(MANY if full else FEW, rng):
        one = copy.deepcopy(receipt)
        match rng.choice(["outcome", "fewer", "more"] if one["dice"] else ["outcome", "more"]):
            case "outcome":
                one["says"]["outcome"] = other_value(one["says"]["outcome"], rng)
            case "fewer":
                one["dice"].pop()
            case "more":
                one["dice"].append(ONE_FACE)
        checked = check(one, known)
        assert checked.verdict == REFUSED, (one, checked)
        assert "Regeln" in checked.message or "the rules" in checked.message
        bad.append(one)
    (tmp_path / "keys").write_text(json.dumps({"keys": [published(fixed_key())]}))
    (tmp_path / "rolls").write_text(json.dumps({"receipts": bad[:FEW]}))
    assert run("verify_rolls", tmp_path / "rolls", "--keys", tmp_path / "keys").code == 1
    figure(f"receipts with an outcome, or a die more or fewer, that the rules do not give, refused: {len(bad)}")
