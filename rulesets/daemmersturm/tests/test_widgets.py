"""The rolls that a profile offers, filled with its figures; and the rules that are only told."""

import pytest

from rulesets.daemmersturm import RULESET
from rulesets.daemmersturm.catalogue import ABILITIES, KNOWN
from rulesets.daemmersturm.play.state import Spell
from rulesets.daemmersturm.tests.helpers import profile
from rulesets.dice import Outcome

MELEE = {"escalation": None, "cover": None}
"""What never follows a blow: a spell's fumble alone escalates (DS-22), and cover is for shots and spells (DS-43)."""


def widgets(document):
    play = RULESET.play()
    return {(offer.cls.slug, offer.key): offer for offer in document.sheet.roll_offers(play)}


def acts(document, slug):
    return [*RULESET.acts[slug].offered(document.sheet, RULESET.play())]


@pytest.mark.rule("DS-20", "DS-23", "DS-24")
def test_a_melee_weapon_attacks_from_the_front_and_from_behind():
    found = widgets(profile(start="knight"))
    front, behind = found["attack", "weapons.0"], found["attack", "weapons.0.behind"]
    assert (front.filled, front.then) == (
        {"bonus": 4, "skill": "melee", "targets": ""}, {"damage": {"range": "3-12", "source": "melee"}} | MELEE)
    assert behind.filled == {"bonus": 7, "repeat": True, "skill": "melee", "targets": ""}
    assert behind.then == {"damage": {"range": "3-12", "rolls": 2, "source": "behind"}, "shield": None} | MELEE


@pytest.mark.rule("DS-26", "DS-28")
def test_a_weapon_that_is_reloaded_may_be_fired_in_melee_with_the_melee_values():
    found = widgets(profile(start="two-weapons"))
    assert found["attack", "weapons.1.shot"].filled == {
        "bonus": 2, "skill": "ranged", "full_force": False, "targets": ""}
    assert found["attack", "weapons.1.close"].filled == {"bonus": 3, "skill": "melee", "targets": ""}
    assert found["friendly-fire", "weapons.1"].filled == {"bonus": 2, "skill": "ranged"}
    assert found["attack", "weapons.1.close"].then == {"damage": {"range": "3-12", "source": "melee"}} | MELEE
    assert found["attack", "weapons.1.shot"].then == {
        "damage": {"range": "3-12", "source": "ranged"}, "escalation": None}
    assert found["attack", "magic"].then == {"damage": {"source": "magic"}}
    assert ("attack", "weapons.0.close") not in widgets(profile(start="marksman"))


@pytest.mark.rule("DS-27")
def test_a_grenade_is_a_w_roll_that_knows_its_targets_and_damage():
    grenade = widgets(profile(start="two-weapons"))["w-roll", "weapons.2"]
    assert grenade.filled == {"bonus": 2, "target": 10, "kind": "explosive"}
    assert grenade.then == {
        "damage": {"range": "1-12", "source": "explosive", "critical": 0}, "targets": {"range": "1-4", "critical": 0}}


@pytest.mark.rule("DS-29")
def test_pairs_of_weapons_are_offered_by_their_kinds():
    pair = widgets(profile(start="two-weapons"))["paired-attack", "weapons.0.dagger-handgun"]
    assert {**pair.filled, "then": pair.then} == {
        "pair": "dagger-handgun", "bonus": 3, "second_damage": "3-12", "skill": "melee", "behind": False,
        "heavy_opponent": False, "targets": "", "then": {"damage": {"range": "1-6", "source": "melee"}} | MELEE}
    guns = [{"name": name, "kind": "handgun", "damage": "1-8"} for name in "AB"]
    found = widgets(profile({"weapons": guns}))
    assert [found["paired-attack", f"weapons.{one}.handguns"].filled["bonus"] for one in (0, 1)] == [-3, -3]
    assert ("paired-attack", "weapons.1.handguns") not in widgets(profile({"weapons": guns[:1]}))


@pytest.mark.rule("DS-26", "DS-22")
def test_a_weapon_that_is_not_ready_says_so_at_its_shots_and_a_shot_leads_to_reloading():
    document = profile({"weapons.1.reload_actions": 2}, start="two-weapons")
    play = RULESET.play(unready=[{"weapon": document.sheet.weapons[1].name, "place": 2, "steps": 2}])
    offers = {(one.cls.slug, one.key): one for one in document.sheet.roll_offers(play)}
    for slug, key in (("attack", "weapons.1.shot"), ("attack", "weapons.1.close"), ("friendly-fire", "weapons.1")):
        assert str(offers[slug, key].note).startswith("Not ready, actions left: 2.")
        assert list(offers[slug, key].leads(None, Outcome("hit"))) == []
        ready = widgets(document)[slug, key]
        assert "Not ready" not in str(ready.note)
        acts = [(one.cls.slug, dict(one.filled)) for value in ("hit", "miss", "fumble")
                for one in ready.leads(None, Outcome(value))]
        # In melee reach it is a melee attack in all respects: a fumble does nothing to the weapon.
        jams = not key.endswith(".close")
        assert acts == [("not-ready", {"index": 1, "fumbled": fumbled}) for fumbled in (False, False, jams)]


