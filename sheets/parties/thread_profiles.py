"""The profile lines of pasted posts, each compared with its sheet's state at a number of the scene's log."""

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.kit import Data, Gauge, ParsedSheet, Sheet
from rulesets.names import isolated
from sheets.character import Character
from sheets.models import Event, Receipt, Scene
from sheets.pages.receipts import REMOVED, state_of
from sheets.parties.thread_text import Quote, plain
from sheets.stage.table import PartyTable

STATE = re.compile(r"(?:Stand|as of)[ \t\u00a0]{1,3}#([0-9]{1,9})(?![0-9])", re.I)
"""The number with which a copied profile line ends, in each language of the site."""
MOST = 60
"""The most profile lines of a text that are compared."""
STATES = 50
"""The most acts, and the most revisions, of a sheet that are read to find the states for a line."""
WORDS = 300
"""The most words of a line that are compared one by one."""


@dataclass(frozen=True)
class FoundProfile:
    """A profile line of a text, and the result of its comparison."""

    line: int
    name: str
    line_text: str
    basis: str
    """The sentence that names the state with which it was compared."""
    differences: tuple[str, ...] = ()
    unknown: str = ""
    """The reason why it cannot be compared, "" if it can."""
    sheet: Any = None
    """The key of its sheet."""


@dataclass(frozen=True)
class _State:
    """A state of a sheet: its profile line, that line as parsed, and its gauges by key."""

    text: str
    passage: ParsedSheet | None
    gauges: Mapping[str, Gauge]


class Profiles:
    """Compares the profile lines of a text with the sheets at the table of the scene's party."""

    def __init__(self, table: PartyTable, scene: Scene) -> None:
        self.table, self.scene, self.log = table, scene, f"scene:{scene.uuid}"
        self.shape: type[Sheet] = table.ruleset.sheet
        self._states: dict[tuple[Any, int | None], list[_State] | str] = {}

    def found(self, text: str, quotes: Sequence[Quote]) -> Iterator[FoundProfile]:
        """Yield the result for each profile line of a text."""
        starts = [0]
        for line in text.split("\n"):
            starts.append(starts[-1] + len(line) + 1)
        passages = [(self._at(one, starts), one) for one in self.shape.from_text(text)[:MOST]]
        for number, (at, passage) in enumerate(passages):
            end = passages[number + 1][0] if number + 1 < len(passages) else len(text)
            if passage.name or passage.data:
                yield self._profile(passage, text[at:end], int(passage.place.partition(":")[0]),
                                    [one for one in quotes if one.at < at], quotes)

    @staticmethod
    def _at(passage: ParsedSheet, starts: Sequence[int]) -> int:
        line, _colon, column = passage.place.partition(":")
        return starts[int(line) - 1] + int(column) - 1

    def _profile(self, passage: ParsedSheet, text: str, line: int, before: Sequence[Quote],
                 quotes: Sequence[Quote]) -> FoundProfile:
        line_text = plain(text.partition("\n")[0])
        number, basis = self._basis(text, line, before, quotes)
        found = [one for one in self.table.participants
                 if one.character and _folded(one.name) == _folded(passage.name)]
        if not found or (character := found[0].character) is None:
            return FoundProfile(line, passage.name, line_text, "", (), _("Nobody at this table has this name."))
        sheet, states = found[0].sheet, self.states(character, number)
        if isinstance(states, str):
            return FoundProfile(line, passage.name, line_text, basis, (), states, sheet.pk)
        shown = plain(text.replace("\n", " "))
        if any(one.text and _begins(shown, plain(one.text)) for one in states):
            return FoundProfile(line, passage.name, line_text, basis, (), "", sheet.pk)
        if passage.data is None:
            asked = [f"{one.question} {' / '.join(reading.label for reading in one.readings)}"
                     for one in passage.ambiguities]
            why = " ".join([*asked, *(message for _place, message in passage.offences)][:3])
            return FoundProfile(line, passage.name, line_text, basis, (), why, sheet.pk)
        told = [self._differences(passage, passage.data, one, character) for one in states]
        return FoundProfile(line, passage.name, line_text, basis, min(told, key=len), "", sheet.pk)

    def _basis(self, text: str, line: int, before: Sequence[Quote],
               quotes: Sequence[Quote]) -> tuple[int | None, str]:
        """Return the log number at which a line is compared (None: the current state), and a sentence that says so."""
        if stated := STATE.search(text):
            return int(stated[1]), _("Compared as of #{n}, as the line says.").format(n=int(stated[1]))
        post = max((one.post for one in quotes if one.line <= line), default=None)
        last = next((one.number for one in reversed(before) if one.post == post and one.number), None)
        if last is not None:
            return last, _("Compared as of #{n}, the last receipt before it.").format(n=last)
        return None, _("Compared with how it stands now.")

    def states(self, character: Character, number: int | None) -> list[_State] | str:
        """Return the states of a sheet while a number was the last in the log; a sentence if they are not known."""
        key = character.sheet.pk, number
        if key not in self._states:
            self._states[key] = [_state(self.shape, character)] if number is None else self._past(character, number)
        return self._states[key]

    @cached_property
    def _receipts(self) -> dict[int, Receipt]:
        found = Receipt.objects.filter(log=self.log).select_related("event").order_by("number")
        return {one.number: one for one in found.only("number", "made", "log", "signature", "event__undone")}

    def _past(self, character: Character, number: int) -> list[_State] | str:
        if number not in self._receipts and number:
            return _("No roll of this scene has the number {n}.").format(n=number)
        if number and state_of(self._receipts[number]) == REMOVED:
            return _("What was at #{n} is no longer kept.").format(n=number)
        if character.ruleset.shared:
            return _("How it stood at #{n} is no longer known.").format(n=number)
        begun = max((one.event.pk for place, one in self._receipts.items() if place <= number and one.event), default=0)
        after = next((one.event for place, one in self._receipts.items() if place > number and one.event), None)
        acts = Event.objects.filter(sheet=character.sheet, undone=False, pk__gt=begun).exclude(act="").order_by("pk")
        if not number:
            acts = acts.filter(scene=self.scene)
        within = list(acts.filter(pk__lt=after.pk)[:STATES] if after else acts[:STATES])
        end = acts.filter(pk__gte=after.pk).first() if after else None
        plays = [one.before for one in [*within, *([end] if end else [])]]
        if end is None and len(within) < STATES:
            plays.append(character.sheet.play)
        kept = [one for one in plays if one is not None]
        if len(kept) < len(plays):
            return _("How it stood at #{n} is no longer known.").format(n=number)
        since = self._receipts[number].made if number else self.scene.begun
        found = [state for written in self._written(character, since, after.made if after else None)
                 for play in _distinct(kept) if (state := self._stood(character, written, play))]
        return found or _("How it stood at #{n} is no longer known.").format(n=number)

    @staticmethod
    def _written(character: Character, since: datetime, until: datetime | None) -> list[Data | None]:
        """Return the data that a sheet had between two times; None stands for its present data."""
        revision = character.review_status.revision
        if (revision.made if revision else character.sheet.updated) <= since:
            return [None]
        revisions = character.sheet.revisions.order_by("-number")
        if until:
            revisions = revisions.filter(made__lte=until)
        kept = list(revisions[:STATES])
        found: list[Data | None] = [] if until else [None]
        for one, later in pairwise([*kept, None]):
            found.append(one.data if one else None)
            if one is None or later is None or one.made <= since:
                break
        return found

    def _stood(self, character: Character, written: Data | None, play: Data) -> _State | None:
        then = copy(character)
        try:
            then.play = character.ruleset.play.model_validate(play)
            if written is not None:
                then.written = self.shape.model_validate(written).under(character.house)
        except ValidationError:
            return None
        return _state(self.shape, then)

    def _differences(self, passage: ParsedSheet, data: Data, state: _State, character: Character) -> tuple[str, ...]:
        """Return sentences with the differences between a profile line and a state."""
        right, whole = state.passage, _("Then it was: {text}").format(text=isolated(state.text))
        if right is None or right.data is None:
            return (whole,)
        try:
            quoted, was = (self.shape.model_validate(one).to_text(passage.name, character.house)
                         for one in (data, right.data))
        except ValidationError:
            return (whole,)
        found = [*_apart(quoted, was), *_left(passage.left, right.left, state.gauges)]
        # The texts lack points that do not follow from the rest, so the data may differ though the texts are equal.
        return tuple(found) if found or data == right.data else (whole,)


