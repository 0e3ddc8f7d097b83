"""The read model of the page on which a sheet is submitted and decided upon."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from rulesets.kit import Data, Ruleset, join, slots
from rulesets.kit.row_marks import place_of
from rulesets.work import WORK, TooMuch, compute_limit
from sheets.access import memberships, owns
from sheets.character import Character
from sheets.diff.comparison import difference
from sheets.documents import sealable
from sheets.fitting import fitted
from sheets.models import Member, Review, Revision, Sheet
from sheets.models.reviews import RETURNED
from sheets.outline import Outline, outline
from sheets.reviews import comments
from sheets.reviews import services as reviews
from sheets.reviews.attention import NOTED, attention, hints_of
from sheets.reviews.comments import Comment, FieldGroup
from sheets.reviews.party_measures import PartyMeasure, in_measures, party_measures
from sheets.reviews.phrases import phrases_of
from sheets.reviews.posts import posts_of
from sheets.reviews.queries import place_in_queue
from sheets.reviews.services import PendingDecision
from sheets.rolls.rows import typical_rolls
from sheets.rolls.widgets import Widget
from sheets.stage.panel import templates_of, values_now
from sheets.status.reviews import ReviewStatus, review_status

TEXTS = 300
"""Texts of all those entries."""
COMMENT = 2 * reviews.LONGEST
"""Characters of a comment that is sent back to the page."""
ROOM = 96 * 1024
"""Bytes for all texts of the whole sheet."""
ROLLED = 60
"""Rows of the sheet that show the odds of their roll."""
FEW = 4
"""Changes that are told at once; the others unfold."""


def review_page(request: HttpRequest, sheet: Sheet, typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page shows; `typed` is what is being written, {comment, at, reasons, replies}."""
    ruleset, taken = sheet.system, review_status(sheet, likely=True)
    me = _member(request, sheet) if sheet.party_id else None
    found, mine = reviews.pending_decision(sheet, taken), owns(request, sheet)
    newest = [*comments.newest_entries(sheet)[:comments.ENTRIES]]
    shown = found.content if found else sealable(sheet, None if mine or not taken.revision else vars(taken.revision))
    decides = reviews.may_decide(me, sheet)
    house = ruleset.house.model_validate(shown["house"])
    shape = ruleset.sheet.model_validate(shown["data"])
    verdict = found.verdict if found else reviews.check_content(sheet, shown)
    read, cut = fitted(outline(shape, house, shown["name"]), ROOM)
    said = comments.standing_comments(sheet, shown["data"], newest)
    # They are cut to what the page has room for once their comments were read.
    entries = _told(newest)
    stopped = mine and reviews.in_the_way(sheet)
    # What is sent back to be shortened comes back as far as there is room for it.
    at, reasons, replies = fitted(tuple(typed.get(key, {}) for key in ("at", "reasons", "replies")), ROOM)[0]
    groups, gone = comments.field_groups(ruleset, shown["data"], read, at, said)
    beside = party_measures(me, sheet, shape, house, shown["name"]) if me and me.gm and not mine else []
    told = verdict.findings if not found else hints_of(verdict.findings)
    place = place_in_queue(request, taken.waiting.number) if decides and taken.waiting else None
    looked = _attention(ruleset, shown["data"], found, read, beside, said, reasons, taken)
    return {
        "sheet": sheet, "ruleset": ruleset, "review_status": taken, "me": me, "pending": found, "mine": mine,
        "decides": decides, "verdict": verdict, "findings": told[:NOTED], "rest": max(0, len(told) - NOTED),
        "attention": looked, "looked_at": {one.path for one in looked if one.path},
        "beside": beside, "foremost": next((one for one in beside if one.ahead), beside[0] if beside else None),
        "outline": read, "cut": cut, "shown": shown,
        **_differences(sheet, found, taken, entries, shown, beside, mine=mine), **_written(sheet, shown, read, groups),
        "gone": gone, "said": said, "still": [one for one in said if not one.done], "replies": replies,
        "form": "review", "entries": entries, "returned": _returned(taken),
        "in_the_way": stopped, "submits": mine and not stopped and not reviews.nothing_new(sheet, taken),
        **(_phrases(me, typed) if me and decides else {}),
        "comment": typed.get("comment", "")[:COMMENT], "rules_url": reverse("rules", args=[ruleset.slug]),
        "posts": posts_of(entries, ruleset),
        # The head of the page need not count anew what waits.
        "queue": place, **({"to_review": place.of} if place else {}),
    }


def _member(request: HttpRequest, sheet: Sheet) -> Member | None:
    """Return the reader's membership in the party of a sheet, with their phrases."""
    return memberships(request).filter(party=sheet.party_id).select_related("user__phrases").first()


