"""The page of a party's table, which polls every few seconds; GMs change counters and turn order, and roll for all."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets import systems
from rulesets.kit import HIGHEST
from rulesets.kit.row_marks import named
from rulesets.names import isolated
from sheets.access import PageRequest, key_or_404, membership
from sheets.buttons import no_such_button, pressed_about, row_key
from sheets.forms.addresses import with_fragment
from sheets.forms.inputs import Answers
from sheets.models import Event, Member
from sheets.models.event_kinds import Pressed
from sheets.models.store import store
from sheets.models.webhooks import EVENT, record_happening
from sheets.optimistic_lock import prepare_then_lock
from sheets.press.dice import Throw
from sheets.press.log import announce
from sheets.press.turns import TurnPress, go_first
from sheets.rolls.widgets import TARGET_PREFIX, Widget, answered_widget
from sheets.scenes.log import open_scene, record
from sheets.scenes.order import CLOCK
from sheets.signed_in import signed_in_user
from sheets.stage.actor import TargetPicker
from sheets.stage.after_put_back import stopped_at_table
from sheets.stage.answers import TOOLS, page_of, table_url, tools_in
from sheets.stage.party_gone import party_gone
from sheets.stage.press_form import press_key, tell_done, token_of
from sheets.stage.rounds import PreparedRound, StoredTable, act_for_all
from sheets.stage.table import PartyTable


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def table(request: PageRequest, pk: UUID) -> HttpResponse:
    """Show the table; answer 204 if `?since=` is its current change token. On POST do what its buttons say.

    `_by` and `_at` name the actor and the target; with `w` htmx asks for the odds of one roll only.
    """
    if request.method == "POST":
        return _do(request, pk)
    # The token is read before the data: a change in between is shown twice rather than never.
    try:
        now = token_of(request, pk)
    except Http404:
        return party_gone(request, pk)
    if request.GET.get("since") == now:
        return HttpResponse(status=204)
    me, looks = membership(request, pk), request.htmx and "since" in request.GET
    answers, which = dict(request.GET.lists()), named(request.GET.get("w", ""))[0]
    if request.htmx and not looks and (which or any(name.startswith(TARGET_PREFIX) for name in answers)):
        picker = TargetPicker.of(request, PartyTable(me), answers, which)
        return render(request, "play/_odds.html", picker.promised())
    if request.htmx and me.gm and (tools := request.GET.get("tools")) in TOOLS:
        return render(request, TOOLS[tools], tools_in(request, now, PartyTable(me), tools))
    context = page_of(request, now, PartyTable(me), aimed=(answers, which))
    if not request.htmx:
        return render(request, "parties/table.html", context)
    # All rows are redrawn if offers were added or removed; otherwise only their odds.
    same = looks and request.GET.get("_rows", "") == context.get("rows", "")
    return render(request, "parties/_table_refresh.html", context | {"whole": not same, "live_oob": not looks})


@dataclass(frozen=True)
class TableForm:
    """The posted form of a button of the table: its action, and a widget with its answers."""

    action: str
    about: str
    which: str
    answers: Answers
    post: QueryDict

    @classmethod
    def of(cls, post: QueryDict) -> "TableForm":
        """Return the form as it was posted (`BadRequest` for an unknown button)."""
        return cls(*pressed_about(post, DOING), named(post.get("w", ""))[0], dict(post.lists()), post)

    @property
    def key(self) -> uuid.UUID:
        """The key of a press (`BadRequest` without one)."""
        return press_key(self.post)


def _do(request: PageRequest, pk: UUID) -> HttpResponse:
    if stopped := stopped_at_table(request, pk):
        return stopped
    form = TableForm.of(request.POST)
    me, broken = _done(request, pk, form)
    if not (request.htmx or broken):
        # Browsers unfold a folded element if the fragment of the address is within it.
        anchor = f"up-{form.about.partition(':')[0]}" if form.action == "place" else "table-live"
        return redirect(with_fragment(table_url(request, pk), anchor))
    context = page_of(request, token_of(request, pk), PartyTable(me), form.answers, form.which)
    # htmx does not swap in error responses; the fragment itself shows what is wrong.
    template, status = ("parties/_table.html", 200) if request.htmx else ("parties/table.html", 422)
    return render(request, template, context, status=status)


def _done(request: HttpRequest, pk: UUID, form: TableForm) -> tuple[Member, bool | None]:
    """Do what was pressed, slow parts before the party is locked; return (member, True if the answers are invalid)."""
    if form.action == "round":
        read = partial(StoredTable.of, request, pk)
        prepare = partial(PreparedRound.of, which=form.which, answers=form.answers)
        return prepare_then_lock(read, partial(read, lock=True), prepare, partial(_round, request, form=form))
    ahead = [AHEAD[form.action](membership(request, pk, gm=True), form)] if form.action in AHEAD else []
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        return me, DOING[form.action](request, me, form, *ahead)


def _count(request: HttpRequest, me: Member, form: TableForm) -> None:
    """Change a counter by 1 or -1, starting from its current value even if others have changed it."""
    key, _colon, by = form.about.partition(":")
    party_table = PartyTable(me)
    slot = next((one.slot for one in party_table.counters if one.key == key), None)
    if slot is None or by not in ("1", "-1"):
        raise no_such_button()
    now, low, high = getattr(party_table.table, key), slot.low or 0, HIGHEST if slot.high is None else slot.high
    after = low if now is None and by == "1" else None if slot.nullable and now == low and by == "-1" else now
    if after == now and now is not None:
        after = now + int(by)
    if after is not None and not low <= after <= high:
        messages.warning(request, _("{counter} is {n}; it has to be from {low} to {high}.").format(
            counter=slot.ask.title, n=now, low=low, high=high))
        return
    me.party.table = {**me.party.table, key: after}
    announce(me.party, table=True, hidden=key in party_table.table.secret)


def _met(me: Member, _form: TableForm) -> PartyTable:
    """Return the table with its participants loaded."""
    party_table = PartyTable(me)
    _there = party_table.participants
    return party_table


def _reordered(request: HttpRequest, me: Member, form: TableForm, party_table: PartyTable) -> bool:
    """Return True, with a warning, if the order of turns differs from the one on the page."""
    party_table.put_in_order(me.party)
    other: bool = form.post.get("_order", now := party_table.order) != now
    if other:
        messages.warning(request, _("The order has changed in the meantime; check it, and press again."))
    return other


def _place(request: HttpRequest, me: Member, form: TableForm, party_table: PartyTable) -> None:
    """Move a sheet to a place in the order of turns, counted from 0; the others keep their order."""
    key, _colon, place = form.about.partition(":")
    if _reordered(request, me, form, party_table):
        return
    order = [one.sheet.pk for one in party_table.participants]
    if (moved := key_or_404(key)) not in order:
        raise Http404
    order.remove(moved)
    order.insert(row_key(place), moved)
    _set_order(me, [str(one) for one in order])


def _unordered(request: HttpRequest, me: Member, form: TableForm, party_table: PartyTable) -> None:
    """Remove the GM's own order of turns."""
    if _reordered(request, me, form, party_table):
        return
    _set_order(me, [])


