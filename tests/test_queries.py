"""How often a request asks the database; the ends of transactions count like everything else."""

import uuid

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rulesets import systems
from sheets.models import Event, Notification, Sheet
from sheets.parties import services as parties
from tests.support.guest import Guest, example

pytestmark = pytest.mark.django_db

LIVE, PAGE, PRESS = 8, 12, 7
PAGES = ["/", "/drafts/{}/figure/", "/drafts/{}/values/", "/drafts/{}/attacks/", "/drafts/{}/abilities/?q=e",
         "/drafts/{}/finish/", "/sheets/{}/", "/sheets/", "/dice/condice/", "/rules/condice/",
         "/compare/condice/?a={0}&b={0}"]


@pytest.fixture(params=["guest", "account"], scope="module")
def juan(request, lasting_database):
    """Somebody at work on Juan, with a longer past than is kept."""
    users = get_user_model().objects
    made = Guest(example(), user=users.create_user("juan") if request.param == "account" else None)
    for life in range(30):
        made.post("values", life=str(life))
    return made


def asked(call, *arguments, **fields):
    """(answer, queries)."""
    with CaptureQueriesContext(connection) as found:
        answer = call(*arguments, **fields)
    return answer, [one["sql"][:90] for one in found]


@pytest.mark.parametrize(("slug", "fields"), [
    ("values", {"life": "6"}), ("values", {"life": "viele"}), ("attacks", {"attacks.0.dice": "9"}),
    ("figure", {"_name": "Don Juan"}), ("abilities", {"abilities.1.fields": "2"}), ("values", {}),
])
def test_a_live_change_asks_the_database_at_most_eight_times(juan, slug, fields):
    answer, queries = asked(juan.post, slug, fields, htmx=True, version=31)
    assert answer.status_code == 200
    assert len(queries) <= LIVE, queries


@pytest.mark.parametrize("do", ["add:attacks", "more:life", "drop:attacks.0", "redo:", "undo:"])
def test_a_button_asks_the_database_at_most_eight_times(juan, do):
    answer, queries = asked(juan.post, "values", do=do, htmx=True, version=31)
    assert answer.status_code == 200
    assert len(queries) <= LIVE, queries


def test_typing_on_asks_the_database_no_more_often_than_a_change(juan):
    juan.post("figure", _name="D", htmx=True)
    answer, queries = asked(juan.post, "figure", _name="Do", htmx=True, version=32)
    assert answer.status_code == 200
    assert len(queries) <= LIVE - 2, queries


def test_a_roll_asks_the_database_at_most_seven_times_and_who_and_of_which_party_once_more_each(juan):
    answer, queries = asked(juan.client.post, f"/sheets/{juan.pk}/play/", {
        "w": "roll-attack-attacks-0", "defence": "0", "_press": str(uuid.uuid4())})
    assert answer.status_code == 302
    assert len(queries) <= PRESS + 2 * bool(juan.sheet.owner_id), queries


@pytest.mark.parametrize("address", PAGES)
def test_a_page_asks_the_database_at_most_twelve_times(juan, address):
    Event.objects.bulk_create(Event(sheet_id=juan.pk, key=uuid.uuid4(), widget="x", title="x") for _number in range(40))
    own = {key: getattr(juan.sheet, key) for key in ("owner", "guest", "ruleset", "data")}
    Sheet.objects.bulk_create(Sheet(**own) for _number in range(40))
    answer, queries = asked(juan.client.get, address.format(juan.pk))
    assert answer.status_code == 200
    assert len(queries) <= PAGE, queries


@pytest.fixture(params=["gm", "player"], scope="module")
def run(request, lasting_database):
    """Somebody in a party with many members and sheets, some laid out; (browser, party, sheet)."""
    users = [get_user_model().objects.create_user(f"{request.param}{number}") for number in range(40)]
    party = parties.found_party(users[0], "Die Runde", systems()["condice"])
    for user in users[1:]:
        parties.join_party(party, user)
    document = example()
    Sheet.objects.bulk_create(
        Sheet(owner=users[number % 40], party=party if number < 120 else None, ruleset="condice", name=f"{number}",
              data=document["data"], seen_by="party", offered=number % 4 == 0) for number in range(160))
    party.invitation, party.house = request.param, {"budget": 31}
    party.save()
    me = users[request.param == "player"]
    Notification.objects.bulk_create(
        Notification(user=me, who=user, kind="joined", data={"party": "Die Runde"}, url="/") for user in users)
    made = Guest(user=me)
    return made.client, party, party.sheets.filter(owner=users[2], offered=False).first()


@pytest.mark.parametrize("address", ["/parties/", "/parties/{party.pk}/", "/parties/{party.pk}/house/",
                                     "/parties/{party.pk}/ready/", "/parties/{party.pk}/leave/", "/sheets/{sheet}/",
                                     "/sheets/", "/notifications/", "/join/{party.invitation}/"])
def test_a_page_of_a_party_asks_the_database_at_most_twelve_times(run, address):
    client, party, sheet = run
    answer, queries = asked(client.get, address.format(party=party, sheet=sheet.pk))
    assert answer.status_code == 200
    assert len(queries) <= PAGE, queries


def test_a_preview_of_house_rules_asks_the_database_at_most_twelve_times(run):
    client, party, _sheet = run
    answer, queries = asked(client.post, f"/parties/{party.pk}/house/", {"_version": 1, "budget": 40})
    assert answer.status_code in (200, 404)
    assert len(queries) <= PAGE, queries
