"""A party in three browsers: founded, joined by a link, its house rules changed."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth import get_user_model
from django.utils import timezone
from django.utils.translation import override
from playwright.sync_api import expect

from rulesets import systems
from sheets.models import Party, Sheet
from sheets.parties.house_impact import house_impacts, impact_in_words
from tests.support.browser.kinds import every_system_either_way
from tests.support.browser.waits import quiet
from tests.support.party import browser
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.browser

def person(visit, name, **how):
    """Somebody with an account, signed in in a browser of their own."""
    return visit("/parties/", client=browser(get_user_model().objects.create_user(name)), locale="en", **how)


def sheets_of(name, slug):
    """The first example of a system as somebody's sheet."""
    document = next(iter(systems()[slug].examples.values()))
    return Sheet.objects.create(owner=get_user_model().objects.get(username=name), ruleset=slug, data=document["data"],
                                finished=timezone.now(), name=f"{document['name']} von {name}"[:200])


def founded(visit, slug, **how):
    """A GM and two players, all in one party of the system, each player with a sheet in it; the GM's page first."""
    gm, anna, ben = (person(visit, name, **how) for name in ("gm", "anna", "ben"))
    gm.get_by_label("Name of the party").fill("Montagsrunde")
    gm.get_by_label("System").select_option(slug)
    gm.get_by_role("button", name="Create it").click()
    gm.get_by_role("button", name="Invite").click()
    link = gm.locator("#invitation a").get_attribute("href")
    for name, page in (("anna", anna), ("ben", ben)):
        sheets_of(name, slug)
        page.goto(link)
        page.get_by_role("button", name="Join").click()
        expect(page.locator("#told")).to_contain_text("You have joined")
        expect(page.locator("#sheets .log > li")).to_have_count(1)
    return gm, anna, ben


def change(page, value):
    """Change the first house rule, a figure where there is one, and have it said what that does; answers what is."""
    quiet(page)
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
    quiet(page)
    return {row.locator("a").first.inner_text(): row.locator(".badge").first.text_content()
            for row in page.locator("#sheets .log > li").all()}


@every_system_either_way
def test_house_rules_do_what_their_preview_says(visit, slug, javascript):
    gm, anna, _ben = founded(visit, slug, javascript=javascript)
    gm.javascript = javascript
    gm.get_by_role("link", name="Change the house rules").click()
    said = change(gm, "0")
    party, ruleset = Party.objects.get(), systems()[slug]
    assert party.house == {}
    if javascript:
        assert Axe().run(gm).violations_count == 0
    gm.get_by_role("button", name="Save house rules").click()
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


def test_two_gms_do_not_overwrite_each_other(visit, transactional_db):
    table = RoundTable(get_user_model().objects)
    where = f"/parties/{table.party.pk}/house/"
    gm, helper = (visit(where, client=table.browsers[who], locale="en") for who in ("gm", "helper"))
    gm.javascript = helper.javascript = True
    change(gm, "40")
    gm.get_by_role("button", name="Save house rules").click()
    expect(gm.locator("#told")).to_contain_text("saved")
    change(helper, "33")
    expect(helper.locator("#effects")).to_contain_text("Another GM has changed the house rules")
    expect(helper.locator("#effects")).to_contain_text("40 → 33")
