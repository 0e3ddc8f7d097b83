"""A GM's library: all opponents that they keep, and each of their encounters."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets import generate, systems
from rulesets.kit import Ruleset, whole
from rulesets.names import isolated, one_line
from sheets.access import key_or_404, memberships
from sheets.buttons import pressed_about
from sheets.export.pdf import missing
from sheets.models import GMS, Encounter, Sheet
from sheets.models.called import by_name, holding
from sheets.models.store import store
from sheets.paging import asked_of_list, page_of
from sheets.parties.library import (
    Unplaced,
    act_of,
    body_of,
    encounters,
    files_of,
    keep_opponents,
    library_of,
    new_encounter,
    place,
    placed_in,
    with_figures,
)
from sheets.parties.making import WAYS, Making, sources
from sheets.parties.opponents import MOST
from sheets.parties.paper import printed_together
from sheets.parties.services import LONGEST
from sheets.rolls.widgets import Widget
from sheets.signed_in import signed_in, signed_in_user
from sheets.tags import Untaggable, keys_of, put_tags, tagged, tags_of, take_tags

WORDS = (*WAYS, "tag", "untag", "copy-these", "delete", "print", "encounter")


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def library(request: HttpRequest) -> HttpResponse:
    """Show the kept opponents of one system, page by page; on POST make some, or do something with those ticked."""
    ruleset = _system(request)
    if request.method != "POST":
        return _page(request, ruleset, Making.of(request, ruleset))
    action, about = pressed_about(request.POST, WORDS)
    back = f"{reverse('library')}?{urlencode({'system': ruleset.slug})}"
    if action in WAYS:
        making = Making.of(request, ruleset, action)
        if making.wrong:
            return _page(request, ruleset, making)
        try:
            bodies = making.bodies(request, ruleset.house(), set())
            keep_opponents(signed_in_user(request), ruleset, making.called(bodies), bodies)
        except generate.Stuck as error:
            return _page(request, ruleset, replace(making, fault=str(error)))
        return redirect(back)
    keys = keys_of(request.POST.getlist("sheet"))
    try:
        with transaction.atomic():
            chosen = list(library_of(request).filter(ruleset=ruleset.slug, pk__in=keys).order_by("called", "pk"))
            if not chosen and (action != "encounter" or not ruleset.crossing.encounter):
                messages.warning(request, _("No opponent is chosen yet; tick at least one."))
                return redirect(back)
            return redirect(_with_these(request, ruleset, chosen, action, about) or back)
    except (Untaggable, Unplaced) as error:
        messages.error(request, str(error))
        return redirect(back)


def _system(request: HttpRequest) -> Ruleset:
    """Return the system that is asked for, else that of the newest party one leads, of an opponent, or the first."""
    found = systems()
    asked = request.POST.get("system", "") or request.GET.get("system", "")
    if asked not in found:
        led = memberships(request).filter(role__in=GMS).order_by("-pk").values_list("party__ruleset", flat=True)
        kept = library_of(request).order_by().values_list("ruleset", flat=True)[:1]
        asked = led.first() or next(iter(kept), "")
    return found.get(asked) or next(iter(found.values()))


def _with_these(request: HttpRequest, ruleset: Ruleset, chosen: list[Sheet], action: str, about: str) -> str | None:
    """Do what is pressed with opponents that are ticked; return where that leads, None for the list."""
    user, keys = signed_in_user(request), [one.pk for one in chosen]
    if action == "tag":
        put_tags(user, keys, request.POST.get("tag", ""))
    elif action == "untag":
        take_tags(user, keys, request.POST.get("tag", ""))
    elif action == "copy-these":
        keep_opponents(user, ruleset, "", [body_of(one) for one in chosen])
    elif action == "delete":
        Sheet.objects.filter(pk__in=keys).update(deleted=timezone.now())
        said = ngettext("{n} opponent lies in the trash for 30 days.", "{n} opponents lie in the trash for 30 days.",
                        len(keys))
        messages.success(request, said.format(n=len(keys)))
    elif action == "print":
        return printed_together(request, keys, about)
    else:
        return _gathered(request, ruleset, chosen)
    return None


def _gathered(request: HttpRequest, ruleset: Ruleset, chosen: list[Sheet]) -> str:
    """Put opponents into an encounter, a new one if it is named (`Unplaced`)."""
    user, into = signed_in_user(request), request.POST.get("into", "")
    if into:
        found = get_object_or_404(encounters(user, ruleset.slug), pk=key_or_404(into))
    else:
        name = one_line(request.POST.get("encounter", ""))
        found = new_encounter(user, ruleset, name, _act(request, ruleset))
    place(found, chosen)
    return reverse("encounter", args=[found.pk])


def _act(request: HttpRequest, ruleset: Ruleset) -> dict[str, Any]:
    """Return what a form says of the act by which an encounter begins, if the system has one (`Unplaced`)."""
    act = ruleset.crossing.encounter
    widget = Widget(act.asking(), dict(request.POST.lists())) if act else None
    if widget and not widget.made:
        raise Unplaced(next((one.fault for one in widget.inputs if one.fault), widget.fault))
    return widget.values if widget else {}


def _page(request: HttpRequest, ruleset: Ruleset, making: Making) -> HttpResponse:
    user = signed_in_user(request)
    asked = asked_of_list(request, "find", "tag", "from", "after")
    found = library_of(request).filter(ruleset=ruleset.slug)
    if asked["find"]:
        found = found.filter(holding(asked["find"]))
    if asked["tag"]:
        found = tagged(found, user, asked["tag"])
    found = found.prefetch_related("tags").select_related("party")
    page, more = page_of(found, "called", asked["from"], asked["after"], rising=True)
    act = ruleset.crossing.encounter
    context: dict[str, Any] = {
        "ruleset": ruleset, "systems": systems().values(), "making": making, "widget": making.side, "most": MOST,
        "rows": with_figures(page), "narrowed": bool(asked["find"] or asked["tag"]),
        "asked": asked, "next": more, "next_from": more and bytes(more.called).hex(),
        "tags": by_name(tags_of(user)), "act": act and Widget(act.asking()),
        "encounters": by_name(encounters(user, ruleset.slug).prefetch_related("placed")), "address": request.path,
    }
    return render(request, "parties/library.html", context | sources(request, ruleset),
                  status=422 if making.wrong else 200)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def encounter(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show an encounter of one's own; on POST its numbers are saved, or it is copied or deleted."""
    user = signed_in_user(request)
    found = get_object_or_404(encounters(user).filter(ruleset__in=list(systems())), pk=pk)
    if request.method != "POST":
        return _encounter_page(request, found)
    action, _about = pressed_about(request.POST, ("save", "copy", "delete"))
    with transaction.atomic():
        if action == "delete":
            found.delete()
            messages.success(request, _("The encounter “{name}” is deleted; its opponents stay.").format(
                name=isolated(found.name)))
            return redirect(f"{reverse('library')}?{urlencode({'system': found.ruleset})}")
        try:
            if action == "copy":
                other = new_encounter(user, systems()[found.ruleset], found.name, found.act)
                for one in placed_in(found):
                    place(other, [one.sheet], one.number)
                return redirect("encounter", other.pk)
            _save(request, found)
        except Unplaced as error:
            if action == "save":
                return _encounter_page(request, found, str(error))
            messages.error(request, str(error))
    return redirect("encounter", pk)


