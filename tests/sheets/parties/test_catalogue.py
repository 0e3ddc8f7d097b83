"""A party's catalogue by requests: in each system written, chosen, exported, imported, changed and withdrawn."""

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from builder.wizard.steps import steps
from rulesets import systems
from rulesets.kit import open_lists
from sheets.models import Party, PartyEntry, Sheet
from sheets.parties import services as parties
from sheets.parties.catalogue import MAX_ENTRIES, add_entries
from sheets.parties.catalogue_form import whole_row
from sheets.parties.views.catalogue import SEARCHED
from sheets.reviews import services as reviews
from tests.support.guest import text_of
from tests.support.party import Rooms, browser
from tests.support.sheets.printed import squeezed
from tests.support.sheets.printed import text_of as printed_text

pytestmark = pytest.mark.django_db
ENTRIES = {
    "condice": {"name": "Nebelwand", "cost": "2", "description": "Nebel steigt auf."},
    "battle-dice": {"name": "Nachtschicht", "cost": "2", "keywords.0.keyword": "angriff", "keywords.0.value": "2",
                    "effects.0.kind": "active", "effects.0.name": "Wecker", "effects.0.text": "Klingelt.",
                    "effects.0.cost": ""},
    "daemmersturm": {"name": "Nebelwand", "cost": "1 AP", "focus_points": "3", "text": "Nebel."},
    "dice-rumble": {"name": "Kochen", "attribute": ""},
    "augen-des-zwielichts": {"name": "Durch Nebel gehen", "text": "Nebel."},
}
OWN = {"ability": "custom", "name": "Nebelwand", "cost": 2, "description": "Nebel steigt auf.", "range": 0}
"""The row of a sheet that equals the entry of ConDice."""
each_system = pytest.mark.parametrize("slug", ENTRIES)


def where_of(slug):
    """The list and the kind of row that the system opens."""
    found, = open_lists(systems()[slug].sheet)
    return found


def written(slug):
    """A round whose GM has written the entry."""
    here = Rooms(slug)
    here.catalogue = f"/parties/{here.party.pk}/catalogue/"
    answer = here.browsers["gm"].post(here.catalogue, {"do": "add:" + ":".join(where_of(slug)), **ENTRIES[slug]})
    assert answer.status_code == 302, text_of(answer)
    here.entry = PartyEntry.objects.get()
    return here


@each_system
def test_what_a_gm_writes_is_chosen_in_the_builder_and_is_the_row_that_anybody_may_write(slug):
    here, (place, _tag) = written(slug), where_of(slug)
    for step in steps(systems()[slug]):
        url = f"/drafts/{here.sheet.pk}/{step}/"
        page = here.browsers["player"].get(url)
        button = re.search(rf'value="(add:{place}:party-\d+)"', page.text)
        if button:
            break
    assert button, "no step offers it"
    before = len(here.sheet.data[place])
    answer = here.browsers["player"].post(url, {"_version": here.sheet.version, "do": button[1]})
    assert answer.status_code == 302
    row = Sheet.objects.get(pk=here.sheet.pk).data[place][-1]
    assert len(Sheet.objects.get(pk=here.sheet.pk).data[place]) == before + 1
    assert {key: row[key] for key in here.entry.row} == here.entry.row
    assert "party" not in json.dumps(row)
    # So it stands on the sheet, in its text and on paper.
    for page in ("", "export/"):
        assert ENTRIES[slug]["name"] in here.read("player", f"/sheets/{here.sheet.pk}/{page}").text, page
    printed = here.read("player", f"/sheets/{here.sheet.pk}/sheet.pdf")
    assert squeezed(ENTRIES[slug]["name"]) in printed_text(printed.content)


@each_system
def test_a_catalogue_goes_as_a_document_to_another_party_and_as_a_copy_to_a_third(slug):
    here = written(slug)
    document = here.read("member", f"/parties/{here.party.pk}/catalogue.json").content
    others = [parties.found_party(here.gm, name, systems()[slug]) for name in ("Zweite", "Dritte")]
    here.browsers["gm"].post(f"/parties/{others[0].pk}/catalogue/", {
        "do": "import", "file": SimpleUploadedFile("c.json", document)})
    here.browsers["gm"].post(here.catalogue, {"do": "copy", "party": others[1].pk})
    assert [other.entries.get().row for other in others] == [here.entry.row] * 2
    # What stands there already is not added again.
    here.browsers["gm"].post(here.catalogue, {"do": "copy", "party": others[1].pk})
    assert others[1].entries.count() == 1


@each_system
def test_a_change_is_shown_with_what_it_does_before_it_is_saved_and_so_is_withdrawing(slug):
    here = written(slug)
    url, gm = f"{here.catalogue}{here.entry.pk}/", here.browsers["gm"]
    changed = {**ENTRIES[slug], "name": "Sturm"}
    shown = gm.post(url, {"do": "change", **changed})
    save = re.search(r'value="(change:\w+)"', shown.text)[1]
    assert PartyEntry.objects.get() == here.entry
    # With something else in the form it is shown again.
    assert gm.post(url, {"do": save, **changed, "name": "Wind"}).status_code == 409
    assert gm.post(url, {"do": save, **changed}).status_code == 302
    entry = PartyEntry.objects.get(withdrawn=None)
    assert (entry.row["name"], entry.pk != here.entry.pk) == ("Sturm", True)
    url = f"{here.catalogue}{entry.pk}/"
    save = re.search(r'value="(withdraw:\w+)"', gm.post(url, {"do": "withdraw", **changed}).text)[1]
    assert gm.post(url, {"do": save, **changed}).status_code == 302
    assert not PartyEntry.objects.exists()
    assert gm.get(url).status_code == 404


