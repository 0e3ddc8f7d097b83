"""Stored rolls: their texts, odds and dice, and the rolls that follow from their outcomes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, groupby
from typing import Any, cast

from django.conf import settings
from django.db.models import QuerySet
from django.utils import translation
from pydantic import ValidationError

from rulesets.dice import Again, LoadedTray, Outcome, Pool
from rulesets.kit import Act, Data, Offer, Roll, Ruleset
from sheets.models import Event
from sheets.models.compiled_queries import compiled
from sheets.rolls.odds_chart import OddsBar, odds_bars
from sheets.rolls.widgets import Widget

MAX_SINGLE_DICE = 24
"""The most dice that are shown one by one; more are shown as heaps of equal faces."""
MAX_POOLS = 4
"""The most pools that stay separate if there are heaps."""


def stored_roll(ruleset: Ruleset, slug: str, given: Data) -> Roll | None:
    """Return the roll that was made; None if the system no longer has it."""
    try:
        return ruleset.rolls[slug].model_validate(given)
    except (ValidationError, KeyError):
        return None


def roll_slug(ruleset: Ruleset, widget_key: str) -> str:
    """Return the slug of the roll that a widget's key begins with, "" if it belongs to no roll."""
    return max((slug for slug in ruleset.rolls if f"{widget_key}-".startswith(f"roll-{slug}-")), key=len, default="")


def roll_of_event(ruleset: Ruleset, event: Event) -> Roll | None:
    """Return the roll of an event; None if it has none, or the system no longer has it."""
    return stored_roll(ruleset, event.roll, event.parameters) if event.roll else None


def roll_text(ruleset: Ruleset, slug: str, given: Data, value: Any, figures: Data) -> str:
    """Return the text of a stored roll in the current language; just its outcome if it cannot be read any more."""
    roll, cls = stored_roll(ruleset, slug, given), ruleset.rolls.get(slug)
    try:
        if roll:
            return str(roll.tell(Outcome.stored(value, figures)))
        return str(cls.outcomes.get(value, value) if cls else value)
    except KeyError:
        return str(value)


def event_text(ruleset: Ruleset, event: Event) -> str:
    """Return the text of an event's roll, "" if there is none; just its outcome if its figures are veiled."""
    if not event.roll:
        return ""
    if event.veiled:
        roll, value = roll_of_event(ruleset, event), cast("Any", event.outcome)
        return str(roll.label(value) if roll else value)
    return roll_text(ruleset, event.roll, event.given, event.outcome, event.figures)


def turn_moved_on(event: Event) -> bool:
    """Return True if, after a roll, its sheet's turn or the round has ended, or a turn of the sheet has begun."""
    own, scene = str(event.sheet_id), event.scene_id
    turns = _turns_since(scene, event.pk) if scene else ()
    passed = [one.turn_passed for one in turns if one.turn_passed]
    return any(own in one.of or one.before["round"] != one.after["round"] or (
        own in one.after["on"] and own not in one.before["on"]) for one in passed)


@compiled
def _turns_since(scene: Any, event: Any) -> QuerySet[Event]:
    return Event.objects.filter(scene=scene, turn__isnull=False, undone=False, pk__gt=event)


def stored_dice(ruleset: Ruleset, slug: str, given: Data, faces: list[int]) -> list[tuple[int, str, int]]:
    """Return (face, colour, number) of each die of a stored roll, or of each heap of equal dice if there are many.

    This limits the cost of a line in the log.
    """
    roll = stored_roll(ruleset, slug, given)
    colours = roll.colours() if roll else ()
    dice = zip(faces, colours if len(colours) == len(faces) else [""] * len(faces), strict=True)
    if len(faces) <= MAX_SINGLE_DICE:
        return [(face, colour, 1) for face, colour in dice]
    return [(face, colour, times) for (face, colour), times in sorted(Counter(dice).items(), reverse=True)]


def leading_events(events: Sequence[Event], max_dice: int) -> list[Event]:
    """Return the leading events that together show at most `max_dice` single dice."""
    sums = accumulate(min(len(event.faces), MAX_SINGLE_DICE) for event in events)
    return [event for event, dice_so_far in zip(events, sums, strict=True) if dice_so_far <= max_dice]


def roll_chart(ruleset: Ruleset, slug: str, given: Data, value: Any) -> tuple[OddsBar, ...]:
    """Return the chart of a stored roll's odds with its outcome."""
    roll = stored_roll(ruleset, slug, given)
    return odds_bars(roll, value) if roll else ()


@dataclass(frozen=True)
class FallenDie:
    """A thrown die, or `times` equal ones."""

    face: int
    sides: int = 6
    """Its sides; 0 if its faces do not begin at 1, such as 0 to 5."""
    colour: str = ""
    own: bool = True
    pool_number: int = 0
    """The number of the pool that it was thrown with, 0 if it was thrown alone."""
    worth: int | None = None
    """The number of times it counts, if dice count 0, 1 or 2 times; None otherwise."""
    times: int = 1
    card: bool = False
    """True if it is a drawn card, whose back is shown."""
    pool_name: str = ""
    """The name of its pool, for the first die only."""


