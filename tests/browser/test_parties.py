"""A party in three browsers: founded, joined by a link, its house rules changed, ready-made characters taken."""

import re
from itertools import product

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils.translation import override
from playwright.sync_api import expect

from rulesets import systems
from sheets.models import Party, Sheet
from sheets.parties.house_impact import house_impacts, impact_in_words
from tests.support.browser.looks import sound

pytestmark = pytest.mark.browser

either_way = pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "plain"])
every_system = pytest.mark.parametrize("slug", systems())


def person(visit, name, **how):
    """Somebody with an account, signed in in a browser of their own."""
    client = Client()
    client.force_login(get_user_model().objects.create_user(name))
    page = visit("/api/v1/docs", locale="en", **how)
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": visit.url}])
    page.goto("/parties/")
    return page


def sheets_of(name, slug):
    """The first example of a system as somebody's sheet."""
    document = next(iter(systems()[slug].examples.values()))
    return Sheet.objects.create(owner=get_user_model().objects.get(username=name), ruleset=slug, data=document["data"],
                                name=f"{document['name']} von {name}"[:200])


def founded(visit, slug, **how):
    """A GM and two players, all in one party of the system, each player with a sheet in it; the GM's page first."""
    gm, anna, ben = (person(visit, name, **how) for name in ("gm", "anna", "ben"))
    gm.get_by_label("Name of the party").fill("Montagsrunde")
    gm.get_by_label("System").select_option(slug)
    gm.get_by_role("button", name="Found it").click()
    gm.get_by_role("button", name="Make a link").click()
    link = gm.locator("#invitation a").get_attribute("href")
    for name, page in (("anna", anna), ("ben", ben)):
        sheets_of(name, slug)
        page.goto(link)
        page.get_by_role("button", name="Join").click()
        expect(page.locator("#told")).to_contain_text("You are in")
        page.get_by_role("button", name="Bring it in").click()
        expect(page.locator("#sheets .log > li")).to_have_count(1)
    return gm, anna, ben


def change(page, value):
    """Change the first house rule, a figure where there is one, and have it said what that does; answers what is."""
    figure = page.locator(".setting input[inputmode=numeric]:visible").first
    if figure.count():
        figure.fill(value)
    else:
        page.locator(".setting input[type=checkbox]").first.click()
    if not page.javascript:
        page.get_by_role("button", name="See what it does").last.click()
    expect(page.locator("#summary")).to_be_visible()
    return page.locator("#summary").inner_text()


def statuses(page):
    """{name: status} of the sheets on the party's page."""
    return {row.locator("a").first.inner_text(): row.locator(".badge").first.text_content()
            for row in page.locator("#sheets .log > li").all()}


@either_way
@every_system
def test_house_rules_do_what_their_preview_says(visit, slug, javascript):
    gm, anna, _ben = founded(visit, slug, javascript=javascript)
    gm.javascript = javascript
    gm.get_by_role("link", name="Change the house rules").click()
    said = change(gm, "0")
    party, ruleset = Party.objects.get(), systems()[slug]
    assert party.house == {}
    if javascript:
        assert Axe().run(gm).violations_count == 0
    gm.get_by_role("button", name="Save the house rules").click()
    expect(gm.locator("#told")).to_contain_text(said)
    party.refresh_from_db()
    assert party.house
    with override("en"):
        house = ruleset.house.model_validate(party.house)
        found = house_impacts(ruleset, list(party.sheets.all()), ruleset.house(), house)
        assert impact_in_words(found) == said
        assert statuses(gm) == {one.sheet.name: str(one.after.title) for one in found}
    anna.goto(f"/sheets/{Sheet.objects.get(owner__username='anna').pk}/")
    expect(anna.locator("#house")).to_be_visible()
    anna.goto("/notifications/")
    expect(anna.locator(".notifications .new")).to_contain_text("has changed the house rules")


