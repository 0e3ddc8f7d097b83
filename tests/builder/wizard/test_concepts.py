"""What the dice make: chosen on the page, told on the draft in the reader's language, a chosen name left alone."""

import html
from itertools import product

import pytest
from django.test import Client

from rulesets import systems
from rulesets.kit.concepts import lines_of, names
from sheets.models import Sheet
from tests.support.builder.held import lacking
from tests.support.guest import Guest, words_in
from tests.support.rulesets.contract import every_system

pytestmark = pytest.mark.django_db
CONDICE = systems()["condice"]
RUNNER = {"en": "A runner who takes a beating", "de": "Ein Läufer, der Schläge einsteckt"}


def rolled(concept="runner", **fields):
    """A guest whose draft the dice have made."""
    guest = Guest()
    assert guest.post("figure", do="random:", _concept=concept, **fields).status_code == 302
    return guest


def page(guest, language="en", slug="figure"):
    return html.unescape(guest.client.get(guest.url(slug), headers={"Accept-Language": language}).text)


def test_a_concept_is_chosen_on_the_page_and_told_on_every_step_in_the_readers_language():
    guest = rolled()
    assert (guest.sheet.concept, guest.data["movement"] >= 6) == ("runner", True)
    for (language, title), slug in product(RUNNER.items(), ("figure", "values", "finish")):
        told = page(guest, language, slug).partition('<p class="concept">')[2].partition("</p>")[0]
        assert title in told
        assert any(line in told for line in lines_of(CONDICE.vocabulary(language), "runner"))


@every_system
def test_every_concept_is_offered_where_the_dice_are(client, ruleset):
    home = html.unescape(client.get("/", headers={"Accept-Language": "de"}).text)
    concepts = [f'<option value="{slug}">{title}</option>'
                for slug, title in ruleset.vocabulary("de").get("concepts", {}).items()]
    assert lacking(home, *concepts) == lacking(page(Guest(system=ruleset.slug), "de"), *concepts) == []


@every_system
def test_what_the_dice_made_lands_on_its_sheet_with_another_one_and_the_way_to_change_it(client, ruleset):
    answer = client.post(f"/build/{ruleset.slug}/", {"do": "random"}, follow=True, headers={"Accept-Language": "de"})
    sheet, told = Sheet.objects.get(), html.unescape(answer.text)
    assert answer.redirect_chain[-1][0] == f"/sheets/{sheet.pk}/"
    assert bool(sheet.concept) == bool(ruleset.concepts)
    own = [ruleset.vocabulary("de")["concepts"][sheet.concept], 'value="another"', f'href="/drafts/{sheet.pk}/"']
    assert lacking(told, sheet.name, *own * bool(sheet.concept)) == []
    shape = ruleset.sheet.model_validate(sheet.data)
    assert not ruleset.check(shape, name=sheet.name).findings


def test_dice_in_the_wizard_keep_the_name_that_was_typed_and_lead_to_the_sheet_where_they_make_one():
    guest = Guest()
    sheet = f"/sheets/{guest.pk}/"
    assert guest.post("figure", do="random:", _concept="king")["Location"] == guest.url("figure")
    assert guest.post("figure", do="random:", _name="Kunibert Eigenname", htmx=True)["HX-Redirect"] == sheet
    assert (guest.sheet.name, guest.sheet.concept in CONDICE.concepts) == ("Kunibert Eigenname", True)
    answer = guest.post("finish", do="random:", _concept="healer")
    assert (answer["Location"], guest.sheet.name, guest.sheet.concept) == (sheet, "Kunibert Eigenname", "healer")


def test_a_name_of_the_dice_gives_way_to_another_of_theirs():
    guest = rolled()
    seen = {guest.sheet.name}
    assert seen < {*names(CONDICE.vocabulary("en"))}
    for _time in range(5):
        guest.post("figure", do="random:")
        seen.add(guest.sheet.name)
    assert len(seen) > 1


def test_another_one_takes_the_place_of_the_first_keeps_a_chosen_name_and_can_be_undone():
    guest = rolled(_name="Kunibert Eigenname")
    before = guest.data
    answer = guest.client.post(guest.url(), {"do": "another", "_concept": "healer"})
    assert (answer["Location"], guest.sheet.concept) == (f"/sheets/{guest.pk}/", "healer")
    assert (guest.sheet.name, Sheet.objects.count()) == ("Kunibert Eigenname", 1)
    guest.post("figure", do="undo:")
    assert (guest.data, guest.sheet.concept) == (before, "runner")


