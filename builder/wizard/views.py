"""The wizard: one view for a step, its page and its fragments; buttons say in a word what they do."""

from copy import copy
from functools import partial
from random import Random
from uuid import uuid4

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseClientRedirect, reswap, retarget, trigger_client_event

from builder import drafts
from builder.wizard import live
from builder.wizard.context import Wizard
from builder.wizard.edits import Edit
from builder.wizard.merge import NAME, conflicts, kept_typed
from builder.wizard.posted import meant, page_name, signer
from builder.wizard.steps import FIGURE, FINISH, steps
from rulesets import generate, systems
from sheets.access import PageRequest, editable, lock_sheet, system_of, who
from sheets.documents import too_large
from sheets.forms.buttons import pressed
from sheets.forms.differences import differing_fields
from sheets.forms.inputs import element_id, path_in_words
from sheets.history import saves
from sheets.history.revisions import keep
from sheets.history.saves import State
from sheets.models import Sheet
from sheets.models.reviews import FINISHED
from sheets.status.reviews import review_status
from sheets.verdicts import fix_digest


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, slug: str) -> HttpResponse:
    """Makes a draft, empty or (`do=random`) a random legal character, and goes to its first step; only by POST."""
    ruleset = systems().get(slug)
    if ruleset is None:
        raise Http404
    if request.method != "POST":
        return redirect("home")
    document = generate.sheet(ruleset, Random()) if request.POST.get("do") == "random" else None  # noqa: S311
    try:
        sheet = drafts.create(request, ruleset, document)
    except drafts.TooMany as error:
        messages.error(request, str(error))
        return redirect("home")
    request.session.modified = True  # and so lives for its full time from now on
    return redirect("step", sheet.pk, FIGURE.slug)


def draft(request: HttpRequest, pk) -> HttpResponse:
    """The draft's first step, or where the field `?at=` is asked; by POST what is done to the draft as a whole."""
    if request.method != "POST":
        at, wizard = request.GET.get("at", ""), Wizard(get_object_or_404(editable(request), pk=pk))
        known = at and path_in_words(wizard.ruleset.sheet, wizard.sheet.data, at)
        return redirect(wizard.link(at) if known else wizard.url_here)
    word = pressed(request.POST, WHOLE)
    return WHOLE[word](request, pk)


def _copy(request, pk):
    sheet = get_object_or_404(editable(request), pk=pk)
    name = _("{name} (copy)").format(name=sheet.name)[:200] if sheet.name else ""
    document = {"name": name, "data": sheet.data, "typed": sheet.typed, "house": sheet.house}
    try:
        copy = drafts.create(request, system_of(sheet), document)
    except drafts.TooMany as error:
        messages.error(request, str(error))
        return redirect("step", sheet.pk, FINISH.slug)
    return redirect("step", copy.pk, FIGURE.slug)


def _delete(request, pk):
    sheet = drafts.throw_away(request, pk)
    messages.success(request, _("“{name}” is in the trash.").format(name=sheet.name or system_of(sheet).title))
    return redirect("trash")


def _finish(request, pk):
    wizard = Wizard(get_object_or_404(editable(request), pk=pk), FINISH.slug)
    in_the_way = wizard.in_the_way
    with transaction.atomic():
        sheet = lock_sheet(request, pk, party=False)
        if in_the_way if _stands(wizard, sheet) else Wizard(sheet, FINISH.slug).in_the_way:
            messages.error(request, _("Something is still in the way; it is listed below."))
            return redirect("step", sheet.pk, FINISH.slug)
        sheet.finished = timezone.now()
        sheet.save(update_fields=["finished"])
        keep(sheet, FINISHED, who(request))
    return redirect("sheet", sheet.pk)


WHOLE = {"copy": _copy, "delete": _delete, "finish": _finish}
"""What is done to a draft as a whole, once its form is saved."""
WORKED_OUT = ("mend", "fill", "random")
"""Buttons whose work is done before the draft is held."""
TRIES = 3
"""Times that it is done anew because the draft was changed meanwhile; after that it is held first."""


@vary_on_headers("HX-Request")
@require_http_methods(["GET", "HEAD", "POST"])
def step(request: PageRequest, pk, slug: str) -> HttpResponse:
    """A step: its page, its live answer (htmx without a button) and what its buttons do."""
    if request.method != "POST":
        wizard = _desk(get_object_or_404(editable(request), pk=pk), slug)
        template = "wizard/_catalogues.html" if request.htmx else "wizard/page.html"
        return render(request, template, _context(request, wizard))
    word, _colon, rest = request.POST.get("do", "").partition(":")
    for tries in range(TRIES, -1, -1):
        ahead = _ahead(request, pk, slug, word, rest) if tries and word in WORKED_OUT else None
        with transaction.atomic():
            wizard = _desk(lock_sheet(request, pk, party=False), slug)
            shown, base, mine = meant(request, wizard, word)
            clash = wizard.state not in (base, mine)
            if not clash and ahead and not _stands(ahead[0], wizard.sheet):
                continue
            if not clash:
                focus = _do(request, wizard, mine, word, rest, ahead and ahead[1])
        break
    if clash:
        return _conflict(request, wizard, mine, base)
    if request.POST.get("do") in WHOLE:
        url = WHOLE[word](request, pk).url
        return HttpResponseClientRedirect(url) if request.htmx else HttpResponseRedirect(url)
    return _answer(request, _desk(wizard.sheet, slug, shown), word, rest, focus)


