"""The posts of a scene's thread compared with its log: each quoted receipt holds, differs, or is unknown."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from rulesets.names import isolated
from sheets.models import Event, Receipt, Scene, ThreadReading, TurnReceipt
from sheets.pages.receipts import REFUSED, REMOVED, REPEATED, UNDONE, state_of
from sheets.pages.roll_texts import SHORT
from sheets.pages.turn_rolls import with_rolls
from sheets.parties.thread_numbers import NumberedRoll, left_out
from sheets.parties.thread_profiles import FoundProfile, Profiles
from sheets.parties.thread_text import NOBODY, Quote, quotes
from sheets.receipts.messages import encode
from sheets.receipts.services import removed_token
from sheets.stage.table import PartyTable

DIFFERS, UNKNOWN, HOLDS = VERDICTS = ("differs", "unknown", "holds")
"""The verdicts, the worst first."""
MOST = 300
"""The most receipts of a text that are checked, and the most rolls that are listed as left out."""


@dataclass(frozen=True)
class CheckedLine:
    """A row of the result: a quoted receipt, a profile line or a roll that was left out, with its verdict."""

    verdict: str
    line: int
    """The line of the text, counted from 1."""
    title: str
    reasons: tuple[str, ...] = ()
    url: str = ""
    line_text: str = ""
    """The line of the text without tags."""

    @property
    def badge(self) -> str:
        """The class of its badge."""
        return {DIFFERS: "error", UNKNOWN: "ask", HOLDS: "good"}[self.verdict]

    @property
    def verdict_title(self) -> str:
        """The verdict in a word."""
        return {DIFFERS: _("differs"), UNKNOWN: _("unknown"), HOLDS: _("holds")}[self.verdict]


@dataclass
class ThreadCheck:
    """The result for a text: its rows, the worst first, and the `numbers` of the scene's rolls that it quotes."""

    rows: list[CheckedLine] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    n_unchecked: int = 0
    """The number of receipts that were not checked because there are too many."""

    def count(self, verdict: str) -> int:
        """Return the number of rows with a verdict."""
        return sum(one.verdict == verdict for one in self.rows)


QuotedReceipt = tuple[Quote, Receipt | None]
"""A quote with the stored receipt, None if there is none."""


