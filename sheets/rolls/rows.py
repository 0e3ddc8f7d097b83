"""The rolls of a page as cards: their last throws, the rolls that follow, and their headings.

Each outcome offers the next rolls as widgets of their own. Questions about the target are asked once for all rolls.
"""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeVar

from django.core.paginator import Page, Paginator
from django.utils.http import urlencode

from rulesets.kit import Offer, Ruleset, Slot, Wording, target_figures_of, target_slots
from sheets.forms.inputs import Answers, Input, answered_input, input_text
from sheets.models import Event
from sheets.rolls import open_results
from sheets.rolls.further_targets import further_target_widgets
from sheets.rolls.odds_chart import OddsBar
from sheets.rolls.stopping import is_aimed, may_stop, target_may_stop
from sheets.rolls.stored import event_text, followup_offers, roll_chart
from sheets.rolls.widgets import TARGET_PREFIX, Widget, answered_widget, key_of, widgets

STEP_BUTTONS = {"less": -1, "more": 1}
"""The buttons beside a number, for browsers without scripts, {name: step}."""
MAX_DEPTH = 6
"""The longest chain of rolls that follow one another."""
AUTOMATIC_MARK = "-landing-itself-"
"""The part of a widget's key that marks an act done automatically with a roll."""
MANY = 8
"""The maximum number of visible rolls with prominent buttons, and of folded rolls without headings."""
ROLLS_PER_PAGE, ORPHANS = 24, 8
"""The most rolls on one page, and the most that are added to the previous page instead of a page of their own."""
PAGE_PARAMETER = "_rolls"
"""The parameter for the page of rolls; no parameter of a roll begins with an underscore."""
BY_HAND = "_hand"
"""The parameter of pages and presses whose dice are thrown by hand."""
Shown = TypeVar("Shown")
Context = dict[str, Any]


class TargetFigures:
    """The figures of the target that offers ask for: as answered, or else as in the last roll against a target."""

    def __init__(self, ruleset: Ruleset, offers: Iterable[Offer], answers: Answers | None = None,
                 answered_offer: Offer | None = None, last: Iterable[Event] = ()) -> None:
        slots, answers = target_slots(offers), answers or {}
        fields = answered_offer.target_figures if answered_offer else {}
        given = {TARGET_PREFIX + name: answers[key] for key, name in fields.items() if key in answers} | {**answers}
        last_figures = _last_figures(ruleset, last) if slots else {}
        self.inputs = [_input(slot, name, given, last_figures) for name, slot in slots.items()]

    @property
    def answers(self) -> Answers:
        """The figures as a form would post them, without invalid ones."""
        return {one.path: [one.text] for one in self.inputs if not one.fault}


def typical_rolls(ruleset: Ruleset, offers: Iterable[Offer]) -> dict[str, Widget]:
    """Return {key: widget} of rolls against typical targets; the first one where keys are equal."""
    offers, by_key = [*offers], dict[str, Widget]()
    for one in widgets(offers, target_answers=TargetFigures(ruleset, offers).answers):
        by_key.setdefault(one.offer.key or one.key, one)
    return by_key


@dataclass(frozen=True)
class PostedTargetFigures:
    """The figures of the target that a page sent along with a press."""

    answers: Answers

    @classmethod
    def of(cls, answers: Answers) -> "PostedTargetFigures":
        """Return those among some answers."""
        return cls({name: texts for name, texts in answers.items() if name.startswith(TARGET_PREFIX)})


def _input(slot: Slot, name: str, given: Answers, last_figures: Mapping[str, Any]) -> Input:
    path = TARGET_PREFIX + name
    if path not in given and name in last_figures:
        given = {path: [input_text(last_figures[name])]}
    found = answered_input(slot, path, given)
    step = sum(step for action, step in STEP_BUTTONS.items() if name in given.get(action, ()))
    steps = step and isinstance(found.value, int)
    stepped = answered_input(slot, path, {path: [str(found.value + step)]}) if steps else found
    return found if stepped.fault else stepped