def _phrases(me: Member, typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return a GM's own phrases, and the text in which they are being changed."""
    kept = phrases_of(me.user)
    return {"phrases": kept, "phrases_text": "\n".join(kept), "phrases_typed": typed.get("phrases", "")[:COMMENT],
            "phrases_open": bool(typed.get("phrases"))}


def _attention(ruleset: Ruleset, data: Data, found: PendingDecision | None, read: Outline,
               beside: Iterable[PartyMeasure], said: Iterable[Comment], reasons: Mapping[str, str],
               taken: ReviewStatus) -> list[Any]:
    if found is None:
        return []
    # What was granted once is asked again with the reason that it had.
    known = {(one["rule"], one["path"]): one["reason"] for one in taken.exceptions}
    return attention(ruleset, data, found, read, beside, said, reasons, known)


def _differences(sheet: Sheet, found: PendingDecision | None, taken: ReviewStatus, entries: Iterable[Review],
                 shown: Mapping[str, Any], beside: Iterable[PartyMeasure], *, mine: bool) -> dict[str, Any]:
    """Return what differs from what is played or was returned; whoever sees what is played sees it as it is."""
    base = None if not found and not mine and taken.revision else \
        taken.revision or next((one.revision for one in entries if one.kind == RETURNED), None)
    differs = base and difference(sheet.system, base, Revision(**shown))
    diff = differs and differs.on_a_page()
    return {"base": base, "diff": diff, "few": in_measures(diff.changes[:FEW], beside, sheet, base) if diff else ()}


def _written(sheet: Sheet, shown: Mapping[str, Any], read: Outline, groups: list[FieldGroup]) -> dict[str, Any]:
    """Return the sheet as one knows it: its figures, its board, and line by line what can be remarked on."""
    there = copy(sheet)
    there.name, there.data, there.house, there.play = shown["name"], shown["data"], shown["house"], {}
    character = Character(there, ReviewStatus(), others=True, unplayed=True)
    figures = {one.key: one for one in read.values}
    plain = [field for group in groups if not group.path for field in group.fields]
    at_figures = {field.path: field for field in plain if field.path in figures}
    board = values_now(character, ())
    return {
        "character": character, "templates": templates_of(character.ruleset),
        **{key: board[key] for key in ("board", "wholes", "spread", "foe", "foe_board")},
        "tiles": [(one, at_figures.get(one.key)) for one in read.values],
        "sections": _sections(character.ruleset, read, groups),
        "plain": [field for field in plain if field.path not in at_figures],
        "rolled": _promises(character, groups),
    }


def _promises(character: Character, groups: Iterable[FieldGroup]) -> dict[str, Widget]:
    """Return the first roll of each row, by its path, with odds against typical opponents; of the first rows alone."""
    found: dict[str, Widget] = {}
    with compute_limit(WORK // 4), suppress(TooMuch):
        for key, widget in typical_rolls(character.ruleset, character.written.widgets(character.play)).items():
            if place := place_of(key):
                found.setdefault(join(*place), widget)
    return {group.path: found[group.path] for group in [*groups][:ROLLED] if group.path in found}


@dataclass(frozen=True)
class WrittenSection:
    """A list of the sheet, or a part of it, with its rows or fields."""

    title: Any
    part: bool
    drawn: bool
    """True if its rows are cards, which the board shows with all that they say."""
    groups: Sequence[FieldGroup]


def _sections(ruleset: Ruleset, read: Outline, groups: Iterable[FieldGroup]) -> list[WrittenSection]:
    """Return the rows and parts under their headings, in the order of the sheet."""
    asked = slots(ruleset.sheet)
    found = groupby((one for one in groups if one.path), key=lambda one: one.path.partition(".")[0])
    drawn = {one.path for one in read.sections if one.faces}
    return [WrittenSection(asked[key].ask.title, asked[key].kind == "part", key in drawn, list(some))
            for key, some in found]


def _returned(taken: ReviewStatus) -> Review | None:
    """Return the decision that gave the sheet back, if nothing was submitted or decided since."""
    return taken.last if taken.last and taken.last.kind == RETURNED else None


def _told(entries: Iterable[Review]) -> list[Review]:
    """Return the newest entries that the page has room for, their texts cut to that; they are not to be saved."""
    found: list[Review] = []
    texts = 0
    for entry in entries:
        texts += 1 + len(entry.said.get("at", ())) + len(entry.said.get("exceptions", ()))
        if found and texts > TEXTS:
            break
        found.append(entry)
    for entry, said in zip(found, fitted([entry.said for entry in found], ROOM)[0], strict=True):
        entry.said = said
    return found
