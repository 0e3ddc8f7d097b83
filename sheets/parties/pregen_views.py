"""The page of ready-made characters: laid out by GMs, one by one or by the dice, and taken by whoever comes first."""

from random import Random

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets import generate, systems
from rulesets.work import WORK, budget
from sheets.access import editable, key_or_404, membership
from sheets.forms.buttons import pressed_about
from sheets.models import Member, Party
from sheets.parties.pregens import SHARES, laid_out, lay_out, take_pregen, withdraw
from sheets.parties.services import Full
from sheets.status.sheet_check import check_sheet

AT_ONCE = 20
"""Characters that one press makes at most."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def ready(request: HttpRequest, pk) -> HttpResponse:
    """What is laid out; by POST a character is taken, or a GM lays some out or takes them back."""
    if request.method != "POST":
        return _pregens_page(request, membership(request, pk))
    word, which = pressed_about(request.POST, ("take", "generate", "lay-out", "withdraw"))
    # The dice are thrown before the party is held: making many takes a while, and nobody is to wait for it.
    me = membership(request, pk, gm=word != "take")
    made = _made(request, me.party) if word == "generate" else []
    if made is None:
        return _pregens_page(request, me, request.POST.get("count", ""))
    with transaction.atomic():
        me = membership(request, pk, gm=word != "take", lock=True)
        try:
            if word == "take":
                if sheet := take_pregen(me, key_or_404(which)):
                    return redirect("sheet", sheet.pk)
                messages.warning(request, _("That one is gone: somebody else was quicker. Take another."))
                return redirect("ready", pk)
            if word == "generate":
                lay_out(me, made)
            elif word == "lay-out":
                own = editable(request).filter(offered=False, ruleset=me.party.ruleset)
                sheet = get_object_or_404(own, pk=key_or_404(request.POST.get("sheet", "")))
                lay_out(me, [{"name": sheet.name, "data": sheet.data, "typed": sheet.typed, "concept": sheet.concept}])
            else:
                withdraw(laid_out(me.party).filter(pk=key_or_404(which)) if which else laid_out(me.party))
        except Full as error:
            messages.error(request, str(error))
    return redirect("ready", pk)


def _made(request, party: Party) -> list[dict] | None:
    """The random characters that are asked for, by the party's house rules; None where the number is none."""
    text = request.POST.get("count", "").strip()
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= AT_ONCE):
        return None
    ruleset, rng = systems()[party.ruleset], Random()  # noqa: S311 - characters, not secrets
    house = ruleset.house.model_validate(party.house)
    try:
        with budget(SHARES * WORK):
            return _characters(ruleset, rng, house, int(text), request.POST.get("_concept", ""), party)
    except generate.Stuck as error:
        messages.error(request, str(error))
        return []


def _characters(ruleset, rng: Random, house, number: int, concept: str, party: Party) -> list[dict]:
    """So many documents with what they were made from, no two of one name, nor of one that the party knows."""
    taken, found = set(party.sheets.values_list("name", flat=True)), []
    for _number in range(number):
        made = generate.character(ruleset, rng, house, concept, taken)
        taken.add(made.document["name"])
        found.append({**made.document, "concept": made.concept})
    return found


def _pregens_page(request, me: Member, count: str | None = None) -> HttpResponse:
    ruleset = systems()[me.party.ruleset]
    house = ruleset.house.model_validate(me.party.house)
    fault = ""
    if count is not None:
        fault = _("“{text}” is no number of characters; 1 to {most} are made at once.").format(
            text=count[:20], most=AT_ONCE)
    own = editable(request).filter(offered=False, ruleset=ruleset.slug).only("name").order_by("name", "pk")[:100]
    return render(request, "parties/pregens.html", {
        "me": me, "party": me.party, "ruleset": ruleset, "rows": [check_sheet(ruleset, one, house)
                                                     for one in laid_out(me.party).order_by("name", "pk")],
        "own": own if me.gm else (), "count": "3" if count is None else count, "fault": fault, "most": AT_ONCE,
        "chosen": request.POST.get("_concept", ""),
    }, status=422 if fault else 200)

