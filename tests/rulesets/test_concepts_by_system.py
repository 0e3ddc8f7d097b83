"""What random characters of each system are like: what a reader of twenty of them would stumble over."""

from collections import Counter

import pytest
from django.utils.translation import override

from rulesets import generate
from rulesets.condice.catalogue import CATALOGUE as ABILITIES
from rulesets.daemmersturm.catalogue import ABILITIES as LISTED
from rulesets.daemmersturm.catalogue import KINDS, MELEE
from rulesets.daemmersturm.concepts import GUNS, HANDGUNS
from tests.rulesets.test_concepts import LANGUAGES, SYSTEMS, made
from tests.support.rulesets.contract import report, seeded

pytestmark = pytest.mark.slow


def datas(slug, number):
    return [one.document["data"] for one in made(slug, number)]


@pytest.mark.prove
@pytest.mark.rule("CD-02")
def test_condice_no_attack_is_as_good_as_another_in_dice_and_range(full):
    bought = Counter()
    for data in datas("condice", 1_000 if full else 300):
        attacks = [(one["dice"], one["range"]) for one in data["attacks"]]
        for index, (dice, reach) in enumerate(attacks):
            assert not any(d >= dice and r >= reach for d, r in attacks[:index] + attacks[index + 1:]), attacks
        assert all(one["description"] for one in data["attacks"])
        bought.update(one["ability"] for one in data["abilities"])
    assert set(bought) == set(ABILITIES) - {"custom"}


@pytest.mark.rule("CD-02", "CD-03")
def test_condice_who_fights_close_by_is_defended_and_a_lone_attack_has_dice():
    for data in datas("condice", 300):
        if all(one["range"] == 0 for one in data["attacks"]):
            assert data["defence"] >= 3, data
        assert max(one["dice"] for one in data["attacks"]) >= 5, data
        assert data["abilities"], data


def test_condice_own_abilities_come_where_the_party_takes_them_and_at_its_price():
    ruleset = SYSTEMS["condice"]
    house = ruleset.house(agreed=[{"name": "Zeit anhalten", "cost": 3}])
    own = [one for seed in range(80) for one in generate.sheet(ruleset, seeded(seed), house)["data"]["abilities"]
           if one["ability"] == "custom"]
    assert own
    assert {(one["name"], one["cost"]) for one in own} == {("Zeit anhalten", 3)}


@pytest.mark.slow
@pytest.mark.prove
@pytest.mark.rule("DR-01", "DR-18")
def test_dice_rumble_the_strong_attribute_has_most_points_and_every_weapon_a_trained_talent(full):
    strong = set()
    for data in datas("dice-rumble", 1_000 if full else 200):
        points = Counter()
        for one in data["talents"]:
            points[one["attribute"]] += one["points"]
        best = max(data["attributes"], key=data["attributes"].get)
        strong.add(best)
        assert all(points[best] > points[key] for key in data["attributes"] if key != best), data
        trained = {one["name"] for one in data["talents"] if one["points"]}
        assert data["weapons"]
        assert {one["talent"] for one in data["weapons"]} <= trained
    assert strong == {"strength", "dexterity", "mind", "charisma"}


@pytest.mark.slow
@pytest.mark.prove
def test_dice_rumble_every_talent_and_weapon_of_a_concept_turns_up_and_none_twice(full):
    vocabulary, seen = SYSTEMS["dice-rumble"].vocabulary("de"), set()
    for data in datas("dice-rumble", 3_000 if full else 200):
        found = [one["name"] for key in ("talents", "weapons") for one in data[key]]
        assert len(found) == len(set(found)), found
        seen |= set(found)
    words = {word for key, some in vocabulary.items() if isinstance(some, list) for word in some}
    assert words <= seen if full else len(words & seen) > len(words) / 2


@pytest.mark.rule("DS-01", "DS-05a", "DS-09")
def test_daemmersturm_who_carries_a_weapon_can_use_it_and_each_ability_has_words_of_its_own():
    listed, bows = SYSTEMS["daemmersturm"].vocabulary("de")["listed"], 0
    assert all(len(set(texts)) == len(texts) == 2 for texts in listed.values())
    assert len({text for texts in listed.values() for text in texts}) == 2 * len(listed)
    for data in datas("daemmersturm", 300):
        for one in data["weapons"]:
            assert data["melee" if one["kind"] in MELEE else "ranged"]["attack"] >= 0, data
        for one in data["abilities"]:
            assert one["name"] not in listed or one["text"] in listed[one["name"]]
        bows += "bow" in {one["kind"] for one in data["weapons"]}
    assert bows < 300 / 5