def _save(request: HttpRequest, found: Encounter) -> None:
    """Save the name and the numbers as they were typed; 0 takes one out (`Unplaced` for what is no number)."""
    name = one_line(request.POST.get("name", ""))
    numbers = {one: whole(request.POST.get(f"number.{one.pk}", str(one.number))) for one in found.placed.all()}
    if not name or len(name) > LONGEST:
        raise Unplaced(_("Give the encounter a name of at most {most} characters.").format(most=LONGEST))
    if any(one is None or not 0 <= one <= MOST for one in numbers.values()):
        raise Unplaced(_("Of each opponent there are 0 to {most}.").format(most=MOST))
    store(found, name=name, act=_act(request, systems()[found.ruleset]) or found.act)
    for one, number in numbers.items():
        if number:
            store(one, number=number)
        else:
            one.delete()


def _encounter_page(request: HttpRequest, found: Encounter, fault: str = "") -> HttpResponse:
    """Show an encounter; what was typed and refused stands there with the `fault`."""
    ruleset, act = systems()[found.ruleset], act_of(found)
    led = memberships(request).filter(role__in=GMS, party__ruleset=found.ruleset).order_by("party__called", "party")
    there = list(placed_in(found))
    figures = with_figures(one.sheet for one in there)
    sent = request.POST if fault else {}
    if fault and act:
        act = Widget(act.offer, dict(request.POST.lists()))
    return render(request, "parties/encounter.html", {
        "fault": fault, "name": str(sent.get("name", found.name))[:2 * LONGEST], "encounter": found,
        "ruleset": ruleset, "most": MOST, "parties": led,
        "placed": [(one, told, str(sent.get(f"number.{one.pk}", one.number))[:LONGEST])
                   for one, (_sheet, told) in zip(there, figures, strict=True)],
        "act": act, "which": act and act.key, "press": uuid4(), "files": files_of(there),
        "missing": " ".join(missing([found.name, *((one.sheet.name, one.sheet.data) for one in there)])),
    }, status=422 if fault else 200)
