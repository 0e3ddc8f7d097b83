"""The views of the wizard: a step's page and its fragments, and the actions that its buttons post."""

from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect, reswap, retarget, trigger_client_event

from builder import drafts
from builder.wizard import live, other_sheets, roll_over, services
from builder.wizard.context import Wizard
from builder.wizard.merge import conflicts
from builder.wizard.posted import CONCEPT, PageState, StepForm, signer
from builder.wizard.row_sources import opened, row_sources, with_source
from builder.wizard.seen_steps import show_step, visited_steps
from builder.wizard.services import DraftChange
from builder.wizard.steps import FIGURE, FINISH, steps
from builder.wizard.undo_line import undo_line
from rulesets import generate
from rulesets.kit import Ruleset
from rulesets.names import isolated, one_line
from sheets.access import PageRequest, key_or_404, lock_sheet, membership, own_sheet, user_of
from sheets.buttons import pressed
from sheets.faces.services import copy_portrait
from sheets.forms.inputs import element_id
from sheets.forms.paths import path_in_words
from sheets.forms.seen import overtaken
from sheets.history import saves
from sheets.models import Party, Sheet, system_or_404
from sheets.news import newest_draft_token
from sheets.optimistic_lock import TRIES, prepare_then_lock
from sheets.parties.pregens import random_documents
from sheets.parties.services import Full
from sheets.reviews.comments import standing_comments
from sheets.status.reviews import review_status


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a draft by POST: empty, or with `do=random` a random character; redirect to its first step or its sheet.

    With `party` it is created in that party, with its house rules.
    """
    ruleset = system_or_404(slug)
    if request.method != "POST":
        return redirect("home")
    where, random = request.POST.get("party", ""), request.POST.get("do") == "random"
    party = membership(request, key_or_404(where)).party if where else None
    if party and party.ruleset != slug:
        raise Http404
    try:
        document = _random(ruleset, party, request.POST.get(CONCEPT, "")) if random else None
        sheet = drafts.create(request, ruleset, document, party=party.pk if party else None, rolled=random)
    except generate.Stuck as error:
        raise BadRequest(str(error)) from None
    except (drafts.TooMany, Full) as error:
        messages.error(request, str(error))
        return redirect("party", party.pk) if party else redirect("home")
    request.session.modified = True  # saves the session, so that its lifetime starts anew
    return redirect("sheet", sheet.pk) if random else redirect("step", sheet.pk, FIGURE.slug)


def _random(ruleset: Ruleset, party: Party | None, concept: str) -> dict[str, Any]:
    """Return the document of a random character; in a party with its house rules and a name not in use there."""
    if party:
        return {**random_documents(party, 1, concept)[0], "notes": ""}
    made = generate.character(ruleset, Random(), concept=concept)  # noqa: S311 - a character, no secret
    return {**made.document, "notes": "", "concept": made.concept}


def draft(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Redirect to a draft's first step, or to the input for the path `?at=`; by POST, act on the draft as a whole.

    With `?roll=`, a concept or "", show the page that asks before a random character replaces the draft.
    """
    if request.method != "POST":
        if roll_over.ROLL in request.GET:
            return roll_over.page(request, _read(request, pk))
        at, wizard = request.GET.get("at", ""), Wizard(_read(request, pk))
        known = at and path_in_words(wizard.ruleset.sheet, wizard.sheet.data, at)
        return redirect(wizard.link(at) if known else wizard.url_here)
    return DRAFT_ACTIONS[pressed(request.POST, DRAFT_ACTIONS)](request, pk)


