"""An encounter of a GM's: its opponents and their numbers, filled, copied, deleted."""

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
from rulesets.kit import whole
from rulesets.names import isolated, one_line
from sheets.access import key_or_404, memberships
from sheets.buttons import pressed_about
from sheets.export.pdf import missing
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
from sheets.parties.making import WAYS, Making, sources
from sheets.parties.opponents import MOST
from sheets.parties.services import LONGEST
from sheets.rolls.widgets import Widget
from sheets.signed_in import signed_in, signed_in_user

WORDS = (*WAYS, "save", "add", "copy", "delete")


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def encounter(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show an encounter of one's own; on POST its numbers are saved, or it is copied or deleted."""
    user = signed_in_user(request)
    found = get_object_or_404(encounters(user).filter(ruleset__in=list(systems())), pk=pk)
    if request.method != "POST":
        return _encounter_page(request, found)
    action, _about = pressed_about(request.POST, WORDS)
    if action in WAYS:
        return _make(request, found, action)
    with transaction.atomic():
        try:
            if action == "delete":
                found.delete()
                messages.success(request, _("The encounter “{name}” is deleted; its opponents stay.").format(
                    name=isolated(found.name)))
                return redirect(f"{reverse('library')}?{urlencode({'system': found.ruleset})}")
            if action == "copy":
                other = new_encounter(user, systems()[found.ruleset], found.name, found.act)
                for one in placed_in(found):
                    place(other, [one.sheet], one.number)
                return redirect("encounter", other.pk)
            (_add if action == "add" else _save)(request, found)
        except Unplaced as error:
            if action == "save":
                return _encounter_page(request, found, fault=str(error))
            messages.error(request, str(error))
    return redirect("encounter", pk)


def _make(request: HttpRequest, found: Encounter, action: str) -> HttpResponse:
    """Make opponents that stand in an encounter."""
    ruleset = systems()[found.ruleset]
    making = Making.of(request, ruleset, action)
    if not making.wrong:
        try:
            bodies = making.bodies(request, ruleset.house(), set())
            with transaction.atomic():
                keep_in(signed_in_user(request), ruleset, found, making.called(bodies), bodies)
            return redirect("encounter", found.pk)
        except (generate.Stuck, Unplaced) as error:
            making = replace(making, fault=str(error))
    return _encounter_page(request, found, making)


def _add(request: HttpRequest, found: Encounter) -> None:
    """Put so many of a kept opponent into an encounter (`Unplaced`)."""
    sheet = get_object_or_404(library_of(request), pk=key_or_404(request.POST.get("sheet", "")), ruleset=found.ruleset)
    count = whole(request.POST.get("_count", "1"))
    if count is None or not 1 <= count <= MOST:
        raise Unplaced(_("Of each opponent there are 0 to {most}.").format(most=MOST))
    place(found, [sheet], count)


def _save(request: HttpRequest, found: Encounter) -> None:
    """Save the name and the numbers as they were typed; 0 takes one out (`Unplaced` for what is no number)."""
    sent = request.POST.get("name", "")
    name = sent if sent == found.name else one_line(sent)
    numbers = {one: whole(request.POST.get(f"number.{one.pk}", str(one.number))) for one in found.placed.all()}
    if not name or len(name) > LONGEST:
        raise Unplaced(_("Give the encounter a name of at most {most} characters.").format(most=LONGEST))
    if any(one is None or not 0 <= one <= MOST for one in numbers.values()):
        raise Unplaced(_("Of each opponent there are 0 to {most}.").format(most=MOST))
    act = systems()[found.ruleset].crossing.encounter
    if act:
        widget = Widget(act.asking(), dict(request.POST.lists()))
        if not widget.made:
            raise Unplaced(next((one.fault for one in widget.inputs if one.fault), widget.fault))
        found.act = widget.values
    store(found, "act", name=name)
    for one, number in numbers.items():
        if number:
            store(one, number=number)
        else:
            one.delete()


def _printed(found: Encounter, there: list[Placed]) -> Iterator[tuple[str, str, int]]:
    """Yield (words, address, part) of each file that can be printed of an encounter, part 0 where there are none."""
    sheet, cards = (reverse("encounter-pdf", args=[found.pk, layout]) for layout in ("strip", "handed"))
    if found.act:
        yield _("Print the encounter's sheet"), sheet, 0
    files = files_of(there)
    for number, first, last in files:
        which = f" ({first}–{last})" if len(files) > 1 else ""
        if not found.act:
            yield _("Print the encounter's sheet") + which, sheet, number
        yield _("Print cards") + which, cards, number


def _encounter_page(request: HttpRequest, found: Encounter, making: Making | None = None,
                    fault: str = "") -> HttpResponse:
    """Show an encounter; what was typed and refused stands there with the `fault`."""
    ruleset, act = systems()[found.ruleset], act_of(found)
    making = making or Making.of(request, ruleset)
    led = memberships(request).filter(role__in=GMS, party__ruleset=found.ruleset).select_related("party")
    led = led.order_by("party__called", "party")
    there = list(placed_in(found))
    figures = with_figures(one.sheet for one in there)
    sent = request.POST if fault else {}
    if fault and act:
        act = Widget(act.offer, dict(request.POST.lists()))
    return render(request, "parties/encounter.html", {
        "fault": fault, "name": str(sent.get("name", found.name))[:2 * LONGEST], "encounter": found,
        "ruleset": ruleset, "most": MOST,
        "parties": [(one.party, on_stage(one.party, [found]).get(found.pk, 0)) for one in led],
        "placed": [(one, told, str(sent.get(f"number.{one.pk}", one.number))[:LONGEST])
                   for one, told in zip(there, figures, strict=True)],
        "making": making, "widget": making.side, "address": request.path,
        "act": act, "which": act and act.key, "press": uuid4(),
        "missing": " ".join(missing([found.name, *((one.sheet.name, one.sheet.data) for one in there)])),
        "printed": [*_printed(found, there)],
        **choice_of(request, ruleset), **sources(request, ruleset),
    }, status=422 if fault or making.wrong else 200)
