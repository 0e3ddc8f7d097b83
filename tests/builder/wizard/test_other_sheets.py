"""Rows of one's other sheets in the builder: shown when asked for, copied with one press, and only one's own."""

import re

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from builder.wizard.other_sheets import MOST_ROWS, MOST_SHEETS, takes_own_rows
from builder.wizard.steps import step_of
from rulesets import systems
from rulesets.kit import ROWS, blank, open_lists, slots
from sheets.api.views import MOST
from sheets.models import Sheet
from tests.support.guest import Guest, example, text_of

pytestmark = pytest.mark.django_db
NOBODY = "00000000-0000-4000-8000-000000000000"
LISTS = [(slug, key) for slug, ruleset in systems().items() for key, slot in slots(ruleset.sheet).items()
         if takes_own_rows(ruleset, slot)]
LISTS_HERE = ("attacks", "abilities")
"""ConDice's."""


def own_row(slug, place, name="Nebelwand"):
    """A row as a player writes it."""
    slot = slots(systems()[slug].sheet)[place]
    tag = next((tag for where, tag in open_lists(systems()[slug].sheet) if where == place), "") if slot.tag else None
    return blank(slot.member(tag), **({slot.tag: tag} if tag else {}), name=name)


def other_of(guest, **fields):
    """Another sheet of whoever sits there."""
    own = guest.sheet
    return Sheet.objects.create(**{"owner": own.owner, "guest": own.guest, "ruleset": own.ruleset, "name": "Alva",
                                   "data": example()["data"], **fields})


def buttons(answer, place="attacks"):
    """The buttons of a page that copy a row of another sheet."""
    return re.findall(rf'value="(add:{place}:sheet-[^"]+)"', answer.text)


@pytest.fixture
def draft():
    """A draft of ConDice, and another sheet of the same guest that has one attack."""
    guest = Guest()
    guest.other = other_of(guest, data={**guest.data, "attacks": [own_row("condice", "attacks")]})
    return guest


@pytest.mark.parametrize(("slug", "place"), LISTS)
@pytest.mark.parametrize("signed_in", [False, True])
def test_in_each_system_a_row_that_one_wrote_is_copied_with_one_press(slug, place, signed_in):
    guest = Guest(system=slug, user=User.objects.create_user("paula") if signed_in else None)
    step, row = step_of(systems()[slug], place), own_row(slug, place)
    assert "From another sheet" not in guest.get(step).text
    other_of(guest, ruleset=slug, data={**guest.data, place: [row, row]})
    closed = guest.get(step)
    assert ("From another sheet" in closed.text, "Nebelwand" in closed.text) == (True, False)
    shown = guest.get(step, **{"from": f"{place}:sheets"})
    (button,), before = buttons(shown, place), guest.data[place]
    assert "Alva" in text_of(shown)
    answer = guest.post(step, do=button)
    assert guest.data[place] == [*before, row]
    # The rows stay open, and what the sheet has now is marked.
    again = guest.client.get(answer["Location"])
    assert ("This sheet has that row already." in again.text, buttons(again, place)) == (True, [])


def test_what_was_typed_beside_the_button_is_saved_too_and_htmx_keeps_the_rows_open(draft):
    other_of(draft, name="Bert", data={**draft.data, "attacks": [own_row("condice", "attacks", "Sturm")]})
    button = buttons(draft.get("attacks", **{"from": "attacks:sheets"}))[0]
    answer = draft.post("attacks", {"_name": "Neu"}, do=button, htmx=True)
    assert (draft.sheet.name, len(draft.data["attacks"]), len(buttons(answer))) == ("Neu", 1, 1)


def test_rows_of_the_book_and_empty_ones_are_left_out_and_the_search_narrows_the_others():
    guest = Guest(system="dice-rumble")
    label, = list(slots(systems()["dice-rumble"].sheet)["talents"].ask.presets)[:1]
    step = step_of(systems()["dice-rumble"], "talents")
    guest.post(step, do=f"add:talents:{label}")
    guest.post(step, do="add:talents")
    known = guest.data["talents"]
    other_of(guest, ruleset="dice-rumble", data={**guest.data, "talents": [
        *known, *(own_row("dice-rumble", "talents", name) for name in ("Kochen", "Nebelwand"))]})
    assert len(buttons(guest.get(step, **{"from": "talents:sheets"}), "talents")) == 2
    assert len(buttons(guest.get(step, **{"from": "talents:sheets", "own": "koch"}), "talents")) == 1
    assert "Nothing found." in guest.get(step, **{"from": "talents:sheets", "own": "wal"}).text


@pytest.mark.parametrize("fields", [{"deleted": timezone.now()}, {"offered": True}, {"opponent": True},
                                    {"ruleset": "dice-rumble"}, {"guest": "x" * 22}])
