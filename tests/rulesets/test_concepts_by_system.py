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
@pytest.mark.rule("CD-02", "CD-03")
def test_condice_no_attack_is_as_good_as_another_and_who_fights_close_by_is_defended(full):
    bought = Counter()
    for data in datas("condice", 1_000 if full else 300):
        attacks = [(one["dice"], one["range"]) for one in data["attacks"]]
        for index, (dice, reach) in enumerate(attacks):
            assert not any(d >= dice and r >= reach for d, r in attacks[:index] + attacks[index + 1:]), attacks
        assert all(one["description"] for one in data["attacks"])
        assert data["defence"] >= 3 or any(reach for _dice, reach in attacks), data
        assert max(attacks)[0] >= 5, data
        assert data["abilities"], data
        bought.update(one["ability"] for one in data["abilities"])
    assert set(bought) == set(ABILITIES) - {"custom"}


def test_condice_own_abilities_come_where_the_party_takes_them_and_at_its_price():
    ruleset = SYSTEMS["condice"]
    house = ruleset.house(agreed=[{"name": "Zeit anhalten", "cost": 3}])
    own = {(one["name"], one["cost"]) for seed in range(80)
           for one in generate.sheet(ruleset, seeded(seed), house)["data"]["abilities"] if one["ability"] == "custom"}
    assert own == {("Zeit anhalten", 3)}


@pytest.mark.prove
@pytest.mark.rule("DR-01", "DR-18")
def test_dice_rumble_the_strong_attribute_has_most_points_every_weapon_a_trained_talent_and_none_comes_twice(full):
    strong, seen = set(), set()
    for data in datas("dice-rumble", 3_000 if full else 200):
        points = Counter()
        for one in data["talents"]:
            points[one["attribute"]] += one["points"]
        best = max(data["attributes"], key=data["attributes"].get)
        strong.add(best)
        assert all(points[best] > points[key] for key in data["attributes"] if key != best), data
        assert data["weapons"]
        assert {one["talent"] for one in data["weapons"]} <= {one["name"] for one in data["talents"] if one["points"]}
        found = [one["name"] for key in ("talents", "weapons") for one in data[key]]
        assert len(found) == len(set(found)), found
        seen |= set(found)
    assert strong == {"strength", "dexterity", "mind", "charisma"}
    words = {word for some in SYSTEMS["dice-rumble"].vocabulary("de").values() if isinstance(some, list)
             for word in some}
    assert words <= seen if full else len(words & seen) > len(words) / 2


@pytest.mark.prove
@pytest.mark.rule("DS-01", "DS-03", "DS-05", "DS-05a", "DS-09")
def test_daemmersturm_who_carries_a_weapon_can_use_it_and_each_ability_has_words_of_its_own(full):
    listed = SYSTEMS["daemmersturm"].vocabulary("de")["listed"]
    assert all(len(set(texts)) == len(texts) == 2 for texts in listed.values())
    assert len({text for texts in listed.values() for text in texts}) == 2 * len(listed)
    kinds, abilities, number = Counter(), set(), 2_000 if full else 1_000
    for data in datas("daemmersturm", number):
        carried = {one["kind"] for one in data["weapons"]}
        assert all(data["melee" if kind in MELEE else "ranged"]["attack"] >= 0 for kind in carried), data
        assert not data["shield"] or all(one["hands"] == 1 for one in data["weapons"]), data
        assert all(one["text"] for one in data["abilities"])
        assert all(one["text"] in listed.get(one["name"], [one["text"]]) for one in data["abilities"])
        known = {one["name"] for one in data["abilities"]}
        for names, wanted in (({*GUNS, *HANDGUNS}, {"gun", "handgun"}), ({*HANDGUNS}, {"handgun"}),
                              ({"Armbrustschütze"}, {"crossbow"}), ({"Speerwerfer"}, {"spear"}),
                              ({"Grenadier", "Sprengstoffexperte"}, {"explosive"})):
            assert not known & names or carried & wanted, data
        caster = data["resource"] != "none"
        assert caster <= (data["magic"]["attack"] == max(data[key]["attack"] for key in ("melee", "ranged", "magic")))
        assert not (caster and known & set(LISTED))
        kinds.update(carried)
        abilities |= known
    assert set(kinds) == set(KINDS)
    assert abilities >= set(LISTED)
    assert kinds["bow"] < number / 5


@pytest.mark.rule("SZ-03", "SZ-05")
def test_augen_what_is_given_is_told_and_belongs_to_its_demon():
    vocabulary, met, mounted = SYSTEMS["augen-des-zwielichts"].vocabulary("de"), set(), 0
    demons = {one[0]: one for one in vocabulary["demons"]}
    for one in made("augen-des-zwielichts", 300):
        data, mount = one.document["data"], one.document["data"]["mount"]
        name, mark, gift, text, word = demons[data["demon"]["name"]]
        assert (data["demon"]["mark"], data["fields"]["demon"]["word"]) == (mark, word)
        assert [(one["name"], one["text"]) for one in data["abilities"] if one["demon"]] == [(gift, text)]
        assert all(one["text"] for one in data["abilities"])
        assert len({one["name"] for one in data["abilities"]}) == 3
        assert (mount is None) == (data["fields"]["mount"]["word"] == "")
        assert {row["name"] for row in data["abilities"] if not row["demon"]} <= \
            {gift for gift, _text in vocabulary[f"{one.concept}_gifts"]}
        assert mount is None or [*mount.values()] in vocabulary[f"{one.concept}_mounts"]
        mounted += mount is not None
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
    with override(language):
        for character in made("battle-dice", 100, language):
            data, notes = character.document["data"], character.document["notes"]
            starts = ruleset.vocabulary(language)["lines"][character.concept]
            assert notes in ruleset.concept_lines(character.concept, data)
            assert any(notes.startswith(one) for one in starts)
            assert notes not in starts
            # A deck that somebody changed keeps the plan, not what its cards were for.
            assert ruleset.concept_lines(character.concept, {"cards": data["cards"][1:]}) == starts
