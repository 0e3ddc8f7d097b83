"""The board: places for conditions, and the words and moves to choose from (SZ-01, SZ-07, SZ-10)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulesets.augen_des_zwielichts import rolls
from rulesets.augen_des_zwielichts.catalogue import FIELDS, MOVE_COLOURS, MOVES, PLACES, WITH_ABILITY
from rulesets.kit import Nudge, Place, Wording

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.play.state import AugenDesZwielichtsPlay
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts


@dataclass(frozen=True)
class Tile:
    """A word that can be chosen for a move."""

    title: Wording
    word: str
    colour: str
    filled: bool
    combat: bool


@dataclass(frozen=True)
class Chosen:
    """A move that is offered: the colour of its die, and whether its second die is an ability rather than a word."""

    key: str
    title: Wording
    colour: str
    ability: bool


def places(sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> tuple[Place, ...]:
    """Return the places of the demon, the conditions, the conditions without a word, and the free places (SZ-07)."""
    ends = play.offers(sheet, "end-condition") if play.conditions else {}
    nudges = {key: Nudge(offer, {}) for key, offer in ends.items()}
    found = [Place(sheet.demon.name.strip() or str(FIELDS["demon"]))]
    found += [Place(one.word, end=nudges.get(f"conditions.{index}")) for index, one in enumerate(play.conditions)]
    found += [Place(needs_name=True)] * play.conditions_due
    return tuple((found + [Place()] * PLACES)[:max(PLACES, len(found))])


def tiles(sheet: "AugenDesZwielichts") -> Iterator[Tile]:
    """Yield the seven words with their dice."""
    yield from (Tile(FIELDS[key], str(one.label), one.colour, one.filled, one.combat)
                for key, one in sheet.fields.all().items())


def moves(sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Chosen]:
    """Yield the moves that may be made now."""
    yield from (Chosen(offer.key, MOVES[offer.key], MOVE_COLOURS[offer.key], offer.key in WITH_ABILITY)
                for offer in sheet.roll_offers(play) if offer.cls is rolls.Move)
