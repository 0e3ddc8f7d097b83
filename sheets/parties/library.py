"""A GM's library: opponents that belong to no party, and the encounters made of them."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Prefetch, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rulesets import systems
from rulesets.grouping import by_key
from rulesets.kit import Ruleset, short
from sheets.access import editable
from sheets.character import Character
from sheets.models import Encounter, Member, Party, Placed, Sheet
from sheets.models.called import by_name, holding
from sheets.outline import outline
from sheets.paging import asked_of_list
from sheets.parties import services as parties
from sheets.parties.opponents import LONGEST, MOST, add_opponents, numbered, unnumbered
from sheets.rolls.widgets import Widget
from sheets.status.reviews import ReviewStatus, review_statuses

MAX_ENCOUNTERS, MAX_SIDES = 200, 20
"""The most encounters of a user in a system, and the most different opponents in each."""
MAX_PER_FILE = 40
"""The most opponents of an encounter in one printed file."""
MAX_CHOICE = 200
"""The most opponents of the library that a form offers; the others are found by name."""
MAX_LABELS = 6
"""The most names of attacks, weapons, … in an opponent's line."""


class Unplaced(Exception):
    """An encounter cannot be created or changed in this way; the message tells why."""


def library_of(request: HttpRequest) -> QuerySet[Sheet]:
    """Return the opponents in the user's library."""
    return editable(request).filter(opponent=True, party=None, owner__isnull=False)


def keep_opponents(user: User, ruleset: Ruleset, name: str, bodies: list[dict[str, Any]]) -> list[Sheet]:
    """Add an opponent to the library for each body {"data", "play", "name"}; return them.

    They get the `name`, or else the names of their bodies, with numbers where names would be equal.
    """
    now, base_names = timezone.now(), [(name or base["name"])[:LONGEST] for base in bodies]
    alike = Q(pk__in=[])
    for base in {unnumbered(base) for base in base_names}:
        alike |= Q(name__startswith=base)
    kept = Sheet.objects.filter(alike, owner=user, ruleset=ruleset.slug, opponent=True, party=None, deleted=None)
    kept_names = [*kept.values_list("name", flat=True)]
    if name:
        names = numbered(base_names[0], len(bodies), kept_names)
    else:
        names = []
        for base in base_names:
            names += numbered(base, 1, [*kept_names, *names])
    return Sheet.objects.bulk_create(
        Sheet(owner=user, ruleset=ruleset.slug, opponent=True, finished=now, name=called, data=base["data"],
              play=base.get("play", {}), concept=base.get("concept", ""))
        for base, called in zip(bodies, names, strict=True))


def keep_in(user: User, ruleset: Ruleset, encounter: Encounter, name: str, bodies: list[dict[str, Any]]) -> None:
    """Add opponents to the library and to an encounter; equal ones are added once, with their number.

    Raise `Unplaced` if the encounter has no room.
    """
    alike = all(one == bodies[0] for one in bodies)
    made = keep_opponents(user, ruleset, name, bodies[:1] if alike else bodies)
    place(encounter, made, len(bodies) if alike else 1)


def body_of(sheet: Sheet) -> dict[str, Any]:
    """Return the body from which another opponent like this one is made, in its initial state of play."""
    play = sheet.system.play.model_validate(sheet.play).begun()
    return {"name": sheet.name, "data": sheet.data, "concept": sheet.concept,
            "play": play.model_dump(mode="json", exclude_defaults=True)}


@dataclass(frozen=True)
class ListedOpponent:
    """An opponent in a list: its figures as (title, value), and a line with its concept and its entries."""

    sheet: Sheet
    figures: list[tuple[str, str]]
    line: str


def with_figures(sheets: Iterable[Sheet]) -> list[ListedOpponent]:
    """Return opponents for a list, with a constant number of queries."""
    sheets = list(sheets)
    statuses = review_statuses(sheets)
    return [ListedOpponent(one, figures_of(one, statuses[one.pk]), line_of(one)) for one in sheets]


def choice_of(request: HttpRequest, ruleset: Ruleset) -> dict[str, Any]:
    """Return the template context for the choice of an opponent from the library, narrowed by the search."""
    find = asked_of_list(request, "find")["find"]
    own = library_of(request).filter(ruleset=ruleset.slug).only("name").order_by("called", "pk")
    opponents = list((own.filter(holding(find)) if find else own)[:MAX_CHOICE + 1])
    return {"own": opponents[:MAX_CHOICE], "find": find, "chosen": MAX_CHOICE, "beyond": len(opponents) > MAX_CHOICE}


def line_of(sheet: Sheet) -> str:
    """Return the line of an opponent, "" if it has no entries or the rules cannot read it."""
    ruleset = sheet.system
    try:
        outlined = outline(ruleset.sheet.model_validate(sheet.data), ruleset.house(), sheet.name)
    except ValueError:
        return ""
    labels = [short(one.label) for section in outlined.sections for one in section.entries
              if one.label.strip("– ")]
    text = ", ".join(labels[:MAX_LABELS]) + (" …" if len(labels) > MAX_LABELS else "")
    return ": ".join(filter(None, (ruleset.concept_title(sheet.concept), text)))


def figures_of(sheet: Sheet, status: ReviewStatus | None = None) -> list[tuple[str, str]]:
    """Return an opponent's gauges and card figures as (title, value); none if the rules cannot read it."""
    try:
        character = Character(sheet, status)
    except ValueError:
        return []
    figures = [(str(one.title), str(one.current) if one.most in (0, one.current) else f"{one.current} / {one.most}")
             for one in character.gauges()]
    crossing = character.ruleset.crossing
    values = crossing.figures(character.written, character.play) if crossing.card_figures else {}
    return figures + [(str(title), str(values[key])) for key, (_short, title) in crossing.card_figures.items()
                    if key in values]


