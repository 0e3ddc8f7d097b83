"""The page of a GM's encounter, on which its opponents and their numbers are set, and it is copied or deleted."""

from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID, uuid4

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets import generate, systems
from rulesets.kit import parse_whole_number
from rulesets.names import isolated, one_line
from sheets.access import key_or_404, memberships
from sheets.buttons import pressed_about
from sheets.export.pdf import missing_characters
from sheets.models import GMS, Encounter, Placed
from sheets.models.store import store
from sheets.parties.library import (
    Unplaced,
    act_of,
    choice_of,
    encounters,
    files_of,
    keep_in,
    library_of,
    new_encounter,
    on_stage,
    place,
    placed_in,
    with_figures,
)
from sheets.parties.opponent_form import METHODS, OpponentForm, sources
from sheets.parties.opponents import MOST
from sheets.parties.services import LONGEST
from sheets.rolls.widgets import Widget
from sheets.signed_in import signed_in, signed_in_user

ACTIONS = (*METHODS, "save", "add", "copy", "delete")


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def encounter(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show one of the user's encounters; on POST save, copy or delete it, or add opponents."""
    user = signed_in_user(request)
    stored = get_object_or_404(encounters(user).filter(ruleset__in=list(systems())), pk=pk)
    if request.method != "POST":
        return _encounter_page(request, stored)
    action, _about = pressed_about(request.POST, ACTIONS)
    if action in METHODS:
        return _make(request, stored, action)
    with transaction.atomic():
        try:
            if action == "delete":
                stored.delete()
                message = _("The encounter “{name}” has been deleted; its opponents are still there.")
                messages.success(request, message.format(name=isolated(stored.name)))
                return redirect(f"{reverse('library')}?{urlencode({'system': stored.ruleset})}")
            if action == "copy":
                other = new_encounter(user, systems()[stored.ruleset], stored.name, stored.act)
                for one in placed_in(stored):
                    place(other, [one.sheet], one.number)
                return redirect("encounter", other.pk)
            (_add if action == "add" else _save)(request, stored)
        except Unplaced as error:
            if action == "save":
                return _encounter_page(request, stored, fault=str(error))
            messages.error(request, str(error))
    return redirect("encounter", pk)


def _make(request: HttpRequest, encounter: Encounter, action: str) -> HttpResponse:
    """Make opponents and add them to an encounter."""
    ruleset = systems()[encounter.ruleset]
    form = OpponentForm.posted(request, ruleset, action)
    if not form.is_invalid:
        try:
            bodies = form.bodies(request, ruleset.house(), set())
            with transaction.atomic():
                keep_in(signed_in_user(request), ruleset, encounter, form.common_name(bodies), bodies)
            return redirect("encounter", encounter.pk)
        except (generate.Stuck, Unplaced) as error:
            form = replace(form, fault=str(error))
    return _encounter_page(request, encounter, form)


def _add(request: HttpRequest, encounter: Encounter) -> None:
    """Add a number of an opponent of the library to an encounter; raise `Unplaced` if that is not possible."""
    key = key_or_404(request.POST.get("sheet", ""))
    sheet = get_object_or_404(library_of(request), pk=key, ruleset=encounter.ruleset)
    count = parse_whole_number(request.POST.get("_count", "1"))
    if count is None or not 1 <= count <= MOST:
        raise Unplaced(_("You can have 0 to {most} of each opponent.").format(most=MOST))
    place(encounter, [sheet], count)


def _save(request: HttpRequest, encounter: Encounter) -> None:
    """Save the name, the numbers and the act of an encounter; an opponent with the number 0 is removed.

    Raise `Unplaced` if the form is invalid.
    """
    sent = request.POST.get("name", "")
    name = sent if sent == encounter.name else one_line(sent)
    numbers = {one: parse_whole_number(request.POST.get(f"number.{one.pk}", str(one.number)))
               for one in encounter.placed.all()}
    if not name or len(name) > LONGEST:
        raise Unplaced(_("Give the encounter a name of at most {most} characters.").format(most=LONGEST))
    if any(one is None or not 0 <= one <= MOST for one in numbers.values()):
        raise Unplaced(_("You can have 0 to {most} of each opponent.").format(most=MOST))
    act = systems()[encounter.ruleset].crossing.encounter
    if act:
        widget = Widget(act.offer(), dict(request.POST.lists()))
        if not widget.complete:
            raise Unplaced(next((one.fault for one in widget.inputs if one.fault), widget.fault))
        encounter.act = widget.values
    store(encounter, "act", name=name)
    for one, number in numbers.items():
        if number:
            store(one, number=number)
        else:
            one.delete()


def _print_links(encounter: Encounter, placed: list[Placed]) -> Iterator[tuple[str, str, int]]:
    """Yield (title, address, number) of each file that can be printed; the number is 0 if there is only one file."""
    sheet, cards = (reverse("encounter-pdf", args=[encounter.pk, layout]) for layout in ("strip", "handed"))
    if encounter.act:
        yield _("Print the encounter sheet"), sheet, 0
    files = files_of(placed)
    for number, first, last in files:
        part = f" ({first}–{last})" if len(files) > 1 else ""
        if not encounter.act:
            yield _("Print the encounter sheet") + part, sheet, number
        yield _("Print cards") + part, cards, number


def _encounter_page(request: HttpRequest, encounter: Encounter, form: OpponentForm | None = None,
                    fault: str = "") -> HttpResponse:
    """Show an encounter; with a `fault` the posted values stay in the form."""
    ruleset, act = systems()[encounter.ruleset], act_of(encounter)
    form = form or OpponentForm.posted(request, ruleset)
    memberships_as_gm = memberships(request).filter(role__in=GMS, party__ruleset=encounter.ruleset)
    memberships_as_gm = memberships_as_gm.select_related("party").order_by("party__called", "party")
    placed = list(placed_in(encounter))
    figures = with_figures(one.sheet for one in placed)
    sent = request.POST if fault else {}
    if fault and act:
        act = Widget(act.offer, dict(request.POST.lists()))
    return render(request, "parties/encounter.html", {
        "fault": fault, "name": str(sent.get("name", encounter.name))[:2 * LONGEST], "encounter": encounter,
        "ruleset": ruleset, "most": MOST,
        "parties": [(one.party, on_stage(one.party, [encounter]).get(encounter.pk, 0)) for one in memberships_as_gm],
        "placed": [(one, figure, str(sent.get(f"number.{one.pk}", one.number))[:LONGEST])
                   for one, figure in zip(placed, figures, strict=True)],
        "opponent_form": form, "widget": form.side, "address": request.path,
        "act": act, "which": act and act.key, "press": uuid4(),
        "missing": " ".join(missing_characters(
            [encounter.name, *((one.sheet.name, one.sheet.data) for one in placed)])),
        "printed": [*_print_links(encounter, placed)],
        **choice_of(request, ruleset), **sources(request, ruleset),
    }, status=422 if fault or form.is_invalid else 200)
