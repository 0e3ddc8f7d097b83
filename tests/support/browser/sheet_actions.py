"""What several tests do at a finished sheet: roll, act, take back, read its figures, carry it out and in again."""

import re

from playwright.sync_api import expect

from sheets.documents import document_of
from sheets.models import Sheet
from tests.support.browser.waits import quiet


def stored(page) -> Sheet:
    return Sheet.objects.get(pk=page.url.split("/sheets/")[1].split("/")[0])


def lines(page):
    return page.locator(".log > li:not(.muted)")


def act(page, key, **answers):
    """Fill an act in, press it and wait for its line in the log."""
    quiet(page)
    form, before = page.locator(f"#w-act-{key}"), lines(page).count()
    unfold(page, form)
    for name, value in answers.items():
        field = form.locator(f"[name={name}]")
        if field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    form.locator(f"#press-button-act-{key}").click()
    expect(lines(page)).to_have_count(before + 1)
    quiet(page)


def unfold(page, what):
    """Open the folds that it stands in, as far as they are shut."""
    quiet(page)
    shut = what.locator("xpath=ancestor::details[not(@open)]")
    while shut.count():
        shut.first.locator("summary").first.click()


def chart(page, key):
    """The whole chart of a roll's odds, in its row unfolded."""
    row = page.locator(f"#w-{key}")
    unfold(page, row)
    if row.locator(".fold").get_attribute("open") is None:
        row.locator(".fold > summary").click()
    if not row.locator(".odds").count() and row.locator(".odds-button").is_visible():
        row.locator(".odds-button").click()
    expect(row.locator(".odds")).to_be_visible()
    return row.locator(".odds")


TAKE_BACK = "#tray-take-back:visible, #take-back:visible"
"""In the tray while what is taken back lies there, else at the log."""


def undo(page):
    """Take the last act back."""
    quiet(page)
    before = page.locator(".log > .undone").count()
    page.locator(TAKE_BACK).first.click()
    expect(page.locator(".log > .undone")).to_have_count(before + 1)
    quiet(page)


def undo_all(page):
    quiet(page)
    while page.locator(TAKE_BACK).count():
        undo(page)


def figures(page) -> dict[str, str]:
    """{title: figure} of the tiles."""
    quiet(page)
    tiles = page.locator(".tiles > div").filter(has=page.locator("dd .figure"))
    return {one.locator("dt").inner_text(): one.locator(".figure").inner_text() for one in tiles.all()}


def roll_all(page) -> int:
    """Roll every row once and look at what lies in the tray; answers how many there were."""
    quiet(page)
    keys = [one.get_attribute("id") for one in page.locator("article.roll-row").all()]
    tray = page.locator("#tray")
    for number, key in enumerate(keys, 1):
        row = page.locator(f"#{key}")
        unfold(page, row)
        assert row.locator(".spark").count()
        row.locator("button.roll").click()
        expect(lines(page)).to_have_count(number)
        quiet(page)
        event = stored(page).events.latest("pk")
        assert f"w-{event.widget}" == key
        expect(tray.locator(".tray-title")).to_contain_text(row.get_attribute("aria-label"))
        assert bool(tray.locator(".fallen").count()) == bool(event.faces)
        assert tray.locator(".tray-outcome").inner_text().strip()
    return len(keys)


def act_all(page) -> int:
    """Do every act that is offered once, with an answer to all that it asks; answers how many there were.

    Where fewer than three are offered at first, what they bring is done too, but for what ends it all.
    """
    done = _act_on_offer(page)
    return done if done > 2 else done + _act_on_offer(page, but="end-")


def _act_on_offer(page, but=None) -> int:
    quiet(page)
    keys = [one.get_attribute("id").removeprefix("w-act-") for one in page.locator("form.act[id]").all()]
    keys = [key for key in keys if not but or not key.startswith(but)]
    done = 0
    for key in keys:
        form = page.locator(f"#w-act-{key}")
        if not form.count():  # an act before it has taken its ground away
            continue
        unfold(page, form)
        if form.locator("fieldset").count():
            form.locator("[type=checkbox]").first.check()
        act(page, key, **{one.get_attribute("name"): "2" for one in form.locator("input:not([type])").all()})
        done += 1
    return done


def act_first(page) -> None:
    """Do the first act that asks for a figure or a word; the first of all where none does."""
    quiet(page)
    asking = page.locator("form.act").filter(has=page.locator("input:not([type])"))
    form = (asking if asking.count() else page.locator("form.act[id]")).first
    asked = form.locator("input:not([type])").all()
    act(page, form.get_attribute("id").removeprefix("w-act-"), **{one.get_attribute("name"): "3" for one in asked})


def carried(page, folder, *, javascript) -> Sheet:
    """Print the sheet, save it as JSON and bring that in again: a copy with an equal seal."""
    sheet, where = stored(page), page.url.split("#")[0]
    page.get_by_role("link", name="Print", exact=True).click()
    expect(page.locator(".masthead p").first).to_have_text(sheet.name)
    first = page.get_by_role("img", name=re.compile(r"Page 1 of|Seite 1 von"))
    assert first.evaluate("one => one.decode().then(() => one.naturalWidth)") > 400
    page.goto(where)
    page.locator("#more > summary").click()
    page.get_by_role("link", name="Export").click()
    return brought_in_again(page, sheet, folder / "sheet.json", javascript=javascript)


def brought_in_again(page, sheet, path, *, javascript) -> Sheet:
    """Save the sheet as JSON from its page of exports and bring that in again: a copy with an equal seal."""
    with page.expect_download() as waited:
        page.get_by_role("link", name="Save as JSON").click()
    waited.value.save_as(path)
    page.goto("/import/")
    page.set_input_files("#file", path)
    if not javascript:
        page.get_by_role("button", name="Look at it").last.click()
    page.get_by_role("button", name="Make a new draft from it").click()
    page.wait_for_url(re.compile("/drafts/"))
    copy = Sheet.objects.get(pk=page.url.split("/")[4])
    assert copy.pk != sheet.pk
    assert document_of(copy).seal() == document_of(sheet).seal()
    return copy
