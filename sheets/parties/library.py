"""A GM's own opponents, kept over all parties, and the encounters made of them."""

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

ENCOUNTERS, SIDES = 200, 20
"""The most encounters of one person in a system, and different opponents in each."""
ON_STAGE = 40
"""The most opponents of an encounter in one file."""
CHOSEN = 200
"""The most kept opponents among which one chooses at once; the page says so, and the others are found by name."""
LABELS = 6
"""Names of attacks, weapons, … in an opponent's line."""


class Unplaced(Exception):
    """An encounter has no room for that; the message says why."""


def library_of(request: HttpRequest) -> QuerySet[Sheet]:
    """Return the opponents that the request's user keeps."""
    return editable(request).filter(opponent=True, party=None, owner__isnull=False)


def keep_opponents(user: User, ruleset: Ruleset, name: str, bodies: list[dict[str, Any]]) -> list[Sheet]:
    """Keep an opponent for each body {"data", "play", "name"}, told apart by numbers; without a `name` by its own."""
    now, wanted = timezone.now(), [(name or one["name"])[:LONGEST] for one in bodies]
    alike = Q(pk__in=[])
    for one in {unnumbered(one) for one in wanted}:
        alike |= Q(name__startswith=one)
    kept = Sheet.objects.filter(alike, owner=user, ruleset=ruleset.slug, opponent=True, party=None, deleted=None)
    there = [*kept.values_list("name", flat=True)]
    if name:
        names = numbered(wanted[0], len(bodies), there)
    else:
        names = []
        for one in wanted:
            names += numbered(one, 1, [*there, *names])
    return Sheet.objects.bulk_create(
        Sheet(owner=user, ruleset=ruleset.slug, opponent=True, finished=now, name=called, data=one["data"],
              play=one.get("play", {}), concept=one.get("concept", ""))
        for one, called in zip(bodies, names, strict=True))


def keep_in(user: User, ruleset: Ruleset, encounter: Encounter, name: str, bodies: list[dict[str, Any]]) -> None:
    """Keep opponents and put them into an encounter, those who are all alike as one in number (`Unplaced`)."""
    alike = all(one == bodies[0] for one in bodies)
    made = keep_opponents(user, ruleset, name, bodies[:1] if alike else bodies)
    place(encounter, made, len(bodies) if alike else 1)


def body_of(sheet: Sheet) -> dict[str, Any]:
    """Return an opponent as the body of another, to which nothing has happened yet."""
    play = sheet.system.play.model_validate(sheet.play).begun()
    return {"name": sheet.name, "data": sheet.data, "concept": sheet.concept,
            "play": play.model_dump(mode="json", exclude_defaults=True)}


@dataclass(frozen=True)
class ListedOpponent:
    """An opponent as a GM finds it in a list: its figures, and in a line its kind and what it can do."""

    sheet: Sheet
    figures: list[tuple[str, str]]
    line: str


def with_figures(sheets: Iterable[Sheet]) -> list[ListedOpponent]:
    """Return opponents as they stand in lists; by as many queries for many as for one."""
    sheets = list(sheets)
    statuses = review_statuses(sheets)
    return [ListedOpponent(one, figures_of(one, statuses[one.pk]), line_of(one)) for one in sheets]


def choice_of(request: HttpRequest, ruleset: Ruleset) -> dict[str, Any]:
    """Return the kept opponents among which a page lets one choose, all or those that its search finds."""
    find = asked_of_list(request, "find")["find"]
    own = library_of(request).filter(ruleset=ruleset.slug).only("name").order_by("called", "pk")
    found = list((own.filter(holding(find)) if find else own)[:CHOSEN + 1])
    return {"own": found[:CHOSEN], "find": find, "chosen": CHOSEN, "beyond": len(found) > CHOSEN}


def line_of(sheet: Sheet) -> str:
    """Return an opponent in a line, "" if the rules cannot read it or it has nothing of that."""
    ruleset = sheet.system
    try:
        read = outline(ruleset.sheet.model_validate(sheet.data), ruleset.house(), sheet.name)
    except ValueError:
        return ""
    labels = [short(one.label) for section in read.sections for one in section.entries
              if one.label.strip("– ")]
    told = ", ".join(labels[:LABELS]) + (" …" if len(labels) > LABELS else "")
    return ": ".join(filter(None, (ruleset.concept_title(sheet.concept), told)))


def figures_of(sheet: Sheet, status: ReviewStatus | None = None) -> list[tuple[str, str]]:
    """Return the figures by which a GM knows an opponent, (title, value); none if the rules cannot read it."""
    try:
        character = Character(sheet, status)
    except ValueError:
        return []
    found = [(str(one.title), str(one.left) if one.most in (0, one.left) else f"{one.left} / {one.most}")
             for one in character.gauges()]
    crossing = character.ruleset.crossing
    known = crossing.figures(character.written, character.play) if crossing.card_figures else {}
    return found + [(str(title), str(known[key])) for key, (_short, title) in crossing.card_figures.items()
                    if key in known]


