"""The same dice at one more target: at all whom an area reaches, at as many as were paid for, at one alone."""

import re
import uuid

import pytest

from sheets.models import Event, Party, PendingEffect
from tests.support.guest import text_of
from tests.support.sheets.fight import kept

BARRED = "In this party only sheets approved by a GM can be played; submit this one first."
MIND = "roll-drain-life-abilities-0"


@pytest.fixture
def blast(table, dice):
    """Anna has exploded with four successes beside Ben, who has 2 of defence; a troll has 3."""
    table.have("ben", **table.sheets["anna"].data | {"defence": 2, "life": 5})
    table.have("anna", life=5, abilities=[{"ability": "explosion", "range": 0}])
    table.bring(data=table.sheet("ben").data | {"defence": 3})
    dice += [[6, 5, 4, 1]]
    assert table.press("act-explode", dice=4).status_code == 302
    return table


def offered(table, at="troll"):
    """True where the same dice are offered against somebody."""
    return bool(re.search(r'value="also:\d+"', table.look(at=at).text))


def also(table, at="troll"):
    """Has the newest dice of Anna's meet one more."""
    event = Event.objects.filter(sheet=table.sheets["anna"]).exclude(roll="").latest("pk")
    return table.browsers["anna"].post(f"{table.address}play/?{table.seats('anna', at)}", {"do": f"also:{event.pk}"})


def aimed():
    """The names of those whom the newest dice met; databases keep them in orders of their own."""
    return sorted(Event.objects.exclude(roll="").latest("pk").aimed_at.values())


@pytest.mark.rule("CD-53")
@pytest.mark.parametrize("trust", [False, True])
def test_the_dice_of_an_area_meet_one_more_by_what_that_one_has_against_them_once(blast, trust):
    """Which is applied at once where the party trusts."""
    if trust:
        blast.settle("trust", "gm", "on")
    assert [offered(blast, at) for at in ("ben", "troll")] == [False, True]
    before = blast.life("troll")
    for _time in range(2):
        assert also(blast).status_code == 302
    effect = PendingEffect.objects.latest("pk")
    assert (effect.sheet, effect.filled, PendingEffect.objects.count()) == (
        blast.sheets["troll"], {"points": 4, "against": "defence"}, 2)
    assert (effect.state, blast.life("troll")) == (("applied", before - 1) if trust else ("open", before))
    assert aimed() == ["Ben", "Troll"]
    blast.bring("Goblin")
    Event.objects.update(undone=True)
    also(blast, "goblin")
    assert PendingEffect.objects.count() == 2
    assert "These dice do not apply to anybody else." in text_of(blast.look("anna"))


@pytest.mark.rule("CD-31", "CD-53")
def test_an_explosion_does_not_hit_the_one_who_explodes_besides_what_it_costs(blast):
    paid, before = blast.life("anna"), kept()
    assert (offered(blast, "anna"), offered(blast, "troll")) == (False, True)
    also(blast, "anna")
    assert kept() == before
    blast.press("act-explode", at="anna", dice=2)
    assert kept() == before
    assert "That is for somebody else; choose who." in text_of(blast.press("act-explode", at="anna", dice=2, htmx=True))
    blast.press("act-explode", at=None, dice=2)
    assert blast.life("anna") == paid - 2


@pytest.mark.rule("CD-29", "CD-41")
def test_life_taken_by_force_is_never_taken_from_the_one_who_takes_it(table, dice):
    table.have("anna", abilities=[{"ability": "leben-transferieren", "life_points": 4, "range": 0}])
    table.play("anna", "act-damage", points=5, against="nothing")
    dice += [[6, 6, 6, 6]]
    table.press(MIND)
    table.settle("dismiss", "anna")
    assert not offered(table, "anna")


def test_the_dice_of_a_sheet_that_is_not_approved_meet_nobody_else(blast):
    Party.objects.update(approval=True)
    before = kept()
    also(blast)
    assert kept() == before
    assert BARRED in text_of(blast.look("anna"))


