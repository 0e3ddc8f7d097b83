"""Rolls as rows: what fell last, what that leads on to, against whom, under which headings, with other answers.

Each outcome offers the next rolls, filled with what is known, under its own widget. Questions about the other side are
asked once for all rolls.
"""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeVar

from django.core.paginator import Page, Paginator
from django.utils.http import urlencode

from rulesets.kit import Offer, Ruleset, Slot, Wording, targets, targets_of
from sheets.forms.inputs import Answers, Input, answered_input, input_text
from sheets.models import Event
from sheets.rolls.odds_chart import OddsBar
from sheets.rolls.one_more import with_one_more
from sheets.rolls.stored import event_text, followup_offers, roll_chart
from sheets.rolls.widgets import AGAINST, Widget, chosen, key_of, widgets

STEPS = {"less": -1, "more": 1}
"""The buttons beside a figure, for browsers without scripts."""
DEEP = 6
"""The most rolls that follow one another."""
BY_ITSELF = "-landing-itself-"
"""The part that marks the widget name of an act that a roll has done by itself."""
MANY = 8
"""The number of rolls in view from which their buttons are quieter, and up to which folded ones need no headings."""
ROLLS = 24
"""Rolls on one page; a sheet may have two hundred."""
FEW = 8
"""Rolls that make no page of their own, and stand on the one before."""
PAGE = "_rolls"
"""The parameter for the page of rolls; no parameter of a roll begins so."""
Shown = TypeVar("Shown")


class Against:
    """The figures of the other side that offers ask for: as answered, else as in the last roll against somebody."""

    def __init__(self, ruleset: Ruleset, offers: Iterable[Offer], answers: Answers | None = None,
                 which: Offer | None = None, last: Iterable[Event] = ()) -> None:
        asked, answers = targets(offers), answers or {}
        own = {AGAINST + target: answers[key] for key, target in (which.targets if which else {}).items()
               if key in answers}
        given = {**own, **answers}
        was = _last(ruleset, last) if asked else {}
        self.inputs: list[Input] = [_input(slot, name, given, was) for name, slot in asked.items()]

    @property
    def answers(self) -> Answers:
        """The figures as a form would answer them; anything that is not a figure is left out."""
        return {one.path: [one.text] for one in self.inputs if not one.fault}


def typical_rolls(ruleset: Ruleset, offers: Iterable[Offer]) -> dict[str, Widget]:
    """Return rolls against typical opponents, by key; of several with one key the first."""
    offers, rolled = [*offers], dict[str, Widget]()
    for one in widgets(offers, against=Against(ruleset, offers).answers):
        rolled.setdefault(one.offer.key or one.key, one)
    return rolled


@dataclass(frozen=True)
class Stated:
    """The figures as a page sent them along with what was pressed, which then states none of its own."""

    answers: Answers

    @classmethod
    def of(cls, answers: Answers) -> "Stated":
        """Return those among some answers."""
        return cls({name: texts for name, texts in answers.items() if name.startswith(AGAINST)})


def _input(slot: Slot, name: str, given: Answers, was: Mapping[str, Any]) -> Input:
    path = AGAINST + name
    if path not in given and name in was:
        given = {path: [input_text(was[name])]}
    found = answered_input(slot, path, given)
    by = sum(step for action, step in STEPS.items() if name in given.get(action, ()))
    if by and isinstance(found.value, int):
        stepped = answered_input(slot, path, {path: [str(found.value + by)]})
        return found if stepped.fault else stepped
    return found


def _last(ruleset: Ruleset, events: Iterable[Event]) -> dict[str, Any]:
    """Return {target: figure} of the last roll against each; the newest event comes first."""
    found: dict[str, Any] = {}
    for event in events:
        if roll := ruleset.rolls.get(event.roll):
            for key, target in targets_of(roll).items():
                if key in event.given:
                    found.setdefault(target, event.given[key])
    return found


@dataclass(frozen=True)
class RollCard:
    """A widget with what fell last and the cards of what follows from it."""

    widget: Widget
    last: Event | None = None
    text: str = ""
    fell: tuple[OddsBar, ...] = ()
    follows: list["RollCard"] = field(default_factory=list)
    others: list["RollCard"] = field(default_factory=list)
    """The same dice as they have met each of the others."""
    at: str = ""
    """The one that it hits, "→ Troll", where the dice that it follows from have met several."""

    def whole(self) -> Iterator["RollCard"]:
        """Yield the card and all below it."""
        return (card for _root, card in self.links())

    def links(self, root: "RollCard | None" = None) -> Iterator[tuple["RollCard", "RollCard"]]:
        """Yield (the roll that it follows from, card) for the card and all below it."""
        yield root or self, self
        for card in self.follows:
            yield from card.links(root or self)
        for card in self.others:
            yield from card.links()

    def named(self, at: str) -> "RollCard":
        """Return the card with what follows from it, each with the name of the one that it hits."""
        return replace(self, at=at, follows=[card.named(at) for card in self.follows])