def _state(shape: type[Sheet], character: Character) -> _State:
    now = character.play.to_text(character.written, character.name)
    text = now[1] if now else character.written.to_text(character.name, character.house)
    gauges = {one.key: one for one in character.play.gauges(character.written)}
    return _State(text, next(iter(shape.from_text(text)), None) if text else None, gauges)


def _distinct(plays: Sequence[Data]) -> list[Data]:
    return [one for place, one in enumerate(plays) if one not in plays[:place]]


def _apart(quoted: str, was: str) -> Iterator[str]:
    """Yield a sentence for each difference between the words of two lines."""
    words, others = quoted.split()[:WORDS], was.split()[:WORDS]
    for kind, first, last, start, end in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        if kind != "equal":
            yield _("The post says “{quoted}”, then it was “{was}”.").format(
                quoted=" ".join(words[first:last]), was=" ".join(others[start:end]))


def _left(quoted: Mapping[str, int], was: Mapping[str, int], gauges: Mapping[str, Gauge]) -> Iterator[str]:
    """Yield a sentence for each gauge whose figure in a line is wrong; a gauge without a figure is full."""
    for key in {**quoted, **was}:
        gauge = gauges.get(key)
        most = gauge.most if gauge else None
        told, right = quoted.get(key, most), was.get(key, most)
        if told != right:
            yield _("{title}: the post says {quoted}, then it was {was}.").format(
                title=gauge.title if gauge else key, quoted="…" if told is None else told,
                was="…" if right is None else right)


def _begins(text: str, line: str) -> bool:
    """Return True if a text begins with a line, followed by no letter or digit."""
    return text.startswith(line) and not text[len(line):len(line) + 1].isalnum()


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
