"""The template context of the wizard's pages: what they show of a draft, computed once per request."""

from collections.abc import Collection, Container, Mapping
from dataclasses import replace
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from builder.wizard.at_fields import TOP_OF_STEP, element_ids_in_form, places, places_with_findings
from builder.wizard.catalogue import CatalogueEntry, catalogues
from builder.wizard.finding_notes import FindingNote, MendButton
from builder.wizard.merge import NAME
from builder.wizard.open_findings import still_open
from builder.wizard.row_pages import RowPages, paged
from builder.wizard.step_inputs import SHOWN, step_inputs
from builder.wizard.steps import FIGURE, FINISH, Stage, key_of, stages, step_beside, step_of, steps
from rulesets.kit import CheckedPart, Finding, Fix, House, Ledger, Verdict, short
from sheets.diff.changes import Diff
from sheets.diff.comparison import difference
from sheets.fitting import beginning, fitted
from sheets.forms.differences import field_changes
from sheets.forms.inputs import Input, element_id
from sheets.forms.part_inputs import Bounds, input_fault
from sheets.forms.paths import field_at, path_in_words
from sheets.models import Revision, Sheet, State
from sheets.outline import Outline, outline
from sheets.status.party_catalogue import agreed
from sheets.verdicts import NOTED, fix_digest

CHANGES = 20
"""The most changes that are shown of a fix: a sheet has up to 25 fixes, and each page shows all of them."""
ROOM = 64 * 1024
"""The most bytes of all texts of the overview, and of each text to be copied."""


