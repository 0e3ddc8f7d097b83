"""A table from the sources of the acts that are open while out of action, beside a fight or at 0 life."""

import pytest

from rulesets import systems
from rulesets.dice import Outcome
from rulesets.document import read_tree
from rulesets.kit import patched

BOW = {"name": "Bogen", "kind": "bow", "hands": 2, "damage": "1-8", "reload_actions": 1}
MORTAR = {"name": "Mörser", "kind": "artillery", "hands": 2, "damage": "1-8", "reload_actions": 1, "w": 9,
          "targets": "1-3"}
ARMED = {"weapons": [BOW, MORTAR], "resource": "shadow"}
UNREADY = [{"weapon": one["name"], "place": place, "steps": 1} for place, one in enumerate((BOW, MORTAR), 1)]
STORM = {"unready": UNREADY[:1], "poisons": [{"weapon": "Bogen", "place": 1, "kind": "bow"}], "shadow_owed": 3,
         "channelling": 1, "disturbed": True, "cover": 9, "sheltered": 1, "counters": [{"by": "Ork"}],
         "exhaustion_due": True, "items": [{"name": "Trank", "potion": True}],
         "conditions": [{"damage": "1-4", "due": True}]}
SIX = [{"word": word} for word in ("Müde", "Zornig", "Verletzt", "Traurig", "Verloren")]
IN_FIGHT = {"weak_point": 3, "fighters": 2, "fights": 1, "danger_level": 9, "clues": 1, "bonus_dice": 1}
OF_TWILIGHT = {"ask-question", "change-counts", "dark-section", "end-condition", "end-session", "fill-field",
               "new-adventure", "paste-table"}
"""Acts of a character of Augen des Zwielichts that are open in action and out of it."""
NOTES = {"add-condition", "end-condition", "note-spell", "pack-item"}
"""Entries on a sheet of Dämmersturm that are no actions."""


def at_the_table(slug, patch, state):
    """The first example of a system, changed by a patch, in a state of play."""
    tree = next(iter(systems()[slug].examples.values()))
    sheet = read_tree({**tree, "data": patched(tree["data"], patch)}).sheet
    return sheet, systems()[slug].play.model_validate(state)


def offered(slug, sheet, play):
    """The acts on offer, without those of the GM alone."""
    return {key for key, act in systems()[slug].acts.items() if not act.gm_only and [*act.offered(sheet, play)]}


@pytest.mark.parametrize(("slug", "patch", "state", "may"), [
    # At 0 life: unfit to fight or dead, with no further part in the Kampfabschnitt.
    pytest.param("daemmersturm", ARMED, STORM, NOTES | {"choose-resource", "new-section"},
                 marks=pytest.mark.rule("DS-32", "DS-57", "DS-59"), id="storm-down"),
    # Others may load the artillery of somebody who is down.
    pytest.param("daemmersturm", ARMED, {"unready": UNREADY[1:]},
                 NOTES - {"end-condition"} | {"choose-resource", "make-ready", "new-section"},
                 marks=pytest.mark.rule("DS-26", "DS-32"), id="storm-artillery"),
    # The sixth condition: out of action, and brought back by others alone.
    pytest.param("augen-des-zwielichts", {}, {**IN_FIGHT, "conditions": SIX},
                 OF_TWILIGHT | {"bring-back", "lower-danger"},
                 marks=pytest.mark.rule("SZ-07", "SZ-37"), id="twilight-out"),
    # Whoever takes no part in a fight may still join it, and take a risk.
    pytest.param("augen-des-zwielichts", {}, {**IN_FIGHT, "weak_point": None, "open_weak_point": 2},
                 OF_TWILIGHT - {"ask-question", "dark-section", "end-condition"} | {
                     "begin-fight", "lower-danger", "note-condition", "settle"},
                 marks=pytest.mark.rule("SZ-24", "SZ-36"), id="twilight-beside"),
    # At 0 life one fights on with half a turn, and explodes no more.
    pytest.param("condice", {"abilities": [{"ability": "explosion", "range": 0}]}, {"life": 0, "acted": True},
                 {"add-item", "change-attributes", "change-size", "damage", "end-adventure", "end-turn", "heal"},
                 marks=pytest.mark.rule("CD-31", "CD-47"), id="condice-0"),
    # At 0 life the GM decides on the state of a character, so nothing is withheld.
    pytest.param("dice-rumble", {}, {"life_lost": 30, "initiative": 3},
                 {"damage", "find-weapon", "heal", "new-adventure", "repeat", "shock", "spend-die", "turn-fate",
                  "wait"}, marks=pytest.mark.rule("DR-16"), id="rumble-0"),
    # At 0 life the mage has lost.
    pytest.param("battle-dice", {}, {"phase": "lost", "life": 0}, {"challenge", "end-game"},
                 marks=pytest.mark.rule("BD-16"), id="battle-lost"),
])
def test_what_is_offered_to_whoever_is_down_or_beside_a_fight(slug, patch, state, may):
    sheet, play = at_the_table(slug, patch, state)
    if slug == "daemmersturm":
        play = play.with_damage(sheet, 500)
    assert offered(slug, sheet, play) == may


@pytest.mark.rule("SZ-07", "SZ-24", "SZ-37")
@pytest.mark.parametrize(("state", "moves"), [
    ({**IN_FIGHT, "conditions": SIX}, set()), ({"conditions": SIX}, set()),
    ({**IN_FIGHT, "weak_point": None}, {"investigate", "risk", "travel", "ability"}),
    (IN_FIGHT, {"investigate", "risk", "travel", "ability", "weaken"})])
def test_which_moves_are_left_to_whoever_is_out_of_action_or_beside_a_fight(state, moves):
    sheet, play = at_the_table("augen-des-zwielichts", {}, state)
    assert {one.key for one in sheet.widgets(play) if one.cls.slug == "move"} == moves


@pytest.mark.rule("DS-32", "DS-40", "DS-42", "DS-50")
def test_nothing_arrives_at_somebody_who_is_down_and_nothing_is_asked_of_them():
    storm = systems()["daemmersturm"]
    patch = {"shield": {"target": 14}, "armour": {"target": 5, "max_damage": 9}}
    for down in (False, True):
        sheet, play = at_the_table("daemmersturm", patch, {"cover": 9})
        play = play.with_damage(sheet, 500) if down else play
        figures = storm.crossing.figures(sheet, play)
        hit = storm.rolls["damage"](range="1-9", critical=6, source="ranged")
        blow = storm.rolls["attack"](bonus=0, defence=9, skill="melee")
        came = [*storm.crossing.target_offers(hit, Outcome(30), figures),
                *storm.crossing.target_offers(storm.rolls["healing"](range="1-9"), Outcome(3), figures),
                *storm.crossing.target_offers(blow, Outcome("fumble"), figures)]
        arrives = [] if down else ["damage", "roll-exhaustion", "heal", "answer-fumble"]
        assert [one.cls.slug for one in came] == arrives
        assert bool([*storm.crossing.responses(sheet, play, hit, turns=True)]) is not down
        act = storm.acts["damage"](points=4)
        assert bool([*storm.crossing.guards(sheet, play, act)]) is not down
        assert ("exhaustion" in {one.cls.slug for one in sheet.widgets(play)}) is not down
