"""Every page and state of building, for everybody: axe, narrow screens, targets large enough to press."""

from itertools import product

import pytest
from playwright.sync_api import expect

from sheets.history.revisions import save_revision
from sheets.models import Revision, Sheet
from tests.support.browser.looks import sound
from tests.support.browser.waits import drawn, stopped
from tests.support.browser.wizard_actions import address, drafted, saved, stored
from tests.support.everyday import everyday

pytestmark = pytest.mark.browser

LOCALES = ["de-DE", "en-GB"]


def thrown_away(page):
    """A draft in the bin, and whether it shall be gone for good."""
    page.goto(drafted(page) + "finish/")
    page.locator("button[value=delete]").click()
    expect(page.locator("button[value^='restore:']")).to_be_visible()
    yield
    page.locator("a[href*='burn=']").click()
    expect(page.locator("button[value^='burn:']")).to_be_visible()
    yield


def past(page):
    """A history with a revision that differs, one that is restored and one that the rules cannot read any more."""
    page.goto(drafted(page))
    sheet = stored(page)
    save_revision(sheet, "finished", None)
    Revision.objects.update(data={"life": "viel" * 100})
    for life in (6, 4, 25):
        sheet.data["life"], sheet.version = life, sheet.version + 1
        sheet.save()
        save_revision(sheet, "finished", None)
    where = f"/sheets/{sheet.pk}/history/"
    page.goto(where)
    page.locator("button[value='restore:3']").click()
    expect(page.locator(".revision")).to_have_count(5)
    yield
    # Two revisions, chosen by their numbers; one as a whole; and the one that cannot be read.
    page.locator("#a").select_option("2")
    page.locator("#b").select_option("4")
    page.locator(".filters button").click()
    expect(page.locator("#compared")).to_be_visible()
    yield
    for which, shown in (("first", ".entries-table"), ("last", "pre")):
        page.goto(where)
        getattr(page.locator(".revision h2 a"), which).click()
        expect(page.locator(shown).first).to_be_visible()
        yield
    # The last step of a sheet that was finished before.
    page.goto(f"/drafts/{sheet.pk}/values/")
    page.locator("#f-life").fill("9")
    saved(page)
    page.goto(f"{address(page)}finish/")
    expect(page.locator("#changes-since")).to_be_visible()
    yield


def broken(page):
    """Text that is no value, too many points, a mend looked at; and what the last step says to that."""
    page.goto(drafted(page) + "values/")
    page.locator("#f-life").fill("25")
    page.locator("#f-defence").fill("drei")
    expect(page.locator("#f-defence--fault")).not_to_be_empty()
    saved(page)
    expect(page.locator("#whole--told .mend").first).to_be_visible()
    yield
    page.goto(f"{address(page)}finish/")
    page.locator("button[value=finish]").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield


def approval(page):
    page.goto(drafted(page, "own-ability") + "abilities/")
    yield


def unsaved(page):
    page.goto(drafted(page) + "figure/")
    page.route("**/drafts/**", lambda route: route.abort("connectionrefused"))
    page.locator("#f-_name").fill("Nirgends")
    expect(page.locator("#saved button")).to_be_visible()
    yield


def conflict(page):
    """Two tabs; this one finds that the draft was changed elsewhere."""
    where = drafted(page)
    page.goto(where + "attacks/")
    sheet = Sheet.objects.get(pk=where.split("/")[-2])
    sheet.data["attacks"][0]["name"] = "Dort"
    sheet.version += 1
    sheet.save()
    page.locator("#f-attacks-0-name").fill("Hier")
    expect(page.locator(".conflict h1")).to_be_visible()
    yield


def finished(page):
    page.goto(drafted(page) + "finish/")
    page.locator("button[value=finish]").click()
    expect(page.locator(".who h1")).to_be_visible()
    yield


STATES = {one.__name__: one for one in (thrown_away, past, broken, approval, unsaved, conflict, finished)}
"""States of pages that the walk through all pages (test_layout.py) does not reach."""


@pytest.mark.layout
@pytest.mark.parametrize("locale", everyday(LOCALES))
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(visit, state, locale):
    visit.expect("status of 409", "ERR_CONNECTION_REFUSED", "htmx:sendError", "htmx:afterRequest")
    page = visit("/", locale=locale)
    for _look in STATES[state](page):
        sound(page)


