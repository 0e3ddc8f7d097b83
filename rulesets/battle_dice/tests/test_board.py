"""The board of a game: the cards with their buttons, and the buttons that lead through the turn."""

import pytest

from rulesets.battle_dice import RULESET
from rulesets.battle_dice.examples import EXAMPLES
from rulesets.battle_dice.play.phases import next_turn_title
from rulesets.battle_dice.play.state import card_names
from rulesets.document import read_tree
from rulesets.kit import redacted

DECK = read_tree(next(iter(EXAMPLES.values()))).sheet
NAMES = [*dict.fromkeys(card_names(DECK))]


def play(**state):
    return RULESET.play.model_validate({"phase": "summon", "mana": 9, "hand": NAMES[:2], **state})


def titles(presses):
    return [str(one.title) for one in presses]


def test_a_game_begins_with_a_press_for_either_order():
    presses = RULESET.play().board(DECK)["turn"]
    assert [one.nudge.answers for one in presses] == [{"order": "first"}, {"order": "second"}]
    for one in presses:
        assert one.nudge.offer.take(**one.nudge.answers).new_game(DECK).deck


@pytest.mark.parametrize(("phase", "after"), [
    ("none", ""), ("chaos", ""), ("focus", ""), ("summon", ""), ("battle", "The opponent's turn"),
    ("aim", "The opponent's turn"), ("block", "Zeitchaosphase"), ("won", ""),
])
def test_what_comes_next_is_told_where_the_four_phases_do_not_show_it(phase, after):
    assert next_turn_title(phase) == after


@pytest.mark.rule("BD-13", "BD-19")
def test_a_hand_card_is_summoned_or_discarded_for_a_minion_where_it_lies_with_mana():
    first, second = play().board(DECK)["hand"]
    assert titles(first.buttons)[0] == "Summon"
    summon = first.buttons[0].nudge
    assert [one.card for one in summon.offer.take(**summon.by).apply(DECK, play()).avatars] == NAMES[:1]
    minion = next(one.nudge for one in second.buttons if str(one.title) == "Summon a Dice Minion")
    assert minion.offer.take(**minion.by).card == NAMES[1]
    assert [titles(one.buttons) for one in play(mana=0).board(DECK)["hand"]] == [[], []]


@pytest.mark.rule("BD-21")
def test_a_card_on_the_felt_tells_each_effect_by_its_name_its_kind_and_its_text():
    laid = next(one for one in RULESET.play().board(DECK)["kinds"] if one.effects)
    assert [(f"{name} {kind}".strip(), text) for name, kind, text in laid.effects] == [*laid.face.texts]
    assert all(kind.startswith("(") and kind.endswith(")") for _name, kind, _text in laid.effects)


@pytest.mark.rule("BD-11")
@pytest.mark.parametrize(("phase", "leads"), [
    ("focus", ["Gather time mana"]), ("summon", ["On to the Battle Dice Phase"]),
    ("battle", ["Attack", "Skip the Battle Dice Phase", "Magic Missile"]), ("end", ["Start your turn"]),
])
def test_what_leads_on_stands_above_the_cards(phase, leads):
    shown = titles(play(phase=phase).board(DECK)["turn"])
    assert all(any(lead in title for title in shown) for lead in leads), shown


@pytest.mark.rule("BD-16")
def test_an_avatar_shows_its_life_and_blocks_where_it_stands():
    avatar, = play(phase="block", coming=2, avatars=[{"card": NAMES[0], "damage": 1}]).board(DECK)["avatars"]
    life = DECK.card_named(NAMES[0]).life
    assert avatar.life == tuple(place < life - 1 for place in range(life))
    assert ("Block" in titles(avatar.buttons)) == (life > 1)


def test_of_a_hand_others_know_the_number_alone():
    hand = redacted(play()).board(DECK)["hand"]
    assert len(hand) == 2
    assert not [one for one in hand if one.face.title in NAMES or one.buttons]


@pytest.mark.rule("BD-11")
@pytest.mark.rule("BD-14")
@pytest.mark.parametrize(("phase", "here"), [
    ("chaos", "Zeitchaosphase"), ("aim", "Battle Dice Phase"), ("enemy", None), ("block", None)])
def test_a_turn_has_the_four_phases_of_the_rules_and_none_of_them_is_the_enemys(phase, here):
    steps = play(phase=phase, coming=1).board(DECK)["steps"]
    assert [title for title, _here in steps] == [
        "Zeitchaosphase", "Fokusphase", "Beschwörungsphase", "Battle Dice Phase"]
    assert [title for title, at in steps if at] == ([here] if here else [])
    assert play(phase="won").board(DECK)["steps"] == []


@pytest.mark.rule("BD-16")
def test_to_win_says_when_one_wins():
    one, = play().board(DECK)["ends"]
    assert (str(one.title), str(one.nudge.offer.note)) == (
        "Report the win", "when the opponent is at 0 life, or one of your cards says so")
