"""The roll of a receipt as its reader may see it, and the right to share it by its link."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from django.http import HttpRequest
from django.utils.translation import gettext as _

from rulesets import systems
from rulesets.kit import FreeRoll, Ruleset, percent
from rulesets.names import isolated
from sheets.access import memberships, owns, readable
from sheets.character import Character
from sheets.models import GMS, PUBLIC, Event, Receipt, Sheet
from sheets.pages.held_receipts import is_held, roller_of
from sheets.press.log import as_read, as_seen
from sheets.rolls.odds_chart import OddsBar, odds_of
from sheets.rolls.stored import event_text, roll_chart, roll_of_event, stored_dice
from sheets.rolls.tray import ShownTray, tray_of
from sheets.stage.table import PartyTable
from sheets.stage.table_log import TableLog, TargetEffect
from sheets.status.reviews import review_status

MAX_FRACTION = 15
"""The most characters of a chance as a fraction."""


@dataclass(frozen=True)
class SeenRoll:
    """A roll as a reader may see it: `event` is a copy for that reader, `roller` the name of whoever rolled it."""

    event: Event
    roller: str
    ruleset: Ruleset
    deed: str = ""
    refused: bool = False
    """True if it was refused after its dice fell."""
    by_link: bool = False
    """True if its reader may see it only because of its link, and nothing else of its log."""
    effects: tuple[TargetEffect, ...] = ()
    """Its effects on its targets."""

    @property
    def title(self) -> str:
        """The roll in a few words: who did what to whom."""
        what = self.deed or f"{self.event.what} {self.event.at}".strip()
        roller = isolated(self.roller)
        return f"{roller} {what}" if self.deed else ": ".join(filter(None, (roller, what)))

    @property
    def text(self) -> str:
        """Its outcome in words; that it was refused, if it was."""
        if self.refused:
            return _("refused")
        return event_text(self.ruleset, self.event) or self.event.words

    @property
    def odds(self) -> tuple[OddsBar, ...]:
        """The chart of its exact odds; empty if its reader does not know all its figures."""
        known = self.event.roll and not (self.refused or self.event.veiled)
        return roll_chart(self.ruleset, self.event.roll, self.event.given, self.event.outcome) if known else ()

    @property
    def chance(self) -> str:
        """The exact chance of its outcome, "" if its odds are not known."""
        roll = roll_of_event(self.ruleset, self.event) if self.odds else None
        odds = odds_of(roll) if roll else None
        chance = odds.chances.get(cast("Any", self.event.outcome)) if odds else None
        if chance is None:
            return ""
        exact = f" ({chance})" if len(str(chance)) <= MAX_FRACTION else ""
        return f"{percent(chance)}{exact}"

    @property
    def dice(self) -> list[tuple[int, str, int]]:
        """(face, colour, times) of each die, or of each heap of equal ones."""
        return stored_dice(self.ruleset, self.event.roll, self.event.parameters, self.event.faces)

    @property
    def sides(self) -> int:
        """The sides of its dice, as a line of the log shows them."""
        return getattr(self.ruleset.rolls.get(self.event.roll), "sides", 6)

    @property
    def tray(self) -> ShownTray | None:
        """The dice that lie in the tray, as the page shows them."""
        found = None if self.refused else tray_of(self.ruleset, self.event)
        return replace(found, follows=(), remaining=(), root_again=(), reroll_acts=(), undo=None) if found else None


def seen_roll(request: HttpRequest, receipt: Receipt) -> SeenRoll | None:
    """Return the roll of a receipt as the reader may see it; None if they may not see everything on the receipt."""
    if is_held(receipt):
        return None
    if receipt.dice_log:
        found = _on_dice_page(receipt, request.user.get_username()) if _made(request, receipt) else None
    else:
        found = _with_parameters(seen_in_log(request, receipt.event), receipt) if receipt.event else _refused(
            request, receipt)
    if found is None and receipt.shared and (found := seen_by_strangers(receipt)):
        return replace(found, by_link=True)
    return found


def seen_in_log(request: HttpRequest, event: Event) -> SeenRoll | None:
    """Return a roll as a reader of its log sees it; None if they may not see all its dice."""
    return _with_dice(_at_table(request, event) or _on_sheet(request, event), event)


def seen_by_strangers(receipt: Receipt) -> SeenRoll | None:
    """Return a roll as anybody with its link sees it while it is shared; None if strangers may not see it now."""
    event = receipt.event
    if receipt.dice_log:
        return _on_dice_page(receipt)
    if event is None or event.hidden:
        return None
    return _with_parameters(
        _with_dice(_of_sheet(event, event.sheet) if event.sheet else _of_party(event), event), receipt)


def may_share(request: HttpRequest, receipt: Receipt) -> bool:
    """Return True for the owner of the rolling sheet, GMs for rolls by GMs, and the roller on a dice page."""
    if receipt.dice_log:
        return _made(request, receipt)
    if (event := receipt.event) is None:
        return False
    if event.sheet and owns(request, event.sheet):
        return True
    by_gm = event.sheet is None or event.sheet.opponent
    return by_gm and event.party_id is not None and memberships(request).filter(
        party=event.party_id, role__in=GMS).exists()


def role_in_party(request: HttpRequest, receipt: Receipt) -> str:
    """Return the role of the reader in the party in whose scene a roll was made, "" if they are not in it."""
    if receipt.scene is None:
        return ""
    return memberships(request).filter(party=receipt.scene.party_id).values_list("role", flat=True).first() or ""


def _made(request: HttpRequest, receipt: Receipt) -> bool:
    return bool(receipt.dice_log and request.user.is_authenticated and receipt.dice_log.user_id == request.user.pk)


def _on_dice_page(receipt: Receipt, roller: str = "") -> SeenRoll | None:
    """Return the roll of a dice page; None if it was refused, or the system is gone."""
    rolled = receipt.rolled
    if not (rolled and receipt.outcome) or (ruleset := _ruleset_of(receipt)) is None:
        return None
    slug, given = _slug_and_parameters(rolled)
    roll = ruleset.rolls.get(slug)
    event = Event(roll=slug, given=given, faces=receipt.outcome["faces"], made=receipt.made,
                  outcome=receipt.outcome["value"], figures=receipt.outcome["figures"],
                  title=str(roll.title) if roll else slug)
    return SeenRoll(event, roller, ruleset)


def _ruleset_of(receipt: Receipt) -> Ruleset | None:
    """Return the system of a roll; for a free roll that of its scene or sheet, or any."""
    rolled = receipt.rolled or {}
    if "formula" not in rolled:
        return systems().get(rolled["ruleset"])
    made_for = (receipt.scene and receipt.scene.party) or receipt.sheet
    return systems().get(made_for.ruleset) if made_for else next(iter(systems().values()))


def _slug_and_parameters(rolled: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the slug and the parameters of a signed roll; the slug is "" if an act made it."""
    if "formula" in rolled:
        return FreeRoll.slug, {"formula": rolled["formula"]}
    return rolled.get("roll", ""), rolled["parameters"]


