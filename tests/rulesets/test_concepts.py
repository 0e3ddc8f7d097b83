"""Random characters from concepts: who they are, what they are called, in both languages."""

from collections import Counter
from itertools import product

import pytest
from django.utils.translation import override

from rulesets import generate, systems
from rulesets.condice.catalogue import CATALOGUE as ABILITIES
from rulesets.daemmersturm.catalogue import ABILITIES as LISTED
from rulesets.daemmersturm.catalogue import KINDS
from rulesets.daemmersturm.concepts import GUNS, HANDGUNS
from rulesets.document import read_tree
from rulesets.kit.concepts import lines_of, names
from tests.rulesets.contract import report, seeded

LANGUAGES = ("en", "de")
SYSTEMS = systems()
STATED = [ruleset for ruleset in SYSTEMS.values() if ruleset.concepts]
whoever_states_some = pytest.mark.parametrize("ruleset", STATED, ids=lambda ruleset: ruleset.slug)


def made(slug, number, language="de"):
    """So many characters, a seed each."""
    with override(language):
        return [generate.character(SYSTEMS[slug], seeded(seed)) for seed in range(number)]


@whoever_states_some
def test_there_are_eight_concepts_at_least_told_in_both_languages(ruleset):
    assert len(ruleset.concepts) >= 8
    for language in LANGUAGES:
        with override(language):
            titles = ruleset.concept_titles
        assert set(ruleset.vocabulary(language)["concepts"]) == set(ruleset.concepts)
        assert len(set(titles.values())) == len(titles)
        for slug in ruleset.concepts:
            assert lines_of(ruleset.vocabulary(language), slug)
    assert not set(ruleset.vocabulary("de")["concepts"].values()) & set(ruleset.vocabulary("en")["concepts"].values())


@pytest.mark.prove
@whoever_states_some
def test_a_concept_that_is_named_is_made_without_a_finding(ruleset, full):
    for slug, seed in product(ruleset.concepts, range(200 if full else 8)):
        document, concept = generate.character(ruleset, seeded(seed), concept=slug)
        assert concept == slug
        assert read_tree(document).check(mends=False).findings == ()


@whoever_states_some
def test_both_languages_draw_the_same_figures(ruleset):
    for seed in range(10):
        english, german = (figures(made_in(ruleset, seed, language)) for language in LANGUAGES)
        assert english == german


def made_in(ruleset, seed, language):
    with override(language):
        return generate.character(ruleset, seeded(seed)).document["data"]


def figures(node):
    """Sheet data without its texts."""
    if isinstance(node, dict):
        return {key: figures(value) for key, value in node.items()}
    return [figures(one) for one in node] if isinstance(node, list) else isinstance(node, str) or node


@whoever_states_some
def test_the_languages_have_the_same_kinds_of_words_and_as_many_of_each(ruleset):
    english, german = (ruleset.vocabulary(language) for language in LANGUAGES)
    assert {key: len(value) for key, value in english.items() if key != "names"} == \
        {key: len(value) for key, value in german.items() if key != "names"}
    assert {key: len(value) for key, value in english["lines"].items()} == \
        {key: len(value) for key, value in german["lines"].items()}


@whoever_states_some
@pytest.mark.parametrize("language", LANGUAGES)
def test_two_thousand_names_and_few_of_a_hundred_twice(ruleset, language):
    assert len(names(ruleset.vocabulary(language))) >= 2_000
    found = {one.document["name"] for one in made(ruleset.slug, 100, language)}
    assert len(found) >= 95
    assert found <= set(names(ruleset.vocabulary(language)))


@whoever_states_some
def test_a_name_that_is_taken_is_given_to_nobody(ruleset):
    first = generate.character(ruleset, seeded(7)).document["name"]
    assert generate.character(ruleset, seeded(7), taken={first}).document["name"] != first