@pytest.mark.prove
@pytest.mark.rule("DS-03", "DS-05", "DS-09")
def test_daemmersturm_shields_have_a_hand_and_gun_skills_a_gun(full):
    kinds, abilities = set(), set()
    for data in datas("daemmersturm", 2_000 if full else 1_000):
        carried = {one["kind"] for one in data["weapons"]}
        if data["shield"]:
            assert all(one["hands"] == 1 for one in data["weapons"]), data
        known = {one["name"] for one in data["abilities"]}
        if known & {*GUNS, *HANDGUNS}:
            assert carried & {"gun", "handgun"}, data
        if known & {*HANDGUNS}:
            assert "handgun" in carried, data
        assert ("Armbrustschütze" in known) <= ("crossbow" in carried)
        assert ("Speerwerfer" in known) <= ("spear" in carried)
        assert bool(known & {"Grenadier", "Sprengstoffexperte"}) <= ("explosive" in carried)
        assert all(one["text"] for one in data["abilities"])
        caster = data["resource"] != "none"
        assert caster <= (data["magic"]["attack"] == max(data[key]["attack"] for key in ("melee", "ranged", "magic")))
        assert not (caster and known & set(LISTED))
        kinds |= carried
        abilities |= known
    assert kinds == set(KINDS)
    assert abilities >= set(LISTED)


@pytest.mark.rule("SZ-03", "SZ-05")
def test_augen_what_is_given_is_told_and_belongs_to_its_demon():
    demons = {one[0]: one for one in SYSTEMS["augen-des-zwielichts"].vocabulary("de")["demons"]}
    vocabulary, met, mounted = SYSTEMS["augen-des-zwielichts"].vocabulary("de"), set(), 0
    for one in made("augen-des-zwielichts", 300):
        data, slug = one.document["data"], one.concept
        name, mark, gift, text, word = demons[data["demon"]["name"]]
        assert (data["demon"]["mark"], data["fields"]["demon"]["word"]) == (mark, word)
        assert [(one["name"], one["text"]) for one in data["abilities"] if one["demon"]] == [(gift, text)]
        assert all(one["text"] for one in data["abilities"])
        assert len({one["name"] for one in data["abilities"]}) == 3
        assert (data["mount"] is None) == (data["fields"]["mount"]["word"] == "")
        assert {one["name"] for one in data["abilities"] if not one["demon"]} <= \
            {gift for gift, _text in vocabulary[f"{slug}_gifts"]}
        assert data["mount"] is None or [*data["mount"].values()] in vocabulary[f"{slug}_mounts"]
        mounted += data["mount"] is not None
        met.add(name)
    assert met == set(demons)
    assert 150 < mounted < 250


@pytest.mark.rule("BD-01", "BD-02")
def test_battle_dice_nearly_every_legal_deck_of_the_list_turns_up_and_most_have_a_theme():
    decks = Counter(tuple(sorted((one["card"], one["copies"]) for one in data["cards"]))
                    for data in datas("battle-dice", 1_000))
    report(f"battle-dice: {len(decks)} of 31 decks among 1,000")
    assert len(decks) >= 25
    assert max(map(len, decks)) == 4
    assert sum(number for deck, number in decks.items() if max(copies for _card, copies in deck) < 3) < 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_battle_dice_the_line_says_how_the_deck_is_played(language):
    ruleset = SYSTEMS["battle-dice"]
    for character in made("battle-dice", 100, language):
        data, starts = character.document["data"], ruleset.vocabulary(language)["lines"][character.concept]
        with override(language):
            lines = ruleset.concept_lines(character.concept, data)
            changed = ruleset.concept_lines(character.concept, {"cards": data["cards"][1:]})
        assert character.document["notes"] in lines
        start = next(one for one in starts if character.document["notes"].startswith(one))
        assert character.document["notes"] != start
        assert changed == starts  # a deck that somebody changed keeps the plan, not what its cards were for
