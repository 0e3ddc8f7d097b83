"""Standing responses: what a player does whenever a sheet is asked for a response, without being asked again."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from rulesets.kit import FORGO
from sheets.access import played_by
from sheets.models import Member, Sheet
from sheets.models.scenes import worded
from sheets.models.store import store
from sheets.status.reviews import shown_names

MOST = 12
"""The most standing responses of a sheet; the oldest is dropped for a new one."""


@dataclass(frozen=True)
class StandingResponses:
    """The standing responses of a sheet, as a page shows them."""

    sheet: Sheet
    name: str
    titles: list[str]


def keep_standing(me: Member, sheet: Sheet, response: str, titles: dict[str, str]) -> None:
    """Give a response without being asked from now on; not to respond is always the last one. The party is locked."""
    others = [one for one in me.standing.get(str(sheet.pk), []) if one[0] != response]
    found = sorted([*others, [response, titles]], key=lambda one: one[0] == FORGO)
    store(me, standing=me.standing | {str(sheet.pk): found[-MOST:]})


def end_standing(me: Member, sheet: str) -> None:
    """Be asked again for the responses of a sheet. The party is locked."""
    store(me, standing={key: found for key, found in me.standing.items() if key != sheet})


def standing_shown(me: Member) -> Iterator[StandingResponses]:
    """Yield the standing responses of the sheets at the table that a member plays."""
    sheets = list(played_by(me).filter(pk__in=[UUID(key) for key in me.standing])) if me.standing else []
    names = shown_names(sheets)
    for sheet in sheets:
        yield StandingResponses(sheet, names[sheet.pk], [worded(titles) for _key, titles in me.standing[str(sheet.pk)]])
