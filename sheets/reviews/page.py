"""The read model of the page on which a sheet is submitted and decided upon."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from rulesets import systems
from rulesets.kit import Data, Ruleset, join, slots
from rulesets.kit.row_marks import place_of
from rulesets.work import WORK, TooMuch, compute_limit
from sheets.access import owns
from sheets.character import Character
from sheets.diff.comparison import difference
from sheets.documents import sealable
from sheets.fitting import fitted
from sheets.models import Member, Review, Revision, Sheet
from sheets.models.compiled_queries import compiled
from sheets.models.reviews import RETURNED
from sheets.outline import Outline, outline
from sheets.reviews import comments
from sheets.reviews import services as reviews
from sheets.reviews.attention import MAX_FINDINGS, attention, hints_of
from sheets.reviews.comments import Comment, FieldGroup
from sheets.reviews.own_rows import MAX_OWN_ROWS, own_rows
from sheets.reviews.party_measures import PartyMeasure, party_measures, with_measured_odds
from sheets.reviews.phrases import phrases_of
from sheets.reviews.posts import posts_of
from sheets.reviews.queries import place_in_queue
from sheets.reviews.services import PendingDecision
from sheets.rolls.rows import typical_rolls
from sheets.rolls.widgets import Widget
from sheets.stage.panel import templates_of, values_now
from sheets.status.reviews import ReviewStatus, review_status

MAX_TEXTS = 300
"""The most texts of the entries on a page."""
MAX_SENT_BACK = 2 * reviews.MAX_COMMENT
"""The most characters of a comment that is sent back to the page."""
ROOM = 96 * 1024
"""The most bytes of the sheet's texts, and of the entries' texts."""
MAX_ROLLS = 60
"""The most rows of the sheet that show the odds of their roll."""
FIRST_CHANGES = 4
"""The number of changes shown at once; the others are folded."""


def review_page(request: HttpRequest, sheet: Sheet, typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the template context of the page; `typed` are the texts in the form, {comment, at, reasons, replies}."""
    ruleset, status = sheet.system, review_status(sheet, likely=True)
    me = _member(request, sheet) if sheet.party_id else None
    pending, mine = reviews.pending_decision(sheet, status), owns(request, sheet)
    newest = comments.newest_entries(sheet)
    played = None if mine or not status.revision else vars(status.revision)
    content = pending.content if pending else sealable(sheet, played)
    decides = reviews.may_decide(me, sheet)
    house = ruleset.house.model_validate(content["house"])
    shape = ruleset.sheet.model_validate(content["data"])
    verdict = pending.verdict if pending else reviews.check_content(sheet, content)
    outlined, cut = fitted(outline(shape, house, content["name"]), ROOM)
    said = comments.standing_comments(sheet, content["data"], newest)
    # Only now, because the comments are made from the whole entries.
    entries = _cut_to_page(newest)
    obstacle = mine and reviews.why_not_submittable(sheet)
    # Texts that are too long are sent back to be shortened, as far as they fit on the page.
    at, reasons, replies = fitted(tuple(typed.get(key, {}) for key in ("at", "reasons", "replies")), ROOM)[0]
    groups, gone = comments.field_groups(ruleset, content["data"], outlined, at, said)
    beside = party_measures(me, sheet, shape, house, content["name"]) if me and me.gm and not mine else []
    findings = verdict.findings if not pending else hints_of(verdict.findings)
    place = place_in_queue(request, status.waiting.number) if decides and status.waiting else None
    points = _attention(ruleset, content["data"], pending, outlined, beside, said, reasons, status)
    return {
        "sheet": sheet, "ruleset": ruleset, "review_status": status, "me": me, "pending": pending, "mine": mine,
        "decides": decides, "verdict": verdict,
        "own_rows": own_rows(ruleset, sheet.party, content)[:MAX_OWN_ROWS] if decides and sheet.party else (),
        "findings": findings[:MAX_FINDINGS], "rest": max(0, len(findings) - MAX_FINDINGS),
        "attention": points, "looked_at": {one.path for one in points if one.path},
        "beside": beside, "foremost": next((one for one in beside if one.ahead), beside[0] if beside else None),
        "outline": outlined, "cut": cut, "shown": content,
        **_differences(sheet, pending, status, entries, content, beside, mine=mine),
        **_sheet_context(sheet, content, outlined, groups),
        "gone": gone, "said": said, "still": [one for one in said if not one.done], "replies": replies,
        "form": "review", "entries": entries, "returned": _last_return(status),
        "in_the_way": obstacle, "submits": mine and not obstacle and not reviews.why_nothing_new(sheet, status),
        **(_phrases(me, typed) if me and decides else {}),
        "comment": typed.get("comment", "")[:MAX_SENT_BACK], "rules_url": reverse("rules", args=[ruleset.slug]),
        "posts": posts_of(entries, ruleset, sheet.party),
        # Saves the page's header its own count of the queue.
        "queue": place, **({"to_review": place.of} if place else {}),
    }


def _member(request: HttpRequest, sheet: Sheet) -> Member | None:
    """Return the user's membership in the party of a sheet, with their phrases."""
    found = _member_with_phrases(request.user.pk, sheet.party_id) if request.user.pk else []
    return next((one for one in found if one.party.ruleset in systems()), None)


