"""The GM's desk in a browser: few presses for a queue, few for who corrects, and the decision always in view."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from rulesets import systems
from sheets.models import Review, Sheet
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status
from tests.support.browser.kinds import either_way
from tests.support.browser.waits import drawn, quiet
from tests.support.everyday import everyday
from tests.support.sheets import story as told
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.browser
SCREEN = 800


class Presses:
    """Somebody who presses and whose presses are counted; what is typed is none."""

    def __init__(self, page):
        self.page, self.count = page, 0

    def press(self, what):
        self.count += 1
        what.click()
        quiet(self.page)


def change(sheet, **data):
    sheet = told.fresh(sheet)
    sheet.data = {**sheet.data, **data}
    sheet.version += 1
    sheet.save()
    return sheet


def line(page, path):
    """The line of a place."""
    return page.locator("#fields details.place", has=page.locator(f"[name='at.{path}']")).last.locator("> summary")


@either_way
def test_three_are_approved_and_one_returned_with_two_remarks_and_corrected_in_few_presses(
        visit, transactional_db, javascript):
    table = RoundTable(User.objects)
    first, second = table.sheets.values()
    more = [Sheet.objects.create(owner=table.users["ben"], party=table.party, ruleset="condice", name=name,
                                 data=first.data) for name in ("Cora", "Dora")]
    for sheet in (second, *more, first):
        reviews.submit(sheet, sheet.owner)
    gm = Presses(visit("/", client=table.browsers["gm"], locale="en", javascript=javascript))
    gm.press(gm.page.get_by_role("link", name="Look through them"))
    for _time in range(3):
        gm.press(gm.page.get_by_role("button", name="Approve", exact=True))
    expect(gm.page.locator("h1")).to_have_text(first.name)
    for path, text in (("life", "Ein Punkt weniger."), ("movement", "Einer mehr.")):
        gm.press(line(gm.page, path))
        gm.press(gm.page.locator(f"[name='at.{path}']"))
        gm.page.keyboard.type(text)
    gm.press(gm.page.get_by_role("button", name="Return"))
    expect(gm.page.locator(".masthead .badge")).to_have_text("returned with comments")
    assert sorted(Review.objects.values_list("kind", flat=True)) == ["approved"] * 3 + ["returned"] + ["submitted"] * 4
    assert len(Review.objects.get(kind="returned").said["at"]) == 2
    assert gm.count <= 10

    anna = Presses(visit("/", client=table.browsers["anna"], locale="en", javascript=javascript))
    anna.press(anna.page.get_by_role("link", name="Fix it"))
    version = told.fresh(first).version
    for number, (path, by) in enumerate((("life", "less"), ("movement", "more")), 1):
        anna.press(anna.page.locator(f"[value='{by}:{path}']"))
        expect(anna.page.locator("#saved")).to_contain_text(f"version {version + number}")
    anna.press(anna.page.get_by_role("button", name="Submit it again"))
    expect(anna.page.locator(".masthead .badge")).to_have_text("waiting for approval")
    assert anna.count <= 5
    waiting = review_status(told.fresh(first)).waiting
    assert [waiting.revision.data[key] - first.data[key] for key in ("life", "movement")] == [-1, 1]


def test_a_remark_stands_in_its_line_and_beside_the_decision(visit, transactional_db):
    table = RoundTable(User.objects)
    sheet = table.sheets["anna"]
    reviews.submit(sheet, sheet.owner)
    page = visit(f"/sheets/{sheet.pk}/review/", client=table.browsers["gm"], locale="en")
    remarks = page.locator("#remarks")
    expect(remarks).to_be_hidden()
    row = page.locator("#v-f-attacks-0")
    line(page, "attacks.0").click()
    page.keyboard.type("Vier?")
    expect(remarks).to_have_text(f"Comments on: {sheet.data['attacks'][0]['name']}")
    row.get_by_role("button", name="Add comment").click()
    expect(row.get_by_role("textbox").first).to_be_hidden()
    expect(row.locator(".remarked").first).to_have_text("Vier?")
    line(page, "attacks.0").click()
    row.get_by_role("textbox").first.fill("")
    expect(remarks).to_be_hidden()


def submitted(sheet, user, document):
    """A sheet that is submitted as a document has it, under a name of its own."""
    sheet.name, sheet.data = f"{document['name']} II", sheet.system.sheet.model_validate(document["data"]).model_dump()
    sheet.version += 1
    sheet.save()
    reviews.submit(sheet, user)
    return sheet


def first_screen(page, *parts):
    """Where the lower edges of parts are that there are."""
    return {part: box["y"] + box["height"] for part in parts
            if (found := page.locator(part)).count() and (box := found.bounding_box())}


@pytest.mark.layout
@pytest.mark.parametrize("slug", everyday(sorted(systems(), key=lambda slug: slug != "condice")))
def test_what_needs_a_look_what_differs_and_the_decision_stand_on_the_first_screen(visit, transactional_db, slug):
    table = RoundTable(User.objects, slug)
    examples = [*table.ruleset.examples.values()]
    gm = table.party.members.get(user=table.users["gm"])
    page = visit("/", client=table.browsers["gm"], locale="de", width=1280)
    sheet = submitted(table.sheets["anna"], table.users["anna"], examples[-1])
    for document in examples:
        # Another example is played, so that much differs.
        found = reviews.pending_decision(sheet, review_status(sheet))
        reviews.approve(gm, sheet, found.seal, dict.fromkeys(found.asking, "Passt."), {})
        submitted(sheet, table.users["anna"], document)
        address = f"/sheets/{sheet.pk}/review/"
        page.set_viewport_size({"width": 1280, "height": SCREEN})
        page.goto(address)
        drawn(page)
        edges = first_screen(page, ".look-first", "#changes", ".deciding button[value=approve]")
        assert len(edges) >= 2, document["name"]
        assert max(edges.values()) <= SCREEN, (document["name"], edges)
        below = page.locator("#fields").bounding_box()["height"]
        page.set_viewport_size({"width": 390, "height": 844})
        for button in page.locator(".deciding button").all():
            expect(button).to_be_in_viewport(ratio=1)
        page.set_viewport_size({"width": 1280, "height": SCREEN})
        page.goto(f"/sheets/{sheet.pk}/")
        drawn(page)
        assert below <= page.locator("#table").bounding_box()["height"], document["name"]
