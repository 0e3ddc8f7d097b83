"""The kinds of event: what they say is stored in the event's columns, and nowhere else."""

from dataclasses import fields
from uuid import uuid4

import pytest

from sheets.models import Event
from sheets.models.event_kinds import Acted, ChangedForGood, EventKind, Pressed, Rolled, Stopped, TurnPassed

TOGETHER = [(Pressed, Rolled, Acted, ChangedForGood), (Pressed, Stopped)]
"""The kinds that one event may be at once, besides that the turn passed."""
TURN = {"order": [], "round": 1, "on": ["a"], "done": [], "held": []}
PASSED = TurnPassed(TURN, {**TURN, "round": 2, "on": ["b"]}, ["a"])


@pytest.mark.parametrize("kind", [one for one in EventKind.__subclasses__() if one is not TurnPassed])
def test_what_a_kind_says_is_a_column_of_events(kind):
    assert {one.name for one in fields(kind)} <= {one.name for one in Event._meta.concrete_fields}


@pytest.mark.parametrize("kinds", TOGETHER)
def test_no_column_is_of_two_kinds_that_one_event_may_be(kinds):
    named = [one.name for kind in kinds for one in fields(kind)]
    assert len(named) == len({*named})


def test_every_kind_is_known_to_go_with_some():
    assert {*EventKind.__subclasses__()} == {TurnPassed}.union(*TOGETHER)


def test_an_event_is_all_that_was_added_to_it():
    rolled = Rolled("attack", {"dice": 2}, [3, 6], [], 1, {"hits": 1})
    event = Event.of(Pressed(None, uuid4(), "attack", "Attack"), rolled)
    event.add(Acted("damage", {"points": 1}, {}, "1 suffered", {}), ChangedForGood({"name": ""}, 4))
    assert (event.title, event.roll, event.act, event.version, event.group) == ("Attack", "attack", "damage", 4, {})
    assert event.fell.value == 1
    assert event.fell.figures == {"hits": 1}


def test_the_turn_that_passed_on_is_read_as_it_was_told():
    event = Event.of(Pressed(None, uuid4(), "turns", "End the turn"), PASSED)
    assert event.turn == {"before": PASSED.before, "after": PASSED.after, "of": ["a"]}
    assert event.turn_passed == PASSED
    assert PASSED.begins_round
    assert Event.of(Pressed(None, uuid4(), "attack", "Attack")).turn_passed is None