@pytest.mark.rule("DS-26", "DS-29")
def test_pairs_and_blows_from_behind_say_that_a_weapon_is_not_ready():
    document = profile(start="two-weapons")
    play = RULESET.play(unready=[{"weapon": document.sheet.weapons[1].name, "place": 2, "steps": 1}])
    notes = {(one.cls.slug, one.key): str(one.note) for one in document.sheet.roll_offers(play)}
    rows = [("attack", "weapons.1.close.behind"), *(key for key in notes if key[0] == "paired-attack")]
    assert len(rows) == 5
    assert [row for row in rows if "Not ready, actions left: 1." not in notes[row]] == []


@pytest.mark.rule("DS-24", "DS-29")
def test_pairs_are_led_from_behind_and_ask_of_heavy_opponents_only_where_it_matters():
    found = widgets(profile({"weapons.1": {"name": "Dolch", "kind": "dagger", "damage": "1-8"}}, start="two-weapons"))
    front, behind = (found["paired-attack", f"weapons.0.daggers{more}"] for more in ("", ".behind"))
    assert ("heavy_opponent" in front.asks, behind.filled["behind"], behind.filled["repeat"]) == (True, True, True)
    assert behind.then["damage"] == {"range": "1-6", "rolls": 2, "source": "behind"}
    assert ("paired-attack", "weapons.0.handguns.behind") not in widgets(profile(
        {"weapons": [{"name": name, "kind": "handgun", "damage": "1-8"} for name in "AB"]}))


@pytest.mark.rule("DS-22")
def test_a_bow_is_treated_after_a_fumble_alone():
    bow = widgets(profile(start="marksman"))["attack", "weapons.0.shot"]
    assert list(bow.leads(None, Outcome("hit"))) == []
    assert [dict(one.filled) for one in bow.leads(None, Outcome("fumble"))] == [{"index": 0, "fumbled": True}]


@pytest.mark.rule("DS-41", "DS-42")
def test_shield_and_armour_bring_their_numbers():
    found = widgets(profile(start="knight"))
    assert found["shield", ""].filled == {"bonus": 4, "target": 14}
    assert found["armour", ""].filled == {"target": 5, "max_damage": 10}
    assert ("shield", "") not in widgets(profile())


@pytest.mark.rule("DS-52", "DS-53")
def test_the_better_of_ranged_and_magic_bonus_looks():
    assert widgets(profile())["perception", ""].filled == {"bonus": 0}
    assert widgets(profile())["stealth", ""].filled == {}


@pytest.mark.rule("DS-55", "DS-56")
def test_light_and_elements_are_rolled_by_who_uses_them_and_only_with_their_points():
    caster, shaman = profile(start="light-caster"), profile(start="shaman")
    light, = acts(caster, "call-light")
    given = light.take(points=1, action_points=0).roll(caster.sheet, RULESET.play())
    assert (given.bonus, given.armour_class) == (4, "light")
    element, = acts(shaman, "choose-element")
    assert element.take(element="fire").roll(shaman.sheet, RULESET.play()).maximum == 5
    for one in (caster, shaman, profile()):
        assert not {("light", ""), ("elements", "")} & set(widgets(one))
    assert not [*acts(profile(), "call-light"), *acts(profile(), "choose-element")]


@pytest.mark.rule("DS-05a")
def test_volle_kraft_is_asked_of_melee_attacks_alone_and_adds_a_damage_roll_of_its_own():
    sword = {"name": "Schwert", "kind": "one-handed", "hands": 1, "damage": "1-10", "reload_actions": 0}
    hans = profile({"weapons": [sword | {"name": "Bogen", "kind": "bow"}, sword]})
    asked = {key: "full_force" in one.asks for (slug, key), one in widgets(hans).items() if slug == "attack"}
    assert asked == {key: key not in ("weapons.0.shot", "ranged", "magic") for key in asked}
    hit = widgets(hans)["attack", "weapons.1"].take(defence=12, full_force=True)
    for value in ("hit", "critical"):
        more, = [one for one in hit.follow(Outcome(value, natural=20)) if one.key == "full-force"]
        assert (more.filled["range"], more.filled["critical"]) == ("5-15", 0)


