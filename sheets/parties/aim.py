"""Playing at the party's table: who acts, whom that is aimed at, what may be done so, and what landed."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4
from zlib import crc32

from django.utils.functional import cached_property

from rulesets.kit import Offer
from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import PARTY, PRIVATE, PUBLIC, Event, Member, Sheet
from sheets.parties.table import Participant, PartyTable
from sheets.play.aiming import Aim, may_reach_further
from sheets.play.event_log import last_events, latest_by_widget, leading
from sheets.play.landings import Landed, guarded, landing_widget, waiting
from sheets.play.queries import log_of
from sheets.rolls.against import Against
from sheets.rolls.followups import RollCard, holds, roll_cards
from sheets.rolls.rows import ROLLS, grouped
from sheets.rolls.tray import tray_of
from sheets.rolls.widgets import Widget, chosen, key_of, widgets

FEW = 8
"""Rolls aimed at nobody that stand there unfolded."""


def veiled(me: Member, sheet: Sheet, target: Sheet) -> bool:
    """Whether the figures of a target are not for all who read what a sheet does, whoever it is that acts for it.

    A GM's own sheet is read by GMs alone, as an opponent that is hidden is; they read all.
    """
    if target.pk == sheet.pk or target.seen_by == PUBLIC:
        return False
    if sheet.seen_by == PUBLIC or sheet.share:
        return True
    if target.seen_by == PARTY:
        return False
    gms_alone = sheet.opponent or (me.gm and sheet.owner_id == me.user_id)
    return sheet.seen_by != PRIVATE or not (gms_alone or sheet.owner_id == target.owner_id)


class Aiming:
    """Who of one's own acts at the table and whom it is aimed at; a GM acts for everybody there."""

    def __init__(self, table: PartyTable, by: str = "", at: str = "", answers: Answers | None = None, which: str = ""):
        self.table, self.answers, self.which = table, answers, which
        there = [one for one in table.participants if one.character]
        self.actors = [one for one in there if one.mine or table.me.gm]
        self.targets = there
        self.by = _named(self.actors, by) or next((one for one in self.actors if one.mine or one.sheet.opponent), None)
        self.at = _named(self.targets, at) if self.can_aim else None

    @property
    def query(self) -> str:
        """What of an address says who acts and whom it is aimed at."""
        chosen = {"_by": self.by, "_at": self.at}
        return urlencode({key: one.sheet.pk for key, one in chosen.items() if one})

    @property
    def can_aim(self) -> bool:
        """Whether anything in the system is aimed at somebody."""
        return bool(self.table.ruleset.crossing.lands)

    @property
    def barred(self) -> str:
        """Why who acts does not play now, "" where it does."""
        return self.by.character.barred if self.by and self.by.character else ""

    @cached_property
    def aim(self) -> Aim | None:
        """Whom it is aimed at."""
        if not (self.by and self.at and self.at.character):
            return None
        found = self.at.character
        whole = Character(self.at.sheet, found.review_status) if found.others else found
        return Aim(whole, veiled(self.table.me, self.by.sheet, self.at.sheet))

    @cached_property
    def hidden(self) -> bool:
        """Whether whoever looks may not know what a roll promises against this target."""
        return bool(self.aim and self.at and not self.at.shown)

    def _offers(self, offers: Iterator[Offer]) -> list[Offer]:
        """What is offered, as it meets whom it is aimed at; first what stands first."""
        found = sorted(offers, key=lambda one: not self._foremost(one))
        return [self.aim.met(one, veiled=self.hidden) for one in found] if self.aim else found

    def _foremost(self, offer: Offer) -> bool:
        """Whether it is aimed at somebody, or else belongs to a fight of all."""
        crossing = self.table.ruleset.crossing
        return crossing.reaches(offer.cls) or offer.cls in crossing.foremost

    def shown(self) -> dict[str, Any]:
        """What the page shows of it."""
        said: dict[str, Any] = {"aiming": self, "landed": self.landed(), "plays": bool(self.by and not self.barred)}
        if not (self.by and self.by.character):
            return said
        character = self.by.character
        log = log_of(character)
        rolls, acts = self._offers(character.rolls())[:ROLLS], self._offers(character.acts())
        named = next((one for one in (*rolls, *acts) if key_of(one) == self.which), None)
        against = Against(character.ruleset, [*rolls, *acts], self.answers, named, log)
        last = latest_by_widget(log)
        cards = roll_cards(character.ruleset, rolls, last, self.answers, self.which, against=against.answers)
        done = [(one, ()) for one in widgets(acts, self.answers, self.which, against=against.answers)]
        first = [card for card in cards if self._foremost(card.widget.offer)]
        # While nobody is aimed at a few others stand there with them; else these are folded.
        folded = len(cards) - len(first) > FEW or (self.at and first)
        rest = [card for card in cards if not self._foremost(card.widget.offer)] if folded else []
        newest = next(iter(log), None)
        tray = tray_of(character.ruleset, newest, cards, [one for one, _bars in done], next(
            (one for one in log if one.act and not one.undone), None), leading(log))
        shown = [one for one in done if not (tray and one[0] in tray.repeats)]
        keys = [self.query, *(card.widget.key for card in cards), *(one.key for one, _bars in done)]
        return said | {
            "rows": f"{crc32(repr(keys).encode()):08x}",
            "sheet": character.sheet, "against": against, "which": self.which, "cards": cards,
            "roll_groups": grouped(first if rest else cards, _offer_of), "further_groups": grouped(rest, _offer_of),
            "acts": sorted((one for one in shown if self._foremost(one[0].offer)),
                           key=lambda one: one[0].offer.cls not in self.table.ruleset.crossing.foremost),
            "act_groups": grouped([one for one in shown if not self._foremost(one[0].offer)],
                                  lambda one: one[0].offer),
            "further_open": any(card.widget.key == self.which for card in rest) or any(
                one.key == self.which and not self._foremost(one.offer) for one, _bars in done),
            "further": newest if newest and self.at and may_reach_further(
                character.ruleset, newest, self.at.sheet) else None, "tray": tray}

    def promised(self) -> dict[str, Any]:
        """What rolls promise with other answers: the one that is named, with its chart, else all of them."""
        if not (self.by and self.by.character):
            return {"promises": []}
        rolls = self._offers(self.by.character.rolls())[:ROLLS]
        if self.which:
            found = chosen(rolls, self.answers or {}, self.which)
            return {"promises": [RollCard(found)] if found else [], "which": self.which}
        against = Against(self.table.ruleset, rolls, self.answers)
        return {"promises": [RollCard(one) for one in widgets(rolls, against=against.answers)]}

    def landed(self) -> list[Landed]:
        """What waits at the sheets that one sees: for oneself to decide, or to be called off by who sent it."""
        there = {one.sheet.pk: one for one in self.targets}
        own = {one.sheet.pk for one in self.actors}
        found = []
        for landing in waiting(self.table.party.pk):
            target, decides = there.get(landing.sheet_id), landing.sheet_id in own
            widget = landing_widget(self.table.ruleset, landing)
            if widget and target and target.character and (decides or landing.event.sheet_id in own):
                found.append(Landed(landing, widget, target.character, decides))
        return guarded(found)


def fallen_at_table(character: Character, event: Event) -> dict[str, Any]:
    """What htmx is shown of a roll at once; whatever else it has changed the page asks for by itself."""
    held = [one for one in character.rolls() if holds(one, event)]
    first = any(key_of(one) == event.widget for one in held)
    cards = roll_cards(character.ruleset, held, {event.widget: event} if first else last_events(character.sheet))
    repeats = [Widget(one) for one in character.acts() if getattr(one.cls, "repeats", False)]
    return {"event": event, "tray": tray_of(character.ruleset, event, cards, repeats), "plays": True, "press": uuid4,
            "against": Against(character.ruleset, ())}


def _named(participants: list[Participant], key: str) -> Participant | None:
    return next((one for one in participants if str(one.sheet.pk) == key), None)


def _offer_of(card: RollCard) -> Offer:
    return card.widget.offer
