"""Responses to requests of a table's page, whole or as changed pieces, and the page's change token."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.messages import get_messages
from django.db.models import Count, QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django_htmx.http import reswap

from sheets.access import PageRequest, membership
from sheets.forms.addresses import at_place, within
from sheets.forms.inputs import Answers
from sheets.models import GMS, Event, Member
from sheets.models.compiled_queries import compiled
from sheets.press.settle import Settled
from sheets.rolls.widgets import widgets
from sheets.stage.actor import TargetPicker
from sheets.stage.asked import askable
from sheets.stage.press_form import settled
from sheets.stage.table import PartyTable
from sheets.stage.table_page import Happened, beside, head, of_what_was_settled

COUNTED = ("party__version", "party__pulse", "party__secret", Sum("party__sheets__version"), Count("party__sheets"),
           Count("party__sheets__deleted"))
"""The values that change with any news at a table: its events, and its sheets as they come, go and change."""
TOOLS = {"dice": "parties/table/_gm_rolls.html", "ask": "parties/asked/_ask.html"}
"""{part to unfold: its template} for what only GMs have, of which a page shows just the headings until then."""
KEYS = 100
"""Bytes of the keys of two sheets in an address, with their names."""


@dataclass(frozen=True)
class TableCounts:
    """The values of `COUNTED` at one moment; `presses` is the part of `pulse` that events describe completely."""

    presses: int
    version: int
    pulse: int
    secret: int
    sheets: tuple[int | None, ...]
    """The sum of their versions, their number, and the number of them in the trash."""

    def token(self, role: str) -> str:
        """Return the change token for a member of this role."""
        return _token(role, self.version, self.pulse, self.secret, *self.sheets)

    def told_until(self, later: "TableCounts", role: str) -> bool:
        """Return True if events and sheet versions describe all changes until `later` for a member of this role."""
        return (self.version, self.sheets[1:]) == (later.version, later.sheets[1:]) and (
            later.pulse - self.pulse == later.presses - self.presses) and (
            role not in GMS or self.secret == later.secret)


def token_of(request: HttpRequest, pk: UUID) -> str:
    """Return the change token of a table (Http404 for those who are not in its party)."""
    return change_token(request.user.pk, pk)


def seats_of(request: HttpRequest) -> dict[str, str]:
    """Return the actor and the target, {"_by": key, "_at": key}, as the form or the address names them."""
    return {name: request.POST.get(name) or request.GET.get(name, "") for name in ("_by", "_at")}


def table_url(request: HttpRequest, pk: UUID) -> str:
    """Return the address of the table, with who acts and whom that is aimed at."""
    return f"{reverse('table', args=[pk])}?{within({name: [key] for name, key in seats_of(request).items()}, KEYS)}"


def picker_of(request: HttpRequest, party_table: PartyTable, answers: Answers | None = None,
              which: str = "") -> TargetPicker:
    """Return the actor and the target as the form or the address names them."""
    seats = seats_of(request)
    return TargetPicker(party_table, seats["_by"], seats["_at"], answers, which)


def page_of(request: HttpRequest, now: str, party_table: PartyTable, answers: Answers | None = None, which: str = "", *,
            aimed: tuple[Answers | None, str] = (None, "")) -> dict:
    """Return the context of the whole page; `now` is its change token, read before the data.

    If the turn has passed on since the page was shown, the actor becomes the one who is on, with their last target.
    """
    picker = picker_of(request, party_table, *aimed)
    shown = request.POST.get("_turn") or request.GET.get("_turn")
    if shown and shown != party_table.turn and picker.on and picker.on != picker.by:
        picker.bring_on(picker.on)
    context = beside(party_table, picker, now, answers, which) | picker.shown()
    if party_table.me.gm:
        context |= tools_of(party_table, "dice" if which else request.GET.get("tools", ""), answers, which)
    return context


def tools_in(request: HttpRequest, now: str, party_table: PartyTable, named: str) -> dict[str, Any]:
    """Return the context of one of `TOOLS` alone, which a GM has unfolded."""
    picker = picker_of(request, party_table)
    return head(party_table, picker.query, now) | {"chips": picker.seats} | tools_of(party_table, named)


def tools_of(party_table: PartyTable, named: str, answers: Answers | None = None, which: str = "") -> dict[str, Any]:
    """Return the context of the unfolded one of `TOOLS`; {} for none."""
    if named == "dice":
        return {"throws": widgets(party_table.throws(), answers, which)}
    return {"askable": askable(party_table)} if named == "ask" else {}


def answered(request: PageRequest, pk: UUID, anchor: str, answers: Answers | None = None, which: str = "", *,
             event: Event | None = None) -> HttpResponse:
    """Return the table after a press; invalid answers are shown again in their form."""
    if not (request.htmx or answers):
        return redirect(at_place(table_url(request, pk), anchor))
    context = page_of(request, token_of(request, pk), PartyTable(membership(request, pk)),
                      aimed=(answers, which if answers else ""))
    if not request.htmx:
        return render(request, "parties/table.html", context, status=422)
    same = event and not event.act and request.POST.get("_rows", "") == context.get("rows", "")
    context |= {"pressed": True, "event": event, "whole": not same, "live_oob": True}
    return reswap(render(request, "parties/_table_refresh.html", context), "none")


def decided(request: PageRequest, pk: UUID, action: str, about: str) -> HttpResponse:
    """Return the table after a decision by a button: the changed pieces, or the whole page."""
    done = settled(request, pk, action, about)
    context = _decided(request, done) if request.htmx and (done.acts or done.lines) else None
    return pieces(request, context) if context else answered(request, pk, done.place)


def pieces(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Return the pieces that htmx swaps in; their forms need no token, for htmx sends the page's."""
    told = {"request": request, "messages": get_messages(request)}
    return reswap(HttpResponse(render_to_string("parties/table/_changed.html", context | told)), "none")


