"""Stored rolls: text, odds with what fell, dice as they lie, many as heaps, and what an outcome leads on to."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import Any, cast

from django.conf import settings
from django.utils import translation
from pydantic import ValidationError

from rulesets.dice import Again, LoadedTray, Outcome, Pool
from rulesets.kit import Act, Data, Offer, Roll, Ruleset
from sheets.models import Event
from sheets.rolls.odds_chart import OddsBar, odds_bars
from sheets.rolls.widgets import Widget

MOST = 24
"""The most dice that lie there one by one; more are heaps of equal faces."""
POOLS = 4
"""The most pools that stay apart if there are heaps."""


def stored_roll(ruleset: Ruleset, slug: str, given: Data) -> Roll | None:
    """Return the roll that was made; None if the system no longer has it."""
    try:
        return ruleset.rolls[slug].model_validate(given)
    except (ValidationError, KeyError):
        return None


def roll_made(ruleset: Ruleset, event: Event) -> Roll | None:
    """Return the roll of an event; None if it has none, or the system no longer has it."""
    return stored_roll(ruleset, event.roll, event.parameters) if event.roll else None


def roll_text(ruleset: Ruleset, slug: str, given: Data, value: Any, figures: Data) -> str:
    """Return the text of a stored roll in the reader's language; the bare outcome if the system has lost the roll."""
    roll = stored_roll(ruleset, slug, given)
    try:
        return str(roll.tell(Outcome.stored(value, figures)) if roll else value)
    except KeyError:
        return str(value)


def event_text(ruleset: Ruleset, event: Event) -> str:
    """Return the text of an event's roll, "" if nothing was rolled; if figures are veiled, no more than its outcome."""
    if not event.roll:
        return ""
    if event.veiled:
        roll, value = roll_made(ruleset, event), cast("Any", event.outcome)
        return str(roll.label(value) if roll else value)
    return roll_text(ruleset, event.roll, event.given, event.outcome, event.figures)


def stored_dice(ruleset: Ruleset, slug: str, given: Data, faces: list[int]) -> list[tuple[int, str, int]]:
    """Return (face, colour, times) of the dice of a stored roll: of each die, or of each heap if there are many.

    Therefore a line of a log costs little, however many fell.
    """
    roll = stored_roll(ruleset, slug, given)
    colours = roll.colours() if roll else ()
    dice = zip(faces, colours if len(colours) == len(faces) else [""] * len(faces), strict=True)
    if len(faces) <= MOST:
        return [(face, colour, 1) for face, colour in dice]
    return [(face, colour, times) for (face, colour), times in sorted(Counter(dice).items(), reverse=True)]


def roll_chart(ruleset: Ruleset, slug: str, given: Data, value: Any) -> tuple[OddsBar, ...]:
    """Return the odds of a stored roll with what fell."""
    roll = stored_roll(ruleset, slug, given)
    return odds_bars(roll, value) if roll else ()


@dataclass(frozen=True)
class FallenDie:
    """A die as it lies there, or so many `times` the same one."""

    face: int
    sides: int = 6
    """0 if the die is of no usual kind, such as one of 0 to 5."""
    colour: str = ""
    own: bool = True
    pool: int = 0
    """The number of the pool with which it fell, 0 if it fell by itself."""
    worth: int | None = None
    """The number of times it counts if some dice count for nothing and some twice; None otherwise."""
    times: int = 1
    card: bool = False
    """True if it is a drawn card, which shows its back."""
    called: str = ""
    """The name of its pool, given for the first die only."""


