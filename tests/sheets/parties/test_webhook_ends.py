"""Webhooks: how they end, what is refused, and where their secrets are not."""

import gzip
import zipfile
from datetime import timedelta
from io import BytesIO

import pytest
from django.core.management import call_command
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from builder.backup import archive
from sheets.models import Delivery, Happening, Member, Notification, Party, Webhook
from sheets.models.outbox import DROPPED, WAITING
from sheets.models.webhooks import KINDS
from sheets.parties.services import leave_party
from sheets.parties.webhooks import MOST, make, unsealed_data
from tests.support.sheets.fight import ATTACK
from tests.support.sheets.webhooks import ADDRESS, add, again, page, run, types

pytestmark = pytest.mark.django_db


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
    told = Notification.objects.filter(kind="webhook-off").values_list("user", flat=True)
    assert sorted(told) == sorted(table.users[who].pk for who in ("gm", "helper"))
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
        assert unsealed_data(Webhook.objects.get()) == unsealed_data(webhook)


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
