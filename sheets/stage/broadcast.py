"""The pieces of a table's page that presses have changed, drawn only once for each audience and language.

An audience is the set of members who may see the same of what happened. Pieces depend on nothing else about the reader;
the page itself adds its actor and target.
"""

import json
from collections import deque
from collections.abc import Iterator, Mapping, Set
from typing import Any
from uuid import UUID, uuid4

from django.db.models import F, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import override

from sheets.access import at_table, sees_at_table
from sheets.character import Character
from sheets.models import Event, Member, Party, PendingEffect, Revision, Scene, Sheet
from sheets.models.compiled_queries import compiled, read_row
from sheets.models.reviews import APPROVED, RECALLED, RETURNED, SUBMITTED, WITHDRAWN
from sheets.press.log import last_acts
from sheets.press.pending import MOST, OpenEffect, effect_widget, name_sources, with_guards
from sheets.rolls.open_results import EFFECT_MARK
from sheets.stage.moment import REVIEWS, Moment, counts_of
from sheets.stage.participants import Participant
from sheets.stage.seats import seats
from sheets.stage.table import PartyTable
from sheets.stage.table_log import LOG, NAMED
from sheets.stage.table_page import place_changed
from sheets.status.reviews import approved_among, review_statuses

MAX_STEPS = 8
"""The number of steps stored for pages that have missed some."""
TRIES = 3
"""The number of attempts to read a table without a change meanwhile."""
LARGEST = 64 * 1024
"""The most characters of pieces stored for one table."""