def _last_figures(ruleset: Ruleset, events: Iterable[Event]) -> dict[str, Any]:
    """Return {target: figure} of the most recent events; the newest event comes first."""
    found: dict[str, Any] = {}
    for event in events:
        if roll := ruleset.rolls.get(event.roll):
            for key, target in target_figures_of(roll).items():
                if key in event.given:
                    found.setdefault(target, event.given[key])
    return found


@dataclass(frozen=True)
class RollCard:
    """A widget with its last throw and the cards of the rolls that follow."""

    widget: Widget
    last: Event | None = None
    text: str = ""
    bars: tuple[OddsBar, ...] = ()
    follows: list["RollCard"] = field(default_factory=list)
    further_targets: list["RollCard"] = field(default_factory=list)
    """The same dice compared with each further target."""
    at: str = ""
    """The target, as "→ Troll", if the dice were compared with several."""

    def with_followups(self) -> Iterator["RollCard"]:
        """Yield the card and all cards below it."""
        return (card for _root, card in self.cards_with_root())

    def cards_with_root(self, root: "RollCard | None" = None) -> Iterator[tuple["RollCard", "RollCard"]]:
        """Yield (the card that determines the target, card) for the card and all cards below it."""
        root = (None if self.widget.offer.own_target else root) or self
        yield root, self
        for card in self.follows:
            yield from card.cards_with_root(root)
        for card in self.further_targets:
            yield from card.cards_with_root()

    def with_target(self, at: str) -> "RollCard":
        """Return the card and those that follow with the name of their target."""
        return replace(self, at=at, follows=[card.with_target(at) for card in self.follows])


def already_made(card: RollCard, stopping: Container[Any]) -> bool:
    """Return True if a roll was made, unless it may stop an effect: such a roll is made again for each target."""
    return bool(card.last) and not may_stop(card.widget.offer, stopping)


def roll_cards(ruleset: Ruleset, offers: Iterable[Offer], last: Mapping[str, Event], answers: Answers | None = None,
               widget_key: str = "", *, target_answers: Answers = MappingProxyType({}),
               prefill: Mapping[str, Mapping[str, Any]] = MappingProxyType({}), since: int = 0,
               depth: int = MAX_DEPTH, target_decides: bool = False, has_target: bool = False,
               all_events: Collection[Event] = ()) -> list[RollCard]:
    """Return a card for each offer, with the last event of its widget, if that is newer than `since`.

    Rolls that were never made are prefilled with the `prefill` figures. If the target decides about rolls that may
    stop a hit, no such rolls follow; after a roll with a target, no offers `without_target` follow. `all_events` are
    all events of the sheet, if `last` lacks some that matter.
    """
    all_events, last = all_events or last.values(), {key: event for key, event in last.items() if event.pk > since}
    parameters = {**prefill, **{key: event.given for key, event in last.items()}}
    return [_card(ruleset, widget, last, answers, widget_key, target_answers, depth, all_events=all_events,
                  target_decides=target_decides and not widget.offer.own_target,
                  has_target=has_target and not widget.offer.own_target)
            for widget in widgets(offers, answers, widget_key, parameters, target_answers=target_answers)]


def belongs_to(offer: Offer, event: Event) -> bool:
    """Return True if an event belongs to an offer or to a roll that follows, whose key ends with the offer's."""
    return f"-{event.widget}".endswith(f"-{key_of(offer)}")


