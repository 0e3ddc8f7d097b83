"""Further details of the rules: the phase in which damage counts, melting frost, cards that win."""

import pytest
from django.utils.translation import override

from rulesets.battle_dice import RULESET
from rulesets.battle_dice.examples import WEEB
from rulesets.battle_dice.play.state import Avatar
from rulesets.battle_dice.tests.table import BOOST, CORONA, FAN, GUARD, PINA, SNOW, Side
from rulesets.kit import patched

CUT = 60
"""The letters of a button's name that are shown; of a longer one the rest is cut off."""


@pytest.mark.rule("BD-24", "BD-26")
@pytest.mark.parametrize("typed", [False, True])
def test_damage_of_before_the_enemys_battle_dice_was_not_suffered_in_their_phase(typed):
    # The opponent's Attack of Opportunity, at the end of one's own phase.
    side = Side("quick", CORONA, phase="enemy", hand=[PINA, FAN]).do("strike", target=0, points=1)
    assert side.play.suffered == 1
    side = side.do("damage", points=0).do("settle") if typed else side.do("no-attack")
    assert (side.play.phase, side.play.suffered) == ("end", 0)
    assert not [offer for offer in side.offers() if offer.startswith("react")]


@pytest.mark.rule("BD-26")
def test_a_bad_joke_gives_back_half_of_the_enemys_phase_alone():
    side = Side("quick", phase="enemy", hand=[FAN]).do("damage effect", points=2)
    side.do("damage", points=3).do("take-rest").do("react hand.0.Schlechter-Witz")
    assert side.log[-1] == "discarded; 2 damage to the opponent"


@pytest.mark.rule("BD-24", "BD-16")
@pytest.mark.parametrize(("phase", "there"), [("summon", []), ("end", []), ("block", [PINA]), ("heal", [PINA])])
def test_a_guardian_that_takes_its_last_damage_of_an_effect_dies_unless_heilung_comes(phase, there):
    side = Side("quick", Avatar(card=PINA, damage=1), phase=phase, mana=1, coming=int(phase == "block"))
    side.do("damage avatars.0.guardian", points=2)
    assert (side.play.life, side.names(), side.play.discard) == (14, there, [] if there else [PINA])


@pytest.mark.rule("BD-25")
def test_snow_thrown_in_a_zeitchaosphase_lasts_until_the_next_one():
    side = Side("quick", SNOW, phase="chaos", mana=2, frost=1, deck=[CORONA, PINA])
    # The older one has melted.
    assert side.do("use-active avatars.0.Schneeballschlacht").do("put-away none", 1, 1).play.frost == 1
    side.play = side.play.evolve(phase="chaos")
    assert side.do("put-away hand.0", 1).play.frost == 0


@pytest.mark.rule("BD-25")
@pytest.mark.parametrize(("act", "faces", "given"), [
    ("attack", (6, 1), {"defence_dice": 1}), ("skip-battle", (), {}), ("use-active avatars.1.Kuchenbäcker", (), {})])
def test_the_enemys_snow_melts_as_their_turn_begins(act, faces, given):
    side = Side("cake", Avatar(card=CORONA, frosted=True), FAN, phase="battle", mana=4).do(act, *faces, **given)
    assert (side.play.phase, [one.is_frosted for one in side.play.avatars]) == ("enemy", [False, False])


@pytest.mark.rule("BD-25")
@pytest.mark.parametrize("phase", ["enemy", "block", "heal", "end"])
def test_snow_hits_an_avatar_at_any_time_of_the_enemys_turn(phase):
    side = Side("quick", CORONA, phase=phase, coming=int(phase == "block")).do("frost avatars.0")
    assert side.play.avatars[0].is_frosted
    assert "frost avatars.0" not in Side("quick", CORONA, phase="summon").offers()


@pytest.mark.rule("BD-16", "BD-26")
def test_the_enemy_wins_by_a_card_and_the_log_says_so():
    side = Side("quick", phase="enemy", life=9).do("lose")
    assert (side.play.phase, side.log, {*side.offers()}) == ("lost", ["Lost with 9 life left"], {"end-game"})
    assert [str(one.message) for one in side.play.notices(side.sheet)] == ["You have lost."]


@pytest.mark.rule("BD-20")
@pytest.mark.parametrize(("act", "damage", "mana"), [("sacrifice", 0, 3), ("sacrifice", 1, 1), ("destroy", 0, 0)])
def test_the_seelenernte_of_a_tag_team_goes_by_the_life_that_is_left(act, damage, mana):
    words = [{"keyword": "tag-team", "value": None}, {"keyword": "lebenskraft", "value": 2},
             {"keyword": "seelenernte", "value": "1/3"}]
    document = patched(RULESET.examples["own-card"], {"data.cards.3.keywords": words})
    side = Side(document, Avatar(card=WEEB["name"], damage=damage), GUARD, phase="summon").do(f"{act} avatars.0")
    assert (side.play.mana, side.names()) == (mana, [GUARD])