class ThreadReader:
    """Checks texts of one scene's thread."""

    def __init__(self, request: HttpRequest, table: PartyTable, scene: Scene) -> None:
        self.request, self.table, self.scene = request, table, scene
        self.log = f"scene:{scene.uuid}"
        self.hosts = {request.get_host().casefold(), urlsplit(settings.SITE_URL or "").netloc.casefold()}

    def check(self, text: str, by: str = "") -> ThreadCheck:
        """Return the result for a text; `by` is the key of the sheet whose posts it has, "" if several wrote them."""
        found = quotes(text, self.names)
        check = ThreadCheck(n_unchecked=max(0, len(found) - MOST))
        pairs = self._with_receipts(found[:MOST])
        lines = self._lines(receipt for _quote, receipt in pairs if receipt)
        seen: dict[int, str] = {}
        for quote, receipt in pairs:
            row, number = self._row(quote, receipt, by, seen, lines)
            check.rows.append(row)
            if number is not None:
                check.numbers.append(number)
        check.rows += self._left_out(pairs)
        check.numbers = sorted(set(check.numbers))
        check.rows += map(_profile, Profiles(self.table, self.scene).found(text, found))
        check.rows.sort(key=lambda one: (VERDICTS.index(one.verdict), one.line))
        return check

    @cached_property
    def names(self) -> dict[str, frozenset[str]]:
        """{name in lower case: keys}: a sheet's own key, or the keys of a member and of their sheets."""
        found: dict[str, frozenset[str]] = {}
        pairs = [(one.name, {str(one.sheet.pk)}) for one in self.table.participants]
        for member in self.table.party.members.select_related("user"):
            own = {str(one.sheet.pk) for one in self.table.participants if one.sheet.owner_id == member.user_id}
            pairs.append((member.user.username, own | {_key_of_user(member.user_id)}))
        for name, keys in pairs:
            if shown := " ".join(name.split()).casefold():
                found[shown] = found.get(shown, NOBODY) | keys
        return found

    @cached_property
    def titles(self) -> dict[str, str]:
        """{key: name} of the party's sheets and members."""
        users = {_key_of_user(one.user_id): one.user.username
                 for one in self.table.party.members.select_related("user")}
        return users | {str(one.sheet.pk): one.name for one in self.table.participants}

    @cached_property
    def rolls(self) -> dict[int, NumberedRoll]:
        """{number: roll} of the scene's log, without rolls whose events were deleted."""
        again = Event.objects.filter(again=OuterRef("event"), undone=False)
        found = Receipt.objects.filter(log=self.log, event__isnull=False).annotate(redone=Exists(again))
        return {number: NumberedRoll(number, _owner(sheet, user), not (undone or redone))
                for number, sheet, user, undone, redone in found.order_by("number").values_list(
                    "number", "event__sheet", "event__who", "event__undone", "redone")}

    @cached_property
    def read_before(self) -> dict[int, ThreadReading]:
        """{number of a roll: the oldest note of read posts that quote it}."""
        return {number: one for one in self.scene.thread_readings.order_by("-pk") for number in one.numbers}

    def _with_receipts(self, found: Collection[Quote]) -> list[QuotedReceipt]:
        """Return each quote with its receipt; a turn's address stands for its rolls that the post does not number."""
        tokens = {one.token for one in found if one.token and one.host in self.hosts}
        gone = {removed_token(one): one for one in tokens}
        by_token = {gone.get(one.token, one.token): one
                    for one in with_rolls(Receipt.objects.filter(token__in={*tokens, *gone}))}
        turns = {one.token: one for one in TurnReceipt.objects.filter(token__in=tokens)}
        numbers = {one.number for one in found if one.number} | {
            number for one in turns.values() if one.log == self.log for number in one.numbers}
        by_number = {one.number: one for one in with_rolls(
            Receipt.objects.filter(log=self.log, number__in=numbers))}
        pairs: list[QuotedReceipt] = []
        here = {(one.post, one.number) for one in found if one.number}
        for one in found:
            turn = turns.get(one.token)
            if turn and turn.log == self.log:
                pairs += [(one, by_number.get(number)) for number in turn.numbers if (one.post, number) not in here]
            elif one.token:
                pairs.append((one, by_token.get(one.token)))
            else:
                pairs.append((one, by_number.get(one.number or 0)))
        return pairs

    def _lines(self, receipts: Iterable[Receipt]) -> dict[int, str]:
        """Return {key of an event: its line in the log} of the receipts' rolls that the reader may see."""
        keys = {one.event_id for one in receipts if one.event_id and one.log == self.log}
        return {line.event.pk: str(line) for line in self.table.log.lines_about(*keys)} if keys else {}

    def _row(self, quote: Quote, receipt: Receipt | None, by: str, seen: dict[int, str],
             lines: Mapping[int, str]) -> tuple[CheckedLine, int | None]:
        """Return the row of a quoted receipt, and its number if it is one of the scene's."""
        if quote.host and quote.host not in self.hosts:
            why = _("It is on another site ({host}), which is not asked.").format(host=quote.host)
            return CheckedLine(UNKNOWN, quote.line, _title(quote), (why,), "", quote.line_text), None
        if receipt is None:
            why = _("There is no such receipt.") if quote.token else _("No roll of this scene has this number.")
            return CheckedLine(DIFFERS, quote.line, _title(quote), (why,), "", quote.line_text), None
        url = reverse("receipt", args=[receipt.token])
        if receipt.log != self.log:
            why = _("It belongs to another log, not to this scene.")
            return CheckedLine(DIFFERS, quote.line, _title(quote), (why,), url, quote.line_text), None
        if faults := _shown_faults(quote, receipt):
            return CheckedLine(DIFFERS, quote.line, _title(quote), faults, url, quote.line_text), None
        reasons = [*self._not_counted(receipt), *self._quoted(quote, receipt.number, seen),
                   *self._foreign(quote, receipt, by)]
        verdict = DIFFERS if reasons else HOLDS
        if not reasons and not self._meant(quote, by):
            verdict = UNKNOWN
            reasons = [_("The text does not say whose roll it is meant to be; it is {name}'s.").format(
                name=isolated(self._name(receipt)))]
        title = f"#{receipt.number} {lines.get(receipt.event_id or 0, '')}".strip()
        return CheckedLine(verdict, quote.line, title, tuple(reasons), url, quote.line_text), receipt.number

    def _not_counted(self, receipt: Receipt) -> Iterator[str]:
        reasons = {UNDONE: _("It was taken back."), REPEATED: _("It was replaced by a repeat."),
                   REFUSED: _("It was refused."), REMOVED: _("It was removed.")}
        roll = self.rolls.get(receipt.number)
        if not (roll and roll.counts):
            yield reasons.get(state_of(receipt), _("It does not stand."))

    def _quoted(self, quote: Quote, number: int, seen: dict[int, str]) -> Iterator[str]:
        """Yield a sentence if a roll was quoted before; note this quote in `seen` if it is the first in the text."""
        if number in seen:
            yield seen[number]
        elif before := self.read_before.get(number):
            yield _("It was quoted before, in what was noted as read: {title}.").format(title=isolated(str(before)))
        seen.setdefault(number, _("It was quoted before, in line {n}.").format(n=quote.line))

    def _foreign(self, quote: Quote, receipt: Receipt, by: str) -> Iterator[str]:
        owner = _owner_of(receipt)
        for keys in self._meant(quote, by):
            if owner not in keys:
                yield _("It is a roll of {name}, not of {other}.").format(
                    name=isolated(self._name(receipt)), other=isolated(self._named(keys)))
                return

    def _meant(self, quote: Quote, by: str) -> list[frozenset[str]]:
        """Return the keys of the expected makers by the form, by the line and by the post, as far as each says it."""
        line = quote.line_text.casefold()
        named = next((self.names[name] for name in self._longest if line.startswith(name)
                      and not line[len(name):len(name) + 1].isalnum()), NOBODY)
        return [keys for keys in (frozenset([by]) if by else NOBODY, named, quote.by) if keys]

    @cached_property
    def _longest(self) -> list[str]:
        return sorted(self.names, key=len, reverse=True)

    def _named(self, keys: Collection[str]) -> str:
        return ", ".join(sorted(self.titles[key] for key in keys if key in self.titles)) or _("somebody else")

    def _name(self, receipt: Receipt) -> str:
        event = receipt.event
        return self.titles.get(_owner_of(receipt)) or (event.sheet.name if event and event.sheet else "") or "…"

    def _left_out(self, pairs: Iterable[QuotedReceipt]) -> Iterator[CheckedLine]:
        """Yield the rolls that the posts leave out."""
        quoted = [(quote.post, receipt.number, quote.line) for quote, receipt in pairs if receipt and (
            receipt.log == self.log and not _shown_faults(quote, receipt))]
        missing = list(islice(left_out(self.rolls, self.read_before, quoted), MOST))
        receipts = {one.number: one for one in with_rolls(Receipt.objects.filter(
            log=self.log, number__in={number for number, _line in missing}))}
        lines = self._lines(receipts.values())
        for number, line in missing:
            one = receipts[number]
            why = _("{name} rolled it before what this post quotes, and no post up to here quotes it.").format(
                name=isolated(self._name(one)))
            yield CheckedLine(DIFFERS, line, f"#{number} {lines.get(one.event_id or 0, '')}".strip(),
                              (_("Left out."), why), reverse("receipt", args=[one.token]))


