"""Changes of a party's house rules: their effects are computed before anything is locked, and saved as shown."""

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
    """The membership of a GM in a party, with the sheets to which its house rules apply."""

    me: Member
    sheets: list[Sheet]

    @property
    def content(self) -> tuple[int, list[tuple[Any, ...]]]:
        """The version of the party and everything about its sheets on which the impacts depend."""
        return self.me.party.version, [(one.pk, one.owner_id, one.name, one.data, one.typed, one.house)
                                       for one in self.sheets]


def party_sheets(me: Member, *, lock: bool = False) -> PartySheets:
    """Return the sheets of a party, locked if `lock` is True."""
    sheets = me.party.sheets.not_deleted().select_related("owner").order_by("called", "pk")
    return PartySheets(me, list(sheets.select_for_update(of=("self",)) if lock else sheets))


@dataclass(frozen=True)
class HouseChange:
    """A posted form of house rules and their impact on each sheet; no impacts if the form is invalid."""

    of: PartySheets
    form: HouseForm
    impacts: list[HouseImpact]

    @property
    def seen(self) -> str:
        """The digest of the rules and impacts, "" if the form is invalid."""
        return impact_digest(self.form.house, self.impacts) if self.form.house else ""

    def fits(self, locked: PartySheets) -> bool:
        """Return True if the party and its sheets, now locked, have not changed since they were checked."""
        return self.of.content == locked.content


def house_form(me: Member, texts: Mapping[str, str] | None = None) -> HouseForm:
    """Return the form of a party's house rules, with the posted texts or as they are stored."""
    return HouseForm(systems()[me.party.ruleset], house_now(me), texts)


def house_now(me: Member) -> House:
    """Return the house rules that apply in the party."""
    return systems()[me.party.ruleset].house.model_validate(me.party.house)


def rules_digest(me: Member) -> str:
    """Return a digest of the house rules that apply in the party."""
    return impact_digest(house_now(me), [])


def is_stale(me: Member, texts: Mapping[str, str]) -> bool:
    """Return True if a form shows other house rules than the party has; its version counts other changes too."""
    return texts.get("_version") != str(me.party.version) and texts.get("_rules") != rules_digest(me)


def prepare_house(party_sheets: PartySheets, *, texts: Mapping[str, str]) -> HouseChange:
    """Return the change that a form makes. This is slow, because every sheet is checked twice."""
    form = house_form(party_sheets.me, texts)
    now = house_form(party_sheets.me).house
    return HouseChange(party_sheets, form, house_impacts(
        systems()[party_sheets.me.party.ruleset], party_sheets.sheets, now, form.house) if now and form.house else [])


def save_house(locked: PartySheets, change: HouseChange, *, texts: Mapping[str, str]) -> tuple[HouseChange, bool]:
    """Save house rules if they and their impacts are as shown; return the change, and True if it was saved."""
    if change.form.house is None or is_stale(locked.me, texts) or texts.get("_seen", "") != change.seen:
        return change, False
    set_house(locked.me, change.form.house, change.impacts)
    return change, True


def set_house(me: Member, house: House, impacts: list[HouseImpact]) -> None:
    """Set the house rules of a locked party and of its sheets, and notify the other members."""
    party, user = me.party, me.user
    store(party, house=house_data(house), version=party.version + 1)
    # Include sheets in the trash, which may be restored.
    party.sheets.update(house=party.house)
    turned = Counter(one.sheet.owner_id for one in impacts if one.verdict_changes)
    others = party.members.exclude(user=user).select_related("user")
    for n, users in by_key((turned[member.user_id], member.user) for member in others).items():
        notify(users, "house", party, user, url=reverse("house", args=[party.pk]), turned=n)
