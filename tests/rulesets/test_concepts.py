"""Random characters from concepts: who they are, what they are called, in both languages."""

from collections import Counter
from itertools import combinations, product

import pytest
from django.utils.translation import override

from rulesets import generate, systems
from rulesets.document import read_tree
from rulesets.kit.concepts import called, lines_of, names
from tests.support.everyday import everyday
from tests.support.rulesets.contract import report, seeded

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


@pytest.mark.slow
@whoever_states_some
@pytest.mark.parametrize("language", everyday(LANGUAGES))
def test_two_thousand_names_and_few_of_a_hundred_twice(ruleset, language):
    assert len(names(ruleset.vocabulary(language))) >= 2_000
    found = {one.document["name"] for one in made(ruleset.slug, 100, language)}
    assert len(found) >= 95
    assert found <= set(names(ruleset.vocabulary(language)))


@whoever_states_some
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_is_of_the_concepts_own_parts(ruleset, language):
    vocabulary = ruleset.vocabulary(language)
    own = vocabulary["names"].get("of", {})
    assert set(own) <= set(ruleset.concepts)
    for slug, parts in own.items():
        ours = names({"names": {**vocabulary["names"], "of": {slug: parts}}})
        assert {called(vocabulary, seeded(seed), (), slug) for seed in range(20)} <= set(ours)


@whoever_states_some
def test_a_party_of_twenty_has_nobody_twice_neither_by_name_nor_by_figures(ruleset):
    taken, sheets = set(), []
    with override("de"):
        for seed in range(20):
            document = generate.character(ruleset, seeded(seed), taken=taken).document
            assert document["name"] not in taken
            taken.add(document["name"])
            sheets.append(document["data"])
    # Of the 31 decks that there are some come again.
    assert ruleset.slug == "battle-dice" or all(one != other for one, other in combinations(sheets, 2))


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


@pytest.mark.slow
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