class Wizard:
    """A draft on one step of its wizard; raise Http404 if there is no such step.

    `base` is the state that the open page was made from and `shown_rows` are the paths of the rows on it, both if
    known; `visited` are the slugs of the steps that were visited before this one.
    """

    def __init__(self, sheet: Sheet, slug: str = FIGURE.slug, base: State | None = None,
                 shown_rows: Collection[str] = (), visited: Collection[str] = ()) -> None:
        self.sheet, self.slug, self.base, self.shown_rows, self.visited = sheet, slug, base, shown_rows, visited
        self.ruleset = sheet.system
        if slug not in steps(self.ruleset):
            raise Http404
        self.step, self.keys = steps(self.ruleset)[slug]
        self.state = sheet.state
        self.pages = RowPages(self.ruleset, self.state, self.keys)
        self.undo: tuple[str, str] = ("", "")
        """(id of an element, HTML of a line with an Undo button to be shown there)."""

    def url(self, slug: str) -> str:
        """Return the address of a step."""
        return reverse("step", args=[self.sheet.pk, slug])

    @property
    def url_here(self) -> str:
        """The address of this page."""
        return paged(self.url(self.slug), self.pages.number)

    def link(self, path: str) -> str:
        """Return the address of the page with the input for a path, with the input's element as anchor."""
        anchor = element_id(path) if path else "f-" + NAME
        return f"{paged(self.url(step_of(self.ruleset, path)), self.pages.page_number_of(path) or 1)}#{anchor}"

    @cached_property
    def house(self) -> House:
        """The house rules that apply to the draft."""
        return self.ruleset.house.model_validate(self.sheet.house)

    @cached_property
    def shape(self) -> Any:
        """The draft as an instance of its system's sheet class."""
        return self.ruleset.sheet.model_validate(self.state.data)

    @cached_property
    def verdict(self) -> Verdict:
        """The result of checking the draft: its findings and derived values."""
        return agreed(self.sheet, self.ruleset.check(self.shape, self.house, self.sheet.name), self.shape)

    @property
    def taken_names(self) -> set[str]:
        """The names of the other characters in its party."""
        party = self.sheet.party
        return set(party.sheets.exclude(pk=self.sheet.pk).values_list("name", flat=True)) if party else set()

    def owner(self, path: str) -> tuple[Any, str]:
        """Return (the part that a path lies in, key of its field); the part is None if it does not exist."""
        *steps, key = path.split(".")
        part: Any = self.shape
        for step in steps:
            try:
                part = part[int(step)] if isinstance(part, list) else getattr(part, step)
            except (AttributeError, IndexError, ValueError):
                return None, key
        return part, key

    def bounds(self, path: str) -> Bounds:
        """Return the lowest and highest number that the rules allow at a path, None where there is no limit."""
        part, key = self.owner(path)
        return part.limits(self.house).get(key, (None, None)) if isinstance(part, CheckedPart) else (None, None)

    @cached_property
    def offered_words(self) -> Mapping[str, tuple[str, ...]]:
        """{"weapons.talent": texts that the draft's own content suggests for that field}."""
        return self.shape.offered_words()

    @property
    def concept(self) -> str:
        """The title of the concept that a random draft was made from, in the user's language; "" if there is none."""
        return self.ruleset.concept_title(self.sheet.concept)

    @property
    def concept_line(self) -> str:
        """A line that describes who the character is, for its concept; "" if there is none."""
        return self.ruleset.concept_line(self.sheet.concept, self.sheet.data, self.sheet.pk.int)

    @cached_property
    def ledger(self) -> Ledger | None:
        """The points spent and left; None if the system has no budget."""
        return self.shape.ledger(self.house)

    def still_open(self, found: Finding) -> bool:
        """Return True if a finding is about something not filled in yet; for warnings only before the last step."""
        if found.severity == "warning" and (self.finished or self.sheet.finished):
            return False
        return still_open(found, self.sheet.data, self.sheet.typed)

    @cached_property
    def stages(self) -> list[Stage]:
        """The steps with their points and states."""
        waiting = [one.path for one in self.verdict.findings if self.still_open(one)]
        wrong = tuple(one for one in self.verdict.findings if one.path not in waiting)
        return stages(self.ruleset, self.slug, self.ledger, wrong, self.sheet.typed, self.sheet.data,
                      self.sheet.name, waiting, self.visited)

    @property
    def next(self) -> Stage | None:
        """The step after this one."""
        return step_beside(self.stages, 1)

    @property
    def previous(self) -> Stage | None:
        """The step before this one."""
        return step_beside(self.stages, -1)

    @cached_property
    def notes(self) -> list[FindingNote]:
        """The findings with their links and fixes, those of other steps last, up to `NOTED`."""
        rules = reverse("rules", args=[self.ruleset.slug])
        return [
            FindingNote(one, self.link(one.path),
                        self.title(one.path) or (self.ruleset.name_title if one.lacking else ""), f"{rules}#{one.rule}",
                        [] if waits and self.step_of(one) not in self.visited else
                        [self.way(fix) for fix in one.fixes], waits)
            for one in sorted(self.verdict.findings, key=self._elsewhere)[:NOTED]
            for waits in (self.still_open(one),)
        ]

    def step_of(self, found: Finding) -> str:
        """Return the slug of the step that a finding belongs to; "" if it is about the whole sheet."""
        return step_of(self.ruleset, found.path) if found.path else ""

    def _elsewhere(self, found: Finding) -> bool:
        """Return True if a finding is about a field of another step."""
        return bool(self.keys and found.path) and key_of(found.path) not in self.keys

    @property
    def n_unshown_findings(self) -> int:
        """The number of findings and invalid texts that this page has no room for."""
        return len(self.verdict.findings) + len(self.sheet.typed) - len(self.notes) - len(self.faults)

    def title(self, path: str) -> str:
        """Return the name of the field at a path; "" for the whole sheet."""
        return path_in_words(self.ruleset.sheet, self.sheet.data, path) if path else ""

    def way(self, fix: Fix) -> MendButton:
        """Return the button of a fix with its changes."""
        changed = field_changes(self.ruleset.sheet, self.sheet.data, fix.data)[:CHANGES]
        told = [one if len(one.before) <= SHOWN and len(one.after) <= SHOWN else
                replace(one, before=short(one.before, SHOWN), after=short(one.after, SHOWN)) for one in changed]
        return MendButton(fix.label, told, f"mend:{fix_digest(fix)}")

    @cached_property
    def faults(self) -> list[dict[str, str]]:
        """Link, title and message of each text that is not a valid value of its field."""
        found = []
        for path, text in list(self.sheet.typed.items())[:NOTED]:
            slot = field_at(self.ruleset.sheet, self.sheet.data, path)
            message = input_fault(slot, text, self.bounds(path)) if slot else text
            found.append({"link": self.link(path), "title": self.title(path), "message": message})
        return found

    @property
    def figures(self) -> list[dict[str, Any]]:
        """Title and value of each derived number or text that is not in `copies`."""
        derived = self.verdict.derived
        return [{"title": one.title, "value": derived[key]} for key, one in self.shape.derivations().items()
                if isinstance(derived[key], int | str) and not one.copy]

    @property
    def overview(self) -> Outline:
        """The whole draft for reading, its texts cut to what the page has room for."""
        return fitted(outline(self.shape, self.house, self.sheet.name), ROOM)[0]

    @property
    def copies(self) -> list[dict[str, Any]]:
        """Key, title and value of each derived text that is meant to be copied, and whether it is cut."""
        derived, found = self.verdict.derived, []
        for key, one in self.shape.derivations().items():
            if one.copy:
                value, cut = beginning(str(derived[key]), ROOM)
                found.append({"key": key, "title": one.title, "value": value, "cut": cut})
        return found

    @cached_property
    def inputs(self) -> list[Input]:
        """The inputs of this step with their hints, and their rows with points and texts."""
        return step_inputs(self.shape, self.house, self.sheet, self.keys, self.pages, self.shown_rows, self.bounds)

    def has_new_inputs(self, answers: Container[str]) -> bool:
        """Return True if a row has an input that is not among the answers of the posted page."""
        return any(inner.path not in answers for one in self.inputs for row in one.rows for inner in row.inputs
                   if inner.slot.kind != "rows" and not inner.slot.ask.single)

    @property
    def has_several_inputs(self) -> bool:
        """True if this step has several inputs, each under its own heading."""
        return len(self.inputs) > 1

    @cached_property
    def marked(self) -> dict[str, list[FindingNote]]:
        """{id of an element of this page: the findings shown there}."""
        return places(self)

    @property
    def elements(self) -> set[str]:
        """The ids of the elements within the form at which findings can be shown."""
        return {TOP_OF_STEP, *element_ids_in_form(self.inputs)}

    @cached_property
    def marked_in_form(self) -> set[int]:
        """The `id()` of each finding that is shown at a field of this page's form."""
        return {id(note) for where in places_with_findings(self, self.marked) for note in self.marked[where]}

    def spends(self) -> bool:
        """Return True if something on this step costs points."""
        return any(stage.current and stage.points is not None for stage in self.stages)

    def catalogues(self, query: str = "") -> list[tuple[Input, list[CatalogueEntry]]]:
        """Return the inputs of this step that have a catalogue, each with the entries that match the query."""
        return catalogues(self.inputs, query, self.shape, self.house, self.ledger.left if self.ledger else 0)

    @property
    def finished(self) -> bool:
        """True if this is the last step."""
        return self.slug == FINISH.slug

    @cached_property
    def last_revision(self) -> Revision | None:
        """The newest revision, None if there is none."""
        return self.sheet.revisions.order_by("-number").first()

    @cached_property
    def changes_since_revision(self) -> Diff | None:
        """The differences from the last revision; None if there is none, or the rules can no longer read it."""
        found = difference(self.ruleset, self.last_revision, self.sheet) if self.last_revision else None
        return found and found.on_a_page()

    @property
    def in_the_way(self) -> bool:
        """True if anything stops the draft from being finished."""
        return bool(self.sheet.typed) or self.verdict.verdict == "illegal"

    @property
    def wrong(self) -> bool:
        """True if a text is invalid or a rule is broken by more than something not filled in yet."""
        return bool(self.sheet.typed) or any(one.severity == "error" and not self.still_open(one)
                                             for one in self.verdict.findings)

    @property
    def unspent(self) -> str:
        """A text that says how many points are left, "" if none are."""
        return self.ledger.text("left_sentence") if self.ledger and self.ledger.left > 0 else ""

    @property
    def announcement(self) -> str:
        """The points left and the number of findings as a text for screen readers."""
        count, ledger = len(self.verdict.findings) + len(self.sheet.typed), self.ledger
        said = "" if ledger is None else (
            f"{ledger.over} {ledger.text('over')}." if ledger.over else ledger.text("left_sentence"))
        return " ".join(filter(None, [said, _("Findings: {n}.").format(n=count) if count else ""]))