@either_way
def test_a_ready_made_character_is_taken_by_one_of_two(visit, javascript):
    gm, anna, ben = founded(visit, "condice", javascript=javascript)
    gm.get_by_role("link", name="Lay out and withdraw").click()
    gm.get_by_label("How many").fill("2")
    gm.get_by_role("button", name="Make and lay out").click()
    expect(gm.get_by_role("button", name="Take")).to_have_count(2)
    party = Party.objects.get()
    for page in (anna, ben):
        page.goto(f"/parties/{party.pk}/ready/")
        expect(page.get_by_role("button", name="Withdraw")).to_have_count(0)
    anna.get_by_role("button", name="Take").first.click()
    expect(anna).to_have_url(re.compile("/sheets/"))
    ben.get_by_role("button", name="Take").first.click()
    expect(ben.locator("#messages")).to_contain_text("somebody else was quicker")
    ben.get_by_role("button", name="Take").click()
    expect(ben).to_have_url(re.compile("/sheets/"))
    assert sorted(Sheet.objects.filter(party=party).values_list("owner__username", flat=True)) == \
        ["anna", "anna", "ben", "ben"]
    gm.reload()
    expect(gm.locator(".menu .count")).to_have_text(re.compile("^6"))
    gm.goto(f"/parties/{party.pk}/")
    expect(gm.locator("#sheets .log > li")).to_have_count(4)


@either_way
def test_a_sheet_is_shown_to_the_party_and_hidden_again(visit, javascript):
    _gm, anna, ben = founded(visit, "condice", javascript=javascript)
    where = f"/sheets/{Sheet.objects.get(owner__username='anna').pk}/"
    visit.expect("status of 404")
    assert ben.goto(where).status == 404
    anna.goto(where)
    anna.locator("#more > summary").click()
    anna.get_by_label("Who reads it").select_option("party")
    anna.get_by_role("button", name="Save who reads it").click()
    expect(anna.get_by_label("Who reads it")).to_have_value("party")
    assert ben.goto(where).status == 200
    assert not ben.locator("button.roll, form.act, #notes, #share, #party-and-readers").count()
    expect(ben.locator("#log")).to_be_visible()
    anna.get_by_label("Who reads it").select_option("private")
    anna.get_by_role("button", name="Save who reads it").click()
    expect(anna.get_by_label("Who reads it")).to_have_value("private")
    assert ben.goto(where).status == 404


def test_two_gms_do_not_overwrite_each_other(visit):
    gm, anna, _ben = founded(visit, "condice")
    party = Party.objects.get()
    party.members.filter(user__username="anna").update(role="co-gm")
    gm.javascript = anna.javascript = True
    for page in (gm, anna):
        page.goto(f"/parties/{party.pk}/house/")
    change(gm, "40")
    gm.get_by_role("button", name="Save the house rules").click()
    expect(gm.locator("#told")).to_contain_text("saved")
    change(anna, "33")
    expect(anna.locator("#effects")).to_contain_text("Another GM has changed the house rules")
    expect(anna.locator("#effects")).to_contain_text("40 → 33")


def test_a_guest_comes_from_the_link_to_the_party_by_way_of_an_account(visit):
    gm = founded(visit, "condice")[0]
    link = gm.locator("#invitation a").get_attribute("href")
    guest = visit(link, locale="en")
    guest.get_by_role("link", name="Make an account").click()
    guest.get_by_label("Username").fill("cleo")
    for field in guest.locator("input[type=password]").all():
        field.fill("amboss-und-bogen")
    guest.locator("main button[type=submit], main button:not([type])").first.click()
    guest.get_by_role("button", name="Join").click()
    expect(guest.locator("#members")).to_contain_text("cleo")


@pytest.mark.layout
def test_axe_finds_nothing_and_nothing_scrolls_sideways_on_any_page_of_a_party(visit):
    gm, anna, _ben = founded(visit, "condice")
    gm.get_by_role("link", name="Lay out and withdraw").click()
    gm.get_by_role("button", name="Make and lay out").click()
    party = Party.objects.get()
    member = party.members.get(user__username="anna").pk
    sheet = Sheet.objects.get(owner__username="anna").pk
    pages = ["", "house/", "ready/", "leave/", "end/", f"members/{member}/"]
    addresses = ["/parties/", "/notifications/", f"/sheets/{sheet}/", f"/join/{party.invitation}/",
                 *(f"/parties/{party.pk}/{one}" for one in pages)]
    for locale, address in product(("de", "en"), addresses):
        gm.context.add_cookies([{"name": "django_language", "value": locale, "url": visit.url}])
        gm.goto(address)
        gm.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        for width, scheme in ((1280, "light"), (320, "dark")):
            sound(gm, [width], [scheme])
    anna.goto(f"/sheets/{sheet}/")
    sound(anna, [1280, 320], ["light"])
    guest = visit(f"/join/{party.invitation}/")
    sound(guest, [1280, 320], ["light"])
    guest.goto("/parties/")
    assert Axe().run(guest).violations_count == 0
