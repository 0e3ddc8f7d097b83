"""The steps of a system's wizard, which its fields name, with their points and states for a draft."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.translation import gettext_lazy as _

from rulesets.kit import Data, Finding, Ledger, Ruleset, Step, blank, slots

FIGURE = Step("figure", _("Character"), _("Who are they? Everything else can be done in any order, and changed at any "
                                         "time."))
FINISH = Step("finish", _("Finish"), _("What is still missing, and the values you end up with."))
REST = Step("sheet", _("Sheet"))


@dataclass(frozen=True)
class Stage:
    """A step of the wizard with its points and its state for a draft."""

    step: Step
    keys: tuple[str, ...]
    points: int | None
    faults: int
    current: bool
    done: bool
    over: bool = False
    """True if the draft spends too many points, and some of them on this step."""
    asks: bool = False
    """True if something on this step needs the GM's approval."""

    @property
    def title(self) -> Any:
        """The title of the step."""
        return self.step.title


@cache
def steps(ruleset: Ruleset) -> dict[str, tuple[Step, tuple[str, ...]]]:
    """Return {slug: (step, keys of its fields)}: first the character's name, then the fields' steps, last Finish."""
    found: dict[str, tuple[Step, tuple[str, ...]]] = {FIGURE.slug: (FIGURE, ())}
    for key, slot in slots(ruleset.sheet).items():
        step = slot.ask.step or REST
        found[step.slug] = (step, (*found.get(step.slug, (step, ()))[1], key))
    return {**found, FINISH.slug: (FINISH, ())}


def key_of(path: str) -> str:
    """Return the key of the sheet's field that a path leads to or into."""
    return path.partition(".")[0]


def step_of(ruleset: Ruleset, path: str) -> str:
    """Return the slug of the step with the input for a path."""
    key = key_of(path)
    return next((slug for slug, (_step, keys) in steps(ruleset).items() if key in keys), FIGURE.slug)


def stages(ruleset: Ruleset, current: str, ledger: Ledger | None, findings: tuple[Finding, ...],
           typed: dict, data: dict, name: str, still_open: Collection[str] = (),
           visited: Collection[str] = ()) -> list[Stage]:
    """Return every step with its points and the number of its faults; `still_open` are paths not filled in yet.

    A step is done if something on it was filled in, or if it is in `visited` and has no findings, and if it has no
    faults, no open paths and no overspent points. If it is the only step that spends points, all must be spent.
    """
    found, empty = [], _empty(ruleset)
    spare, every = (ledger.left, len(ledger.lines)) if ledger else (0, 0)
    over = spare < 0
    for slug, (step, keys) in steps(ruleset).items():
        lines = [line.points for line in (ledger.lines if ledger else ()) if key_of(line.path) in keys]
        faults = sum(key_of(path) in keys for path in typed) if typed else 0
        if findings:
            faults += sum(finding.severity == "error" and key_of(finding.path) in keys for finding in findings)
        theirs = {finding.severity for finding in findings if key_of(finding.path) in keys}
        seen_clean = slug in visited and not theirs
        started = seen_clean or any(data[key] != empty[key] for key in keys) if keys else \
            slug == FIGURE.slug and bool(name.strip())
        waits = bool(still_open) and any(key_of(path) in keys for path in still_open)
        alone = spare and lines and len(lines) == every
        found.append(Stage(step, keys, sum(lines) if lines else None, faults, slug == current,
                           started and not (faults or waits or alone or (lines and over)), bool(over and any(lines)),
                           "approval" in theirs))
    return found


def step_beside(found: list[Stage], by: int) -> Stage | None:
    """Return the step `by` places after the current one (before it if negative), None if there is none."""
    place = by + next(i for i, stage in enumerate(found) if stage.current)
    return found[place] if 0 <= place < len(found) else None


@cache
def _empty(ruleset: Ruleset) -> Data:
    """Return the data of an empty sheet."""
    return blank(ruleset.sheet)