def test_rows_of_sheets_that_are_not_ones_own_or_not_there_are_neither_shown_nor_copied(draft, fields):
    button, = buttons(draft.get("attacks", **{"from": "attacks:sheets"}))
    Sheet.objects.filter(pk=draft.other.pk).update(**fields)
    assert "From another sheet" not in draft.get("attacks", **{"from": "attacks:sheets"}).text
    assert draft.post("attacks", do=button).status_code == 404
    assert draft.data["attacks"] == []


@pytest.mark.parametrize("seen_by", ["public", "party"])
def test_a_row_of_somebody_elses_sheet_answers_404_even_if_it_may_be_read(seen_by):
    guest, stranger = Guest(user=User.objects.create_user("paula")), Guest(user=User.objects.create_user("sten"))
    stranger.other = other_of(stranger, data={**stranger.data, "attacks": [own_row("condice", "attacks")]},
                              seen_by=seen_by)
    button, = buttons(stranger.get("attacks", **{"from": "attacks:sheets"}))
    assert guest.post("attacks", do=button).status_code == 404
    assert guest.data["attacks"] == []


def test_a_stale_page_merges_its_copy_and_one_whose_row_has_changed_is_refused(draft):
    button, = buttons(draft.get("attacks", **{"from": "attacks:sheets"}))
    version = draft.sheet.version
    draft.post("figure", {"_name": "Zwei"})
    assert draft.post("attacks", do=button, version=version).status_code == 409
    assert draft.data["attacks"] == []
    Sheet.objects.filter(pk=draft.other.pk).update(
        data={**draft.other.data, "attacks": [own_row("condice", "attacks", "Sturm")]})
    assert "That row is no longer there." in text_of(draft.post("attacks", do=button, htmx=True))
    assert draft.data["attacks"] == []


def test_a_full_list_and_a_row_that_is_there_already_are_refused_in_words(draft):
    button, = buttons(draft.get("attacks", **{"from": "attacks:sheets"}))
    draft.post("attacks", do=button)
    assert "This sheet has that row already." in text_of(draft.post("attacks", do=button, htmx=True))
    assert len(draft.data["attacks"]) == 1
    full = [own_row("condice", "attacks", f"n{number}") for number in range(ROWS)]
    Sheet.objects.filter(pk=draft.pk).update(data={**draft.data, "attacks": full})
    assert f"No more than {ROWS} rows are allowed." in text_of(draft.post("attacks", do=button, htmx=True))
    assert draft.data["attacks"] == full


@pytest.mark.parametrize("tag", ["sheet-", "sheet-x", f"sheet-{NOBODY}", f"sheet-{NOBODY}-0", "sheet-\0",
                                 "sheet-" + "9" * 5000, "sheet-{own}-0", "sheet-{other}-", "sheet-{other}-²"])
def test_hostile_values_are_refused_and_change_nothing(draft, tag):
    before = draft.sheet.state
    tag = tag.format(own=draft.pk, other=draft.other.pk) if "{" in tag else tag
    for place in ("attacks", "life", "nowhere", "", "attacks.0", "0", "abilities"):
        for htmx in (False, True):
            answer = draft.post("attacks", do=f"add:{place}:{tag}", htmx=htmx)
            assert answer.status_code in (400, 404) or (place in LISTS_HERE and str(draft.other.pk) in tag), place
        for asked in (f"{place}:sheets", f"{place}:{tag}", ":"):
            assert draft.get("attacks", **{"from": asked, "own": tag}).status_code == 200, asked
    assert draft.sheet.state == before


def test_rows_are_those_of_at_most_twelve_sheets_and_two_hundred_in_all(draft):
    many = [own_row("condice", "attacks", f"n{number}") for number in range(50)]
    for number in range(MOST_SHEETS + 1):
        other_of(draft, name=f"S{number}", data={**draft.data, "attacks": many if number else many[:1]})
    shown = draft.get("attacks", **{"from": "attacks:sheets"})
    assert len(buttons(shown)) == MOST_ROWS
    assert "200 of 600 are shown" in text_of(shown)
    assert len({button.rpartition("-")[0] for button in buttons(shown)}) == MOST_ROWS // 50


def test_long_texts_leave_room_for_fewer_rows_so_that_no_answer_becomes_too_long():
    guest = Guest(system="daemmersturm")
    step = step_of(systems()["daemmersturm"], "abilities")
    for sheet in range(MOST_SHEETS):
        rows = [own_row("daemmersturm", "abilities", f"{number}{sheet}" + '"' * 150) | {"text": '"' * 1_000}
                for number in range(30)]
        other_of(guest, ruleset="daemmersturm", name='"' * 190, data={**guest.data, "abilities": rows})
    shown = guest.get(step, **{"from": "abilities:sheets"})
    assert 0 < len(buttons(shown, "abilities")) < MOST_ROWS
    assert len(shown.content) < MOST