def fallen_dice(roll: Roll, faces: Sequence[int]) -> tuple[tuple[FallenDie, ...], ...]:
    """Return the dice of each pool in the order they were thrown; for cards, their backs."""
    if roll.draws_cards:
        card = FallenDie(0, 0, card=True)
        if not faces:
            return ()
        return ((card,) * len(faces) if len(faces) <= MAX_SINGLE_DICE else (replace(card, times=len(faces)),),)
    tray = _ReplayTray(*faces)
    try:
        roll.throw(tray)
    except (ValueError, Again):
        # Another version of the system threw other dice.
        tray.kinds = []
    kinds = tray.kinds if len(tray.kinds) == len(faces) else [
        (roll.sides if 1 <= face <= roll.sides else 0, 0, None) for face in faces]
    colours, own = roll.colours(), roll.own_dice(len(faces))
    if len(colours) != len(faces):
        colours = ("",) * len(faces)
    dice = [FallenDie(face, sides, colour, place in own, pool, worth) for place, (face, (sides, pool, worth), colour)
            in enumerate(zip(faces, kinds, colours, strict=True))]
    pools = [tuple(pool) for _alike, pool in groupby(dice, lambda die: (die.pool_number, die.own))]
    if len(dice) > MAX_SINGLE_DICE:
        pools = pools if len(pools) <= MAX_POOLS else [tuple(replace(die, pool_number=1) for die in dice)]
        heaped = map(_sorted_pool, pools)
        pools = [tuple(replace(die, times=times) for die, times in Counter(pool).items()) for pool in heaped]
    if len(pools) == len(roll.pools_called):
        pools = [(replace(first, pool_name=str(name)), *others) for name, (first, *others)
                 in zip(roll.pools_called, pools, strict=True)]
    return tuple(pools)


def _sorted_pool(dice: Iterable[FallenDie]) -> tuple[FallenDie, ...]:
    return tuple(sorted(dice, key=lambda die: -die.face if die.pool_number else 0))


class _ReplayTray(LoadedTray):
    """A tray that throws given faces again, to find out the kinds of their dice."""

    def __init__(self, *faces: int) -> None:
        super().__init__(*faces)
        self.kinds: list[tuple[int, int, int | None]] = []
        """(sides, pool, worth) of each die."""
        self.pools_begun, self.current_pool = 0, 0

    def face(self, faces: range) -> int:
        """Store the kind of the die."""
        self.kinds.append((len(faces) if faces.start == 1 else 0, self.current_pool, None))
        return super().face(faces)

    def pool(self, count: int, sides: int | range) -> Pool:
        """Throw the dice as one pool."""
        with self._one_pool():
            return super().pool(count, sides)

    def total(self, count: int, worth: Sequence[int]) -> int:
        """Throw the dice as one pool, and store what each is worth."""
        first = len(self.kinds)
        with self._one_pool():
            total = super().total(count, worth)
        if {0, 1} <= {*worth} <= {0, 1, 2} and (count > 1 or 2 in worth):
            self.kinds[first:] = [(sides, pool, worth[face - 1]) for (sides, pool, _worth), face
                                  in zip(self.kinds[first:], self.fallen[first:], strict=True)]
        return total

    @contextmanager
    def _one_pool(self) -> Iterator[None]:
        self.pools_begun += 1
        self.current_pool = self.pools_begun
        yield
        self.current_pool = 0


@cache
def titles_in_all_languages(cls: type[Roll] | type[Act]) -> frozenset[str]:
    """Return the title of a roll or an act in all languages, because events store it in the player's."""
    found = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found.add(str(cls.title))
    return frozenset(found)


def followup_offers(ruleset: Ruleset, widget: Widget, event: Event) -> list[Offer]:
    """Return the rolls that follow from a stored outcome, with the fields that the widget knows filled."""
    cls = ruleset.rolls.get(event.roll)
    then, leads, onward = widget.offer.then, widget.offer.leads, widget.offer.onward
    try:
        roll, outcome = cls.model_validate(event.parameters) if cls else None, event.fell
        offers = [*(roll.follow(outcome) if roll else ()), *(leads(roll, outcome) if roll and leads else ())]
    except (ValidationError, KeyError):
        return []
    offers = [offer for offer in offers if then.get(offer.cls.slug, offer.filled) is not None]
    found = [replace(offer, key="-".join(filter(None, (offer.key, widget.key))), then={**then, **offer.then},
                     filled={**_known_parameters(then, offer), **offer.filled},
                     leads=leads if offer.cls is type(roll) else offer.leads or onward.get(offer.cls.slug),
                     onward={**onward, **offer.onward})
             for offer in sorted(offers, key=lambda one: one.rare)]
    return [fill(one) for one in found] if (fill := widget.offer.fill_from_target) else found


def _known_parameters(then: Mapping[str, Mapping[str, Any] | None], offer: Offer) -> dict[str, Any]:
    return {key: value for key, value in (then.get(offer.cls.slug) or {}).items() if key in offer.asks}
