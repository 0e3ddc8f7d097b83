"""What taking something back brings back at a party's table, and what it does not."""

import io
import uuid
import zipfile

import pytest
from django.apps import apps
from django.db.migrations.loader import MigrationLoader

from sheets.models import Event, Landing
from tests.support.sheets.fight import fallen_again, kept

REPEAT = [{"ability": "wurf-wiederholen", "range": 0}]


def rethrown(struck, monkeypatch, key=None):
    """Ben has the die that is his thrown once more; what he did for it."""
    fallen_again(monkeypatch, 5)
    struck.settle("rethrow", key=key)
    return Event.objects.get(sheet=struck.sheets["ben"])


@pytest.mark.rule("DR-17")
def test_a_throw_is_taken_back_by_what_paid_for_it_alone_whatever_key_another_press_has(struck, monkeypatch):
    paid = rethrown(struck, monkeypatch)
    struck.bring("Zweite", owner=struck.users["anna"], opponent=False)
    before = kept()[1]
    struck.press("act-damage", "anna", "zweite", None, paid.key, points=1)
    other = Event.objects.latest("pk")
    assert (other.key, other.sheet) == (paid.key, struck.sheets["zweite"])
    struck.settle("back", "anna", other.pk)
    other.refresh_from_db()
    assert other.undone
    assert kept()[1] == before
    assert not Event.objects.filter(again__isnull=False, undone=True).exists()
    # It still is by what paid for it.
    struck.settle("back", "ben", paid.pk)
    assert Event.objects.get(again__isnull=False).undone


def test_keys_of_presses_are_in_no_download(struck, monkeypatch):
    key = rethrown(struck, monkeypatch).key
    with zipfile.ZipFile(io.BytesIO(struck.browsers["anna"].get("/account/download/").getvalue())) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert any('"again"' in text for text in texts.values())
    assert [name for name, text in texts.items() if str(key) in text] == []


@pytest.mark.rule("DR-17")
def test_throws_of_before_are_led_to_by_what_paid_for_them(struck, monkeypatch):
    key = uuid.uuid4()
    struck.bring("Dritter")
    struck.press("act-damage", "gm", "dritter", None, key, points=1)
    paid = rethrown(struck, monkeypatch, key)
    Event.objects.update(paid_for=None)
    known = MigrationLoader(None).disk_migrations["sheets", "0031_paid_rethrows_of_before"]
    known.operations[0].code(apps, None)
    again = Event.objects.get(again__isnull=False)
    assert set(Event.objects.filter(key=key).values_list("pk", "paid_for")) == {
        (Event.objects.get(act="damage").pk, None), (paid.pk, again.pk), (again.pk, None)}


@pytest.mark.rule("CD-49")
@pytest.mark.parametrize("standing", ["dismissed", "open", "applied"])
def test_what_was_dismissed_before_a_roll_was_repeated_stays_so_once_that_is_taken_back(hit, dice, standing):
    """What waited, or was taken back by the repeat, is open again."""
    hit.have("anna", abilities=REPEAT)
    first = Landing.objects.get()
    if standing != "open":
        hit.settle({"dismissed": "dismiss", "applied": "apply"}[standing])
    dice += [[6, 6, 6, 6]]
    hit.press("act-repeat")
    hit.play("anna", "undo", _event=Event.objects.get(act="repeat").pk)
    first.refresh_from_db()
    assert (first.state, Landing.objects.latest("pk").state) == (
        "dismissed" if standing == "dismissed" else "open", "dismissed")
    assert hit.life("ben") == 10


@pytest.mark.rule("DR-17")
def test_what_was_dismissed_before_fate_was_spent_stays_so_once_that_is_taken_back(struck, dice, monkeypatch):
    dice += [[9, 1]]
    struck.press("roll-duel-damage", threshold=5, weapon=0)
    back = Landing.objects.latest("pk")
    assert back.sheet == struck.sheets["anna"]
    Landing.objects.create(event=back.event, sheet=struck.sheets["ben"], act="damage", filled={"points": 1})
    struck.settle("dismiss", "anna", back.pk)
    paid = rethrown(struck, monkeypatch)
    struck.settle("back", "ben", paid.pk)
    assert list(back.event.landings.order_by("pk").values_list("state", flat=True)) == ["dismissed", "open"]


@pytest.mark.rule("CD-49")
def test_what_a_repeat_of_before_dismissed_is_open_again_once_that_is_taken_back(hit, dice):
    hit.have("anna", abilities=REPEAT)
    dice += [[6, 6, 6, 6]]
    hit.press("act-repeat")
    Landing.objects.update(repeated=False)
    known = MigrationLoader(None).disk_migrations["sheets", "0032_repeated_landings"]
    known.operations[1].code(apps, None)
    hit.play("anna", "undo", _event=Event.objects.get(act="repeat").pk)
    assert list(Landing.objects.order_by("pk").values_list("state", flat=True)) == ["open", "dismissed"]
