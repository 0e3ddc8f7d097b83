"""What is pressed while one plays at the party's table: rolls and acts aimed at somebody, and what has landed."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_htmx.http import reswap
from pydantic import ValidationError

from rulesets.kit import Refused
from rulesets.kit.row_marks import named
from sheets.access import (
    at_table,
    hold_target,
    is_own,
    key_or_404,
    membership,
    played_by,
    readable,
    seats,
)
from sheets.character import Character
from sheets.forms.addresses import at_place, query
from sheets.forms.buttons import no_such_button, pressed_about, row_key
from sheets.models import Event, Member, Sheet
from sheets.optimistic_lock import prepare_then_lock
from sheets.press.aiming import Aim, may_reach_further, reach_further
from sheets.press.effects import apply_at_once, pass_on
from sheets.press.log import announce
from sheets.press.perform import PreparedPress, hold_to_press, prepare_press, press
from sheets.press.told import tell_challenged, tell_owner
from sheets.press.turns import begin_turns, end_turns, hold_turn, next_turn
from sheets.secrets import hiding, refusal
from sheets.stage.acting import Acting
from sheets.stage.answers import answered, seats_of, table_url
from sheets.stage.change_tokens import token_after
from sheets.stage.press_form import PressForm
from sheets.stage.settle import SETTLING, take_back
from sheets.stage.table import PartyTable
from sheets.stage.table_page import around, of_a_roll
from sheets.stage.table_pieces import what_changed
from sheets.status.reviews import ReviewStatus, review_statuses


@dataclass(frozen=True)
class Seats:
    """Who acts at a member's table, and whom that is aimed at; the address says both."""

    me: Member
    by: Sheet
    at: Sheet | None

    @classmethod
    def of(cls, request: HttpRequest, pk, *, lock: bool = False) -> "Seats":
        """As they are now, or held until the transaction ends: the party first, then the sheets in one order."""
        me, named = membership(request, pk, lock=lock), seats_of(request)
        at = key_or_404(named["_at"]) if named["_at"] else None
        return cls(me, *seats(me, key_or_404(named["_by"]), at, lock=lock))

    def statuses(self, known: Mapping[uuid.UUID, ReviewStatus] = MappingProxyType({})) -> dict[uuid.UUID, ReviewStatus]:
        """How both stand before the GMs, {key of the sheet: status}; `known` is how they stood before."""
        return review_statuses([one for one in (self.by, self.at) if one], known)

    def aim(self, taken: Mapping[uuid.UUID, ReviewStatus]) -> Aim | None:
        """Whom it is aimed at, as that stands before the GMs."""
        if self.at is None:
            return None
        return Aim(Character(self.at, taken[self.at.pk]))

    def acting(self, character: Character, aim: Aim | None) -> Acting:
        """Who acts, as the table shows it to the member."""
        table = PartyTable(self.me, Sheet.objects.none())
        at = table.seat(self.at, aim.character) if self.at and aim else None
        return Acting(table.seat(self.by, character), character, at, aim)


@dataclass(frozen=True)
class PreparedAim:
    """A press that is got ready before anything is held, by whom and with whom it is aimed at."""

    me: Member
    press: PreparedPress
    aim: Aim | None

    def fits(self, seats: Seats) -> bool:
        """Whether both stand as they were when this was got ready."""
        read = [self.press.character, *([self.aim.character] if self.aim else ())]
        taken = seats.statuses({one.sheet.pk: one.review_status for one in read})
        if seats.at and not (self.aim and self.aim.character.still(seats.at, taken[seats.at.pk])):
            return False
        return self.press.fits(seats.by, taken[seats.by.pk])

    def hold(self) -> bool:
        """Holds both as they were read, with their party; what makes no sense is not played, and nothing is held."""
        if not hold_to_press(self.press):
            return False
        if not (self.press.widget and self.press.widget.made):
            return True
        # A member's own sheet leaves the party with its owner; whoever acts for another has to be a GM still.
        sheet = self.press.character.sheet
        if sheet.owner_id != self.me.user_id and not Member.objects.filter(pk=self.me.pk, role=self.me.role).exists():
            return False
        if self.aim is None:
            return True
        was = self.aim.character.sheet
        # Who aims at itself has been held just now.
        return was.pk == sheet.pk or hold_target(was)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def play(request: HttpRequest, pk) -> HttpResponse:
    """A press at the table; whoever asks for its address anew is led to the table."""
    if request.method != "POST":
        membership(request, pk)
        return redirect(table_url(request, pk))
    word = request.POST.get("do", "")
    if word == "odds":
        which, _row = named(request.POST.get("w", ""))
        return redirect(at_place(f"{table_url(request, pk)}&{query(dict(request.POST.lists()))}", f"w-{which}"))
    if word:
        word, about = pressed_about(request.POST, {**DOING, **SETTLING})
        return DOING[word](request, pk, about) if word in DOING else answered(
            request, pk, SETTLING[word](request, pk, about))
    if request.POST.get("w") == "undo":
        return answered(request, pk, take_back(request, pk, request.POST.get("_event", "")))
    return _press(request, pk)


