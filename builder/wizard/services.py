"""Changes to a draft: prepared from a posted form and its button without a lock, then saved in a locked draft."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from builder.drafts import empty_data
from builder.wizard import other_sheets
from builder.wizard.context import Wizard
from builder.wizard.edits import Edit
from builder.wizard.merge import remaining_invalid_texts
from builder.wizard.party_entries import PREFIX, party_rows
from builder.wizard.posted import PageState, StepForm, page_state
from builder.wizard.steps import FINISH
from rulesets import generate
from rulesets.kit import Data
from sheets.documents import too_large
from sheets.history import saves
from sheets.history.revisions import save_revision
from sheets.models import DICE, Sheet, State
from sheets.models.reviews import FINISHED
from sheets.models.store import store
from sheets.verdicts import fix_digest

PLAIN = ("", "save", "go", "next", "turn", "settle")
"""The actions that only save the form, and "" for no button."""
SLOW = ("mend", "fill", "random")
"""The actions that take a while to compute."""
FindRow: TypeAlias = Callable[[Sheet, str, str], Data | None]
"""Return the row of another sheet that a button posts for a list of a draft, None if it is gone."""


@dataclass(frozen=True)
class DraftChange:
    """The change that a posted form makes to a draft: first the edits in its fields, then that of its button."""

    wizard: Wizard
    page: PageState
    new: State | None = None
    """The state after the button's edit; None if it makes none."""
    focus: str = ""
    """The path to be focused afterwards."""
    fault: str = ""
    """The reason why the button's edit failed, else ""."""

    @property
    def clash(self) -> bool:
        """True if the draft was changed elsewhere since the page was made, so that a merge is needed."""
        return self.wizard.state not in (self.page.base, self.page.mine)

    def fits(self, held: Sheet) -> bool:
        """Return True if the locked draft is unchanged since this was prepared."""
        return _unchanged(self.wizard, held)


def prepare_change(sheet: Sheet, *, slug: str, form: StepForm, find_row: FindRow) -> DraftChange:
    """Return the change that a posted page of the step makes to a draft; `find_row` finds rows of other sheets."""
    wizard = Wizard(sheet, slug)
    page = page_state(form, wizard)
    change = DraftChange(wizard, page)
    if change.clash or form.acts_on_draft or form.action in (*PLAIN, "undo", "redo"):
        return change
    if form.action in SLOW:
        new, why = _worked_out(_with(wizard, page.mine), form.action, form.target)
        return DraftChange(wizard, page, new, fault=why)
    path, _colon, extra = form.target.partition(":")
    given = party_rows(wizard.ruleset, sheet.party, path) if extra.startswith(PREFIX) else {}
    if form.action == "add" and extra.startswith(other_sheets.PREFIX):
        row = find_row(sheet, path, extra)
        if why := other_sheets.refusal(page.mine.data[path], row):
            return DraftChange(wizard, page, None, path, why)
        given = {extra: row or {}}
    edit = Edit(wizard.ruleset.sheet, page.mine.data, page.mine.typed, wizard.house, wizard.bounds, given)
    focus = edit.apply(form.action, path, extra)
    if too_large(sheet, page.mine.name, edit.data):
        why = _("That would make the sheet too large for a document; shorten it.")
        return DraftChange(wizard, page, None, focus, why)
    return DraftChange(wizard, page, replace(page.mine, data=edit.data, typed=edit.typed), focus)


def save_change(sheet: Sheet, change: DraftChange, *, form: StepForm) -> tuple[Sheet, DraftChange]:
    """Save a prepared change in a locked draft unless the two clash; return the draft and the change."""
    if change.clash:
        return sheet, change
    mine = change.page.mine
    if form.action in SLOW or change.new is None:
        # Only a save without a button's edit leaves all rows in place, so that the page can recognise it as its own.
        typing = form.acts_on_draft or form.action in PLAIN
        saves.save(sheet, mine, text=change.page.text if typing else "",
                   page=form.page if form.action in ("", "save") else "")
    if change.new:
        saves.save(sheet, change.new, page=DICE if form.action == "random" else "")
    if form.action in ("undo", "redo"):
        saves.step_through(sheet, -1 if form.action == "undo" else 1)
    return sheet, change


