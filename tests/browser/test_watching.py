"""What others do on a sheet and in its review is seen by those who read it, without the page being loaded anew."""

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from sheets.models import Sheet
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.browser
MARK = "window.stays = true"


@pytest.fixture
def table(transactional_db, settings, streams):
    """A party with two sheets."""
    settings.LIVE_PORT = streams
    return RoundTable(User.objects)


@pytest.fixture
def come(visit, table):
    """Open an address as one of the party, and wait until the page hears of news."""
    # Who loses the right is answered so.
    visit.expect("Error Code 404")

    def opened(who, where):
        page = visit(where, client=table.browsers.get(who), locale="en")
        expect(page.locator("html")).to_have_attribute("data-live", "true")
        page.evaluate(MARK)
        return page
    return opened


def same(page):
    """Whether it is the page that was opened, not the same once more."""
    return page.evaluate("window.stays === true")


@pytest.mark.parametrize("link", [False, True], ids=["member", "link"])
def test_who_reads_a_sheet_sees_what_is_played_and_keeps_what_is_written_there(table, come, link):
    sheet = table.sheets["anna"]
    Sheet.objects.filter(pk=sheet.pk).update(share="s" * 32, share_play=True)
    where = f"/sheets/{sheet.pk}/"
    reader = come("" if link else "gm", f"/shared/{'s' * 32}/" if link else where)
    reader.locator("#w-roll-attack-attacks-0 summary").click()
    field = reader.locator("#w-roll-attack-attacks-0 .field input").first
    field.fill("7")
    anna = table.browsers["anna"]

    def press(widget, number, **fields):
        answer = anna.post(f"{where}play/", {"w": widget, "_press": f"{number:032x}", **fields})
        assert answer.status_code == 302
    press("roll-attack-attacks-0", 1)
    expect(reader.locator("#tray")).to_be_visible()
    life = reader.locator("#about-life, #figure-life").first
    before = life.inner_text()
    press("act-damage", 2, points="2", against="nothing")
    expect(life).not_to_have_text(before)
    expect(field).to_have_value("7")
    expect(field).to_be_focused()
    assert same(reader)
    # Who may not read it any more is told so by the page itself.
    if link:
        anna.post(f"{where}keep/", {"do": "revoke"})
        expect(reader.locator("#table")).to_have_count(0)


def submit_again(table):
    """What waits is submitted anew under another name."""
    sheet = table.sheets["anna"]
    sheet.name, sheet.version = "Anna die Zweite", sheet.version + 1
    sheet.save()
    table.decide("anna", "submit")


def test_who_decides_about_a_sheet_and_who_plays_it_see_what_the_other_says(table, come):
    where = f"/sheets/{table.sheets['anna'].pk}/review/"
    anna, gm = come("anna", where), come("gm", where)
    table.decide("anna", "submit")
    expect(gm.locator("#comment")).to_be_visible()
    table.decide("gm", "return", **{"at.movement": "Wieso so schnell?"})
    expect(anna.locator("#fields .comment")).to_contain_text("Wieso so schnell?")
    # What somebody writes stays, where it was being written, with what was unfolded for it.
    gm.locator("#fields .comment summary").click()
    writing = gm.locator("#fields .comment textarea")
    writing.press_sequentially("Was meinst du")
    writing.press("ArrowLeft")
    table.decide("anna", "reply:2:movement", **{"reply.2:movement": "Siehe Kapitel 4."})
    expect(gm.locator("#fields .comment .reply")).to_contain_text("Siehe Kapitel 4.")
    expect(writing).to_have_value("Was meinst du")
    expect(writing).to_be_focused()
    assert writing.evaluate("one => one.selectionStart") == len("Was meinst du") - 1
    assert same(gm)
    assert same(anna)


