"""The finished sheet at the table, with JavaScript and without: rolled, played, taken back, printed, taken along."""

import re
from itertools import product

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from rulesets import systems
from sheets.exchange import document_of
from sheets.models import Sheet
from tests.browser.hands import seated

pytestmark = pytest.mark.browser

either_way = pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "plain"])
every_system = pytest.mark.parametrize("slug", systems())


def first(slug):
    """The first example of a system."""
    return next(iter(systems()[slug].examples.values()))


def stored(page) -> Sheet:
    return Sheet.objects.get(pk=page.url.split("/sheets/")[1].split("/")[0])


def lines(page):
    return page.locator(".log > li:not(.muted)")


def act(page, key, **answers):
    """Fill an act in, press it and wait for its line in the log."""
    form, before = page.locator(f"#w-act-{key}"), lines(page).count()
    for name, value in answers.items():
        form.locator(f"[name={name}]").fill(value)
    form.locator("button").click()
    expect(lines(page)).to_have_count(before + 1)


def undo(page):
    """Take the last act back."""
    before = page.locator(".log > .undone").count()
    page.locator("button[name=_event]").click()
    expect(page.locator(".log > .undone")).to_have_count(before + 1)


def undo_all(page):
    while page.locator("button[name=_event]").count():
        undo(page)


def figures(page) -> dict[str, str]:
    """{title: figure} of the tiles."""
    tiles = page.locator(".tiles > div").filter(has=page.locator("dd .figure"))
    return {one.locator("dt").inner_text(): one.locator(".figure").inner_text() for one in tiles.all()}


def roll_all(page) -> int:
    """Roll every widget once; answers how many there were."""
    keys = [one.get_attribute("id") for one in page.locator("article.widget").all()]
    for number, key in enumerate(keys, 1):
        widget = page.locator(f"#{key}")
        if not widget.is_visible():
            page.locator("details.rare > summary").click()
        assert widget.locator(".odds tr").count()
        assert not widget.locator(".fell").count()
        widget.locator("button.roll").click()
        expect(widget.locator(".fallen")).to_be_visible()
        assert widget.locator(".fallen .die").count() == len(stored(page).events.latest("pk").faces), key
        assert widget.locator(".fallen strong").inner_text().strip()
        assert widget.locator(".odds tr.fell").count() == 1
        assert re.search(r"\d\s?%", widget.locator(".odds tr.fell .number").inner_text())
        assert lines(page).count() == number
    return len(keys)


def act_all(page) -> int:
    """Do every act that is offered once, with an answer to all that it asks; answers how many there were."""
    keys = [one.get_attribute("id").removeprefix("w-act-") for one in page.locator("form.act").all()]
    for key in keys:
        form = page.locator(f"#w-act-{key}")
        if form.locator("fieldset").count():
            form.locator("[type=checkbox]").first.check()
        asked = form.locator("[inputmode=numeric], [name=name], [name=target]").all()
        act(page, key, **{one.get_attribute("name"): "2" for one in asked})
    return len(keys)


@either_way
@every_system
def test_every_widget_is_rolled_and_every_act_done_and_all_acts_taken_back(visit, slug, javascript):
    page = seated(visit, first(slug), javascript=javascript)
    start, sheet = figures(page), stored(page)
    rolled = roll_all(page)
    acted = act_all(page)
    assert rolled > 1
    assert acted > 2
    assert stored(page).play
    undo_all(page)
    after = stored(page)
    assert (after.play, after.data, figures(page)) == ({}, sheet.data, start)
    assert after.events.count() == rolled + acted
    page.reload()
    assert figures(page) == start


@either_way
def test_played_to_0_life_and_through_its_procedure_and_back_to_the_start(visit, javascript):
    page = seated(visit, first("condice"), javascript=javascript, locale="en")
    start = figures(page)
    assert start["Life points"] == "10"
    act(page, "damage", points="4")
    assert figures(page)["Life points"] == "6"
    act(page, "heal", points="1")
    act(page, "heal-yourself")
    act(page, "damage", points="12")
    assert figures(page)["Life points"] == "0"
    assert page.locator("#table > .note").get_by_text("CD-46").count()
    act(page, "roll-attribute")
    act(page, "roll-loss")
    if page.locator("[id^=w-act-pick-loss]").count():
        act(page, page.locator("[id^=w-act-pick-loss]").last.get_attribute("id").removeprefix("w-act-"))
    sheet = stored(page)
    assert not sheet.play.get("losses_due")
    assert not page.locator("#w-act-roll-attribute, #w-act-roll-loss").count()
    undo_all(page)
    assert stored(page).play == {}
    assert figures(page) == start


