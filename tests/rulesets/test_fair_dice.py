"""Dice that follow from signatures are fair: faces pass the chi-squared test, and dice a little loaded do not."""

from collections import Counter
from math import erfc, exp, gamma

import pytest

from rulesets.dice import RealTray
from rulesets.signed_dice import source_of
from sheets.receipts import keys
from sheets.receipts.messages import encode, message
from tests.support.everyday import everyday
from tests.support.receipts import LOG, fixed_key, published
from tests.support.rulesets.contract import seeded

MILLION, SOME = 1_000_000, 40_000
"""Draws of each die at full counts and every day."""
OF_EACH = 1_000
"""Dice that fall by one signature."""
LEAST = 1e-4
"""Fair dice have a smaller chance than this once in 10,000 times."""


def faces(sides, draws):
    """Return how often each face fell. Key and nonces are fixed, and so are the faces."""
    key, fallen = fixed_key(), Counter()
    identity, rolled = published(key)["id"], {"formula": f"{OF_EACH}d{sides}"}
    for number in range(1, draws // OF_EACH + 1):
        nonce = encode(number.to_bytes(16))
        tray = RealTray(source_of(keys.sign(key, message(identity, LOG, number, nonce, rolled))))
        for _die in range(OF_EACH):
            tray.die(sides)
        fallen.update(tray.fallen)
    assert fallen.total() == draws
    return fallen


def chi_squared(fallen, sides):
    expected = fallen.total() / sides
    return sum((fallen[face] - expected) ** 2 / expected for face in range(1, sides + 1))


def chance(statistic, freedom):
    """Return the exact chance that fair dice exceed a chi-squared statistic."""
    half, step = statistic / 2, freedom % 2 / 2 or 1
    tail = erfc(half ** 0.5) if freedom % 2 else exp(-half)
    while step < freedom / 2:
        tail += half ** step * exp(-half) / gamma(step + 1)
        step += 1
    return tail


def loaded(fallen, sides):
    """Return the faces as if 0.01 of probability had moved from the first face to the last."""
    rng, share = seeded(f"loaded d{sides}"), min(1, sides / 100)
    moved = sum(rng.random() < share for _die in range(fallen[1]))
    return fallen + Counter({sides: moved}) - Counter({1: moved})


@pytest.fixture
def draws(full):
    return MILLION if full else SOME


@pytest.mark.parametrize("sides", everyday([6, 20, 100, *(one for one in range(2, 20) if one != 6)], 3))
def test_faces_of_signed_dice_pass_chi_squared_and_loaded_ones_do_not(sides, draws, figure):
    fallen = faces(sides, draws)
    assert {*fallen} == {*range(1, sides + 1)}
    statistic, of_loaded = chi_squared(fallen, sides), chi_squared(loaded(fallen, sides), sides)
    fair, unfair = chance(statistic, sides - 1), chance(of_loaded, sides - 1)
    assert unfair < LEAST < fair
    figure(f"d{sides}, {draws:,} dice: chi-squared {statistic:.1f} (p {fair:.3f}), loaded by 0.01 {of_loaded:,.0f}")


@pytest.mark.parametrize(("freedom", "statistic"), [(1, 3.841), (2, 5.991), (5, 11.070), (19, 30.144), (99, 123.225)])
def test_chances_are_those_of_the_tables(freedom, statistic):
    assert chance(statistic, freedom) == pytest.approx(0.05, rel=0.001)
