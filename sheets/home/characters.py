"""Characters as the home page shows them: those in play first, each with its main gauge, then the others."""

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
    """One of the user's characters."""

    sheet: Sheet
    in_play: bool
    """True if it is finished, was played, or if its party has an open scene."""
    gauge: str = ""
    """The title of the first gauge that has a maximum and is the character's own, "" if there is none to show."""
    gauge_text: str = ""
    """The rest of that gauge and its maximum, "7/10"."""


def with_all_columns(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return these sheets in the same order, loaded with the columns that `sheet_list.own_sheets` defers."""
    found = Sheet.objects.select_related("party").in_bulk([one.pk for one in sheets])
    return [found[one.pk] for one in sheets if one.pk in found]


def characters(sheets: Iterable[Sheet], statuses: Mapping[Any, ReviewStatus],
               parties_in_scene: Container[Any]) -> list[CharacterAtHome]:
    """Return each sheet as a `CharacterAtHome`, those in play first.

    `parties_in_scene` are the keys of the parties that have an open scene.
    """
    found = [_character(one, statuses[one.pk],
                        in_play=bool(one.finished or one.played or one.party_id in parties_in_scene))
             for one in sheets]
    return sorted(found, key=lambda one: not one.in_play)


def _character(sheet: Sheet, status: ReviewStatus, *, in_play: bool) -> CharacterAtHome:
    # A sheet that the rules can no longer read is listed only by its name, without a gauge.
    with suppress(ValidationError):
        if in_play:
            character = Character(sheet, status)
            left_out = {*character.ruleset.shared, *character.ruleset.table.secret}
            if first := next((gauge for gauge in character.play.gauges(character.written)
                              if gauge.most and gauge.key not in left_out), None):
                return CharacterAtHome(sheet, in_play, str(first.title), f"{first.current}/{first.most}")
    return CharacterAtHome(sheet, in_play)
