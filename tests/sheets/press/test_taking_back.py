"""What taking something back brings back at a party's table, and what it does not."""

import io
import uuid
import zipfile

import pytest
from django.apps import apps
from django.db.migrations.loader import MigrationLoader

from sheets.models import Event, PendingEffect
from tests.support.guest import text_of
from tests.support.sheets.fight import fallen_again, kept

REPEAT = [{"ability": "wurf-wiederholen", "range": 0}]


def rethrown(struck, monkeypatch, key=None, face=5):
    """Ben has the die that is his thrown once more; what he did for it."""
    fallen_again(monkeypatch, face)
    struck.settle("rethrow", number=PendingEffect.objects.filter(state="open").latest("pk").pk, key=key)
    return Event.objects.filter(sheet=struck.sheets["ben"]).latest("pk")


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


@pytest.mark.rule("DR-17")
def test_who_takes_fate_back_and_spends_it_after_all_has_the_die_that_fell(struck, monkeypatch):
    for face in (5, 8):
        struck.settle("back", "ben", rethrown(struck, monkeypatch, face=face).pk)
    assert [one.thrown for one in Event.objects.filter(again__isnull=False)] == [[2, 5], [2, 5]]
    # Whoever attacked has a die of their own.
    fallen_again(monkeypatch, 4)
    struck.press("act-repeat")
    assert Event.objects.latest("pk").thrown == [4, 9]


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
    first = PendingEffect.objects.get()
    if standing != "open":
        hit.settle({"dismissed": "dismiss", "applied": "apply"}[standing])
    dice += [[6, 6, 6, 6]]
    hit.press("act-repeat")
    hit.play("anna", "undo", _event=Event.objects.get(act="repeat").pk)
    first.refresh_from_db()
    assert (first.state, PendingEffect.objects.latest("pk").state) == (
        "dismissed" if standing == "dismissed" else "open", "dismissed")
    assert hit.life("ben") == 10


@pytest.mark.rule("DR-17")
def test_what_was_dismissed_before_fate_was_spent_stays_so_once_that_is_taken_back(struck, dice, monkeypatch):
    dice += [[9, 1]]
    struck.press("roll-duel-damage", threshold=5, weapon=0)
    back = PendingEffect.objects.latest("pk")
    assert back.sheet == struck.sheets["anna"]
    PendingEffect.objects.create(event=back.event, sheet=struck.sheets["ben"], act="damage", filled={"points": 1})
    struck.settle("dismiss", "anna", back.pk)
    paid = rethrown(struck, monkeypatch)
    struck.settle("back", "ben", paid.pk)
    assert list(back.event.pending_effects.order_by("pk").values_list("state", flat=True)) == ["dismissed", "open"]


@pytest.mark.rule("CD-49")
def test_what_a_repeat_of_before_dismissed_is_open_again_once_that_is_taken_back(hit, dice):
    hit.have("anna", abilities=REPEAT)
    dice += [[6, 6, 6, 6]]
    hit.press("act-repeat")
    PendingEffect.objects.update(repeated=False)
    loader = MigrationLoader(None)
    before = loader.project_state([("sheets", "0045_messages")]).apps
    loader.disk_migrations["sheets", "0032_repeated_landings"].operations[1].code(before, None)
    hit.play("anna", "undo", _event=Event.objects.get(act="repeat").pk)
    assert list(PendingEffect.objects.order_by("pk").values_list("state", flat=True)) == ["open", "dismissed"]


def move(table, who, word="drop"):
    """Somebody takes the own sheet out of the party, or brings it in."""
    answer = table.browsers[who].post(f"/sheets/{table.sheets[who].pk}/place/", {"do": word, "party": table.party.pk})
    assert answer.status_code == 302


def given(table):
    """Anna has given life to Ben; what she lost for it."""
    for who in ("anna", "ben"):
        table.have(who, life=5, abilities=[{"ability": "leben-transferieren", "life_points": 4, "range": 0}])
    table.play("ben", "act-damage", points=6, against="nothing")
    table.press("act-give-life-abilities-0", points=3)
    table.settle("apply")
    return Event.objects.get(act="pay-life")


@pytest.mark.rule("CD-29")
@pytest.mark.parametrize(("leaver", "why"), [
    ("anna", "That was done in another party or in none, so it stays."),
    ("ben", "no longer at this table, so it stays")])
def test_what_two_did_is_taken_back_of_neither_once_one_of_them_has_left(table, leaver, why):
    event = given(table)
    move(table, leaver)
    before = kept()
    table.play("anna", "undo", _event=event.pk)
    assert why in text_of(table.own("anna"))
    assert kept() == before
    assert ("take-back" in table.own("anna").text) is (leaver == "ben")
    # Back at the table both go on where they were.
    move(table, leaver, "bring")
    table.play("anna", "undo", _event=event.pk)
    assert (table.life("anna"), table.life("ben")) == (table.full("anna"), table.full("ben") - 6)


@pytest.mark.rule("CD-29")
def test_what_two_did_in_a_party_that_has_ended_stays(table):
    event = given(table)
    table.party.delete()
    before = kept()
    table.play("anna", "undo", _event=event.pk)
    assert kept() == before


@pytest.mark.parametrize("first", ["drop", "bring"])
def test_what_was_done_in_a_party_stays_outside_and_the_other_way_round(table, first):
    if first == "bring":
        move(table, "anna")
    table.play("anna", "act-damage", points=1, against="nothing")
    event = Event.objects.get()
    move(table, "anna", first)
    assert "take-back" not in table.own("anna").text
    table.play("anna", "undo", _event=event.pk)
    event.refresh_from_db()
    assert not event.undone


@pytest.mark.rule("CD-49")
@pytest.mark.parametrize(("leaver", "why"), [
    ("anna", "That roll was made in another party or in none"), ("ben", "is no longer at this table")])
def test_a_roll_is_repeated_where_it_was_made_and_while_all_are_there_whom_it_met(hit, leaver, why):
    hit.have("anna", abilities=REPEAT)
    hit.settle("apply")
    move(hit, leaver)
    before = kept()
    hit.play("anna", "act-repeat")
    assert why in text_of(hit.own("anna"))
    assert kept() == before
