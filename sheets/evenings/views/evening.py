"""The page of a party's next evening: planned by GMs, answered by everybody."""

from datetime import UTC, datetime
from uuid import UUID

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from rulesets import systems
from sheets.access import membership
from sheets.buttons import no_such_button, pressed_about, row_key
from sheets.evenings import ics, services
from sheets.evenings.dates import MOST, UnusablePlan, date_of, dates_of
from sheets.evenings.queries import RHYTHMS, ShownEvening, shown_evenings
from sheets.forms.seen import overtaken
from sheets.models import Evening, Member
from sheets.models.evenings import ANSWERS, REPEATS
from sheets.signed_in import signed_in_user
from sheets.zones import zone_of

GMS_DO = ("plan", "fix", "move", "skip", "cancel")
"""The actions that only GMs may perform."""
WEEKS = [str(one) for one in REPEATS]
BACK = ("home", "party")
"""The names of the pages, besides this one, on which one may answer."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def evening(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the next evening of a party to a member; on POST perform the button's action."""
    if request.method != "POST":
        return _page(request, membership(request, pk))
    action, about = pressed_about(request.POST, (*ANSWERS, *GMS_DO))
    fault, status = "", 422
    with transaction.atomic():
        me = membership(request, pk, gm=action in GMS_DO, lock=True)
        found = services.current_evening(me.party)
        try:
            _perform(request.POST, me, found, action, about)
        except UnusablePlan as error:
            fault = str(error)
        except services.Changed:
            fault, status = _("This has changed in the meantime; nothing has been saved."), 409
    # The page is drawn after the transaction, so that the party is not locked meanwhile.
    if fault:
        return _page(request, me, fault=fault, status=status)
    back = request.POST.get("back", "")
    return redirect(reverse(back, args=[pk] if back == "party" else []) if back in BACK else request.path)


def _seen(found: Evening | None) -> str:
    """Return the token of the state that a GM's form was made from."""
    return f"{found.pk} {found.version}" if found else ""


def _page(request: HttpRequest, me: Member, *, fault: str = "", status: int = 200) -> HttpResponse:
    zone = zone_of(signed_in_user(request))
    shown = shown_evenings(request.user, [me], zone).get(me.party_id)
    sent = request.POST if fault else None
    dates = sent.getlist("date") if sent else []
    return render(request, "evenings/evening.html", {
        "me": me, "party": me.party, "ruleset": systems()[me.party.ruleset], "shown": shown, "zone": zone,
        "silent": _silent(me, shown) if shown else (),
        "seen": _seen(shown.evening if shown else None), "fault": fault,
        "rows": [*dates[:MOST], *[""] * (MOST - len(dates))], "rhythms": RHYTHMS.items(),
        "weeks": sent.get("weeks", "0") if sent else "0",
        "note": sent.get("note", "") if sent else shown.evening.note if shown else "",
    }, status=status)


def _silent(me: Member, shown: ShownEvening) -> list[str]:
    """Return the names of the members who have answered none of the dates."""
    answered = {one.member_id for date in shown.dates for one in date.answers}
    others = me.party.members.exclude(pk__in=answered).order_by("joined", "pk")
    return list(others.values_list("user__username", flat=True))


def _perform(post: QueryDict, me: Member, found: Evening | None, action: str, about: str) -> None:
    """Perform a button's action; raise `Changed` if its evening or date no longer exists."""
    if action in GMS_DO and overtaken(post, _seen(found)):
        raise services.Changed
    if action == "plan":
        zone, weeks = zone_of(me.user_id), post.get("weeks", "0")
        services.plan(me, dates_of(post.getlist("date"), zone), zone, int(weeks) if weeks in WEEKS else -1,
                      post.get("note", ""))
    elif found is None:
        raise services.Changed
    elif action == "fix":
        services.fix(me, found, _start(about))
    elif action == "move":
        zone = zone_of(me.user_id)
        services.move(me, found, date_of(post.get("date", ""), zone), zone, post.get("note", ""))
    elif action == "skip":
        services.skip(me, found)
    elif action == "cancel":
        services.cancel(me, found)
    else:
        services.answer(me, found, _start(about), action)


def _start(about: str) -> datetime:
    """Return the date that a button names; raise `BadRequest` if it names none."""
    try:
        return datetime.fromtimestamp(row_key(about), UTC)
    except (ValueError, OverflowError, OSError):
        raise no_such_button() from None


@require_safe
@never_cache
def evening_file(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Return the next evening of a party for a calendar (Http404 without a date)."""
    me = membership(request, pk)
    if not (found := ics.in_calendars(party=me.party_id)):
        raise Http404
    answer = ics.calendar_answer(request, found)
    answer["Content-Disposition"] = 'attachment; filename="evening.ics"'
    return answer
