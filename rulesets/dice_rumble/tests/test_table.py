"""What stands before the player: hints while building, widgets on the sheet (DR-02 to DR-18)."""

import pytest
from pydantic import ValidationError

from rulesets.dice_rumble import RULESET
from rulesets.dice_rumble.talents import ATTRIBUTES
from rulesets.dice_rumble.tests.heroes import hero

PLAY = RULESET.play()


def hints(patch=None, **house):
    return dict(hero(patch).hints(RULESET.house(**house)))


def widgets(sheet):
    return {offer.key or offer.cls.slug: offer for offer in sheet.roll_offers(PLAY)}


@pytest.mark.rule("DR-07", "DR-10")
@pytest.mark.parametrize(("talent", "points", "house", "hint"), [
    (3, 0, {}, "Threshold 1: succeeds 10.0% of the time. One more point: 20.0%."),
    (3, 3, {}, "Threshold 4: succeeds 40.0% of the time. One more point: 50.0%."),
    (3, 6, {}, "Threshold 7: succeeds 70.0% of the time. No more than 6 points are allowed."),
    (2, 6, {"talent_cap": 8},
     "Threshold 9: succeeds 90.0% of the time. One more point: no better, because a 10 always fails."),
])
def test_a_talent_tells_its_threshold_its_chance_and_what_one_more_point_does(talent, points, house, hint):
    assert hints({f"talents.{talent}.points": points}, **house)[f"talents.{talent}"] == hint


@pytest.mark.rule("DR-04")
@pytest.mark.rule("DR-05")
@pytest.mark.parametrize(("index", "words"), [(0, "gives 1 life point"), (1, "gives 1 mental health")])
def test_the_talents_of_life_and_mental_health_say_so(index, words):
    assert words in hints()[f"talents.{index}"]


@pytest.mark.rule("DR-07")
@pytest.mark.rule("DR-04")
@pytest.mark.rule("DR-05")
def test_each_value_of_an_attribute_says_before_it_is_chosen_what_it_comes_to():
    told = hints({f"attributes.{key}": None for key in ATTRIBUTES})
    assert told["attributes"].startswith("Without a talent: 30.0% with 3, 20.0% with 2, 10.0% with 1.")
    assert told["attributes.strength"] == (
        "Life points before Konstitution: 8 with 3, 7 with 2, 6 with 1. Usual for Konstitution, Nahkampf.")
    assert told["attributes.mind"].startswith("Mental health before Willenskraft: 8 with 3, 7 with 2, 6 with 1.")
    assert hints(attributes=[4, 4, 2, 0])["attributes"].startswith("Without a talent: 40.0% with 4, 20.0% with 2")


@pytest.mark.rule("DR-13")
@pytest.mark.rule("DR-18")
def test_a_weapon_tells_what_an_unanswered_attack_does():
    # Threshold 9: 1 to 9 hit with 8 to 0, and the rolling pin adds 2: (36 + 18) / 10.
    assert hints()["weapons.0"] == "Without a reaction it hits 90.0% of the time and does 5.40 damage on average."
    assert "weapons.0" not in hints({"weapons.0.talent": "Weitwurf"})


@pytest.mark.rule("DR-03", "DR-07")
def test_a_test_offers_the_usual_attribute_first_and_the_others_after_it():
    offer = widgets(hero())["talents.3"]
    assert (offer.title, [*offer.among["threshold"].items()]) == (
        "Ballistik", [(4, "4 (Dexterity, Mind)"), (6, "6 (Strength)"), (5, "5 (Charisma)")])
    assert (offer.take(threshold=6).threshold, offer.take(threshold=6).head()) == (6, 6)
    assert RULESET.rolls["initiative"]().head() == 10
    lone = widgets(hero({"talents.3.attribute": None}))["talents.3"]
    assert (str(lone.group), lone.asks["threshold"].kind) == ("Talents", "choice")


@pytest.mark.rule("DR-07")
def test_who_is_untrained_rolls_against_the_attribute_alone():
    found = widgets(hero())
    assert {key: found[f"attributes.{key}"].filled for key in ATTRIBUTES} == {
        "strength": {"threshold": 3}, "charisma": {"threshold": 2}, "dexterity": {"threshold": 1},
        "mind": {"threshold": 1}}
    assert found["attributes.mind"].title == "Mind alone"


@pytest.mark.rule("DR-03")
@pytest.mark.rule("DR-07")
def test_talents_stand_under_their_usual_attribute_the_highest_attribute_first():
    offers = [one for one in hero().roll_offers(PLAY) if one.cls.slug == "test"]
    assert [*dict.fromkeys(str(one.group) for one in offers)] == ["Strength", "Charisma", "Dexterity", "Mind"]
    assert [str(one.title) for one in offers if one.group == "Dexterity"] == [
        "Ballistik", "Akrobatik", "Dexterity alone"]
    assert PLAY.board(hero())["attributes"] == [("Strength", 3), ("Charisma", 2), ("Dexterity", 1), ("Mind", 1)]