def _ahead(request, pk, slug: str, word: str, rest: str) -> tuple[Wizard, tuple[State, str]] | None:
    """The draft as it is now, and what a mend, the filling up or the dice would make of it with the page's changes.

    None where others' changes are in the way. It may take a while, and so nothing is held meanwhile.
    """
    wizard = _desk(get_object_or_404(editable(request), pk=pk), slug)
    _shown, base, mine = meant(request, wizard, word)
    if wizard.state not in (base, mine):
        return None
    return wizard, _worked_out(_with(wizard, mine), word, rest)


def _with(wizard: Wizard, mine: State) -> Wizard:
    """The same draft with what is about to be saved; it is not to be saved itself."""
    sheet = copy(wizard.sheet)
    sheet.name, sheet.data, sheet.typed = mine.name, mine.data, mine.typed
    return Wizard(sheet, wizard.slug)


def _stands(wizard: Wizard, sheet: Sheet) -> bool:
    """Whether a draft, read anew, is as it was read for this desk."""
    return (wizard.sheet.version, wizard.sheet.house, wizard.state) == (sheet.version, sheet.house, saves.state(sheet))


def _desk(sheet: Sheet, slug: str, base: State | None = None) -> Wizard:
    if slug not in steps(system_of(sheet)):
        raise Http404
    return Wizard(sheet, slug, base)


def _context(request, wizard: Wizard) -> dict:
    query = request.GET.get("q", "")
    # The template calls for the catalogues and the reviews where it shows them.
    return {"wizard": wizard, "ruleset": wizard.ruleset, "query": query,
            "catalogues": partial(wizard.catalogues, query), "page": uuid4().hex,
            "review_status": partial(review_status, wizard.sheet)}


def _conflict(request, wizard: Wizard, mine: State, base: State | None) -> HttpResponse:
    """Both values of each field that differs, for the person to choose."""
    context = _context(request, wizard) | {
        "differences": conflicts(wizard.ruleset.sheet, mine, wizard.state, base),
        "mine": signer(wizard).sign_object(vars(mine), compress=True),
    }
    answer = render(request, "wizard/_conflict.html" if request.htmx else "wizard/conflict.html", context, status=409)
    return retarget(reswap(answer, "outerHTML"), "#bench") if request.htmx else answer


def _do(request, wizard: Wizard, mine: State, word: str, rest: str, ahead: tuple[State, str] | None) -> str:
    """Saves the form and does what its button says, which may be worked out already; answers the path to look at."""
    sheet = wizard.sheet
    if word in ("undo", "redo"):
        saves.save(sheet, mine)
        saves.step_through(sheet, -1 if word == "undo" else 1)
        return ""
    if word in WORKED_OUT:
        new, warning = ahead or _worked_out(_with(wizard, mine), word, rest)
        saves.save(sheet, mine)
        saves.save(sheet, new)
        if warning:
            messages.warning(request, warning)
        return ""
    if word in ("", "save", "go", "settle") or request.POST.get("do") in WHOLE:
        # Only such a save leaves every row where the page has it.
        page = page_name(request) if word in ("", "save") else ""
        saves.save(sheet, mine, text=_single_text(wizard, mine), page=page)
        return ""
    edit = Edit(wizard.ruleset.sheet, mine.data, mine.typed, wizard.house)
    path, _colon, extra = rest.partition(":")
    focus = edit.apply(word, path, extra)
    if too_large(sheet, mine.name, edit.data):
        messages.error(request, _("The sheet would become too large for a document; shorten it."))
        saves.save(sheet, mine)
    else:
        saves.save(sheet, State(mine.name, edit.data, edit.typed))
    return focus


def _worked_out(wizard: Wizard, word: str, rest: str) -> tuple[State, str]:
    """What a mend, the filling up or the dice make of a draft, and why it is nothing where it is."""
    now = wizard.state
    if word == "mend":
        for one in wizard.verdict.findings:
            for fix in one.fixes:
                if fix_digest(fix) == rest:
                    return State(now.name, fix.data, kept_typed(wizard.ruleset.sheet, now, fix.data)), ""
        return now, _("That mend no longer fits; look at the findings again.")
    try:
        if word == "fill":
            return State(now.name, generate.filled(wizard.ruleset, now.data, Random(), wizard.house), now.typed), ""  # noqa: S311
        document = generate.sheet(wizard.ruleset, Random(), wizard.house)  # noqa: S311
        return State(document["name"], document["data"], {}), ""
    except generate.Stuck as error:
        return now, str(error)


def _single_text(wizard: Wizard, mine: State) -> str:
    """The path of the one text that changed, if nothing else did."""
    now = wizard.state
    if mine.name != now.name:
        return NAME if mine == State(mine.name, now.data, now.typed) else ""
    changed = list(differing_fields(wizard.ruleset.sheet, mine.data, now.data))
    return changed[0][0] if len(changed) == 1 and changed[0][2].kind == "text" else ""


def _answer(request, wizard: Wizard, word: str, rest: str, focus: str) -> HttpResponse:
    """After a save: the live parts, the whole bench, or for those without JavaScript the page anew."""
    slug = rest if word == "go" and rest in steps(wizard.ruleset) else wizard.slug
    anchor = element_id(focus) if focus else ""
    if not request.htmx or slug != wizard.slug:
        url = wizard.url(slug) + (f"#{anchor}" if anchor else "")
        return HttpResponseClientRedirect(url) if request.htmx else HttpResponseRedirect(url)
    if word in ("", "save"):
        return HttpResponse(live.answer(wizard))
    answer = render(request, "wizard/_workspace.html", _context(request, wizard))
    return trigger_client_event(retarget(reswap(answer, "outerHTML"), "#bench"), "focus-on", {"id": anchor},
                                after="settle")
