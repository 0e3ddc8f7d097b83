"""The party and the readers of a sheet, as its page shows them and offers to change them."""

from functools import cache, partial
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from rulesets.kit import Wording
from sheets.character import Character
from sheets.forms.house_rules import HouseDifference, house_differences
from sheets.models import PARTY, PRIVATE, PUBLIC, Member, Party, Sheet
from sheets.models.compiled_queries import compiled
from sheets.models.store import store
from sheets.press.log import announce

ALONE: dict[str, Wording] = {
    PRIVATE: gettext_lazy("Only you"),
    PUBLIC: gettext_lazy("Public: anyone who knows the address of the sheet"),
}
IN_PARTY: dict[str, Wording] = {
    PRIVATE: gettext_lazy("Only you and the GMs of the party"),
    PARTY: gettext_lazy("You and the whole party"),
    PUBLIC: ALONE[PUBLIC],
}
"""{value of `seen_by`: title}, for sheets without a party (`ALONE`) and in one."""


def house_of(character: Character) -> list[HouseDifference]:
    """Return the house rules of a sheet that differ from the book."""
    return house_differences(character.ruleset, character.house)


def party_and_readers(character: Character, me: Member | None, user: int | None) -> dict[str, Any]:
    """Return the context of a sheet's party and readers for a user's key and, in its party, the member `me`."""
    sheet = character.sheet
    return {
        "me": me, "differences": house_of(character),
        "readers": possible_readers(sheet).items(),
        # Queried only if the page shows them.
        "parties": partial(_open_to, user, sheet), "remark": cache(partial(_remark, me, sheet)),
    }


def possible_readers(sheet: Sheet) -> dict[str, Wording]:
    """Return {value of `seen_by`: title} of the choices for a sheet."""
    return IN_PARTY if sheet.party_id else ALONE


def _open_to(user: int | None, sheet: Sheet) -> list[Party]:
    return _parties_of(user, sheet.ruleset)


@compiled
def _parties_of(user: Any, ruleset: Any) -> QuerySet[Party]:
    return Party.objects.filter(members__user=user, ruleset=ruleset).order_by("called", "pk")


def _remark(me: Member | None, sheet: Sheet) -> str:
    return "" if me is None else sheet.remarks.filter(author=me.user_id).values_list("text", flat=True).first() or ""


def show_at_table(sheet: Sheet, *, shown: bool) -> None:
    """Show or hide a locked sheet's figures to its party at the table; who reads the sheet stays as it is."""
    store(sheet, at_table=shown)
    if sheet.party:
        announce(sheet.party)
