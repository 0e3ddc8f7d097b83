"""What a posted page of the wizard has in mind: the state that it was made from, and the draft as it has it."""

from dataclasses import replace

from django.core.exceptions import BadRequest
from django.core.signing import BadSignature, Signer
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from builder.wizard.context import Wizard
from builder.wizard.merge import NAME, settled
from rulesets.document import BYTES, shaped
from sheets.documents import too_large
from sheets.forms.differences import differing_fields
from sheets.forms.inputs import read_answers
from sheets.history import saves
from sheets.history.saves import State
from sheets.models import Sheet

TYPED = 2 * BYTES
"""Characters of texts that are no values yet: what is too long for a document stays in its field, within bounds."""


def meant(request, wizard: Wizard, word: str) -> tuple[State | None, State | None, State]:
    """What the posted page showed, what its changes are changes of, and the draft as it has it."""
    shown = _base(request, wizard.sheet)
    # A page that lost an answer goes on from its own save.
    own = saves.saved_by_page(wizard.sheet, page_name(request), int(request.POST["_version"]))
    base = wizard.state if own else shown
    return shown, base, _settled(request, wizard) if word == "settle" else _posted(request, wizard, base)


def _base(request, sheet: Sheet) -> State | None:
    """The state that the posted page was made from; None if it is no longer kept."""
    version = request.POST.get("_version", "")
    if version == str(sheet.version):
        return saves.state(sheet)
    if not (version.isascii() and version.isdigit() and len(version) < 9):
        raise BadRequest(_("The form does not say which version it was made from; load the page anew."))
    kept = sheet.changes.filter(version__lte=int(version)).order_by("-version").first()
    return kept and saves.state(kept)


def page_name(request) -> str:
    """What the posted page calls itself."""
    page = request.POST.get("_page", "")
    return page if page.isalnum() and page.isascii() and len(page) <= 32 else ""


def _posted(request, wizard: Wizard, base: State | None) -> State:
    """The draft as the posted form has it, on the state that the page was made from."""
    ground = base or wizard.state
    part = wizard.ruleset.sheet
    data, typed = read_answers(part, ground.data, ground.typed, request.POST, lenient=base is None)
    name = request.POST.get(NAME, ground.name)
    if len(name) > 200 or "\0" in name:
        raise BadRequest(_("The name is longer than 200 characters, or holds what no name can."))
    if too_large(wizard.sheet, name, data):
        changed = (path for path, *_rest in differing_fields(part, data, ground.data))
        typed |= {path: request.POST[path] for path in changed if path in request.POST}
        data = ground.data
    if sum(map(len, typed.values())) > TYPED:
        message = _("Texts that are no values yet have at most {most} characters together; shorten them.")
        raise BadRequest(message.format(most=number_format(TYPED)))
    return State(name, data, typed, ground.concept)


def _settled(request, wizard: Wizard) -> State:
    """The draft as chosen on the conflict page."""
    try:
        kept = State(**signer(wizard).unsign_object(request.POST.get("_mine", "")))
        mine = replace(kept, data=shaped(wizard.ruleset.sheet, kept.data, "data").model_dump())
    except (BadSignature, ValueError):
        raise BadRequest(_("The form does not hold both versions any more; load the page anew.")) from None
    keep = {name.removeprefix("_keep."): value == "mine" for name, value in request.POST.items()}
    return settled(wizard.ruleset.sheet, mine, wizard.state, keep)


def signer(wizard: Wizard) -> Signer:
    """Vouches that what the conflict page brings back is what it was given."""
    return Signer(salt=f"conflict {wizard.sheet.pk}")
