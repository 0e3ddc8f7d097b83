"""A roll that is shared: who may share it, and what everybody with its link sees of it, for as long as that lasts."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from rulesets import systems
from sheets.models import Event, Receipt, Sheet
from sheets.receipts.services import remove_receipts
from tests.support.sheets.fight import ATTACK
from tests.support.sheets.table_people import RoundTable, browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(django_user_model):
    """A party whose browsers are joined by a stranger's, signed in, and by a guest's."""
    made = RoundTable(django_user_model.objects)
    _user, made.browsers["stranger"] = browser_of(django_user_model.objects, "stranger")
    made.browsers["guest"] = Client(headers={"Accept-Language": "en"})
    return made


def roll_of_sheet(table):
    return press(table, "anna", table.sheets["anna"])


def roll_of_opponent(table):
    foe = Sheet.objects.create(owner=table.users["gm"], party=table.party, ruleset="condice", opponent=True,
                               name="Troll", data=systems()["condice"].examples["juan"]["data"])
    return press(table, "gm", foe)


def press(table, who, sheet, at=None):
    aim = {"_at": at.pk} if at else {"defence": "3"}
    answer = table.browsers[who].post(f"{table.address}play/", {
        "w": ATTACK, "_press": f"{7:032x}", "_by": sheet.pk, "extra_dice": "0", **aim})
    assert answer.status_code == 302
    return Receipt.objects.get()


def roll_of_gm(table):
    table.do("throw:open", w="roll-success", dice="3")
    return Receipt.objects.get()


def roll_of_person(table):
    table.browsers["anna"].post("/dice/condice/", {"w": "roll-attack", "dice": "4", "_press": f"{7:032x}"})
    return Receipt.objects.get()


def share(table, who, receipt, do="share"):
    return table.browsers[who].post(f"/rolls/{receipt.token}/", {"do": do}).status_code


def seen_by(table, receipt):
    """Return the names of those who read a receipt; its page and its JSON are for the same."""
    found = []
    for who, browser in table.browsers.items():
        page, body = (browser.get(f"/rolls/{receipt.token}{end}").status_code for end in ("/", ".json"))
        assert page == body
        found += [who] if page == 200 else []
    return {*found}


PARTY = {"gm", "helper", "anna", "ben"}
ROLLS = [
    (roll_of_sheet, PARTY, {"anna"}),
    (roll_of_opponent, PARTY, {"gm", "helper"}),
    (roll_of_gm, PARTY, {"gm", "helper"}),
    (roll_of_person, {"anna"}, {"anna"}),
]


@pytest.mark.parametrize(("make", "readers", "sharers"), ROLLS)
def test_those_who_may_share_a_roll_show_it_to_everybody_and_stop_that_again(table, make, readers, sharers):
    receipt = make(table)
    assert seen_by(table, receipt) == readers
    for who in table.browsers:
        assert share(table, who, receipt) == (302 if who in sharers else 404), who
        assert seen_by(table, receipt) == ({*table.browsers} if who in sharers else readers), who
        offers = [f'name="do" value="{do}"' in table.browsers[who].get(f"/rolls/{receipt.token}/").text
                  for do in ("share", "stop")]
        assert offers == [False, who in sharers]
        if who in sharers:
            other = next(one for one in table.browsers if one not in sharers)
            assert share(table, other, receipt, "stop") == 404
            assert share(table, who, receipt, "stop") == 302
    assert seen_by(table, receipt) == readers


@pytest.mark.parametrize(("make", "readers", "sharers"), ROLLS)
def test_a_shared_roll_is_open_to_other_pages_and_to_previews_only_while_it_is_shared(table, make, readers, sharers):
    receipt = make(table)
    url, reader = f"/rolls/{receipt.token}.json", table.browsers[min(sharers)]
    assert "Access-Control-Allow-Origin" not in reader.get(url)
    assert "og:title" not in reader.get(f"/rolls/{receipt.token}/").text
    share(table, min(sharers), receipt)
    answer, page = Client().get(url), table.browsers["guest"].get(f"/rolls/{receipt.token}/").text
    assert (answer["Access-Control-Allow-Origin"], answer["X-Robots-Tag"]) == ("*", "noindex")
    assert '<meta name="robots" content="noindex">' in page
    title, said = (re.search(f'property="og:{name}" content="([^"]*)"', page)[1] for name in ("title", "description"))
    assert title.endswith("ConDice")
    assert said
    words = re.sub("<[^>]*>", " ", page)
    assert not re.search(r"\b(anna|gm|Die Runde)\b", words)


@pytest.mark.parametrize("make", [roll_of_sheet, roll_of_opponent])
def test_a_shared_roll_is_gone_for_strangers_with_its_sheet_in_the_bin(table, make):
    receipt = make(table)
    Receipt.objects.update(shared=True)
    assert {"stranger", "guest"} <= seen_by(table, receipt)
    Sheet.objects.filter(pk=receipt.event.sheet_id).update(deleted=timezone.now())
    assert not {"stranger", "guest"} & seen_by(table, receipt)
    assert "Access-Control-Allow-Origin" not in Client().get(f"/rolls/{receipt.token}.json")


def test_a_hidden_roll_is_shared_once_it_is_shown_and_gone_when_hidden_again(table):
    table.do("throw:hidden", w="roll-success", dice="3")
    receipt = Receipt.objects.get()
    assert share(table, "gm", receipt) == 302
    assert not Receipt.objects.get().shared
    assert "cannot be shared" in table.browsers["gm"].get(f"/rolls/{receipt.token}/").text
    table.do(f"reveal:{receipt.event_id}")
    share(table, "gm", receipt)
    assert seen_by(table, receipt) == {*table.browsers}
    Event.objects.update(hidden=True)
    assert seen_by(table, receipt) == {"gm", "helper"}
    assert "Access-Control-Allow-Origin" not in table.browsers["gm"].get(f"/rolls/{receipt.token}.json")
    page = table.browsers["gm"].get(f"/rolls/{receipt.token}/").text
    assert "not everybody may see it now" in page
    assert 'value="stop"' in page


def test_dice_that_not_everybody_sees_are_not_shared(table):
    receipt = roll_of_sheet(table)
    Receipt.objects.update(shared=True)
    event = receipt.event
    Event.objects.update(veiled={"faces": event.faces}, faces=event.faces[:1], aimed_at={
        str(table.sheets["ben"].pk): "Ben"})
    assert not {"stranger", "guest"} & seen_by(table, receipt)
    opponent = Event.objects.get()
    Sheet.objects.filter(pk=opponent.sheet_id).update(opponent=True)
    assert not {"stranger", "guest"} & seen_by(table, receipt)


def test_a_removed_roll_answers_that_it_is_gone(table):
    receipt = roll_of_sheet(table)
    share(table, "anna", receipt)
    remove_receipts(Event.objects.all())
    for browser in table.browsers.values():
        assert [browser.get(f"/rolls/{receipt.token}{end}").status_code for end in ("/", ".json")] == [410, 410]
        assert browser.get(f"/rolls/{Receipt.objects.get().token}/").status_code == 404
    assert share(table, "anna", receipt) == 410
    assert not Receipt.objects.get().shared


def test_a_shared_roll_tells_strangers_no_name_that_they_may_not_know(table):
    receipt = press(table, "anna", table.sheets["anna"], at=table.sheets["ben"])
    share(table, "anna", receipt)
    assert "Ben" in table.browsers["gm"].get(f"/rolls/{receipt.token}/").text
    assert "Ben" not in table.browsers["guest"].get(f"/rolls/{receipt.token}/").text


def test_of_an_opponent_strangers_see_no_more_than_the_players(table):
    receipt = roll_of_opponent(table)
    share(table, "gm", receipt)
    texts = [table.browsers[who].get(f"/rolls/{receipt.token}.json").json()["says"]["text"] for who in ("ben", "guest")]
    assert texts[0] == texts[1]
    assert "Troll" in table.browsers["guest"].get(f"/rolls/{receipt.token}/").text


def test_a_guest_shares_the_roll_of_a_sheet_of_theirs(table):
    guest, sheet = table.browsers["guest"], table.sheets["anna"]
    guest.post("/build/condice/")
    own = Sheet.objects.get(owner=None)
    Sheet.objects.filter(pk=own.pk).update(data=sheet.data, name="Juan")
    guest.post(f"/sheets/{own.pk}/play/", {"w": ATTACK, "_press": f"{7:032x}", "defence": "3", "extra_dice": "0"})
    receipt = Receipt.objects.get()
    assert seen_by(table, receipt) == {"guest"}
    assert [share(table, who, receipt) for who in ("stranger", "guest")] == [404, 302]
    assert seen_by(table, receipt) == {*table.browsers}


def test_sharing_needs_the_token_of_the_page(table):
    receipt = roll_of_sheet(table)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(table.users["anna"])
    assert strict.post(f"/rolls/{receipt.token}/", {"do": "share"}).status_code == 403
    assert share(table, "anna", receipt, "burn") == 404
    assert not Receipt.objects.get().shared