@whoever_states_some
def test_a_name_of_the_dice_is_told_from_one_that_somebody_chose(ruleset):
    for language in LANGUAGES:
        assert ruleset.may_be_rolled(made(ruleset.slug, 1, language)[0].document["name"])
    assert ruleset.may_be_rolled(" ")
    assert not ruleset.may_be_rolled("Kunibert Eigenname")


@whoever_states_some
def test_an_unknown_concept_is_refused_with_those_there_are(ruleset):
    with pytest.raises(generate.Stuck, match=next(iter(ruleset.concepts))):
        generate.character(ruleset, seeded(1), concept="nobody")


def test_a_concept_that_the_house_has_no_room_for_is_refused_and_others_are_drawn():
    ruleset = SYSTEMS["condice"]
    house = ruleset.house(banned={"fliegen": True})
    with override("en"), pytest.raises(generate.Stuck, match="from above"):
        generate.character(ruleset, seeded(1), house, "flyer")
    drawn = {generate.character(ruleset, seeded(seed), house).concept for seed in range(150)}
    assert len(drawn) > 10
    assert not drawn & {"", "flyer"}


def test_a_house_with_fewer_points_has_the_same_concepts_in_less_of_everything():
    ruleset = SYSTEMS["condice"]
    house = ruleset.house(budget=18)
    for slug in ("runner", "healer", "shield"):
        document, concept = generate.character(ruleset, seeded(1), house, slug)
        assert concept == slug
        assert read_tree(document).check(mends=False).findings == ()
        assert read_tree(document).sheet.ledger(house).left == 0


def test_a_house_that_no_concept_fits_has_characters_from_the_fields_alone():
    ruleset = SYSTEMS["condice"]
    document, concept = generate.character(ruleset, seeded(1), ruleset.house(budget=3))
    assert concept == ""
    assert read_tree(document).check(mends=False).findings == ()


@pytest.mark.prove
@whoever_states_some
def test_a_thousand_have_all_concepts_and_no_finding(ruleset, full):
    number = 1_000 if full else 120
    found = made(ruleset.slug, number)
    for one in found:
        document = read_tree(one.document)
        assert document.check(mends=False).findings == (), one
        ledger = document.sheet.ledger(document.house)
        assert ledger is None or ledger.left == 0
    counts = Counter(one.concept for one in found)
    if full:
        assert set(counts) == set(ruleset.concepts)
        report(f"{ruleset.slug}: {number} random characters of {len(counts)} concepts, "
               f"{len({one.document['name'] for one in found[:100]})} names among the first 100")


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


def test_condice_own_abilities_come_where_the_party_takes_them_and_at_its_price():
    ruleset = SYSTEMS["condice"]
    house = ruleset.house(agreed=[{"name": "Zeit anhalten", "cost": 3}])
    own = [one for seed in range(80) for one in generate.sheet(ruleset, seeded(seed), house)["data"]["abilities"]
           if one["ability"] == "custom"]
    assert own
    assert {(one["name"], one["cost"]) for one in own} == {("Zeit anhalten", 3)}


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
    met = set()
    for data in datas("augen-des-zwielichts", 300):
        name, mark, gift, text, word = demons[data["demon"]["name"]]
        assert (data["demon"]["mark"], data["fields"]["demon"]["word"]) == (mark, word)
        assert [(one["name"], one["text"]) for one in data["abilities"] if one["demon"]] == [(gift, text)]
        assert all(one["text"] for one in data["abilities"])
        assert len({one["name"] for one in data["abilities"]}) == 3
        assert (data["mount"] is None) == (data["fields"]["mount"]["word"] == "")
        met.add(name)
    assert met == set(demons)


@pytest.mark.rule("BD-01", "BD-02")
def test_battle_dice_nearly_every_legal_deck_of_the_list_turns_up():
    decks = {tuple(sorted((one["card"], one["copies"]) for one in data["cards"]))
             for data in datas("battle-dice", 1_000)}
    assert len(decks) >= 25
    assert max(map(len, decks)) == 4
