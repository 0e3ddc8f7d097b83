"""The art of cards: drawn from the name, always the same, and no two alike."""

import re

from rulesets.battle_dice.cards import CATALOGUE
from sheets.templatetags.card_art import art


def test_a_card_has_the_same_art_each_time_and_no_two_have_the_same():
    names = {str(card.title) for card in CATALOGUE.values()}
    drawn = {name: art(name) for name in names}
    assert len(set(drawn.values())) == len(names) > 5
    assert {name: art(name) for name in names} == drawn


def test_whatever_a_card_is_called_its_art_stays_in_its_frame_and_holds_no_text():
    for name in ("", "x", "<script>", "Ω" * 500):
        drawn = art(name)
        assert "script" not in drawn
        assert [(x, y) for x, y in re.findall(r"[ML](\d+) (\d+)", drawn) if int(x) > 120 or int(y) > 48] == []
