"""An evening in several browsers: a roll asked for, something handed out, its log; and reviews that are talked over."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import expect

from rulesets import systems
from sheets.models import Handout, Review
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status
from tests.support.browser.looks import accessible, fits
from tests.support.sheets.files import file_of, thirds
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.browser

either_way = pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "plain"])
every_system = pytest.mark.parametrize("slug", systems())


@pytest.fixture
def sit(visit, transactional_db):
    """Open the site as the GM and both players of a party."""
    def opened(slug, **how):
        table = RoundTable(User.objects, slug)
        pages = []
        for who in ("gm", "anna", "ben"):
            page = visit("/api/v1/docs", locale="en", **how)
            browser = Client()
            browser.force_login(table.users[who])
            page.context.add_cookies([
                {"name": "sessionid", "value": browser.cookies["sessionid"].value, "url": visit.url}])
            pages.append(page)
        return table, *pages
    return opened


@either_way
@every_system
def test_an_evening_with_a_request_a_handout_and_its_log(sit, slug, javascript):
    table, gm, anna, ben = sit(slug, javascript=javascript)
    for page in (anna, ben):
        page.goto(table.address)
    gm.goto(table.address)
    gm.get_by_role("link", name="Evenings").click()
    gm.get_by_label("Its name").fill("Die Mine")
    gm.get_by_role("button", name="Begin the evening").click()
    expect(gm.locator("#evenings")).to_contain_text("Die Mine")

    gm.goto(table.address)
    gm.locator("#ask > summary").click()
    gm.get_by_label("What for").fill("Knarrt da etwas?")
    gm.get_by_role("button", name="Ask them").click()
    if not javascript:
        anna.reload()
    asked = anna.locator(".asked .card")
    expect(asked).to_contain_text("Knarrt da etwas?")

    gm.get_by_role("link", name="Handouts").click()
    gm.get_by_label("Title").fill("Ein Brief")
    gm.get_by_label("Text").fill("Komm allein.\n\nH.")
    gm.get_by_label("Picture").set_input_files({
        "name": "brief.png", "mimeType": "image/png", "buffer": file_of(thirds(), "PNG")})
    gm.get_by_label("All, those who come later too").uncheck()
    gm.get_by_label("anna").check()
    gm.get_by_role("button", name="Hand it out").click()
    expect(gm.locator("#told")).to_contain_text("“Ein Brief” is handed out.")

    if not javascript:
        anna.reload()
        ben.reload()
    # What is new comes by the look that is taken anyway.
    expect(anna.locator("#handouts")).to_contain_text("Ein Brief")
    anna.locator("#handouts").get_by_role("button", name="Open").click()
    expect(anna.locator("h1")).to_have_text("Ein Brief")
    expect(anna.locator(".handout-text")).to_contain_text("Komm allein.")
    assert anna.locator(".handout-picture img").evaluate("one => one.decode().then(() => one.naturalWidth)") > 0
    assert "Ein Brief" not in ben.content()
    assert ben.goto(f"/parties/{table.party.pk}/handouts/{Handout.objects.get().pk}/").status == 404
    gm.get_by_role("link", name="Ein Brief").click()
    expect(gm.locator("#readers")).to_contain_text("has opened it")

    gm.goto(f"/parties/{table.party.pk}/evenings/")
    gm.get_by_role("button", name="End the evening").click()
    for page, said in ((gm, True), (anna, True), (ben, False)):
        page.goto(f"/parties/{table.party.pk}/evenings/")
        page.get_by_role("link", name="Die Mine").click()
        expect(page.locator("h1")).to_have_text("Die Mine")
        assert (page.locator(".handouts").count() == 1) is said
        with page.expect_download() as taken:
            page.get_by_role("link", name="Markdown").click()
        assert ("Komm allein." in taken.value.path().read_text()) is said


def returned(table, path):
    """Anna's sheet waits and goes back with two comments, one of them at a value."""
    sheet, gm = table.sheet("anna"), table.party.members.get(user=table.users["gm"])
    reviews.submit(sheet, table.users["anna"])
    found = reviews.pending_decision(sheet, review_status(sheet))
    reviews.give_back(gm, sheet, found.seal, {"comment": "Fast.", "at": {path: "Das hatten wir anders besprochen."}})


PATHS = {"condice": "life", "dice-rumble": "attributes.strength", "daemmersturm": "life",
         "augen-des-zwielichts": "fields.item.word", "battle-dice": "cards.0.copies"}


