"""A party's catalogue in Chromium: an entry written, chosen, changed as shown, withdrawn; and rows of other sheets."""

import pytest
from playwright.sync_api import expect

from builder.wizard.steps import steps
from rulesets import systems
from rulesets.kit import open_lists
from sheets.models import Member, PartyEntry, Sheet
from sheets.parties import services as parties
from sheets.parties.catalogue import add_entries
from tests.support.browser.looks import sound
from tests.support.browser.waits import quiet
from tests.support.party import Rooms

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("slug", systems())
def test_an_entry_is_written_chosen_by_a_player_changed_as_shown_and_withdrawn(visit, transactional_db, slug):
    here = Rooms(slug)
    (place, _tag), = open_lists(systems()[slug].sheet)
    gm = visit(f"/parties/{here.party.pk}/", client=here.browsers["gm"], locale="en")
    gm.get_by_role("link", name="The party's catalogue").click()
    gm.locator("[name=name]").fill("Nebelwand")
    sound(gm)
    gm.get_by_role("button", name="Add to the catalogue").click()
    quiet(gm)
    entry = PartyEntry.objects.get()
    player = visit("/", client=here.browsers["player"], locale="en")
    for step in steps(systems()[slug]):
        player.goto(f"/drafts/{here.sheet.pk}/{step}/")
        add = player.locator(f"[value='add:{place}:party-{entry.pk}']")
        if add.count():
            break
    expect(player.locator(".entry .badge").first).to_have_text("the party's")
    add.click()
    quiet(player)
    row = Sheet.objects.get(pk=here.sheet.pk).data[place][-1]
    assert {key: row[key] for key in entry.row} == entry.row
    gm.get_by_role("link", name="Nebelwand").click()
    gm.locator("[name=name]").fill("Sturm")
    gm.get_by_role("button", name="See what the change does").click()
    expect(gm.locator("#summary")).to_contain_text("1 sheet")
    sound(gm)
    gm.get_by_role("button", name="Save the change").click()
    gm.get_by_role("link", name="Sturm").click()
    gm.get_by_role("button", name="See what withdrawing does").click()
    gm.get_by_role("button", name="Withdraw the entry").click()
    expect(gm.get_by_text("The catalogue has no entries yet.")).to_be_visible()
    assert not PartyEntry.objects.exists()


def test_a_row_goes_from_its_review_into_the_catalogue_and_asks_for_approval_where_that_does_not_count(
        visit, transactional_db, tmp_path):
    here = Rooms("condice").ask().wait()
    other = parties.found_party(here.stranger, "Zweite", systems()["condice"])
    Member.objects.create(party=other, user=here.player)
    gm = visit("/reviews/", client=here.browsers["gm"], locale="en")
    # Two presses: the review, and its button.
    gm.locator(f"a[href^='{here.url}']").first.click()
    gm.get_by_role("button", name="Into the catalogue: Zeit anhalten").click()
    expect(gm.get_by_text("The entry is in the catalogue.")).to_be_visible()
    player = visit(f"/sheets/{here.sheet.pk}/export/", client=here.browsers["player"], locale="en")
    with player.expect_download() as waited:
        player.get_by_role("link", name="Save as JSON").click()
    waited.value.save_as(tmp_path / "sheet.json")
    player.goto("/import/")
    player.set_input_files("#file", tmp_path / "sheet.json")
    player.get_by_role("button", name="Make a new draft from it").click()
    player.wait_for_url("**/drafts/**")
    player.goto(f"/sheets/{player.url.split('/')[4]}/#party-and-readers")
    player.locator("#party").select_option(label="Zweite")
    player.locator("[name=do][value=bring]").click()
    quiet(player)
    for pk, asks in ((here.sheet.pk, 0), (player.url.split("/")[4], 1)):
        player.goto(f"/drafts/{pk}/abilities/")
        expect(player.locator("#step .mark.ask")).to_have_count(asks)
    gm.goto(f"/parties/{here.party.pk}/catalogue/{PartyEntry.objects.get().pk}/")
    gm.locator("[name=cost]").fill("3")
    gm.get_by_role("button", name="See what the change does").click()
    expect(gm.locator("#summary")).to_contain_text("1 then needs approval")
    expect(gm.locator("#effects")).to_contain_text(here.sheet.name)
    gm.get_by_role("button", name="Save the change").click()
    expect(gm.get_by_role("link", name="Zeit anhalten")).to_be_visible()
    assert PartyEntry.objects.get().row["cost"] == 3


def test_rows_of_another_sheet_stay_open_while_one_after_the_other_is_copied(visit, transactional_db):
    here = Rooms("condice")
    attacks = here.sheet.data["attacks"]
    empty = Sheet.objects.create(owner=here.player, ruleset="condice", name="Neu",
                                 data={**here.sheet.data, "attacks": []})
    page = visit(f"/drafts/{empty.pk}/attacks/", client=here.browsers["player"], locale="en")
    page.get_by_role("link", name="From another sheet").click()
    add = page.locator("[value^='add:attacks:sheet-']")
    expect(add).to_have_count(len(attacks))
    sound(page)
    for left in reversed(range(len(attacks))):
        add.first.click()
        quiet(page)
        expect(add).to_have_count(left)
    assert Sheet.objects.get(pk=empty.pk).data["attacks"] == attacks


def test_what_a_long_catalogue_is_searched_for_stays_after_a_press(visit, transactional_db):
    here = Rooms("condice")
    add_entries(here.party, [(("abilities", "custom"), {"name": f"Nebelwand {n}", "cost": 1, "description": ""})
                             for n in range(60)])
    page = visit(f"/drafts/{here.sheet.pk}/abilities/", client=here.browsers["player"], locale="en")
    add = page.locator("[value^='add:abilities:party-']")
    expect(add).to_have_count(48)
    page.locator("[name=own]").fill("nebelwand 55")
    expect(add).to_have_count(1)
    add.click()
    expect(page.locator("#step .row").last).to_contain_text("Nebelwand 55")
    expect(page.locator("[name=own]")).to_have_value("nebelwand 55")
    expect(add).to_have_count(1)
    page.goto(f"/parties/{here.party.pk}/catalogue/")
    expect(page.locator("#entries li")).to_have_count(60)
    page.locator("[name=q]").fill("nebelwand 55")
    expect(page.locator("#entries li")).to_have_count(1)
