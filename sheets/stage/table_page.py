"""The parts of a table's page beside the acts of whoever acts: all of them, or those that a roll has changed."""

import uuid
from collections.abc import Iterator
from typing import Any

from django.urls import reverse

from sheets.access import is_own
from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import Event, Member, Sheet
from sheets.press.asked import asked_of, asked_rolls
from sheets.press.effects import Landed, guarded, landing_widget
from sheets.rolls.widgets import Widget, key_of
from sheets.stage.acting import Acting, Aiming
from sheets.stage.asked import gathered
from sheets.stage.handouts import new_for
from sheets.stage.table import PartyTable

EVERY = 3
"""Seconds between two looks of a page that is open."""


def beside(party_table: PartyTable, aiming: Aiming, now: str, answers: Answers | None = None,
           which: str = "") -> dict[str, Any]:
    """Return who is there, what waits, the log and the acts of all at once; the answers are those of `which`.

    `now` is the change token of the table, read before what it stands for.
    """
    rolls = list(asked_rolls(party_table.party.pk))
    context = head(party_table, aiming.query, now) | aiming.landed() | {
        "every": EVERY, "aiming": aiming, "acting": aiming.acting,
        "asked": asked_of(rolls, (one.character for one in party_table.participants if one.mine and one.character))}
    if not party_table.me.gm:
        return context | {"handouts": new_for(party_table.me)}
    return context | {"gathered": gathered(party_table, rolls), "rounds": [
        (Widget(offer, answers if key_of(offer) == which else None), characters)
        for offer, characters in party_table.rounds()]}


def head(party_table: PartyTable, query: str, now: str) -> dict[str, Any]:
    """Whose table a page is of, and where its forms go; the `query` says who acts and whom it is aimed at."""
    me, address = party_table.me, reverse("table", args=[party_table.party.pk])
    return {"me": me, "party": party_table.party, "ruleset": party_table.ruleset, "party_table": party_table,
            "now": now, "rules_url": reverse("rules", args=[party_table.ruleset.slug]), "press": uuid.uuid4,
            "table_url": f"{address}?{query}", "sheet_url": f"{address}?{query}", "mine": True,
            "play_url": f"{reverse('table-play', args=[party_table.party.pk])}?{query}"}


def around(party_table: PartyTable, acting: Acting, now: str) -> dict[str, Any]:
    """All that stands there beside what may be done by whoever acts."""
    by, at = (str(one.sheet.pk) if one else "" for one in (acting.by, acting.at))
    aiming = Aiming(party_table, by, at)
    aiming.acting = acting
    return beside(party_table, aiming, now) | {"around": True}


def of_a_roll(me: Member, acting: Acting, event: Event, now: str, *, listed: bool) -> dict[str, Any]:
    """The line in the log of a roll that has just been made, and what of it landed and waits.

    `listed` says whether the page has a list of what waits.
    """
    table = PartyTable(me, Sheet.objects.none())
    table.participants = list({one.sheet.pk: one for one in (acting.by, acting.at) if one}.values())
    # What aims at nobody brings nothing, and need not be asked for.
    event.brought = event.brought or []
    landed = guarded(_landed(table, acting, event))
    return head(table, acting.query, now) | {
        "line": (line := table.line(event)), "lines": [line], "landed": landed, "listed": listed}


def _landed(table: PartyTable, acting: Acting, event: Event) -> Iterator[Landed]:
    for one in event.brought or ():
        there = next(seat for seat in table.participants if seat.sheet.pk == one.sheet_id)
        one.event, one.source_name = event, acting.by.name
        character = there.character
        if character and not (character.others or is_own(table.me, there.sheet)):
            # A GM decides for others by what a GM sees of them.
            character = Character(there.sheet, character.review_status, others=True)
        if character and (widget := landing_widget(acting.ruleset, one)):
            yield Landed(one, widget, character, table.me.gm or there.mine)
