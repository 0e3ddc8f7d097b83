"""Changes of a party's house rules: their effects are worked out before anything is held, and saved as shown."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from rulesets import systems
from rulesets.document import house_data
from rulesets.grouping import by_key
from rulesets.kit import House
from sheets.forms.house_rules import HouseForm
from sheets.models import Member, Sheet
from sheets.models.store import store
from sheets.notifications.services import notify
from sheets.parties.house_impact import HouseImpact, house_impacts, impact_digest


@dataclass(frozen=True)
class PartySheets:
    """A party, as seen by one of its GMs, with the sheets that its house rules apply to."""

    me: Member
    sheets: list[Sheet]

    @property
    def content(self) -> tuple[int, list[tuple[Any, ...]]]:
        """The version and the sheets' content, which are what is checked and told."""
        return self.me.party.version, [(one.pk, one.owner_id, one.name, one.data, one.typed, one.house)
                                       for one in self.sheets]


def party_sheets(me: Member, *, lock: bool = False) -> PartySheets:
    """Return the sheets of a party; with `lock` they are held, so that none changes between what is shown and saved."""
    found = me.party.sheets.not_deleted().select_related("owner").order_by("called", "pk")
    return PartySheets(me, list(found.select_for_update(of=("self",)) if lock else found))


@dataclass(frozen=True)
class HouseChange:
    """House rules that a form asks for, and their effect on each sheet: none if the form does not make any."""

    of: PartySheets
    form: HouseForm
    impacts: list[HouseImpact]

    @property
    def seen(self) -> str:
        """A digest of all that is shown; only what was shown may be saved."""
        return impact_digest(self.form.house, self.impacts) if self.form.house else ""

    def fits(self, held: PartySheets) -> bool:
        """Return True if the party and its sheets, held now, are as they were when they were checked."""
        return self.of.content == held.content


def house_form(me: Member, texts: Mapping[str, str] | None = None) -> HouseForm:
    """Return the party's house rules in a form, as posted or as they are."""
    return HouseForm(systems()[me.party.ruleset], house_now(me), texts)


def house_now(me: Member) -> House:
    """Return the house rules that apply in the party."""
    return systems()[me.party.ruleset].house.model_validate(me.party.house)


def prepare_house(found: PartySheets, *, texts: Mapping[str, str]) -> HouseChange:
    """Return the effects of other house rules; checking every sheet twice takes a while."""
    form = house_form(found.me, texts)
    now = house_form(found.me).house
    return HouseChange(found, form, house_impacts(
        systems()[found.me.party.ruleset], found.sheets, now, form.house) if now and form.house else [])


def save_house(held: PartySheets, change: HouseChange, *, version: str, seen: str) -> tuple[HouseChange, bool]:
    """Save the house rules if they and their effects are as shown; return the change, and True if it was saved."""
    if change.form.house is None or version != str(held.me.party.version) or seen != change.seen:
        return change, False
    set_house(held.me, change.form.house, change.impacts)
    return change, True


def set_house(me: Member, house: House, impacts: list[HouseImpact]) -> None:
    """Set the house rules of a held party and of its sheets, and tell the others about the effects."""
    party, by = me.party, me.user
    store(party, house=house_data(house), version=party.version + 1)
    # Thrown away sheets, too: they may be brought back.
    party.sheets.update(house=party.house)
    turned = Counter(one.sheet.owner_id for one in impacts if one.turned)
    others = party.members.exclude(user=by).select_related("user")
    for n, users in by_key((turned[member.user_id], member.user) for member in others).items():
        notify(users, "house", party, by, url=reverse("house", args=[party.pk]), turned=n)
