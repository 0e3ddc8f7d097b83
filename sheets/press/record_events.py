"""Recording a roll or an act: its event, the new state of play, lasting changes of the sheet, and shared counters."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import translation

from rulesets.document import BYTES
from rulesets.kit import Act, Data, Lasting, Play, Refused, redacted
from sheets.audit_log import chain
from sheets.character import Character
from sheets.documents import length, overlong
from sheets.history import saves
from sheets.history.revisions import merged, save_revision
from sheets.models import Event, Sheet
from sheets.models.event_kinds import Acted, ChangedForGood, Pressed
from sheets.models.events import OTHERS
from sheets.models.reviews import PLAYED
from sheets.press.dice import Throw
from sheets.press.prepare import titles
from sheets.rolls.repeats import dice_of_undone_repeat, roll_to_repeat
from sheets.rolls.widgets import Widget


def make_event(character: Character, widget: Widget, key: UUID, throw: Throw = Throw(), *,  # noqa: B008 - frozen
               user: User | None = None, called: dict[str, str] | None = None) -> Event:
    """Return the unsaved event of a roll or an act; raise `Refused` if play does not allow it.

    The state of play and the party are changed but not saved. `throw` says how its dice fall; `called` are its
    `titles`, None if they are not known yet.
    """
    if character.others:
        raise ValueError("what others see of a sheet is not played on")
    if character.barred:
        raise Refused(character.barred)
    made = widget.complete
    title, called = str(widget.offer.title)[:300], called or titles(character, widget)
    pressed = Pressed(user, key, widget.key, title, called, widget.row_name)
    event = Event.of(pressed, sheet=character.sheet, party_id=character.sheet.party_id)
    if isinstance(made, Act) and made.repeats:
        _repeat(character, event, made, throw)
    elif isinstance(made, Act):
        roll = made.roll(character.written, character.play)
        outcome = throw.dice_of_act(event, character, made, roll) if roll else None
        record_act(character, event, made, made.apply(character.written, character.play, outcome))
    else:
        throw.dice(event, character.ruleset, made)
    return event


def _repeat(character: Character, event: Event, act: Act, throw: Throw) -> None:
    """Reroll the actor's own dice of the last roll, and apply its act again to the state before it.

    A repeat that was undone before gives the same dice again.
    """
    past = roll_to_repeat(character, only_directly_after=act.only_directly_after)
    event.again, event.widget, event.row = past.event, past.event.widget, past.event.row
    fixed = past.fixed | dice_of_undone_repeat(past.event, by_roller=True)
    outcome = throw.dice(event, character.ruleset, past.roll, act, fixed)
    changed = past.act.apply(past.written, past.play, outcome) if past.act else past.play
    play, data = _parted(changed, past.written.model_dump())
    for _time in range(past.repeats_to_pay):
        play, data = _parted(act.apply(past.written, play, outcome), data)
    changed = play if data == character.written.model_dump() else Lasting(play, data)
    record_act(character, event, act, changed, past.act)


def _parted(changed: Play | Lasting, data: Data) -> tuple[Play, Data]:
    """Return the state of play and the data of the sheet after an act; `data` if only the state of play changed."""
    return (changed.play, changed.data) if isinstance(changed, Lasting) else (changed, data)


def record_act(character: Character, event: Event, act: Act, changed: Play | Lasting,
               applied: Act | None = None) -> None:
    """Write the changes of an act into sheet and event; for a repeat, `applied` is the act that it applies again."""
    sheet, before = character.sheet, character.sheet.play
    play = changed.play if isinstance(changed, Lasting) else changed
    sheet.play = play.model_dump(exclude_defaults=True)
    data = _with_draft(character, changed.data) if isinstance(changed, Lasting) else None
    if what := _outgrown(sheet, before, data):
        sheet.play = before
        raise Refused(what)
    if isinstance(changed, Lasting) and data is not None:
        event.add(_for_good(character, changed.data, data, event.who))
    text, said = _told(character, play, act, applied), in_each_language(lambda: _told(character, play, act, applied))
    if character.ruleset.secretive:
        said |= _told_others(character, said, redacted(play), *(redacted(one) for one in (act, applied) if one))
    common = character.common() if character.ruleset.shared else {}
    group = _share(character, before, {key: (common[key], getattr(play, key)) for key in common}) if common else {}
    event.add(Acted(act.slug, act.model_dump(mode="json"), before, text, said, group))


def _outgrown(sheet: Sheet, before: Data | None, data: Data | None) -> str:
    """Return the error if a sheet's document, with `data` if given, is over the limit and longer than it was `before`.

    `before` is the state of play before an act; "" if there is no error.
    """
    # A character takes at most six bytes; the slow exact count is skipped if that fits.
    written = len(str((data or sheet.data, sheet.house, sheet.play))) + len(sheet.notes)
    if 6 * written <= BYTES or not (what := overlong(sheet, data)):
        return ""
    count, play = length(sheet, data=data), sheet.play
    sheet.play = before
    was, sheet.play = length(sheet), play
    return what if count > was else ""


def in_each_language(say: Callable[[], str]) -> dict[str, Any]:
    """Return {language: the text in it}."""
    texts = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            texts[language] = say()
    return texts


def _told(character: Character, play: Play, *acts: Act | None) -> str:
    return _lines(acts, (one.tell_change(character.written, character.play, play) if one else None for one in acts))


def _lines(acts: Iterable[Act | None], told: Iterable[str | None]) -> str:
    """Return the texts of acts, joined; a text that only repeats the act's title is left out."""
    lines = (str(line) for act, line in zip(acts, told, strict=True) if act and line != act.title)
    return ". ".join(filter(None, lines))[:500]


def _told_others(character: Character, said: dict[str, Any], play: Play, *acts: Act) -> dict[str, Any]:
    """Return {OTHERS: text in each language} for readers other than the owner; {} if it is the same text."""
    others = in_each_language(lambda: _lines(acts, (one.tell_others(character.written, play) for one in acts)))
    return {OTHERS: others} if others != said else {}


def _with_draft(character: Character, data: Data) -> Data:
    """Return the data of a sheet after lasting changes; a draft that differs from the played data keeps its own."""
    draft = character.ruleset.sheet.model_validate(character.sheet.data).model_dump()
    found: Data = merged(character.written.model_dump(), data, draft)
    return found


def _for_good(character: Character, data: Data, draft: Data, user: User | None) -> ChangedForGood:
    """Save the lasting changes of an act: the played `data`, and the `draft` with these changes."""
    sheet, approved = character.sheet, character.review_status.revision
    before_data = sheet.data
    saves.save(sheet, replace(sheet.state, data=draft))
    if approved:
        content = {"name": approved.name, "data": data, "house": approved.house}
        chain.append(PLAYED, user, sheet=sheet, revision=save_revision(sheet, PLAYED, user, content))
    elif sheet.finished:
        save_revision(sheet, PLAYED, user)
    return ChangedForGood(before_data, sheet.version, approved.number if approved else None)


def _share(character: Character, before: Data | None, counters: dict[str, tuple[int, int]]) -> dict[str, list[int]]:
    """Move an act's changes of shared counters into the party; return {key: [before, after]} of those changed.

    The sheet keeps the values of its own that it had before.
    """
    sheet, party, own = character.sheet, character.sheet.party, before or {}
    sheet.play = {key: value for key, value in sheet.play.items() if key not in counters}
    sheet.play |= {key: own[key] for key in counters if key in own}
    group = {key: list(both) for key, both in counters.items() if both[0] != both[1]}
    if party:
        party.table = {**party.table, **{key: after for key, (_before, after) in group.items()}}
    return group
