"""`verify_rolls`: receipts are checked without a database, and each roll is made again by its rules."""

import json
import time

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

from rulesets import systems
from sheets.receipts import verifying
from sheets.receipts.keys import BITS, EXPONENT
from tests.support.commands import refused, run, shell
from tests.support.receipts import fixed_key, published, receipt_of, receipt_of_roll, small_rolls

CONDICE = systems()["condice"]
ATTACK = CONDICE.rolls["attack"](dice=4, defence=2)


@pytest.fixture
def keys(file):
    return file("keys.json", {"keys": [published(fixed_key())]})


@pytest.fixture
def verify(file, keys):
    """Return (entry of one receipt, exit code)."""

    def entry(content):
        answer = run("verify_rolls", file("roll.json", content), "--keys", keys, "--format", "json")
        (found,) = json.loads(answer)
        return found, answer.code

    return entry


def attack(**how):
    return receipt_of_roll(CONDICE, ATTACK, **how)


def test_a_receipt_holds_with_its_outcome(verify):
    found, code = verify(attack())
    assert list(found) == ["file", "log", "number", "verdict", "outcome_proved", "message"]
    assert (found["verdict"], found["outcome_proved"], found["number"], code) == ("holds", True, 1, 0)


def test_every_roll_of_all_systems_holds(file, keys):
    receipts = [receipt_of_roll(system, roll) for system, roll in small_rolls()]
    assert {one["rolled"]["ruleset"] for one in receipts} == {*systems()}
    answer = run("verify_rolls", file("rolls.json", {"receipts": receipts}), "--keys", keys, "--format", "json")
    assert {one["message"] for one in json.loads(answer)} == {"dice and outcome are proved"}
    assert (answer.code, len(json.loads(answer))) == (0, len(receipts))


def test_the_gravest_verdict_is_the_exit_code(file, keys):
    good, bad, none = file("a", attack()), file("b", {**attack(), "number": 2}), file("c", {"receipts": []})
    for files, code in (([good], 0), ([good, bad], 1), ([none, bad, good], 2)):
        assert run("verify_rolls", *files, "--keys", keys).code == code


@pytest.mark.parametrize(("change", "said"), [
    (lambda one: one["dice"].pop(), "by the rules, this roll throws"),
    (lambda one: one["dice"][0].update(last=one["dice"][0]["face"] + 600), "the dice did not fall"),
    (lambda one: one["dice"].append({"first": 1, "last": 1, "face": 1}), "by the rules, this roll throws"),
    (lambda one: one["dice"].append({"first": 1, "last": 1, "face": 2}), "the dice did not fall"),
    (lambda one: one["dice"][0].update(kept=True), "the dice did not fall"),
    (lambda one: [die.update(kept=True) for die in one["dice"]], "it repeats none"),
    (lambda one: one["says"].update(outcome=one["says"]["outcome"] + 1), "by the rules the outcome is "),
    (lambda one: one["says"].update(outcome=float(one["says"]["outcome"])), "by the rules the outcome is "),
    (lambda one: one["says"].update(outcome=[[[1]]]), "by the rules the outcome is "),
    (lambda one: one.update(nonce="A" * 21 + "B"), "its nonce is not valid"),
    (lambda one: one.update(log="scene:x"), "the signature is not"),
    (lambda one: one.update(signature=one["signature"] + "="), "the signature is not"),
    (lambda one: one.update(signature="é" * 400), "the signature is not"),
    (lambda one: one["rolled"].update(rules=2), "the signature is not"),
])
def test_what_is_changed_is_refused(verify, change, said):
    receipt = attack()
    change(receipt)
    found, code = verify(receipt)
    assert (found["verdict"], found["outcome_proved"], code) == ("refused", False, 1)
    assert said in found["message"]


@pytest.mark.parametrize("change", [
    {"signature": None}, {"signature": None, "key": None, "nonce": None}, {"key": "another"}, {"rolled": None}])
