"""Notifications of what waits for somebody who is not at the table, once each, a while after it began to wait."""

import uuid
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core import mail
from django.utils import timezone
from django.utils.translation import override

from sheets.home import reminders
from sheets.home.reminders import OUTDATED, WAITED, remind_of_waiting
from sheets.models import (
    AskedRoll,
    Event,
    Handout,
    Mailing,
    Member,
    Notification,
    PendingEffect,
    Question,
    Receiver,
    Reminded,
    Scene,
    Sheet,
)
from sheets.models.events import OPEN
from sheets.models.outbox import MAIL
from sheets.notifications.mail import Mail
from sheets.notifications.services import notification_text
from sheets.outbox.services import deliver
from sheets.parties import handouts
from tests.support.sheets.fight import CLUB, Fight

MINUTE = timedelta(minutes=1)


@pytest.fixture
def table(django_user_model):
    """A table at which it is Anna's turn."""
    fight = Fight(django_user_model.objects)
    do(fight, f"place:{fight.sheets['anna'].pk}:0")
    do(fight, "turn:begin")
    assert fight.on == ["Anna"]
    return fight


@pytest.fixture
def hit(table, dice):
    """Anna has hit Ben."""
    table.have("ben", **table.sheets["anna"].data | {"defence": 2, "life": 5})
    table.have("anna", attacks=CLUB)
    dice += [[6, 5, 4, 1]]
    table.press()
    assert PendingEffect.objects.get(state=OPEN).sheet == table.sheets["ben"]
    return table


@pytest.fixture
def after(monkeypatch):
    """Look for what waits after some time; answer how many were notified."""
    def look(time):
        monkeypatch.setattr(reminders, "timezone", SimpleNamespace(now=lambda: timezone.now() + time))
        return remind_of_waiting()

    return look


def do(table, word, who="gm"):
    address = f"{table.address}play/" if word.startswith("turn") else table.address
    return table.browsers[who].post(address, {"do": word, "_press": str(uuid.uuid4())})


def told(table, who="anna", language="en"):
    """Return somebody's notifications, the oldest first, without the signs that keep names apart."""
    with override(language):
        return [notification_text(one).translate(dict.fromkeys(range(0x2066, 0x206A)))
                for one in Notification.objects.filter(kind="waiting", user=table.users[who]).order_by("pk")]


def ask(table, title="Resist"):
    page = table.browsers["gm"].get(f"{table.address}?tools=ask").text
    title = page.partition('id="ask-roll"')[2].partition("<option>")[2].partition("</option>")[0]
    table.browsers["gm"].post(f"{table.address}asked/", {
        "do": "ask", "_roll": title, "_whom": [str(table.sheets["anna"].pk)], "_press": str(uuid.uuid4())})


def member(table, who):
    return Member.objects.get(user=table.users[who])


def test_whoever_has_left_something_waiting_for_a_while_is_notified_once_of_all_of_it(table, after):
    ask(table)
    handouts.hand_out(member(table, "gm"), "Ein Brief", "Komm allein.", None, [member(table, "anna")])
    assert (after(WAITED - MINUTE), after(WAITED + MINUTE), after(WAITED + 2 * MINUTE)) == (0, 1, 0)
    assert told(table) == ["Waiting for you in “Die Runde”: the turn of Anna, 1 roll, 1 handout."]
    assert told(table, language="de") == ["In „Die Runde“ wartet auf dich: der Zug von Anna, 1 Wurf, 1 Handout."]
    assert Notification.objects.get(kind="waiting").url == f"{table.address}?_scene={table.scene.uuid}"
    table.browsers["anna"].get(table.address)
    handouts.hand_out(member(table, "gm"), "Noch ein Brief", "Komm bald.", None, None)
    Handout.objects.filter(for_all=True).update(made=timezone.now() + 2 * MINUTE)
    assert after(WAITED + 3 * MINUTE) == 2
    assert told(table)[1:] == ["Waiting for you in “Die Runde”: the turn of Anna, 1 roll, 2 handouts."]
    assert told(table, "ben") == ["Waiting for you in “Die Runde”: 1 handout."]


def test_an_effect_and_a_question_wait_for_whoever_plays_their_target(hit, after):
    Question.objects.create(party=hit.party, sheet=hit.sheets["anna"], target=hit.sheets["ben"], key=uuid.uuid4())
    assert after(WAITED + MINUTE) == 2
    assert told(hit, "ben") == ["Waiting for you in “Die Runde”: 1 open effect, 1 question."]


def test_nobody_who_presses_meanwhile_is_notified_and_later_they_are(hit, after):
    Event.objects.filter(who=hit.users["anna"]).update(made=timezone.now() + 10 * MINUTE)
    assert after(WAITED + MINUTE) == 0
    assert after(WAITED + 11 * MINUTE) == 2
    assert told(hit) == ["Waiting for you in “Die Runde”: the turn of Anna."]


def test_what_was_answered_or_has_ended_waits_for_nobody_and_who_is_away_is_left_alone(hit, after):
    hit.settle("apply")
    ask(hit)
    do(hit, "turn:next")
    assert hit.on == ["Ben"]
    Member.objects.update(away_until=timezone.localdate())
    Event.objects.update(made=timezone.now() - MINUTE)
    assert after(WAITED + MINUTE) == 0
    Member.objects.update(away_until=None)
    Scene.objects.update(ended=timezone.now())
    assert after(WAITED + MINUTE) == 1
    assert told(hit) == ["Waiting for you in “Die Runde”: 1 roll."]
    Notification.objects.filter(kind="waiting").delete()
    Reminded.objects.all().delete()
    hit.press(AskedRoll.objects.get().widget, at=None)
    Event.objects.update(made=timezone.now())
    assert after(WAITED + MINUTE) == 0


def test_of_what_has_waited_for_days_nobody_is_notified(table, after):
    assert after(OUTDATED + MINUTE) == 0
    assert told(table) == []


def test_the_turn_of_an_opponent_waits_for_each_gm_and_nobody_else(table, after):
    table.bring("Troll")
    scene = table.scene
    scene.on = [str(table.sheets["troll"].pk)]
    scene.save()
    assert after(WAITED + MINUTE) == 2
    for one in ("gm", "helper"):
        assert told(table, one) == ["Waiting for you in “Die Runde”: the turn of Troll."]


def test_a_member_who_has_left_or_whose_sheet_is_in_the_trash_is_not_notified(hit, after):
    hit.party.members.filter(user=hit.users["anna"]).delete()
    Sheet.objects.filter(pk=hit.sheets["ben"].pk).update(deleted=timezone.now())
    assert after(WAITED + MINUTE) == 0


def test_one_mail_tells_of_it(table, after, settings):
    settings.SITE_URL = "https://sheets.example.org"
    mailing = Mailing.objects.create(user=table.users["anna"], language="en")
    Receiver.objects.create(mailing=mailing, channel=MAIL)
    table.users["anna"].emailaddress_set.create(email="anna@example.org", primary=True, verified=True)
    for minutes in (1, 2):
        after(WAITED + minutes * MINUTE)
        list(deliver(Mail()))
    [message] = mail.outbox
    assert "the turn of" in message.subject
    assert f"https://sheets.example.org{table.address}?_scene={table.scene.uuid}" in message.body
