"""Acting at the party's table: the chosen actor and target, their offers, and the pending effects."""

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from typing import Any, Self
from uuid import UUID
from zlib import crc32

from django.http import HttpRequest
from django.utils.functional import cached_property

from rulesets.kit import Data, Gauge, Offer, Wording
from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import Event
from sheets.press.figures import settable
from sheets.press.log import latest_by_widget, leading, log_of, topmost, undoable_act
from sheets.press.targets import Target, meets_more
from sheets.rolls.rows import ROLLS_PER_PAGE, RollCard, TargetFigures, belongs_to, by_heading, roll_cards
from sheets.rolls.tray import tray_of
from sheets.rolls.widgets import Widget, answered_widget, key_of, widgets
from sheets.stage.paired_boards import foe_context, is_out, to_challenge
from sheets.stage.participants import Participant
from sheets.stage.press_form import NOBODY, seats_query
from sheets.stage.seats import Seat, seats
from sheets.stage.table import PartyTable
from sheets.stage.waiting import WaitingAtTable

FEW = 7
"""The number of rolls shown unfolded."""


def seats_of(request: HttpRequest) -> dict[str, str]:
    """Return the actor and the target, {"_by": key, "_at": key}, as the form or the address names them."""
    return {name: request.POST.get(name) or request.GET.get(name, "") for name in ("_by", "_at")}