def _press(request, pk) -> HttpResponse:
    form = PressForm.of(request.POST)
    read = partial(Seats.of, request, pk)
    try:
        done = prepare_then_lock(read, partial(read, lock=True), partial(_prepare, form=form),
                                 partial(_pressed, form=form, who=request.user), hold=PreparedAim.hold)
    except (Refused, IntegrityError) as fault:
        now = read()
        if form.told_as_done(request, now.by):
            return answered(request, pk, f"w-{form.which}")
        if not isinstance(fault, Refused):
            raise
        messages.error(request, refusal(now.by.system, fault, others=not is_own(now.me, now.by)))
        return answered(request, pk, "messages")
    if done.event and request.htmx:
        return _shown(request, done, form)
    offered = done.ready.press.widget is not None
    if not (done.event or form.told_as_done(request, done.seats.by) or offered):
        messages.warning(request, _("That is no longer offered; the sheet has changed in the meantime."))
    return answered(request, pk, "tray", form.answers if offered and not done.event else None, form.which)


def _shown(request, done: "PressedAim", form: PressForm) -> HttpResponse:
    """What the press has changed of who acts; a GM who acts for another is not shown what is that one's secret."""
    me, event, post = done.seats.me, done.event, request.POST
    # Where others have done something that the page does not show yet, and where it came to more than one thing, it is
    # shown all of it; else what of it is otherwise.
    word = "" if done.moved or form.asked else token_after(me, post.get("_since", ""))
    if not word:
        return answered(request, me.party_id, "tray", event=event)
    now = done.now(request)
    was = Acting(now.by, done.ready.press.character, now.at, done.ready.aim)
    said = what_changed(was, now, event, form.answers, post.get("_rows", "") if is_own(me, done.seats.by) else "")
    # An act may change whose turn comes when, what waits and what all may do.
    said |= around(PartyTable(membership(request, me.party_id), readable(request)), now, word) if event.act else (
        of_a_roll(me, now, event, word, listed=bool(post.get("_landed"))))
    return reswap(HttpResponse(render_to_string("parties/table/_press_answer.html", said | {
        "request": request, "event": event, "participant": now.by, "acting": now, "sheet": now.character.sheet,
        "plays": True})), "none")


def _prepare(seats: Seats, form: PressForm) -> PreparedAim:
    try:
        taken = seats.statuses()
        aim = seats.aim(taken)
        return PreparedAim(seats.me, prepare_press(
            seats.by, form.answers, form.which, aim, taken[seats.by.pk], form.row), aim)
    except ValidationError:
        raise Refused(_("The rules cannot read this sheet any more.")) from None