def encounters(user: User, ruleset: str = "") -> QuerySet[Encounter]:
    """Return a user's encounters, of one system or of all."""
    found = Encounter.objects.filter(owner=user)
    return found.filter(ruleset=ruleset) if ruleset else found


def listed_encounters(user: User, ruleset: str) -> list[Encounter]:
    """Return a user's encounters of a system by name, with their placed opponents prefetched."""
    placed = Placed.objects.filter(sheet__deleted=None, sheet__opponent=True, sheet__party=None)
    return by_name(encounters(user, ruleset).prefetch_related(Prefetch("placed", placed)))


def on_stage(party: Party, encounters: Collection[Encounter]) -> dict[UUID, int]:
    """Return {key of an encounter: number of its opponents at the party's table}; its act counts as one."""
    at_table = party.sheets.not_deleted().filter(opponent=True).values_list("name", "data")
    counts = by_key((unnumbered(name), data) for name, data in at_table)
    alike = Q(pk__in=[])
    for name in counts:
        alike |= Q(sheet__name__startswith=name)
    numbers = {one.pk: 1 for one in encounters if one.act and one.act.items() <= party.table.items()}
    placed = Placed.objects.filter(alike, encounter__in=[one.pk for one in encounters]) if counts and encounters else ()
    for row in placed and placed.select_related("sheet"):
        if number := counts.get(unnumbered(row.sheet.name), []).count(row.sheet.data):
            numbers[row.encounter_id] = numbers.get(row.encounter_id, 0) + number
    return numbers


def new_encounter(user: User, ruleset: Ruleset, name: str, act: dict[str, Any] | None = None) -> Encounter:
    """Create an encounter; raise `Unplaced` if it has no name, or the user has too many."""
    if not name or len(name) > parties.LONGEST:
        raise Unplaced(_("Give the encounter a name of at most {most} characters.").format(most=parties.LONGEST))
    if encounters(user, ruleset.slug).count() >= MAX_ENCOUNTERS:
        raise Unplaced(ngettext("You already have {n} encounter, which is the maximum; delete one first.",
                                "You already have {n} encounters, which is the maximum; delete some first.",
                                MAX_ENCOUNTERS).format(n=MAX_ENCOUNTERS))
    return Encounter.objects.create(owner=user, ruleset=ruleset.slug, name=name, act=act or {})


def encounter_called(user: User, ruleset: Ruleset, name: str) -> Encounter:
    """Return the user's encounter with a name, created if necessary; raise `Unplaced` if that is not possible."""
    return encounters(user, ruleset.slug).filter(name=name).first() or new_encounter(user, ruleset, name)


def place(encounter: Encounter, sheets: list[Sheet], number: int = 1) -> None:
    """Add a number of each opponent to an encounter; raise `Unplaced` if it has no room. Its owner owns the sheets."""
    placed = {row.sheet_id: row for row in encounter.placed.all()}
    if len(placed.keys() | {row.pk for row in sheets}) > MAX_SIDES:
        raise Unplaced(_("An encounter has at most {most} different opponents.").format(most=MAX_SIDES))
    for sheet in sheets:
        row = placed.get(sheet.pk) or Placed(encounter=encounter, sheet=sheet, number=0)
        row.number = min(MOST, row.number + number)
        row.save()


def placed_in(encounter: Encounter) -> QuerySet[Placed]:
    """Return the placed opponents of an encounter, without those in the trash or no longer in the library."""
    placed = encounter.placed.filter(sheet__deleted=None, sheet__opponent=True, sheet__party=None)
    return placed.select_related("sheet").order_by("sheet__called", "sheet")


def bodies_of(encounter: Encounter) -> list[Sheet]:
    """Return an unsaved sheet for every single opponent of an encounter, with numbered names."""
    opponents = []
    for placed in placed_in(encounter):
        for number in range(1, placed.number + 1):
            name = placed.sheet.name if placed.number == 1 else f"{placed.sheet.name} {number}"
            opponents.append(Sheet(owner=placed.sheet.owner, ruleset=placed.sheet.ruleset, name=name, opponent=True,
                              data=placed.sheet.data, play=body_of(placed.sheet)["play"], updated=placed.sheet.updated))
    return opponents


def files_of(placed: Iterable[Placed]) -> list[tuple[int, int, int]]:
    """Return (number, first opponent, last opponent) of each printed file for the opponents of an encounter."""
    count = sum(one.number for one in placed)
    return [(number, begin + 1, min(begin + MAX_PER_FILE, count))
            for number, begin in enumerate(range(0, count, MAX_PER_FILE), 1)]


def act_of(encounter: Encounter) -> Widget | None:
    """Return the act that begins an encounter, with its answers; None in systems with opponents at the table."""
    act = systems()[encounter.ruleset].crossing.encounter
    answers = {key: [str(value)] for key, value in encounter.act.items()}
    return Widget(act.offer(), answers or None) if act else None


def put_on_stage(me: Member, encounter: Encounter) -> int:
    """Put the opponents of an encounter at a member's table; return their number. Raise `Full` without room."""
    placed = list(placed_in(encounter))
    count = sum(one.number for one in placed)
    parties.require_room(me.party, count)
    for one in placed:
        add_opponents(me, one.sheet.name[:LONGEST], [body_of(one.sheet)] * one.number)
    return count
