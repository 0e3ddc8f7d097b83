"""Rolls copied from a line of the log and as a whole turn, whose rolls have one address."""

import re
from uuid import uuid4

import pytest
from django.test import Client

from sheets.models import Event, Receipt, RollKey, TurnReceipt
from sheets.receipts.chain import check_log
from sheets.receipts.messages import encode
from sheets.receipts.services import remove_receipts
from tests.support.receipts import docs_verifier
from tests.support.sheets.fight import Fight

pytestmark = pytest.mark.django_db


@pytest.fixture
def fight(django_user_model):
    """A fight in which Anna has rolled once before her turn and twice in it."""
    made = Fight(django_user_model.objects)
    made.press()
    anna, ben = (str(made.sheets[who].pk) for who in ("anna", "ben"))
    before, after = ({"round": 1, "on": [who], "done": [], "held": []} for who in (ben, anna))
    Event.objects.create(party=made.party, scene=made.scene, key=uuid4(), widget="turn", title="Turn",
                         turn={"before": before, "after": after, "of": [ben]})
    made.press()
    made.press()
    return made


def turn_of(fight, number=2, who="anna"):
    answer = fight.browsers[who].post(f"/rolls/{Receipt.objects.get(number=number).token}/", {"do": "turn"})
    return answer, TurnReceipt.objects.first()


def place(number):
    return f"#{number} · {encode(bytes(Receipt.objects.get(number=number).link))[:8]}"


def test_a_turn_has_one_address_that_answers_a_list_of_receipts(fight):
    answer, turn = turn_of(fight)
    assert (answer.status_code, turn.numbers) == (302, [2, 3])
    assert turn_of(fight, 3)[1] == TurnReceipt.objects.get()
    found = fight.browsers["anna"].get(f"/rolls/{turn.token}.json").json()
    assert [one["number"] for one in found["receipts"]] == [2, 3]
    key = fight.browsers["anna"].get(f"/rolls/keys/{found['receipts'][0]['key']}.json").json()
    assert all(docs_verifier()["proved"](one, key) for one in found["receipts"])
    page = fight.browsers["anna"].get(f"/rolls/{turn.token}/").text
    assert all(place(number) in page for number in (2, 3))
    assert place(1) not in page


def test_rolls_before_any_turn_are_no_turn(fight):
    assert turn_of(fight, 1)[0].status_code == 404
    assert not TurnReceipt.objects.exists()


def test_a_line_of_the_log_is_copied_with_number_and_link(fight):
    event = Receipt.objects.get(number=2).event
    page = fight.browsers["anna"].get(f"/rolls/of/{event.pk}/copy/").text
    # Markdown marks an underscore of a link.
    assert page.replace("\\", "").count(place(2)) == 3
    assert 'value="turn"' in page
    assert Client().get(f"/rolls/of/{event.pk}/copy/").status_code == 404


def test_a_shared_turn_is_for_everybody_until_its_rolls_are_hidden_or_removed(fight):
    turn = turn_of(fight)[1]
    url, guest = f"/rolls/{turn.token}", Client()
    assert guest.get(f"{url}/").status_code == 404
    assert fight.browsers["ben"].post(f"{url}/", {"do": "share"}).status_code == 404
    fight.browsers["anna"].post(f"{url}/", {"do": "share"})
    page = guest.get(f"{url}/").text
    assert "og:title" in page
    assert "noindex" in page
    assert not any(one.token in page for one in Receipt.objects.all())
    Event.objects.filter(receipt__number=2).update(hidden=True)
    assert [one["number"] for one in guest.get(f"{url}.json").json()["receipts"]] == [3]
    Event.objects.exclude(roll="").update(hidden=True)
    assert [guest.get(f"{url}{end}").status_code for end in ("/", ".json")] == [404, 404]
    remove_receipts(Event.objects.all())
    assert [guest.get(f"{url}{end}").status_code for end in ("/", ".json")] == [410, 410]


def test_by_a_link_the_rolls_around_one_are_number_and_state_alone(fight):
    Receipt.objects.update(shared=True)
    one, other = Receipt.objects.filter(number__in=(2, 3)).order_by("number")
    assert other.token in fight.browsers["anna"].get(f"/rolls/{one.token}/").text
    page = Client(headers={"Accept-Language": "en"}).get(f"/rolls/{one.token}/").text
    assert other.token not in page
    assert re.search(r'<span class="muted">3</span>\s*<span class="muted">stands</span>', page)


def test_the_log_says_whether_a_roll_of_it_is_missing(fight):
    one = Receipt.objects.get(number=2)
    page = fight.browsers["anna"].get(f"/rolls/{one.token}/").text
    assert "No roll of this log is missing" in page
    Receipt.objects.filter(number=1).delete()
    assert check_log(one.log).broken == 2
    assert "from roll 2 on the links do not fit" in fight.browsers["anna"].get(f"/rolls/{one.token}/").text


def test_a_key_that_leaked_proves_nothing(fight):
    token = Receipt.objects.get(number=2).token
    RollKey.objects.update(ended="leaked")
    assert "Its key became known" in fight.browsers["anna"].get(f"/rolls/{token}/").text
    receipt = fight.browsers["anna"].get(f"/rolls/{token}.json").json()
    key = fight.browsers["anna"].get(f"/rolls/keys/{receipt['key']}.json").json()
    assert not docs_verifier()["proved"](receipt, key)