def test_without_signature_or_key_nothing_is_proved(verify, change):
    found, code = verify({**attack(), **change})
    assert (found["verdict"], code) == ("not-proved", 1)


def test_without_keys_nothing_is_proved(file):
    answer = run("verify_rolls", file("a.json", attack()))
    assert answer.code == 1
    assert "scene:00000000-0000-4000-8000-000000000000 1: not proved: there is no key" in answer


@pytest.mark.parametrize("rolled", [
    {"ruleset": "condice", "rules": 1, "act": "attack", "parameters": {}},
    {"ruleset": "condice", "rules": 1, "roll": "attack", "parameters": {"dice": 4, "defence": None}},
    {"ruleset": "condice", "rules": 99, "roll": "attack", "parameters": {"dice": 4}},
    {"ruleset": "gone", "rules": 1, "roll": "attack", "parameters": {}},
    {"ruleset": ["condice"], "rules": 1, "roll": {}, "parameters": []}])
def test_where_the_outcome_cannot_be_computed_the_dice_are_proved_and_the_line_says_so(verify, rolled):
    found, code = verify(receipt_of(rolled, ATTACK.throw))
    assert (found["verdict"], found["outcome_proved"], code) == ("holds", False, 0)
    assert found["message"].startswith("the dice are proved; the outcome ")


@pytest.mark.parametrize("parameters", [
    {}, [], 7, {"dice": "4"}, {"dice": 10**6}, {"dice": 4, "odd": 1}, {"dice": [[[]]]}, {"dice": 900}, {"dice": 0}])
def test_signed_parameters_that_the_rules_do_not_take_are_refused(verify, parameters):
    rolled = {"ruleset": "condice", "rules": 1, "roll": "attack", "parameters": parameters}
    found, code = verify(receipt_of(rolled, ATTACK.throw))
    assert (found["verdict"], code) == ("refused", 1)


def test_dice_that_stay_are_proved_by_the_roll_before_alone(verify):
    rolled = {"ruleset": "condice", "rules": 1, "roll": "attack", "again": 1, "kept": [*range(20)],
              "parameters": ATTACK.model_dump()}
    receipt = receipt_of(rolled, ATTACK.throw, number=2)
    for one in receipt["dice"]:
        one["kept"] = True
    found, code = verify(receipt)
    assert (found["verdict"], code) == ("holds", 0)
    assert f"{len(receipt['dice'])} of the dice were kept from an earlier roll" in found["message"]


def deep(key, depth=10_000):
    text = json.dumps({**attack(), key: "HERE"})
    return text.replace('"HERE"', "[" * depth + "]" * depth).encode()


def with_dice(*dice):
    return {**attack(), "dice": [dict(zip(("first", "last", "face"), one, strict=True)) for one in dice]}