def _card(ruleset: Ruleset, widget: Widget, last: Mapping[str, Event], answers: Answers | None, widget_key: str,
          target_answers: Answers, depth: int, *, target_decides: bool, has_target: bool,
          all_events: Collection[Event]) -> RollCard:
    if (event := last.get(widget.key)) is None or not event.roll:
        # A roll that was stopped before it was made has no outcome.
        return RollCard(widget, None if event is None or event.act else event)
    text = event_text(ruleset, event)
    # The odds are those of the present answers; an outcome thrown with other answers is not marked in them.
    is_same_roll = widget.complete and widget.complete.model_dump(mode="json") == event.given
    bars = roll_chart(ruleset, event.roll, event.given, event.outcome) if is_same_roll else ()
    done = _automatic_acts(last, event)
    offers = [one for one in followup_offers(ruleset, widget, event)
              if one.automatic != "always" and not (one.automatic and one.cls.slug in done)] if depth else []
    if target_decides := target_decides or target_may_stop(ruleset, event, offers):
        offers = [one for one in offers if not may_stop(one, ruleset.crossing.stopping)]
    if has_target := has_target or is_aimed(ruleset, event):
        offers = [one for one in offers if not one.without_target and not (
            getattr(one.cls, "once_applied", False) and open_results.is_averted(event))]
    # A new roll of the first link starts the chain again, without the followups of an older one.
    follows = roll_cards(ruleset, offers, last, answers, widget_key, target_answers=target_answers, since=event.pk,
                         depth=depth - 1, target_decides=target_decides, has_target=has_target, all_events=all_events)
    branches = {one.widget.offer.branch for one in follows if one.last} - {""}
    follows = [one for one in follows if one.last or not (
        (branches and one.widget.offer.branch not in {"", *branches})
        or ((ruleset.has_open_results or ruleset.crossing.target_counts
             or one.widget.offer.own_target or getattr(one.widget.offer.cls, "forfeited", False))
            and open_results.comes_too_late(ruleset, event, one.widget.offer, all_events)))]
    card = RollCard(widget, event, text, bars, _without_called_off(_without_done(follows, last, event)))
    card = card.with_target(event.at) if widget.offer.own_target else card
    if ruleset.rolls.get(event.roll) not in ruleset.crossing.areas:
        return card
    further_targets = [_card(ruleset, one, last, answers, widget_key, target_answers, depth, all_events=all_events,
                             target_decides=target_decides, has_target=has_target)
                       for one in further_target_widgets(widget, last, event)]
    return replace(card.with_target(event.at), further_targets=[
        one.with_target(one.last.at) for one in further_targets if one.last]) if further_targets else card


def _without_called_off(follows: list[RollCard]) -> list[RollCard]:
    """Return the cards without those that the outcome of another one calls off; rolls that were made stay.

    If several are alike, the players decide which of them is called off.
    """
    called_off = {slug for card in follows if card.last and not card.last.undone
                  for slug in getattr(card.widget.offer.cls, "cancels", {}).get(card.last.outcome, ())}
    slugs, found = [card.widget.offer.cls.slug for card in follows], []
    for card, slug in zip(follows, slugs, strict=True):
        if slug not in called_off or sum(one in called_off for one in slugs) > 1:
            found.append(card)
        elif card.last:
            found.append(replace(card, follows=[one for one in card.follows if one.last]))
    return found


def _automatic_acts(last: Mapping[str, Event], event: Event) -> set[str]:
    """Return the slugs of the acts that were done automatically with a roll."""
    return {one.act for key, one in last.items() if AUTOMATIC_MARK in key and one.pk > event.pk}


def _without_done(follows: list[RollCard], last: Mapping[str, Event], event: Event) -> list[RollCard]:
    """Return the cards without acts that are done, or that a repetition of the roll has replaced.

    Once a roll's effect is applied, the roll is not offered to be thrown again.
    """
    repeated = any(card.last and card.last.roll == event.roll for card in follows)
    done = {key for key, one in last.items() if one.act and one.pk > event.pk}
    settled = any(card.widget.is_act and key_of(card.widget.offer) in done for card in follows)
    return [card for card in follows
            if not ((repeated or key_of(card.widget.offer) in done) if card.widget.is_act
                    else settled and card.widget.offer.rare and not card.last)]


