"""What a roll leads on to, on the sheet and at the dice page."""

import re
import uuid
from copy import deepcopy

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from rulesets import systems
from rulesets.dice import LoadedTray
from sheets.character import Character
from sheets.models import Event, Sheet
from sheets.play.services import press
from sheets.rolls.followups import roll_cards
from sheets.rolls.widgets import Widget

pytestmark = pytest.mark.django_db


@pytest.fixture
def sheet():
    document = deepcopy(systems()["daemmersturm"].examples["knight"])
    owner = User.objects.create_user("anna")
    return Sheet.objects.create(owner=owner, ruleset="daemmersturm", name=document["name"], data=document["data"])


@pytest.fixture
def page(client, sheet):
    client.force_login(sheet.owner)

    def get():
        return client.get(reverse("sheet", args=[sheet.pk])).content.decode()

    return get


def whole(sheet, answers=None, which=""):
    """Every card of the sheet by the key of its widget."""
    character, last = Character(sheet), {}
    for event in sheet.events.exclude(roll="").order_by("pk"):
        last[event.widget] = event
    found = roll_cards(character.ruleset, character.rolls(), last, answers, which)
    return {card.widget.key: card for one in found for card in one.whole()}


def do(sheet, key, *faces, **answers):
    """One press on a widget, with written faces."""
    card = whole(sheet)[key]
    widget = Widget(card.widget.offer, {name: [str(value)] for name, value in answers.items()})
    return press(Character(sheet), widget, uuid.uuid4(), LoadedTray(*faces))


ATTACK = "roll-attack-weapons-0"


def test_a_critical_hit_leads_on_to_its_die_its_damage_and_the_armour_roll(sheet):
    do(sheet, ATTACK, 20, defence=12)
    follows = {card.widget.offer.cls.slug: card.widget for card in whole(sheet)[ATTACK].follows}
    assert list(follows) == ["shield", "critical"]
    do(sheet, f"roll-critical-{ATTACK}", 2)
    damage = whole(sheet)[f"roll-damage-roll-critical-{ATTACK}"].widget
    assert damage.offer.filled == {"range": "3-12", "critical": 2}
    assert do(sheet, damage.key, 7).outcome == 14
    assert whole(sheet)[f"roll-armour-{damage.key}"].widget.offer.filled == {"damage": 14}


def test_what_the_weapon_knows_is_carried_on(sheet):
    do(sheet, "roll-attack-weapons-0-behind", 15, defence=12)
    damage = whole(sheet)["roll-damage-roll-attack-weapons-0-behind"].widget
    assert damage.offer.filled == {"range": "3-12", "rolls": 2}
    assert list(damage.offer.asks) == ["critical"]


@pytest.mark.rule("DS-26")
def test_an_act_that_a_roll_offers_stays_when_its_damage_is_rolled_until_it_is_done(sheet):
    sheet.data = deepcopy(systems()["daemmersturm"].examples["two-weapons"]["data"])
    sheet.save()
    shot, fired = "roll-attack-weapons-1-shot", "act-not-ready-weapons-1-after-roll-attack-weapons-1-shot"
    assert fired not in whole(sheet)
    do(sheet, shot, 15, defence=12)
    do(sheet, f"roll-damage-{shot}", 7)
    assert fired in whole(sheet)


def test_a_new_roll_of_the_first_link_begins_the_chain_anew(sheet):
    do(sheet, ATTACK, 15, defence=12)
    do(sheet, f"roll-damage-{ATTACK}", 5)
    assert whole(sheet)[f"roll-damage-{ATTACK}"].text == "5 Schaden"
    do(sheet, ATTACK, 16, defence=12)
    assert whole(sheet)[f"roll-damage-{ATTACK}"].last is None
    do(sheet, ATTACK, 2, defence=12)
    assert whole(sheet)[ATTACK].follows == []


def test_the_page_shows_what_follows_and_takes_the_press(page, client, sheet):
    do(sheet, ATTACK, 15, defence=12)
    key = f"roll-damage-{ATTACK}"
    assert f'id="tray-{key}"' in page()
    token = re.search(r'name="_press" value="([^"]+)"', page())[1]
    answer = client.post(reverse("play", args=[sheet.pk]), {"w": key, "_press": token, "critical": "0", "rolls": "1"})
    assert answer.status_code == 302
    event = Event.objects.get(widget=key)
    assert 3 <= event.outcome <= 12
    assert event.given == {"range": "3-12", "rolls": 1, "critical": 0}


