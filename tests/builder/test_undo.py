"""What is saved of a draft is a version, and can be taken back and done again."""

from random import Random

import pytest

from builder.wizard.merge import NAME
from sheets.history import saves
from sheets.models import Change, Sheet, State
from tests.support.builder.browsers import change

pytestmark = pytest.mark.django_db


def live(draft):
    """What the draft says of life, from the database."""
    return Sheet.objects.get(pk=draft.pk).data["life"]


def type_name(draft, name):
    saves.save(draft, State(name, draft.data, draft.typed), text=NAME)


def test_every_change_is_a_version(draft):
    change(draft, 1)
    change(draft, 2)
    assert (draft.version, live(draft)) == (3, 2)


def test_a_save_that_changes_nothing_is_no_version(draft):
    change(draft, 1)
    change(draft, 1)
    assert (draft.version, draft.changes.count()) == (2, 1)


def test_undo_takes_a_change_back_and_redo_does_it_again(draft):
    change(draft, 1)
    change(draft, 2)
    saves.step_through(draft, -1)
    assert (live(draft), draft.version) == (1, 4)
    assert (saves.can_undo(draft), saves.can_redo(draft)) == (True, True)
    saves.step_through(draft, 1)
    assert (live(draft), draft.version) == (2, 5)
    assert (saves.can_undo(draft), saves.can_redo(draft)) == (True, False)


def test_undo_brings_name_and_broken_texts_back_too(draft):
    saves.save(draft, State("Juan", draft.data, {"life": "viele"}))
    saves.save(draft, State("Don Juan", draft.data, {}))
    saves.step_through(draft, -1)
    assert Sheet.objects.get(pk=draft.pk).state == State("Juan", draft.data, {"life": "viele"})


def test_a_change_after_undo_and_redo_is_a_change_like_any_other(draft):
    change(draft, 1)
    saves.step_through(draft, -1)
    saves.step_through(draft, 1)
    change(draft, 2)
    saves.step_through(draft, -1)
    assert live(draft) == 1
    saves.step_through(draft, -1)
    assert live(draft) == 0


def test_there_is_nothing_before_the_first_and_after_the_last_change(draft):
    change(draft, 1)
    saves.step_through(draft, 1)
    assert (live(draft), draft.version) == (1, 2)
    saves.step_through(draft, -1)
    saves.step_through(draft, -1)
    assert (live(draft), draft.version) == (0, 3)


def test_twenty_changes_can_be_taken_back_and_done_again(draft):
    for life in range(1, 31):
        change(draft, life)
    assert saves.UNDO <= draft.changes.count() < 2 * saves.UNDO
    taken = 0
    while saves.can_undo(draft):
        saves.step_through(draft, -1)
        taken += 1
    assert (taken, live(draft)) == (20, 10)
    while saves.can_redo(draft):
        saves.step_through(draft, 1)
    assert live(draft) == 30


@pytest.mark.parametrize(("changes", "back"), [(30, 20), (25, 20), (41, 20), (21, 15), (10, 5)])
def test_undo_is_offered_only_while_there_is_something_behind_it(draft, changes, back):
    for life in range(1, changes + 1):
        change(draft, life)
    for _round in range(2):
        for _step in range(back):
            saves.step_through(draft, -1)
        change(draft, 99 + _round)
        for _step in range(25):
            before = live(draft)
            offered = saves.can_undo(draft)
            saves.step_through(draft, -1)
            assert (live(draft) != before) == offered
        saves.step_through(draft, 1)


def test_a_change_after_undo_cuts_off_what_was_taken_back(draft):
    for life in (1, 2, 3):
        change(draft, life)
    saves.step_through(draft, -1)
    saves.step_through(draft, -1)
    change(draft, 7)
    assert not saves.can_redo(draft)
    saves.step_through(draft, 1)
    assert live(draft) == 7
    saves.step_through(draft, -1)
    assert live(draft) == 1
    saves.step_through(draft, -1)
    assert live(draft) == 0


def test_a_text_typed_without_a_pause_is_one_change(draft):
    change(draft, 1)
    for name in ("J", "Ju", "Jua", "Juan"):
        type_name(draft, name)
    assert draft.version == 6
    saves.step_through(draft, -1)
    assert (draft.name, live(draft)) == ("", 1)
    saves.step_through(draft, 1)
    assert draft.name == "Juan"


def test_a_text_typed_after_a_pause_is_another_change(draft):
    type_name(draft, "Juan")
    draft.updated -= saves.TYPING
    type_name(draft, "Don Juan")
    saves.step_through(draft, -1)
    assert draft.name == "Juan"


def test_a_change_in_between_parts_what_is_typed(draft):
    type_name(draft, "Juan")
    change(draft, 1)
    type_name(draft, "Don Juan")
    saves.step_through(draft, -1)
    assert (draft.name, live(draft)) == ("Juan", 1)


def test_typing_on_after_undo_is_a_change_of_its_own(draft):
    type_name(draft, "J")
    type_name(draft, "Ju")
    saves.step_through(draft, -1)
    saves.step_through(draft, 1)
    type_name(draft, "Juan")
    saves.step_through(draft, -1)
    assert draft.name == "Ju"


def test_an_undone_history_keeps_its_version_numbers_for_pages_made_from_them(draft):
    change(draft, 1)
    change(draft, 2)
    saves.step_through(draft, -1)
    assert sorted(Change.objects.values_list("number", "version")) == [(0, 1), (1, 2), (2, 3)]


def test_of_large_states_fewer_are_kept_and_all_of_them_can_be_taken_back(draft):
    for number in range(12):
        saves.save(draft, State(f"{number}", draft.data, {"life": "x" * 60_000}))
    kept = list(draft.changes.order_by("number"))
    assert len(kept) == 4
    assert sum(len(one.typed["life"]) for one in kept) <= saves.KEPT
    names = []
    while saves.can_undo(draft):
        saves.step_through(draft, -1)
        names.append(draft.name)
    assert names == ["10", "9", "8", "7"]
    while saves.can_redo(draft):
        saves.step_through(draft, 1)
    assert draft.name == "11"


def test_of_a_state_that_is_larger_than_all_that_is_kept_one_can_be_taken_back(draft):
    for number in range(4):
        saves.save(draft, State("x", draft.data, {"life": f"{number}" * 300_000}))
    assert draft.changes.count() == 1
    saves.step_through(draft, -1)
    assert draft.typed == {"life": "2" * 300_000}
    assert not saves.can_undo(draft)


def test_small_changes_after_large_ones_are_kept_as_many_as_ever(draft):
    for number in range(6):
        saves.save(draft, State("x", draft.data, {"life": f"{number}" * 60_000}))
    for number in range(25):
        saves.save(draft, State(f"{number}", draft.data, {}))
    back = 0
    while saves.can_undo(draft):
        saves.step_through(draft, -1)
        back += 1
    assert (back, draft.name) == (20, "4")


def test_whatever_is_saved_a_history_stays_within_a_bound(draft):
    rng = Random(1)  # noqa: S311
    for number in range(200):
        saves.save(draft, State("x", draft.data, {"life": f"{number}" * rng.choice([1, 50, 2_000, 20_000, 40_000])}))
        assert sum(len(one.typed["life"]) for one in draft.changes.all() if one.typed) <= 4 * saves.KEPT
        assert draft.changes.count() <= 2 * saves.UNDO