def by_heading(items: Iterable[Shown], offer_of: Callable[[Shown], Offer]) -> list[tuple[Wording, list[Shown]]]:
    """Return (heading, items) in the order in which the headings first appear."""
    groups: dict[str, tuple[Wording, list[Shown]]] = {}
    for one in items:
        heading = offer_of(one).group
        groups.setdefault(str(heading), (heading, []))[1].append(one)
    return list(groups.values())


def roll_rows(cards: list[RollCard], widget_key: str = "", folded: Collection[Wording] = ()) -> dict[str, Any]:
    """Return the template context of the rolls under their headings.

    Rare ones, and those under `folded` headings, are folded. Folded rolls have headings if they are many, or if one of
    them is under such a heading.
    """
    folded_titles = {str(title) for title in folded}
    unfolded, rare = list[RollCard](), list[RollCard]()
    for card in cards:
        offer = card.widget.offer
        (rare if offer.rare or str(offer.group) in folded_titles else unfolded).append(card)
    has_headings = len(rare) > MANY or any(str(card.widget.offer.group) in folded_titles for card in rare)
    folds = by_heading(rare, lambda card: card.widget.offer) if has_headings else [("", rare)] if rare else []
    return {"roll_groups": by_heading(unfolded, lambda card: card.widget.offer), "rare": rare, "cards": cards,
            "many": len(unfolded) > MANY, "roll_folds": [
                (title, inner, any(card.widget.key == widget_key for card in inner)) for title, inner in folds]}


def page_wide_only(answers: Answers) -> Answers:
    """Return the answers that apply to the whole page: the figures of the target, and the page of rolls."""
    return {name: texts for name, texts in answers.items()
            if name in (PAGE_PARAMETER, BY_HAND) or name.startswith(TARGET_PREFIX)}


def page_wide_answers(against: TargetFigures, page: Page[Offer]) -> Answers:
    """Return the answers that apply to the whole page, as it shows them; empty if there are none."""
    return {**against.answers, **({PAGE_PARAMETER: [str(page.number)]} if page.has_other_pages() else {})}


def page_query_string(against: TargetFigures, page: Page[Offer]) -> str:
    """Return the answers that apply to the whole page as a query string."""
    return urlencode(page_wide_answers(against, page), doseq=True)


def rolls_page(offers: list[Offer], last: Mapping[str, Event], answers: Answers, widget_key: str) -> Page[Offer]:
    """Return the requested page of rolls, or that of the roll named `widget_key`, or that of the latest roll."""
    page_number: Any = answers.get(PAGE_PARAMETER, [1])[-1]
    if PAGE_PARAMETER not in answers and len(offers) > ROLLS_PER_PAGE:
        keys = [key_of(one) for one in offers]
        _pk, latest = max(((event.pk, key) for key, event in last.items() if key in keys), default=(0, ""))
        page_number = next((keys.index(key) // ROLLS_PER_PAGE + 1 for key in (widget_key, latest) if key in keys), 1)
    return Paginator(offers, ROLLS_PER_PAGE, orphans=ORPHANS).get_page(page_number)


def page_links(page: Page[Offer], against: TargetFigures) -> dict[str, Any]:
    """Return the template context of the current page of rolls and, if there are others, of the links to all."""
    pages = [(one, page_query_string(against, one)) for one in page.paginator] if page.has_other_pages() else []
    return {"rolls_page": page, "rolls_pages": pages}


def odds_context(offers: list[Offer], against: TargetFigures, answers: Answers, widget_key: str, url: str) -> Context:
    """Return the template context of new odds: of the roll with this key, or of all rolls with a target."""
    if widget_key:
        found = [answered_widget(offers, {**against.answers, **answers}, widget_key)]
        return {"odds_cards": [RollCard(one) for one in found if one], "widget_key": widget_key, "sheet_url": url}
    page = rolls_page(offers, {}, answers, "")
    with_target = [one for one in widgets(page.object_list, target_answers=against.answers) if one.target_inputs]
    return {"odds_cards": [RollCard(one) for one in with_target], "sheet_url": url, **page_links(page, against)}
