"""What is saved of a draft is a version, and can be taken back and done again."""

from random import Random

import pytest

from builder.wizard.merge import NAME
from sheets.history import saves
from sheets.models import Change, Sheet, State
from tests.support.builder.browsers import change

pytestmark = pytest.mark.django_db


def done(draft, script):
    """What is done word by word: a number is a life, a name is typed, < takes back, > does again, | is a pause."""
    for word in script.split():
        if word == "|":
            draft.updated -= saves.TYPING
        elif word in "<>":
            saves.step_through(draft, 1 if word == ">" else -1)
        elif word.isdecimal():
            change(draft, int(word))
        else:
            saves.save(draft, State(word, draft.data, draft.typed), text=NAME)
    kept = Sheet.objects.get(pk=draft.pk)
    return kept.name, kept.data["life"], kept.version, saves.can_undo(draft), saves.can_redo(draft)


def all_back(draft, told):
    """What each change that can be taken back leads to."""
    found = []
    while saves.can_undo(draft):
        saves.step_through(draft, -1)
        found.append(told(draft))
    return found


@pytest.mark.parametrize(("script", "name", "life", "version", "back", "again"), [
    ("", "", 0, 1, False, False),
    pytest.param("1 2", "", 2, 3, True, False, id="every change is a version"),
    pytest.param("1 1", "", 1, 2, True, False, id="what changes nothing is none"),
    ("1 2 <", "", 1, 4, True, True), ("1 2 < >", "", 2, 5, True, False),
    pytest.param("1 < > 2 <", "", 1, 6, True, True, id="a change after both is one like any other"),
    ("1 < > 2 < <", "", 0, 7, False, True),
    pytest.param("1 >", "", 1, 2, True, False, id="nothing is after the last"),
    pytest.param("1 < <", "", 0, 3, False, True, id="nothing is before the first"),
    pytest.param("1 2 3 < < 7 >", "", 7, 7, True, False, id="a change cuts off what was taken back"),
    ("1 2 3 < < 7 <", "", 1, 8, True, True), ("1 2 3 < < 7 < <", "", 0, 9, False, True),
    ("1 J Ju Jua Juan", "Juan", 1, 6, True, False),
    pytest.param("1 J Ju Jua Juan <", "", 1, 7, True, True, id="typed without a pause is one change"),
    ("1 J Ju Jua Juan < >", "Juan", 1, 8, True, False),
    pytest.param("Juan | Hans <", "Juan", 0, 4, True, True, id="typed after a pause is another"),
    pytest.param("Juan 1 Hans <", "Juan", 1, 5, True, True, id="a change in between parts it"),
    pytest.param("J Ju < > Juan <", "Ju", 0, 7, True, True, id="typing on after undo is a change of its own"),
])
def test_what_is_done_is_taken_back_and_done_again(draft, script, name, life, version, back, again):
    assert done(draft, script) == (name, life, version, back, again)


def test_undo_brings_name_and_broken_texts_back_too(draft):
    saves.save(draft, State("Juan", draft.data, {"life": "viele"}))
    saves.save(draft, State("Don Juan", draft.data, {}))
    saves.step_through(draft, -1)
    assert Sheet.objects.get(pk=draft.pk).state == State("Juan", draft.data, {"life": "viele"})


def test_twenty_changes_can_be_taken_back_and_done_again(draft):
    done(draft, " ".join(map(str, range(1, 31))))
    assert saves.UNDO <= draft.changes.count() < 2 * saves.UNDO
    assert all_back(draft, lambda one: one.data["life"]) == list(range(29, 9, -1))
    assert done(draft, "> " * 20)[1] == 30
    assert not saves.can_redo(draft)


@pytest.mark.parametrize(("changes", "back"), [(30, 20), (25, 20), (41, 20), (21, 15), (10, 5)])
def test_undo_is_offered_only_while_there_is_something_behind_it(draft, changes, back):
    done(draft, " ".join(map(str, range(1, changes + 1))))
    for last in ("99", "100"):
        before = done(draft, "< " * back + last)
        for _step in range(25):
            after = done(draft, "<")
            assert (after[1] != before[1]) == before[3]
            before = after
        saves.step_through(draft, 1)


def test_an_undone_history_keeps_its_version_numbers_for_pages_made_from_them(draft):
    done(draft, "1 2 2 <")
    assert sorted(Change.objects.values_list("number", "version")) == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize(("large", "letters", "small", "back"), [
    pytest.param(12, 60_000, 0, ["10", "9", "8", "7"], id="of large states fewer are kept"),
    pytest.param(4, 300_000, 0, ["2"], id="of what is larger than all that is kept one"),
    pytest.param(6, 60_000, 25, [f"small {n}" for n in range(23, 3, -1)], id="small ones after it as many as ever"),
])
def test_of_large_states_fewer_are_kept_and_all_of_them_can_be_taken_back(draft, large, letters, small, back):
    for number in range(large):
        saves.save(draft, State(f"{number}", draft.data, {"life": f"{number % 10}" * letters}))
    if not small:
        kept = list(draft.changes.all())
        assert len(kept) == len(back)
        assert sum(len(one.typed["life"]) for one in kept) <= max(saves.MAX_UNDO_BYTES, letters)
    for number in range(small):
        saves.save(draft, State(f"small {number}", draft.data, {}))
    last = draft.name
    assert all_back(draft, lambda one: one.name) == back
    assert small or set(draft.typed["life"]) == {back[-1]}
    assert done(draft, "> " * len(back))[0] == last
    assert not saves.can_redo(draft)


def test_whatever_is_saved_a_history_stays_within_a_bound(draft):
    rng = Random(1)  # noqa: S311
    for number in range(200):
        saves.save(draft, State("x", draft.data, {"life": f"{number}" * rng.choice([1, 50, 2_000, 20_000, 40_000])}))
        assert sum(len(one.typed["life"]) for one in draft.changes.all() if one.typed) <= 4 * saves.MAX_UNDO_BYTES
        assert draft.changes.count() <= 2 * saves.UNDO
