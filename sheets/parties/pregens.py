"""Ready-made characters: laid out by a GM, one by one or by the dice, and taken by whoever comes first."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from random import Random
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from rulesets import generate, systems
from rulesets.kit import House, Ruleset, short
from rulesets.names import one_line
from rulesets.work import WORK, compute_limit
from sheets.models import Member, Party, Sheet
from sheets.models.store import store
from sheets.notifications.services import notify
from sheets.outline import FIGURE, Fact, Value, outline
from sheets.parties import services as parties
from sheets.press.log import announce
from sheets.status.sheet_check import SheetCheck, check_sheet

FIGURES, LABELS = 8, 6
"""Figures on a card, and names in each list."""
SHARES = 4
"""The factor by which making so many may take more work than any other request; only GMs ask for it."""


def random_documents(party: Party, number: int, concept: str = "") -> list[dict[str, Any]]:
    """Return so many random characters by a party's house rules, none with a name that the party knows."""
    ruleset = systems()[party.ruleset]
    house, taken = ruleset.house.model_validate(party.house), {*party.sheets.values_list("name", flat=True)}
    return made_by_dice(ruleset, house, number, taken, concept)


def made_by_dice(ruleset: Ruleset, house: House, number: int, taken: set[str],
                 concept: str = "") -> list[dict[str, Any]]:
    """Return so many random characters by some house rules, with no name twice, nor one that is taken.

    Each is a document with the `concept` that it was made from (`Stuck` as for a single one). Where none is stated, no
    concept comes twice before each has come once.
    """
    rng, taken = Random(), {*taken}  # noqa: S311 - characters, not secrets
    found = []
    drawn = _different(ruleset, rng) if number > 1 and not concept else repeat(concept)
    with compute_limit(SHARES * WORK):
        for _number in range(number):
            slug = next(drawn)
            try:
                made = generate.character(ruleset, rng, house, slug, taken)
            except generate.Stuck:
                if slug == concept:
                    raise
                # The house leaves no room for that one, and to try them all may take long.
                drawn = repeat("")
                made = generate.character(ruleset, rng, house, "", taken)
            taken.add(made.document["name"])
            found.append({**made.document, "concept": made.concept})
    return found


def _different(ruleset: Ruleset, rng: Random) -> Iterator[str]:
    """Yield concepts without end, the frequent ones early, each once before any comes again; "" if there are none."""
    while True:
        left = {slug: one.often for slug, one in ruleset.concepts.items()} or {"": 1}
        while left:
            [slug] = rng.choices([*left], [*left.values()])
            del left[slug]
            yield slug


def lay_out(me: Member, documents: list[dict[str, Any]]) -> None:
    """Lay out copies for whoever takes them; the originals stay with the GM (`Full` without room)."""
    parties.room_for(me.party, len(documents))
    Sheet.objects.bulk_create(
        Sheet(owner=me.user, party=me.party, house=me.party.house, ruleset=me.party.ruleset, offered=True,
              finished=timezone.now(), name=one_line(one["name"]), data=one["data"], typed=one.get("typed", {}),
              concept=one.get("concept", ""))
        for one in documents)


class OneEach(Exception):
    """Somebody has taken a character already, and the GM allows no more; the message says so."""

    def __init__(self) -> None:
        super().__init__(_("You have taken a character already; here everybody takes one. A GM can allow more."))


def may_take(me: Member) -> bool:
    """Return True if a member may take a character: one each, unless the GMs allow more; they themselves may.

    What somebody took before they left and came back counts.
    """
    return me.gm or me.party.several or not me.party.takers.filter(pk=me.user_id).exists()


def take_pregen(me: Member, pk: UUID) -> Sheet | None:
    """Make the character the member's own and return it; None if it is no longer laid out (`OneEach`).

    The party is held, so that only one can be first.
    """
    if (sheet := laid_out(me.party).filter(pk=pk).first()) is None:
        return None
    if not may_take(me):
        raise OneEach
    if sheet.owner and sheet.owner != me.user:
        notify([sheet.owner], "taken", me.party, me.user, url=reverse("sheet", args=[pk]), about=sheet)
    # What was written, tried and changed before is its maker's.
    store(sheet, owner=me.user, offered=False, seen_by=me.party.seen_by, at_table=True, share=None, notes="", typed={},
          play={}, played=None)
    sheet.changes.all().delete()
    sheet.events.all().delete()
    sheet.revisions.filter(reviews=None).delete()
    me.party.takers.add(me.user)
    announce(me.party)
    return sheet


@dataclass(frozen=True)
class PregenCard:
    """A character that is laid out, with its figures and its entries of each list, so that one knows whom one takes."""

    check: SheetCheck
    line: str
    values: tuple[tuple[str, str], ...] = ()
    lists: tuple[tuple[str, str], ...] = ()


def pregen_card(ruleset: Ruleset, sheet: Sheet, house: House) -> PregenCard:
    """Return a character as a card; if the rules cannot read it, only its name."""
    check = check_sheet(ruleset, sheet, house)
    line = ruleset.concept_line(sheet.concept, sheet.data, sheet.pk.int)
    if check.verdict is None:
        return PregenCard(check, line)
    read = outline(ruleset.sheet.model_validate(sheet.data).under(house), house, sheet.name)
    told: list[Value | Fact] = [*read.values, *read.facts]
    figures = [(str(one.title), str(one.value)) for one in told if len(str(one.value)) <= FIGURE]
    lists = [(str(section.title), [short(entry.label) for entry in section.entries if entry.label])
             for section in read.sections]
    return PregenCard(check, line, tuple(figures[:FIGURES]), tuple(
        (title, ", ".join(labels[:LABELS]) + (" …" if len(labels) > LABELS else ""))
        for title, labels in lists if labels))


def laid_out(party: Party) -> QuerySet[Sheet]:
    """Return the characters that wait in a party."""
    return party.sheets.not_deleted().filter(offered=True).select_related("owner")


def withdraw(sheets: QuerySet[Sheet]) -> None:
    """Move copies that nobody took to the trash of those who made them."""
    sheets.update(party=None, offered=False, deleted=timezone.now())


def lay_out_again(me: Member, keys: list[UUID]) -> int:
    """Lay out copies once more that a GM has withdrawn and not changed since (`Full`); return how many."""
    found = Sheet.objects.filter(pk__in=keys, owner=me.user, party=None, ruleset=me.party.ruleset,
                                 deleted__isnull=False, opponent=False).exclude(finished=None)
    parties.room_for(me.party, found.count())
    return found.update(party=me.party, house=me.party.house, offered=True, deleted=None)
