"""Acts of everybody at a table at once: prepared before the party is locked, then done if nothing has changed.

Otherwise they are prepared again, finally under the lock (`prepare_then_lock`).
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.kit import Offer, Refused
from sheets.access import lock_rows, membership
from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import Member, Scene, Sheet
from sheets.press.dice import Throw, keeping_rolls
from sheets.press.log import announce
from sheets.press.perform import refusal
from sheets.press.prepare import titles
from sheets.press.record_events import make_event
from sheets.press.turns import TurnPress
from sheets.rolls.widgets import Widget, key_of
from sheets.scenes.log import record_all
from sheets.stage.table import PartyTable
from sheets.status.reviews import ReviewStatus, review_statuses

OF_PARTY = ("ruleset", "table", "approval")
"""The fields of the party that a table depends on."""


@dataclass(frozen=True)
class StoredTable:
    """A table as stored: its sheets, and their review statuses."""

    table: PartyTable
    sheets: dict[Any, Sheet]
    statuses: dict[Any, ReviewStatus]

    @classmethod
    def of(cls, request: HttpRequest, pk: Any, *, lock: bool = False, gm: bool = True) -> "StoredTable":
        """Return the table as it is now, with `lock` locked until the transaction ends so that nobody else can play.

        Raise Http404 for users who are not GMs or, without `gm`, not members; then it also has sheets hidden from them.
        """
        me = membership(request, pk, gm=gm, lock=lock)
        if lock:
            lock_rows(me.party.sheets.order_by("pk"))
        table = PartyTable(me)
        table.everybody = not gm
        sheets = table.sheets_seated()
        return cls(table, {one.pk: one for one in sheets}, review_statuses(sheets))

    @property
    def me(self) -> Member:
        """The member who asked for the table."""
        return self.table.me

    def with_participants(self) -> PartyTable:
        """Return the table with all participants; this is slow."""
        self.table.seat_all(self.sheets.values(), self.statuses)
        return self.table

    def same(self, now: "StoredTable") -> bool:
        """Return True if all rows that this table was made from are unchanged in `now`."""
        return self.alike(now) and all(
            one.character.is_unchanged(now.sheets[one.sheet.pk], now.statuses[one.sheet.pk]) if one.character
            else one.sheet.version == now.sheets[one.sheet.pk].version for one in self.table.participants)

    def alike(self, now: "StoredTable") -> bool:
        """Return True if the party is unchanged in `now` and has the same sheets."""
        was, party = self.table.party, now.table.party
        return self.sheets.keys() == now.sheets.keys() and all(
            getattr(was, key) == getattr(party, key) for key in OF_PARTY)


@dataclass(frozen=True)
class Ahead:
    """One character's part, prepared before anything is locked: the character and the titles."""

    character: Character
    called: dict[str, str]


def ahead_of(widget: Widget | None, characters: Iterable[Character]) -> dict[Any, Ahead]:
    """Return {key of a sheet: its prepared part} for the characters that play allows to take part."""
    found: dict[Any, Ahead] = {}
    if widget is None or not widget.complete:
        return found
    for character in characters:
        now = Character(character.sheet, character.review_status)
        with suppress(Refused):
            found[character.sheet.pk] = Ahead(now, titles(now, widget))
    return found


def _offered(table: PartyTable, which: str, answers: Answers) -> tuple[Widget | None, list[Character]]:
    offers: dict[str, tuple[Offer, list[Character]]] = {
        key_of(one): (one, characters) for one, characters in table.rounds()}
    offer, characters = offers.get(which, (None, []))
    # Events store the class's title, which exists in every language, not the button's.
    return Widget(replace(offer, title=offer.cls.title), answers) if offer else None, characters


@dataclass(frozen=True)
class PreparedRound:
    """An act of everybody at once, prepared for each who takes part; `widget` is None if it is not offered."""

    stored: StoredTable
    widget: Widget | None
    characters: list[Character]
    ahead: dict[Any, Ahead]

    @classmethod
    def of(cls, stored: StoredTable, which: str, answers: Answers) -> "PreparedRound":
        """Return the prepared act `which` with these answers."""
        widget, characters = _offered(stored.with_participants(), which, answers)
        return cls(stored, widget, characters, ahead_of(widget, characters))

    def fits(self, held: StoredTable) -> bool:
        """Return whether everybody is as they were read."""
        return self.stored.same(held)


@dataclass(frozen=True)
class PreparedTurn:
    """All characters at a table, prepared for a turn button; sheets that the rules cannot read are left out."""

    stored: StoredTable
    characters: dict[str, Character]

    @classmethod
    def of(cls, stored: StoredTable) -> "PreparedTurn":
        """Return the characters of a stored table."""
        found = {}
        for key, sheet in stored.sheets.items():
            with suppress(ValidationError):
                found[str(key)] = Character(sheet, stored.statuses[key])
        return cls(stored, found)

    def fits(self, held: StoredTable) -> bool:
        """Return whether everybody is as they were read."""
        return self.stored.alike(held) and all(
            one.is_unchanged(held.sheets[one.sheet.pk], held.statuses[one.sheet.pk])
            for one in self.characters.values())

    def pressed(self, held: StoredTable, user: User) -> TurnPress:
        """Return the press of a turn button at the locked table."""
        party = held.table.party
        for one in self.characters.values():
            one.sheet.party = party
        return TurnPress(party, held.table.scene, held.table.table, self.characters, user)

    def after(self, turn: TurnPress, me: Member) -> PartyTable:
        """Return the table as the member sees it after the press, without reading it again."""
        table, there = PartyTable(me), turn.characters
        table.scene = turn.scene
        table.seat_all([there[str(key)].sheet if str(key) in there else sheet
                        for key, sheet in self.stored.sheets.items()], self.stored.statuses)
        return table


def act_for_all(party_table: PartyTable, widget: Widget, characters: Iterable[Character], key: UUID, user: User,
                ahead: Mapping[Any, Ahead]) -> list[tuple[str, str]]:
    """Roll or act for every character, one event each; return [(name, reason)] of those who cannot.

    The party is locked with its sheets, which have not changed since `ahead` was prepared.
    """
    party = party_table.party
    characters, common = list(characters), party.table
    places = {participant.sheet.pk: participant.place for participant in party_table.participants}
    events, refused = [], []
    for character in characters:
        ready = ahead.get(character.sheet.pk)
        # Prepared again if an earlier character has changed the party's shared counters.
        fresh = ready if ready and party.table == common else None
        now = fresh.character if fresh else Character(character.sheet, character.review_status)
        try:
            with keeping_rolls():
                events.append(make_event(now, widget, key, Throw(opens=True), user=user,
                                         called=fresh.called if fresh else None))
            character.sheet.played = timezone.now()
        except Refused as error:
            why = refusal(character.ruleset, error, others=character.others)
            refused.append((character.name or _("Unnamed"), why))
    record_all(events)
    Sheet.objects.bulk_update([event.sheet for event in events if event.sheet], ["play", "played"])
    # Rolls alone do not change the order.
    if any(event.act for event in events) and any(
            places[one.sheet.pk] != party_table.place(
                Character(one.sheet, one.review_status, others=one.others).as_seated)
            for one in characters):
        # The GM's own order was only for the last round.
        party_table.scene.order = []
        Scene.objects.filter(pk=party_table.scene.pk).update(order=[])
    announce(party, table=True)
    return refused
