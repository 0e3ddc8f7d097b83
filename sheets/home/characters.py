"""Characters as home shows them: those in play first, with what is left of them, then drafts."""

from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from sheets.character import Character
from sheets.models import Sheet
from sheets.status.reviews import ReviewStatus


@dataclass(frozen=True)
class CharacterAtHome:
    """A character of one's own."""

    sheet: Sheet
    in_play: bool
    """True if it is finished, was played, or if its party has a scene that is open."""
    gauge: str = ""
    """The name of the first figure that comes and goes, "" where it has none with an end, or is a draft."""
    left: str = ""
    """The rest of that figure and its maximum, "7/10"."""


def with_state(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return the same sheets, in their order, with what `own_sheets` leaves out."""
    found = Sheet.objects.select_related("party").in_bulk([one.pk for one in sheets])
    return [found[one.pk] for one in sheets if one.pk in found]


def characters(sheets: Iterable[Sheet], taken: Mapping[Any, ReviewStatus],
               scenes: Container[Any]) -> list[CharacterAtHome]:
    """Return each with how it is; those in play come first. `scenes` are the parties that have one open."""
    found = [_character(one, taken[one.pk], in_play=bool(one.finished or one.played or one.party_id in scenes))
             for one in sheets]
    return sorted(found, key=lambda one: not one.in_play)


def _character(sheet: Sheet, taken: ReviewStatus, *, in_play: bool) -> CharacterAtHome:
    # A sheet that the rules can no longer read is listed by its name.
    with suppress(ValidationError):
        if in_play:
            character = Character(sheet, taken)
            unseen = {*character.ruleset.shared, *character.ruleset.table.secret}
            if first := next((one for one in character.play.gauges(character.written)
                              if one.most and one.key not in unseen), None):
                return CharacterAtHome(sheet, in_play, str(first.title), f"{first.left}/{first.most}")
    return CharacterAtHome(sheet, in_play)