def _shown_faults(quote: Quote, receipt: Receipt) -> tuple[str, ...]:
    """Return the errors in the number that a quote shows, and in the letters beside it."""
    if quote.number is None:
        return ()
    if quote.number != receipt.number:
        return (_("The text says #{n}, but the receipt is that of #{m}.").format(n=quote.number, m=receipt.number),)
    if quote.link != encode(bytes(receipt.link))[:SHORT]:
        return (_("The letters behind the number do not fit: they are those of no roll with this number."),)
    return ()


def _title(quote: Quote) -> str:
    number = f"#{quote.number} · {quote.link}" if quote.number is not None else ""
    return number or f"/rolls/{quote.token}/"


def _profile(found: FoundProfile) -> CheckedLine:
    verdict = UNKNOWN if found.unknown else DIFFERS if found.differences else HOLDS
    reasons = filter(None, (found.unknown, *found.differences, found.basis))
    url = reverse("sheet", args=[found.sheet]) if found.sheet else ""
    title = _("Profile of {name}").format(name=isolated(found.name)) if found.name else _("Profile")
    return CheckedLine(verdict, found.line, title, tuple(reasons), url, found.line_text)


def _key_of_user(pk: int | None) -> str:
    return f"user:{pk}"


def _owner(sheet: object, user: int | None) -> str:
    return str(sheet) if sheet else _key_of_user(user)


def _owner_of(receipt: Receipt) -> str:
    event = receipt.event
    return _owner(event.sheet_id, event.who_id) if event else ""