@pytest.mark.rule("BD-13", "BD-18", "BD-25", "BD-27")
@pytest.mark.parametrize(("act", "state", "answers", "told"), [
    ("destroy avatars.0", {"phase": "summon", "mana": 2}, {}, "0 avatars in play, 2 time mana"),
    ("remove-mark avatars.0", {"phase": "heal", "marks": 1}, {}, "Life 2"),
    ("frost avatars.0", {"phase": "enemy"}, {}, ""),
    ("change-mana", {"phase": "summon", "mana": 2}, {"by": -1}, "−1, now 1 time mana"),
    ("summon-minion", {"phase": "summon", "mana": 1, "hand": [PINA]}, {"card": PINA}, f"{PINA} discarded"),
])
def test_a_line_of_the_log_says_what_its_title_has_not(act, state, answers, told):
    side = Side("quick", Avatar(card=CORONA, damage=1), **state)
    side.do(act, *([1] if act == "summon-minion" else []), **answers)
    assert side.log == [told]


@pytest.mark.rule("BD-10")
def test_before_a_game_there_is_nothing_to_lose():
    assert set(Side("quick").offers()) == {"start-game"}
    assert {"damage effect", "change-mana"} <= set(Side("quick", phase="chaos").offers())


@pytest.mark.rule("BD-16", "BD-26")
@pytest.mark.parametrize(("avatars", "act", "title"), [
    ((Avatar(card=PINA, damage=2), CORONA, Avatar(card=CORONA, damage=2)), "settle",
     f"See who dies: {PINA}, {CORONA} 2"),
    ((CORONA,), "settle", "See who dies"), ((BOOST,), "focus", f"Sacrifice {BOOST} and gather time mana"),
    ((CORONA,), "focus", "Gather time mana"),
])
def test_the_log_names_who_dies_and_that_a_boost_goes(avatars, act, title):
    side = Side("quick", *avatars, phase="heal" if act == "settle" else "focus")
    assert str(side.offers()[act].title) == title


@pytest.mark.rule("BD-17")
def test_whoever_takes_aim_is_told_what_was_rolled_until_it_is_aimed():
    def told():
        return [str(one.message) for one in side.play.notices(side.sheet)] + [side.play.board(side.sheet)["guide"]]

    side = Side("quick", phase="aim", inflicted=4, homing=1, versus=True)
    what = "4 damage was rolled: aim as much of it as Zielsuchend allows, then let them block."
    assert told() == [what, what]
    side.do("aim-at", target="@", points=1)
    side.play = side.play.evolve(phase="aim", inflicted=3)
    assert all(one.startswith("3 damage was rolled") for one in told())


@pytest.mark.rule("BD-14", "BD-17")
@pytest.mark.parametrize(("homing", "note", "told"), [
    (0, "AD 1", "3 damage"), (1, "AD 1, Zielsuchend 1", "3 damage, Zielsuchend 1")])
@pytest.mark.parametrize("slug", ["attack", "declare"])
def test_zielsuchend_is_told_of_an_attack_of_which_some_may_be_aimed(slug, homing, note, told):
    side = Side("quick", phase="battle", homing=homing, versus=slug == "declare")
    assert str(side.offers()[slug].note) == note
    assert RULESET.acts["take-aim"](points=3).tell(side.sheet, side.play) == told


@pytest.mark.rule("BD-17", "BD-24")
def test_damage_that_waits_for_a_steel_guardian_is_not_said_to_be_an_effects_where_it_was_aimed_in_battle():
    side = Side("quick", PINA, phase="aimed", coming=2, mana=1, versus=True)
    side.take(RULESET.acts["targeted"](target=PINA, points=1, over=True))
    assert [str(one.message) for one in side.play.notices(side.sheet)][1:] == [
        f"1 damage hits {PINA}: take it, or use a Steel Guardian."]


@pytest.mark.rule("BD-24")
@pytest.mark.parametrize(("language", "title"), [
    ("en", "Take the damage, 1 less with {} 2"), ("de", "Diesen Schaden erleiden, 1 weniger durch {} 2")])
def test_a_button_names_its_guardian_in_what_is_read_of_it_on_a_phone(language, title):
    side = Side("quick", PINA, PINA, phase="wait", mana=1, versus=True, blows=[{"target": "@", "points": 1}])
    with override(language):
        found = {slug: str(offer.title) for slug, offer in side.offers().items() if slug.endswith("guardian")}
    assert found["take-hit avatars.1.guardian"] == title.format(PINA)
    assert len(set(found.values())) == len(found) == 6
    assert max(map(len, found.values())) <= CUT