def fallen_dice(roll: Roll, faces: Sequence[int]) -> tuple[tuple[FallenDie, ...], ...]:
    """Return the dice of each pool as they fell, which is their order in the log, too; cards with their backs."""
    if roll.cards_fall:
        drawn = FallenDie(0, 0, card=True)
        return ((drawn,) * len(faces) if len(faces) <= MOST else (replace(drawn, times=len(faces)),),) if faces else ()
    tray = _Retold(*faces)
    try:
        roll.throw(tray)
    except (ValueError, Again):
        # Another version of the system threw other dice.
        tray.kinds = []
    kinds = tray.kinds if len(tray.kinds) == len(faces) else [
        (roll.sides if 1 <= face <= roll.sides else 0, 0, None) for face in faces]
    colours, own = roll.colours(), roll.own(len(faces))
    if len(colours) != len(faces):
        colours = ("",) * len(faces)
    dice = [FallenDie(face, sides, colour, place in own, pool, worth) for place, (face, (sides, pool, worth), colour)
            in enumerate(zip(faces, kinds, colours, strict=True))]
    pools = [tuple(pool) for _alike, pool in groupby(dice, lambda die: (die.pool, die.own))]
    if len(dice) > MOST:
        heaped = map(_sorted, pools if len(pools) <= POOLS else [[replace(die, pool=1) for die in dice]])
        pools = [tuple(replace(die, times=times) for die, times in Counter(pool).items()) for pool in heaped]
    if len(pools) == len(roll.pools_called):
        pools = [(replace(first, called=str(called)), *others) for called, (first, *others)
                 in zip(roll.pools_called, pools, strict=True)]
    return tuple(pools)


def _sorted(dice: Iterable[FallenDie]) -> tuple[FallenDie, ...]:
    return tuple(sorted(dice, key=lambda die: -die.face if die.pool else 0))


class _Retold(LoadedTray):
    """Dice that fall once more as they did, to find out what dice they were."""

    def __init__(self, *faces: int) -> None:
        super().__init__(*faces)
        self.kinds: list[tuple[int, int, int | None]] = []
        """(sides, pool, worth) of each die."""
        self.pools, self.among = 0, 0

    def face(self, faces: range) -> int:
        """Note what die it is."""
        self.kinds.append((len(faces) if faces.start == 1 else 0, self.among, None))
        return super().face(faces)

    def pool(self, count: int, sides: int | range) -> Pool:
        """Throw a pool of its own."""
        with self._together():
            return super().pool(count, sides)

    def total(self, count: int, worth: Sequence[int]) -> int:
        """Do the same for dice that are added up."""
        first = len(self.kinds)
        with self._together():
            total = super().total(count, worth)
        if {0, 1} <= {*worth} <= {0, 1, 2} and (count > 1 or 2 in worth):
            self.kinds[first:] = [(sides, pool, worth[face - 1]) for (sides, pool, _worth), face
                                  in zip(self.kinds[first:], self.fallen[first:], strict=True)]
        return total

    @contextmanager
    def _together(self) -> Iterator[None]:
        self.pools += 1
        self.among = self.pools
        yield
        self.among = 0


@cache
def titles(cls: type[Roll] | type[Act]) -> frozenset[str]:
    """Return the title of a roll or an act in each language; an older event keeps the words of whoever made it."""
    found = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found.add(str(cls.title))
    return frozenset(found)


def followup_offers(ruleset: Ruleset, widget: Widget, event: Event) -> list[Offer]:
    """Return the rolls that a stored outcome leads on to, filled with what the widget knows of them."""
    cls = ruleset.rolls.get(event.roll)
    then, leads, onward = widget.offer.then, widget.offer.leads, widget.offer.onward
    try:
        roll, outcome = cls.model_validate(event.parameters) if cls else None, event.fell
        offers = [*(roll.follow(outcome) if roll else ()), *(leads(roll, outcome) if roll and leads else ())]
    except (ValidationError, KeyError):
        return []
    offers = [offer for offer in offers if then.get(offer.cls.slug, offer.filled) is not None]
    found = [replace(offer, key="-".join(filter(None, (offer.key, widget.key))), then={**then, **offer.then},
                     filled={**_known(then, offer), **offer.filled},
                     leads=leads if offer.cls is type(roll) else offer.leads or onward.get(offer.cls.slug),
                     onward={**onward, **offer.onward})
             for offer in sorted(offers, key=lambda one: one.rare)]
    return [meets(one) for one in found] if (meets := widget.offer.meets) else found


def _known(then: Mapping[str, Mapping[str, Any] | None], offer: Offer) -> dict[str, Any]:
    return {key: value for key, value in (then.get(offer.cls.slug) or {}).items() if key in offer.asks}