HOSTILE = {
    "empty": b"", "no JSON": b"{", "no UTF-8": b"\xff", "list": b"[]", "none": {"receipts": []},
    "texts": {"receipts": ""},
    "deep": b"[" * 10_000, "deep and whole": b'{"receipts":' + b"[" * 10_000 + b"]" * 10_000 + b"}",
    "deep rolled": deep("rolled"), "deep outcome": deep("says"), "less deep": deep("rolled", 900),
    "large number": b'{"number":' + b"9" * 100_000 + b"}",
    "NaN": b'{"number": NaN}', "twice": b'{"a":1,"a":2}',
    "many": {"receipts": [0] * 20_001}, "large": b" " * (verifying.BYTES + 1), "version": {**attack(), "version": True},
    "number": {**attack(), "number": 2**53}, "no number": {**attack(), "number": 0},
    "half": {**attack(), "number": 1.0},
    "key": {**attack(), "key": 7}, "log": {**attack(), "log": "a\nb"}, "no log": {**attack(), "log": ""},
    "nonce": {**attack(), "nonce": ["A"]}, "signature": {**attack(), "signature": {}}, "says": {**attack(), "says": 1},
    "rolled": {**attack(), "rolled": [1]}, "fraction": {**attack(), "rolled": {"a": 0.5}},
    "large in rolled": {**attack(), "rolled": {"a": [2**53]}}, "surrogate": {**attack(), "rolled": {"\ud800": "a"}},
    "dice": {**attack(), "dice": {}}, "no dice": {**attack(), "dice": [1]}, "half a die": with_dice((1, 6.0, 1)),
    "true die": with_dice((True, 6, 1)), "backwards": with_dice((6, 1, 3)), "none at all": with_dice((1, 0, 1)),
    "many faces": with_dice((0, 2**32, 1)), "more faces": with_dice((-2**52, 2**52, 1)),
    "far off": with_dice((10**17, 10**17 + 5, 10**17)), "thousands": with_dice(*[(1, 6, 1)] * 2_001),
    "kept": {**attack(), "dice": [{"first": 1, "last": 6, "face": 1, "kept": 1}]},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_receipt_is_answered_at_once_with_one_sentence(verify, name):
    begun = time.perf_counter()
    found, code = verify(HOSTILE[name])
    assert time.perf_counter() - begun < 2
    assert (found["verdict"], code) == ("unreadable", 2)
    assert found["message"].endswith(".")


@pytest.mark.parametrize("content", [
    b"", b"[" * 10_000, [], {}, {"keys": {}}, {"keys": [1]}, {"keys": [{"id": 1}]},
    b'{"keys": 1' + b"0" * 9_999 + b"}"])
def test_a_file_that_holds_no_keys_is_refused(file, content):
    message = refused("verify_rolls", file("a", attack()), "--keys", file("keys", content))
    assert "keys cannot be used" in message


def test_files_that_cannot_be_read_say_so(tmp_path, file):
    assert "There is no such file." in run("verify_rolls", tmp_path / "none")
    assert "There is no such file." in refused("verify_rolls", file("a", attack()), "--keys", tmp_path / "none")


@pytest.mark.parametrize("change", [
    {"spki": "AAAA"}, {"spki": 7}, {"spki": "é"}, {"proof": None}, {"proof": [1] * 8}, {"proof": []},
    {"proof": ["A"] * 8}])
def test_a_key_that_is_not_good_proves_nothing(file, change):
    bad = file("keys", {"keys": [{**published(fixed_key()), **change}]})
    answer = run("verify_rolls", file("a", attack()), "--keys", bad)
    assert (answer.code, "its key is refused" in answer) == (1, True)


def test_a_good_key_under_the_id_of_another_is_refused(file):
    other = published(generate_private_key(EXPONENT, BITS))
    bad = file("keys", {"keys": [{**other, "id": published(fixed_key())["id"]}]})
    assert run("verify_rolls", file("a", attack()), "--keys", bad).code == 1


def test_the_largest_rolls_are_read(verify):
    largest = CONDICE.rolls["attack"](dice=999, defence=0, extra_dice=999)
    found, code = verify(receipt_of_roll(CONDICE, largest))
    assert (found["message"], code) == ("dice and outcome are proved", 0)


@pytest.mark.slow
def test_it_needs_no_database(tmp_path, keys):
    there = tmp_path / "none"
    done = shell("verify_rolls", "-", "--keys", keys, given=json.dumps(attack()).encode(),
                 DATABASE_URL=f"sqlite:///{there}/db.sqlite3")
    assert (done.returncode, done.stderr, there.exists()) == (0, b"", False)


@pytest.mark.parametrize(("ended", "verdict"), [("leaked", "not-proved"), ("put-back", "holds"), ("time", "holds")])
def test_it_heeds_why_a_key_ended(file, ended, verdict):
    keys = file("ended.json", {"keys": [published(fixed_key()) | {"ended": ended}]})
    (found,) = json.loads(run("verify_rolls", file("roll.json", attack()), "--keys", keys, "--format", "json"))
    assert found["verdict"] == verdict
    assert ("put back" in found["message"]) == (ended == "put-back")
