"""The tray: the last roll or act, as all pages show it."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile
from types import MappingProxyType
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from rulesets.kit import Roll, Ruleset, target_slots
from sheets.models import Event
from sheets.rolls.odds_chart import is_hoped_for, rarity
from sheets.rolls.rows import AUTOMATIC_MARK, RollCard, already_made, belongs_to
from sheets.rolls.stopping import is_aimed, may_stop
from sheets.rolls.stored import FallenDie, fallen_dice, roll_of_event, turn_moved_on
from sheets.rolls.widgets import Widget, reusable_answers

MAX_LETTERS = 28
"""The most letters of the large line; a longer sentence is shown below it."""
MAX_LARGE_DICE = 8
"""The most dice that are shown at full size."""


@dataclass(frozen=True)
class ShownTray:
    """The contents of the tray: a roll with its dice, an act with its text, or an undone one."""

    title: str
    outcome: str
    """The text in large letters."""
    detail: tuple[str, ...] = ()
    """The rest of the roll's text, and the effects of an act."""
    rarity: str = ""
    afterwards: str = ""
    """The text about what comes next, if no roll or act follows."""
    extreme: str = ""
    """"critical" or "fumble" if it is one."""
    dice: tuple[tuple[FallenDie, ...], ...] = ()
    """The dice of each pool."""
    follows: tuple[RollCard, ...] = ()
    """The rolls and acts that follow from this outcome."""
    remaining: tuple[RollCard, ...] = ()
    """The other rolls and acts that are still open from the roll at the beginning."""
    root_again: tuple[Widget, ...] = ()
    """The first roll of the chain, offered again."""
    reroll_acts: tuple[Widget, ...] = ()
    """The acts that repeat the roll."""
    succeeded: bool = False
    """True if the roll succeeded, so that nobody needs to repeat it."""
    undo: Event | None = None
    """The act that can be undone from here."""
    undone: bool = False

    @property
    def has_buttons(self) -> bool:
        """True if it has buttons."""
        return bool(self.follows or self.remaining or self.root_again or self.reroll_acts or self.undo)

    def is_unfinished(self, stopping: Container[Any]) -> bool:
        """Return True if something follows, or anything remains other than rolls that may stop an effect."""
        return bool(self.follows) or any(not may_stop(card.widget.offer, stopping) for card in self.remaining)

    @property
    def fingerprint(self) -> tuple[Any, ...]:
        """Everything that its buttons show, to find out if it has to be drawn again."""
        following = ([card.widget for card in some] for some in (self.follows, self.remaining))
        return (self.undo and (self.undo.pk, self.undo.what), self.undone, self.succeeded,
                *(tuple(one.fingerprint for one in some) for some in (*following, self.root_again, self.reroll_acts)),
                *(card.at for card in (*self.follows, *self.remaining)))

    @property
    def many(self) -> bool:
        """True if there are so many dice that they are drawn smaller."""
        return sum(map(len, self.dice)) > MAX_LARGE_DICE

    @property
    def long(self) -> bool:
        """True if the outcome is a sentence rather than a figure or a word."""
        return len(self.outcome) > MAX_LETTERS

    @property
    def extreme_text(self) -> str:
        """The name of an extreme outcome, "" for any other."""
        return {"critical": _("Critical!"), "fumble": _("Fumble!")}.get(self.extreme, "")

    @property
    def spoken_text(self) -> str:
        """The sentence for screen readers."""
        return ": ".join(filter(None, (self.title, f"{self.extreme_text} {self.outcome}".strip())))


