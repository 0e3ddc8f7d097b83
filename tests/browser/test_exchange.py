"""Validator, import and export as a person uses them, with JavaScript and without."""

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from rulesets import systems
from tests.support.browser.kinds import both_ways

pytestmark = pytest.mark.browser

SINNER = systems()["condice"].offenders["CD-32"]
FILE = {"name": "sheet.json", "mimeType": "application/json", "buffer": json.dumps(SINNER).encode()}
DROP = """([text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], "sheet.json", { type: "application/json" }));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def held(page):
    return json.loads(page.locator("#document").input_value())


def test_a_verdict_follows_the_typing_and_a_mend_goes_into_the_field(visit):
    page = visit("/validate/", locale="en")
    page.fill("#document", json.dumps(SINNER))
    page.locator("#verdict .badge.error").wait_for()
    page.locator("#verdict .note .button").first.click()
    page.locator("#verdict .badge.good").wait_for()
    assert held(page)["data"]["abilities"][0]["attribute"]
    page.fill("#document", "{")
    page.get_by_text("1:2").wait_for()


def test_a_file_is_chosen_or_dropped_and_judged_at_once(visit):
    page = visit("/validate/")
    page.set_input_files("#file", FILE)
    page.locator("#verdict .badge.error").wait_for()
    assert held(page) == SINNER
    page.goto("/validate/")
    page.evaluate(DROP, [json.dumps(systems()["condice"].examples["juan"])])
    page.locator("#verdict .badge.good").wait_for()
    assert held(page)["name"] == "Juan"


@both_ways
def test_a_document_goes_in_and_comes_out(visit, javascript):
    page = visit("/import/", javascript=javascript, locale="en")
    page.set_input_files("#file", FILE)
    if not javascript:
        page.get_by_role("button", name="Look at it").last.click()
    page.get_by_role("button", name="Make a new draft from it").click()
    page.wait_for_url(re.compile("/drafts/"))
    pk = page.url.split("/")[4]
    page.goto(f"/sheets/{pk}/export/")
    assert Axe().run(page).violations_count == 0 if javascript else True
    assert page.get_by_role("button", name="Copy").count() == (2 if javascript else 0)
    assert SINNER["name"] in page.locator("#md-text").input_value()
    with page.expect_download() as waited:
        page.get_by_role("link", name="Save as JSON").click()
    assert waited.value.suggested_filename.startswith("condice-")
    assert json.loads(waited.value.path().read_text())["data"] == SINNER["data"]