def _free(_request: HttpRequest, me: Member, form: TableForm) -> None:
    """Turn the free order of turns on or off; once it is off, those go on who would have been next."""
    store(me.party.scene or open_scene(me.party, me.user, by_itself=True), free=form.about == "on")
    announce(me.party)


def _set_order(me: Member, order: list[str]) -> None:
    scene = me.party.scene or open_scene(me.party, me.user, by_itself=True)
    scene.order = order
    if scene.round:
        there = PartyTable(me)
        characters = {str(one.sheet.pk): one.character for one in there.participants if one.character}
        was = list(scene.on)
        go_first(TurnPress(me.party, scene, there.table, characters, me.user))
        if scene.on != was:
            scene.start_clock()
    scene.save(update_fields=["order", "on", *CLOCK])
    announce(me.party)


def _round(request: HttpRequest, held: StoredTable, ready: PreparedRound, *, form: TableForm) -> tuple[Member, bool]:
    """Roll or act for everybody at once, one event each, all in one transaction; a repeated post does nothing."""
    me, key, table = held.me, form.key, ready.stored.table
    if earlier := me.party.events.filter(key=key).first():
        tell_done(request, earlier)
        return me, False
    if ready.widget is None:
        messages.warning(request, _("That is no longer available; the sheets have changed in the meantime."))
        return me, False
    if ready.widget.complete is None:
        return me, True
    table.put_in_order(me.party)
    for name, why in act_for_all(table, ready.widget, ready.characters, key, signed_in_user(request), ready.ahead):
        messages.warning(request, f"{isolated(name)}: {why}")
    return me, False


def _roll_ahead(me: Member, form: TableForm) -> Widget | None:
    """Return a roll without a sheet, None if it is not offered."""
    return answered_widget(PartyTable(me).throws(), form.answers, form.which)


def _throw(request: HttpRequest, me: Member, form: TableForm, widget: Widget | None) -> bool:
    """Make a roll without a sheet, for everybody to see or for the GMs alone."""
    key, how = form.key, form.about
    if how not in ("open", "hidden"):
        raise no_such_button()
    if earlier := me.party.events.filter(key=key).first():
        tell_done(request, earlier)
        return False
    if widget is None:
        messages.warning(request, _("That is no longer available; the sheets have changed in the meantime."))
        return False
    if widget.complete is None:
        return True
    title, hidden = str(widget.offer.cls.title), how == "hidden"
    event = Event.of(Pressed(signed_in_user(request), key, widget.key, title, hidden=hidden), party=me.party,
                     scene=me.party.scene)
    Throw(opens=True).dice(event, systems()[me.party.ruleset], widget.complete)
    record(event)
    announce(me.party, hidden=event.hidden)
    return False


def _reveal(_request: HttpRequest, me: Member, form: TableForm) -> None:
    """Show a hidden roll to everybody."""
    if me.party.events.filter(pk=(event := row_key(form.about)), hidden=True).update(hidden=False):
        record_happening(me.party, EVENT, "roll.made", event=event)
        announce(me.party)


DOING: dict[str, Callable] = {
    "count": _count, "place": _place, "unordered": _unordered, "free": _free, "round": _round, "throw": _throw,
    "reveal": _reveal,
}
"""{action of a GM's button: function that returns True if an answer is invalid}."""
AHEAD: dict[str, Callable] = {"place": _met, "unordered": _met, "throw": _roll_ahead}
"""{action: its slow part}, which is done before anything is locked; its result is passed as the last argument."""
