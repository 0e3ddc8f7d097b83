"""A database that is copied back: a page that knows of a later roll shows it with its next press, and the key ends."""

import re
import uuid
from html import unescape

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from django.contrib.auth import get_user_model
from django.core.signing import Signer
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sheets.models import Event, Party, Receipt, RollKey, Scene
from sheets.parties.scenes import call_off_scene
from sheets.receipts import services
from sheets.receipts.keys import BITS, EXPONENT
from sheets.receipts.services import key_in_use, remove_receipts
from sheets.stage import known_rolls
from tests.support.guest import Guest, example
from tests.support.sheets.fight import ATTACK
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.django_db
POOL = 4
HTMX = {"HX-Request": "true"}
SAID = "the site was put back to an earlier state"


@pytest.fixture(scope="module")
def pool():
    """Private keys; making one takes its time."""
    return [generate_private_key(EXPONENT, BITS) for _number in range(POOL)]


@pytest.fixture(autouse=True)
def new_keys(pool, monkeypatch):
    made = iter(pool)
    monkeypatch.setattr(services.keys, "make", lambda: next(made))


@pytest.fixture
def table(django_user_model):
    key_in_use()
    return RoundTable(django_user_model.objects)


@pytest.fixture
def alone(db):
    """Somebody with a sheet in no party, who has rolled three times."""
    key_in_use()
    guest = Guest(example(), user=get_user_model().objects.create_user("juan"))
    for _time in range(3):
        guest.client.post(f"/sheets/{guest.pk}/play/", attack())
    return guest


def attack(known="", *, scripts=False, **fields):
    """The form of an attack, of a page that knows of this last roll."""
    key = str(uuid.uuid4())
    known = {"_press": key, "_known_roll": known} if scripts else {"_press": f"{key}.{known}" if known else key}
    return {"w": ATTACK, "defence": "0", "extra_dice": "0", **known, **fields}


def known_in(page):
    """The last roll that a page knows of: scripts find the same as each form has."""
    element = re.search(r'id="known-roll" value="([^"]*)"', page)[1]
    forms = {one.partition(".")[2] for one in re.findall(r'name="_press" value="([^"]*\.[^"]*)"', page)}
    assert forms == ({element} if element else set())
    return unescape(element)


def copied_back(number, pulse=None):
    """The database as it was after so many rolls of each log."""
    Receipt.objects.filter(number__gt=number).delete()
    Scene.objects.update(rolls=number)
    if pulse is not None:
        Scene.objects.all().delete()
        Party.objects.update(pulse=pulse)


def play(table, known="", who="anna", **fields):
    by = {"_by": table.sheets[who].pk, "_at": "-"}
    return table.browsers[who].post(f"{table.address}play/", attack(known, **by, **fields))


def reasons():
    return [*RollKey.objects.order_by("number").values_list("ended", flat=True)]


@pytest.mark.parametrize("scripts", [False, True])
def test_a_press_that_knows_of_a_roll_that_is_gone_does_nothing_and_ends_the_key_once(alone, scripts):
    address = f"/sheets/{alone.pk}/"
    known = known_in(alone.client.get(address).text)
    copied_back(2)
    before, press = Event.objects.count(), attack(known, scripts=scripts)
    for _time in range(2):
        answer = alone.client.post(f"{address}play/", press, headers=HTMX if scripts else {})
        assert (answer.status_code, SAID in answer.text, 'id="table"' in answer.text) == (409, True, True)
        assert answer["HX-Retarget"] == "#table"
        assert ("<html" in answer.text) is not scripts
        assert (Event.objects.count(), reasons()) == (before, ["put-back", ""])
    assert RollKey.objects.get(number=1).sealed is None
    # A page drawn now knows the log as it is.
    known = known_in(answer.text)
    assert alone.client.post(f"{address}play/", attack(known)).status_code == 302
    assert [one.key.number for one in Receipt.objects.order_by("number")] == [1, 1, 2]


def test_another_roll_of_the_same_number_is_noticed_by_its_link(alone):
    known = known_in(alone.client.get(f"/sheets/{alone.pk}/").text)
    Receipt.objects.filter(number=3).update(link=bytes(32))
    assert alone.client.post(f"/sheets/{alone.pk}/play/", attack(known)).status_code == 409
    assert reasons() == ["put-back", ""]


def test_it_is_noticed_once_more_if_it_is_put_back_once_more(alone):
    address = f"/sheets/{alone.pk}/"
    for number in (2, 3):
        alone.client.post(f"{address}play/", attack())
        known = known_in(alone.client.get(address).text)
        copied_back(number)
        assert alone.client.post(f"{address}play/", attack(known)).status_code == 409
        alone.client.post(f"{address}play/", attack())
    assert reasons() == ["put-back", "put-back", ""]


def test_removed_rolls_have_their_number_and_are_not_missing(alone):
    known = known_in(alone.client.get(f"/sheets/{alone.pk}/").text)
    rolls = Event.objects.exclude(roll="")
    remove_receipts(rolls)
    rolls.delete()
    assert alone.client.post(f"/sheets/{alone.pk}/play/", attack(known)).status_code == 302
    assert reasons() == [""]


@pytest.mark.parametrize("forge", [
    lambda known: "", lambda known: known[:-1] + ("A" if known[-1] != "A" else "B"),
    lambda known: known.replace("~3~", "~9~"), lambda known: known.rpartition(":")[0], lambda known: "3",
    lambda known: Signer(salt="another").sign(known.rpartition(":")[0]),
    lambda known: Signer(salt=f"{known_rolls.SALT}.{uuid.uuid4()}").sign(known.rpartition(":")[0]),
    lambda known: "é\0" * 9])
