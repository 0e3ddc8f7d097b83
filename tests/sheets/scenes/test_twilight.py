"""A fight in Augen des Zwielichts from its first turn to its clues, as requests, with a referee at the table."""

import json

import pytest

from sheets.models import Party, Question
from tests.support.everyday import everyday
from tests.support.guest import text_of
from tests.support.rulesets.contract import seeded
from tests.support.sheets.twilight import ANEW, ByChance, Twilight

pytestmark = pytest.mark.alike

STEPS = 60
"""Tries after which a fight that goes on has shown enough."""


@pytest.mark.rule("SZ-30", "SZ-31", "SZ-32", "SZ-33", "SZ-34", "SZ-35", "SZ-36", "SZ-37")
@pytest.mark.parametrize("first", everyday(range(ANEW)))
def test_three_fight_to_the_end_of_whom_one_comes_late_one_leaves_and_one_is_put_out_of_action(
        django_user_model, dice, first):
    table = Twilight(django_user_model.objects, first)
    referee = table.referee
    for word in ("Müde", "Nass", "Zornig", "Verletzt"):
        table.does("anna", "act-note-condition", word=word)
    assert "Nobody there is in a fight yet." in text_of(table.turn("begin", follow=True))
    table.check()
    table.does("anna", "act-begin-fight", dice=dice, faces=(3, 4), danger_level=13)
    table.does("ben", "act-begin-fight", dice=dice, faces=(5, 2))
    table.turn("begin")
    referee.begin()
    table.check()

    # Round 1: Ben lowers the danger level, Anna alone throws, and hits him.
    table.does("ben", "roll-move-weaken", dice=dice, faces=(6, 3), attribute="black")
    table.does("ben", "act-settle-roll-move-weaken")
    table.passes()
    table.does("anna", "act-throw-combat-die", dice=dice, faces=(2,))
    table.passes()
    assert (referee.round, referee.danger, referee.heroes["Ben"].conditions) == (2, 12, 3)

    # Round 2: Cleo joins while Ben is on and comes before Anna, who holds a second die.
    table.does("cleo", "act-begin-fight", dice=dice, faces=(1, 1))
    table.passes(dice=dice, faces=(5,))
    assert referee.on == "Cleo"
    table.passes(dice=dice, faces=(5,))
    table.does("anna", "act-throw-combat-die", dice=dice, faces=(1, 4))
    # The GM settles it early, and lets both hold a second die who threw the highest; Anna has no die to throw any more.
    table.settles(ties=True)
    table.passes()
    assert (referee.round, referee.on, referee.fought) == (3, "Cleo", 2)

    # Round 3: Ben leaves, and the round does not end before somebody has taken over his weak point.
    table.does("cleo", "act-throw-combat-die", dice=dice, faces=(2, 3))
    table.passes()
    table.does("ben", "roll-move-risk", dice=dice, faces=(5,), attribute="none", fear="")
    table.does("ben", "act-settle-roll-move-risk")
    table.does("ben", "act-leave-fight")
    table.passes()
    dice += [[3]]
    before = table.stands()
    assert "First somebody has to take over weak point 2." in text_of(table.turn("next", follow=True))
    assert table.stands() == before
    assert not dice
    table.does("cleo", "act-take-over-open")
    table.passes(dice=dice, faces=(3,))
    # Both dice hit Anna, to whom that is the sixth condition.
    assert (referee.heroes["Anna"].out, referee.on) == (True, "Cleo")

    # Round 4: Cleo alone, hit at the weak point that she took over; then she brings Anna back.
    table.does("anna", "act-note-condition", word="Am Boden")
    table.passes(dice=dice, faces=(2,))
    assert (referee.round, referee.heroes["Cleo"].conditions, referee.heroes["Cleo"].second) == (5, 2, True)
    table.does("cleo", "roll-move-risk", dice=dice, faces=(6,), attribute="none", fear="")
    table.does("cleo", "act-settle-roll-move-risk")
    table.does("anna", "act-bring-back")

    # Round 5 is won, and each of the five is a clue.
    table.passes(dice=dice, faces=(6, 1))
    table.passes(dice=dice, faces=(6,))
    assert (referee.round, referee.clues, referee.fighters()) == (0, 5, [])
    assert table.anew >= 2


@pytest.mark.rule("SZ-32", "SZ-36")
def test_the_log_that_one_takes_along_says_who_was_hit_by_a_round_that_a_turn_has_ended(django_user_model, dice):
    table = Twilight(django_user_model.objects)
    for who, faces in (("anna", (2, 2)), ("ben", (3, 3))):
        table.does(who, "act-begin-fight", dice=dice, faces=faces, danger_level=12)
    table.turn("begin")
    table.referee.begin()
    table.passes(dice=dice, faces=(3,))
    table.passes(dice=dice, faces=(2,))
    said = [f"Round 1 is over, dice 2,3; hit once; narrates with the {die} as number {place} of 2"
            for die, place in ((3, 2), (2, 1))]
    log = f"/parties/{table.party.pk}/scenes/{table.scene.uuid}/log"
    *_before, turn, _throw = json.loads(table.browsers["anna"].get(f"{log}.json").getvalue())["log"]
    assert turn["steps"] == [{"name": name, "words": words} for name, words in zip(("Anna", "Ben"), said, strict=True)]
    text = table.browsers["anna"].get(f"{log}.md").text
    assert all(f"**{name}**: {words}" in text for name, words in zip(("Anna", "Ben"), said, strict=True))


@pytest.mark.rule("SZ-31", "SZ-32", "SZ-33", "SZ-34", "SZ-35", "SZ-36", "SZ-37")
@pytest.mark.slow
@pytest.mark.parametrize("seed", everyday(range(12), 2))
def test_a_fight_by_chance_goes_as_the_referee_says_and_alike_where_rolls_wait(django_user_model, dice, seed):
    rng = seeded(f"twilight {seed}")
    table = ByChance(django_user_model.objects, dice, rng)
    # There is nothing to respond to a roll in this system.
    Party.objects.filter(pk=table.party.pk).update(waits=seed % 2)
    for who in rng.sample(["Anna", "Ben", "Cleo"], 2):
        table.act(who, "act-begin-fight", 2, **({} if table.referee.danger else {"danger_level": rng.randint(11, 13)}))
    table.turn("begin")
    table.referee.begin()
    table.check()
    for _step in range(STEPS):
        if not table.referee.round:
            break
        table.step()
    assert table.referee.fought or table.referee.clues
    assert not Question.objects.exists()
