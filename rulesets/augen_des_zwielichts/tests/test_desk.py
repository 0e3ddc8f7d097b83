"""What looks critical, what a roll promises, and what a press at a gauge does."""

import pytest
from django.utils.translation import override

from rulesets.augen_des_zwielichts import RULESET
from rulesets.dice import LoadedTray, thrown
from rulesets.document import read_tree

SHEET = read_tree(next(iter(RULESET.examples.values()))).sheet


def looks(slug, *faces, **given):
    roll = RULESET.rolls[slug](**given)
    return roll.extreme(thrown(roll.throw, LoadedTray(*faces))[0])


@pytest.mark.rule("SZ-12")
@pytest.mark.parametrize(("faces", "found"), [((6, 6), "critical"), ((1, 1), "fumble"), ((6, 5), ""), ((1, 2), "")])
def test_two_sixes_are_critical_and_two_ones_a_fumble(faces, found):
    for slug in ("move", "condition"):
        assert looks(slug, *faces, move="risk", attribute="white") == found


@pytest.mark.rule("SZ-26")
@pytest.mark.parametrize(("faces", "found"), [((1, 1), "fumble"), ((1, 2), ""), ((6, 6), "")])
def test_two_ones_never_solve_an_adventure(faces, found):
    assert looks("solve", *faces, difficulty=2) == found


@pytest.mark.rule("SZ-13")
def test_a_move_promises_its_best_bands_and_warns_of_a_condition():
    roll = RULESET.rolls["move"](move="risk", attribute="white")
    with override("en"):
        assert roll.gist(roll.odds()) == "56% 5+, 58% condition"
        alone = RULESET.rolls["condition"](move="risk", attribute="white")
        assert alone.gist(alone.odds()) == "58% condition"
    assert roll.pool() == 2


@pytest.mark.rule("SZ-07")
@pytest.mark.rule("SZ-09")
def test_a_press_takes_any_condition_but_the_demon_and_gives_or_takes_what_is_counted():
    play = RULESET.play().with_condition("Nass").with_condition("Wund").with_counts_changed(clues=1)
    gauges = {one.key: one for one in play.gauges(SHEET)}

    def pressed(nudge):
        return nudge.offer.take(**nudge.answers).apply(SHEET, play)

    demon, wet, hurt, *_free = gauges["conditions"].places
    assert demon.end is None, "the demon stays"
    assert [[one.word for one in pressed(place.end).conditions] for place in (wet, hurt)] == [["Wund"], ["Nass"]]
    assert gauges["conditions"].filling.cls.slug == "note-condition"
    assert [pressed(one).clues for one in (gauges["clues"].less, gauges["clues"].more)] == [0, 2]
    assert pressed(gauges["corruption"].more).corruption == 1


@pytest.mark.rule("SZ-13", "SZ-25")
@pytest.mark.parametrize(("faces", "helped", "note"), [
    ((5, 3), "", "The next roll does this by itself."),
    ((3, 5), "", "A condition comes with it; enter its word under “…”."),
    ((5, 3), "6", "done, with a condition"),
])
def test_the_button_says_a_condition_and_what_helpers_change(faces, helped, note):
    roll = RULESET.rolls["move"](move="risk", attribute="white")
    play = RULESET.play().evolve(help_black=helped)
    with override("en"):
        outcome = thrown(roll.throw, LoadedTray(*faces))[0]
        *_lapsed, offer = RULESET.acts["settle"].offers_after(SHEET, play)(roll, outcome)
        assert str(offer.note) == note
