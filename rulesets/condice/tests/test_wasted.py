"""Points that buy nothing, and what a party bans or agrees on (CD-02, CD-07, CD-08)."""

import pytest

from rulesets.condice import RULESET
from rulesets.document import Unreadable, canonical, read


@pytest.fixture
def bare(juan):
    """Give Juan with nothing but life, movement and what is given."""
    empty = {"attacks": [], "abilities": [], "defence": 0, "life": 1, "mental_resistance": 0, "movement": 1}
    return lambda **data: juan() | {"data": empty | data}


def attack(name, dice, reach=0):
    return {"name": name, "dice": dice, "range": reach, "description": ""}


@pytest.mark.rule("CD-02")
@pytest.mark.parametrize(("attacks", "places"), [
    ([("Faust", 3), ("Bogen", 2, 4)], []),
    ([("Faust", 0, 5)], ["attacks.0.dice"]),
    ([("Faust", 3), ("faust ", 2, 4)], ["attacks.1.name"]),
    ([("Faust", 3), ("Bogen", 3)], ["attacks.1"]),
    ([("Faust", 3), ("Bogen", 3, 1)], ["attacks.0"]),
    ([("Faust", 2), ("Bogen", 3, 1)], ["attacks.0"]),
])
def test_an_attack_that_buys_nothing_is_warned_of(attacks, places, bare, found):
    assert found(bare(attacks=[attack(*one) for one in attacks])) == [
        ("CD-02", "warning", place) for place in places]


@pytest.mark.rule("CD-07")
@pytest.mark.parametrize(("first", "second", "places"), [
    ({"ability": "fliegen"}, {"ability": "zaubern"}, []),
    ({"ability": "fliegen"}, {"ability": "fliegen"}, ["abilities.1"]),
    ({"ability": "zaubern"}, {"ability": "zaubern", "range": 2}, ["abilities.0"]),
    ({"ability": "teleportieren", "fields": 3}, {"ability": "teleportieren", "fields": 2}, ["abilities.1"]),
    ({"ability": "boost", "variant": "I"}, {"ability": "boost", "variant": "II"}, []),
    ({"ability": "wurf-wiederholen"}, {"ability": "wurf-wiederholen"}, []),
    ({"ability": "aura", "attribute": "life"}, {"ability": "aura", "attribute": "life"}, []),
])
def test_an_ability_bought_twice_is_warned_of(first, second, places, bare, found):
    assert found(bare(attacks=[attack("Faust", 1)], abilities=[{"range": 0} | first, {"range": 0} | second])) == [
        ("CD-07", "warning", place) for place in places]


@pytest.mark.rule("CD-07")
def test_a_party_bans_abilities(bare, check):
    document = bare(attacks=[attack("Faust", 1)], abilities=[{"ability": "fliegen", "range": 0}])
    assert check(document).verdict == "legal"
    finding, = check(document | {"house": {"banned": {"fliegen": True}}}).findings
    assert (finding.severity, finding.path, finding.message) == ("error", "abilities.0", "Fly is banned in this party.")
    assert [fix.label for fix in finding.fixes] == ["Drop Fly"]
    assert check(document | {"house": {"banned": {"zaubern": True}}}).verdict == "legal"
    with pytest.raises(Unreadable):
        read(canonical(document | {"house": {"banned": {"schwimmen": True}}}))


@pytest.mark.rule("CD-08")
def test_own_abilities_on_the_partys_list_ask_nobody_at_their_cost_and_roll_their_dice(bare, check):
    own = {"ability": "custom", "name": "zeit anhalten ", "cost": 6, "description": "", "range": 0}
    document = bare(attacks=[attack("Faust", 1)], abilities=[own])
    assert check(document).verdict == "needs-approval"
    house = {"agreed": [{"name": "Zeit anhalten", "cost": 6, "dice": 3}]}
    agreed = read(canonical(document | {"house": house}))
    assert agreed.check().verdict == "legal"
    finding, = check(document | {"house": {"agreed": [{"name": "Zeit anhalten", "cost": 4}]}}).findings
    assert (finding.severity, finding.message) == ("approval", "zeit anhalten costs 6 here; the party agreed on 4.")
    assert [fix.data["abilities"][0]["cost"] for fix in finding.fixes] == [4]
    for house_of, dice in ((agreed.house, [3]), (RULESET.house(), [])):
        offers = agreed.sheet.under(house_of).roll_offers(RULESET.play())
        assert [one.filled["dice"] for one in offers if one.key == "abilities.0"] == dice