def _decided(request: HttpRequest, done: Settled) -> dict[str, Any] | None:
    token = token_after(done.me, request.POST.get("_since", ""), done.news)
    picker = picker_of(request, PartyTable(done.me))
    happened, post = Happened.of(done.acts, done.lines, done.news), request.POST
    return of_what_was_settled(picker, happened, token, dict(post.lists()), post.get("_rows", "")) if token else None


def counts_of(members: QuerySet[Member]) -> dict[int, tuple[str, TableCounts]]:
    """Return {key of their account: (role, counts)} of several members of one party."""
    found = members.values_list("user", "role", "party__presses", *COUNTED)
    return {user: (role, TableCounts(presses, version, pulse, secret, tuple(sheets)))
            for user, role, presses, version, pulse, secret, *sheets in found}


def change_token(user: int | None, party: UUID) -> str:
    """Return the change token of a table for a member (Http404 where there is none).

    It is asked for every few seconds by everybody at the table, and so is one cheap query.
    """
    return _token(*_counted(user, party))


def token_after(me: Member, token: str, news: int = 1) -> str:
    """Return the change token for a member after a press of theirs that told the party of news so many times.

    Return "" if the token before it was not `token`, because then others have done something too.
    """
    role, version, pulse, *more = found = _counted(me.user_id, me.party_id)
    return _token(*found) if _token(role, version, pulse - news, *more) == token else ""


def _counted(user: int | None, party: UUID) -> tuple[Any, ...]:
    """Return the role of a member with the counts of the table (Http404 if there is none)."""
    if not (found := _counts_of_member(user, party)):
        raise Http404
    return found[0]


@compiled
def _counts_of_member(user: Any, party: Any) -> QuerySet[Member, tuple]:
    return Member.objects.filter(user=user, party=party).values_list("role", *COUNTED)


def _token(role: str, version: int, pulse: int, secret: int, *sheets: int | None) -> str:
    # It tells that something is new, and not how often a sheet was changed that one does not read.
    counted = repr((role, version, pulse, secret if role in GMS else 0, *sheets))
    return salted_hmac("table", counted).hexdigest()[:20]
