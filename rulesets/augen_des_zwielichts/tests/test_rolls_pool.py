import re
from fractions import Fraction
from itertools import product

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rulesets.augen_des_zwielichts.tests.helpers import chances, fell, roll
from tests.support.rulesets.chances import counted, oracle

WHITE_MOVES = ("investigate", "travel")
BLACK_MOVES = ("risk",)
ABILITY_MOVES = ("ability", "weaken")
POOLS = [
    {"move": move, "attribute": attribute, "fear": fear, "bonus": bonus, "improve": improve}
    for move in (*WHITE_MOVES, *BLACK_MOVES, *ABILITY_MOVES)
    for attribute in ("none", "white", "black")
    for fear, bonus, improve in product((False, True), repeat=3)
    if not (move in ABILITY_MOVES and (attribute == "none" or fear))
]
"""Every pool that the game knows."""


def dice(move, attribute, fear, bonus, improve):
    """Colours of the pool, read off the rules one by one."""
    found = ["white" if move in WHITE_MOVES else "black"]
    if attribute != "none":
        found.append(attribute)
    return found + ["black"] * fear + ["white"] * bonus + ["black"] * improve


def referee(colours, faces):
    """Band and condition, straight from the words of the rules."""
    two = sorted(faces)[-2:]
    white = [face for face, colour in zip(faces, colours, strict=True) if colour == "white"]
    black = [face for face, colour in zip(faces, colours, strict=True) if colour == "black"]
    bands = {(6, 6): "6&6", (1, 1): "1&1"}
    highest = max(faces)
    band = bands.get(tuple(two)) or {1: "1-2", 2: "1-2", 3: "3-4", 4: "3-4"}.get(highest, "5-6")
    if not black:
        return band, "none"
    if not white:
        return band, "condition"
    return band, "condition" if max(black) >= max(white) else "none"


def both(pool):
    """Every face of every die, counted."""
    colours = dice(**pool)
    return [referee(colours, faces) for faces in product(range(1, 7), repeat=len(colours))]


@pytest.mark.rule("SZ-10")
@pytest.mark.rule("SZ-11")
@pytest.mark.rule("SZ-12")
@pytest.mark.rule("SZ-13")
@pytest.mark.rule("SZ-14")
@pytest.mark.parametrize("pool", POOLS, ids=lambda pool: "-".join(map(str, pool.values())))
def test_band_condition_and_both_together_are_those_of_counting_every_face(pool):
    found = both(pool)
    assert chances("move", **pool) == counted(band for band, _due in found)
    assert chances("condition", **pool) == counted(due for _band, due in found)
    together = counted(found)
    assert roll("move", **pool).joint_chances() == {band: chance for (band, due), chance in together.items()
                                           if due == "condition"}


