"""The deck: eight cards, three of a kind, no tokens, own cards, what it comes to (BD-00 to BD-06, BD-20 to BD-27)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.battle_dice import RULESET
from rulesets.battle_dice.cards import CATALOGUE, DECK_SLUGS, listed_card, merge_rows
from rulesets.battle_dice.keywords import KEYWORDS, KINDS
from rulesets.document import Unreadable, canonical, read, verdict
from rulesets.kit import DROP

OWN_CARD = "cards.3"


@pytest.mark.rule("BD-00")
def test_a_deck_without_a_name_is_only_warned(quick, found):
    assert found(quick(name=" ")) == [("BD-00", "warning", "")]
    assert found(quick()) == []
    assert found(quick({"cards.2": DROP})) == [("BD-01", "error", "cards")]


@pytest.mark.rule("BD-01")
@pytest.mark.parametrize(("copies", "says"), [(1, "7 cards"), (3, "9 cards")])
def test_seven_cards_and_nine_are_illegal_and_eight_are_not(quick, check, copies, says):
    finding, = check(quick({"cards.2.copies": copies})).findings
    assert (finding.rule, finding.severity, finding.path) == ("BD-01", "error", "cards")
    assert [word for word in (says, "exactly 8") if word not in str(finding.message)] == []
    assert {sum(row["copies"] for row in fix.data["cards"]) for fix in finding.fixes} == {8}


@pytest.mark.rule("BD-01")
def test_an_empty_deck_is_illegal_and_can_be_filled_up(check):
    checked = check(RULESET.document("Leer", {"cards": []}))
    assert checked.verdict == "illegal"
    assert checked.derived == {"cards": 0, "mana_curve": {}, "average_cost": None, "keywords": {}}
    assert [row["card"] for row in checked.findings[0].fixes[-1].data["cards"]] == DECK_SLUGS[:3]


@pytest.mark.rule("BD-01", "BD-02", "BD-04")
def test_house_rules_set_the_size_the_copies_and_the_consent(quick, own, check):
    assert [check(document).verdict for document in (
        quick({"cards.2.copies": 4}, house={"deck_size": 10, "same_card": 4}), quick(house={"same_card": 2}), own(),
        own(house={"consent": False}))] == ["legal", "illegal", "needs-approval", "legal"]


@pytest.mark.rule("BD-02")
@pytest.mark.parametrize("patch", [
    {"cards.0.copies": 4, "cards.2.copies": 1}, {"cards.2": {"card": "the-corona-look", "copies": 2}}])
def test_a_fourth_copy_is_illegal_over_several_rows_too(quick, found, patch):
    assert found(quick(patch)) == [("BD-02", "error", "cards.0.copies")]


@pytest.mark.rule("BD-02")
@pytest.mark.parametrize(("name", "same"), [("The Weeb", True), (" the WEEB  ", True), ("The Other", False)])
def test_own_cards_are_the_same_by_name_letter_case_and_outer_spaces_aside(own, check, name, same):
    checked = check(own({"cards.0": {"card": "custom", "name": name, "cost": 2, "copies": 3}}))
    assert ("BD-02" in [one.rule for one in checked.findings]) is same


@pytest.mark.rule("BD-04")
@pytest.mark.parametrize(("name", "places"), [("THE weeb ", ["cards.0"]), ("The Other", ["cards.0", "cards.3"])])
def test_an_own_card_in_two_rows_is_asked_about_once_and_taken_out_of_both(own, check, name, places):
    document = own({"cards.0": {"card": "custom", "name": name, "cost": 2, "copies": 1}})
    asked = [one for one in check(document).findings if one.rule == "BD-04"]
    assert [one.path for one in asked] == places
    left = [[row["name"] for row in fix.data["cards"] if row["card"] == "custom"] for fix in asked[0].fixes]
    assert {tuple(one) for one in left} == {tuple(["The Weeb"][:len(places) - 1])}


@pytest.mark.rule("BD-03")
@pytest.mark.parametrize("slug", ["dice-minion-fokus", "dice-minion-boost", "dice-minion-verteidigung"])
def test_a_deck_holds_no_dice_minion(quick, check, slug):
    finding, = check(quick({"cards.2": {"card": slug, "copies": 2}})).findings
    assert (finding.rule, finding.severity) == ("BD-03", "error")
    # Taking it out would leave six cards, which is another breach; so two cards come in at once.
    assert [one.label for one in finding.fixes] == [
        f"Take {CATALOGUE[slug].title} out; Add 2 {name}" for name in ("Snowbuddies", "The Biggest Fan")]


@pytest.mark.rule("BD-02")
@pytest.mark.rule("BD-01")
def test_of_four_of_one_card_in_a_full_deck_one_goes_and_another_comes(quick, check):
    finding, = check(quick({"cards.0.copies": 4, "cards.1.copies": 2})).findings
    assert [one.label for one in finding.fixes][-1] == "Keep 3 The Corona Look; Add 1 The Biggest Fan"
    assert [sum(card["copies"] for card in one.data["cards"]) for one in finding.fixes] == [8] * len(finding.fixes)
    assert all(card["copies"] <= 3 for one in finding.fixes for card in one.data["cards"])


@pytest.mark.rule("BD-03", "BD-01")
def test_each_of_two_dice_minions_gives_way_to_a_card(quick, check):
    minions = [{"card": f"dice-minion-{kind}", "copies": 1} for kind in ("boost", "fokus")]
    findings = check(quick({"cards": [{"card": "the-corona-look", "copies": 3}, {"card": "pina-rohkinar", "copies": 3},
                                      *minions]})).findings
    assert [(one.rule, one.fixes[0].label.partition("out; ")[2]) for one in findings] == [
        ("BD-03", "Add 1 Snowbuddies")] * 2


@pytest.mark.rule("BD-01")
def test_a_larger_deck_is_filled_up_with_own_cards_too_and_says_where_the_list_does_not_suffice(own, quick, check):
    finding, = check(quick(house={"deck_size": 20})).findings
    assert "the list has room for 4 of them" in finding.message.lower()
    assert not finding.fixes
    larger = check(own(house={"deck_size": 14, "consent": False})).findings[0]
    assert "room" not in larger.message
    copies = [(card["card"], card["copies"]) for card in larger.fixes[-1].data["cards"]]
    assert (sum(number for _card, number in copies), dict(copies)["custom"]) == (14, 2)


@pytest.mark.rule("BD-04")
def test_the_list_costs_what_the_booklet_says():
    assert {slug: card.mana for slug, card in CATALOGUE.items() if slug != "custom"} == {
        "the-corona-look": 1, "pina-rohkinar": 2, "snowbuddies": 4, "the-biggest-fan": 5,
        "dice-minion-fokus": 1, "dice-minion-boost": 1, "dice-minion-verteidigung": 1}
    assert DECK_SLUGS == ["the-corona-look", "pina-rohkinar", "snowbuddies", "the-biggest-fan"]


@pytest.mark.rule("BD-04")
def test_an_own_card_needs_consent_keeps_all_that_it_says_and_is_told_apart_from_one_of_the_list(own, check):
    document = own({f"{OWN_CARD}.cost": "X"})
    assert check(document).verdict == "needs-approval"
    card = read(canonical(document)).sheet.cards[3]
    assert (card.label, card.mana_cost, card.life, card.keyword_sum("angriff")) == ("The Weeb", "X", 3, 2)
    assert [one.heading for one in card.card_effects] == ["Untertitel an (Passive)"]
    sheet = read(canonical(own({f"{OWN_CARD}.name": "snowbuddies"}))).sheet
    assert [sheet.card_named(name).mana_cost for name in ("snowbuddies *", "Snowbuddies")] == [6, 4]
    assert sheet.card_named("Long gone").card_keywords == ()


@pytest.mark.rule("BD-04")
@pytest.mark.parametrize(("place", "value"), [
    ("cost", "Y"), ("cost", -1), ("cost", 1.0), ("cost", 1000), ("cost", None), ("cost", True), ("cost", "3"),
    ("keywords.0.value", "1/2/3"), ("keywords.0.value", "01/2"), ("keywords.0.value", "x"),
    ("keywords.0.keyword", "schnell"), ("effects.0.kind", "sofort"), ("effects.0.cost", "1/2"),
])
def test_what_is_no_cost_and_no_value_makes_the_document_unreadable_at_its_place(own, place, value):
    answer = verdict(canonical(own({f"{OWN_CARD}.{place}": value})))
    assert answer["verdict"] == "unreadable"
    assert [one["path"] for one in answer["findings"]] == [f"data.{OWN_CARD}.{place}"]


@pytest.mark.rule("BD-04")
def test_a_card_that_there_is_not_is_unreadable():
    with pytest.raises(Unreadable):
        read(canonical(RULESET.document("Falsch", {"cards": [{"card": "the-weeb", "copies": 1}]})))


@pytest.mark.rule("BD-05")
def test_the_figures_of_a_deck(quick, check):
    assert check(quick()).derived == {
        "cards": 8, "mana_curve": {"1": 3, "2": 3, "4": 2}, "average_cost": "17/8",
        "keywords": {"angriff": 3, "fokus": 10, "lebenskraft": 16, "seelenernte": 3, "tag-team": 5, "verteidigung": 7,
                     "zielsuchend": 0}}


@pytest.mark.rule("BD-05")
def test_x_is_a_bar_of_its_own_and_no_part_of_average_and_sums(own, check):
    derived = check(own({f"{OWN_CARD}.cost": "X", f"{OWN_CARD}.keywords.1.value": "X"})).derived
    assert (derived["mana_curve"], derived["average_cost"]) == ({"1": 2, "2": 3, "4": 2, "X": 1}, "16/7")
    assert (derived["keywords"]["angriff"], derived["keywords"]["flink"]) == (3, 1)


@pytest.mark.rule("BD-05", "BD-06", "BD-20")
def test_a_tag_team_says_what_it_is_when_hurt_and_each_card_how_likely_it_opens(quick):
    document = read(canonical(quick()))
    words, hints = document.sheet.keywords_in_words(document.house), dict(document.sheet.hints(document.house))
    assert (words["angriff"], words["lebenskraft"]) == ("Angriff (6 at half life or less)", "Lebenskraft")
    assert "Reaction 8" in document.sheet.average_in_words
    assert hints["cards.0"] == "In the opening hand: 64.3%. Drawn by turn 2: 92.9%."
    assert "With one more: 64.3% and 92.9%." in hints["cards.2"]


decks = st.lists(st.tuples(st.sampled_from(DECK_SLUGS), st.integers(0, 5)), max_size=6)


@given(decks)
@pytest.mark.rule("BD-05")
def test_sums_hang_on_the_cards_not_on_their_rows(rows):
    sheet = RULESET.sheet.model_validate({"cards": [{"card": card, "copies": n} for card, n in rows]})
    merged = RULESET.sheet(cards=[card for _row, card in merge_rows(sheet.cards)])
    house = RULESET.house()
    assert sheet.derive(house) == merged.derive(house)
    assert sheet.size() == sum(sheet.mana_curve().values()) == sum(n for _card, n in rows)
    assert sheet.ledger(house).spent == sheet.size()


@given(decks)
@pytest.mark.rule("BD-01")
@pytest.mark.rule("BD-02")
def test_a_deck_is_legal_exactly_with_eight_cards_and_three_of_a_kind(rows):
    sheet = RULESET.sheet.model_validate({"cards": [{"card": card, "copies": n} for card, n in rows]})
    copies = [card.copies for _row, card in sheet.distinct_cards]
    legal = sum(copies) == 8 and max(copies) <= 3
    assert (RULESET.check(sheet, name="Deck", mends=False).verdict == "legal") is legal


@pytest.mark.rule("BD-20")
@pytest.mark.parametrize(("patch", "path"), [
    ({"keywords.2": {"keyword": "flink"}}, "keywords.2.value"),
    ({"keywords.2": {"keyword": "tag-team", "value": 2}}, "keywords.2.value"),
    ({"keywords.2": {"keyword": "flink", "value": "2/1"}}, "keywords.2.value"),
    ({"keywords.2": {"keyword": "angriff", "value": 1}}, "keywords.2"),
])
def test_odd_keywords_of_an_own_card_are_warned_and_mended(own, check, patch, path):
    checked = check(own({f"{OWN_CARD}.{place}": value for place, value in patch.items()}))
    assert [(one.rule, one.severity, one.path) for one in checked.findings] == [
        ("BD-04", "approval", OWN_CARD), ("BD-20", "warning", f"{OWN_CARD}.{path}")]
    assert checked.findings[1].fixes


@pytest.mark.rule("BD-21")
@pytest.mark.rule("BD-23")
@pytest.mark.rule("BD-24")
@pytest.mark.rule("BD-25")
@pytest.mark.rule("BD-26")
def test_the_cards_say_what_the_booklet_says():
    said = {slug: (", ".join(one.label for one in card.printed_keywords),
                   [f"{one['name']}/{one['kind']}/{one['cost']}" for one in card.printed_effects])
            for slug, card in CATALOGUE.items() if slug != "custom"}
    assert said == {
        "the-corona-look": ("Lebenskraft 2, Fokus 1, Verteidigung 1, Seelenernte 1",
                            ["Lockdown/reaction/None", "Bitcoin Trading/passive/None"]),
        "pina-rohkinar": ("Tag Team, Lebenskraft 2, Angriff (2/1), Zielsuchend (1/0), Fokus 1",
                          ["Attack of Opportunity/reaction/None", "Steel Guardian/active/1"]),
        "snowbuddies": ("Lebenskraft 2, Tag Team, Verteidigung (1/2), Fokus (1/2)",
                        ["Dann bau ich mir einfach meinen Freund/reaction/None", "Unter dem Gefrierpunkt/passive/None",
                         "Schneeballschlacht/active/1", "Schneefestung/passive/None"]),
        "the-biggest-fan": ("Lebenskraft 2, Fokus 2",
                            ["Schlechter Witz/reaction/None", "Kaffee & Kuchen/passive/None", "Kuchenbäcker/active/4",
                             "Allein im Norden/active/X"]),
        "dice-minion-fokus": ("Tokenavatar, Dice Minion, Verteidigung 1, Fokus 1", []),
        "dice-minion-boost": ("Tokenavatar, Dice Minion, Seelenernte 3", ["Kurzlebig/passive/None"]),
        "dice-minion-verteidigung": ("Tokenavatar, Dice Minion, Verteidigung 2", []),
    }
    for card in CATALOGUE.values():
        assert {one["kind"] for one in card.printed_effects} <= set(KINDS)
        assert {one.keyword for one in card.printed_keywords} <= set(KEYWORDS)


def test_a_row_is_set_as_a_card_and_found_by_all_that_it_says():
    face = listed_card("the-biggest-fan", 2).face()
    assert (face.title, face.corner, face.copies, face.line) == (
        "The Biggest Fan", "5", 2, "Lebenskraft 2 · Fokus 2")
    assert face.texts[3] == ("Allein im Norden (Active, X mana)", "In the opponent's Battle Dice Phase: Flink X.")
    assert "cake token" in str(CATALOGUE["the-biggest-fan"].text)
