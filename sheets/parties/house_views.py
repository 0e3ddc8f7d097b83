"""The page on which GMs set the house rules: what a change does is shown before it is saved, and saved as shown."""

from collections import Counter

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from rulesets import systems
from rulesets.document import house_data
from sheets.access import membership
from sheets.forms.buttons import pressed
from sheets.forms.house_rules import HouseForm, house_differences
from sheets.models import Member
from sheets.notifications.services import notify
from sheets.parties.house_impact import HouseImpact, house_impacts, impact_digest, impact_in_words

TRIES = 3
"""Times that all sheets are checked because one changed before it was held; after that the effects are shown anew."""


@vary_on_headers("HX-Request")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def house(request: HttpRequest, pk) -> HttpResponse:
    """The house rules, for the GMs as a form; by POST what they would do, and with `do=save` they count.

    What is saved is what was shown: where anything else than the preview said would happen, it is shown anew.
    """
    if request.method != "POST":
        return _page(request, membership(request, pk), None)
    word = pressed(request.POST, ("preview", "save"), "preview")
    for _try in range(TRIES):
        me = membership(request, pk, gm=True)
        stale = request.POST.get("_version") != str(me.party.version)
        form = _form(me, request.POST)
        if form.house is None:
            return _page(request, me, form, stale=stale, status=422)
        # To check every sheet takes a while; nothing is held for that.
        sheets = list(_sheets(me))
        found = house_impacts(systems()[me.party.ruleset], sheets, _form(me).house, form.house)
        seen = impact_digest(form.house, found)
        if word == "preview" or stale or request.POST.get("_seen") != seen:
            break
        with transaction.atomic():
            me = membership(request, pk, gm=True, lock=True)
            # Held, so that no sheet changes between what is shown and what is saved.
            now = _sheets(me).select_for_update(of=("self",))
            if str(me.party.version) == request.POST.get("_version") and _read(now) == _read(sheets):
                _save(request, me, form, found)
                return redirect("party", pk)
    return _page(request, me, form, stale=stale, found=found, seen=seen, unsaved=word == "save",
                 status=409 if stale else 200)


def _sheets(me: Member):
    return me.party.sheets.filter(deleted=None).select_related("owner").order_by("name", "pk")


def _read(sheets) -> list[tuple]:
    """What of the sheets is checked and told."""
    return [(one.pk, one.owner_id, one.name, one.data, one.typed, one.house) for one in sheets]


def _form(me: Member, posted=None) -> HouseForm:
    ruleset = systems()[me.party.ruleset]
    return HouseForm(ruleset, ruleset.house.model_validate(me.party.house), posted)


def _save(request, me: Member, form: HouseForm, found: list[HouseImpact]) -> None:
    party = me.party
    party.house, party.version = house_data(form.house), party.version + 1
    party.save(update_fields=["house", "version"])
    # Thrown away sheets, too: they may be brought back.
    party.sheets.update(house=party.house)
    turned = Counter(one.sheet.owner_id for one in found if one.turned)
    others: dict[int, list] = {}
    for member in party.members.exclude(user=request.user).select_related("user"):
        others.setdefault(turned[member.user_id], []).append(member.user)
    for n, users in others.items():
        notify(users, "house", party, request.user, turned=n)
    messages.success(request, _("The house rules are saved.") + " " + impact_in_words(found))


def _page(request, me: Member, form: HouseForm | None, *, status: int = 200, **more) -> HttpResponse:
    ruleset = systems()[me.party.ruleset]
    now = ruleset.house.model_validate(me.party.house)
    context = {"me": me, "party": me.party, "ruleset": ruleset, "differences": house_differences(ruleset, now), **more}
    if me.gm:
        context["form"] = form = form or HouseForm(ruleset, now)
    if form and form.house is not None and "found" in more:
        context |= {"changes": house_differences(ruleset, form.house, now), "said": impact_in_words(more["found"])}
    if request.htmx:
        # htmx leaves what answers with an error as it is; the fragment says for itself what is wrong.
        return render(request, "parties/_house_impact.html", context)
    return render(request, "parties/house_rules.html", context, status=status)