@pytest.mark.rule("SZ-12")
@pytest.mark.rule("SZ-13")
@pytest.mark.parametrize(("white", "black", "pool"), [
    (1, 1, {"move": "investigate", "attribute": "black"}),
    (2, 1, {"move": "risk", "attribute": "white", "bonus": True}),
    (2, 2, {"move": "investigate", "attribute": "black", "fear": True, "bonus": True}),
    (1, 3, {"move": "risk", "attribute": "black", "bonus": True, "improve": True}),
])
def test_odds_agree_with_icepool(white, black, pool):
    due = icepool.map(lambda w, b: "condition" if b >= w else "none", icepool.highest([icepool.d6] * white),
                      icepool.highest([icepool.d6] * black))
    assert chances("condition", **pool) == oracle(due)

    def band(pair):
        low, high = sorted(pair)
        return f"{high}&{high}" if low == high and high in (1, 6) else ("1-2", "3-4", "5-6")[(high - 1) // 2]

    top = icepool.d6.pool(white + black).highest(2).expand().map(band)
    assert chances("move", **pool) == oracle(top)


@pytest.mark.rule("SZ-13")
def test_without_black_dice_no_condition_without_white_ones_always():
    assert chances("condition", move="investigate", attribute="white", bonus=True) == {"none": 1}
    assert chances("condition", move="risk", attribute="black", fear=True) == {"condition": 1}
    assert chances("condition", move="risk", attribute="white") == {
        "condition": Fraction(7, 12), "none": Fraction(5, 12)}


@pytest.mark.rule("SZ-14")
def test_improving_adds_a_black_die_and_is_offered_once_where_a_white_die_alone_is_highest():
    asked = roll("move", move="risk", attribute="white", bonus=True)
    for white, black, offered in (([5, 2], [4], True), ([5, 2], [5], False), ([3, 2], [4], False)):
        outcome = type("Fell", (), {"value": "5-6", "figures": {"white": white, "black": black}})
        follows = list(asked.follow(outcome))
        assert bool(follows) == offered
        for one in follows:
            better = one.take()
            assert better.both_colours() == (2, 2)
            assert not list(better.follow(outcome))


@pytest.mark.rule("SZ-11")
@pytest.mark.parametrize("move", ABILITY_MOVES)
def test_with_an_ability_there_is_a_second_die_and_no_fear(move):
    with pytest.raises(ValidationError) as caught:
        roll("move", move=move)
    assert [one["loc"] for one in caught.value.errors()] == [("attribute",)]
    with pytest.raises(ValidationError) as caught:
        roll("condition", move=move, attribute="white", fear=True)
    assert [one["loc"] for one in caught.value.errors()] == [("fear",)]


@pytest.mark.rule("SZ-10")
def test_the_dice_are_drawn_in_their_colours_the_white_ones_first():
    asked = roll("move", move="risk", attribute="white", fear=True, bonus=True, improve=True)
    assert asked.colours() == ("white", "white", "black", "black", "black")
    assert fell("move", 5, 2, 6, 1, 3, **asked.model_dump())[0] == "5-6"


@pytest.mark.parametrize(("move", "faces", "value", "told"), [
    pytest.param("investigate", (4, 4), "3-4", "1 corruption point", marks=pytest.mark.rule("SZ-20")),
    pytest.param("investigate", (5, 1), "5-6", "1 clue", marks=pytest.mark.rule("SZ-20")),
    pytest.param("investigate", (6, 6), "6&6", "2 clues", marks=pytest.mark.rule("SZ-20")),
    pytest.param("investigate", (1, 1), "1&1", "2 corruption points",
                 marks=pytest.mark.rule("SZ-20")),
    pytest.param("risk", (2, 1), "1-2", "failed, with immediate danger", marks=pytest.mark.rule("SZ-21")),
    pytest.param("risk", (3, 1), "3-4", "failed, 1 corruption point",
                 marks=pytest.mark.rule("SZ-21")),
    pytest.param("risk", (6, 5), "5-6", "done", marks=pytest.mark.rule("SZ-21")),
    pytest.param("risk", (6, 6), "6&6", "done, 1 clue, 1 white bonus die", marks=pytest.mark.rule("SZ-21")),
    pytest.param("risk", (1, 1), "1&1", "failed, with immediate danger, 2 corruption points",
                 marks=pytest.mark.rule("SZ-21")),
    pytest.param("travel", (2, 2), "1-2", "1 corruption point", marks=pytest.mark.rule("SZ-22")),
    pytest.param("travel", (4, 2), "3-4", "the last 2 conditions removed", marks=pytest.mark.rule("SZ-22")),
    pytest.param("travel", (5, 2), "5-6", "the last 3 conditions removed, 1 clue",
                 marks=pytest.mark.rule("SZ-22")),
    pytest.param("travel", (6, 6), "6&6", "all conditions removed, 1 clue", marks=pytest.mark.rule("SZ-22")),
    pytest.param("travel", (1, 1), "1&1", "2 corruption points", marks=pytest.mark.rule("SZ-22")),
    pytest.param("ability", (4, 2), "3-4", "it works, 1 corruption point",
                 marks=pytest.mark.rule("SZ-23")),
    pytest.param("ability", (5, 2), "5-6", "it works, 1 white bonus die",
                 marks=pytest.mark.rule("SZ-23")),
    pytest.param("ability", (6, 6), "6&6", "it works, 1 clue, 1 white bonus die",
                 marks=pytest.mark.rule("SZ-23")),
    pytest.param("ability", (1, 1), "1&1", "it works, 2 corruption points",
                 marks=pytest.mark.rule("SZ-23")),
    pytest.param("weaken", (2, 1), "1-2", "danger level +1", marks=pytest.mark.rule("SZ-24")),
    pytest.param("weaken", (3, 1), "3-4", "nothing happens", marks=pytest.mark.rule("SZ-24")),
    pytest.param("weaken", (5, 1), "5-6", "danger level −1", marks=pytest.mark.rule("SZ-24")),
    pytest.param("weaken", (6, 6), "6&6", "danger level −3", marks=pytest.mark.rule("SZ-24")),
    pytest.param("weaken", (1, 1), "1&1", "danger level +2", marks=pytest.mark.rule("SZ-24")),
])
def test_a_result_says_what_it_brings_the_foremost_first_and_band_and_dice_last(move, faces, value, told):
    found, text = fell("move", *faces, move=move, attribute="white")
    assert found == value
    words = re.sub(", with a condition|, no condition", "", text)
    made = roll("move", move=move, attribute="white")
    said, dice = re.split(f"[:,] {made.label(value)},? ", words)
    assert said.replace(": ", ", ") == told
    assert told.startswith(made.meaning(value))
    assert "white" in dice


@pytest.mark.parametrize(("move", "labels"), [
    pytest.param("investigate", ["two ones", "1–4", "1–4", "5–6", "two sixes"], marks=pytest.mark.rule("SZ-20")),
    pytest.param("risk", ["two ones", "1–2", "3–4", "5–6", "two sixes"], marks=pytest.mark.rule("SZ-21")),
    pytest.param("travel", ["two ones", "1–2", "3–4", "5–6", "two sixes"], marks=pytest.mark.rule("SZ-22")),
    pytest.param("ability", ["two ones", "1–4", "1–4", "5–6", "two sixes"], marks=pytest.mark.rule("SZ-23")),
    pytest.param("weaken", ["two ones", "1–2", "3–4", "5–6", "two sixes"], marks=pytest.mark.rule("SZ-24")),
])
def test_bands_are_said_in_words_where_the_source_has_signs_and_their_names_stay(move, labels):
    made = roll("move", move=move, attribute="white")
    assert [made.label(value) for value in made.odds().chances] == labels
    assert [*made.odds().chances] == ["1&1", "1-2", "3-4", "5-6", "6&6"]
    asked = roll("condition", move=move, attribute="white")
    assert asked.label("none") == "no condition"


@pytest.mark.rule("SZ-13")
def test_a_result_says_whether_a_condition_falls_due():
    assert fell("move", 3, 5, move="risk", attribute="white")[1] == (
        "done, with a condition: 5–6, black 5 against white 3")
    assert fell("move", 5, 3, move="risk", attribute="white")[1] == (
        "done: 5–6, no condition (black 3 against white 5)")
    assert fell("move", 6, 6, move="risk", attribute="white")[1] == (
        "done, with a condition: 1 clue, 1 white bonus die, two sixes, black 6 against white 6")
    assert fell("condition", 5, 5, move="risk", attribute="white") == (
        "condition", "condition (black 5 against white 5)")
    assert fell("move", 5, move="risk")[1] == "done, with a condition: 5–6, black only"


@pytest.mark.rule("SZ-25")
@given(st.sampled_from(("white", "black")), st.lists(st.integers(1, 6), max_size=4))
def test_a_helper_takes_a_condition_for_a_black_die_or_for_meeting_one(colour, faces):
    found = ["condition" if colour == "black" or face in faces else "none" for face in range(1, 7)]
    assert chances("help", colour=colour, helped_black=",".join(map(str, faces))) == counted(found)
    assert fell("help", 4, colour="white", helped_black="5, 4")[0] == "condition"
    assert fell("help", 3, colour="white", helped_black="5, 4") == (
        "none", "3 for the person being helped; no condition for the helper.")


@pytest.mark.rule("SZ-25")
@pytest.mark.parametrize("text", ["7", "0", "5;4", "a", "5,,4", "-1", "٣"])
def test_what_is_no_list_of_dice_is_refused_by_name(text):
    with pytest.raises(ValidationError) as caught:
        roll("help", colour="white", helped_black=text)
    assert [one["loc"] for one in caught.value.errors()] == [("helped_black",)]
