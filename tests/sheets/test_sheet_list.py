"""My sheets: everything about each at hand, found and put in order, and an empty list that leads on."""

import html
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from sheets.models import Member, Party, Sheet
from tests.support.guest import Guest, example

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
        sheet = Sheet.objects.create(owner=user, name=name, ruleset=slug, data=example("aunt", slug)["data"]
                                     if slug == "dice-rumble" else example()["data"])
        Sheet.objects.filter(pk=sheet.pk).update(updated=now - timedelta(days=number),
                                                 created=now + timedelta(days=number))
    Sheet.objects.filter(name="Berta").update(party=party, played=now + timedelta(hours=1))
    there = Client(headers={"Accept-Language": "en"})
    there.force_login(user)
    return there


def shown(client, **query):
    return html.unescape(client.get("/sheets/", query).content.decode())


def names(client, **query):
    return re.findall(r"<h2><a [^>]+>([^<]+)</a></h2>", shown(client, **query))


def test_what_was_played_or_changed_last_comes_first_and_other_orders_can_be_had(client):
    assert names(client) == ["Berta", "Zora", "anton", "Hedwig"]
    assert names(client, sort="called") == ["anton", "Berta", "Hedwig", "Zora"]
    assert names(client, sort="created") == ["Hedwig", "Berta", "anton", "Zora"]
    assert names(client, sort="password") == names(client)


def test_sheets_are_found_by_words_system_state_and_party(client):
    assert names(client, q="zor") == ["Zora"]
    assert names(client, system="dice-rumble") == ["Hedwig"]
    assert names(client, state="finished") == []
    assert names(client, party=str(Party.objects.get().pk)) == ["Berta"]
    assert len(names(client, party="not mine")) == 4


def test_pages_by_name_leave_none_out_and_show_none_twice(client):
    owner = User.objects.get()
    for number in range(60):
        Sheet.objects.create(owner=owner, ruleset="condice", name="" if number % 2 else f"N {number}", data={})
    found, address = [], "/sheets/?sort=called"
    while address:
        page = client.get(address)
        found += [sheet.pk for sheet, *_rest in page.context["sheets"]]
        link = re.search(r'href="(\?q=[^"]+)"', page.content.decode())
        address = link and f"/sheets/{html.unescape(link[1])}"
    assert len(found) == len({*found}) == 64


def test_one_duplicates_and_deletes_from_the_list_and_stays_there(client):
    pk = Sheet.objects.get(name="Zora").pk
    answer = client.post(f"/drafts/{pk}/", {"do": "copy", "from": "mine"}, follow=True)
    assert answer.redirect_chain == [("/sheets/", 302)]
    assert "Zora (copy)" in names(client)
    assert client.post(f"/drafts/{pk}/", {"do": "delete", "from": "mine"})["Location"] == "/sheets/"
    assert "Zora" not in names(client)


def test_a_sheet_is_brought_into_a_party_of_its_system_from_the_list(client):
    cards = shown(client).split('<li class="card"')
    card = {name: next(one for one in cards if f">{name}</a>" in one) for name in ("Zora", "Berta", "Hedwig")}
    assert "Die Dienstagsrunde" in card["Zora"]
    assert 'value="bring"' in card["Zora"]
    assert 'value="bring"' not in card["Hedwig"]
    assert 'value="bring"' not in card["Berta"]
    sheet = Sheet.objects.get(name="Zora")
    client.post(f"/sheets/{sheet.pk}/place/", {"do": "bring", "party": str(Party.objects.get().pk)})
    assert set(names(client, party=str(Party.objects.get().pk))) == {"Berta", "Zora"}


def test_each_sheet_says_its_system_state_party_and_when_it_was_played(client):
    card = next(one for one in shown(client).split('<li class="card"') if ">Berta</a>" in one)
    for said in ("ConDice", "draft", "Die Dienstagsrunde", "played", "/print/"):
        assert said in card


def test_a_guest_has_such_a_list_too():
    guest = Guest(example())
    assert names(guest.client) == ["Juan"]
    assert 'value="copy"' in shown(guest.client)


def test_an_empty_list_leads_on_and_is_no_search(client):
    empty = shown(Client(headers={"Accept-Language": "en"}))
    assert "Build the first one" in empty
    assert 'role="search"' not in empty
    assert "Show all" in shown(client, q="nobody")


def test_a_short_list_is_shown_without_its_filters(client):
    assert 'role="search"' not in shown(client)
    assert 'role="search"' in shown(client, q="nobody")
    for name in ("Emil", "Frida"):
        Sheet.objects.create(owner=User.objects.get(), ruleset="condice", name=name, data=example()["data"])
    assert 'role="search"' in shown(client)