class ActorPanel:
    """The actor at the table with the target, if any, and the rolls and acts offered."""

    def __init__(self, by: Participant, character: Character, at: Participant | None = None,
                 target: Target | None = None) -> None:
        self.by, self.character, self.at, self.target = by, character, at, target
        self.ruleset = character.ruleset
        self.turn_notices: list[Wording] = []
        """Notices for an actor who acts out of turn or whose turn is used up; filled by the caller."""
        # The actor sees the paired opponent, even if a GM acts for them.
        character.sees_foe = True

    @property
    def query(self) -> str:
        """The query of an address that names the actor and the target."""
        return seats_query(self.by.sheet, self.at.sheet if self.at else None)

    @property
    def can_aim(self) -> bool:
        """True if the system has rolls or acts with targets."""
        return bool(self.ruleset.crossing.effects_on_target)

    @cached_property
    def settable(self) -> list[Gauge]:
        """The figures that a GM may set."""
        return [] if self.barred else [*settable(self.character)]

    @property
    def barred(self) -> str:
        """The reason why the actor does not play now, "" if there is none."""
        return self.character.barred

    @property
    def hidden(self) -> bool:
        """True if the reader may not see the odds against this target."""
        return bool(self.target and self.at and not self.at.shown)

    @cached_property
    def every_roll(self) -> list[Offer]:
        """The rolls with the target's figures, in the order of the page."""
        found = self._foremost_first(self.character.rolls())
        return sorted(found, key=lambda one: self._foremost(one) and not self._first(one))

    @property
    def rolls(self) -> list[Offer]:
        """The rolls that are always shown as rows."""
        return self.every_roll[:ROLLS_PER_PAGE]

    def further_rolls(self, which: str = "", led: Iterable[Event] = ()) -> tuple[list[Offer], list[Offer]]:
        """Return (further rolls shown as rows: `which` and those of the events `led`; those listed by name only)."""
        fetched, named = list[Offer](), list[Offer]()
        for one in self.every_roll[ROLLS_PER_PAGE:]:
            (fetched if key_of(one) == which or any(belongs_to(one, event) for event in led) else named).append(one)
        return fetched, named

    @cached_property
    def acts(self) -> list[Offer]:
        """The acts with the target's figures, in the order of the page."""
        aimed = bool(self.target and self.target.at_another(self.character))
        return self._foremost_first(self.character.acts(aimed=aimed))

    def _foremost_first(self, offers: Iterator[Offer]) -> list[Offer]:
        return [self.aimed(one) for one in sorted(offers, key=lambda one: not self._foremost(one))]

    def aimed(self, offer: Offer) -> Offer:
        """Return an offer with the target's figures."""
        at, target = self.at, self.target
        found = target.aimed(offer, veiled=self.hidden, read=at.readable) if target and at else offer
        return found if at is None or at.sheet.opponent == self.by.sheet.opponent else \
            self.ruleset.crossing.to_other_side(found, at.name)

    def _first(self, offer: Offer) -> bool:
        """Return True for a roll shown first: a foremost one that is not rare."""
        return self._foremost(offer) and not offer.rare

    def _foremost(self, offer: Offer) -> bool:
        """Return True if an offer has targets, or the system counts it among its foremost."""
        return self.ruleset.crossing.reaches(offer.cls) or offer.cls in self.ruleset.crossing.foremost

    @cached_property
    def rows(self) -> str:
        """The change token of the rows, which changes when an offer is added or removed."""
        return f"{crc32(repr([self.query, *map(key_of, (*self.rolls, *self.acts))]).encode()):08x}"

    def against(self, answers: Answers | None, log: Iterable[Event], which: str = "") -> TargetFigures:
        """Return the inputs for figures of the other side that are not known."""
        offers = [*self.rolls, *self.further_rolls(which)[0], *self.acts]
        named = next((one for one in offers if which and key_of(one) == which), None)
        return TargetFigures(self.ruleset, offers, answers, named, log)

    def further(self, newest: Event | None) -> Event | None:
        """Return the event whose dice may be applied to the target too: the newest, or the area roll before it."""
        return meets_more(self.ruleset, newest, self.at.sheet) if newest and self.at else None

    def shown(self, answers: Answers | None = None, which: str = "") -> dict[str, Any]:
        """Return the template context of the actor's offers, with the tray."""
        log = log_of(self.character)
        against, last, newest = self.against(answers, log, which), latest_by_widget(log), topmost(log)
        fetched, named = self.further_rolls(which, led := leading(self.ruleset, log))
        cards = roll_cards(self.ruleset, [*self.rolls, *fetched], last, answers, which, target_answers=against.answers)
        acts = widgets(self.acts, answers, which, target_answers=against.answers)
        fights = self.at or (self.ruleset.contest and self.ruleset.crossing.side)
        near = ([card for card in cards if fights and self._first(card.widget.offer)] or cards)[:FEW]
        rest = cards[len(near):]
        return self.acts_shown(acts, which) | {
            "rows": self.rows, "sheet": self.character.sheet, "against": against, "cards": cards,
            "roll_groups": by_heading(near, lambda card: card.widget.offer),
            "further_groups": by_heading(rest, lambda card: card.widget.offer),
            "named_rolls": [(one.title, key_of(one)) for one in named],
            "further_open": which in {one.widget.key for one in rest} | {
                one.key for one in acts if not self._foremost(one.offer)},
            "further": self.further(newest), "newest_roll": newest, "tray": tray_of(
                self.ruleset, newest, cards, acts, undoable_act(self.character, log), led)}

    def before(self, plays: Mapping[Any, Data]) -> "ActorPanel":
        """Return the panel as it was with earlier states of play; `plays` is {key of a sheet: state}."""
        def was(character: Character) -> Character:
            if character.sheet.pk not in plays:
                return character
            sheet = copy(character.sheet)
            sheet.play = plays[sheet.pk]
            return character.of(sheet)

        target = Target(was(self.target.character)) if self.target else None
        return ActorPanel(self.by, was(self.character), self.at, target)

    def acts_shown(self, acts: list[Widget], which: str = "") -> dict[str, Any]:
        """Return the context of the acts, without odds: the foremost first, the others under their headings."""
        stand = [one for one in acts if not one.offer.cls.beside_dice_only]
        near, beyond = ([(one, ()) for one in stand if self._foremost(one.offer) is kind] for kind in (True, False))
        return {"widget_key": which, "act_groups": by_heading(beyond, lambda one: one[0].offer),
                "acts": sorted(near, key=lambda one: one[0].offer.cls not in self.ruleset.crossing.foremost)}

    def promised(self, answers: Answers, which: str) -> dict[str, Any]:
        """Return the odds of rolls with other answers: of the roll `which`, or of all."""
        if which:
            found = answered_widget(self.every_roll, answers, which)
            return {"odds_cards": [RollCard(found)] if found else [], "widget_key": which}
        against = TargetFigures(self.ruleset, self.rolls, answers)
        return {"odds_cards": [RollCard(one) for one in widgets(self.rolls, target_answers=against.answers)]}


