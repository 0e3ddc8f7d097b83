"""A system's own dice: every roll of it without a sheet, for NPCs and the table."""

from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from rulesets import systems
from rulesets.dice import thrown
from rulesets.kit import Data
from sheets.forms.inputs import input_text, query
from sheets.rolls.followups import RollCard, followup_offers
from sheets.rolls.stored import roll_chart, roll_dice, roll_text
from sheets.rolls.widgets import Widget, widgets

SALT = "dicebox"


@require_http_methods(["GET", "HEAD", "POST"])
def dicebox(request: HttpRequest, slug: str) -> HttpResponse:
    """The page; a roll is made by POST and shown by its signed address, so that reload and back roll nothing.

    What odds are asked for stands in the address too; nothing else of the form does.
    """
    ruleset = systems().get(slug)
    if ruleset is None:
        raise Http404
    posted = request.method == "POST"
    form = request.POST if posted else request.GET
    answers, which = dict(form.lists()), form.get("w", "")
    if posted and form.get("do") == "odds":
        return redirect(f"{reverse('dicebox', args=[slug])}?{query(answers)}#w-{which}")
    found = widgets((roll.asking() for roll in ruleset.rolls.values()), answers, which)
    widget = next((one for one in found if one.key == which), None)
    if posted and widget and widget.made:
        outcome, tray = thrown(widget.made.throw)
        fell: Data | None = {"roll": widget.offer.cls.slug, "given": widget.made.model_dump(), "faces": tray.fallen,
                "outcome": outcome.value, "figures": dict(outcome.figures)}
        address = QueryDict(mutable=True)
        address.update({"w": which, "fell": signing.dumps(fell, salt=SALT, compress=True),
                      **{one.path: input_text(one.value) if one.addends else one.text for one in widget.inputs}})
        return redirect(f"{reverse('dicebox', args=[slug])}?{address.urlencode()}#w-{which}")
    fell = _fell(request.GET.get("fell", ""))
    text = roll_text(ruleset, fell["roll"], fell["given"], fell["outcome"], fell["figures"]) if fell else ""
    faces = roll_dice(ruleset, fell["roll"], fell["given"], fell["faces"]) if fell else []
    odds = roll_chart(ruleset, fell["roll"], fell["given"], fell["outcome"]) if fell else ()
    follows = [RollCard(Widget(offer)) for offer in followup_offers(
        ruleset, widget, fell["roll"], fell["given"], fell["outcome"], fell["figures"])] if fell and widget else []
    cards = [RollCard(one, fell, text, faces, odds, follows) if one is widget else RollCard(one) for one in found]
    return render(request, "rolls/dice_page.html", {"ruleset": ruleset, "rolls": cards}, status=422 if posted else 200)


def _fell(signed: str) -> Data | None:
    try:
        return signing.loads(signed, salt=SALT) if signed else None
    except signing.BadSignature:
        return None
