"""Rolls as rows under their headings, and what they promise with other answers."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

from django.core.paginator import Page, Paginator
from django.utils.http import urlencode

from rulesets.kit import Offer, Wording
from sheets.forms.inputs import Answers
from sheets.models import Event
from sheets.rolls.against import AGAINST, Against
from sheets.rolls.followups import RollCard
from sheets.rolls.widgets import chosen, key_of, widgets

MANY = 8
"""Rolls in view from which on their buttons are quieter; folded ones up to which they need no headings."""
ROLLS = 24
"""Rolls on one page; a sheet may have two hundred."""
FEW = 8
"""Rolls that make no page of their own, and stand on the one before."""
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


def roll_rows(cards: list[RollCard], which: str = "", folded: Collection[Wording] = ()) -> dict[str, Any]:
    """The rows of the rolls under their headings; what is seldom wanted, or under a `folded` one, folded.

    By heading, unless these are a few of which none is such a one: their headings would stand there twice.
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
    """What of a form holds for the whole page, whatever is pressed: against whom, and the page of the rolls."""
    return {name: texts for name, texts in answers.items() if name == PAGE or name.startswith(AGAINST)}


def holding(against: Against, page: Page[Offer]) -> Answers:
    """The same as a page says it, nothing where nothing is asked and all rolls stand on one page."""
    return {**against.answers, **({PAGE: [str(page.number)]} if page.has_other_pages() else {})}


def address_of(against: Against, page: Page[Offer]) -> str:
    """The same as it stands in an address."""
    return urlencode(holding(against, page), doseq=True)


def rolls_page(offers: list[Offer], last: Mapping[str, Event], answers: Answers, which: str) -> Page[Offer]:
    """The page that is asked for, or the one of the roll named `which`, or of the one that was made last."""
    asked: Any = answers.get(PAGE, [1])[-1]
    if PAGE not in answers and len(offers) > ROLLS:
        keys = [key_of(one) for one in offers]
        _pk, made = max(((event.pk, key) for key, event in last.items() if key in keys), default=(0, ""))
        asked = next((keys.index(key) // ROLLS + 1 for key in (which, made) if key in keys), 1)
    return Paginator(offers, ROLLS, orphans=FEW).get_page(asked)


def pages_shown(page: Page[Offer], against: Against) -> dict[str, Any]:
    """The page of the rolls that is shown, and where there are others all of them, each with what leads there."""
    pages = [(one, address_of(against, one)) for one in page.paginator] if page.has_other_pages() else []
    return {"rolls_page": page, "rolls_pages": pages}


def promises(offers: list[Offer], against: Against, answers: Answers, which: str, sheet_url: str) -> dict[str, Any]:
    """What rolls promise with other answers: the one named `which`, with its whole chart, else all with a target."""
    if which:
        found = [chosen(offers, {**against.answers, **answers}, which)]
        return {"promises": [RollCard(one) for one in found if one], "which": which, "sheet_url": sheet_url}
    page = rolls_page(offers, {}, answers, "")
    aiming = [one for one in widgets(page.object_list, against=against.answers) if one.aims]
    return {"promises": [RollCard(one) for one in aiming], "sheet_url": sheet_url,
            **pages_shown(page, against)}
