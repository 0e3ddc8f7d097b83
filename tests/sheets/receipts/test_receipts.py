"""Receipts of rolls: each is numbered and signed before its dice fall, and the docs' verifier agrees."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from django.test import Client
from django.utils import timezone

from rulesets import systems
from rulesets.dice import Die
from rulesets.signed_dice import matches_signature
from sheets.models import Event, Receipt, RollKey
from sheets.press.dice import Throw
from sheets.receipts import services
from sheets.receipts.keys import BITS, EXPONENT
from sheets.receipts.messages import NO_LINK, decode, link_after, message
from sheets.rolls.stored import roll_of_event
from sheets.scenes.log import record
from tests.support.receipts import docs_verifier
from tests.support.sheets.fight import ATTACK
from tests.support.sheets.table_people import RoundTable

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
NONCE = "AAAAAAAAAAAAAAAAAAAAAA"


def table_of(django_user_model, slug="condice"):
    return RoundTable(django_user_model.objects, slug)


def roll(table, who="anna", **fields):
    sheet = table.sheets[who]
    return table.browsers[who].post(f"/sheets/{sheet.pk}/play/", {
        "w": ATTACK, "_press": fields.pop("key", None) or str(services.secrets.token_hex(16)), "defence": "3",
        "extra_dice": "0", **fields})


def proved(client, receipt):
    body = client.get(f"/rolls/{receipt.token}.json").json()
    key = client.get(f"/rolls/keys/{body['key']}.json").json()
    return body, key, docs_verifier()["proved"](body, key)


def test_a_roll_has_a_receipt_that_proves_its_dice(django_user_model):
    table = table_of(django_user_model)
    assert roll(table, _nonce=NONCE).status_code == 302
    (event,), (receipt,) = Event.objects.exclude(roll=""), Receipt.objects.all()
    assert (receipt.event, receipt.nonce, receipt.nonce_by) == (event, NONCE, "roller")
    assert [die[2] for die in receipt.dice] == event.thrown
    body, key, holds = proved(table.browsers["anna"], receipt)
    assert holds
    assert matches_signature([Die(*die) for die in receipt.dice], decode(body["signature"], 256))
    for changed in ({"number": 2}, {"nonce": NONCE[:-1] + "Q"}, {"rolled": {**body["rolled"], "rules": 2}},
                    {"log": body["log"][:-1] + "_"},
                    {"dice": [{**one, "face": one["face"] % 6 + 1} for one in body["dice"]]}):
        assert not docs_verifier()["proved"]({**body, **changed}, key), changed


@pytest.mark.parametrize("slug", sorted(systems()))
def test_every_roll_that_a_sheet_offers_has_a_number_and_a_proof(django_user_model, slug):
    table = table_of(django_user_model, slug)
    sheet, client = table.sheets["anna"], table.browsers["anna"]
    page = client.get(f"/sheets/{sheet.pk}/").content.decode()
    names = sorted({part.split('"')[0] for part in page.split('name="w" value="')[1:] if part.startswith("roll-")})
    assert names
    for number, name in enumerate(names):
        client.post(f"/sheets/{sheet.pk}/play/", {"w": name.replace("&quot;", '"'), "_press": f"{number:032x}",
                                                  "defence": "3"})
    receipts = Receipt.objects.order_by("number")
    assert Event.objects.exclude(roll="").count() == receipts.count() > 0
    assert [one.number for one in receipts] == [*range(1, len(receipts) + 1)]
    for receipt in receipts:
        body = client.get(f"/rolls/{receipt.token}.json")
        if body.status_code == 200:
            assert proved(client, receipt)[2], receipt.rolled


def test_links_chain_the_rolls_of_a_log(django_user_model):
    table = table_of(django_user_model)
    for _time in range(3):
        roll(table)
    link = NO_LINK
    for receipt in Receipt.objects.order_by("number"):
        text = message(receipt.key.identity, receipt.log, receipt.number, receipt.nonce, receipt.rolled)
        link = link_after(link, text, bytes(receipt.signature))
        assert bytes(receipt.link) == link
    assert Receipt.objects.count() == 3


def test_the_same_press_sent_twice_is_one_roll_with_one_number(django_user_model):
    table = table_of(django_user_model)
    for _time in range(2):
        roll(table, key="0" * 31 + "1", _nonce=NONCE)
    assert Receipt.objects.count() == 1


def test_strangers_find_no_receipt_and_readers_of_the_log_do(django_user_model):
    table = table_of(django_user_model)
    roll(table)
    receipt = Receipt.objects.get()
    for client, status in ((Client(), 404), (table.browsers["anna"], 200), (table.browsers["gm"], 200)):
        assert [client.get(f"/rolls/{receipt.token}{end}").status_code for end in ("/", ".json")] == [status] * 2
        assert client.get(f"/rolls/of/{receipt.event_id}/").status_code == (302 if status == 200 else 404)
    Receipt.objects.update(shared=True)
    assert Client().get(f"/rolls/{receipt.token}.json").status_code == 200


def test_a_hidden_roll_has_its_own_log_and_is_for_gms_alone(django_user_model):
    table = table_of(django_user_model)
    table.do("throw:hidden", w="roll-success", dice="3")
    receipt = Receipt.objects.get()
    assert receipt.log.startswith("hidden:")
    assert [table.browsers[who].get(f"/rolls/{receipt.token}.json").status_code for who in ("gm", "anna")] == [200, 404]
    table.do(f"reveal:{receipt.event_id}")
    assert table.browsers["anna"].get(f"/rolls/{receipt.token}.json").json()["log"] == receipt.log


def test_figures_of_a_target_are_in_no_receipt(django_user_model):
    table = table_of(django_user_model)
    table.browsers["anna"].post(f"{table.address}play/", {
        "w": ATTACK, "_press": f"{1:032x}", "_by": table.sheets["anna"].pk, "_at": table.sheets["ben"].pk,
        "extra_dice": "0"})
    receipt = Receipt.objects.get()
    assert (receipt.rolled["parameters"]["defence"], receipt.rolled["at"]) == (None, [str(table.sheets["ben"].pk)])
    assert receipt.log.startswith("scene:")


def test_a_roll_made_before_there_were_receipts_says_so_to_readers_of_its_log(django_user_model):
    table = table_of(django_user_model)
    roll(table)
    Receipt.objects.all().delete()
    address = f"/rolls/of/{Event.objects.get().pk}/"
    assert "has no receipt" in table.browsers["anna"].get(address).text
    assert Client().get(address).status_code == 404
    roll(table)
    assert Receipt.objects.get().number == 1


def test_what_became_of_a_roll_is_told(django_user_model):
    table = table_of(django_user_model)
    roll(table)
    receipt = Receipt.objects.get()
    client = table.browsers["anna"]
    assert client.get(f"/rolls/{receipt.token}.json").json()["says"]["state"] == "stands"
    Event.objects.update(undone=True)
    assert client.get(f"/rolls/{receipt.token}.json").json()["says"]["state"] == "undone"


def test_the_next_key_is_published_a_day_before_its_use_and_the_old_one_ends(db, monkeypatch):
    made = iter(generate_private_key(EXPONENT, BITS) for _time in range(3))
    monkeypatch.setattr(services.keys, "make", lambda: next(made))
    first, now = services.key_in_use(), timezone.now()
    assert (services.key_in_use(), first.number, first.ended) == (first, 1, "")
    monkeypatch.setattr(services.timezone, "now", lambda: now + services.KEY_LIFETIME - timedelta(hours=2))
    assert services.key_in_use() == first
    second = RollKey.objects.get(number=2)
    assert (second.before, second.begins) == (first, first.until)
    assert services.key_in_use() == first
    monkeypatch.setattr(services.timezone, "now", lambda: now + services.KEY_LIFETIME + timedelta(hours=2))
    assert services.key_in_use() == second
    first.refresh_from_db()
    assert (first.ended, first.sealed) == ("time", None)


def test_keys_are_published_for_every_page_to_read(client, db):
    key = services.key_in_use()
    answer = client.get("/rolls/keys.json")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert [one["id"] for one in answer.json()["keys"]] == [key.identity]
    assert docs_verifier()["good"](json.loads(json.dumps(client.get(f"/rolls/keys/{key.identity}.json").json())))


def test_the_places_of_dice_that_stay_are_signed(django_user_model):
    table = table_of(django_user_model, "augen-des-zwielichts")
    sheet, client = table.sheets["anna"], table.browsers["anna"]
    page = client.get(f"/sheets/{sheet.pk}/").content.decode()
    move = next(part.split('"')[0] for part in page.split('name="w" value="')[1:] if part.startswith("roll-move"))
    client.post(f"/sheets/{sheet.pk}/play/", {"w": move, "_press": f"{1:032x}"})
    event = Event.objects.get()
    receipt = Receipt.objects.get()
    again, ruleset = Event(sheet=sheet, key=uuid4(), widget="x", title="x"), systems()["augen-des-zwielichts"]
    Throw(before=event).dice(again, ruleset, roll_of_event(ruleset, event))
    record(again)
    repeated = Receipt.objects.get(event=again)
    assert (repeated.rolled["again"], repeated.rolled["kept"]) == (receipt.number, [*range(len(event.thrown))])
    body, key, holds = proved(client, repeated)
    assert holds
    for place in range(len(body["dice"])):
        changed = json.loads(json.dumps(body))
        changed["rolled"]["kept"].remove(place)
        assert not docs_verifier()["proved"](changed, key)
