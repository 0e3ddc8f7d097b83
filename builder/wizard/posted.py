"""The form that a page of the wizard posts, and the state of the draft that results from it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.core.exceptions import BadRequest
from django.core.signing import BadSignature, Signer
from django.http import QueryDict
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from builder.wizard.context import Wizard
from builder.wizard.merge import NAME, merged
from builder.wizard.row_pages import characters_by_row
from rulesets.document import BYTES, shaped
from rulesets.names import one_line
from sheets.documents import too_large
from sheets.forms.inputs import Answers
from sheets.forms.part_inputs import read_answers
from sheets.models import Sheet, State

CONCEPT = "_concept"
"""The name of the input for the concept of a random character."""
MAX_INVALID_CHARACTERS = 2 * BYTES
"""The most characters of all invalid texts; a text that is too long for a document counts as one."""
MAX_INVALID_PER_ROW = BYTES // 2
"""The most characters of the invalid texts of one row, which pages cannot split, and of those outside of rows."""


@dataclass(frozen=True)
class StepForm:
    """The form that a page of the wizard posts.

    It has the button that was pressed ("copy:attacks.0", "" for none), the version that the page was made from, the
    random id of the page, the sheet's name and its fields. The conflict page also posts the user's own state, signed,
    and {path: True to keep that state's value}.
    """

    button: str
    version: str
    page: str
    name: str | None
    answers: Answers
    mine: str
    mine_at: Mapping[str, bool]

    @classmethod
    def from_post(cls, post: QueryDict) -> "StepForm":
        """Return the form from POST data."""
        page = post.get("_page", "")
        return cls(post.get("do", ""), post.get("_version", ""),
                   page if page.isalnum() and page.isascii() and len(page) <= 32 else "", post.get(NAME),
                   dict(post.lists()), post.get("_mine", ""),
                   {name.removeprefix("_keep."): value == "mine" for name, value in post.items()})

    @property
    def action(self) -> str:
        """The action of the button."""
        return self.button.partition(":")[0]

    @property
    def acts_on_draft(self) -> bool:
        """True if the button acts on the whole draft after the form is saved; "copy:…" copies a row."""
        return self.button in ("copy", "delete", "finish")

    @property
    def shown_rows(self) -> frozenset[str]:
        """The paths of the rows that the posted page showed."""
        return frozenset(self.answers.get("_row", ()))

    @property
    def target(self) -> str:
        """The target of the button, such as a path; for a random character its concept."""
        target = self.button.partition(":")[2]
        return target or (self.answers.get(CONCEPT, [""])[-1] if self.action == "random" else "")


@dataclass(frozen=True)
class PageState:
    """The state that the posted page was made from, the state that its changes are based on, and the resulting state.

    The first two are None if they are no longer stored.
    """

    shown_state: State | None
    base: State | None
    mine: State
    text: str = ""
    """The path of the only field that changed, if it is a text; else ""."""
    choice_changed: bool = False
    """True if a choice changed, so that other inputs may be needed."""


def page_state(form: StepForm, wizard: Wizard) -> PageState:
    """Return the state of the draft that a posted page results in; raise `BadRequest` if its form is invalid."""
    shown = _state_shown(form, wizard.sheet)
    # A page that missed the response to its own save continues from that save.
    base = wizard.state if wizard.sheet.saved_by_page(form.page, int(form.version)) else shown
    if form.action == "settle":
        return PageState(shown, base, _merged(form, wizard))
    return PageState(shown, base, *_posted(form, wizard, base))


def _state_shown(form: StepForm, sheet: Sheet) -> State | None:
    """Return the state that the posted page was made from, None if it is no longer stored."""
    if form.version == str(sheet.version):
        return sheet.state
    if not (form.version.isascii() and form.version.isdigit() and len(form.version) < 9):
        raise BadRequest(_("The form does not say which version it was made from; reload the page."))
    change = sheet.changes.filter(version__lte=int(form.version)).order_by("-version").first()
    return change.state if change else None


def _posted(form: StepForm, wizard: Wizard, base: State | None) -> tuple[State, str, bool]:
    """Return the `mine`, `text` and `choice_changed` of `PageState`, by applying the posted form to its base.

    Raise `BadRequest` if the name is invalid or the invalid texts are too long.
    """
    ground = base or wizard.state
    part = wizard.ruleset.sheet
    data, typed, changed = read_answers(part, ground.data, ground.typed, form.answers, lenient=base is None)
    name = ground.name if form.name in (None, ground.name) else one_line(form.name or "")
    if len(name) > 200 or "\0" in name:
        raise BadRequest(_("The name is longer than 200 characters, or contains something that no name can."))
    if too_large(wizard.sheet, name, data):
        typed |= {path: form.answers[path][-1] for path in changed}
        data, changed = ground.data, {}
    before, now = (characters_by_row(wizard.pages.lists, texts) for texts in (ground.typed, typed))
    most = MAX_INVALID_CHARACTERS if now.total() > max(MAX_INVALID_CHARACTERS, before.total()) else MAX_INVALID_PER_ROW
    if most == MAX_INVALID_CHARACTERS or any(many > max(MAX_INVALID_PER_ROW, before[row]) for row, many in now.items()):
        message = _("Texts that are not values yet may have at most {most} characters together; shorten them.")
        raise BadRequest(message.format(most=number_format(most)))
    mine = State(name, data, typed, ground.concept)
    if name != ground.name:
        return mine, NAME if mine == replace(ground, name=name) else "", False
    chosen = any(slot.kind == "choice" for slot in changed.values())
    return mine, next((path for path, slot in changed.items() if slot.kind == "text" and len(changed) == 1), ""), chosen


def _merged(form: StepForm, wizard: Wizard) -> State:
    """Return the state that was chosen on the conflict page; raise `BadRequest` if its signed state is not valid."""
    try:
        sent = State(**signer(wizard).unsign_object(form.mine))
        mine = replace(sent, data=shaped(wizard.ruleset.sheet, sent.data, "data").model_dump())
    except (BadSignature, ValueError):
        raise BadRequest(_("The form no longer holds both versions; reload the page.")) from None
    return merged(wizard.ruleset.sheet, mine, wizard.state, form.mine_at)


def signer(wizard: Wizard) -> Signer:
    """Return the signer of the state that the conflict page contains and posts back."""
    return Signer(salt=f"conflict {wizard.sheet.pk}")