def test_what_is_to_be_decided_about_is_not_changed_under_whoever_decides(table, come):
    table.decide("anna", "submit")
    gm = come("gm", f"/sheets/{table.sheets['anna'].pk}/review/")
    seal = gm.locator("[name=_seal]").input_value()
    gm.locator("#comment").fill("Gut so.")
    submit_again(table)
    news = gm.locator("#watched")
    expect(news).to_be_visible()
    assert gm.locator("[name=_seal]").input_value() == seal
    news.get_by_role("link").click()
    expect(gm.locator("h1")).to_have_text("Anna die Zweite")
    expect(gm.locator("#comment")).to_have_value("Gut so.")
    expect(news).to_be_hidden()
    assert same(gm)


def test_whose_sheet_waits_for_approval_plays_as_soon_as_it_is_given(table, come):
    table.party.approval = True
    table.party.save()
    anna = come("anna", f"/sheets/{table.sheets['anna'].pk}/")
    note = anna.locator("div#approval-note")
    expect(note.get_by_role("link", name="Submit for approval")).to_be_visible()
    expect(anna.locator("#seen")).to_have_count(0)
    anna.locator("#notes > summary").click()
    anna.locator("#notes textarea").fill("mag Ziegen")
    table.decide("anna", "submit")
    expect(note).to_contain_text("this one is waiting for approval")
    table.decide("gm", "approve")
    expect(note).to_have_count(0)
    expect(anna.locator("#seen")).to_have_count(1)
    expect(anna.locator("#notes textarea")).to_have_value("mag Ziegen")
    # From here on it hears what lands there.
    expect(anna.locator("#watched")).to_have_attribute("data-live", re.compile("/live/sheet/"))
    assert same(anna)


def test_who_may_play_without_approval_again_sees_so(table, come):
    table.party.approval = True
    table.party.save()
    anna = come("anna", f"/sheets/{table.sheets['anna'].pk}/")
    expect(anna.locator("#seen")).to_have_count(0)
    table.browsers["gm"].post(f"/parties/{table.party.pk}/settings/", {
        "name": table.party.name, "seen_by": table.party.seen_by})
    expect(anna.locator("#seen")).to_have_count(1)
    assert same(anna)


def test_a_gm_sees_in_the_queue_what_comes_and_goes_and_approves_nothing_unseen(table, come):
    gm = come("gm", "/reviews/")
    waiting = gm.locator("#waiting .lines > li:not(.none)")
    expect(waiting).to_have_count(0)
    table.decide("anna", "submit")
    expect(waiting).to_have_count(1)
    table.decide("anna", "recall")
    expect(waiting).to_have_count(0)
    table.decide("anna", "submit")
    waiting.get_by_role("checkbox").check()
    submit_again(table)
    news = gm.locator("#watched")
    expect(news).to_be_visible()
    news.get_by_role("link").click()
    expect(waiting).to_contain_text("Anna die Zweite")
    expect(waiting.get_by_role("checkbox")).not_to_be_checked()
    assert same(gm)


def test_who_builds_sees_what_a_gm_says_there_and_loses_nothing(table, come):
    table.decide("anna", "submit")
    anna = come("anna", f"/drafts/{table.sheets['anna'].pk}/values/")
    field = anna.locator("[name=life]")
    field.fill("7")
    expect(anna.locator("#saved")).to_contain_text("Saved")
    table.decide("gm", "return", **{"at.movement": "Wieso so schnell?"})
    comment = anna.locator("#step .comment")
    expect(comment).to_contain_text("Wieso so schnell?")
    expect(field).to_have_value("7")
    expect(field).to_be_focused()
    comment.locator("summary").click()
    writing = comment.locator("textarea")
    writing.press_sequentially("Weil")
    table.decide("gm", "reply:2:movement", **{"reply.2:movement": "Sag es mir."})
    expect(comment.locator(".reply")).to_contain_text("Sag es mir.")
    expect(writing).to_have_value("Weil")
    expect(writing).to_be_focused()
    # What is saved by itself goes on to be.
    field.fill("5")
    expect(anna.locator("#saved")).to_contain_text("Saved")
    table.sheets["anna"].refresh_from_db()
    assert table.sheets["anna"].data["life"] == 5
    assert same(anna)
