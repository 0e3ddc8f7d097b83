"""What may be kept of each answer, at every address that there is."""

import pytest
from django.contrib.auth import get_user_model

from tests.support.addresses import OPEN, OWN, PARTY, PEOPLE, SIGNED
from tests.support.builder.accounts import PASSWORD, sign_in
from tests.support.everybody import World
from tests.support.everyday import everyday

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
PUBLIC = {"rulesets", "schema", "odds", "openapi", "robots", "sitemap", "security-txt"}
NEVER = ("account", "mfa")


@pytest.fixture(scope="module")
def made(lasting_database):
    return World(get_user_model().objects)


@pytest.fixture
def world(made):
    return made.again()


def words(answer, header):
    return {word.strip() for word in answer[header].split(",")}


def kept(name, answer, method):
    """Whether an answer says of itself what it has to."""
    said = words(answer, "Cache-Control")
    if name in PUBLIC and method == "GET" and answer.status_code == 200:
        return said == {"public", "max-age=300"} and {"Accept-Language", "Cookie"} <= words(answer, "Vary")
    if name.startswith(NEVER):
        return {"private", "no-store"} <= said
    return "public" not in said and "private" in said and bool({"no-store", "no-cache"} & said)


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("who", everyday(["owner", "anonymous", "gm", "guest"]))
@pytest.mark.slow
def test_every_answer_says_who_may_keep_it(world, who, method):
    rows = [*((name, row, world.sheets[which].pk) for name, row in OWN.items() for which in ("private", "guests")),
            *((name, row, world.party.pk) for name, row in PARTY.items()),
            *((name, row, None) for name, row in OPEN.items())]
    answers = ((name, world.ask(who, name, row, method, htmx=False, pk=pk)) for name, row, pk in rows)
    assert [(name, answer.status_code, answer.get("Cache-Control")) for name, answer in answers
            if not kept(name, answer, method)] == []


def test_what_is_public_is_the_same_for_everybody_and_where_something_is_typed_one_may_go_back(world):
    assert set(SIGNED) < set(PEOPLE)
    assert len({world.ask(who, "rulesets", OPEN["rulesets"], "GET", htmx=False).content for who in PEOPLE}) == 1
    answer = world.ask("owner", "step", OWN["step"], "GET", htmx=False, pk=world.sheets["private"].pk)
    assert words(answer, "Cache-Control") == {"private", "no-cache"}


@pytest.mark.parametrize("address", ["/account/logout/", "/account/delete/"])
def test_who_signs_out_leaves_nothing_in_the_browser(client, django_user_model, address):
    django_user_model.objects.create_user("juan", password=PASSWORD)
    sign_in(client)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    answer = client.post(address)
    assert (answer.status_code, answer["Clear-Site-Data"]) == (302, '"cache"')


@pytest.mark.slow
def test_each_page_says_that_htmx_may_be_answered_otherwise_and_what_programs_read_does_not(world):
    rows = [*((name, row, world.sheets["private"].pk) for name, row in OWN.items()),
            *((name, row, world.party.pk) for name, row in PARTY.items()),
            *((name, row, None) for name, row in OPEN.items())]
    seen = 0
    for name, row, pk in rows:
        for htmx in (False, True):
            answer = world.ask("gm" if row in PARTY.values() else "owner", name, row, "GET", htmx=htmx, pk=pk)
            page = answer.get("Content-Type", "").startswith("text/html")
            varies = answer.has_header("Vary") and {"HX-Request", "HX-Target"} <= words(answer, "Vary")
            assert varies == page, (name, htmx)
            seen += page
    assert seen > 100
