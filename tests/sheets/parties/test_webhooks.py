"""Webhooks: who is told what of a party, how it is signed, and how a webhook ends."""

import gzip
import json
import re
import zipfile
from datetime import timedelta
from io import BytesIO

import pytest
from django.core.management import call_command
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override
from standardwebhooks import Webhook as Verifier

from builder.backup import archive
from sheets.models import Delivery, Event, Happening, Member, Notification, Party, Receiver, Sheet, Webhook
from sheets.models.outbox import DROPPED, WAITING
from sheets.models.webhooks import KINDS
from sheets.outbox.connect import NoAnswer
from sheets.outbox.services import deliver
from sheets.parties import webhook_channel
from sheets.parties.services import leave_party
from sheets.parties.webhook_channel import Webhooks
from sheets.parties.webhooks import MOST, make, opened
from sheets.reviews import services as reviews
from sheets.stage.asked import askable
from sheets.stage.table import PartyTable
from tests.support.sheets.fight import ATTACK

pytestmark = pytest.mark.django_db
ADDRESS, DISCORD = "https://hook.example/geheim", "https://discord.com/api/webhooks/1/geheim"


class Out:
    """Stands in for all receivers: answers with a status, and keeps what came."""

    def __init__(self):
        self.status, self.got = 204, []

    def __call__(self, address, body, headers):
        self.got.append((address, body, headers))
        if isinstance(self.status, Exception):
            raise self.status
        return self.status

    def told(self):
        """The messages that came since this was asked last, without tests."""
        found = [json.loads(body) for _address, body, _headers in self.got]
        self.got.clear()
        return [one for one in found if one.get("type") != "webhook.test"]


@pytest.fixture
def out(monkeypatch, settings):
    settings.WEBHOOK_SECONDS = 0
    found = Out()
    monkeypatch.setattr(webhook_channel, "post", found)
    return found


def run():
    """Send all that is due; return what became of it."""
    return [one.state for one in deliver(Webhooks())]


def again():
    """Send what waits for another attempt as well."""
    Receiver.objects.update(after=timezone.now())
    return run()


def page(table):
    return f"/parties/{table.party.pk}/webhooks/"


def add(table, out, form="standard", kinds=KINDS, address=ADDRESS):
    """The GM adds a webhook, whose test succeeds; returns it and its secret."""
    answer = table.browsers["gm"].post(page(table), {"address": address, "form": form, "kind": kinds})
    assert answer.status_code == (200 if form == "standard" else 302)
    run()
    out.got.clear()
    found = Webhook.objects.latest("pk")
    assert found.state == "on"
    secret = re.search(r"whsec_[\w+/=]+", answer.text)
    return found, secret and secret[0]


def types(messages):
    return [one["type"] for one in messages]


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
    assert opened(webhook)["secrets"] == [[secret, None]]
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
    assert len(webhook_channel.secrets_in_force(opened(webhook))) == 1


def test_410_ends_it(table, out):
    webhook, _secret = add(table, out)
    table.press(ATTACK)
    out.status = 410
    assert "sent" in run()
    webhook.refresh_from_db()
    assert (webhook.state, Party.objects.get(pk=table.party.pk).told) == ("gone", None)
    assert len(out.got) == 1


def test_five_days_without_success_switch_it_off_and_the_gms_are_told(table, out):
    webhook, _secret = add(table, out, kinds=["roll.made"])
    out.status = 500
    table.press(ATTACK)
    run()
    webhook.refresh_from_db()
    assert webhook.failing
    Webhook.objects.update(failing=timezone.now() - timedelta(days=5, minutes=1))
    Delivery.objects.update(due=timezone.now())
    again()
    webhook.refresh_from_db()
    assert webhook.state == "off"
    assert [one.user for one in Notification.objects.filter(kind="webhook-off")] == [
        table.users["gm"], table.users["helper"]]
    again()
    assert not Delivery.objects.filter(state=WAITING).exists()


def test_what_waited_over_an_hour_behind_a_failure_is_not_sent(table, out):
    add(table, out, kinds=["roll.made"])
    out.status = 500
    table.press(ATTACK)
    run()
    table.press(ATTACK)
    table.press(ATTACK)
    run()
    old = Delivery.objects.filter(tries=0, state=WAITING).order_by("pk")[0]
    Delivery.objects.filter(pk=old.pk).update(made=timezone.now() - timedelta(hours=2))
    out.status = 200
    out.got.clear()
    again()
    assert len(out.got) == 2
    assert Delivery.objects.get(pk=old.pk).state == DROPPED