def _copy(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    sheet = _read(request, pk)
    name = one_line(_("{name} (copy)").format(name=sheet.name), 200) if sheet.name else ""
    document = {"name": name, "data": sheet.data, "typed": sheet.typed, "house": sheet.house, "concept": sheet.concept}
    try:
        copy = drafts.create(request, sheet.system, document)
        copy_portrait(sheet, copy)
    except drafts.TooMany as error:
        messages.error(request, str(error))
        return redirect("mine") if _from_list(request) else redirect("step", sheet.pk, FINISH.slug)
    if _from_list(request):
        messages.success(request, _("“{name}” has been created.").format(
            name=isolated(copy.name or str(copy.system.title))))
        return redirect("mine")
    return redirect("step", copy.pk, FIGURE.slug)


def _delete(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    sheet = drafts.throw_away(request, pk)
    messages.success(request, _("“{name}” is in the bin.").format(
        name=isolated(sheet.name or str(sheet.system.title))))
    return redirect("mine" if _from_list(request) else "trash")


def _from_list(request: HttpRequest) -> bool:
    """Return True if the button is on the list of all sheets, in which case that page is shown again."""
    return request.POST.get("from") == "mine"


def _finish(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    if not prepare_then_lock(partial(_read, request, pk), partial(_lock, request, pk), services.prepare_finish,
                             partial(services.finish, user=user_of(request))):
        messages.warning(request, _("It cannot be finished yet. What is missing or wrong is listed here."))
        return redirect(f"{reverse('step', args=[pk, FINISH.slug])}#{live.IN_THE_WAY}")
    messages.success(request, render_to_string("wizard/_what_next.html", {"sheet": _read(request, pk)}, request))
    return redirect("sheet", pk)


def _another(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    prepare = partial(services.prepare_random, concept=request.POST.get(CONCEPT, ""))
    sheet = _read(request, pk)
    if roll_over.asks(request, sheet):
        return redirect(roll_over.question_url(request, sheet))
    try:
        prepare_then_lock(partial(_read, request, pk), partial(_lock, request, pk), prepare, services.save_random)
        roll_over.tell(request, sheet.name, _read(request, pk))
    except generate.Stuck as error:
        messages.error(request, str(error))
    return redirect("sheet", pk)


def _back(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    with transaction.atomic():
        sheet = _lock(request, pk)
        if overtaken(request.POST, sheet.version):
            messages.warning(request, _("The sheet has changed in the meantime; you can go back in its history."))
        else:
            saves.step_through(sheet, -1)
    return redirect("sheet", pk)


DRAFT_ACTIONS = {"copy": _copy, "delete": _delete, "finish": _finish, "another": _another, "back": _back}
"""{action on a draft as a whole: its function}; a step saves its form before the action."""


def _read(request: HttpRequest, pk: UUID) -> Sheet:
    return own_sheet(request, pk)


def _lock(request: HttpRequest, pk: UUID) -> Sheet:
    return lock_sheet(request, pk, party=False)


@require_http_methods(["GET", "HEAD", "POST"])
def step(request: PageRequest, pk: UUID, slug: str) -> HttpResponse:
    """Show a step, or by POST save its form and apply its button; htmx gets a fragment of the page.

    With `?known=`, a change token of the draft, respond with 204 if the token is still current.
    """
    return _posted(request, pk, slug) if request.method == "POST" else _step_page(request, pk, slug)


def _step_page(request: PageRequest, pk: UUID, slug: str) -> HttpResponse:
    sheet, known = _read(request, pk), request.GET.get("known")
    if known is not None and known == newest_draft_token(sheet):
        return HttpResponse(status=204)
    template = "wizard/_catalogues.html" if request.htmx and known is None else "wizard/page.html"
    if not request.htmx:
        show_step(request, sheet, slug)
    wizard = Wizard(sheet, slug, visited=visited_steps(request, sheet))
    wizard.pages.turn_to(_page(request))
    return render(request, template, _context(request, wizard))


def _posted(request: PageRequest, pk: UUID, slug: str) -> HttpResponse:
    form = StepForm.from_post(request.POST)
    asks = form.action == "random" and roll_over.asks(request, _read(request, pk), slug, form)
    if asks:
        # The form is saved even if the random character is declined.
        form = replace(form, button="save")
    sheet, change = prepare_then_lock(
        partial(_read, request, pk), partial(_lock, request, pk),
        partial(services.prepare_change, slug=slug, form=form, find_row=partial(other_sheets.row_of_other, request)),
        partial(services.save_change, form=form),
        tries=TRIES if form.action in services.SLOW else 0)
    if change.clash:
        change.wizard.pages.turn_to(_page(request))
        return _conflict(request, change.wizard, change.page)
    if asks:
        url = roll_over.question_url(request, sheet)
        return HttpResponseClientRedirect(url) if request.htmx else HttpResponseRedirect(url)
    if change.fault:
        (messages.warning if change.new else messages.error)(request, change.fault)
    if form.acts_on_draft:
        url = DRAFT_ACTIONS[form.button](request, pk).url
        if request.htmx and url == f"{request.path}#{live.IN_THE_WAY}":
            return _workspace(request, Wizard(_read(request, pk), slug, visited=visited_steps(request, sheet)),
                              live.IN_THE_WAY)
        return HttpResponseClientRedirect(url) if request.htmx else HttpResponseRedirect(url)
    shown_rows = form.shown_rows if form.action in ("", "save") else ()
    wizard = Wizard(sheet, slug, change.page.shown_state, shown_rows, visited_steps(request, sheet))
    number = _page(request)
    if not change.fault:
        wizard.undo = undo_line(change.wizard, wizard, form.action, form.target)
    if form.action == "turn":
        where, _colon, asked = form.target.partition(":")
        change, number = replace(change, focus=where if where in wizard.pages.keys else ""), _number(asked)
    wizard.pages.turn_to(wizard.pages.page_number_of(change.focus) or number)
    return _answer(request, wizard, form, change)


def _page(request: HttpRequest) -> int:
    """Return the page of long lists that the query string asks for, 1 by default."""
    return _number(request.GET.get("rows", ""))


def _number(asked: str) -> int:
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 9 else 1


def _watch(wizard: Wizard) -> dict[str, str]:
    """Return the change token of a draft, and the addresses where its page polls and listens for changes."""
    change_token, url = newest_draft_token(wizard.sheet), wizard.url_here
    look = f"{url}{'&' if '?' in url else '?'}{urlencode({'known': change_token})}"
    live_url = reverse("live", args=["draft", wizard.sheet.pk])
    return {"change_token": change_token, "look_url": look, "live_url": live_url}


def _context(request: HttpRequest, wizard: Wizard) -> dict:
    query = request.POST.get("_q") or request.GET.get("q", "")
    marks = request.POST.getlist("_is") or request.GET.getlist("is")
    # Callables are evaluated only where the template uses them.
    return {"wizard": wizard, "ruleset": wizard.ruleset, "query": query,
            "catalogues": partial(wizard.catalogues, query), "row_sources": partial(row_sources, request, wizard),
            "narrowed_to": [label for label in marks if label],
            "page": uuid4().hex,
            "chosen": request.POST.get(CONCEPT, ""),
            "review_status": partial(review_status, wizard.sheet), "watch": cache(partial(_watch, wizard)),
            # Used beside each field, but queried once.
            "comments": cache(partial(standing_comments, wizard.sheet))}


def _conflict(request: PageRequest, wizard: Wizard, page: PageState) -> HttpResponse:
    """Return the conflict page, on which a person chooses between both values of each field that differs."""
    context = _context(request, wizard) | {
        "differences": conflicts(wizard.ruleset.sheet, page.mine, wizard.state, page.base),
        "mine": signer(wizard).sign_object(vars(page.mine), compress=True),
    }
    answer = render(request, "wizard/_conflict.html" if request.htmx else "wizard/conflict.html", context, status=409)
    return retarget(reswap(answer, "outerHTML"), "#workspace") if request.htmx else answer


def _answer(request: PageRequest, wizard: Wizard, form: StepForm, change: DraftChange) -> HttpResponse:
    """Return the response after a save: the live parts, the whole workspace, or a redirect if the page changes.

    Without JavaScript it is always a redirect.
    """
    slug = form.target if form.action == "go" and form.target in steps(wizard.ruleset) else wizard.slug
    if form.action == "next" and wizard.next:
        slug = wizard.next.step.slug
    anchor = element_id(change.focus) if change.focus else ""
    rolled = form.action == "random" and not change.fault
    if rolled and change.page.mine.data != drafts.empty_data(wizard.ruleset):
        roll_over.tell(request, change.page.mine.name, wizard.sheet)
    if not request.htmx or rolled or slug != wizard.slug:
        url = with_source(wizard.url_here, opened(request)) if slug == wizard.slug else wizard.url(slug)
        url += f"#{anchor}" if anchor else ""
        # A random character is complete, so its sheet is shown.
        url = reverse("sheet", args=[wizard.sheet.pk]) if rolled else url
        return HttpResponseClientRedirect(url) if request.htmx else HttpResponseRedirect(url)
    if form.action in ("", "save") and not (change.page.choice_changed and wizard.has_new_inputs(form.answers)):
        return HttpResponse(live.answer(wizard))
    return _workspace(request, wizard, anchor)


def _workspace(request: HttpRequest, wizard: Wizard, anchor: str) -> HttpResponse:
    """Return the whole workspace, with an event that moves the focus to the element with the id `anchor`."""
    answer = render(request, "wizard/_workspace.html", _context(request, wizard))
    return trigger_client_event(retarget(reswap(answer, "outerHTML"), "#workspace"), "focus-on", {"id": anchor},
                                after="settle")
