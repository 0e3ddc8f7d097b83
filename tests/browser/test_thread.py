"""Posts of a scene's thread, pasted by a GM: by keyboard and by finger, with scripts and without."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from sheets.models import Scene
from tests.support.browser.layout import faults
from tests.support.browser.looks import violations
from tests.support.sheets.fight import Fight
from tests.support.sheets.thread import post_of, rendered

pytestmark = pytest.mark.browser


@pytest.fixture
def thread(transactional_db):
    """A scene beside a thread, and a post of it with a forged number and one of another site."""
    table = Fight(User.objects, "daemmersturm")
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin", "name": "Die Furt"})
    Scene.objects.update(thread="https://forum.example.org/t/4711")
    for _time in range(2):
        table.play("anna", "roll-exhaustion")
    text = rendered(post_of(table, "anna"))
    return table, f"anna\n{text}\n[url=https://other.example.org/rolls/{'A' * 22}/]x[/url]\n#9 · ABCDEFGH"


@pytest.mark.layout
@pytest.mark.parametrize("locale", ["de", "en"])
def test_the_list_is_laid_out_well_wide_and_narrow(visit, thread, locale):
    table, text = thread
    page = visit(f"/parties/{table.party.pk}/scenes/{Scene.objects.get().uuid}/thread/", client=table.browsers["gm"],
                 locale=locale)
    page.locator("#posts-text").fill(text)
    page.locator("button[value=check]").click()
    expect(page.locator(".posts-found > li")).to_have_count(5)
    page.locator("#posts-title").fill("Beiträge 38 bis 41 auf der zweiten Seite")
    page.locator("button[value=read]").click()
    expect(page.locator(".posts-read > li")).to_have_count(1)
    page.locator("#posts-text").fill(text)
    page.locator("button[value=check]").click()
    expect(page.locator(".posts-found > li.differs")).to_have_count(3)
    wrong = {width: [*violations(page), *faults(page, width, covered=False)] for width in (390, 1280)}
    assert {width: found for width, found in wrong.items() if found} == {}


@pytest.mark.parametrize("javascript", [True, False])
def test_posts_are_checked_noted_and_taken_back(visit, thread, javascript):
    table, text = thread
    page = visit(f"/parties/{table.party.pk}/scenes/{Scene.objects.get().uuid}/", client=table.browsers["gm"],
                 locale="en", javascript=javascript)
    page.get_by_role("link", name="Check posts").click()
    page.get_by_label("A post, or a page of the thread").fill(text)
    page.get_by_role("button", name="Check", exact=True).click()
    verdicts = page.locator(".posts-found > li")
    expect(verdicts.first).to_contain_text("No roll of this scene has this number.")
    expect(verdicts.last).to_contain_text("Compared as of #2, as the line says.")
    page.get_by_label("Which posts").fill("Beitrag 38")
    page.get_by_role("button", name="Note as read").click()
    expect(page.locator(".posts-read")).to_contain_text("Beitrag 38")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#read")).to_contain_text("Nothing has been noted as read yet.")