@either_way
def test_a_boost_shows_in_values_dice_and_odds_until_its_rounds_are_over(visit, javascript):
    page = seated(visit, first("condice"), javascript=javascript, locale="en")
    odds, start = page.locator("#odds-roll-attack-attacks-0"), figures(page)
    before = odds.inner_text()
    form = page.locator("#w-act-change-attributes-others")
    form.locator("[value=attack]").check()
    form.locator("[value=defence]").check()
    act(page, "change-attributes-others", by="2", rounds="2", name="Aura der Wut")
    assert figures(page) == start | {"Defence": "6"}
    assert page.get_by_text("Aura der Wut").first.is_visible()
    assert odds.inner_text() != before
    page.locator("#w-roll-attack-attacks-0 button.roll").click()
    expect(page.locator("#w-roll-attack-attacks-0 .fallen .die")).to_have_count(6)
    act(page, "end-round")
    assert figures(page)["Defence"] == "6"
    act(page, "end-round")
    assert figures(page) == start
    assert not page.locator("#w-act-end-round").count()


@either_way
def test_an_item_is_gained_used_up_and_taken_back(visit, javascript):
    page = seated(visit, first("condice"), javascript=javascript, locale="en")
    act(page, "add-item", name="Seil", effect="Zehn Schritt lang")
    assert page.locator("section.card").filter(has_text="Zehn Schritt lang").is_visible()
    act(page, "use-item-items-0")
    assert not page.locator("#w-act-use-item-items-0").count()
    undo(page)
    assert page.locator("#w-act-use-item-items-0").is_visible()
    undo(page)
    assert stored(page).play == {}


@either_way
@every_system
def test_printed_exported_and_imported_again_to_an_equal_seal(visit, slug, javascript, tmp_path):
    page = seated(visit, first(slug), javascript=javascript, locale="en")
    act(page, "damage", points="3")
    page.locator("#notes-text").fill("Schuldet dem Wirt\n3 Taler.")
    page.locator("button[value=notes]").click()
    expect(page.locator("#notes-text")).to_have_value("Schuldet dem Wirt\n3 Taler.")
    sheet, where = stored(page), page.url.split("#")[0]
    page.get_by_role("link", name="Print").click()
    assert page.locator(".paper h1").inner_text() == sheet.name
    page.goto(where)
    page.get_by_role("link", name="Export").click()
    with page.expect_download() as waited:
        page.get_by_role("link", name="Save as JSON").click()
    waited.value.save_as(tmp_path / "sheet.json")
    page.goto("/import/")
    page.set_input_files("#file", tmp_path / "sheet.json")
    if not javascript:
        page.get_by_role("button", name="Look at it").last.click()
    page.get_by_role("button", name="Make a new draft of it").click()
    page.wait_for_url(re.compile("/drafts/"))
    copy = Sheet.objects.get(pk=page.url.split("/")[4])
    assert copy.pk != sheet.pk
    assert document_of(copy).seal() == document_of(sheet).seal()
    assert (copy.notes, copy.play) == (sheet.notes, sheet.play)
    page.goto(f"/sheets/{copy.pk}/")
    assert page.get_by_role("heading", level=1).inner_text() == sheet.name


@every_system
def test_axe_finds_nothing_and_nothing_scrolls_sideways_after_rolls_and_acts(visit, slug):
    page = seated(visit, first(slug))
    roll_all(page)
    act_all(page)
    for locale in ("de", "en"):
        page.context.add_cookies([{"name": "django_language", "value": locale, "url": visit.url}])
        page.reload()
        assert page.locator("html").get_attribute("lang") == locale
        for scheme, width in product(("light", "dark"), (320, 360, 1280)):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, width
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()


def test_the_shared_page_reads_alike_and_offers_nothing_to_press(visit):
    page = seated(visit, first("condice"), locale="en")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("#share a").get_attribute("href")
    for width in (320, 1280):
        other = visit(link, width=width)
        assert Axe().run(other).violations_count == 0
        assert other.evaluate("document.documentElement.scrollWidth") <= width
        assert figures(other)
        assert not other.locator("button.roll, form.act, #notes, #share").count()
