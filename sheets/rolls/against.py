"""Against whom: what rolls ask of the other side is asked once for all of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rulesets.kit import Offer, Ruleset, Slot, targets, targets_of
from sheets.forms.inputs import Answers, Input, answered_input, input_text
from sheets.models import Event

AGAINST = "against."
"""Before the name of what is asked once for all rolls."""
STEPS = {"less": -1, "more": 1}
"""The buttons beside a figure, as those without scripts press them."""


class Against:
    """The figures of the other side that offers ask for: as answered, else as something was rolled against last."""

    def __init__(self, ruleset: Ruleset, offers: Iterable[Offer], answers: Answers | None = None,
                 which: Offer | None = None, last: Iterable[Event] = ()):
        asked, answers = targets(offers), answers or {}
        own = {AGAINST + target: answers[key] for key, target in (which.targets if which else {}).items()
               if key in answers}
        given = {**own, **answers}
        was = _last(ruleset, last) if asked else {}
        self.inputs: list[Input] = [_input(slot, name, given, was) for name, slot in asked.items()]

    @property
    def answers(self) -> Answers:
        """What they come to, as a form would answer it; what is no figure is left out."""
        return {one.path: [one.text] for one in self.inputs if not one.fault}


@dataclass(frozen=True)
class Stated:
    """The same as a page sent it along with what was pressed, which then says no more about it."""

    answers: Answers


def _input(slot: Slot, name: str, given: Answers, was: Mapping[str, Any]) -> Input:
    path = AGAINST + name
    if path not in given and name in was:
        given = {path: [input_text(was[name])]}
    found = answered_input(slot, path, given)
    by = sum(step for word, step in STEPS.items() if name in given.get(word, ()))
    if by and isinstance(found.value, int):
        stepped = answered_input(slot, path, {path: [str(found.value + by)]})
        return found if stepped.fault else stepped
    return found


def _last(ruleset: Ruleset, events: Iterable[Event]) -> dict[str, Any]:
    """{target: figure} that was rolled against last; the newest event comes first."""
    found: dict[str, Any] = {}
    for event in events:
        if roll := ruleset.rolls.get(event.roll):
            for key, target in targets_of(roll).items():
                if key in event.given:
                    found.setdefault(target, event.given[key])
    return found