def is_over(card: RollCard, stopping: Container[Any]) -> bool:
    """Return True for a roll that followed and was made; what may stop something is for each one who is hit."""
    return bool(card.last) and not may_stop(card.widget.offer, stopping)


def may_stop(offer: Offer, stopping: Container[Any]) -> bool:
    """Return True for a roll that has one of the outcomes that stop something."""
    return any(one in stopping for one in getattr(offer.cls, "outcomes", ()))


def _decided_there(event: Event) -> bool:
    """Return True if whom a roll was aimed at decides on what may stop it: asked before, or where it lands."""
    party = event.sheet.party if event.sheet else None
    there = party and event.party_id == party.pk and {*event.aimed_at} - {str(event.sheet_id)}
    return bool(party and there and (party.waits or not party.trust))


def roll_cards(ruleset: Ruleset, offers: Iterable[Offer], last: Mapping[str, Event], answers: Answers | None = None,
               which: str = "", *, against: Answers = MappingProxyType({}),
               usual: Mapping[str, Mapping[str, Any]] = MappingProxyType({}), since: int = 0,
               deep: int = DEEP, decided: bool = False) -> list[RollCard]:
    """Return a card for each offer; `last` is each widget's last event, and counts if it is younger than `since`.

    Rolls that were never made begin with the `usual` figures. Where it is `decided` elsewhere what stops something,
    nothing that may stop it follows.
    """
    last = {key: event for key, event in last.items() if event.pk > since}
    before = {**usual, **{key: event.given for key, event in last.items()}}
    return [_card(ruleset, widget, last, answers, which, against, deep, decided=decided)
            for widget in widgets(offers, answers, which, before, against=against)]


def holds(offer: Offer, event: Event) -> bool:
    """Return True if an event belongs to an offer or to what follows from it, whose key ends in the offer's."""
    return f"-{event.widget}".endswith(f"-{key_of(offer)}")


def _card(ruleset: Ruleset, widget: Widget, last: Mapping[str, Event], answers: Answers | None, which: str,
          against: Answers, deep: int, *, decided: bool) -> RollCard:
    if (event := last.get(widget.key)) is None or not event.roll:
        # What was stopped before it fell has come to nothing, and is over.
        return RollCard(widget, None if event is None or event.act else event)
    text = event_text(ruleset, event)
    # The odds are those of the answers as they stand; what fell for others has no place among them.
    same = widget.made and widget.made.model_dump(mode="json") == event.given
    fell = roll_chart(ruleset, event.roll, event.given, event.outcome) if same else ()
    done = _by_itself(last, event)
    offers = [one for one in followup_offers(ruleset, widget, event)
              if one.itself != "always" and not (one.itself and one.cls.slug in done)] if deep else []
    decided = decided or _decided_there(event)
    if decided:
        offers = [one for one in offers if not may_stop(one, ruleset.crossing.stopping)]
    # A chain is told anew with each roll of its first link: what followed an older one is over.
    follows = roll_cards(ruleset, offers, last, answers, which, against=against, since=event.pk, deep=deep - 1,
                         decided=decided)
    card = RollCard(widget, event, text, fell, _left_of(_in_effect(follows, last, event)))
    if ruleset.rolls.get(event.roll) not in ruleset.crossing.areas:
        return card
    others = [_card(ruleset, one, last, answers, which, against, deep, decided=decided)
              for one in with_one_more(widget, last, event)]
    return replace(card.named(event.at), others=[
        one.named(one.last.at) for one in others if one.last]) if others else card


def _left_of(follows: list[RollCard]) -> list[RollCard]:
    """Leave out what another roll among them has called off, and what would have followed from that.

    Of several alike it stopped one; which, those say who then leave it.
    """
    stood = [(card.widget.offer.cls, card.last.outcome) for card in follows if card.last and not card.last.undone]
    off = {slug for cls, outcome in stood for slug in getattr(cls, "calls_off", {}).get(outcome, ())}
    alike = [card.widget.offer.cls.slug for card in follows]
    found = []
    for card in follows:
        if card.widget.offer.cls.slug not in off or alike.count(card.widget.offer.cls.slug) > 1:
            found.append(card)
        elif card.last:
            found.append(replace(card, follows=[one for one in card.follows if one.last]))
    return found


