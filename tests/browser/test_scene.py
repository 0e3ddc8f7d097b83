"""A scene in several browsers: a roll asked for, something handed out, its log."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from sheets.models import Handout, Scene
from tests.support.browser.kinds import every_system_either_way
from tests.support.sheets.fight import ATTACK, Fight
from tests.support.sheets.files import file_of, thirds
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.browser


@pytest.fixture
def sit(visit, transactional_db):
    """Open the site as some of a party."""
    def opened(slug, people, **how):
        table = RoundTable(User.objects, slug)
        return table, *(visit(client=table.browsers[who], locale="en", **how) for who in people)
    return opened


@every_system_either_way
def test_a_scene_with_a_request_a_handout_and_its_log(sit, slug, javascript):
    table, gm, anna, ben = sit(slug, ("gm", "anna", "ben"), javascript=javascript)
    for page in (anna, ben):
        page.goto(table.address)
    gm.goto(table.address)
    gm.get_by_role("link", name="Scenes").click()
    gm.get_by_label("Its name").fill("Die Mine")
    gm.get_by_role("button", name="Start the scene").click()
    expect(gm.locator("#scenes")).to_contain_text("Die Mine")

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
    gm.get_by_label("Everyone, including anyone who joins later").uncheck()
    gm.get_by_label("anna").check()
    gm.get_by_role("button", name="Hand it out").click()
    expect(gm.locator("#told")).to_contain_text("“Ein Brief” has been handed out.")

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

    gm.goto(f"/parties/{table.party.pk}/scenes/")
    gm.get_by_role("button", name="End the scene").click()
    for page, said in ((gm, True), (anna, True), (ben, False)):
        page.goto(f"/parties/{table.party.pk}/scenes/")
        page.get_by_role("link", name="Die Mine").click()
        expect(page.locator("h1")).to_have_text("Die Mine")
        expect(page.locator(".recap").get_by_role("link", name="Ein Brief")).to_have_count(1 if said else 0)
        with page.expect_download() as taken:
            page.get_by_role("link", name="Markdown").click()
        assert ("Komm allein." in taken.value.path().read_text()) is said


def test_whoever_is_chosen_is_no_longer_one_of_all(sit):
    table, gm = sit("condice", ("gm",))
    gm.goto(f"/parties/{table.party.pk}/handouts/")
    every, anna = gm.get_by_label("Everyone, including anyone who joins later"), gm.get_by_label("anna")
    expect(every).to_be_checked()
    anna.check()
    expect(every).not_to_be_checked()
    every.check()
    expect(anna).not_to_be_checked()


def test_words_of_a_post_stay_while_the_turn_lasts_and_rolls_that_came_since_join_them(visit, transactional_db):
    table = Fight(User.objects)
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin", "name": "Die Furt"})
    Scene.objects.update(thread="https://forum.example.org/t/4711", turn_hours=48)
    table.do(f"place:{table.sheets['anna'].pk}:0")
    table.settle("turn", "gm", "begin")
    table.play("anna", ATTACK, defence=0)
    page = visit(f"/parties/{table.party.pk}/scenes/{Scene.objects.get().uuid}/post/", client=table.browsers["anna"])
    text, before, after = page.locator("#post-text"), "Ich watete $& los.", "Dann sah ich ihn."
    given = text.input_value()
    text.fill(f"{before}\n{given}\n{after}")
    page.reload()
    expect(text).to_have_value(f"{before}\n{given}\n{after}")
    table.play("anna", ATTACK, defence=0)
    page.reload()
    rolls = [line for line in text.input_value().split("\n") if "/rolls/" in line]
    assert (len(rolls), text.input_value().split("\n")[0], text.input_value().split("\n")[-1]) == (2, before, after)
    # Whoever has written among the rolls finds those that came since below.
    text.fill(f"{rolls[0]} {after}")
    table.play("anna", ATTACK, defence=0)
    page.reload()
    first, *more = text.input_value().split("\n")
    assert (first, len(more), rolls[1] in more) == (f"{rolls[0]} {after}", 1, False)
    table.settle("turn", "anna", "next")
    page.reload()
    assert after not in text.input_value()
