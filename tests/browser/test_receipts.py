"""Browsers check receipts by the script of their page, as the docs' verifier does."""

import copy

import pytest

from tests.support.plugin import PROVING
from tests.support.receipts import docs_verifier, fixed_key, many_receipts, published
from tests.support.rulesets.contract import report, seeded

pytestmark = pytest.mark.browser
MANY = 100 if PROVING else 3
EACH = 3
"""Of so many receipts one is changed."""
CHECK = """async ([address, receipts, key]) => {
    const { proved } = await import(address);
    return Promise.all(receipts.map((one) => proved(one, key)));
}"""


def changed(receipt, rng):
    """Return a copy of a receipt in which one checked thing is another."""
    receipt = copy.deepcopy(receipt)
    what = rng.choice(["log", "number", "nonce", "signature", "rolled", "dice"])
    dice = [one for one in receipt["dice"] if one["first"] < one["last"]]
    if what == "dice" and dice:
        die = rng.choice(dice)
        die["face"] = die["first"] if die["face"] == die["last"] else die["face"] + 1
    elif what in ("nonce", "signature"):
        letters = receipt[what]
        receipt[what] = ("B" if letters[0] == "A" else "A") + letters[1:]
    elif what == "log":
        receipt["log"] = receipt["log"].replace("scene", "sheet")
    elif what == "rolled":
        receipt["rolled"]["rules"] += 1
    else:
        receipt["number"] += 1
    return receipt


def test_a_browser_proves_what_holds_and_refuses_what_was_changed(visit):
    rng, key, proved = seeded("receipts in a browser"), published(fixed_key()), docs_verifier()["proved"]
    receipts = [changed(one, rng) if number % EACH == 1 else one
                for number, one in enumerate(many_receipts(MANY, rng))]
    page = visit("/")
    found = page.evaluate(CHECK, ["/static/receipts/check.js", receipts, key])
    assert found == [number % EACH != 1 for number in range(MANY)]
    assert found == [proved(one, key) for one in receipts]
    if PROVING:
        report(f"receipts checked by Chromium: {found.count(True)} proved, {found.count(False)} changed and refused")


def test_a_browser_refuses_dice_that_no_word_can_throw_at_once(visit):
    [receipt] = many_receipts(1, seeded("a receipt in a browser"))
    receipts = [{**receipt, "dice": [{"first": first, "last": last, "face": first}]}
                for first, last in ((1, 0), (6, 1), (0, 2**32), (-2**52, 2**52))]
    address = "/static/receipts/check.js"
    assert visit("/").evaluate(CHECK, [address, [receipt, *receipts], published(fixed_key())]) == [True] + [False] * 4


def test_a_browser_refuses_a_key_whose_proof_is_no_list_and_one_that_leaked(visit):
    receipts = [*many_receipts(2, seeded("a receipt in a browser"))]
    page, key = visit("/"), published(fixed_key())
    for change in ({"proof": 8}, {"proof": None}, {"proof": "A" * 8}, {"spki": "é"}, {"ended": "leaked"}):
        assert page.evaluate(CHECK, ["/static/receipts/check.js", receipts, {**key, **change}]) == [False] * 2
    both = "async ([address, ...given]) => (await import(address)).allProved(...given)"
    for answer, holds in (({"receipts": receipts}, True), (receipts[0], True), ({"receipts": []}, False),
                          ({"receipts": [receipts[0], {**receipts[1], "number": 9}]}, False)):
        assert page.evaluate(both, ["/static/receipts/check.js", answer, [key]]) is holds
