"""Rolls as rows under their headings, and what they promise with other answers."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from django.core.paginator import Page, Paginator

from rulesets.kit import Offer, Wording
from sheets.forms.inputs import Answers
from sheets.models import Event
from sheets.rolls.against import Against
from sheets.rolls.followups import RollCard
from sheets.rolls.widgets import chosen, key_of, widgets

MANY = 12
"""Rolls from which on their buttons are quieter."""
ROLLS = 36
"""Rolls on one page; a sheet may have two hundred."""
PAGE = "_rolls"
"""What says which page of them is asked for; no parameter of a roll begins so."""
Shown = TypeVar("Shown")


def grouped(found: Iterable[Shown], offer_of: Callable[[Shown], Offer]) -> list[tuple[Wording, list[Shown]]]:
    """(heading, what stands under it), in the order in which the headings come first."""
    groups: dict[str, tuple[Wording, list[Shown]]] = {}
    for one in found:
        heading = offer_of(one).group
        groups.setdefault(str(heading), (heading, []))[1].append(one)
    return list(groups.values())


def roll_rows(cards: list[RollCard], which: str = "") -> dict[str, Any]:
    """The rows of the rolls under their headings, what is seldom wanted apart."""
    usual = [card for card in cards if not card.widget.offer.rare]
    rare = [card for card in cards if card.widget.offer.rare]
    return {"roll_groups": grouped(usual, lambda card: card.widget.offer), "rare": rare, "cards": cards,
            "many": len(cards) > MANY, "rare_open": any(card.widget.key == which for card in rare)}


def rolls_page(offers: list[Offer], last: Mapping[str, Event], answers: Answers, which: str) -> Page[Offer]:
    """The page that is asked for, or the one of the roll named `which`, or of the one that was made last."""
    keys = [key_of(one) for one in offers]
    _pk, made = max(((event.pk, key) for key, event in last.items() if key in keys), default=(0, ""))
    wanted = next((keys.index(key) // ROLLS + 1 for key in (which, made) if key in keys), 1)
    return Paginator(offers, ROLLS).get_page(answers.get(PAGE, [wanted])[-1])


def promises(offers: list[Offer], against: Against, answers: Answers, which: str, sheet_url: str) -> dict[str, Any]:
    """What rolls promise with other answers: the one named `which`, with its whole chart, else all with a target."""
    found = [chosen(offers, {**against.answers, **answers}, which)] if which else [
        one for one in widgets(offers, against=against.answers) if one.aims]
    return {"promises": [RollCard(one) for one in found if one], "which": which, "sheet_url": sheet_url}
