"""Backups and the keys that sign rolls: no private half is in one, and a restore ends every key."""

import gzip
import json
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from django.utils import timezone

from builder.backup import archive, restoring
from sheets.models import Receipt, RollKey
from sheets.models.receipts import PUT_BACK
from sheets.receipts import services
from sheets.receipts.keys import BITS, EXPONENT
from tests.support.guest import Guest, example
from tests.support.receipts import docs_verifier

pytestmark = pytest.mark.django_db(transaction=True)
ATTACK = {"w": "roll-attack-attacks-0", "defence": "0", "extra_dice": "0"}


@pytest.fixture
def rolled(monkeypatch):
    """Somebody who has rolled under a key, the next of which is published already."""
    made = iter([generate_private_key(EXPONENT, BITS) for _number in range(3)])
    monkeypatch.setattr(services.keys, "make", lambda: next(made))
    guest = Guest(example())
    guest.client.post(f"/sheets/{guest.pk}/play/", ATTACK | {"_press": f"{1:032x}"})
    services.make_key(begins=RollKey.objects.get().until)
    assert all(one.sealed for one in RollKey.objects.all())
    return guest


@pytest.fixture
def file(rolled, tmp_path):
    archive.back_up(tmp_path / "backup")
    return tmp_path / "backup"


def proved(client, receipt):
    body = client.get(f"/rolls/{receipt.token}.json").json()
    return docs_verifier()["proved"](body, client.get(f"/rolls/keys/{body['key']}.json").json())


def test_no_private_half_of_a_key_is_in_a_backup(file):
    with gzip.open(file) as packed:
        lines = packed.readlines()
    place = json.loads(lines[0])["columns"]["sheets.RollKey"].index("sealed")
    rows = [json.loads(line)[1] for line in lines if line.startswith(b'["sheets.RollKey"')]
    assert [row[place] for row in rows] == [None, None]


def test_a_restore_ends_every_key_and_what_they_signed_still_verifies(file, rolled):
    receipt, key = Receipt.objects.get(), RollKey.objects.get(number=1)
    restoring.restore(file, replace=True)
    ended = RollKey.objects.order_by("number")
    assert [(one.ended, one.sealed) for one in ended] == [(PUT_BACK, None)] * 2
    assert all(one.until <= timezone.now() for one in ended)
    assert (ended[0].pk, ended[0].begins, ended[0].spki) == (key.pk, key.begins, key.spki)
    assert proved(rolled.client, receipt)
    # The next roll of the log begins another key.
    rolled.client.post(f"/sheets/{rolled.pk}/play/", ATTACK | {"_press": f"{2:032x}"})
    second = Receipt.objects.get(number=2)
    assert (second.log, second.key.number) == (receipt.log, 3)
    assert proved(rolled.client, second)


def test_a_page_from_before_a_restore_is_drawn_anew_and_the_new_key_stays(rolled, tmp_path):
    RollKey.objects.update(begins=timezone.now() - timedelta(days=2))
    archive.back_up(tmp_path / "backup")
    address = f"/sheets/{rolled.pk}/play/"
    rolled.client.post(address, ATTACK | {"_press": f"{2:032x}"})
    known = rolled.client.get(f"/sheets/{rolled.pk}/").text.split('id="known-roll" value="')[1].partition('"')[0]
    restoring.restore(tmp_path / "backup", replace=True)
    answers = [rolled.client.post(address, ATTACK | {"_press": f"{3:032x}.{known}"}) for _time in range(2)]
    assert [one.status_code for one in answers] == [409, 409]
    assert [*RollKey.objects.order_by("number").values_list("ended", flat=True)] == [PUT_BACK, PUT_BACK, ""]
    assert Receipt.objects.count() == 1


def test_keys_that_have_ended_stay_as_they_ended(file, tmp_path):
    services.end_key(RollKey.objects.get(number=1), "leaked")
    archive.back_up(tmp_path / "later")
    restoring.restore(tmp_path / "later", replace=True)
    assert [*RollKey.objects.order_by("number").values_list("ended", flat=True)] == ["leaked", PUT_BACK]


def test_a_restore_that_fails_ends_no_key(file, monkeypatch):
    def fail():
        raise RuntimeError("the power goes")

    ends = restoring._end_keys
    monkeypatch.setattr(restoring, "_end_keys", lambda: (ends(), fail()))
    with pytest.raises(RuntimeError):
        restoring.restore(file, replace=True)
    assert [bool(one.sealed) and not one.ended for one in RollKey.objects.all()] == [True, True]