def encounters(user: User, ruleset: str = "") -> QuerySet[Encounter]:
    """Return somebody's encounters, of one system or of all."""
    found = Encounter.objects.filter(owner=user)
    return found.filter(ruleset=ruleset) if ruleset else found


def listed_encounters(user: User, ruleset: str) -> list[Encounter]:
    """Return somebody's encounters of a system in the order of their names, each with what stands in it."""
    there = Placed.objects.filter(sheet__deleted=None, sheet__opponent=True, sheet__party=None)
    return by_name(encounters(user, ruleset).prefetch_related(Prefetch("placed", there)))


def on_stage(party: Party, found: Collection[Encounter]) -> dict[UUID, int]:
    """Return {key: number} of encounters that are at a party's table: how many of theirs stand there, 1 for an act."""
    at_table = party.sheets.not_deleted().filter(opponent=True).values_list("name", "data")
    there = by_key((unnumbered(name), data) for name, data in at_table)
    alike = Q(pk__in=[])
    for name in there:
        alike |= Q(sheet__name__startswith=name)
    numbers = {one.pk: 1 for one in found if one.act and one.act.items() <= party.table.items()}
    placed = Placed.objects.filter(alike, encounter__in=[one.pk for one in found]) if there and found else ()
    for one in placed and placed.select_related("sheet"):
        if many := there.get(unnumbered(one.sheet.name), []).count(one.sheet.data):
            numbers[one.encounter_id] = numbers.get(one.encounter_id, 0) + many
    return numbers


def new_encounter(user: User, ruleset: Ruleset, name: str, act: dict[str, Any] | None = None) -> Encounter:
    """Make an encounter (`Unplaced` without a name or room)."""
    if not name or len(name) > parties.LONGEST:
        raise Unplaced(_("Give the encounter a name of at most {most} characters.").format(most=parties.LONGEST))
    if encounters(user, ruleset.slug).count() >= ENCOUNTERS:
        raise Unplaced(ngettext("You have {n} encounter already, the most there can be; delete one first.",
                                "You have {n} encounters already, the most there can be; delete some first.",
                                ENCOUNTERS).format(n=ENCOUNTERS))
    return Encounter.objects.create(owner=user, ruleset=ruleset.slug, name=name, act=act or {})


def encounter_called(user: User, ruleset: Ruleset, name: str) -> Encounter:
    """Return somebody's encounter of a name, a new one if there is none (`Unplaced`)."""
    return encounters(user, ruleset.slug).filter(name=name).first() or new_encounter(user, ruleset, name)


def place(encounter: Encounter, sheets: list[Sheet], number: int = 1) -> None:
    """Put opponents of its owner's into an encounter, once more each (`Unplaced` without room)."""
    there = {one.sheet_id: one for one in encounter.placed.all()}
    if len(there.keys() | {one.pk for one in sheets}) > SIDES:
        raise Unplaced(_("An encounter has at most {most} different opponents.").format(most=SIDES))
    for sheet in sheets:
        one = there.get(sheet.pk) or Placed(encounter=encounter, sheet=sheet, number=0)
        one.number = min(MOST, one.number + number)
        one.save()


def placed_in(encounter: Encounter) -> QuerySet[Placed]:
    """Return what stands in an encounter, without opponents in the trash or no longer kept."""
    found = encounter.placed.filter(sheet__deleted=None, sheet__opponent=True, sheet__party=None)
    return found.select_related("sheet").order_by("sheet__called", "sheet")


def bodies_of(encounter: Encounter) -> list[Sheet]:
    """Return every single opponent of an encounter, numbered, to be read and not to be saved."""
    made = []
    for one in placed_in(encounter):
        for number in range(1, one.number + 1):
            name = one.sheet.name if one.number == 1 else f"{one.sheet.name} {number}"
            made.append(Sheet(owner=one.sheet.owner, ruleset=one.sheet.ruleset, name=name, opponent=True,
                              data=one.sheet.data, play=body_of(one.sheet)["play"], updated=one.sheet.updated))
    return made


def files_of(placed: Iterable[Placed]) -> list[tuple[int, int, int]]:
    """Return (its number, its first opponent, its last) of each file that what stands in an encounter takes."""
    count = sum(one.number for one in placed)
    return [(number, begin + 1, min(begin + ON_STAGE, count))
            for number, begin in enumerate(range(0, count, ON_STAGE), 1)]


def act_of(encounter: Encounter) -> Widget | None:
    """Return the act that begins an encounter with its answers, None where opponents sit at the table."""
    act = systems()[encounter.ruleset].crossing.encounter
    answers = {key: [str(value)] for key, value in encounter.act.items()}
    return Widget(act.asking(), answers or None) if act else None


def put_on_stage(me: Member, encounter: Encounter) -> int:
    """Put an encounter at a member's table, numbered on from those there (`Full`); return how many came."""
    found = list(placed_in(encounter))
    count = sum(one.number for one in found)
    parties.room_for(me.party, count)
    for one in found:
        add_opponents(me, one.sheet.name[:LONGEST], [body_of(one.sheet)] * one.number)
    return count
