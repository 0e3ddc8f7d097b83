"""What the dice make: chosen on the page, told on the draft in the reader's language, a chosen name left alone."""

import html

import pytest

from rulesets import systems
from rulesets.kit.concepts import lines_of, names
from sheets.models import Sheet
from tests.support.guest import Guest
from tests.support.rulesets.contract import every_system

pytestmark = pytest.mark.django_db
CONDICE = systems()["condice"]
RUNNER = {"en": "A runner who takes a beating", "de": "Ein Läufer, der Schläge einsteckt"}


def rolled(concept="runner", **fields):
    """A guest whose draft the dice have made."""
    guest = Guest()
    answer = guest.post("figure", do="random:", _concept=concept, **fields)
    assert answer.status_code == 302
    return guest


def page(guest, language="en", slug="figure"):
    return html.unescape(guest.client.get(guest.url(slug), headers={"Accept-Language": language}).content.decode())


def test_a_concept_is_chosen_on_the_page_and_told_on_every_step_in_the_readers_language():
    guest = rolled()
    assert guest.sheet.concept == "runner"
    assert guest.data["movement"] >= 6
    for language, title in RUNNER.items():
        for slug in ("figure", "values", "finish"):
            told = page(guest, language, slug).partition('<p class="concept">')[2].partition("</p>")[0]
            assert title in told
            assert any(line in told for line in lines_of(CONDICE.vocabulary(language), "runner"))


@every_system
def test_every_concept_is_offered_where_the_dice_are(client, ruleset):
    home = html.unescape(client.get("/", headers={"Accept-Language": "de"}).content.decode())
    step = page(Guest(system=ruleset.slug), "de")
    for slug, title in ruleset.vocabulary("de").get("concepts", {}).items():
        assert f'<option value="{slug}">{title}</option>' in home
        assert f'<option value="{slug}">{title}</option>' in step


@every_system
def test_what_the_dice_made_lands_on_its_sheet_with_another_one_and_the_way_to_change_it(client, ruleset):
    answer = client.post(f"/build/{ruleset.slug}/", {"do": "random"}, follow=True, headers={"Accept-Language": "de"})
    sheet = Sheet.objects.get()
    assert answer.redirect_chain[-1][0] == f"/sheets/{sheet.pk}/"
    told = html.unescape(answer.content.decode())
    assert sheet.name in told
    assert bool(sheet.concept) == bool(ruleset.concepts)
    if sheet.concept:
        assert ruleset.vocabulary("de")["concepts"][sheet.concept] in told
        assert 'value="another"' in told
        assert f'href="/drafts/{sheet.pk}/"' in told


def test_dice_in_the_wizard_keep_the_name_that_was_typed_and_lead_to_the_sheet():
    guest = Guest()
    sheet = f"/sheets/{guest.pk}/"
    answer = guest.post("figure", do="random:", _name="Kunibert Eigenname", htmx=True)
    assert answer["HX-Redirect"] == sheet
    assert guest.sheet.name == "Kunibert Eigenname"
    answer = guest.post("finish", do="random:", _concept="healer")
    assert (answer["Location"], guest.sheet.name) == (sheet, "Kunibert Eigenname")
    assert guest.sheet.concept == "healer"


def test_another_one_takes_the_place_of_the_first_keeps_a_chosen_name_and_can_be_undone():
    guest = rolled(_name="Kunibert Eigenname")
    before = guest.data
    answer = guest.client.post(guest.url(), {"do": "another", "_concept": "healer"})
    assert (answer["Location"], guest.sheet.concept) == (f"/sheets/{guest.pk}/", "healer")
    assert (guest.sheet.name, Sheet.objects.count()) == ("Kunibert Eigenname", 1)
    guest.post("figure", do="undo:")
    assert (guest.data, guest.sheet.concept) == (before, "runner")


def test_another_one_of_a_concept_that_there_is_not_changes_nothing_and_says_so():
    guest = rolled()
    answer = guest.client.post(guest.url(), {"do": "another", "_concept": "king"}, follow=True)
    assert "“king” is no concept of ConDice" in html.unescape(answer.content.decode())
    assert guest.sheet.concept == "runner"


def test_another_one_is_no_longer_offered_once_the_sheet_is_played_or_finished():
    guest = rolled()
    offered = lambda: 'value="another"' in guest.client.get(f"/sheets/{guest.pk}/").content.decode()  # noqa: E731
    assert offered()
    for field in ("played", "finished"):
        Sheet.objects.update(played=None, finished=None)
        Sheet.objects.update(**{field: guest.sheet.updated})
        assert not offered()


def test_dice_that_make_nothing_stay_where_they_were_pressed():
    guest = Guest()
    assert guest.post("figure", do="random:", _concept="king")["Location"] == guest.url("figure")


def test_without_a_choice_the_dice_choose():
    assert rolled("").sheet.concept in CONDICE.concepts


def test_a_name_that_somebody_chose_stays_and_one_of_the_dice_gives_way():
    guest = rolled(_name="Kunibert Eigenname")
    assert guest.sheet.name == "Kunibert Eigenname"
    other = rolled()
    first = other.sheet.name
    assert first in names(CONDICE.vocabulary("en"))
    seen = {first}
    for _time in range(5):
        other.post("figure", do="random:")
        seen.add(other.sheet.name)
    assert len(seen) > 1


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


def test_a_concept_that_there_is_not_is_told_so_and_changes_nothing():
    guest = Guest()
    before = guest.sheet
    answer = guest.client.post(guest.url("figure"), {"_version": 1, "do": "random:", "_concept": "<b>king</b>"},
                               follow=True, headers={"Accept-Language": "en"})
    assert "“<b>king</b>” is no concept of ConDice" in html.unescape(answer.content.decode())
    assert "<b>king" not in answer.content.decode()
    assert (guest.sheet.data, guest.sheet.concept, guest.sheet.name) == (before.data, "", before.name)


def test_a_character_begins_as_what_was_chosen_and_without_notes(client):
    client.post("/build/dice-rumble/", {"do": "random", "_concept": "bard"})
    sheet = Sheet.objects.get()
    assert (sheet.concept, sheet.notes) == ("bard", "")
    assert sheet.data["attributes"]["charisma"] == 3
    assert client.post("/build/dice-rumble/", {"do": "random", "_concept": "x"}).status_code == 400