@pytest.mark.rule("CD-41", "CD-43", "CD-29")
@pytest.mark.every_case
@pytest.mark.parametrize("way", ["attack", "mind", "life"])
def test_an_attack_has_one_target_and_is_aimed_anew_where_nothing_of_it_stands(hit, dice, way):
    hit.bring(data=hit.sheet("ben").data)
    if way != "attack":
        hit.have("anna", abilities=[{"ability": "leben-transferieren", "life_points": 2, "range": 0}])
        hit.play("anna", "act-damage", points=5, against="nothing")
        Event.objects.all().delete()
        dice += [[6, 6] if way == "life" else [6, 5]]
        hit.press(MIND if way == "life" else "roll-mental-damage", **({} if way == "life" else {"dice": 2}))
    assert PendingEffect.objects.get().sheet == hit.sheets["ben"]
    assert not offered(hit)
    before = kept()
    also(hit)
    assert kept() == before
    hit.settle("apply")
    assert not offered(hit)
    hit.settle("back", "anna", Event.objects.latest("pk").pk)
    hit.settle("dismiss", "anna", PendingEffect.objects.get(state="open").pk)
    assert offered(hit)
    also(hit)
    assert (aimed(), PendingEffect.objects.latest("pk").sheet) == (["Troll"], hit.sheets["troll"])
    assert not offered(hit, "ben")


@pytest.mark.rule("CD-41")
def test_an_attack_of_which_nothing_got_through_may_be_aimed_anew(hit, dice):
    hit.bring()
    dice += [[1, 1, 1, 1]]
    hit.press()
    assert offered(hit)
    also(hit)
    assert (aimed(), PendingEffect.objects.count()) == (["Troll"], 1)


@pytest.mark.rule("CD-24")
@pytest.mark.parametrize("extra", [0, 1])
def test_whoever_heals_itself_heals_as_many_others_as_were_bought(table, dice, extra):
    table.bring()
    table.have("anna", abilities=[{"ability": "heilung", "extra_characters": extra, "range": 0}])
    table.play("anna", "act-damage", points=1, against="nothing")
    dice += [[6]]
    table.press("act-heal-yourself", at=None)
    assert [offered(table, at) for at in ("anna", "ben")] == [False, bool(extra)]
    for at in ("anna", "ben", "troll"):
        also(table, at)
    assert [(one.sheet.name, one.filled["points"]) for one in PendingEffect.objects.all()] == [("Ben", 6)][:extra]


@pytest.mark.rule("CD-24")
@pytest.mark.every_case
@pytest.mark.parametrize("extra", [0, 1])
def test_healing_reaches_as_many_characters_as_were_bought(table, dice, extra):
    for name in ("Troll", "Goblin"):
        table.bring(name)
    table.have("anna", abilities=[{"ability": "heilung", "extra_characters": extra, "range": 0}])
    dice += [[6]]
    table.press("roll-healing-abilities-0")
    assert offered(table) is bool(extra)
    for at in ("troll", "goblin"):
        also(table, at)
    assert [one.sheet.name for one in PendingEffect.objects.order_by("pk")] == ["Ben", "Troll"][:1 + extra]
    assert not offered(table, "goblin")
    # What is called off was healed for nobody.
    table.settle("dismiss", "anna")
    also(table, "goblin")
    assert aimed() == ["Ben", "Goblin"][1 - extra:]


def turn(table, word):
    """Press a button of the turns."""
    return table.browsers["gm"].post(f"{table.address}play/", {"do": f"turn:{word}", "_press": str(uuid.uuid4())})


@pytest.mark.rule("CD-53")
@pytest.mark.parametrize("counted", [False, True])
def test_the_dice_of_an_explosion_meet_nobody_once_its_turn_is_over(blast, dice, counted):
    if counted:
        Event.objects.all().delete()
        turn(blast, "begin")
        assert "Anna" in blast.on
        dice += [[6, 5]]
        blast.press("act-explode", dice=2)
    event = Event.objects.exclude(roll="").latest("pk")
    assert offered(blast)
    turn(blast, "next" if counted else "begin")
    assert not offered(blast)
    before = kept()
    blast.browsers["anna"].post(f"{blast.address}play/?{blast.seats('anna', 'troll')}", {"do": f"also:{event.pk}"})
    assert kept() == before
    # Whoever takes the turn back is in it once more.
    last = Event.objects.filter(turn__isnull=False).latest("pk")
    turn(blast, f"back:{last.pk}")
    assert offered(blast)


@pytest.mark.rule("CD-53", "CD-49")
def test_the_dice_of_an_explosion_meet_nobody_in_a_new_fight(blast):
    assert offered(blast)
    blast.do("round", w="act-new-fight-for-all")
    assert not offered(blast)
    before = kept()
    also(blast)
    assert kept() == before


@pytest.mark.rule("CD-53")
def test_an_act_without_dice_does_not_come_between_an_area_and_those_whom_it_still_meets(blast):
    blast.press("act-move", at=None, metres=1)
    assert not Event.objects.latest("pk").roll
    assert offered(blast)
    assert also(blast).status_code == 302
    assert aimed() == ["Ben", "Troll"]
