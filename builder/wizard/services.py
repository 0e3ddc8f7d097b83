"""A change of a draft: worked out from what a page posts and from the button that was pressed, then saved."""

from copy import copy
from dataclasses import dataclass, replace
from random import Random

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from builder.drafts import begun
from builder.wizard.context import Wizard
from builder.wizard.edits import Edit
from builder.wizard.merge import typed_here
from builder.wizard.posted import PageState, StepForm, page_state
from builder.wizard.steps import FINISH
from rulesets import generate
from sheets.documents import too_large
from sheets.history import saves
from sheets.history.revisions import save_revision
from sheets.models import DICE, Sheet, State
from sheets.models.reviews import FINISHED
from sheets.models.store import store
from sheets.verdicts import fix_digest

PLAIN = ("", "save", "go", "next", "turn", "settle")
"""Buttons, and none, that do nothing but save."""
SLOW = ("mend", "fill", "random")
"""Buttons whose work takes a while."""


@dataclass(frozen=True)
class DraftChange:
    """The change that a press of a button makes to a draft, to be saved: the page's own edits, then the button's."""

    wizard: Wizard
    page: PageState
    new: State | None = None
    """The state after the button; None where it does nothing of its own."""
    focus: str = ""
    """The path to look at afterwards."""
    fault: str = ""
    """The reason why the button does nothing, "" where it does something."""

    @property
    def clash(self) -> bool:
        """True if somebody else's changes are in the way."""
        return self.wizard.state not in (self.page.base, self.page.mine)

    def fits(self, held: Sheet) -> bool:
        """Return whether the draft held now is as it was when this was worked out."""
        return _unchanged(self.wizard, held)


def prepare_change(sheet: Sheet, *, slug: str, form: StepForm) -> DraftChange:
    """Return the change that a posted page of the step makes to a draft."""
    wizard = Wizard(sheet, slug)
    page = page_state(form, wizard)
    change = DraftChange(wizard, page)
    if change.clash or form.whole or form.action in (*PLAIN, "undo", "redo"):
        return change
    if form.action in SLOW:
        new, why = _worked_out(_with(wizard, page.mine), form.action, form.about)
        return DraftChange(wizard, page, new, fault=why)
    edit = Edit(wizard.ruleset.sheet, page.mine.data, page.mine.typed, wizard.house, wizard.bounds)
    path, _colon, extra = form.about.partition(":")
    focus = edit.apply(form.action, path, extra)
    if too_large(sheet, page.mine.name, edit.data):
        why = _("The sheet would become too large for a document; shorten it.")
        return DraftChange(wizard, page, None, focus, why)
    return DraftChange(wizard, page, replace(page.mine, data=edit.data, typed=edit.typed), focus)


def save_change(sheet: Sheet, change: DraftChange, *, form: StepForm) -> tuple[Sheet, DraftChange]:
    """Save what was worked out of a locked draft, unless somebody else's changes are in the way."""
    if change.clash:
        return sheet, change
    mine = change.page.mine
    if form.action in SLOW or change.new is None:
        # Only a save without a button leaves every row where the page has it, and is known again by its page.
        typing = form.whole or form.action in PLAIN
        saves.save(sheet, mine, text=change.page.text if typing else "",
                   page=form.page if form.action in ("", "save") else "")
    if change.new:
        saves.save(sheet, change.new, page=DICE if form.action == "random" else "")
    if form.action in ("undo", "redo"):
        saves.step_through(sheet, -1 if form.action == "undo" else 1)
    return sheet, change


def _with(wizard: Wizard, mine: State) -> Wizard:
    """The same draft with what is about to be saved; it is not to be saved itself."""
    sheet = copy(wizard.sheet)
    sheet.name, sheet.data, sheet.typed = mine.name, mine.data, mine.typed
    return Wizard(sheet, wizard.slug)


def _unchanged(wizard: Wizard, sheet: Sheet) -> bool:
    """Return whether a draft, read anew, is as it was when it was read for this wizard."""
    return (wizard.sheet.version, wizard.sheet.house, wizard.state) == (sheet.version, sheet.house, sheet.state)


def _worked_out(wizard: Wizard, action: str, about: str) -> tuple[State, str]:
    """Return the draft after mending, filling up or rolling, and the reason if nothing came of it."""
    now = wizard.state
    if action == "mend":
        for one in wizard.verdict.findings:
            for fix in one.fixes:
                if fix_digest(fix) == about:
                    return replace(now, data=fix.data, typed=typed_here(wizard.ruleset.sheet, now, fix.data)), ""
        return now, _("That mend no longer fits; look at the findings again.")
    try:
        if action == "fill":
            return replace(now, data=generate.filled(wizard.ruleset, now.data, Random(), wizard.house)), ""  # noqa: S311
        return _rolled(wizard, about), ""
    except generate.Stuck as error:
        return now, str(error)


def _rolled(wizard: Wizard, concept: str) -> State:
    """A random character; a name that the dice did not give stays."""
    made = generate.character(wizard.ruleset, Random(), wizard.house, concept, wizard.taken_names)  # noqa: S311
    name = wizard.state.name
    return State(made.document["name"] if wizard.ruleset.may_be_rolled(name) else name, made.document["data"], {},
                 made.concept)


@dataclass(frozen=True)
class RandomDraft:
    """A draft with what the dice make of it."""

    wizard: Wizard
    new: State

    def fits(self, held: Sheet) -> bool:
        """Return whether the draft held now is as it was when the dice fell."""
        return _unchanged(self.wizard, held)


def prepare_random(sheet: Sheet, concept: str) -> RandomDraft:
    """A random character in place of a draft (`Stuck`); a name that the dice did not give stays."""
    wizard = Wizard(sheet)
    return RandomDraft(wizard, _rolled(wizard, concept))


def save_random(sheet: Sheet, made: RandomDraft) -> None:
    """Save it in a locked draft, where it can be undone."""
    saves.save(sheet, made.new, page=DICE)


def replaces(sheet: Sheet, mine: State | None = None) -> bool:
    """Return whether the dice would replace somebody's work; `mine` is the draft as the page has it."""
    now = mine or sheet.state
    written = bool(now.typed) or now.data != begun(sheet.system)
    return written and not (sheet.rolled and now == sheet.state)


@dataclass(frozen=True)
class FinishCheck:
    """A draft with whether anything stops it from being finished."""

    wizard: Wizard
    in_the_way: bool

    def fits(self, held: Sheet) -> bool:
        """Return whether the draft held now is as it was when it was checked."""
        return _unchanged(self.wizard, held)


def prepare_finish(sheet: Sheet) -> FinishCheck:
    """Check a draft that is to be finished."""
    wizard = Wizard(sheet, FINISH.slug)
    return FinishCheck(wizard, wizard.in_the_way)


def finish(sheet: Sheet, check: FinishCheck, *, user: User | None) -> bool:
    """Finish a locked draft and keep it as a revision; return False if something is in the way."""
    if check.in_the_way:
        return False
    store(sheet, finished=timezone.now())
    save_revision(sheet, FINISHED, user)
    return True
