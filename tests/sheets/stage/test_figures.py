"""A GM sets a figure of whoever acts, with a reason that the log keeps."""

import pytest

from sheets.models import Event
from tests.support.guest import text_of, words_in
from tests.support.sheets.fight import Fight

pytestmark = pytest.mark.alike


def set_to(table, value, figure="life:10", reason="Fällt vom Dach", who="gm", **more):
    return table.browsers[who].post(f"{table.address}play/?{table.seats(at=None)}", {
        "do": "set", "_figure": figure, "_value": value, "_reason": reason,
        "_press": more.pop("_press", "6ff9f1a7-83b3-4b4c-9a3f-3d2a4e3b5c11"), **more}, follow=True)


def test_a_gm_sets_a_figure_and_the_log_says_why_and_it_can_be_taken_back(table):
    full = table.full("anna")
    page = set_to(table, full - 3, f"life:{full}")
    assert table.life("anna") == full - 3
    event = Event.objects.get()
    assert words_in(page, f"The GM sets Life points: {full} → {full - 3}", "Fällt vom Dach") == [
        f"The GM sets Life points: {full} → {full - 3}", "Fällt vom Dach"]
    assert (event.scene, event.number) == (table.scene, None)
    set_to(table, full - 3, f"life:{full}")
    assert Event.objects.count() == 1
    table.settle("back", "gm", event.pk)
    assert table.life("anna") == full


@pytest.mark.parametrize(("value", "figure", "said"), [
    ("x", "life:10", "A value must be a whole number."), ("3", "life:x", "A value must be a whole number."),
    ("-4", "life:{full}", "Life points cannot be set to -4."),
    ("99999", "life:{full}", "Life points cannot be set to 99999."),
    ("2", "life:1", "Life points: now {full}"), ("{full}", "life:{full}", "Life points cannot be set to"),
    ("2", "nothing:1", "That is no longer available"), ("", "", "A value must be a whole number."),
])
def test_what_play_does_not_let_it_become_is_said_and_nothing_is_changed(table, value, figure, said):
    full = table.full("anna")
    page = set_to(table, value.format(full=full), figure.format(full=full))
    assert words_in(page, said.format(full=full)) == [said.format(full=full)]
    assert (table.life("anna"), Event.objects.count()) == (full, 0)


def test_players_set_no_figures_and_are_not_offered_it(table):
    assert set_to(table, 1, who="anna").status_code == 404
    assert "Set a value" not in text_of(table.look("anna"))
    assert "Set a value" in text_of(table.look("gm"))


@pytest.mark.parametrize("slug", ["condice", "dice-rumble", "daemmersturm", "augen-des-zwielichts"])
def test_in_each_system_something_can_be_set(django_user_model, slug):

    table = Fight(django_user_model.objects, slug)
    assert 'name="_figure"' in table.look("gm", at=None).text


def test_a_reason_is_a_line_that_every_database_keeps(table):
    full = table.full("anna")
    set_to(table, full - 3, f"life:{full}", reason="Fällt\0vom\n Dach")
    assert Event.objects.get().text.endswith("Fällt vom Dach")
