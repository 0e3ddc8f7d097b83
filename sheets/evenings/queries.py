"""The next evenings of parties, as their members read them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from sheets.evenings.services import starts_of
from sheets.models import Answer, Evening, Member
from sheets.models.evenings import ASKED, MAYBE, NO, OPEN, YES
from sheets.zones import local_text, written, zone_of

WORDS = {YES: pgettext_lazy("answer to a date", "Yes"), MAYBE: pgettext_lazy("answer to a date", "Maybe"),
         NO: pgettext_lazy("answer to a date", "No")}
"""{answer: what its button says}."""
RHYTHMS = {0: gettext_lazy("once"), 1: gettext_lazy("weekly"), 2: gettext_lazy("fortnightly")}
"""{weeks between dates: the word for it}."""


@dataclass(frozen=True)
class ShownDate:
    """A date of an evening with the answers to it, as a member reads it; `mine` is the member's own, "" for none.

    `when` is how it is written in the member's time zone, `typed` how it is typed there.
    """

    start: datetime
    when: str
    typed: str
    answers: Sequence[Answer]
    mine: str

    @property
    def key(self) -> int:
        """The date as buttons state it."""
        return int(self.start.timestamp())

    @property
    def tally(self) -> str:
        """The numbers of answers in words, "" if there are none."""
        n = Counter(one.answer for one in self.answers)
        words = ((YES, ngettext("{n} can come", "{n} can come", n[YES])),
                 (MAYBE, ngettext("{n} maybe", "{n} maybe", n[MAYBE])),
                 (NO, ngettext("{n} cannot", "{n} cannot", n[NO])))
        return ", ".join(text.format(n=n[answer]) for answer, text in words if n[answer])

    @property
    def choices(self) -> list[tuple[str, Any, bool]]:
        """The buttons: (value, title, True for the member's answer)."""
        return [(f"{answer}:{self.key}", title, answer == self.mine) for answer, title in WORDS.items()]

    @property
    def names(self) -> list[tuple[Any, list[str]]]:
        """The names of those who answered, by answer."""
        found = ((title, [one.member.user.username for one in self.answers if one.answer == answer])
                 for answer, title in WORDS.items())
        return [(title, names) for title, names in found if names]


@dataclass(frozen=True)
class ShownEvening:
    """A party's evening as a member reads it."""

    evening: Evening
    member: Member
    dates: Sequence[ShownDate]

    @property
    def is_asked(self) -> bool:
        """True while there are dates to choose from."""
        return self.evening.state == ASKED

    @property
    def next(self) -> ShownDate:
        """The next date, or the first to choose from."""
        return self.dates[0]

    @property
    def unanswered(self) -> int:
        """The number of dates that the member has not answered."""
        return sum(not one.mine for one in self.dates)

    @property
    def best(self) -> int:
        """The key of the date on which most members can come; the first one of several."""
        return max(self.dates, key=lambda one: (sum(each.answer == YES for each in one.answers), -one.key)).key

    @property
    def rhythm(self) -> Any:
        """The word for how often it is, "" for once."""
        return RHYTHMS[self.evening.weeks] if self.evening.weeks else ""

    @property
    def missing(self) -> str:
        """The number of dates that wait for the member's answer, in words."""
        n = self.unanswered
        return ngettext("{n} date waits for your answer", "{n} dates wait for your answer", n).format(n=n)

    @property
    def question(self) -> str:
        """The question to a member who has not answered."""
        return _("When can you play?") if self.is_asked else _("Can you come?")


def shown_evenings(user: User | Any, members: Iterable[Member], zone: str = "") -> dict[UUID, ShownEvening]:
    """Return {key of a party: its evening}, if it has one, for a user's memberships."""
    by_party = {one.party_id: one for one in members}
    found = Evening.objects.filter(party__in=by_party, state__in=OPEN).prefetch_related("dates")
    starts = {one: dates for one in found if (dates := starts_of(one))}
    if not starts:
        return {}
    zone = zone or zone_of(user)
    answers = list(Answer.objects.filter(evening__in=starts).select_related("member__user").order_by("made", "pk"))

    def shown(evening: Evening, start: datetime) -> ShownDate:
        given = [one for one in answers if one.evening_id == evening.pk and one.starts == start]
        mine = next((one.answer for one in given if one.member_id == by_party[evening.party_id].pk), "")
        return ShownDate(start, written(start, zone), local_text(start, zone), given, mine)

    return {one.party_id: ShownEvening(one, by_party[one.party_id], [shown(one, start) for start in dates])
            for one, dates in starts.items()}