@dataclass(frozen=True)
class PressedAim:
    """What became of a press at the table: its event, None where nothing did."""

    seats: Seats
    ready: PreparedAim
    event: Event | None = None
    applied: bool = False
    """Whether what it brought was done at once, to oneself or another."""

    @property
    def moved(self) -> bool:
        """Whether more has changed than the state of play of who acts."""
        return self.applied or bool(self.event and (self.event.again_id or self.event.before_data is not None))

    def now(self, request) -> Acting:
        """Who acts, as the table shows them after it."""
        seats, aim, character = self.seats, self.ready.aim, self.ready.press.character
        status, own = character.review_status, is_own(seats.me, seats.by)
        if self.moved:
            seats = Seats.of(request, seats.me.party_id)
            taken = seats.statuses()
            status, aim = taken[seats.by.pk], seats.aim(taken)
        elif own and self.event and not self.event.act:
            return seats.acting(character, aim)
        elif seats.at and seats.at.pk == seats.by.pk:
            aim = Aim(Character(seats.by, status))
        return seats.acting(Character(seats.by, status, others=not own), aim)


def _pressed(seats: Seats, ready: PreparedAim, *, form: PressForm, who) -> PressedAim:
    character, widget, aim = ready.press.character, ready.press.widget, ready.aim
    character.sheet = seats.by
    if aim and seats.at:
        aim.character.sheet = seats.at
    if not (widget and widget.made):
        if hiding(character.ruleset) and not is_own(seats.me, seats.by):
            # Whether it is offered, and with which answers, may tell of what is secret.
            raise Refused(_("That cannot be done now."))
        return PressedAim(seats, ready)
    event = press(character, widget, form.key, who=who, fallen=ready.press.fallen, called=ready.press.titles, aim=aim)
    tell_owner(seats.me, seats.by, event)
    if type(widget.made) in character.ruleset.crossing.lands:
        tell_challenged(seats.me, seats.by, event)
    passed = pass_on(character, event, widget, who)
    return PressedAim(seats, ready, event, apply_at_once(seats.me.party, event, who) or passed)


def _turn(request, pk, about: str) -> HttpResponse:
    """A GM begins and ends a fight; who has the turn ends it or holds it back, as a GM does."""
    if about not in TURNS:
        raise no_such_button()
    # Who is there takes a while to read, and is read before the party is held.
    before = membership(request, pk)
    table = PartyTable(before, at_table(before, Sheet.objects.all()))
    _there = table.participants
    with transaction.atomic():
        me = membership(request, pk, lock=True)
        party = me.party
        goes_on = about in ("next", "hold")
        mine = bool(party.turn) and played_by(me).filter(pk=party.turn).exists()
        if goes_on and request.POST.get("_turn", now := f"{party.round}.{party.turn}") != now:
            # Both who has the turn and a GM may end it: it is the one that they saw, and no other.
            messages.warning(request, _("That is settled already."))
        elif me.gm or (mine and goes_on):
            table.hold(party)
            TURNS[about](party, [one.sheet for one in table.participants], table.to_come)
        else:
            raise Http404
    return answered(request, pk, "table-live")


def _trust(request, pk, about: str) -> HttpResponse:
    """A GM says whether what lands is applied at once."""
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        me.party.trust = about == "on"
        me.party.save(update_fields=["trust"])
        announce(me.party)
    return answered(request, pk, "table-live")


def _also(request, pk, about: str) -> HttpResponse:
    """The dice that fell meet one more, whom one aims at now."""
    with transaction.atomic():
        seats_ = Seats.of(request, pk, lock=True)
        event = get_object_or_404(seats_.by.events, pk=row_key(about), party=pk)
        ruleset = seats_.by.system
        newest = event == seats_.by.events.order_by("-pk").first()
        if barred := Character(seats_.by).barred:
            messages.error(request, barred)
        elif seats_.at and newest and may_reach_further(ruleset, event, seats_.at):
            if not is_own(seats_.me, seats_.by):
                # Whom a GM aims at may be nobody that whoever rolled knows of.
                event.who = request.user
            reach_further(event, Aim(Character(seats_.at)))
            announce(seats_.me.party)
            apply_at_once(seats_.me.party, event, request.user)
        else:
            messages.warning(request, _("These dice do not meet anybody else."))
    return answered(request, pk, "log")


TURNS: dict[str, Callable] = {"begin": begin_turns, "next": next_turn, "hold": hold_turn, "end": end_turns}
DOING: dict[str, Callable[..., HttpResponse]] = {"also": _also, "turn": _turn, "trust": _trust}
"""What else is done at the table, by the words of the buttons."""
