"""What the board of a profile shows: what leads on, the figures as they are now, protection in order, weapons."""

import pytest

from rulesets.daemmersturm.tests.helpers import Table, profile

BOW = {"name": "Jagdbogen", "kind": "bow", "hands": 2, "damage": "1-8", "reload_actions": 2, "w": None, "targets": None}
SWORD = BOW | {"name": "Schwert", "kind": "one-handed", "hands": 1, "reload_actions": 0}


@pytest.fixture
def armed():
    worn = {"shield": {"target": 14}, "armour": {"target": 5, "max_damage": 10}}
    return Table(profile({"weapons": [SWORD, BOW], **worn}))


def board(table):
    return table.play.board(table.sheet)


@pytest.mark.rule("DS-01")
@pytest.mark.rule("DS-58")
def test_the_three_figures_stand_as_the_line_has_them_and_say_instead_of_what(armed):
    assert [(one.attack, one.defence, one.was) for one in board(armed)["figures"]] == [
        (("NA", "20+3"), ("NV", 15), ""), (("FA", "20−3"), ("FV", 12), ""), (("Z", "20+0"), ("ZW", 10), "")]
    sick = Table(profile(), conditions=[{"kind": "sickness", "turns": 4}])
    melee, *_others = board(sick)["figures"]
    assert (melee.attack, melee.defence, melee.was) == (("NA", "20−2"), ("NV", 10), "20+3 | 15")


@pytest.mark.rule("DS-40")
def test_protection_stands_in_the_order_in_which_it_is_rolled(armed):
    assert [(str(title), *stopped) for title, *stopped in board(armed)["protection"]] == [
        ("Shield", "14+", ""), ("Armour roll", "5+", "up to 10 damage")]
    assert board(Table(profile()))["protection"] == []


@pytest.mark.rule("DS-22")
@pytest.mark.rule("DS-26")
def test_a_fired_weapon_says_what_it_needs_and_its_press_gets_it_ready(armed):
    assert [(str(one.title), str(one.unready), one.reload) for one in board(armed)["weapons"]] == [
        ("Jagdbogen", "", None)], "a sword is always ready"
    armed.do("not-ready", key="weapons.1")
    [bow] = board(armed)["weapons"]
    assert (str(bow.title), str(bow.unready)) == ("Jagdbogen", "2 actions until it is ready")
    armed.play = bow.reload.offer.take(**bow.reload.by).apply(armed.sheet, armed.play)
    assert str(board(armed)["weapons"][0].unready) == "1 action until it is ready"


@pytest.mark.rule("DS-32")
def test_whoever_is_down_sees_what_a_weapon_needs_and_gets_it_ready_no_more(armed):
    armed.do("not-ready", key="weapons.1")
    armed.play = armed.play.evolve(down=True)
    [bow] = board(armed)["weapons"]
    assert (str(bow.unready), bow.reload) == ("2 actions until it is ready", None)


@pytest.mark.rule("DS-59")
def test_a_poisoned_weapon_names_its_poison(armed):
    armed.do("apply-poison", key="weapons.0", poison="Schlangengift")
    assert [str(one.poison) for one in board(armed)["weapons"]] == ["Schlangengift", ""]


@pytest.mark.rule("DS-50")
@pytest.mark.rule("DS-54")
@pytest.mark.rule("DS-60")
def test_a_turn_leads_on_and_what_is_due_comes_before_it():
    def leading(**state):
        return [str(title) for title, _press in board(Table(profile(), **state))["next_buttons"]]

    assert leading() == ["Start the turn"]
    assert leading(life=3, exhaustion_due=True) == ["Roll for exhaustion", "Start the turn"]
    assert leading(channelling=1, disturbed=True) == ["Does the spell hold?", "Start the turn"]
    assert leading(life=0, down=True) == []