def _by_itself(last: Mapping[str, Event], event: Event) -> set[str]:
    """Return the acts that a roll has done by itself."""
    return {one.act for key, one in last.items() if BY_ITSELF in key and one.pk > event.pk}


def _in_effect(follows: list[RollCard], last: Mapping[str, Event], event: Event) -> list[RollCard]:
    """Leave out the acts that are done, or that the same roll made anew has replaced.

    A roll that was put into effect is not offered to be thrown again either.
    """
    anew = any(card.last and card.last.roll == event.roll for card in follows)
    done = {key for key, one in last.items() if one.act and one.pk > event.pk}
    settled = any(card.widget.is_act and key_of(card.widget.offer) in done for card in follows)
    return [card for card in follows
            if not ((anew or key_of(card.widget.offer) in done) if card.widget.is_act
                    else settled and card.widget.offer.rare and not card.last)]


def grouped(found: Iterable[Shown], offer_of: Callable[[Shown], Offer]) -> list[tuple[Wording, list[Shown]]]:
    """Return (heading, what stands under it), in the order in which the headings first appear."""
    groups: dict[str, tuple[Wording, list[Shown]]] = {}
    for one in found:
        heading = offer_of(one).group
        groups.setdefault(str(heading), (heading, []))[1].append(one)
    return list(groups.values())


def roll_rows(cards: list[RollCard], which: str = "", folded: Collection[Wording] = ()) -> dict[str, Any]:
    """Return the rows of the rolls under their headings; those seldom wanted, or under a `folded` heading, are folded.

    The folded ones have headings unless they are few and none is under such a heading, which would appear twice.
    """
    shut = {str(title) for title in folded}
    usual: list[RollCard] = []
    rare: list[RollCard] = []
    for card in cards:
        offer = card.widget.offer
        (rare if offer.rare or str(offer.group) in shut else usual).append(card)
    named = len(rare) > MANY or any(str(card.widget.offer.group) in shut for card in rare)
    folds = grouped(rare, lambda card: card.widget.offer) if named else [("", rare)] if rare else []
    return {"roll_groups": grouped(usual, lambda card: card.widget.offer), "rare": rare, "cards": cards,
            "many": len(usual) > MANY, "roll_folds": [
                (title, inner, any(card.widget.key == which for card in inner)) for title, inner in folds]}


def standing(answers: Answers) -> Answers:
    """Return the answers that hold for the whole page, whatever is pressed: the other side's figures, and the page."""
    return {name: texts for name, texts in answers.items() if name == PAGE or name.startswith(AGAINST)}


def holding(against: Against, page: Page[Offer]) -> Answers:
    """Return those answers as a page holds them, none if nothing is asked and all rolls are on one page."""
    return {**against.answers, **({PAGE: [str(page.number)]} if page.has_other_pages() else {})}


def address_of(against: Against, page: Page[Offer]) -> str:
    """Return those answers as a query string."""
    return urlencode(holding(against, page), doseq=True)


def rolls_page(offers: list[Offer], last: Mapping[str, Event], answers: Answers, which: str) -> Page[Offer]:
    """Return the page that is asked for, or the one of the roll named `which`, or of the roll that was made last."""
    asked: Any = answers.get(PAGE, [1])[-1]
    if PAGE not in answers and len(offers) > ROLLS:
        keys = [key_of(one) for one in offers]
        _pk, made = max(((event.pk, key) for key, event in last.items() if key in keys), default=(0, ""))
        asked = next((keys.index(key) // ROLLS + 1 for key in (which, made) if key in keys), 1)
    return Paginator(offers, ROLLS, orphans=FEW).get_page(asked)


def pages_shown(page: Page[Offer], against: Against) -> dict[str, Any]:
    """Return the shown page of the rolls and, if there are others, all of them with their addresses."""
    pages = [(one, address_of(against, one)) for one in page.paginator] if page.has_other_pages() else []
    return {"rolls_page": page, "rolls_pages": pages}


def promises(offers: list[Offer], against: Against, answers: Answers, which: str, sheet_url: str) -> dict[str, Any]:
    """Return rolls' odds with other answers: of the one named `which`, with its chart, else of all with a target."""
    if which:
        found = [chosen(offers, {**against.answers, **answers}, which)]
        return {"promises": [RollCard(one) for one in found if one], "which": which, "sheet_url": sheet_url}
    page = rolls_page(offers, {}, answers, "")
    aiming = [one for one in widgets(page.object_list, against=against.answers) if one.aims]
    return {"promises": [RollCard(one) for one in aiming], "sheet_url": sheet_url,
            **pages_shown(page, against)}
