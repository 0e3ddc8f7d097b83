"""Ready-made characters (pregens), which a GM offers in a party; the first member who wants one takes it."""

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
from sheets.removal import remove_events
from sheets.status.sheet_check import SheetCheck, check_sheet

MAX_FIGURES, MAX_LABELS = 8, 6
"""The most figures on a card, and the most names in each list."""
WORK_FACTOR = 4
"""The factor on the work limit of a request for making several characters, which only GMs can do."""


def random_documents(party: Party, number: int, concept: str = "") -> list[dict[str, Any]]:
    """Return documents of random characters under a party's house rules, with names that are new to the party."""
    ruleset = systems()[party.ruleset]
    house, taken = ruleset.house.model_validate(party.house), {*party.sheets.values_list("name", flat=True)}
    return random_characters(ruleset, house, number, taken, concept)


def random_characters(ruleset: Ruleset, house: House, number: int, taken: set[str],
                 concept: str = "") -> list[dict[str, Any]]:
    """Return documents of random characters under house rules, with distinct names that are not `taken`.

    Each has the key "concept". Without a given `concept`, none is used twice before each was used once. Raise `Stuck`
    if the given one is not possible.
    """
    rng, taken = Random(), {*taken}  # noqa: S311 - characters, not secrets
    documents = []
    concepts = _shuffled_concepts(ruleset, rng) if number > 1 and not concept else repeat(concept)
    with compute_limit(WORK_FACTOR * WORK):
        for _number in range(number):
            slug = next(concepts)
            try:
                made = generate.character(ruleset, rng, house, slug, taken)
            except generate.Stuck:
                if slug == concept:
                    raise
                # The house rules leave no room for this concept, and trying all of them may take too long.
                concepts = repeat("")
                made = generate.character(ruleset, rng, house, "", taken)
            taken.add(made.document["name"])
            documents.append({**made.document, "concept": made.concept})
    return documents


def _shuffled_concepts(ruleset: Ruleset, rng: Random) -> Iterator[str]:
    """Yield concepts endlessly in rounds of a weighted random order, each once in a round; "" if there are none."""
    while True:
        left = {slug: one.weight for slug, one in ruleset.concepts.items()} or {"": 1}
        while left:
            [slug] = rng.choices([*left], [*left.values()])
            del left[slug]
            yield slug


def lay_out(me: Member, documents: list[dict[str, Any]]) -> None:
    """Offer copies of documents in a party; raise `Full` without room."""
    parties.require_room(me.party, len(documents))
    Sheet.objects.bulk_create(
        Sheet(owner=me.user, party=me.party, house=me.party.house, ruleset=me.party.ruleset, offered=True,
              finished=timezone.now(), name=one_line(one["name"]), data=one["data"], typed=one.get("typed", {}),
              concept=one.get("concept", ""))
        for one in documents)


class OneEach(Exception):
    """The member has taken a character already, and the party allows only one."""

    def __init__(self) -> None:
        super().__init__(_("You have already taken a character; here it is one each. A GM can allow more."))


def may_take(me: Member) -> bool:
    """Return True if a member may take a character: GMs may, and players may take one, or several if the party allows.

    A character that a player took before leaving the party and returning counts.
    """
    return me.gm or me.party.several or not me.party.takers.filter(pk=me.user_id).exists()


def take_pregen(me: Member, pk: UUID) -> Sheet | None:
    """Give an offered character to a member and return it; None if it is no longer offered.

    Raise `OneEach` if the member may not take another. The party must be locked.
    """
    if (sheet := offered_sheets(me.party).filter(pk=pk).first()) is None:
        return None
    if not may_take(me):
        raise OneEach
    if sheet.owner and sheet.owner != me.user:
        notify([sheet.owner], "taken", me.party, me.user, url=reverse("sheet", args=[pk]), about=sheet)
    # Its maker's notes, edits and play must not be passed on.
    store(sheet, owner=me.user, offered=False, seen_by=me.party.seen_by, at_table=True, share=None, notes="", typed={},
          play={}, played=None)
    sheet.changes.all().delete()
    remove_events(sheet.events.all())
    sheet.revisions.filter(reviews=None).delete()
    me.party.takers.add(me.user)
    announce(me.party)
    return sheet


@dataclass(frozen=True)
class PregenCard:
    """An offered character: its check, a line about its concept, its figures and the entries of each list."""

    check: SheetCheck
    line: str
    values: tuple[tuple[str, str], ...] = ()
    lists: tuple[tuple[str, str], ...] = ()


def pregen_card(ruleset: Ruleset, sheet: Sheet, house: House) -> PregenCard:
    """Return the card of a character; without figures and lists if the rules cannot read it."""
    check = check_sheet(ruleset, sheet, house)
    line = ruleset.concept_line(sheet.concept, sheet.data, sheet.pk.int)
    if check.verdict is None:
        return PregenCard(check, line)
    outlined = outline(ruleset.sheet.model_validate(sheet.data).under(house), house, sheet.name)
    facts: list[Value | Fact] = [*outlined.values, *outlined.facts]
    figures = [(str(one.title), str(one.value)) for one in facts if len(str(one.value)) <= FIGURE]
    lists = [(str(section.title), [short(entry.label) for entry in section.entries if entry.label])
             for section in outlined.sections]
    return PregenCard(check, line, tuple(figures[:MAX_FIGURES]), tuple(
        (title, ", ".join(labels[:MAX_LABELS]) + (" …" if len(labels) > MAX_LABELS else ""))
        for title, labels in lists if labels))


def offered_sheets(party: Party) -> QuerySet[Sheet]:
    """Return the characters that are offered in a party."""
    return party.sheets.not_deleted().filter(offered=True).select_related("owner")


def withdraw(sheets: QuerySet[Sheet]) -> None:
    """Move offered copies to the trash of their makers."""
    sheets.update(party=None, offered=False, deleted=timezone.now())


def lay_out_again(me: Member, keys: list[UUID]) -> int:
    """Offer copies again that a GM withdrew and has not changed since; return their number (`Full` without room)."""
    sheets = Sheet.objects.filter(pk__in=keys, owner=me.user, party=None, ruleset=me.party.ruleset,
                                 deleted__isnull=False, opponent=False).exclude(finished=None)
    parties.require_room(me.party, sheets.count())
    return sheets.update(party=me.party, house=me.party.house, offered=True, deleted=None)