@either_way
@every_system
def test_a_comment_is_answered_in_the_builder_and_done_on_the_page_of_the_review(sit, slug, javascript):
    table, gm, anna, _ben = sit(slug, javascript=javascript)
    returned(table, PATHS[slug])
    anna.goto("/notifications/")
    expect(anna.locator(".notifications .new")).to_contain_text("1 is at a value.")
    anna.goto(f"/drafts/{table.sheets['anna'].pk}/?at={PATHS[slug]}")
    comment = anna.locator("form#step .comment")
    expect(comment).to_contain_text("Das hatten wir anders besprochen.")
    comment.locator("summary").click()
    comment.get_by_role("textbox").fill("Wirklich?")
    comment.get_by_role("button", name="Send the reply").click()
    expect(anna.locator("form#step .comment")).to_contain_text("anna: Wirklich?")
    expect(anna).to_have_url(re.compile(f"/drafts/.*#f-{PATHS[slug].replace('.', '-')}$"))

    gm.goto("/notifications/")
    gm.locator(".notifications .new").get_by_role("button", name="Open").first.click()
    expect(gm.locator(".comment:target")).to_contain_text("Wirklich?")
    gm.locator(".comment").get_by_role("button", name="✓ Done").click()
    expect(gm.locator("#fields")).to_contain_text("All comments are done.")
    anna.reload()
    expect(anna.locator("#returned ~ ul")).to_contain_text("✓")

    anna.goto(f"/sheets/{table.sheets['anna'].pk}/review/")
    anna.locator(".comment").get_by_role("button", name="Not done after all").click()
    anna.get_by_label("A word to the GMs").fill("Siehe Antwort.")
    anna.goto(f"/sheets/{table.sheets['anna'].pk}/review/")
    expect(anna.locator("#fields")).to_contain_text("1 comment is not done yet.")


@either_way
def test_three_are_approved_at_once_from_the_menu(sit, javascript):
    table, gm, _anna, _ben = sit("condice", javascript=javascript)
    for who in ("anna", "ben", "helper"):
        if who == "helper":
            sheet = table.sheet("ben")
            sheet.pk, sheet._state.adding, sheet.name = None, True, "Drei"
            sheet.save()
        else:
            sheet = table.sheet(who)
        reviews.submit(sheet, sheet.owner, "Ein Wort.")
    gm.goto("/sheets/")
    link = gm.get_by_role("navigation", name="Main navigation").get_by_role("link", name="Approvals")
    expect(link).to_have_text("Approvals 3 waiting")
    link.click()
    expect(gm.locator("#waiting .word").first).to_have_text("Ein Wort.")
    for tick in gm.locator("#waiting input[type=checkbox]").all():
        tick.check()
    gm.get_by_role("button", name="Approve those that are ticked").click()
    expect(gm.locator("#told")).to_contain_text("3 sheets are approved.")
    expect(link).to_have_text("Approvals")
    assert Review.objects.filter(kind="approved").count() == 3


@either_way
def test_revisions_are_compared_by_choosing_them(sit, javascript):
    table, _gm, anna, _ben = sit("condice", javascript=javascript)
    sheet = table.sheet("anna")
    reviews.submit(sheet, sheet.owner)
    sheet.data, sheet.version = {**sheet.data, "life": sheet.data["life"] - 1}, sheet.version + 1
    sheet.save()
    reviews.submit(sheet, sheet.owner)
    anna.goto(f"/sheets/{sheet.pk}/history/")
    for label, option in (("Compare", "revision 1 "), ("with", "revision 2 ")):
        select = anna.get_by_label(label, exact=True)
        value = select.locator("option", has_text=option).get_attribute("value")
        select.select_option(value)
    anna.get_by_role("button", name="Compare").click()
    expect(anna.locator("#compared")).to_have_text("From revision 1 to revision 2")
    expect(anna.locator(".diff .change")).to_have_count(1)


@pytest.mark.layout
@every_system
def test_axe_finds_nothing_and_nothing_scrolls_sideways(sit, slug):
    table, gm, anna, _ben = sit(slug)
    returned(table, PATHS[slug])
    member = table.party.members.get(user=table.users["anna"])
    made = Handout.objects.create(party=table.party, key=member.party_id, title="Ein Brief, der im Futter steckte",
                                  text="Komm allein.", for_all=True)
    gm.goto(table.address)
    review, party = f"/sheets/{table.sheets['anna'].pk}/review/", f"/parties/{table.party.pk}"
    for page, address in ((anna, review), (gm, review), (anna, f"/drafts/{table.sheets['anna'].pk}/?at={PATHS[slug]}"),
                          (anna, table.address), (gm, f"{party}/handouts/"), (anna, f"{party}/handouts/"),
                          (gm, f"{party}/handouts/{made.pk}/"), (gm, f"{party}/ready/"), (gm, f"{party}/")):
        page.goto(address)
        page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        fits(page, 320, 1280)
        accessible(page, ["light"])
