"""The actor at the party's table: whom that one is aimed at, and the rolls and acts on offer."""

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from typing import Any
from zlib import crc32

from django.utils.functional import cached_property

from rulesets.kit import Data, Gauge, Offer, Wording
from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import Event
from sheets.press.figures import settable
from sheets.press.log import latest_by_widget, leading, log_of, topmost, undoable_act
from sheets.press.targets import Target, meets_more
from sheets.rolls.rows import ROLLS, Against, RollCard, grouped, roll_cards
from sheets.rolls.tray import tray_of
from sheets.rolls.widgets import Widget, chosen, key_of, widgets
from sheets.stage.press_form import seats_query
from sheets.stage.table import Participant

FEW = 7
"""The number of rolls that stand there unfolded: those of a fight, or any if nobody is fought."""


class ActorPanel:
    """The actor at the table, aimed at somebody or at nobody, with what they may do so."""

    def __init__(self, by: Participant, character: Character, at: Participant | None = None,
                 target: Target | None = None):
        self.by, self.character, self.at, self.target = by, character, at, target
        self.ruleset = character.ruleset
        self.turn_notices: list[Wording] = []
        """Lines for whoever acts while another is on, or once the turn is used up, if they were asked for."""
        # Whoever acts, for another too, sees the one that it plays against.
        character.meets = True

    @property
    def query(self) -> str:
        """The query of an address that names the actor and the target."""
        return seats_query(self.by.sheet, self.at.sheet if self.at else None)

    @property
    def can_aim(self) -> bool:
        """True if the system aims anything at somebody."""
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
        """True if whoever looks may not know what a roll promises against this target."""
        return bool(self.target and self.at and not self.at.shown)

    @cached_property
    def rolls(self) -> list[Offer]:
        """The rolls, as they meet whom they are aimed at; first what stands first."""
        return self._foremost_first(self.character.rolls())[:ROLLS]

    @cached_property
    def acts(self) -> list[Offer]:
        """The acts, in the same way."""
        aimed = bool(self.target and self.target.at_another(self.character))
        return self._foremost_first(self.character.acts(aimed=aimed))

    def _foremost_first(self, offers: Iterator[Offer]) -> list[Offer]:
        return [self.met(one) for one in sorted(offers, key=lambda one: not self._foremost(one))]

    def met(self, offer: Offer) -> Offer:
        """Return an offer as it meets the target."""
        read = self.at is None or self.at.readable
        return self.target.met(offer, veiled=self.hidden, read=read) if self.target else offer

    def _foremost(self, offer: Offer) -> bool:
        """Return True if an offer is aimed at somebody, or belongs to a fight of all."""
        return self.ruleset.crossing.reaches(offer.cls) or offer.cls in self.ruleset.crossing.foremost

    @cached_property
    def rows(self) -> str:
        """A word for what stands there, which is another as soon as something comes or goes."""
        return f"{crc32(repr([self.query, *map(key_of, (*self.rolls, *self.acts))]).encode()):08x}"

    def against(self, answers: Answers | None, log: Iterable[Event], which: str = "") -> Against:
        """Return what the offers ask of the other side, as far as that is not known."""
        offers = [*self.rolls, *self.acts]
        named = next((one for one in offers if which and key_of(one) == which), None)
        return Against(self.ruleset, offers, answers, named, log)

    def further(self, newest: Event | None) -> Event | None:
        """Return the last event, or the one that it followed from, if its dice may meet the target, too."""
        return meets_more(self.ruleset, newest, self.at.sheet) if newest and self.at else None

    def shown(self, answers: Answers | None = None, which: str = "") -> dict[str, Any]:
        """Return the values of the page, with what fell last."""
        log = log_of(self.character)
        against, last, newest = self.against(answers, log, which), latest_by_widget(log), topmost(log)
        cards = roll_cards(self.ruleset, self.rolls, last, answers, which, against=against.answers)
        acts = widgets(self.acts, answers, which, against=against.answers)
        fights = self.at or self.ruleset.crossing.side
        near = [card for card in cards if self._foremost(card.widget.offer)] if fights else cards
        near = (near or cards)[:FEW]
        rest = cards[len(near):]
        return self.acts_shown(acts, which) | {
            "rows": self.rows, "sheet": self.character.sheet, "against": against, "cards": cards,
            "roll_groups": grouped(near, _offer_of), "further_groups": grouped(rest, _offer_of),
            "further_open": which in {*(card.widget.key for card in rest), *(
                one.key for one in acts if not self._foremost(one.offer))},
            "further": self.further(newest), "lying": newest, "tray": tray_of(
                self.ruleset, newest, cards, acts, undoable_act(self.character, log), leading(log))}

    def before(self, plays: Mapping[Any, Data]) -> "ActorPanel":
        """Return the same as it was when these were the states of play of some sheets, by their keys."""
        def was(character: Character) -> Character:
            if character.sheet.pk not in plays:
                return character
            sheet = copy(character.sheet)
            sheet.play = plays[sheet.pk]
            return character.of(sheet)

        target = Target(was(self.target.character)) if self.target else None
        return ActorPanel(self.by, was(self.character), self.at, target)

    def acts_shown(self, acts: list[Widget], which: str = "") -> dict[str, Any]:
        """Return the acts as they stand there, without odds: the foremost first, the others under their headings."""
        stand = [one for one in acts if not one.offer.cls.with_fallen]
        near, beyond = ([(one, ()) for one in stand if self._foremost(one.offer) is kind] for kind in (True, False))
        foremost = self.ruleset.crossing.foremost
        return {"which": which, "act_groups": grouped(beyond, lambda one: one[0].offer),
                "acts": sorted(near, key=lambda one: one[0].offer.cls not in foremost)}

    def promised(self, answers: Answers, which: str) -> dict[str, Any]:
        """Return what rolls promise with other answers: the one that is named, with its chart, else all of them."""
        if which:
            found = chosen(self.rolls, answers, which)
            return {"promises": [RollCard(found)] if found else [], "which": which}
        against = Against(self.ruleset, self.rolls, answers)
        return {"promises": [RollCard(one) for one in widgets(self.rolls, against=against.answers)]}


def _offer_of(card: RollCard) -> Offer:
    return card.widget.offer