@compiled
def _member_with_phrases(user: Any, party: Any) -> QuerySet[Member]:
    return Member.objects.filter(user=user, party=party).select_related("party", "user__phrases")


def _phrases(me: Member, typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the template context for a GM's phrases and the form in which they are edited."""
    phrases = phrases_of(me.user)
    return {"phrases": phrases, "phrases_text": "\n".join(phrases), "phrases_open": bool(typed.get("phrases")),
            "phrases_typed": typed.get("phrases", "")[:MAX_SENT_BACK]}


def _attention(ruleset: Ruleset, data: Data, pending: PendingDecision | None, outlined: Outline,
               beside: Iterable[PartyMeasure], said: Iterable[Comment], reasons: Mapping[str, str],
               status: ReviewStatus) -> list[Any]:
    if pending is None:
        return []
    # Suggest the reasons of the exceptions that the last approval granted.
    granted = {(one["rule"], one["path"]): one["reason"] for one in status.exceptions}
    return attention(ruleset, data, pending, outlined, beside, said, reasons, granted)


def _differences(sheet: Sheet, pending: PendingDecision | None, status: ReviewStatus, entries: Iterable[Review],
                 content: Mapping[str, Any], beside: Iterable[PartyMeasure], *, mine: bool) -> dict[str, Any]:
    """Return the template context for the changes since the revision that is played or was returned.

    There are none if that revision itself is shown.
    """
    base = None if not pending and not mine and status.revision else \
        status.revision or next((one.revision for one in entries if one.kind == RETURNED), None)
    differs = base and difference(sheet.system, base, Revision(**content))
    diff = differs and differs.on_a_page()
    first_changes = with_measured_odds(diff.changes[:FIRST_CHANGES], beside, sheet, base) if diff else ()
    return {"base": base, "diff": diff, "few": first_changes}


def _sheet_context(sheet: Sheet, content: Mapping[str, Any], outlined: Outline,
                   groups: list[FieldGroup]) -> dict[str, Any]:
    """Return the template context for the sheet: its figures, its board, and the fields that can be commented on."""
    shown = copy(sheet)
    shown.name, shown.data, shown.house, shown.play = content["name"], content["data"], content["house"], {}
    character = Character(shown, ReviewStatus(), others=True, unplayed=True)
    figures = {one.key: one for one in outlined.values}
    plain = [field for group in groups if not group.path for field in group.fields]
    at_figures = {field.path: field for field in plain if field.path in figures}
    board = values_now(character, ())
    return {
        "character": character, "templates": templates_of(character.ruleset),
        **{key: board[key] for key in ("board", "wholes", "spread", "foe", "foe_board")},
        "tiles": [(one, at_figures.get(one.key)) for one in outlined.values],
        "sections": _sections(character.ruleset, outlined, groups),
        "plain": [field for field in plain if field.path not in at_figures],
        "rolled": _typical_rolls(character, groups),
    }


def _typical_rolls(character: Character, groups: Iterable[FieldGroup]) -> dict[str, Widget]:
    """Return {path of a row: its first roll with odds against typical opponents} of the first rows."""
    rolls: dict[str, Widget] = {}
    with compute_limit(WORK // 4), suppress(TooMuch):
        for key, widget in typical_rolls(character.ruleset, character.written.roll_offers(character.play)).items():
            if place := place_of(key):
                rolls.setdefault(join(*place), widget)
    return {group.path: rolls[group.path] for group in [*groups][:MAX_ROLLS] if group.path in rolls}


@dataclass(frozen=True)
class WrittenSection:
    """A list or a part of the sheet, with its rows or fields."""

    title: Any
    part: bool
    drawn: bool
    """True if its rows are cards, which the board shows completely."""
    groups: Sequence[FieldGroup]


def _sections(ruleset: Ruleset, outlined: Outline, groups: Iterable[FieldGroup]) -> list[WrittenSection]:
    """Return the sections of the sheet in order."""
    fields = slots(ruleset.sheet)
    by_key = groupby((one for one in groups if one.path), key=lambda one: one.path.partition(".")[0])
    drawn = {one.path for one in outlined.sections if one.faces}
    return [WrittenSection(fields[key].ask.title, fields[key].kind == "part", key in drawn, list(grouped))
            for key, grouped in by_key]


def _last_return(status: ReviewStatus) -> Review | None:
    """Return the entry that returned the sheet, unless another one followed it."""
    return status.last if status.last and status.last.kind == RETURNED else None


def _cut_to_page(entries: Iterable[Review]) -> list[Review]:
    """Return the newest entries that fit on the page; their texts are cut, so they must not be saved."""
    cut: list[Review] = []
    texts = 0
    for entry in entries:
        texts += 1 + len(entry.said.get("at", ())) + len(entry.said.get("exceptions", ()))
        if cut and texts > MAX_TEXTS:
            break
        cut.append(entry)
    for entry, said in zip(cut, fitted([entry.said for entry in cut], ROOM)[0], strict=True):
        entry.said = said
    return cut