def test_it_ends_when_its_gm_leaves_unless_another_takes_it_over(table, out):
    Member.objects.filter(party=table.party, user=table.users["anna"]).update(role="co-gm")
    webhook, _secret = add(table, out)
    leave_party(Member.objects.select_related("party", "user").get(party=table.party, user=table.users["gm"]))
    table.press(ATTACK, who="ben", by="ben", at="anna")
    assert (run(), out.got) == ([], [])
    webhook.refresh_from_db()
    assert webhook.state == "gone"
    table.browsers["anna"].post(f"{page(table)}{webhook.pk}/", {"do": "take"})
    assert run() == ["sent"]
    webhook.refresh_from_db()
    assert (webhook.state, webhook.keeper) == ("on", table.users["anna"])


def test_a_party_has_at_most_ten(table, out):
    for _one in range(MOST):
        add(table, out, address="https://hook.example/x")
    answer = table.browsers["gm"].post(page(table), {"address": ADDRESS, "form": "standard", "kind": KINDS})
    assert (answer.status_code, Webhook.objects.count()) == (422, MOST)


@pytest.mark.parametrize("posted", [
    {"address": "https://127.0.0.1/x", "form": "standard", "kind": "roll.made"},
    {"address": "http://hook.example/x", "form": "standard", "kind": "roll.made"},
    {"address": ADDRESS, "form": "standard"}, {"address": ADDRESS, "form": "standard", "kind": "x"},
    {"address": ADDRESS, "form": "discord", "kind": "roll.made"}, {"form": "standard", "kind": "roll.made"},
])
def test_what_cannot_be_is_refused_in_a_sentence_and_changes_nothing(table, out, posted):
    answer = table.browsers["gm"].post(page(table), posted)
    assert (answer.status_code, Webhook.objects.count()) == (422, 0)
    assert 'role="alert"' in answer.text


def test_it_is_told_in_the_language_of_its_maker_and_no_more_than_one_a_pause(table, out, settings):
    settings.WEBHOOK_SECONDS = 60
    make(table.party, table.users["gm"], ADDRESS, "standard", ["scene.opened"], "de")
    assert run() == ["sent"]
    table.party.refresh_from_db()
    for name in "ab":
        table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin", "name": name})
        table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": f"end:{table.party.scene.uuid}"})
    assert run() == []
    assert again() == ["sent"]
    with override("de"):
        said = _("The scene “{scene}” has begun.").format(scene="a")
    assert out.told()[0]["data"]["text"] == said


def test_the_last_deliveries_are_shown_with_status_and_time_and_without_what_they_said(table, out):
    webhook, _secret = add(table, out, kinds=["roll.made"])
    table.press(ATTACK)
    run()
    assert {str(one.data) for one in Delivery.objects.all()} == {"{}"}
    assert "(204)" in table.browsers["gm"].get(f"{page(table)}{webhook.pk}/").text


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kept", [False, True])
def test_a_restore_ends_all_webhooks_unless_they_are_to_be_kept_and_no_backup_has_their_secrets(
        table, out, tmp_path, capsys, kept):
    webhook, secret = add(table, out)
    archive.back_up(tmp_path / "backup")
    with gzip.open(tmp_path / "backup") as packed:
        told = packed.read()
    assert secret.encode() not in told
    assert b"geheim" not in told
    capsys.readouterr()
    call_command("restore", str(tmp_path / "backup"), "--replace", *(["--keep-tokens"] if kept else []))
    assert ("1 webhooks have ended" in capsys.readouterr().out) is not kept
    assert Webhook.objects.count() == kept
    assert Party.objects.get(pk=table.party.pk).told == ([*KINDS] if kept else None)
    if kept:
        assert opened(Webhook.objects.get()) == opened(webhook)


def test_the_download_of_an_account_has_neither_address_nor_secret(table, out):
    _webhook, secret = add(table, out)
    answer = table.browsers["gm"].get("/account/download/")
    with zipfile.ZipFile(BytesIO(b"".join(answer.streaming_content))) as found:
        told = found.read("account.json").decode()
    assert "hook.example" in told
    assert "geheim" not in told
    assert secret not in told


def test_what_cannot_be_told_of_holds_up_nothing_after_it(table, out, caplog):
    add(table, out, kinds=["scene.closed"])
    Happening.objects.create(party=table.party, kind="scene.closed", data={"scene": "none"})
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin", "name": "x"})
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": f"end:{table.party.scene.uuid}"})
    run()
    assert types(out.told()) == ["scene.closed"]
    assert "cannot be told of" in caplog.text
