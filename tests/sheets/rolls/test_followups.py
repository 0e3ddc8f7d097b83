"""What a roll leads on to, on the sheet and at the dice page."""

import re
import uuid

import pytest
from django.urls import reverse

from sheets.models import Event
from tests.support.guest import example
from tests.support.sheets.rolling import do, whole

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
ATTACK = "roll-attack-weapons-0"
DICE = reverse("dicebox", args=["daemmersturm"])


@pytest.fixture
def sheet(anna_s):
    return anna_s("knight", "daemmersturm")


@pytest.fixture
def page(client, sheet):
    """The sheet's page for its owner."""
    client.force_login(sheet.owner)
    return lambda: client.get(reverse("sheet", args=[sheet.pk]))


def test_a_critical_hit_leads_on_to_its_die_its_damage_and_the_armour_roll(sheet):
    do(sheet, ATTACK, 20, defence=12)
    assert [card.widget.offer.cls.slug for card in whole(sheet)[ATTACK].follows] == ["shield", "critical"]
    do(sheet, f"roll-critical-{ATTACK}", 2)
    damage = whole(sheet)[f"roll-damage-roll-critical-{ATTACK}"].widget
    assert damage.offer.filled == {"range": "3-12", "critical": 2, "source": "melee", "victim": "target"}
    assert do(sheet, damage.key, 7).outcome == 14
    assert whole(sheet)[f"roll-armour-{damage.key}"].widget.offer.filled == {"damage": 14}


def test_what_the_weapon_knows_is_carried_on(sheet):
    do(sheet, "roll-attack-weapons-0-behind", 15, defence=12)
    offer = whole(sheet)["roll-damage-roll-attack-weapons-0-behind"].widget.offer
    assert (offer.filled, list(offer.asks)) == (
        {"range": "3-12", "rolls": 2, "source": "behind", "victim": "target"}, ["critical"])


@pytest.mark.rule("DS-57")
def test_an_act_that_a_roll_offers_stays_when_something_else_is_rolled_until_it_is_done(sheet):
    sheet.play = {"shadow_used": 2, "shadow_owed": 6}
    sheet.save()
    damage, pays = f"roll-damage-{ATTACK}", f"act-deal-damage-roll-damage-{ATTACK}"
    do(sheet, ATTACK, 15, defence=12)
    do(sheet, damage, 7)
    do(sheet, f"roll-armour-{damage}", 2, target=5)
    assert pays in whole(sheet)


@pytest.mark.rule("DS-57")
def test_the_first_link_says_what_a_later_one_leads_to(sheet):
    sheet.data = example("shaman", "daemmersturm")["data"] | {"resource": "shadow"}
    damage, pays = f"roll-damage-roll-critical-{ATTACK}", f"act-deal-damage-roll-damage-roll-critical-{ATTACK}"
    sheet.play = {"shadow_used": 2, "shadow_owed": 6}
    sheet.save()
    do(sheet, ATTACK, 20, defence=12)
    do(sheet, f"roll-critical-{ATTACK}", 2)
    assert pays not in whole(sheet)
    do(sheet, damage, 2)
    do(sheet, pays)
    sheet.refresh_from_db()
    assert sheet.play["shadow_owed"] == 2


def test_a_new_roll_of_the_first_link_begins_the_chain_anew(sheet):
    do(sheet, ATTACK, 15, defence=12)
    do(sheet, f"roll-damage-{ATTACK}", 5)
    assert whole(sheet)[f"roll-damage-{ATTACK}"].text == "5 Schaden"
    do(sheet, ATTACK, 16, defence=12)
    assert whole(sheet)[f"roll-damage-{ATTACK}"].last is None
    do(sheet, ATTACK, 2, defence=12)
    assert whole(sheet)[ATTACK].follows == []


def token(page):
    return re.search(r'name="_press" value="([^"]+)"', page().text)[1]


def test_the_page_shows_what_follows_and_takes_the_press(page, client, sheet):
    do(sheet, ATTACK, 15, defence=12)
    key = f"roll-damage-{ATTACK}"
    assert f'id="tray-{key}"' in page().text
    asked = {"w": key, "_press": token(page), "critical": "0", "rolls": "1"}
    assert client.post(reverse("play", args=[sheet.pk]), asked).status_code == 302
    event = Event.objects.get(widget=key)
    assert 3 <= event.outcome <= 12
    assert event.given == {
        "range": "3-12", "rolls": 1, "critical": 0, "source": "melee", "victim": "target"}