class Step:
    """The changes at a table between two moments."""

    def __init__(self, was: Moment, now: Moment) -> None:
        self.party, self.since, self.until = now.party, was.counts, now.counts
        self.recent: list[Event] | None = now.recent
        newest = max(was.undone, default=0)
        self.new = {pk for pk in now.undone if pk > newest}
        acts = [one for one in now.recent if one.pk in self.new or one.undone != was.undone.get(one.pk)]
        self.acts = [one for one in acts if one.act]
        saved = {pk for pk, found in now.sheets.items() if was.sheets.get(pk) != found}
        # The page does not show the draft of an approved sheet; but an act may change the approved revision.
        drafts = {pk for pk in saved if pk in was.sheets and was.sheets[pk][2] == now.sheets[pk][2]}
        drafts -= {one.sheet_id for one in self.acts}
        self.written = saved - (approved_among(drafts, now.party.pk) if drafts else set())
        last = max(was.reviews, default=0)
        reviews = [one for number, one in now.reviews.items() if number > last]
        self.decided = {sheet for sheet, kind in reviews if kind in {APPROVED, WITHDRAWN}}
        self.secret = [sheet for sheet, kind in reviews if kind in {SUBMITTED, RECALLED, RETURNED}]
        """The keys of the sheets of the reviews that only GMs hear of."""
        self.touched = {one.sheet_id for one in self.acts} | self.written | self.decided
        """The keys of the sheets whose state of play, data or approval has changed."""
        others = bool(self.decided and _renamed(self.decided)) or any(
            pk not in was.sheets or was.sheets[pk][1:] != now.sheets[pk][1:] for pk in self.written)
        guards = {one.sheet_id for one in acts if EFFECT_MARK in one.widget}
        self.arrived = {pk for pk, (sheet, _source) in now.waiting.items() if pk not in was.waiting or sheet in guards}
        self.gone = {pk: one for pk, one in was.waiting.items() if pk not in now.waiting or pk in self.arrived}
        otherwise = {pk for pk, state in now.states.items() if was.states.get(pk) != state}
        changed = PendingEffect.objects.filter(pk__in=otherwise) if otherwise else PendingEffect.objects.none()
        settled = set(changed.values_list("event", flat=True))
        sources = {now.sources[one.pk] for one in acts if one.pk in now.sources}
        self.lines = settled | sources | {one.pk for one in acts} | last_acts(now.recent, self.touched)
        # An undone act that was shown in the line of its source gets a line of its own.
        apart = any(one.undone and (one.pk in self.new or one.pk in was.sources) for one in acts)
        self.fits = len(self.new) < LOG and len(now.waiting) < MOST and len(reviews) < REVIEWS and not (
            apart or others) and bool(acts or settled or self.gone or saved or reviews)
        self.drawn: dict[tuple[Any, ...], str] = {}

    @property
    def size(self) -> int:
        """The number of characters of its pieces."""
        return sum(map(len, self.drawn.values()))

    @cached_property
    def events(self) -> list[Event]:
        """The events whose lines are new or changed."""
        found = _whole_events(self.party.pk, self.lines)
        for one in found:
            one.party = self.party
        return found

    @cached_property
    def pending_effects(self) -> list[PendingEffect]:
        """The pending effects that are new or shown differently."""
        found = PendingEffect.objects.filter(pk__in=self.arrived).select_related("event__sheet__party").order_by("pk")
        return list(found) if self.arrived else []

    @cached_property
    def sheets(self) -> dict[UUID, Sheet]:
        """{key: sheet} of the sheets at the table that the changes are about."""
        about = self.touched.union(*self.gone.values(), (one.sheet_id for one in self.pending_effects))
        for event in self.events:
            about |= {event.sheet_id, *map(UUID, event.aimed_at)}
            about |= {one.sheet_id for one in event.pending_effects.all()}
        for sheet in (sheets := _there(self.party.pk, {one for one in about if one})):
            sheet.party = self.party
        return {one.pk: one for one in sheets}

    @cached_property
    def statuses(self) -> Mapping[Any, Any]:
        """{key of a sheet: its review status}."""
        return review_statuses(list(self.sheets.values()))

    @cached_property
    def scene(self) -> Scene:
        """The open scene, or an unsaved one."""
        return self.party.scene or Scene(party=self.party)

    @cached_property
    def several(self) -> bool:
        """True if more than one scene is open."""
        return len(self.party.open_scenes) > 1

    @cached_property
    def actors(self) -> set[int | None]:
        """The keys of the users who own a sheet at the table."""
        return set(_owners(self.party.pk))

    @cached_property
    def roster(self) -> list[Sheet]:
        """Copies of `sheets` with only the fields that decide who may see them."""
        return [Sheet(pk=one.pk, owner_id=one.owner_id, opponent=one.opponent, seen_by=one.seen_by,
                      at_table=one.at_table)
                for one in self.sheets.values()]

    @cached_property
    def aimed(self) -> list[tuple[int, int | None]]:
        """[(key of an event, key of its user)] of the events with targets."""
        return [(one.pk, one.who_id) for one in self.events if one.aimed_at]

    def pieces(self, me: Member, language: str) -> str:
        """Return the changes for a member, in JSON; "" if the whole page is needed."""
        if self.several:
            # Each page shows one of the scenes, and must request that itself.
            return ""
        seated = [one for one in self.roster if sees_at_table(me, one)]
        audience = (language, me.gm, me.user_id in self.actors, *sorted(
            (str(one.pk), one.owner_id == me.user_id) for one in seated), *(
            pk for pk, who in self.aimed if who == me.user_id))
        if audience not in self.drawn:
            with override(language):
                self.drawn[audience] = self._draw(me, [self.sheets[one.pk] for one in seated]) if self.recent else ""
        return self.drawn[audience]

    def forget(self) -> None:
        """Drop everything except the pieces that are drawn already."""
        self.recent, self.acts = None, []
        for name in ("events", "pending_effects", "sheets", "statuses", "scene"):
            vars(self).pop(name, None)

    def _draw(self, me: Member, seated: list[Sheet]) -> str:
        table = PartyTable(me)
        table.whole, table.scene, table.seated_keys = False, self.scene, [one.pk for one in seated]
        table.seat_all(seated, self.statuses)
        if any(place_changed(table, one) for one in self.acts) or any(
                one.sheet.pk in self.written | self.decided and one.place is not None for one in table.participants):
            return ""
        seen, own = {None, *table.seated_keys}, {one.pk for one in seated if me.gm or one.owner_id == me.user_id}
        table.log.recent = [one for one in self.recent or () if one.sheet_id in seen and (me.gm or not one.hidden)]
        there = {one.pk for one in table.log.recent}
        lines = table.log.lines_from([one for one in self.events if one.pk in there], table.log.recent)
        new = [one for one in lines if one.event.pk in self.new]
        fallen = next((one for one in new if one.event.roll), None)
        aims = bool(table.ruleset.crossing.effects_on_target) and (me.gm or me.user_id in self.actors)
        html = render_to_string("parties/table/_pieces.html", {
            "tray": table.log.tray(fallen) if fallen else None, "fresh": True,
            "me": me, "party": table.party, "ruleset": table.ruleset, "party_table": table, "press": uuid4(),
            "table_url": reverse("table", args=[table.party.pk]),
            "rules_url": reverse("rules", args=[table.ruleset.slug]),
            "play_url": reverse("table-play", args=[table.party.pk]), "lines": new,
            "seats": seats(table, (one for one in table.participants if one.sheet.pk in self.touched), aims=aims),
            "lines_anew": [one for one in lines if one.event.pk not in self.new],
            "gone": [pk for pk, (at, source) in self.gone.items() if at in own or (source in own and at in seen)],
            "effects": with_guards(self._open_effects(table))})
        touched = [one.pk for one in seated if one.pk in self.touched] + (self.secret if me.gm else [])
        return json.dumps({
            "html": html, "touched": [*map(str, touched)],
            "lines": [one.event.pk for one in new], "newest": new[0].event.pk if new else None,
            "said": str(new[0]) if new else ""})

    def _open_effects(self, table: PartyTable) -> Iterator[OpenEffect]:
        """Yield the new pending effects that the reader may decide about or withdraw."""
        there: dict[Any, Participant] = {one.sheet.pk: one for one in table.participants}
        name_sources(self.pending_effects, {pk: one.name for pk, one in there.items()})
        for one in self.pending_effects:
            at, source = there.get(one.sheet_id), there.get(one.event.sheet_id)
            decides = bool(at and (table.me.gm or at.mine))
            character: Character | None = at.character if at else None
            if character and (decides or (source and source.mine)) and (
                    widget := effect_widget(table.ruleset, one)):
                yield OpenEffect(one, widget, character, decides)


