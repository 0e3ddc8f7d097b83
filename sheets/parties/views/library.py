"""A GM's library: all opponents that they keep, and each of their encounters."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

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
from rulesets.kit import Ruleset
from rulesets.names import one_line
from sheets.access import key_or_404, memberships
from sheets.buttons import pressed_about
from sheets.models import GMS, Sheet
from sheets.models.called import by_name, holding
from sheets.paging import asked_of_list, page_of
from sheets.parties.library import (
    Unplaced,
    body_of,
    encounter_called,
    encounters,
    keep_in,
    keep_opponents,
    library_of,
    listed_encounters,
    new_encounter,
    place,
    with_figures,
)
from sheets.parties.opponent_form import METHODS, OpponentForm, sources
from sheets.parties.opponents import MOST
from sheets.parties.paper import printed_together
from sheets.rolls.widgets import Widget
from sheets.signed_in import signed_in, signed_in_user
from sheets.tags import Untaggable, keys_of, put_tags, tagged, tags_of, take_tags

ACTIONS = (*METHODS, "tag", "untag", "copy-these", "delete", "print", "encounter", "new")
MAX_PARTIES = 8
"""The most parties to which the page links."""


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def library(request: HttpRequest) -> HttpResponse:
    """Show the user's opponents of one system in pages; on POST make some, or apply an action to those ticked."""
    ruleset = _chosen_system(request)
    if request.method != "POST":
        return _page(request, ruleset, OpponentForm.posted(request, ruleset))
    action, about = pressed_about(request.POST, ACTIONS)
    back = f"{reverse('library')}?{urlencode({'system': ruleset.slug})}"
    if action in METHODS:
        form = OpponentForm.posted(request, ruleset, action)
        if not form.is_invalid:
            try:
                return redirect(_make(request, form))
            except (generate.Stuck, Unplaced) as error:
                form = replace(form, fault=str(error))
        return _page(request, ruleset, form)
    keys = keys_of(request.POST.getlist("sheet"))
    try:
        with transaction.atomic():
            chosen = list(library_of(request).filter(ruleset=ruleset.slug, pk__in=keys).order_by("called", "pk"))
            if not chosen and action != "new" and (action != "encounter" or not ruleset.crossing.encounter):
                messages.warning(request, _("No opponent is selected yet; tick at least one."))
                return redirect(back)
            return redirect(_apply_to(request, ruleset, chosen, action, about) or back)
    except (Untaggable, Unplaced) as error:
        messages.error(request, str(error))
        return redirect(back)


def _chosen_system(request: HttpRequest) -> Ruleset:
    """Return the requested system, else that of the user's newest party as a GM, or of an opponent, or the first."""
    all_systems = systems()
    asked = request.POST.get("system", "") or request.GET.get("system", "")
    if asked not in all_systems:
        memberships_as_gm = memberships(request).filter(role__in=GMS).order_by("-pk")
        party_systems = memberships_as_gm.values_list("party__ruleset", flat=True)
        opponent_systems = library_of(request).order_by().values_list("ruleset", flat=True)[:1]
        asked = party_systems.first() or next(iter(opponent_systems), "")
    return all_systems.get(asked) or next(iter(all_systems.values()))


def _make(request: HttpRequest, form: OpponentForm) -> str:
    """Make opponents, in an encounter if one is named; return the address of the encounter, or of the made opponents.

    Raise `Stuck` if random ones cannot be made, `Unplaced` if the encounter has no room.
    """
    user, ruleset = signed_in_user(request), form.ruleset
    bodies = form.bodies(request, ruleset.house(), set())
    with transaction.atomic():
        if form.encounter:
            encounter = encounter_called(user, ruleset, form.encounter)
            keep_in(user, ruleset, encounter, form.common_name(bodies), bodies)
            return reverse("encounter", args=[encounter.pk])
        opponents = keep_opponents(user, ruleset, form.common_name(bodies), bodies)
    query = urlencode([("system", ruleset.slug), *(("made", one.pk) for one in opponents)])
    return f"{reverse('library')}?{query}#kept-title"


