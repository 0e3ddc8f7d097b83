"""A GM and a player, each in a browser: submitted, returned, mended, approved with an exception, changed, played."""

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from rulesets.kit import patched
from sheets.audit_log.check_codes import normalized_code
from sheets.models import Review
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status
from tests.support.browser.kinds import every_system, every_system_either_way
from tests.support.browser.looks import accessible, fits
from tests.support.browser.sheet_actions import stored, unfold
from tests.support.browser.waits import quiet, unfold_all
from tests.support.sheets.approvals import CASES
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.browser

REASON = "Für diese Runde vereinbart."
COMMENT = "Das hatten wir anders besprochen."


@pytest.fixture
def sit(visit, transactional_db):
    """Open the site as the GM and as a player of a party that asks for approval, whose sheet asks in two places."""
    def opened(slug, **how):
        table, case = RoundTable(User.objects, slug), CASES[slug]
        table.party.approval, table.party.house = True, case.house
        table.party.save()
        sheet = table.sheets["anna"]
        sheet.house = case.house
        sheet.data = table.ruleset.sheet.model_validate(patched(sheet.data, case.patch)).model_dump()
        sheet.save()
        return table, case, *(visit("/reviews/", client=table.browsers[who], locale="en", **how)
                              for who in ("gm", "anna"))
    return opened


def submit(anna):
    """The player's page of the approval is open; what stands there is submitted."""
    anna.locator("button[value=submit]").click()
    expect(anna.locator(".masthead .badge")).to_have_text("waiting for approval")


def look(gm):
    """The GM goes from the queue to what waits."""
    gm.goto("/reviews/")
    gm.locator("#waiting li a").click()
    expect(gm.locator("#decide")).to_be_visible()


def unfold_to(gm, path):
    """The line of a place is pressed, and where it is a field of a row the row's first; return where one remarks."""
    field = gm.locator(f"[name='at.{path}']")
    for line in gm.locator("#fields details.place:not([open])", has=field).all():
        line.locator("> summary").click()
    return field


def give_back(gm, path, text):
    """A comment at a field, and back it goes."""
    unfold_to(gm, path).fill(text)
    gm.get_by_role("button", name="Return").click()
    expect(gm.locator(".masthead .badge")).to_have_text("returned with comments")


def grant(gm, reason):
    """The one exception that is asked for gets its reason."""
    gm.locator("[name^='reason.']").fill(reason)
    gm.get_by_role("button", name="Approve", exact=True).click()
    expect(gm.locator(".masthead .badge")).to_have_text("approved")


def write(anna, path, text):
    """The player changes a field in the builder."""
    sheet = stored(anna)
    anna.goto(f"/drafts/{sheet.pk}/?at={path}")
    if text:
        anna.locator(f"[name='{path}']").fill(text)
        anna.locator(f"[name='{path}']").press("Enter")
    else:
        anna.locator(f"[value='less:{path}']").click()
    expect(anna.locator("#saved")).to_contain_text(f"version {sheet.version + 1}")


@every_system_either_way
def test_an_approved_sheet_is_played_as_approved_whatever_its_player_writes_then(sit, slug, javascript):
    table, case, gm, anna = sit(slug, javascript=javascript)
    where = f"/sheets/{table.sheets['anna'].pk}/"

    anna.goto(where)
    assert not anna.locator("button.roll").count()
    anna.get_by_role("link", name="Submit for approval").click()
    submit(anna)

    look(gm)
    asked = gm.locator(".look-first .exception")
    expect(asked).to_have_count(2)
    expect(asked.filter(has_text=case.mended)).to_have_count(1)
    give_back(gm, case.at, COMMENT)

    anna.goto("/notifications/")
    anna.locator(".notifications .new a, .notifications .new button").first.click()
    expect(anna).to_have_url(re.compile("/review/$"))
    anna.locator("#review-history a").click()
    expect(anna.locator(":target")).to_have_count(1)
    expect(anna.locator("section", has=anna.locator("#returned"))).to_contain_text(COMMENT)
    finding = anna.locator(".mark, #findings .note", has_text=case.mended)
    finding.locator(".mend button").first.click()
    expect(finding).to_have_count(0)
    expect(anna.locator("#findings .note", has_text=f"read {case.granted}")).to_have_count(1)
    anna.get_by_role("button", name="Submit it again").click()
    expect(anna.locator(".masthead .badge")).to_have_text("waiting for approval")

    look(gm)
    expect(gm.locator("#changes")).to_contain_text("which was returned")
    grant(gm, REASON)
    approved = table.sheet("anna").data

    anna.goto(where)
    review_status = anna.locator("#approval-note")
    expect(review_status).to_contain_text("✓ approved ·")
    expect(review_status.locator(".footnotes li")).to_have_text(f"{case.granted}: {REASON}")
    assert normalized_code(review_status.locator("a.code").text_content()) == Review.objects.get(kind="approved").code

    write(anna, *case.edit)
    assert table.sheet("anna").data != approved
    for page in (anna, gm):
        page.goto(where)
        expect(page.locator("#approval-note")).to_contain_text("changed since approval")
        expect(page.locator(f"#w-{case.widget}")).to_contain_text(case.says)
        expect(page.locator(".footnotes li")).to_contain_text(REASON)
    unfold(anna, anna.locator(f"#w-{case.widget}"))
    anna.locator(f"#w-{case.widget} button.roll").click()
    expect(anna.locator("#tray .tray-outcome")).to_be_visible()
    given = table.sheet("anna").events.get().given
    assert given | case.given == given
    gm.goto(table.address)
    expect(gm.locator(".event-list > li:not(.muted)")).to_have_count(1)
    gm.goto(f"/parties/{table.party.pk}/")
    expect(gm.locator("#sheets .log > li", has_text="Anna").locator("a.badge")).to_have_text("changed since approval")