class TargetPicker:
    """The choice of the reader's actor and target; a GM acts for everybody at the table."""

    def __init__(self, table: PartyTable, by: str = "", at: str = "", answers: Answers | None = None,
                 which: str = "") -> None:
        self.table, self.named, self.answers, self.which = table, (by, at), answers, which

    @classmethod
    def of(cls, request: HttpRequest, table: PartyTable, answers: Answers | None = None, which: str = "") -> Self:
        """Return the choice that the form or the address of a request names."""
        named = seats_of(request)
        return cls(table, named["_by"], named["_at"], answers, which)

    @property
    def keys(self) -> set[UUID]:
        """The sheet keys of both as named by the address; empty if it names no actor."""
        try:
            return {UUID(one) for one in self.named if one not in ("", NOBODY)} if self.named[0] else set()
        except ValueError:
            return set()

    @cached_property
    def targets(self) -> list[Participant]:
        """The participants who may be aimed at."""
        return [one for one in self.table.participants if one.character]

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """The participants as the page shows them for this actor, in the order of turns."""
        aims = bool(self.actor and self.actor.can_aim)
        return seats(self.table, self.table.participants, self.by, self.at, aims=aims)

    @property
    def aimable(self) -> tuple[Seat, ...]:
        """The possible targets: the other side first, the actor last."""
        ours, there = bool(self.by and self.by.sheet.opponent), (one for one in self.seats if one.known)
        return tuple(sorted(there, key=lambda one: (one.acting, one.opponent == ours)))

    @cached_property
    def actors(self) -> list[Participant]:
        """The participants for whom the reader may act."""
        return [one for one in self.targets if one.mine or self.table.me.gm]

    @cached_property
    def by(self) -> Participant | None:
        """The actor: the named one, else the one whose turn it is, else the reader's first."""
        own = (one for one in self.actors if one.mine or one.sheet.opponent)
        return _named(self.actors, self.named[0]) or self.on or next(own, None)

    @property
    def on(self) -> Participant | None:
        """The first possible actor whose turn it is; the reader's own come before others."""
        there = {one.sheet.pk for one in self.table.on}
        found = [one for one in self.actors if one.sheet.pk in there]
        return next((one for one in found if one.mine or one.sheet.opponent), next(iter(found), None))

    @cached_property
    def at(self) -> Participant | None:
        """The target: the named one, else in a fight the actor's last target, else the only possible opponent."""
        if not self.table.ruleset.crossing.effects_on_target or self.named[1] == NOBODY:
            return None
        return _named(self.targets, self.named[1] or self._last_target) or to_challenge(self)

    @property
    def _last_target(self) -> str:
        """The key of the sheet that the actor, if on, last aimed at in this scene; "" if there is none or it is out."""
        if not ((scene := self.table.scene).round and self.by and str(self.by.sheet.pk) in scene.on):
            return ""
        last = scene.events.filter(sheet=self.by.sheet, undone=False).exclude(aimed_at={}).order_by("-pk").first()
        key = next(iter(last.aimed_at), "") if last else ""
        return "" if is_out(self, _named(self.targets, key)) else key

    def bring_on(self, by: Participant) -> None:
        """Make somebody else the actor, with their last target."""
        self.named, self.by = (str(by.sheet.pk), ""), by
        for one in ("at", "actor", "seats"):
            vars(self).pop(one, None)

    @property
    def query(self) -> str:
        """The query of an address that names the actor and the target."""
        return seats_query(self.by.sheet, self.at.sheet if self.at else None) if self.by else ""

    @property
    def alone(self) -> bool:
        """True if the actor sees nobody else at the table."""
        return all(one is self.by for one in self.targets) if self.table.whole else \
            not {*self.table.seated_keys} - {self.by.sheet.pk if self.by else None}

    @cached_property
    def actor(self) -> ActorPanel | None:
        """The panel of actor and target; None without an actor."""
        if not (self.by and self.by.character):
            return None
        at, found = self.at, self.at.character if self.at else None
        if at is None or found is None:
            return ActorPanel(self.by, self.by.character)
        whole = Character(at.sheet, found.review_status) if found.others else found
        return ActorPanel(self.by, self.by.character, at, Target(whole))

    def shown(self) -> dict[str, Any]:
        """Return the template context for the actor's rolls and acts."""
        if self.actor is None:
            return {}
        context = self.actor.shown(self.answers, self.which) | foe_context(self, self.actor, self.answers, self.which)
        return context | {"plays": not self.actor.barred, "turn_notices": self.table.turn_notices(self.actor.by),
                          "tray": self.table.log.tray_since(context["tray"], context["newest_roll"])}

    def promised(self) -> dict[str, Any]:
        """Return the odds of the actor's rolls with other answers."""
        return self.actor.promised(self.answers or {}, self.which) if self.actor else {"odds_cards": []}

    @cached_property
    def waiting(self) -> WaitingAtTable:
        """The pending effects and questions for the reader's possible actors."""
        return WaitingAtTable(self)


def _named(participants: list[Participant], key: str) -> Participant | None:
    return next((one for one in participants if str(one.sheet.pk) == key), None)
