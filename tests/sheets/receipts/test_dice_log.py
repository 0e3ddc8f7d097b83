"""The dice pages of somebody signed in: their rolls are numbered and signed in a log of their own; guests' are not."""

import re

import pytest
from django.test import Client

from rulesets import systems
from sheets.models import DiceLog, Event, Receipt
from tests.support.receipts import docs_verifier
from tests.support.sheets.table_people import browser_of

pytestmark = pytest.mark.django_db
PAGE, SAMPLE = "/dice/condice/", "/samples/condice/juan/"
NONCE = "AAAAAAAAAAAAAAAAAAAAAA"
PRESS = "11111111-2222-4333-8444-555555555555"


@pytest.fixture
def client(django_user_model):
    return browser_of(django_user_model.objects, "anna")[1]


def roll(client, page=PAGE, htmx=False, **fields):
    headers = {"HX-Request": "true"} if htmx else {}
    return client.post(page, {"w": "roll-attack", "dice": "4", **fields}, headers=headers)


def test_a_roll_on_a_dice_page_has_a_number_and_a_proof(client, django_user_model):
    for number in (1, 2):
        page = client.get(roll(client, _press=f"{number:032x}", _nonce=NONCE)["Location"])
        assert f"Roll {number} · receipt" in page.text
    first, second = Receipt.objects.order_by("number")
    user = django_user_model.objects.get()
    assert (first.log, first.made_by, first.nonce, first.number) == (f"person:{user.dice_log.pk}", user, NONCE, 1)
    assert [die[2] for die in second.dice] == [die.face for pool in page.context["tray"].dice for die in pool]
    assert first.rolled.keys() == {"ruleset", "rules", "roll", "parameters"}
    assert Event.objects.count() == 0
    body = client.get(f"/rolls/{second.token}.json").json()
    assert docs_verifier()["proved"](body, client.get(f"/rolls/keys/{body['key']}.json").json())
    assert (body["says"]["state"], body["says"]["count"]) == ("stands", 2)
    assert body["says"]["text"] in client.get(f"/rolls/{second.token}/").text


def test_the_answer_to_htmx_links_to_the_receipt(client):
    answer = roll(client, htmx=True, _press=PRESS)
    assert re.search(r'href="/rolls/([\w-]{22})/">Roll 1 · receipt<', answer.text)[1] == Receipt.objects.get().token


def test_rolls_on_a_sample_are_in_the_same_log(client):
    roll(client, _press=PRESS)
    page = client.get(SAMPLE)
    key = next(card.widget.key for card in page.context["cards"] if card.widget.key.startswith("roll-attack"))
    assert roll(client, SAMPLE, w=key, _press=f"{1:032x}").status_code == 302
    assert [one.number for one in Receipt.objects.filter(dice_log=DiceLog.objects.get()).order_by("number")] == [1, 2]


def test_what_follows_from_a_roll_has_a_press_key_and_a_receipt_of_its_own(client):
    page = client.get(roll(client, "/dice/daemmersturm/", w="roll-targets", range="2-2", _press=PRESS)["Location"])
    form = re.search(r'<form class="tray-follow.*?</form>', page.text, re.DOTALL)[0]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    assert fields["fell"]
    assert fields["_press"]
    client.post("/dice/daemmersturm/", {**fields, "range": "3-3", "rolls": "1", "critical": "0"})
    assert Receipt.objects.count() == 2


@pytest.mark.parametrize("htmx", [True, False])
def test_the_same_press_sent_twice_is_one_roll_with_the_same_dice(client, htmx):
    first, second = (roll(client, htmx=htmx, _press=PRESS, _nonce=nonce) for nonce in (NONCE, NONCE[:-1] + "Q"))
    receipt = Receipt.objects.get()
    assert (receipt.number, receipt.nonce) == (1, NONCE)
    where = "HX-Replace-Url" if htmx else "Location"
    faces = [client.get(answer[where].partition("#")[0]).context["tray"].dice for answer in (first, second)]
    assert faces[0] == faces[1]


def test_the_key_of_a_press_makes_no_other_roll(client):
    roll(client, _press=PRESS, _nonce=NONCE)
    for htmx in (True, False):
        answer = roll(client, htmx=htmx, _press=PRESS, _nonce=NONCE, dice="5")
        assert answer["HX-Redirect" if htmx else "Location"] == PAGE
    assert Receipt.objects.count() == 1
    assert "already done" in client.get(PAGE).text


def test_two_people_press_with_the_same_key_into_logs_of_their_own(client, django_user_model):
    other = browser_of(django_user_model.objects, "ben")[1]
    for one in (client, other):
        roll(one, _press=PRESS)
    assert [*Receipt.objects.values_list("number", flat=True)] == [1, 1]
    assert Receipt.objects.values("log", "token").distinct().count() == 2


def test_guests_roll_without_a_log_and_are_told_so(db, django_assert_num_queries):
    guest = Client(headers={"Accept-Language": "en"})
    told = "Guests’ rolls are not logged and have no receipt."
    with django_assert_num_queries(0):
        answer = roll(guest, htmx=True, _press=PRESS, _nonce=NONCE)
    assert told in answer.text
    assert told in guest.get(PAGE).text
    assert told in guest.get(SAMPLE).text
    assert not Receipt.objects.exists()
    assert not DiceLog.objects.exists()


def test_members_are_not_told_what_holds_for_guests(client):
    assert "not logged" not in client.get(PAGE).text


def test_a_roll_that_breaks_once_it_has_its_number_stays_as_a_refused_one(client, monkeypatch):
    monkeypatch.setattr("sheets.models.Receipt.note_dice", lambda *_args: 1 // 0)
    client.raise_request_exception = False
    assert roll(client, _press=PRESS).status_code == 500
    receipt = Receipt.objects.get()
    assert (receipt.number, receipt.outcome) == (1, None)
    assert client.get(f"/rolls/{receipt.token}/").status_code == 404


@pytest.mark.parametrize("slug", sorted(systems()))
def test_every_roll_of_a_dice_page_has_a_proof_and_its_text_on_the_receipt(client, slug):
    cards = client.get(f"/dice/{slug}/").context["cards"]
    for number, card in enumerate(one for one in cards if one.widget.complete):
        given = card.widget.complete.model_dump(mode="json")
        roll(client, f"/dice/{slug}/", w=card.widget.press_value, _press=f"{number:032x}",
             **{key: value for key, value in given.items() if isinstance(value, int | str)})
    receipts = Receipt.objects.all()
    assert receipts
    for receipt in receipts:
        body = client.get(f"/rolls/{receipt.token}.json").json()
        assert docs_verifier()["proved"](body, client.get(f"/rolls/keys/{body['key']}.json").json())
        assert body["says"]["text"]
        assert client.get(f"/rolls/{receipt.token}/").context["tray"].outcome