def decided(table, how, **said):
    """The player submits, the GM decides, and no browser is asked."""
    sheet, gm = table.sheet("anna"), table.party.members.get(user=table.users["gm"])
    reviews.submit(sheet, table.users["anna"])
    found = reviews.pending_decision(sheet, review_status(sheet))
    if how == "return":
        return reviews.give_back(gm, sheet, found.seal, said)
    return reviews.approve(gm, sheet, found.seal, dict.fromkeys(found.asking, REASON), said)


def clean(page, address):
    """The page has no fault that axe knows, in light and in dark, in German and in English, wide and narrow."""
    for locale, scheme, width in (("de", "light", 1280), ("en", "dark", 320)):
        page.context.add_cookies([{"name": "django_language", "value": locale, "url": page.url}])
        page.goto(address)
        unfold_all(page)
        fits(page, 320, width)
        accessible(page, [scheme])


@pytest.mark.layout
@pytest.mark.more
@every_system
def test_axe_finds_nothing_and_nothing_scrolls_sideways(sit, slug):
    table, case, gm, anna = sit(slug)
    where = f"/sheets/{table.sheets['anna'].pk}/"
    review, queue, words = f"{where}review/", "/reviews/", {"comment": COMMENT, "at": {case.at: COMMENT * 9}}
    clean(anna, review)
    reviews.submit(table.sheet("anna"), table.users["anna"])
    for page, address in ((anna, review), (gm, review), (gm, queue), (gm, "/")):
        clean(page, address)
    sheet = table.sheet("anna")
    reviews.recall(sheet, table.users["anna"])
    decided(table, "return", **words)
    for page, address in ((anna, review), (gm, review), (anna, f"/drafts/{sheet.pk}/?at={case.at}"), (anna, "/")):
        clean(page, address)
    decided(table, "approve", **words)
    sheet.name, sheet.version = "Ganz anders", sheet.version + 1
    sheet.save()
    for page, address in ((anna, review), (gm, review), (anna, where), (gm, where), (anna, queue)):
        clean(page, address)
    table.party.house = {}
    table.party.save()
    for address in (queue, review):
        clean(gm, address)
    expect(gm.locator("button[value=approve]")).to_be_visible()


def reach(page, what):
    """Go by the tab key to something on the page."""
    expect(what).to_have_count(1)
    for _time in range(400):
        if what.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{what} is not reached")


def test_a_gm_returns_approves_and_withdraws_by_keyboard_alone(sit):
    table, case, gm, _anna = sit("condice")
    reviews.submit(table.sheet("anna"), table.users["anna"])
    gm.goto("/reviews/")
    reach(gm, gm.locator("#waiting li a"))
    gm.keyboard.press("Enter")
    field = gm.locator(f"[name='at.{case.at}']")
    expect(field).to_have_count(1)
    for line in gm.locator("#fields details.place", has=field).all():
        reach(gm, line.locator("> summary"))
        gm.keyboard.press("Enter")
    reach(gm, field)
    gm.keyboard.type(COMMENT)
    reach(gm, gm.locator("button[value=return]"))
    gm.keyboard.press("Space")
    badge = gm.locator(".masthead .badge")
    expect(badge).to_have_text("returned with comments")
    reviews.submit(table.sheet("anna"), table.users["anna"])
    gm.reload()
    quiet(gm)
    for reason in gm.locator("[name^='reason.']").all():
        reach(gm, reason)
        gm.keyboard.type(REASON)
    reach(gm, gm.locator("button[value=approve]"))
    gm.keyboard.press("Enter")
    expect(badge).to_have_text("approved")
    reach(gm, gm.locator("#comment"))
    gm.keyboard.type(COMMENT)
    reach(gm, gm.locator("button[value=withdraw]"))
    gm.keyboard.press("Enter")
    expect(badge).to_have_text("approval withdrawn")
