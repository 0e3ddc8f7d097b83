"""Attack upon attack in Dämmersturm: against its own rolls thrown die by die, and against figures by hand."""

from fractions import Fraction

import pytest

from rulesets.daemmersturm import RULESET, play, rolls
from rulesets.daemmersturm.contest import Attacks
from rulesets.dice import Odds, RealTray, thrown
from tests.support.rulesets.contract import report, seeded

KNIGHT = Attacks(bonus=4, damage="3-12", life=20, melee=15, shield=14, shield_bonus=4, armour=5, armour_most=10)
ARCHER = Attacks(skill="ranged", bonus=5, damage="2-12", life=18, melee=12, ranged=14)
SHOOTER = Attacks(skill="ranged", bonus=2, damage="4-16", reload=1, life=16, melee=13)
MAGE = Attacks(skill="magic", bonus=4, damage="1-8", life=15, magic=14, fumbles="1,2", criticals="19,20")
FIGHTER = Attacks(bonus=3, damage="1-10", life=14, melee=13)


def cast(roll, chance):
    return thrown(roll.throw, RealTray(chance.randbytes))[0].value


def harm(striker, victim, chance, *, critical=0):
    """Damage that gets through, by the rolls in the order of the rules."""
    if victim.shield and cast(rolls.Shield(bonus=victim.shield_bonus, target=victim.shield), chance) == "blocked":
        return 0
    damage = cast(rolls.Damage(range=striker.damage, critical=critical), chance)
    armour = victim.armour and rolls.Armour(target=victim.armour, damage=damage, max_damage=victim.armour_most)
    return 0 if armour and cast(armour, chance) == "blocked" else damage


def fight(first, second, chance):
    """Whether the first wins a fight that it begins."""
    lives, rounds = [first.life, second.life], 0
    while True:
        for place, (own, other) in enumerate(((first, second), (second, first))):
            if lives[place] <= 5 and cast(rolls.Exhaustion(), chance) == "down":
                return place == 1
            if rounds % (1 + own.reload):
                continue
            mercy = own.skill == "melee" and lives[1 - place] <= 5
            hit = cast(rolls.Attack(bonus=own.bonus, defence=getattr(other, own.skill), criticals=own.criticals,
                                    fumbles=own.fumbles, repeat=mercy), chance)
            if hit == "hit":
                lives[1 - place] -= harm(own, other, chance)
            elif hit == "critical":
                lives[1 - place] -= harm(own, other, chance, critical=cast(rolls.Critical(), chance))
            elif hit == "fumble" and own.skill == "melee" and other.skill == "melee":
                lives[place] -= harm(other, own, chance)
            elif hit == "fumble" and own.skill == "magic" and cast(rolls.Escalation(), chance) == 1:
                lives[place] -= harm(own, own, chance)
            if min(lives) <= 0:
                return lives[0] > 0
        rounds += 1


@pytest.mark.prove
@pytest.mark.rule("DS-20")
@pytest.mark.rule("DS-30")
@pytest.mark.rule("DS-40")
@pytest.mark.rule("DS-50")
@pytest.mark.parametrize(("first", "second"), [
    (KNIGHT, FIGHTER), (FIGHTER, KNIGHT), (ARCHER, FIGHTER), (SHOOTER, ARCHER), (MAGE, KNIGHT), (FIGHTER, FIGHTER)])
def test_fights_thrown_die_by_die_end_as_often_as_reckoned(first, second, full):
    fights, chance = 20_000 if full else 600, seeded("fight")
    won = sum(fight(first, second, chance) for _fight in range(fights)) / fights
    exact = float(next(first.meet(second)).odds().chances["first"])
    # Five standard deviations.
    assert abs(won - exact) < 5 * (exact * (1 - exact) / fights) ** 0.5
    if full:
        report(f"a fight of {fights}: {won:.4f} thrown, {exact:.4f} reckoned")


