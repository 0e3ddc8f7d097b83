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

LIVE, PAGE, PRESS = 8, 12, 10
PAGES = ["/", "/drafts/{}/figure/", "/drafts/{}/values/", "/drafts/{}/attacks/", "/drafts/{}/abilities/?q=e",
         "/drafts/{}/finish/", "/sheets/{}/", "/sheets/{}/luck/", "/sheets/", "/dice/condice/", "/rules/condice/",
         "/compare/condice/?a={0}&b={0}"]


@pytest.fixture(params=["guest", "account"], scope="module")
def juan(request, lasting_database):
    """Somebody at work on Juan, with a longer past than is kept."""
    users = get_user_model().objects
    made = Guest(example(), user=users.create_user("juan") if request.param == "account" else None)
    for life in range(30):
        made.post("values", life=str(life))
    return made


def assert_asks(most, statuses, call, *arguments, **fields):
    """An answer of one of these statuses asks the database at most so often."""
    with CaptureQueriesContext(connection) as found:
        answer = call(*arguments, **fields)
    queries = [one["sql"][:90] for one in found]
    assert answer.status_code in statuses
    assert len(queries) <= most, queries


@pytest.mark.every_case
@pytest.mark.parametrize(("slug", "fields"), [
    ("values", {"life": "6"}), ("values", {"life": "viele"}), ("attacks", {"attacks.0.dice": "9"}),
    ("figure", {"_name": "Don Juan"}), ("abilities", {"abilities.1.fields": "2"}), ("values", {}),
    *(("values", {"do": do}) for do in ("add:attacks", "more:life", "drop:attacks.0", "redo:", "undo:")),
])
def test_a_live_change_and_a_button_ask_the_database_at_most_eight_times(juan, slug, fields):
    assert_asks(LIVE, [200], juan.post, slug, fields, htmx=True, version=31)


def test_typing_on_asks_the_database_no_more_often_than_a_change(juan):
    juan.post("figure", _name="D", htmx=True)
    assert_asks(LIVE - 2, [200], juan.post, "figure", _name="Do", htmx=True, version=32)


def test_a_roll_asks_the_database_at_most_ten_times_and_who_and_of_which_party_once_more_each(juan):
    def roll(most):
        assert_asks(most, [302], juan.client.post, f"/sheets/{juan.pk}/play/", {
            "w": "roll-attack-attacks-0", "defence": "0", "_press": str(uuid.uuid4())})

    # The first roll makes the key that signs.
    roll(2 * PRESS)
    roll(PRESS + 2 * bool(juan.sheet.owner_id))


@pytest.mark.every_case
@pytest.mark.parametrize("address", PAGES)
def test_a_page_asks_the_database_at_most_twelve_times(juan, address):
    Event.objects.bulk_create(Event(sheet_id=juan.pk, key=uuid.uuid4(), widget="x", title="x") for _number in range(40))
    own = {key: getattr(juan.sheet, key) for key in ("owner", "guest", "ruleset", "data")}
    Sheet.objects.bulk_create(Sheet(**own) for _number in range(40))
    assert_asks(PAGE, [200], juan.client.get, address.format(juan.pk))


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
    return Guest(user=me).client, party, party.sheets.filter(owner=users[2], offered=False).first()


@pytest.mark.every_case
@pytest.mark.parametrize("address", ["/parties/", "/parties/{party.pk}/", "/parties/{party.pk}/house/",
                                     "/parties/{party.pk}/ready/", "/parties/{party.pk}/leave/", "/sheets/{sheet}/",
                                     "/sheets/", "/notifications/", "/join/{party.invitation}/"])
def test_a_page_of_a_party_asks_the_database_at_most_twelve_times(run, address):
    client, party, sheet = run
    assert_asks(PAGE, [200], client.get, address.format(party=party, sheet=sheet.pk))


def test_a_preview_of_house_rules_asks_the_database_at_most_twelve_times(run):
    client, party, _sheet = run
    assert_asks(PAGE, [200, 404], client.post, f"/parties/{party.pk}/house/", {"_version": 1, "budget": 40})
