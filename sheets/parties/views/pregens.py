"""The page of ready-made characters: laid out by GMs, one by one or by the dice, and taken by whoever comes first."""

from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets import generate, systems
from sheets.access import editable, key_or_404, membership
from sheets.buttons import pressed_about
from sheets.models import Member, Party
from sheets.models.called import holding
from sheets.paging import asked_of_list
from sheets.parties.evening import title_of
from sheets.parties.pregens import (
    OneEach,
    laid_out,
    lay_out,
    lay_out_again,
    may_take,
    pregen_card,
    random_documents,
    take_pregen,
    withdraw,
)
from sheets.parties.services import Full
from sheets.tags import keys_of

AT_ONCE = 20
"""The most characters that one press makes."""
SHOWN = 100
"""The most withdrawn copies that one press lays out again."""
LISTED = 100
"""The most sheets among which one chooses at once; the page says so, and the others are found by name."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def ready(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the characters laid out; on POST a member takes one, or a GM lays some out or takes them back."""
    if request.method != "POST":
        return _pregens_page(request, membership(request, pk))
    action, which = pressed_about(request.POST, ("take", "generate", "lay-out", "withdraw", "again"))
    # The dice are thrown before the party is held: making many takes a while, and nobody is to wait for it.
    me = membership(request, pk, gm=action != "take")
    made = _made(request, me.party) if action == "generate" else []
    if made is None:
        return _pregens_page(request, me, request.POST.get("count", ""))
    with transaction.atomic():
        me = membership(request, pk, gm=action != "take", lock=True)
        try:
            if action == "take":
                if sheet := take_pregen(me, key_or_404(which)):
                    return redirect("sheet", sheet.pk)
                messages.warning(request, _("That one is gone: somebody else was quicker. Choose another."))
                return redirect("ready", pk)
            if action == "generate":
                lay_out(me, made)
                return redirect(_asked_again(request, pk))
            if action == "again":
                lay_out_again(me, keys_of(request.POST.getlist("gone")))
            elif action == "lay-out":
                _lay_out_own(request, me)
            else:
                gone = _withdraw(request, me.party, [which] if which else request.POST.getlist("_shown"))
                return redirect(f"{reverse('ready', args=[pk])}?{urlencode([('gone', str(one)) for one in gone])}")
        except (Full, OneEach) as error:
            messages.error(request, str(error))
    return redirect("ready", pk)


def _lay_out_own(request: HttpRequest, me: Member) -> None:
    """Lay out copies of the sheets of one's own that are ticked (Http404 for any other)."""
    keys = {key_or_404(text) for text in request.POST.getlist("sheet")}
    own = editable(request).filter(offered=False, ruleset=me.party.ruleset, pk__in=keys)
    if len(found := list(own.order_by("called", "pk"))) < len(keys):
        raise Http404
    if not found:
        messages.warning(request, _("No sheet is chosen yet; tick at least one."))
    lay_out(me, [{"name": one.name, "data": one.data, "typed": one.typed, "concept": one.concept}
                 for one in found])


def _asked_again(request: HttpRequest, pk: UUID) -> str:
    """Return the address of the page that still has the number and the concept that were asked for."""
    asked = {"count": request.POST.get("count", ""), "concept": request.POST.get("_concept", "")[:LISTED]}
    return f"{reverse('ready', args=[pk])}?{urlencode(asked)}"


def _withdraw(request: HttpRequest, party: Party, keys: list[str]) -> list[UUID]:
    """Take back the copies of these keys, all if a form states none, not what was laid out since; return their keys."""
    found = laid_out(party)
    if keys:
        found = found.filter(pk__in=[key_or_404(one) for one in keys])
    if not found.exists():
        messages.warning(request, _("That one is gone: somebody has taken or withdrawn it meanwhile."))
    gone = list(found.values_list("pk", flat=True))
    withdraw(found)
    return gone


def _made(request: HttpRequest, party: Party) -> list[dict] | None:
    """Return the random characters that are asked for, by the party's house rules; None if the number is not valid."""
    text = request.POST.get("count", "").strip()
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= AT_ONCE):
        return None
    try:
        return random_documents(party, int(text), request.POST.get("_concept", ""))
    except generate.Stuck as error:
        messages.error(request, str(error))
        return []


def _pregens_page(request: HttpRequest, me: Member, count: str | None = None) -> HttpResponse:
    ruleset = systems()[me.party.ruleset]
    house = ruleset.house.model_validate(me.party.house)
    fault = ""
    if count is not None:
        fault = _("“{text}” is no number of characters; 1 to {most} are made at once.").format(
            text=count[:20], most=AT_ONCE)
    own = editable(request).filter(offered=False, opponent=False, archived=None, ruleset=ruleset.slug)
    asked = asked_of_list(request, "q", "count", "concept")
    sought = asked["q"]
    own = (own.filter(holding(sought)) if sought else own).only("name").order_by("called", "pk")
    found = list(own[:LISTED + 1]) if me.gm else []
    return render(request, "parties/pregens.html", {
        "me": me, "party": me.party, "ruleset": ruleset, "may_take": may_take(me),
        "cards": [pregen_card(ruleset, one, house) for one in laid_out(me.party).order_by("called", "pk")],
        "own": found[:LISTED], "beyond": len(found) > LISTED, "sought": sought, "listed": LISTED,
        "count": (asked["count"][:3] or "3") if count is None else count, "fault": fault, "most": AT_ONCE,
        "printed": [(title_of(one), reverse("party-pdf", args=[me.party_id, one, 1]))
                    for one in ("ready-sheet", "handed", "ready-pencil")],
        "chosen": request.POST.get("_concept", asked["concept"]), "gone": keys_of(request.GET.getlist("gone"))[:SHOWN],
    }, status=422 if fault else 200)