@pytest.mark.rule("DS-50")
@pytest.mark.rule("DS-22")
def test_a_fight_by_hand_between_two_on_their_last_life():
    # Life 1 each: a turn is the exhaustion roll, then an attack at 12 that hits with 13 to 20 and a 1 that is hit back.
    # Failed rolls are repeated once, for the target is exhausted.
    one = Attacks(bonus=0, damage="1-1", life=1, start=20, melee=12)
    hit, fumble = Fraction(8, 20), Fraction(1, 20)
    again = 1 - hit
    wins, loses = hit + again * hit, again * fumble
    first, second = Fraction(1, 2) * wins, Fraction(1, 2) + Fraction(1, 2) * loses
    open_ = 1 - first - second
    assert dict(next(one.meet(one)).odds().chances)["first"] == (first + open_ * second) / (1 - open_**2)


@pytest.mark.rule("DS-50")
def test_who_begins_with_little_life_is_not_exhausted_by_that():
    # Nobody rolls for exhaustion, and a miss is not repeated: hits with 13 to 20, hit back on a 1.
    one = Attacks(bonus=0, damage="1-1", life=1, melee=12)
    hit, back = Fraction(8, 20), Fraction(1, 20)
    open_ = 1 - hit - back
    assert dict(next(one.meet(one)).odds().chances)["first"] == (hit + open_ * back) / (1 - open_**2)


@pytest.mark.rule("DS-21")
@pytest.mark.rule("DS-23")
def test_the_damage_of_an_attack_by_hand():
    side, target = Attacks(bonus=0, damage="10-10"), Attacks(melee=16)
    taken = next(one for one in side.meet(target) if not one.outcomes).odds().chances
    # 17 to 19 hit for 10; a 20 is critical: 11-15, 20, 21-30, 30, at least 20, at least 30.
    assert taken[0] == Fraction(16, 20)
    assert taken[10] == Fraction(3, 20)
    critical = Fraction(1, 20) * Fraction(1, 6)
    assert taken[11] == critical / 5
    assert taken[20] == critical
    assert taken[30] == critical * (Fraction(1, 10) + 3)


@pytest.mark.rule("DS-41")
@pytest.mark.rule("DS-42")
def test_shield_and_armour_stop_what_they_may():
    harm = Odds.counted({4: 1, 12: 1})
    got = Attacks(shield=11, shield_bonus=0, armour=4, armour_most=10).after_protection(harm)
    assert dict(got.chances) == {4: Fraction(1, 8), 12: Fraction(1, 4), 0: Fraction(5, 8)}


@pytest.mark.rule("DS-26")
def test_who_must_reload_strikes_every_other_turn_only():
    slow = next(SHOOTER.meet(ARCHER)).odds().chances["first"]
    quick = next(SHOOTER.model_copy(update={"reload": 0}).meet(ARCHER)).odds().chances["first"]
    assert slow < quick


@pytest.mark.rule("DS-58")
def test_figures_are_those_of_the_moment():
    sheet = RULESET.sheet.model_validate(RULESET.examples["knight"]["data"])
    state = play.Damage(points=7).apply(sheet, play.DaemmersturmPlay())
    state = play.AddCondition(kind="sickness", turns=4).apply(sheet, state)
    found = {offer.key: offer.filled for offer in Attacks.offers_for(sheet, state)}
    assert found["weapons.0"] == {
        "skill": "melee", "bonus": -1, "damage": "3-12", "reload": 0, "life": 25, "start": 32, "shield_bonus": -1,
        "melee": 12, "ranged": 8, "magic": 7, "shield": 14, "armour": 5, "armour_most": 10}
    assert list(found) == ["weapons.0", "weapons.1", "melee", "ranged", "magic"]
    assert found["magic"]["skill"] == "magic"


@pytest.mark.rule("DS-27")
def test_what_is_thrown_by_the_w_roll_is_no_way_to_fight_a_duel():
    sheet = RULESET.sheet.model_validate(RULESET.examples["two-weapons"]["data"])
    assert [offer.key for offer in Attacks.offers_for(sheet, play.DaemmersturmPlay())] == [
        "weapons.0", "weapons.1", "melee", "ranged", "magic"]