def test_what_this_page_was_not_given_is_ignored(alone, forge):
    known = forge(known_in(alone.client.get(f"/sheets/{alone.pk}/").text))
    copied_back(2)
    assert alone.client.post(f"/sheets/{alone.pk}/play/", attack(known)).status_code == 302
    assert reasons() == [""]


def test_what_is_signed_in_an_older_form_is_ignored(alone):
    known = Signer(salt=f"{known_rolls.SALT}.{alone.pk}").sign(f"sheet:{alone.pk}~9~AAAAAAAA")
    assert alone.client.post(f"/sheets/{alone.pk}/play/", attack(known)).status_code == 302
    assert reasons() == [""]


@pytest.mark.parametrize("scripts", [False, True])
def test_at_the_table_it_is_the_scene_that_counts(table, scripts):
    for _time in range(3):
        play(table)
    known = known_in(table.read("anna").text)
    assert known.startswith("scene:")
    assert play(table, known).status_code == 302
    copied_back(2)
    answer = table.browsers["anna"].post(f"{table.address}play/", attack(
        known, scripts=scripts, _by=table.sheets["anna"].pk, _at="-"), headers=HTMX if scripts else {})
    assert (answer.status_code, SAID in answer.text, 'id="party-table"' in answer.text) == (409, True, True)
    assert answer["HX-Retarget"] == "#party-table"
    assert (Receipt.objects.count(), reasons()) == (2, ["put-back", ""])


def test_a_sheet_in_an_open_scene_carries_the_scenes_log_on_its_own_page(table):
    address = f"/sheets/{table.sheets['anna'].pk}/"
    table.play("anna", ATTACK, defence="0", extra_dice="0")
    assert known_in(table.own("anna").text).startswith("sheet:")
    for _time in range(2):
        play(table, who="ben")
    known = known_in(table.own("anna").text)
    assert known.startswith("scene:")
    copied_back(1)
    assert table.browsers["anna"].post(f"{address}play/", attack(known)).status_code == 409


@pytest.mark.parametrize(("button", "fields"), [
    ("throw:open", {"w": "roll-success", "dice": "3"}), ("throw:hidden", {"w": "roll-success", "dice": "3"}),
    ("round", {"w": "act-initiative"}), ("turn:begin", {})])
def test_rolls_of_gms_for_all_and_their_own_are_stopped_too(table, button, fields):
    for _time in range(2):
        table.do("throw:open", w="roll-success", dice="3")
    known = known_in(table.browsers["gm"].get(f"{table.address}?tools=dice").text)
    copied_back(1)
    address = f"{table.address}play/" if button.startswith("turn") else table.address
    answer = table.browsers["gm"].post(address, {"do": button, "_press": f"{uuid.uuid4()}.{known}", **fields})
    assert (answer.status_code, Receipt.objects.count(), reasons()) == (409, 1, ["put-back", ""])


def test_a_scene_that_is_gone_was_put_back_unless_it_was_called_off(table):
    pulse = table.stored.pulse
    play(table)
    play(table)
    known = known_in(table.read("anna").text)
    copied_back(0, pulse=pulse)
    assert play(table, known).status_code == 409
    play(table)
    play(table)
    known = known_in(table.read("anna").text)
    call_off_scene(table.stored, table.stored.scene, table.users["gm"])
    assert not Receipt.objects.filter(log__startswith="scene:").exists()
    assert play(table, known).status_code == 302
    assert reasons() == ["put-back", ""]


def test_who_has_left_the_party_ends_no_key_with_what_they_had_of_its_scene(table):
    play(table)
    play(table)
    known = known_in(table.own("anna").text)
    sheet = table.sheet("anna")
    sheet.party = None
    sheet.save()
    table.stored.delete()
    assert table.browsers["anna"].post(f"/sheets/{sheet.pk}/play/", attack(known)).status_code == 302
    assert reasons() == [""]


def test_strangers_are_told_nothing_and_end_no_key(table):
    play(table)
    play(table)
    known = known_in(table.read("anna").text)
    copied_back(1)
    table.party.members.filter(user=table.users["ben"]).delete()
    assert play(table, known, who="ben").status_code == 404
    assert reasons() == [""]


def test_the_pieces_after_a_press_bring_the_roll_that_was_made(table):
    play(table)
    page = table.read("anna").text
    fields = attack(known_in(page), scripts=True, _by=table.sheets["anna"].pk, _at="-",
                    _since=table.now("anna"))
    fields["_rows"] = re.search(r'name="_rows" value="([^"]*)"', page)[1]
    answer = table.browsers["anna"].post(f"{table.address}play/", fields, headers=HTMX)
    assert 'id="party-table"' not in answer.text
    assert re.search(r'id="known-roll" value="([^"~]*)~(\d+)~', answer.text)[2] == "2"
    assert unescape(re.search(r'id="known-roll" value="([^"]*)"', answer.text)[1]) == known_in(table.read("anna").text)


def test_it_costs_a_press_one_query_more_and_those_who_only_read_none(alone):
    address, asked = f"/sheets/{alone.pk}/play/", []
    known = known_in(alone.client.get(f"/sheets/{alone.pk}/").text)
    for one in ("", "", known):
        with CaptureQueriesContext(connection) as queries:
            assert alone.client.post(address, attack(one)).status_code == 302
        asked.append(len(queries))
    assert asked[2] == asked[1] + 1
