
import pytest

from rulesets.condice import RULESET
from rulesets.condice.catalogue import CATALOGUE
from rulesets.condice.tests.heroes import ability_row as row
from rulesets.document import canonical, read


@pytest.mark.parametrize(("ability", "roll", "filled"), [
    row("CD-22", "mindcontrol", "mental-attack", {"dice": 3}, dice=3),
    row("CD-23", "aggro-ziehen", "mental-attack", {"dice": 2}, dice=2, extra_targets=4),
    row("CD-24", "heilung", "healing", {"characters": 1}),
    row("CD-24", "heilung", "healing", {"characters": 3}, extra_characters=2),
    row("CD-28", "groesse-aendern", "mental-attack", {"dice": 4}, dice=4),
    row("CD-29", "leben-transferieren", "drain-life", {"dice": 3, "missing": 0}, life_points=3),
    row("CD-31", "explosion", None, None),
    row("CD-33", "boost-debuff", "mental-attack", {}, variant="I"),
    row("CD-28", "groesse-aendern", None, None, dice=0),
    row("CD-35", "flaechenangriff", None, None, damage=3),
    row("CD-20", "zaubern", None, None),
])
def test_an_ability_offers_its_roll_with_the_dice_bought(ability, roll, filled, alone):
    sheet = read(canonical(alone(ability))).sheet
    offers = [(offer.cls.slug, offer.filled)
              for offer in sheet.roll_offers(RULESET.play()) if offer.key == "abilities.0"]
    assert offers == ([(roll, filled)] if roll else [])


@pytest.mark.rule("CD-33")
@pytest.mark.parametrize(("house", "filled"), [({}, {}), ({"debuff_dice": 3}, {"dice": 3})])
def test_a_party_may_set_the_dice_of_a_debuff_which_else_are_asked(house, filled, alone):
    sheet = read(canonical(alone({"ability": "boost-debuff", "variant": "I"}, **house))).sheet
    sheet = sheet.under(RULESET.house.model_validate(house))
    (offer,) = [one for one in sheet.roll_offers(RULESET.play()) if one.key == "abilities.0"]
    assert offer.filled == filled
    assert list(offer.asks) == [*([] if filled else ["dice"]), "resistance"]


@pytest.mark.rule("CD-07")
@pytest.mark.rule("CD-42")
@pytest.mark.parametrize(("ability", "said"), [
    ({"ability": "mindcontrol", "dice": 2, "range": 2}, "Range: 3 squares."),
    ({"ability": "boost-debuff", "variant": "I", "range": 1}, "Range: 2 squares."),
    ({"ability": "custom", "name": "Nebelwand", "cost": 1, "range": 1}, "Range: 2 squares."),
    ({"ability": "mindcontrol", "dice": 2}, None),
    ({"ability": "fliegen", "range": 2}, None),
])
def test_an_ability_says_how_far_it_reaches_once_range_is_bought(ability, said, alone):
    (one,) = read(canonical(alone(ability))).sheet.abilities
    assert str(one.what()).endswith(said) if said else "Range:" not in str(one.what())


@pytest.mark.rule("CD-32")
def test_an_aura_is_said_to_help_characters_and_not_opponents():
    assert "opponents do not" in str(CATALOGUE["aura"].text)


@pytest.mark.rule("CD-29")
def test_whoever_lacks_more_life_than_a_form_takes_drains_life_all_the_same(alone):
    sheet = read(canonical(alone({"ability": "leben-transferieren", "life_points": 1}))).sheet
    sheet = sheet.model_copy(update={"life": 500})
    (offer,) = [one for one in sheet.roll_offers(RULESET.play(life=0)) if one.cls.slug == "drain-life"]
    assert offer.take(**dict.fromkeys(offer.asks, 0)).missing == 999
