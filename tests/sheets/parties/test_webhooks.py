"""Webhooks: who is told what of a party, in which form, and how it is signed."""

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.translation import override
from standardwebhooks import Webhook as Verifier

from sheets.models import Delivery, Event, Happening, Member, Sheet, Webhook
from sheets.models.webhooks import KINDS
from sheets.outbox.connect import NoAnswer
from sheets.parties import webhook_channel
from sheets.parties.webhooks import unsealed_data
from sheets.reviews import services as reviews
from sheets.stage.asked import askable
from sheets.stage.table import PartyTable
from tests.support.sheets.fight import ATTACK
from tests.support.sheets.webhooks import ADDRESS, DISCORD, add, again, page, run, types

pytestmark = pytest.mark.django_db


def test_nothing_is_sent_before_a_test_has_succeeded(table, out):
    out.status = 500
    table.browsers["gm"].post(page(table), {"address": ADDRESS, "form": "standard", "kind": KINDS})
    run()
    assert (Webhook.objects.get().state, len(out.got)) == ("new", 1)
    table.press(ATTACK)
    assert (again(), Happening.objects.count(), len(out.got)) == ([], 0, 1)
    out.status = 200
    table.browsers["gm"].post(f"{page(table)}{Webhook.objects.get().pk}/", {"do": "test"})
    run()
    assert Webhook.objects.get().state == "on"
    out.got.clear()
    table.press(ATTACK)
    run()
    assert "roll.made" in types(out.told())


def test_a_message_is_signed_as_standard_webhooks_are_and_its_id_stays_over_retries(table, out):
    _webhook, secret = add(table, out, kinds=["roll.made"])
    table.press(ATTACK)
    out.status = NoAnswer("no answer in time")
    assert run() == ["refused"]
    out.status = 200
    Delivery.objects.update(due=timezone.now())
    assert again() == ["sent"]
    (_a, first, before), (_b, second, after) = out.got
    assert (first, before["webhook-id"]) == (second, after["webhook-id"])
    message = Verifier(secret).verify(second, after)
    event = Event.objects.get(roll="attack")
    assert message["type"] == "roll.made"
    data = message["data"]
    assert data["party"] == {"id": str(table.party.pk), "name": table.party.name}
    assert data["seat"] == data["sheet"] == {"id": str(table.sheets["anna"].pk), "name": table.sheets["anna"].name}
    assert data["scene"]["id"] == str(event.scene.uuid)
    assert (data["number"], data["outcome"]) == (event.number, event.outcome)
    assert data["receipt"].endswith(f"/{event.pk}/receipt/") or str(event.pk) in data["receipt"]
    assert data["text"].startswith(table.sheets["anna"].name)


def test_all_eight_kinds_are_told(table, out):
    add(table, out)
    gm, scenes = table.browsers["gm"], f"/parties/{table.party.pk}/scenes/"
    gm.post(scenes, {"do": "begin", "name": "Die Furt"})
    table.do(f"place:{table.sheets['anna'].pk}:0")
    gm.post(f"{table.address}play/", {"do": "turn:begin", "_press": "00000000-0000-4000-8000-000000000001"})
    table.press(ATTACK)
    event = Event.objects.get(roll="attack")
    event.pending_effects.create(sheet=table.sheets["ben"], act="damage", filled={"points": 1})
    me = Member.objects.select_related("party", "user").get(party=table.party, user=table.users["gm"])
    with override("en"):
        titles = askable(PartyTable(me))
    gm.post(f"{table.address}asked/", {
        "do": "ask", "_roll": titles[0], "_whom": [str(table.sheets["anna"].pk)],
        "_press": "00000000-0000-4000-8000-000000000002"})
    run()
    sheet = Sheet.objects.get(pk=table.sheets["anna"].pk)
    reviews.submit(sheet, sheet.owner)
    reviews.give_back(me, sheet, reviews.pending_decision(sheet, reviews.review_status(sheet)).seal, {"comment": "x"})
    gm.post(scenes, {"do": f"end:{table.party.scene.uuid}"})
    run()
    told = types(out.told())
    assert {*told} == {*KINDS}
    assert told[0] == "scene.opened"
    assert told[-1] == "scene.closed"
    assert Happening.objects.count() == 0


def test_only_what_is_chosen_is_told_and_nothing_is_noted_where_nobody_is(table, out):
    table.press(ATTACK)
    assert Happening.objects.count() == 0
    add(table, out, kinds=["scene.opened"])
    table.press(ATTACK)
    run()
    assert out.told() == []


def test_it_is_told_what_the_players_see_at_most(table, out):
    add(table, out)
    hidden = Sheet.objects.create(name="Verräter", owner=table.users["gm"], party=table.party, seen_by="private",
                                  ruleset="condice", data=table.sheet("anna").data)
    reviews.submit(Sheet.objects.select_related("party").get(pk=hidden.pk), table.users["gm"])
    table.do("throw:hidden", w="roll-success", dice=3)
    Event.objects.filter(party=table.party).update(hidden=True)
    run()
    told = out.told()
    assert "Verräter" not in json.dumps(told, ensure_ascii=False)
    assert types(told).count("roll.made") == 0
    assert "review.submitted" in types(told)


def test_discord_gets_its_own_form_without_mentions_links_or_signature(table, out):
    _webhook, secret = add(table, out, "discord", ["scene.opened"], DISCORD)
    assert secret is None
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/",
                              {"do": "begin", "name": "@everyone [x](https://evil.example) **laut**"})
    run()
    [(address, body, headers)] = out.got
    message = json.loads(body)
    assert (address, {*headers}) == (DISCORD, {"Content-Type"})
    assert (message["allowed_mentions"], {*message}) == ({"parse": []}, {"content", "allowed_mentions"})
    assert "\\@everyone" in message["content"]
    assert "](https://" not in message["content"]
    assert "**" not in message["content"]


def test_the_address_and_secrets_are_sealed_and_shown_once_or_not_at_all(table, out):
    webhook, secret = add(table, out)
    assert secret
    assert unsealed_data(webhook)["secrets"] == [[secret, None]]
    for text in (secret, "geheim"):
        assert text.encode() not in bytes(webhook.sealed)
        for address in (page(table), f"{page(table)}{webhook.pk}/"):
            assert text not in table.browsers["gm"].get(address).text
    assert "hook.example" in table.browsers["gm"].get(page(table)).text


def test_a_new_secret_signs_beside_the_old_one_for_a_day(table, out, monkeypatch):
    webhook, old = add(table, out, kinds=["roll.made"])
    answer = table.browsers["gm"].post(f"{page(table)}{webhook.pk}/", {"do": "secret"})
    new = re.search(r"whsec_[\w+/=]+", answer.text)[0]
    assert new != old
    table.press(ATTACK)
    run()
    [(_address, body, headers)] = out.got
    assert Verifier(new).verify(body, headers) == Verifier(old).verify(body, headers)
    later = timezone.now() + timedelta(hours=25)
    monkeypatch.setattr("sheets.parties.webhooks.timezone.now", lambda: later)
    webhook.refresh_from_db()
    assert len(webhook_channel.secrets_in_force(unsealed_data(webhook))) == 1