def _refused(request: HttpRequest, receipt: Receipt) -> SeenRoll | None:
    """Return a roll that was refused after its dice fell, for whoever made it and for GMs."""
    rolled, mine = receipt.rolled, bool(request.user.is_authenticated and receipt.made_by_id == request.user.pk)
    party = receipt.scene.party_id if receipt.scene else receipt.sheet.party_id if receipt.sheet else None
    by_gm = party is not None and memberships(request).filter(party=party, role__in=GMS).exists()
    ruleset = _ruleset_of(receipt) if rolled is not None else None
    if rolled is None or ruleset is None or not (mine or by_gm):
        return None
    if ruleset.secretive and not _owns_roller(request, receipt):
        return None
    cls = ruleset.rolls.get(_slug_and_parameters(rolled)[0]) or ruleset.acts.get(rolled.get("act", ""))
    event = Event(title=str(cls.title if cls else ""), faces=[die[2] for die in receipt.dice])
    return SeenRoll(event, receipt.made_by.get_username() if receipt.made_by else "", ruleset, refused=True)


def _owns_roller(request: HttpRequest, receipt: Receipt) -> bool:
    """Return True for the owner of the sheet that made a refused roll, and for whoever made it without a sheet."""
    sheet = roller_of(receipt)
    return owns(request, sheet) if sheet else not (receipt.rolled or {}).get("by") and receipt.sheet_id is None


def _with_dice(found: SeenRoll | None, event: Event) -> SeenRoll | None:
    """Return a roll if its reader sees all its dice, else None: its receipt shows all of them."""
    return found if found and found.event.roll and found.event.faces == event.thrown else None


def _with_parameters(found: SeenRoll | None, receipt: Receipt) -> SeenRoll | None:
    """Return a roll unless its receipt, the same for all, has a parameter that the log hides from the reader."""
    if found is None:
        return None
    secret = {*found.event.veiled.get("given", ()), *found.event.veiled.get("done", ())}
    told = (receipt.rolled or {}).get("parameters", {})
    return None if any(told.get(name) is not None for name in secret) else found


def _at_table(request: HttpRequest, event: Event) -> SeenRoll | None:
    if event.party_id is None or not request.user.is_authenticated:
        return None
    if (me := memberships(request).filter(party=event.party_id).first()) is None:
        return None
    # Cached, because the rolls around this one are read at the same table.
    logs = vars(request).setdefault("_table_logs", {})
    log = logs.get(me.pk) or logs.setdefault(me.pk, TableLog(PartyTable(me, everywhere=True)))
    line = next(iter(log.lines_about(event.pk)), None)
    return line and SeenRoll(line.event, line.who, systems()[me.party.ruleset], line.deed, effects=line.effects)


def _on_sheet(request: HttpRequest, event: Event) -> SeenRoll | None:
    if event.sheet_id is None or event.hidden:
        return None
    sheet = readable(request).filter(pk=event.sheet_id).select_related("party").first()
    return _as_read(event, sheet, request.user.pk, others=not owns(request, sheet)) if sheet else None


def _of_sheet(event: Event, sheet: Sheet) -> SeenRoll | None:
    """Return the roll of a sheet, or of an opponent, as everybody may see it."""
    if sheet.deleted or (found := _as_read(event, sheet, None, others=True)) is None:
        return None
    return replace(found, event=found.event.outwardly()) if sheet.opponent and sheet.seen_by != PUBLIC else found


def _of_party(event: Event) -> SeenRoll | None:
    """Return a roll that a GM made for the party as everybody may see it."""
    if event.party is None or (ruleset := systems().get(event.party.ruleset)) is None:
        return None
    return SeenRoll(as_read([event], None)[0], _("GM"), ruleset)


def _as_read(event: Event, sheet: Sheet, reader: int | None, *, others: bool) -> SeenRoll | None:
    if sheet.ruleset not in systems():
        return None
    character = Character(sheet, review_status(sheet), others=others)
    character.reader = reader
    [seen] = as_seen(character, [event])
    return SeenRoll(seen, character.name.strip() or _("Without a name"), character.ruleset)