def test_what_no_longer_follows_is_not_rolled(client, page, sheet):
    answer = client.post(reverse("play", args=[sheet.pk]), {"w": f"roll-damage-{ATTACK}", "_press": token(page)},
                         follow=True)
    assert (Event.objects.exists(), "messages" in answer.context) == (False, True)


def test_the_dice_page_leads_on_with_what_is_known(client):
    shown = client.post(DICE, {"w": "roll-critical"}, follow=True)
    tray = shown.context["tray"]
    damage = next(card.widget for card in tray.follows if card.widget.slug == "damage")
    assert damage.offer.filled == {"critical": tray.dice[0][0].face, "victim": "target"}
    assert f'id="tray-{damage.key}"' in shown.text


def test_ticked_addends_count_and_stay_ticked(client):
    def perception(answer):
        return next(card.widget for card in answer.context["cards"] if card.widget.key == "roll-perception")

    asked = {"w": "roll-perception", "bonus": "0", "modifier": "1"}
    widget = perception(client.get(DICE, {**asked, "modifier+": ["0", "3"]}))
    assert widget.values["modifier"] == 1 + 3 - 3
    assert [ticked for _label, _more, ticked in widget.inputs[1].addends] == [True, False, False, True, False, False]
    assert perception(client.post(DICE, {**asked, "modifier+": ["1"]}, follow=True)).values["modifier"] == 6


def test_figures_are_those_of_the_moment_and_the_profile_line_stands_ready_to_copy(sheet, page):
    answer = page()
    assert "Ritter Osmund: (N=20+4|17, F=20-4|13, Z=20-3|12) LP 32" in answer.text
    assert 'data-copies="copy-profile_line"' in answer.text
    # Life that follows from nothing stands among the figures with what is left.
    assert [(one.value.key, one.gauge.current, one.gauge.most) for one in answer.context["tiles"] if one.gauge] == [
        ("life", 32, 32), ("action_points", 7, 7)]
    assert "life" not in [fact.key for fact in answer.context["facts"]]
    sheet.play = {"conditions": [{"kind": "sickness", "turns": 3}]}
    sheet.save()
    melee = page().context["board"]["figures"][0]
    assert (melee.attack[1], melee.defence[1], melee.was) == ("20−1", 12, "20+4 | 17")


def test_seldom_rolls_stand_apart_folded_as_what_they_came_to_lies_in_the_tray(sheet, page):
    context = page().context
    assert "roll-potion" in [card.widget.key for card in context["rare"]]
    assert "roll-potion" not in [card.widget.key for _title, cards in context["roll_groups"] for card in cards]
    event, shown = do(sheet, "roll-potion", 5), page().text
    assert '<details class="rare" id="rare-rolls-0">' in shown
    assert f'<p class="tray-title">{event.what}' in shown


def test_a_text_that_a_roll_needs_starts_as_its_first_sample(sheet):
    widget = whole(sheet)["roll-damage"].widget
    assert (widget.inputs[0].text, len(widget.bars)) == ("1-10", 10)


@pytest.mark.rule("DS-26")
def test_a_shot_on_a_sheet_alone_marks_its_weapon_by_itself_which_is_taken_back_alone(client, page, sheet, dice):
    dice += [[15]]
    sheet.data = example("two-weapons", "daemmersturm")["data"]
    sheet.save()
    sent = {"w": "roll-attack-weapons-1-shot", "_press": str(uuid.uuid4()), "defence": "12"}
    assert client.post(reverse("play", args=[sheet.pk]), sent).status_code == 302
    sheet.refresh_from_db()
    assert [one["place"] for one in sheet.play["unready"]] == [2]
    assert "abgefeuert: Aktionen, bis sie bereit ist: 1" in page().text
    client.post(reverse("play", args=[sheet.pk]), {
        "w": "undo", "_event": Event.objects.latest("pk").pk, "_press": str(uuid.uuid4())})
    sheet.refresh_from_db()
    assert not sheet.play.get("unready")
    assert [one.undone for one in Event.objects.order_by("pk")] == [False, True]


@pytest.mark.rule("DS-07")
def test_the_profile_line_stands_ready_to_copy_with_what_is_left(sheet, page):
    assert "copy-now" not in page().text
    sheet.play = {"life": 17, "action_points": 2}
    sheet.save()
    answer = page()
    assert "Ritter Osmund: (N=20+4|17, F=20-4|13, Z=20-3|12) LP 17/32" in answer.text
    assert "[AP: 5/7 | FP: 0/0 | MP: 0/0]" in answer.text
    assert 'data-copies="copy-now"' in answer.text