def test_whatever_one_presses_is_large_enough(visit):
    page = visit("/")
    where = drafted(page, "guardian")
    for step, width in product(("values", "attacks", "abilities"), (320, 1280)):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{where}{step}/")
        large_enough(page)
    page.goto("/")
    next(broken(page))
    large_enough(page)


def large_enough(page):
    small = page.evaluate("""() => [...document.querySelectorAll("main button, main select, main input, main summary")]
      .filter((one) => one.checkVisibility() && !one.closest(".hidden") && !one.matches(".hidden"))
      .map((one) => [one.outerHTML, one.getBoundingClientRect()])
      .filter(([, box]) => box.width < 24 || box.height < 24)
      .map(([html, box]) => `${box.width}×${box.height} ${html}`)""")
    assert small == []
    assert page.locator(".stepper button").count() > 0


@pytest.mark.parametrize("locale", everyday(LOCALES))
def test_the_budget_is_at_the_lower_edge_of_a_phone_wherever_one_scrolls(visit, locale):
    page = visit("/", width=360, locale=locale)
    page.goto(drafted(page) + "abilities/")
    bar = page.locator(".onward")
    height = page.evaluate("document.body.scrollHeight")
    aside = page.locator("#sidebar").bounding_box()["y"]
    for where in range(0, int(min(height - 800, aside - 800)), 400):
        page.evaluate("y => scrollTo(0, y)", where)
        box = bar.bounding_box()
        assert (box["x"], box["width"]) == (0, 360)
        assert box["y"] + box["height"] == pytest.approx(800, abs=1)
        assert bar.locator(".figure").inner_text() == "0"
    page.locator("button[value='add:abilities:zaubern']").click()
    expect(bar.locator(".figure")).to_have_text("−1")
    page.locator("#budget").click()
    expect(page.locator("#findings")).to_be_in_viewport()


def test_the_field_that_is_typed_into_is_not_behind_the_budget(visit):
    page = visit("/", width=360)
    page.goto(drafted(page) + "values/")
    for _press in range(30):
        page.keyboard.press("Tab")
        field, bar = page.evaluate("""[document.activeElement, document.querySelector(".onward")]
          .map((one) => { const box = one.getBoundingClientRect(); return [box.top, box.bottom]; })""")
        if page.evaluate("document.activeElement.matches('.stepper *')"):
            assert field[1] <= bar[0] + 1


def test_one_hears_the_budget_once_a_pause(visit):
    page = visit("/")
    page.goto(drafted(page) + "values/")
    stopped(page)
    page.evaluate("""() => {
      window.heard = [];
      const spoken = document.getElementById("announcement");
      new MutationObserver(() => window.heard.push(spoken.textContent)).observe(spoken, { childList: true });
    }""")
    plus = page.locator("button[value='more:life']")
    for press in range(6):
        plus.click()
        page.clock.run_for(450)
        expect(page.locator("#saved")).to_have_attribute("data-version", str(press + 2))
    page.clock.run_for(1_200)
    expect(page.locator("#announcement")).to_have_text("6 Punkte zu viel; 30 sind erlaubt. Regelhinweise: 1.")
    assert page.evaluate("window.heard") == ["6 Punkte zu viel; 30 sind erlaubt. Regelhinweise: 1."]
    assert page.locator("#announcement").get_attribute("aria-live") == "polite"


@pytest.mark.parametrize("width", everyday([360, 1280]))
def test_nothing_jumps_while_one_types(visit, width):
    page = visit("/", width=width)
    page.goto(drafted(page) + "attacks/")

    def typing(field, keys):
        page.locator(field).focus()
        page.locator(field).evaluate("one => one.select()")
        before = page.locator(field).bounding_box()["y"]
        for key in keys:
            page.keyboard.type(key)
        saved(page)
        drawn(page)
        assert page.locator(field).bounding_box()["y"] == pytest.approx(before, abs=1)

    typing("#f-attacks-1-dice", "99")
    expect(page.locator("#findings > li")).to_have_count(1)
    typing("#f-attacks-0-name", "Ein sehr langer Name, der in keiner Überschrift mehr Platz hat " * 2)
    typing("#f-attacks-1-description", "drei")
    typing("#f-attacks-1-dice", "drei")
    expect(page.locator("#f-attacks-1-dice--fault")).not_to_be_empty()
    typing("#f-attacks-0-name", " ")
    page.goto(page.url.replace("attacks", "values"))
    typing("#f-movement", "0")
    typing("#f-movement", "x")