@each_system
def test_a_row_comes_from_a_review_into_the_catalogue_with_one_press(slug):
    here, (place, tag) = written(slug), where_of(slug)
    PartyEntry.objects.all().delete()
    here.sheet.data = {**here.sheet.data, place: [
        *here.sheet.data[place], whole_row(systems()[slug], (place, tag), here.entry.row)]}
    here.sheet.save()
    page = here.read("gm")
    path = f"{place}.{len(here.sheet.data[place]) - 1}"
    assert f'value="enter:{path}"' in page.text
    assert here.press("gm", f"enter:{path}").status_code == 302
    assert [one.row for one in PartyEntry.objects.all()] == [here.entry.row]
    assert f'value="enter:{path}"' not in here.read("gm").text
    assert here.press("player", f"enter:{path}").status_code == 404


def test_the_message_that_is_being_written_stays_when_a_row_goes_into_the_catalogue():
    here = Rooms("condice")
    here.sheet.data = {**here.sheet.data, "abilities": [OWN]}
    here.sheet.save()
    reviews.submit(here.sheet, here.player)
    assert "CD-08" in here.read("gm").text
    answer = here.press("gm", "enter:abilities.0", comment="Gut gemacht")
    assert (answer.status_code, "Gut gemacht" in answer.text, "reason." in answer.text) == (200, True, False)


def test_an_entry_that_is_withdrawn_makes_a_sheet_ask_for_approval_and_the_page_says_so_before():
    here = written("condice")
    here.sheet.data = {**here.sheet.data, "abilities": [OWN]}
    here.sheet.save()
    url, gm = f"{here.catalogue}{here.entry.pk}/", here.browsers["gm"]
    shown = gm.post(url, {"do": "withdraw"})
    assert "1 braucht dann Zustimmung" in text_of(shown) or "needs approval" in text_of(shown)
    assert "CD-08" in shown.text


def test_hostile_documents_are_refused_with_a_sentence_and_change_nothing():
    here = written("condice")
    row = {"list": "abilities", "kind": "custom", "row": here.entry.row}
    whole = {"format": "bogenschmiede.catalogue", "version": 1, "ruleset": "condice"}
    for entries in ([{**row, "list": "attacks"}], [{**row, "kind": []}], [{**row, "row": {"name": "x" * 201}}],
                    [{**row, "row": {"cost": -1}}], [{**row, "row": {"range": 3}}], ["x"], [row] * (MAX_ENTRIES + 1)):
        sent = json.dumps({**whole, "entries": entries})
        assert here.browsers["gm"].post(here.catalogue, {"do": "import", "document": sent}).status_code == 422, entries
    for sent in ("", "{", "[]", "null", json.dumps({**whole, "ruleset": "battle-dice", "entries": []})):
        assert here.browsers["gm"].post(here.catalogue, {"do": "import", "document": sent}).status_code == 422, sent
    assert PartyEntry.objects.count() == 1


def test_a_party_has_no_more_entries_than_it_may_and_a_form_with_a_fault_keeps_what_was_typed():
    here = written("condice")
    more = [(("abilities", "custom"), {"name": f"n{n}", "cost": 1, "description": ""}) for n in range(MAX_ENTRIES)]
    with pytest.raises(parties.Full):
        add_entries(here.party, more)
    answer = here.browsers["gm"].post(here.catalogue, {"do": "add:abilities:custom", "name": "Wal", "cost": "viel"})
    assert (answer.status_code, 'value="viel"' in answer.text, 'value="Wal"' in answer.text) == (422, True, True)


def test_a_long_catalogue_is_searched_by_its_members_and_keeps_its_download():
    here = written("condice")
    assert 'type="search"' not in here.read("member", here.catalogue).text
    add_entries(here.party, [(("abilities", "custom"), {"name": f"Wal {n}", "cost": 1, "description": "taucht"})
                             for n in range(SEARCHED)])
    for query, many, download in (("", SEARCHED + 1, 1), ("nebel", 1, 1), ("TAUCHT wal 7", 2, 1), ("x" * 5000, 0, 1)):
        page = here.read("member", here.catalogue, q=query)
        assert (len(re.findall("<strong>", page.text)), page.text.count("catalogue.json")) == (many, download), query
    assert "Nothing found." in page.text


def test_nobody_else_copies_into_a_party():
    here = written("condice")
    other = parties.found_party(here.stranger, "Fremde", systems()["condice"])
    assert here.browsers["gm"].post(here.catalogue, {"do": "copy", "party": other.pk}).status_code == 404
    assert Party.objects.get(pk=other.pk).entries.count() == 0
    assert browser(here.stranger).get(f"{here.catalogue}{here.entry.pk}/").status_code == 404