def _with(wizard: Wizard, mine: State) -> Wizard:
    """Return the wizard of a copy of the draft with another state; the copy must not be saved."""
    sheet = copy(wizard.sheet)
    sheet.name, sheet.data, sheet.typed = mine.name, mine.data, mine.typed
    return Wizard(sheet, wizard.slug)


def _unchanged(wizard: Wizard, sheet: Sheet) -> bool:
    """Return True if a draft that was read again has the same version, house rules and state as this wizard's."""
    return (wizard.sheet.version, wizard.sheet.house, wizard.state) == (sheet.version, sheet.house, sheet.state)


def _worked_out(wizard: Wizard, action: str, about: str) -> tuple[State, str]:
    """Return the state after a fix, filling in the rest or a random roll, and the reason if that failed, else ""."""
    now = wizard.state
    if action == "mend":
        for one in wizard.verdict.findings:
            for fix in one.fixes:
                if fix_digest(fix) == about:
                    typed = remaining_invalid_texts(wizard.ruleset.sheet, now, fix.data)
                    return replace(now, data=fix.data, typed=typed), ""
        return now, _("That fix no longer applies; look at the findings again.")
    try:
        if action == "fill":
            return replace(now, data=generate.filled(wizard.ruleset, now.data, Random(), wizard.house)), ""  # noqa: S311
        return _rolled(wizard, about), ""
    except generate.Stuck as error:
        return now, str(error)


def _rolled(wizard: Wizard, concept: str) -> State:
    """Return the state of a random character; a name that a person gave is kept."""
    made = generate.character(wizard.ruleset, Random(), wizard.house, concept, wizard.taken_names)  # noqa: S311
    name = wizard.state.name
    return State(made.document["name"] if wizard.ruleset.could_be_random(name) else name, made.document["data"], {},
                 made.concept)


@dataclass(frozen=True)
class RandomDraft:
    """A draft with the state of the random character that is to replace it."""

    wizard: Wizard
    new: State

    def fits(self, held: Sheet) -> bool:
        """Return True if the locked draft is unchanged since the random character was made."""
        return _unchanged(self.wizard, held)


def prepare_random(sheet: Sheet, concept: str) -> RandomDraft:
    """Return a random character to replace a draft; a name that a person gave is kept. Raise `Stuck` on failure."""
    wizard = Wizard(sheet)
    return RandomDraft(wizard, _rolled(wizard, concept))


def save_random(sheet: Sheet, made: RandomDraft) -> None:
    """Save the random character in a locked draft as a change that can be undone."""
    saves.save(sheet, made.new, page=DICE)


def replaces(sheet: Sheet, mine: State | None = None) -> bool:
    """Return True if a random character would replace a person's edits; `mine` is the state that a page posted."""
    now = mine or sheet.state
    written = bool(now.typed) or now.data != empty_data(sheet.system)
    return written and not (sheet.rolled and now == sheet.state)


@dataclass(frozen=True)
class FinishCheck:
    """A draft, and whether anything prevents finishing it."""

    wizard: Wizard
    in_the_way: bool

    def fits(self, held: Sheet) -> bool:
        """Return True if the locked draft is unchanged since it was checked."""
        return _unchanged(self.wizard, held)


def prepare_finish(sheet: Sheet) -> FinishCheck:
    """Check whether a draft can be finished."""
    wizard = Wizard(sheet, FINISH.slug)
    return FinishCheck(wizard, wizard.in_the_way)


def finish(sheet: Sheet, check: FinishCheck, *, user: User | None) -> bool:
    """Finish a locked draft and save a revision of it; return False if something prevents that."""
    if check.in_the_way:
        return False
    store(sheet, finished=timezone.now())
    save_revision(sheet, FINISHED, user)
    return True