def tray_of(ruleset: Ruleset, event: Event | None, cards: Iterable[RollCard] = (), acts: Iterable[Widget] = (),
            undo: Event | None = None, leading: Sequence[Event] = ()) -> ShownTray | None:
    """Return the tray with the last event; None without one.

    `cards` are the cards of the offered rolls, one of which has the event, and `acts` the offered acts; there are none
    for readers who may not press them. `undo` is the act that can be undone now. `leading` are the events
    whose followups are open, unless these are those of the last event alone. The event must have no secrets
    (`for_others`).
    """
    if event is None:
        return None
    cards = [*cards]
    first, *older = leading or (event,)
    root = _root(cards, first)
    follows, remaining = _open_cards(ruleset, root, first) if root else ((), ())
    for one in older:
        if (other := _root(cards, one)) and other is not root:
            still, rest = _open_cards(ruleset, other, one)
            follows, remaining = (follows, (*remaining, *still, *rest)) if follows else (still, (*remaining, *rest))
    root_again = _root_again(root) if root and not follows else ()
    if event.undone:
        return ShownTray(event.what, _("Taken back"), follows=follows, remaining=remaining, root_again=root_again,
                         undo=undo, undone=True)
    roll = roll_of_event(ruleset, event)
    names_both_sides = getattr(ruleset.acts.get(event.act), "names_both_sides", False)
    tray = _act_tray(event) if roll is None else _roll_tray(
        roll, event, event.words if names_both_sides else "", _target_fields(cards, event))
    reroll_acts = tuple(one for one in acts if getattr(one.offer.cls, "repeats", False)) if (
        event.roll and (roll is None or roll.repeatable)) else ()
    automatic_act = undo if undo and AUTOMATIC_MARK in undo.widget and undo.pk > event.pk else None
    automatic_text = (": ".join(filter(None, (automatic_act.what, automatic_act.words))),) if automatic_act else ()
    something_follows = follows or any(card.at for card in remaining)
    return replace(tray, detail=tray.detail + automatic_text, afterwards="" if something_follows else tray.afterwards,
                   follows=follows, remaining=remaining, root_again=root_again, reroll_acts=reroll_acts,
                   undo=undo if undo and undo.pk == event.pk else automatic_act)


def _root(cards: Iterable[RollCard], event: Event) -> RollCard | None:
    return next((card for card in cards if belongs_to(card.widget.offer, event)), None)


def leaves_open(ruleset: Ruleset, cards: Iterable[RollCard], event: Event) -> bool:
    """Return True if anything is still open from an event, whose card is among these."""
    root = _root(cards, event)
    return root is not None and any(_open_cards(ruleset, root, event))


def _act_tray(event: Event) -> ShownTray:
    """Return the tray of an act without dice, or of a roll that cannot be read any more."""
    words = event.words or (str(event.outcome) if event.roll else "")
    return ShownTray(event.what, words) if words else ShownTray("", event.what)


def _target_fields(cards: Iterable[RollCard], event: Event) -> Mapping[str, str]:
    """Return the figures of the target that the event's own offer asks for, if they differ from the roll's."""
    offers = (card.widget.offer for root in cards for card in root.with_followups() if card.widget.key == event.widget)
    return next((offer.aims for offer in offers), {})


def _roll_tray(roll: Roll, event: Event, name: str = "",
               target_fields: Mapping[str, str] = MappingProxyType({})) -> ShownTray:
    """Return the tray of a roll; with a `name`, the large line begins with it."""
    value: Any = event.outcome
    if event.veiled:
        return ShownTray(_title(event), capfirst(roll.label(value)), (event.words,) if event.words else (),
                         dice=fallen_dice(roll, event.faces))
    outcome = event.fell
    try:
        label = roll.headline(outcome)
        full_text, extreme, afterwards = roll.tell(outcome), roll.extreme(outcome), str(roll.afterwards(outcome))
    except KeyError:
        label = full_text = str(outcome.value)
        extreme = afterwards = ""
    if roll.second_reading and event.figures.get(roll.second_reading[0]) == roll.second_reading[1]:
        label = f"{label}, {roll.second_reading[2]}"
    rest = _without_label(full_text, label)
    is_large = rest == full_text and outcome.value not in roll.outcomes and len(full_text) <= MAX_LETTERS
    large = full_text if is_large else label
    return ShownTray(
        _title(event, _against_text(roll, target_fields)), capfirst(f"{name}: {large}" if name else large),
        tuple(one for one in (rest, event.words) if one and one not in (large, event.what, name)),
        rarity(roll, outcome.value), afterwards, extreme, fallen_dice(roll, event.faces),
        succeeded=is_hoped_for(roll, outcome.value))


