"""What may be kept of each answer, at every address that there is."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from tests.support.addresses import OPEN, OWN, PARTY, PEOPLE, SIGNED
from tests.support.everybody import World

pytestmark = pytest.mark.django_db
PUBLIC = {"rulesets", "schema", "odds", "openapi"}
NEVER = ("account", "mfa")


@pytest.fixture(scope="module")
def made(lasting_database):
    return World(get_user_model().objects)


@pytest.fixture
def world(made):
    return made.again()


def allowed(answer):
    return {word.strip() for word in answer["Cache-Control"].split(",")}


def kept(name, answer, method):
    """Whether an answer says of itself what it has to."""
    words = allowed(answer)
    if name in PUBLIC and method == "GET" and answer.status_code == 200:
        return words == {"public", "max-age=300"} and {"Accept-Language", "Cookie"} <= {
            one.strip() for one in answer["Vary"].split(",")}
    if name.startswith(NEVER):
        return {"private", "no-store"} <= words
    return "public" not in words and "private" in words and bool({"no-store", "no-cache"} & words)


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("who", ["anonymous", "guest", "owner", "gm"])
@pytest.mark.slow
def test_every_answer_says_who_may_keep_it(world, who, method):
    keys = [world.sheets[which].pk for which in ("private", "guests")]
    rows = [(name, row, pk) for name, row in OWN.items() for pk in keys]
    rows += [(name, row, world.party.pk) for name, row in PARTY.items()]
    rows += [(name, row, None) for name, row in OPEN.items()]
    wrong = []
    for name, row, pk in rows:
        answer = world.ask(who, name, row, method, htmx=False, pk=pk)
        if not kept(name, answer, method):
            wrong.append((name, answer.status_code, answer.get("Cache-Control")))
    assert wrong == []


def test_what_is_public_is_public_for_everybody_and_holds_nothing_of_anybody(world):
    assert set(SIGNED) < set(PEOPLE)
    answers = {world.ask(who, "rulesets", OPEN["rulesets"], "GET", htmx=False).content for who in PEOPLE}
    assert len(answers) == 1


def test_a_page_on_which_something_is_typed_may_be_gone_back_to(world):
    row = OWN["step"]
    answer = world.ask("owner", "step", row, "GET", htmx=False, pk=world.sheets["private"].pk)
    assert allowed(answer) == {"private", "no-cache"}


@pytest.mark.parametrize("address", ["/account/logout/", "/account/delete/"])
def test_who_signs_out_leaves_nothing_in_the_browser(django_user_model, address):
    client = Client()
    django_user_model.objects.create_user("juan", password="gut-geschmiedet-7")
    client.post("/account/login/", {"login": "juan", "password": "gut-geschmiedet-7"})
    client.post("/account/reauthenticate/", {"password": "gut-geschmiedet-7"})
    answer = client.post(address)
    assert answer.status_code == 302
    assert answer["Clear-Site-Data"] == '"cache"'