@pytest.mark.rule("DR-03", "DR-12")
def test_a_duel_is_fought_with_any_talent_and_attribute_against_a_typed_opponent():
    found = widgets(hero())
    assert set(found["duel"].asks) == {"threshold", "opponent", "modifier", "opponent_modifier"}
    for key in ("duel", "duel-damage"):
        labels = found[key].among["threshold"]
        usual, *others = labels
        assert (usual, others) == (9, sorted(others, reverse=True))
        assert labels[9].startswith("9 (Nahkampf, Früh aufstehen, ")
        assert labels[3].startswith("3 (Nachtwache, Strength")
        # Brotkunde 6 is usually rolled with Mind 1; Strength is 3, Charisma 2.
        assert "Brotkunde with Strength" in labels[9]
        assert "Brotkunde with Charisma" in labels[8]
        assert not any("Brotkunde with Dexterity" in label for label in labels.values())


@pytest.mark.rule("DR-12")
@pytest.mark.rule("DR-13")
@pytest.mark.parametrize(("which", "duel", "unarmed"), [("aunt", 6, 6), ("captain", 9, 9), ("inventor", 8, 1)])
def test_a_fight_begins_with_what_one_fights_with_and_not_with_what_one_does_best(which, duel, unarmed):
    found = widgets(hero(which=which))
    assert [next(iter(found[key].among["threshold"])) for key in ("duel", "duel-damage", "unarmed")] == [
        duel, unarmed, unarmed]


@pytest.mark.rule("DR-12", "DR-18")
@pytest.mark.parametrize(("which", "pairs"), [
    ("baker", [("Duel with Nudelholz", 9, 2), ("Duel with Steinharte Brezel", 4, 1),
               ("Duel with bare hands", 9, 0)]),
    ("inventor", [("Duel with Druckluftkanone", 8, 4), ("Duel with Schraubenschlüssel", 1, 1),
                  ("Duel with bare hands", 1, 0)])])
def test_a_duel_with_damage_is_fought_with_a_weapon_and_the_talent_that_belongs_to_it(which, pairs):
    duels = [one for one in hero(which=which).roll_offers(PLAY) if one.cls.slug == "duel-damage"]
    assert [(str(one.title), next(iter(one.among["threshold"])), one.filled["weapon"]) for one in duels] == pairs


@pytest.mark.rule("DR-12")
@pytest.mark.rule("DR-18")
def test_the_talent_of_a_weapon_is_one_that_one_fights_with():
    cook = hero({"weapons.0.talent": "Brotkunde", "talents.5.attribute": "strength", "talents.2.points": 1})
    assert next(iter(widgets(cook)["duel"].among["threshold"])) == cook.threshold(cook.talent("Brotkunde"))


@pytest.mark.rule("DR-13", "DR-18")
def test_there_is_an_attack_for_each_weapon_and_one_without_and_a_hit_that_deals_nothing_is_a_hit():
    found = widgets(hero())
    armed = found["weapons.0"]
    assert (armed.title, str(armed.note), armed.filled) == ("Nudelholz", "Nahkampf, damage +2", {"weapon": 2})
    assert next(iter(armed.among["threshold"])) == 9
    assert found["unarmed"].filled == {"weapon": 0}
    rolls = [found[key].take(threshold=6) for key in ("unarmed", "weapons.0")]
    assert [one.gist(one.odds()).partition(",")[0] for one in rolls] == ["60% hit"] * 2


@pytest.mark.rule("DR-18")
@pytest.mark.parametrize(("sheet", "weapon", "among"), [
    (hero({"weapons.0.talent": "Weitwurf"}), "weapons.0",
     {3: "3 (Strength)", 2: "2 (Charisma)", 1: "1 (Dexterity, Mind)"}),
    (hero(which="inventor"), "weapons.1", {1: "1 (Strength, Charisma)", 3: "3 (Mind)", 2: "2 (Dexterity)"}),
])
def test_a_weapon_of_a_talent_that_nobody_knows_is_rolled_with_an_attribute_alone(sheet, weapon, among):
    assert widgets(sheet)[weapon].among["threshold"] == among


@pytest.mark.rule("DR-14")
def test_the_order_of_all_is_rolled_by_the_act_that_keeps_the_die_and_by_nothing_else():
    assert "initiative-order" not in widgets(hero())
    offer, = RULESET.acts["roll-initiative"].offered(hero(), PLAY)
    assert set(offer.asks) == {"fighters"}
    assert type(offer.take(fighters=3).roll(hero(), PLAY)).slug == "initiative-order"


@pytest.mark.rule("DR-01")
def test_a_sheet_without_attributes_asks_for_the_threshold():
    empty = RULESET.sheet.model_validate(RULESET.document()["data"])
    offer = widgets(empty)["attributes.mind"]
    assert offer.asks["threshold"].kind == "number"
    assert offer.take(threshold=4).threshold == 4


def test_figures_beyond_what_a_roll_takes_are_offered_at_its_most():
    huge = hero({"attributes.strength": 999, "talents.2.points": 999})
    for offer in huge.roll_offers(PLAY):
        assert max(offer.among.get("threshold", {0: ""})) <= 999
    with pytest.raises(ValidationError):
        widgets(huge)["talents.2"].take(threshold=1998)
    assert dict(huge.hints(RULESET.house()))["talents.2"].startswith("Threshold 1998: succeeds 90.0")
