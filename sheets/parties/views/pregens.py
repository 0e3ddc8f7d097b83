"""The page of ready-made characters: GMs offer their own or random ones, and the first member to want one takes it."""

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
    lay_out,
    lay_out_again,
    may_take,
    offered_sheets,
    pregen_card,
    random_documents,
    take_pregen,
    withdraw,
)
from sheets.parties.services import Full
from sheets.tags import keys_of

MAX_MADE = 20
"""The most characters that one request makes."""
MAX_OFFERED_AGAIN = 100
"""The most withdrawn copies that one request offers again."""
MAX_LISTED = 100
"""The most sheets that the form offers; the others are found by name."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def ready(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the offered characters; on POST take one as a member, or offer or withdraw some as a GM."""
    if request.method != "POST":
        return _pregens_page(request, membership(request, pk))
    action, which = pressed_about(request.POST, ("take", "generate", "lay-out", "withdraw", "again"))
    # Random characters are made before the party is locked, because making many takes a while.
    me = membership(request, pk, gm=action != "take")
    documents = _random_documents(request, me.party) if action == "generate" else []
    if documents is None:
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
                lay_out(me, documents)
                return redirect(_url_with_answers(request, pk))
            if action == "again":
                lay_out_again(me, keys_of(request.POST.getlist("gone")))
            elif action == "lay-out":
                _offer_own_sheets(request, me)
            else:
                gone = _withdraw(request, me.party, [which] if which else request.POST.getlist("_shown"))
                return redirect(f"{reverse('ready', args=[pk])}?{urlencode([('gone', str(one)) for one in gone])}")
        except (Full, OneEach) as error:
            messages.error(request, str(error))
    return redirect("ready", pk)


def _offer_own_sheets(request: HttpRequest, me: Member) -> None:
    """Offer copies of the user's ticked sheets; raise Http404 if one is not theirs."""
    keys = {key_or_404(text) for text in request.POST.getlist("sheet")}
    own = editable(request).filter(offered=False, ruleset=me.party.ruleset, pk__in=keys)
    if len(sheets := list(own.order_by("called", "pk"))) < len(keys):
        raise Http404
    if not sheets:
        messages.warning(request, _("No sheet is selected yet; tick at least one."))
    lay_out(me, [{"name": one.name, "data": one.data, "typed": one.typed, "concept": one.concept}
                 for one in sheets])


def _url_with_answers(request: HttpRequest, pk: UUID) -> str:
    """Return the address of the page with the posted number and concept in its form."""
    asked = {"count": request.POST.get("count", ""), "concept": request.POST.get("_concept", "")[:MAX_LISTED]}
    return f"{reverse('ready', args=[pk])}?{urlencode(asked)}"


def _withdraw(request: HttpRequest, party: Party, keys: list[str]) -> list[UUID]:
    """Withdraw the offered copies with these keys, all of them if there are no keys; return their keys."""
    sheets = offered_sheets(party)
    if keys:
        sheets = sheets.filter(pk__in=[key_or_404(one) for one in keys])
    if not sheets.exists():
        messages.warning(request, _("That one is gone: somebody has taken it, or it is no longer on offer."))
    gone = list(sheets.values_list("pk", flat=True))
    withdraw(sheets)
    return gone


def _random_documents(request: HttpRequest, party: Party) -> list[dict] | None:
    """Return documents of the requested random characters, or None if their number is invalid.

    If they cannot be made, add a message and return an empty list.
    """
    text = request.POST.get("count", "").strip()
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= MAX_MADE):
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
        fault = _("“{text}” is not a number of characters; you can create 1 to {most} at once.").format(
            text=count[:20], most=MAX_MADE)
    own = editable(request).filter(offered=False, opponent=False, archived=None, ruleset=ruleset.slug)
    query = asked_of_list(request, "q", "count", "concept")
    sought = query["q"]
    own = (own.filter(holding(sought)) if sought else own).only("name").order_by("called", "pk")
    listed = list(own[:MAX_LISTED + 1]) if me.gm else []
    return render(request, "parties/pregens.html", {
        "me": me, "party": me.party, "ruleset": ruleset, "may_take": may_take(me),
        "cards": [pregen_card(ruleset, one, house) for one in offered_sheets(me.party).order_by("called", "pk")],
        "own": listed[:MAX_LISTED], "beyond": len(listed) > MAX_LISTED, "sought": sought, "listed": MAX_LISTED,
        "count": (query["count"][:3] or "3") if count is None else count, "fault": fault, "most": MAX_MADE,
        "printed": [(title_of(one), reverse("party-pdf", args=[me.party_id, one, 1]))
                    for one in ("ready-sheet", "handed", "ready-pencil")],
        "chosen": request.POST.get("_concept", query["concept"]),
        "gone": keys_of(request.GET.getlist("gone"))[:MAX_OFFERED_AGAIN],
    }, status=422 if fault else 200)

