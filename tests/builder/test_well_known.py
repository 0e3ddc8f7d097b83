"""What crawlers, security researchers and password managers find at the addresses that they agreed on."""

from datetime import UTC, datetime, timedelta
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree as ET

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse

from builder.environment import contacts
from rulesets import systems
from tests.support.addresses import OWN, PARTY, PRESS

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
SITE = "http://testserver"


def listed():
    tree = ET.fromstring(Client().get("/sitemap.xml").content)  # noqa: S314 - the program's own
    return [one.text for one in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]


def robots():
    text = Client().get("/robots.txt").text
    parser = RobotFileParser()
    parser.parse(text.splitlines())
    return text, parser


def private():
    """The addresses of a sheet, a party, and of what has a token."""
    for name, row in (OWN | PARTY).items():
        known = {"number": 1, "uuid": PRESS}
        given = {key: known.get(key, value) for key, value in row.given.items()}
        yield reverse(name.partition(":")[0], kwargs={"pk": PRESS, **given})
    for name in ("shared", "join", "invited", "onlookers", "receipt", "live-link"):
        yield reverse(name, args=["token"])
    yield from map(reverse, ("mine", "trash", "account", "account_login", "mfa_index", "parties", "reviews", "metrics"))


def test_the_sitemap_lists_public_pages_that_answer_and_that_crawlers_may_read():
    text, parser = robots()
    assert f"Sitemap: {SITE}/sitemap.xml" in text.splitlines()
    assert parser.site_maps() == [f"{SITE}/sitemap.xml"]
    pages = listed()
    assert len(set(pages)) == len(pages)
    for slug, system in systems().items():
        assert {f"{SITE}/{page}/{slug}/" for page in ("rules", "dice", "compare")} < set(pages)
        assert {f"{SITE}/samples/{slug}/{which}/" for which in system.examples} < set(pages)
    assert {f"{SITE}/", f"{SITE}/api/v1/docs"} < set(pages)
    assert [page for page in pages if not parser.can_fetch("Somebot", page)] == []
    assert [page for page in pages if Client().get(page.removeprefix(SITE)).status_code != 200] == []
    assert [page for page in pages if 'content="noindex"' in Client().get(page.removeprefix(SITE)).text] == []


def test_crawlers_read_no_sheet_no_party_no_account_and_nothing_with_a_token():
    text, parser = robots()
    assert [page for page in private() if parser.can_fetch("Somebot", SITE + page)] == []
    assert not parser.can_fetch("Somebot", f"{SITE}/api/v1/rulesets/condice/rolls/attack/odds")
    assert "Disallow: /*?" in text
    assert parser.can_fetch("Twitterbot", f"{SITE}/shared/token/")


def test_a_page_that_compares_given_sheets_stays_out_of_a_search(client):
    assert 'content="noindex"' in client.get("/compare/condice/?x=1").text


def test_without_a_contact_there_is_no_security_txt(client):
    assert client.get("/.well-known/security.txt").status_code == 404


def test_security_txt_names_the_contacts_and_holds_for_half_a_year(client, settings):
    settings.SECURITY_CONTACT = ["mailto:security@example.org", "https://example.org/security"]
    answer = client.get("/.well-known/security.txt")
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("text/plain; charset=utf-8", "public, max-age=300")
    fields = [line.split(": ", 1) for line in answer.text.splitlines()]
    assert [value for name, value in fields if name == "Contact"] == settings.SECURITY_CONTACT
    told = {name: value for name, value in fields if name != "Contact"}
    left = datetime.fromisoformat(told.pop("Expires")) - datetime.now(UTC)
    assert timedelta(days=150) < left < timedelta(days=365)
    assert told == {"Preferred-Languages": "de, en", "Canonical": f"{SITE}/.well-known/security.txt"}


@pytest.mark.parametrize("wrong", ["me@example.org", "http://example.org", "https://", "mailto:", "tel:x"])
def test_a_contact_is_a_uri(monkeypatch, wrong):
    monkeypatch.setenv("NAME", f"https://example.org/a, {wrong}")
    with pytest.raises(ImproperlyConfigured, match=f"NAME is '{wrong}'; it takes mailto:security@example.org"):
        contacts("NAME")


def test_password_managers_are_led_to_the_page_that_changes_the_password(client):
    answer = client.get("/.well-known/change-password")
    assert (answer.status_code, answer["Location"]) == (302, reverse("account_change_password"))
    missing = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200"
    assert client.get(missing).status_code == 404