@compiled
def _whole_events(party: Any, keys: Any) -> QuerySet[Event]:
    found = Event.objects.filter(party=party, pk__in=keys).select_related(*NAMED)
    return found.prefetch_related("pending_effects__applied").order_by("-pk")


def _renamed(sheets: Set[UUID | None]) -> bool:
    """Return True if a decision about one of the sheets may have changed the name that others see."""
    return Revision.objects.filter(sheet__in=sheets).exclude(name=F("sheet__name")).exists()


@compiled
def _owners(party: Any) -> QuerySet[Sheet, int]:
    return at_table(Member(party_id=party), Sheet.objects.all()).values_list("owner", flat=True)


@compiled
def _there(party: Any, sheets: Any) -> QuerySet[Sheet]:
    return at_table(Member(party_id=party), Sheet.objects.filter(pk__in=sheets)).select_related("owner")


class Broadcast:
    """The news of one table: the last known moment, and the steps that led to it."""

    def __init__(self) -> None:
        self.moment: Moment | None = None
        self.steps: deque[Step] = deque(maxlen=MAX_STEPS)

    @property
    def size(self) -> int:
        """The number of characters of all stored pieces."""
        return sum(one.size for one in self.steps)

    def look(self, party: UUID, users: Set[int]) -> dict[int, tuple[str, str]]:
        """Read the news of a table for those users who are its members; return {user: (role, change token)}."""
        there = counts_of(party, users)
        for _try in range(TRIES):
            known = next((counts for _role, counts in there.values()), None)
            if known is None or (self.moment and self.moment.counts == known):
                break
            if (found := read_row(Party, party)) is None:
                return {}
            now = Moment(found, known)
            there = counts_of(party, users)
            if all(counts == known for _role, counts in there.values()):
                self._goes_on(now)
                break
        else:
            # The table changes too fast, so open pages reload.
            self.moment = None
            self.steps.clear()
        return {user: (role, counts.token(role)) for user, (role, counts) in there.items()}

    def _goes_on(self, now: Moment) -> None:
        if self.moment:
            self.steps.append(Step(self.moment, now))
        self.moment = now

    def since(self, token: str, me: Member, language: str) -> list[str] | None:
        """Return the changes since a change token, in JSON; None if the page must be reloaded."""
        found: list[str] = []
        for step in reversed(self.steps):
            if not (step.fits and step.since.told_until(step.until, me.role, len(step.secret))):
                return None
            me.party = step.party
            if not (pieces := step.pieces(me, language)):
                return None
            tokens = {"since": step.since.token(me.role), "word": step.until.token(me.role)}
            found.insert(0, f"{json.dumps(tokens)[:-1]}, {pieces[1:]}")
            if tokens["since"] == token:
                return found
        return None

    def shrink(self) -> None:
        """Keep only drawn pieces, and drop the oldest steps beyond `LARGEST`."""
        for step in self.steps:
            step.forget()
        if self.moment:
            self.moment.recent = []
        while self.steps and self.size > LARGEST:
            self.steps.popleft()