@pytest.mark.parametrize(("rule", "words"), [
    pytest.param("DS-25", ("Reflexschlag", "Überrennen", "half circle"), marks=pytest.mark.rule("DS-25")),
    pytest.param("DS-26", ("melee reach", "one action"), marks=pytest.mark.rule("DS-26")),
    pytest.param("DS-30", ("exhausted", "reroll"), marks=pytest.mark.rule("DS-30")),
    pytest.param("DS-31", ("five", "third", "up to 9"), marks=pytest.mark.rule("DS-31")),
    pytest.param("DS-33", ("One hit roll", "fewer"), marks=pytest.mark.rule("DS-33")),
    pytest.param("DS-60", ("One movement", "short weapon", "carrying"), marks=pytest.mark.rule("DS-60")),
])
def test_what_the_table_does_by_itself_is_told(rule, words):
    text = RULESET.rules("en")[rule].text
    assert all(word in text for word in words)


def test_what_a_sheet_says_of_itself_is_in_its_readers_language():
    assert profile(start="knight").sheet.weapons[0].what() == "One-handed weapon, 1 hand, damage 3-12"
    hints = dict(profile().sheet.hints(None))
    assert hints["melee"].startswith("You hit defence 12 55.0% of the time (60.0% with one more point).")
    assert "This bonus gives 6 action points (7 with one more point)." in hints["melee"]


def test_an_ability_to_choose_stands_under_what_it_gives_or_costs():
    told = {name: str(title) for title, rows in KNOWN.items() for name in rows}
    assert told["Meisterschütze"] == "Ranged: each gives 4 focus points"
    assert all(str(points) in told[name] for name, points in ABILITIES.items())
    assert all(row["cost"][0] in str(title) for title, rows in KNOWN.items() for row in rows.values() if "cost" in row)


@pytest.mark.rule("DS-50")
@pytest.mark.parametrize("due", [False, True])
def test_an_exhaustion_roll_that_is_due_is_offered_once_and_with_what_comes_of_it(due):
    play = RULESET.play(exhaustion_due=due)
    offered = {offer.cls.slug for offer in profile().sheet.roll_offers(play)}
    assert ("exhaustion" in offered) is not due
    assert any(True for _one in RULESET.acts["roll-exhaustion"].offered(profile().sheet, play)) is due


@pytest.mark.rule("DS-54")
def test_while_rolls_for_a_disturbed_spell_are_due_the_one_that_changes_nothing_is_not_offered():
    sheet, calm = profile(start="light-caster").sheet, RULESET.play(channelling=1)
    disturbed = calm.model_copy(update={"disturbed": True, "disturbances": 2})
    found = [any(offer.cls.slug == "channelling" for offer in sheet.roll_offers(state)) for state in (calm, disturbed)]
    assert found == [True, False]
    assert [*RULESET.acts["hold-on"].offered(sheet, disturbed)]
    # Nor is the spell itself, once it could be cast.
    cast = [any(offer.key == "magic" for offer in sheet.roll_offers(state.evolve(channelling=0)))
            for state in (calm, disturbed)]
    assert cast == [True, False]


@pytest.mark.rule("DS-54")
@pytest.mark.parametrize(("left", "key", "title"), [
    (0, "magic", "The spell is cast"), (0, "spells.0", "The spell is cast"),
    (0, "spells.0.healing", "The spell is cast"), (0, "melee", "The channelling breaks off"),
    (1, "magic", "The channelling breaks off"), (None, "magic", ""),
    (0, "perception", "")])
def test_a_spell_completes_what_was_channelled_and_any_other_attack_breaks_it_off(left, key, title):
    spell = Spell(name="Segen", w=12, healing="1-6")
    state = RULESET.play(channelling=left, disturbed=left == 1, spells=[spell])
    sheet = profile({"weapons": []}, start="light-caster").sheet
    offer = next(one for one in sheet.roll_offers(state) if key in (one.key, one.cls.slug))
    given = {"criticals": "", "fumbles": "", "defence": 9, "range": "1-6", "melee": 0, "bonus": 0}
    roll = offer.take(**{name: value for name, value in given.items() if name in offer.cls.model_fields})
    ends = [*offer.leads(roll, Outcome(3 if key.endswith("healing") else "hit"))] if offer.leads else []
    ends = [one for one in ends if one.cls.slug == "end-channelling"]
    assert [(str(one.title), one.automatic) for one in ends] == ([(title, "always")] if title else [])
    for one in ends:
        after = one.take().apply(sheet, state)
        assert (after.channelling, after.with_damage(sheet, 1).disturbed) == (None, False)
