"""My sheets: everything about each at hand, found and put in order, and an empty list that leads on."""

import html
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from sheets.models import Member, Party, Sheet
from tests.support.guest import example

pytestmark = pytest.mark.django_db


@pytest.fixture
def client():
    """A player with four sheets of two systems, one of them in a party."""
    user = User.objects.create_user("spielerin")
    party = Party.objects.create(name="Die Dienstagsrunde", ruleset="condice")
    Member.objects.create(party=party, user=user)
    now = timezone.now()
    for number, (name, slug) in enumerate([("Zora", "condice"), ("anton", "condice"), ("Berta", "condice"),
                                           ("Hedwig", "dice-rumble")]):
        which = "aunt" if slug == "dice-rumble" else "juan"
        sheet = Sheet.objects.create(owner=user, name=name, ruleset=slug, data=example(which, slug)["data"])
        Sheet.objects.filter(pk=sheet.pk).update(updated=now - timedelta(days=number),
                                                 created=now + timedelta(days=number))
    Sheet.objects.filter(name="Berta").update(party=party, played=now + timedelta(hours=1))
    there = Client(headers={"Accept-Language": "en"})
    there.force_login(user)
    return there


def shown(client, **query):
    return html.unescape(client.get("/sheets/", query).text)


def names(client, **query):
    return re.findall(r"<h2><a [^>]+>([^<]+)</a></h2>", shown(client, **query))


def test_what_was_played_or_changed_last_comes_first_and_other_orders_can_be_had(client):
    orders = {"": ["Berta", "Zora", "anton", "Hedwig"], "called": ["anton", "Berta", "Hedwig", "Zora"],
              "created": ["Hedwig", "Berta", "anton", "Zora"], "password": ["Berta", "Zora", "anton", "Hedwig"]}
    assert {sort: names(client, **({"sort": sort} if sort else {})) for sort in orders} == orders


@pytest.mark.parametrize(("query", "found"), [
    ({"q": "zor"}, ["Zora"]), ({"system": "dice-rumble"}, ["Hedwig"]), ({"state": "finished"}, []),
    ({"party": ""}, ["Berta"]), ({"party": "not mine"}, ["Berta", "Zora", "anton", "Hedwig"])])
def test_sheets_are_found_by_words_system_state_and_party(client, query, found):
    assert names(client, **({"party": str(Party.objects.get().pk)} if query == {"party": ""} else query)) == found


def test_pages_by_name_leave_none_out_and_show_none_twice(client):
    owner = User.objects.get()
    for number in range(60):
        Sheet.objects.create(owner=owner, ruleset="condice", name="" if number % 2 else f"N {number}", data={})
    found, address = [], "/sheets/?sort=called"
    while address:
        page = client.get(address)
        found += [sheet.pk for sheet, *_rest in page.context["sheets"]]
        link = re.search(r'href="(\?[^"]*last=[^"]+)"', page.text)
        address = link and f"/sheets/{html.unescape(link[1])}"
    assert len(found) == len({*found}) == 64


def test_one_duplicates_and_deletes_from_the_list_and_stays_there(client):
    pk = Sheet.objects.get(name="Zora").pk
    answer = client.post(f"/drafts/{pk}/", {"do": "copy", "from": "mine"}, follow=True)
    assert answer.redirect_chain == [("/sheets/", 302)]
    assert "Zora (copy)" in names(client)
    assert client.post(f"/drafts/{pk}/", {"do": "delete", "from": "mine"})["Location"] == "/sheets/"
    assert "Zora" not in names(client)


def test_each_sheet_says_what_it_is_and_is_brought_into_a_party_of_its_system_from_the_list(client):
    cards = shown(client).split('<li class="card"')
    card = {name: next(one for one in cards if f">{name}</a>" in one) for name in ("Zora", "Berta", "Hedwig")}
    for said in ("ConDice", "draft", "Die Dienstagsrunde", "played", "/print/"):
        assert said in card["Berta"]
    assert "Die Dienstagsrunde" in card["Zora"]
    assert [name for name in card if 'value="bring"' in card[name]] == ["Zora"]
    party = str(Party.objects.get().pk)
    client.post(f"/sheets/{Sheet.objects.get(name='Zora').pk}/place/", {"do": "bring", "party": party})
    assert set(names(client, party=party)) == {"Berta", "Zora"}


def test_a_guest_has_such_a_list_too(juan):
    assert names(juan.client) == ["Juan"]
    assert 'value="copy"' in shown(juan.client)


def test_an_empty_list_leads_on_and_a_short_one_is_shown_without_its_filters(client):
    empty = shown(Client(headers={"Accept-Language": "en"}))
    assert ("Build the first one" in empty, 'role="search"' in empty) == (True, False)
    assert 'role="search"' not in shown(client)
    found = shown(client, q="nobody")
    assert ("Show all" in found, 'role="search"' in found) == (True, True)
    for name in ("Emil", "Frida"):
        Sheet.objects.create(owner=User.objects.get(), ruleset="condice", name=name, data=example()["data"])
    assert 'role="search"' in shown(client)


def test_of_what_is_sought_only_the_beginning_counts(client):
    assert names(client, q="Zora" + " " * 60_000 + "x") == ["Zora"]
    assert names(client, q="x" * 60_000) == []