def test_another_one_says_who_was_there_and_takes_it_back():
    guest = rolled()
    before = guest.sheet.state
    guest.client.post(guest.url(), {"do": "another"})
    told = html.unescape(guest.client.get(f"/sheets/{guest.pk}/").text)
    assert f"{guest.sheet.name} instead of {before.name}." in told
    guest.client.post(guest.url(), {"do": "back"})
    assert guest.sheet.state == before


def test_a_concept_that_there_is_not_is_told_so_and_changes_nothing():
    guest = rolled()
    before = guest.sheet.state
    for address, fields in (("", {"do": "another"}), ("figure", {"_version": guest.sheet.version, "do": "random:"})):
        answer = guest.client.post(guest.url(address), {**fields, "_concept": "<b>king</b>"}, follow=True)
        assert "“<b>king</b>” is not a concept of ConDice" in html.unescape(answer.text)
        assert "<b>king" not in answer.text
        assert (guest.sheet.state, guest.sheet.concept) == (before, "runner")


def test_another_one_is_no_longer_offered_once_the_sheet_is_played_or_finished():
    guest = rolled()
    for field, offered in (("updated", True), ("played", False), ("finished", False)):
        Sheet.objects.update(played=None, finished=None)
        Sheet.objects.update(**{field: guest.sheet.updated})
        assert ('value="another"' in guest.client.get(f"/sheets/{guest.pk}/").text) == offered


def test_what_the_dice_made_is_taken_back_with_it_and_done_again_with_it():
    guest = rolled()
    guest.post("figure", do="random:", _concept="healer")
    made = [guest.sheet.concept]
    for do in ("undo:", "undo:", "redo:", "redo:"):
        guest.post("figure", do=do)
        made.append(guest.sheet.concept)
    assert made == ["healer", "runner", "", "runner", "healer"]


def test_what_one_changes_by_hand_keeps_what_it_was_and_so_does_a_copy():
    guest = rolled()
    guest.post("values", {"life": guest.data["life"]}, mental_resistance="0")
    assert (guest.data["mental_resistance"], guest.sheet.concept) == (0, "runner")
    guest.whole("copy")
    assert set(Sheet.objects.values_list("concept", flat=True)) == {"runner"}


def test_a_character_begins_as_what_was_chosen_and_without_notes(client):
    client.post("/build/dice-rumble/", {"do": "random", "_concept": "bard"})
    sheet = Sheet.objects.get()
    assert (sheet.concept, sheet.notes, sheet.data["attributes"]["charisma"]) == ("bard", "", 3)
    assert client.post("/build/dice-rumble/", {"do": "random", "_concept": "x"}).status_code == 400


@pytest.mark.parametrize("htmx", [False, True])
def test_what_somebody_has_changed_is_replaced_only_once_they_say_so_and_can_be_taken_back(htmx):
    guest = rolled()
    guest.post("values", {"life": guest.data["life"] + 1})
    changed, ask = guest.data, f"/drafts/{guest.pk}/?roll=healer"
    for answer in (guest.post("figure", do="random:", _concept="healer", htmx=htmx),
                   guest.client.post(guest.url(), {"do": "another", "_concept": "healer"})):
        assert ask in (answer.headers.get("HX-Redirect"), answer.headers.get("Location"))
        assert guest.data == changed
    page = guest.client.get(ask)
    assert words_in(page, guest.sheet.name, 'name="_sure"', 'value="healer"') == [
        guest.sheet.name, 'name="_sure"', 'value="healer"']
    guest.client.post(guest.url(), {"do": "another", "_concept": "healer", "_sure": "1"})
    assert guest.sheet.concept == "healer"
    assert 'form="rolled-back"' in guest.client.get(f"/sheets/{guest.pk}/").text
    guest.client.post(guest.url(), {"do": "back"})
    assert guest.data == changed


def test_what_is_typed_beside_the_button_counts_as_changed_and_is_saved_before_it_is_asked():
    guest = rolled()
    life = guest.data["life"] + 1
    answer = guest.post("values", {"life": life}, do="random:")
    assert (answer["Location"], guest.data["life"]) == (f"/drafts/{guest.pk}/?roll=", life)


def test_what_the_dice_made_and_nobody_changed_is_rolled_anew_at_once():
    client = Client()
    made = client.post("/build/condice/", {"do": "random"})["Location"].split("/")[2]
    for _time in range(2):
        assert client.post(f"/drafts/{made}/", {"do": "another"})["Location"] == f"/sheets/{made}/"