def _apply_to(request: HttpRequest, ruleset: Ruleset, chosen: list[Sheet], action: str, about: str) -> str | None:
    """Apply an action to the chosen opponents; return the address to redirect to, None for the list."""
    user, keys = signed_in_user(request), [one.pk for one in chosen]
    if action == "tag":
        put_tags(user, keys, request.POST.get("tag", ""))
    elif action == "untag":
        take_tags(user, keys, request.POST.get("tag", ""))
    elif action == "copy-these":
        keep_opponents(user, ruleset, "", [body_of(one) for one in chosen])
    elif action == "delete":
        Sheet.objects.filter(pk__in=keys).update(deleted=timezone.now())
        message = ngettext("{n} opponent is in the bin; you can restore it for 30 days.",
                           "{n} opponents are in the bin; you can restore them for 30 days.", len(keys))
        messages.success(request, message.format(n=len(keys)))
    elif action == "print":
        return printed_together(request, keys, about)
    else:
        return _add_to_encounter(request, ruleset, chosen)
    return None


def _add_to_encounter(request: HttpRequest, ruleset: Ruleset, chosen: list[Sheet]) -> str:
    """Add opponents to the chosen or a new encounter; return its address. Raise `Unplaced` if that is not possible."""
    user, key = signed_in_user(request), request.POST.get("into", "")
    if key:
        encounter = get_object_or_404(encounters(user, ruleset.slug), pk=key_or_404(key))
    else:
        name = one_line(request.POST.get("encounter", ""))
        encounter = new_encounter(user, ruleset, name, _act(request, ruleset))
    place(encounter, chosen)
    return reverse("encounter", args=[encounter.pk])


def _act(request: HttpRequest, ruleset: Ruleset) -> dict[str, Any]:
    """Return the answers for the act by which an encounter begins, {} if the system has none.

    Raise `Unplaced` if they are invalid.
    """
    act = ruleset.crossing.encounter
    widget = Widget(act.offer(), dict(request.POST.lists())) if act else None
    if widget and not widget.complete:
        raise Unplaced(next((one.fault for one in widget.inputs if one.fault), widget.fault))
    return widget.values if widget else {}


def _page(request: HttpRequest, ruleset: Ruleset, form: OpponentForm) -> HttpResponse:
    user = signed_in_user(request)
    asked = asked_of_list(request, "find", "tag", "from", "after")
    opponents = library_of(request).filter(ruleset=ruleset.slug)
    made = list(opponents.filter(pk__in=keys_of(request.GET.getlist("made"))[:MOST]).prefetch_related("tags")
                .select_related("party").order_by("called", "pk"))
    opponents = opponents.exclude(pk__in=[one.pk for one in made])
    if asked["find"]:
        opponents = opponents.filter(holding(asked["find"]))
    if asked["tag"]:
        opponents = tagged(opponents, user, asked["tag"])
    opponents = opponents.prefetch_related("tags").select_related("party")
    page, more = page_of(opponents, "called", asked["from"], asked["after"], rising=True)
    act, listed = ruleset.crossing.encounter, listed_encounters(user, ruleset.slug)
    context: dict[str, Any] = {
        "ruleset": ruleset, "systems": systems().values(), "opponent_form": form, "widget": form.side, "most": MOST,
        "made": with_figures(made), "rows": with_figures(page), "narrowed": bool(asked["find"] or asked["tag"]),
        "asked": asked, "next": more, "next_from": more and bytes(more.called).hex(),
        "tags": by_name(tags_of(user)), "act": act and Widget(act.offer()),
        "encounters": listed, "address": request.path,
        "names": [one.name for one in listed],
        "led": memberships(request).filter(role__in=GMS, party__ruleset=ruleset.slug).select_related(
            "party").order_by("-pk")[:MAX_PARTIES],
    }
    return render(request, "parties/library.html", context | sources(request, ruleset),
                  status=422 if form.is_invalid else 200)