def _without_label(full_text: str, label: str) -> str:
    """Return the text below the large line, without what that already says."""
    if full_text.startswith(f"{label}: "):
        return capfirst(full_text.removeprefix(f"{label}: "))
    return full_text.replace(f": {label}, ", ", ").replace(f": {label} (", " (").removesuffix(f": {label}")


def _title(event: Event, against: str = "") -> str:
    """Return the title of an event, with its target and the figures of the target."""
    return " · ".join(filter(None, (f"{event.what} {event.at}".strip(), against)))


def _against_text(roll: Roll, target_fields: Mapping[str, str]) -> str:
    """Return the target's figures in a roll as a text, "" if it has none."""
    offer = type(roll).offer(aims={**roll.aims(), **target_fields})
    target_figures = {target: getattr(roll, key) for key, target in offer.target_figures.items()}
    figures = [f"{slot.ask.title} {target_figures[name]}" for name, slot in target_slots([offer]).items()]
    return _("against {figures}").format(figures=", ".join(figures)) if figures else ""


def _following_cards(card: RollCard, event: Event, all_cards: Iterable[RollCard]) -> list[RollCard]:
    """Return the cards that follow from an event and, if its outcome leads on, its later siblings."""
    roll = card.widget.offer.cls
    if not (issubclass(roll, Roll) and event.outcome in roll.leads_on):
        return card.follows
    siblings = next((parent.follows for parent in all_cards if any(one is card for one in parent.follows)), [])
    later_siblings = [*dropwhile(lambda one: one is not card, siblings)][1:]
    return [*card.follows, *later_siblings]


def _open_cards(ruleset: Ruleset, root: RollCard, event: Event) -> tuple[tuple[RollCard, ...], tuple[RollCard, ...]]:
    """Return (cards that follow from an event, other cards still open from the roll at the beginning)."""
    all_cards, stopping = list(root.with_followups()), ruleset.crossing.stopping
    event_card = next((card for card in all_cards if card.last and card.last.pk == event.pk), None)
    follows = _following_cards(event_card, event, all_cards) if event_card else []
    if any(found and is_aimed(ruleset, found) for found in (event, root.last)):
        # The target makes the rolls that may stop it.
        follows = sorted(follows, key=lambda card: may_stop(card.widget.offer, stopping))
    if event.undone:  # it may be done once more
        follows = [card for card in all_cards[1:] if card.widget.key == event.widget]
    # A followup is made only once; a roll that may stop a hit may be made again for another target.
    follows = [card for card in follows if not already_made(card, stopping)]
    remaining = [card for card in all_cards[1:]
                 if card is not event_card and card not in follows and not already_made(card, stopping)]
    if any(_uses_up_turn(card) for card in (*follows, *remaining)) and turn_moved_on(event):
        follows, remaining = ([card for card in some if not _uses_up_turn(card)] for some in (follows, remaining))
    return tuple(follows), tuple(remaining)


def _uses_up_turn(card: RollCard) -> bool:
    """Return True for an act that uses up the turn in which the roll was made, and expires with that turn."""
    return card.widget.offer.automatic == "in turn"


def _root_again(root: RollCard) -> tuple[Widget, ...]:
    """Return the roll at the beginning with the same answers, if its kind is thrown several times in a row."""
    offer = root.widget.offer
    if not root.last or not (title := getattr(offer.cls, "repeat_label", "")):
        return ()
    return (Widget(replace(offer, title=title, note=""), given=reusable_answers(offer, root.last.given)),)
