"""Random characters from concepts: who they are, what they are called, in both languages."""

from itertools import combinations, product

import pytest
from django.utils.translation import override

from rulesets import generate, systems
from rulesets.document import read_tree
from rulesets.kit.concepts import lines_of, names, random_name
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
def test_there_are_eight_concepts_at_least_told_in_both_languages_with_as_many_words_of_each_kind(ruleset):
    assert len(ruleset.concepts) >= 8
    told = [ruleset.vocabulary(language) for language in LANGUAGES]
    for language, vocabulary in zip(LANGUAGES, told, strict=True):
        with override(language):
            assert len(set(ruleset.concept_titles.values())) == len(ruleset.concept_titles)
        assert set(vocabulary["concepts"]) == set(ruleset.concepts)
        assert all(lines_of(vocabulary, slug) for slug in ruleset.concepts)
    english, german = told
    assert not set(german["concepts"].values()) & set(english["concepts"].values())
    for one, other in ((english, german), (english["lines"], german["lines"])):
        assert {key: len(value) for key, value in one.items() if key != "names"} == \
            {key: len(value) for key, value in other.items() if key != "names"}


@pytest.mark.prove
@whoever_states_some
def test_a_concept_that_is_named_is_made_without_a_finding_and_an_unknown_one_refused_with_those_there_are(
        ruleset, full):
    for slug, seed in product(ruleset.concepts, range(200 if full else 4)):
        document, concept = generate.character(ruleset, seeded(seed), concept=slug)
        assert concept == slug
        assert read_tree(document).check(mends=False).findings == ()
    with pytest.raises(generate.Stuck, match=next(iter(ruleset.concepts))):
        generate.character(ruleset, seeded(1), concept="nobody")


@whoever_states_some
def test_both_languages_draw_the_same_figures_and_names_of_the_dice_which_are_told_from_chosen_ones(ruleset):
    drawn = [made(ruleset.slug, 10, language) for language in LANGUAGES]
    english, german = ([figures(one.document["data"]) for one in some] for some in drawn)
    assert english == german
    assert all(ruleset.could_be_random(one.document["name"]) for some in drawn for one in some)
    assert ruleset.could_be_random(" ")
    assert not ruleset.could_be_random("Kunibert Eigenname")


def figures(node):
    """Sheet data without its texts."""
    if isinstance(node, dict):
        return {key: figures(value) for key, value in node.items()}
    return [figures(one) for one in node] if isinstance(node, list) else isinstance(node, str) or node


@whoever_states_some
@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_two_thousand_names_and_one_is_of_the_concepts_own_parts(ruleset, language):
    vocabulary = ruleset.vocabulary(language)
    assert len(names(vocabulary)) >= 2_000
    for slug, parts in vocabulary["names"].get("of", {}).items():
        assert slug in ruleset.concepts
        ours = names({"names": {**vocabulary["names"], "of": {slug: parts}}})
        assert {random_name(vocabulary, seeded(seed), (), slug) for seed in range(20)} <= set(ours)


@whoever_states_some
def test_a_party_of_twenty_has_nobody_twice_neither_by_name_nor_by_figures(ruleset):
    taken, sheets = set(), []
    for seed in (7, *range(20)):
        document = generate.character(ruleset, seeded(seed), taken=taken).document
        assert document["name"] not in taken
        taken.add(document["name"])
        sheets.append(document["data"])
    # Of the 31 decks that there are some come again, and so would who is made of the same chance but for the name.
    assert ruleset.slug == "battle-dice" or all(one != other for one, other in combinations(sheets[1:], 2))
    assert len(taken) == 21


def test_a_concept_that_the_house_has_no_room_for_is_refused_and_others_are_drawn():
    ruleset = SYSTEMS["condice"]
    house = ruleset.house(banned={"fliegen": True})
    with pytest.raises(generate.Stuck, match="from above"):
        generate.character(ruleset, seeded(1), house, "flyer")
    drawn = {generate.character(ruleset, seeded(seed), house).concept for seed in range(80)}
    assert len(drawn) > 10
    assert not drawn & {"", "flyer"}


@pytest.mark.parametrize(("budget", "slug", "concept"), [
    (18, "runner", "runner"), (18, "healer", "healer"), (18, "shield", "shield"), (3, None, "")])
def test_a_house_with_fewer_points_has_the_same_concepts_in_less_of_everything_as_long_as_one_fits(
        budget, slug, concept):
    house = SYSTEMS["condice"].house(budget=budget)
    made = generate.character(SYSTEMS["condice"], seeded(1), house, slug)
    document = read_tree(made.document)
    assert (made.concept, document.check(mends=False).findings) == (concept, ())
    assert document.sheet.ledger(house).left == 0


@pytest.mark.slow
@pytest.mark.prove
@whoever_states_some
def test_a_thousand_have_all_concepts_no_finding_and_few_the_name_of_another(ruleset, full):
    found = made(ruleset.slug, 1_000 if full else 120)
    for one in found:
        document = read_tree(one.document)
        assert document.check(mends=False).findings == (), one
        ledger = document.sheet.ledger(document.house)
        assert ledger is None or ledger.left == 0
    called_so = {one.document["name"] for one in found[:100]}
    assert len(called_so) >= 95
    assert called_so <= set(names(ruleset.vocabulary("de")))
    if full:
        assert {one.concept for one in found} == set(ruleset.concepts)
        report(f"{ruleset.slug}: {len(found)} random characters of {len(ruleset.concepts)} concepts, "
               f"{len(called_so)} names among the first 100")
