"""A party's catalogue in Chromium: an entry written, chosen in the builder, changed as shown, withdrawn."""

import pytest
from playwright.sync_api import expect

from builder.wizard.steps import steps
from rulesets import systems
from rulesets.kit import open_lists
from sheets.models import PartyEntry, Sheet
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