def test_what_no_longer_follows_is_not_rolled(client, page, sheet):
    token = re.search(r'name="_press" value="([^"]+)"', page())[1]
    answer = client.post(reverse("play", args=[sheet.pk]), {"w": f"roll-damage-{ATTACK}", "_press": token}, follow=True)
    assert not Event.objects.exists()
    assert "messages" in answer.context


def test_the_dice_page_leads_on_with_what_is_known(client):
    url = reverse("dicebox", args=["daemmersturm"])
    shown = client.post(url, {"w": "roll-targets", "range": "2-2"}, follow=True).context["tray"]
    assert [card.widget.slug for card in shown.follows].count("damage") == 2
    shown = client.post(url, {"w": "roll-critical"}, follow=True)
    damage = next(card.widget for card in shown.context["tray"].follows if card.widget.slug == "damage")
    assert damage.offer.filled == {"critical": shown.context["tray"].dice[0][0].face}
    assert f'id="tray-{damage.key}"' in shown.content.decode()


def test_ticked_addends_count_and_stay_ticked(client):
    url = reverse("dicebox", args=["daemmersturm"])
    shown = client.get(url, {"w": "roll-perception", "bonus": "0", "modifier": "1", "modifier+": ["0", "3"]})
    widget = next(card.widget for card in shown.context["cards"] if card.widget.key == "roll-perception")
    assert widget.values["modifier"] == 1 + 3 - 3
    assert [ticked for _label, _more, ticked in widget.inputs[1].addends] == [True, False, False, True, False, False]
    rolled = client.post(url, {"w": "roll-perception", "bonus": "0", "modifier": "1", "modifier+": ["1"]}, follow=True)
    widget = next(card.widget for card in rolled.context["cards"] if card.widget.key == "roll-perception")
    assert widget.values["modifier"] == 6


def test_the_profile_line_stands_on_the_page_ready_to_copy(page):
    assert "Ritter Osmund: (N=20+4|17, F=20-4|13, Z=20-3|12) LP 32" in page()
    assert 'data-copies="copy-profile_line"' in page()


def test_life_that_follows_from_nothing_stands_among_the_figures_with_what_is_left(client, sheet):
    client.force_login(sheet.owner)
    context = client.get(reverse("sheet", args=[sheet.pk])).context
    assert [(one.value.key, one.gauge.left, one.gauge.most) for one in context["tiles"] if one.gauge] == [
        ("life", 32, 32), ("action_points", 7, 7)]
    assert "life" not in [fact.key for fact in context["facts"]]


def test_the_figures_are_those_of_the_moment(client, sheet):
    client.force_login(sheet.owner)
    sheet.play = {"conditions": [{"kind": "sickness", "turns": 3}]}
    sheet.save()
    answer = client.get(reverse("sheet", args=[sheet.pk]))
    melee = answer.context["board"]["figures"][0]
    assert (melee.attack[1], melee.defence[1], melee.was) == ("20−1", 12, "20+4 | 17")


def test_seldom_rolls_stand_apart_folded_as_what_they_came_to_lies_in_the_tray(client, sheet, page):
    client.force_login(sheet.owner)
    context = client.get(reverse("sheet", args=[sheet.pk])).context
    assert "roll-potion" in [card.widget.key for card in context["rare"]]
    assert "roll-potion" not in [card.widget.key for _title, cards in context["roll_groups"] for card in cards]
    do(sheet, "roll-potion", 5)
    assert '<details class="rare" id="rare-rolls-0">' in page()
    event = Event.objects.get(widget="roll-potion")
    assert f'<p class="tray-title">{event.what}' in page()


def test_a_text_that_a_roll_needs_starts_as_its_first_sample(sheet):
    widget = whole(sheet)["roll-damage"].widget
    assert widget.inputs[0].text == "1-10"
    assert len(widget.bars) == 10
