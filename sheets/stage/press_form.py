"""The posted form of a press, the change token that its page has, and the answer to one that was posted before."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.db.models import Count, QuerySet, Sum
from django.http import Http404, HttpRequest, QueryDict
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from rulesets.kit.row_marks import named
from sheets.models import GMS, AskedRoll, Event, Member, Party, Question, Receipt, Sheet
from sheets.models.compiled_queries import compiled
from sheets.press.prepare import Press
from sheets.receipts.messages import NONCE
from sheets.stage.known_rolls import roll_of_event

if TYPE_CHECKING:
    from sheets.stage.table import PartyTable

NOBODY = "-"
"""The `_at` of an address that aims at nobody, even where somebody was aimed at last."""

COUNTED = ("party__version", "party__pulse", "party__secret", Sum("party__sheets__version"), Count("party__sheets"),
           Count("party__sheets__deleted"))
"""The values that change with any news at a table: its events, and its sheets as they come, go and change."""


def seats_query(by: Sheet, at: Sheet | None) -> str:
    """Return the query of an address that names the actor and the target."""
    return urlencode({"_by": by.pk, "_at": at.pk if at else NOBODY})


def head(party_table: "PartyTable", query: str, now: str) -> dict[str, Any]:
    """Return whose table a page is of, and where its forms go; the `query` names the actor and the target."""
    me, query = party_table.me, "&".join(filter(None, (query, party_table.scene_query)))
    address = reverse("table", args=[party_table.party.pk])
    return {"me": me, "party": party_table.party, "ruleset": party_table.ruleset, "party_table": party_table,
            "now": now, "rules_url": reverse("rules", args=[party_table.ruleset.slug]), "press": press_keys(),
            "paired": bool(party_table.ruleset.crossing.pairs),
            "table_url": f"{address}?{query}", "sheet_url": f"{address}?{query}", "mine": True,
            "play_url": f"{reverse('table-play', args=[party_table.party.pk])}?{query}"}


def token_of(request: HttpRequest, pk: UUID) -> str:
    """Return the change token of a table (Http404 for those who are not in its party).

    It is asked for every few seconds by everybody at the table, and so is one cheap query.
    """
    return token(*_counted(request.user.pk, pk))


def token_after(me: Member, before: str, news: int = 1) -> str:
    """Return the change token for a member after a press of theirs that told the party of news so many times.

    Return "" if the token before it was not `before`, because then others have done something too.
    """
    role, version, pulse, *more = found = _counted(me.user_id, me.party_id)
    return token(*found) if token(role, version, pulse - news, *more) == before else ""


def _counted(user: int | None, party: UUID) -> tuple[Any, ...]:
    """Return the role of a member with the counts of the table (Http404 if there is none)."""
    if not (found := _counts_of_member(user, party)):
        raise Http404
    return found[0]


@compiled
def _counts_of_member(user: Any, party: Any) -> QuerySet[Member, tuple]:
    return Member.objects.filter(user=user, party=party).values_list("role", *COUNTED)


def token(role: str, version: int, pulse: int, secret: int, *sheets: int | None) -> str:
    """Return the change token that counts of the table make for a member of this role."""
    # It tells that something is new, and not how often a sheet was changed that one does not read.
    counted = repr((role, version, pulse, secret if role in GMS else 0, *sheets))
    return salted_hmac("table", counted).hexdigest()[:20]


def knowing_after(event: Event, place: Sheet | Party) -> dict[str, Any]:
    """Return the context of the page of a sheet or table that knows of the roll that was made just now."""
    return knowing(roll_of_event(event, place.pk, place.party if isinstance(place, Sheet) else place))


def press_key(post: Mapping[str, str]) -> UUID:
    """Return the key of a press, by which repeated posts are detected; raise `BadRequest` without one."""
    try:
        return UUID(post.get("_press", "").partition(".")[0])
    except ValueError:
        raise BadRequest(_("The form does not say which button was pressed; reload the page.")) from None


def nonce_in(post: Mapping[str, str]) -> str:
    """Return the nonce that the browser chose for a roll; "" if it chose none, or something that is none."""
    nonce = post.get("_nonce", "")
    return nonce if NONCE.fullmatch(nonce) else ""


def press_keys(known_roll: str = "") -> Callable[[], str]:
    """Return a function that returns a new key each time, for the forms of one page.

    They differ in four digits only, so that the page compresses well. The last roll that the page knows of stands
    behind each, so that it is sent without scripts too.
    """
    first, numbers, rest = uuid4().int & ~0xFFFF, count(), f".{known_roll}" if known_roll else ""
    return lambda: f"{UUID(int=first + next(numbers))}{rest}"


def knowing(known_roll: str) -> dict[str, Any]:
    """Return the context of a page that knows of this last roll."""
    return {"known_roll": known_roll, "press": press_keys(known_roll)}


def tell_done(request: HttpRequest, earlier: Event | AskedRoll | Question | Receipt) -> None:
    """Say when a press that arrives once more was done."""
    message = _("That was already done at {time}. Press again to do it once more.")
    messages.info(request, message.format(time=date_format(localtime(earlier.made), "TIME_FORMAT")))


@dataclass(frozen=True)
class PressForm:
    """The form of a press: what is pressed, and what the page that it stands on says of itself."""

    press: Press
    seen: str
    """The fingerprint of the page."""
    nudge: str
    """The button at a gauge that was pressed, "" for any other."""
    change_token: str
    """The change token of the page."""
    asked: bool
    """True if the page says that a GM waits for a roll, which may be this one."""

    @classmethod
    def of(cls, post: QueryDict) -> "PressForm":
        """Return the form as it was posted (`BadRequest` without a key)."""
        which, row = named(post.get("w", ""))
        press = Press(which, row, dict(post.lists()), press_key(post), nonce_in(post))
        seen, nudge, change_token, asked = (post.get(name, "") for name in ("_seen", "_nudge", "_word", "_asked"))
        return cls(press, seen, nudge, change_token, bool(asked))

    @property
    def place(self) -> str:
        """The place on the page where it stands."""
        return self.nudge or f"w-{self.press.which}"

    def told_as_done(self, request: HttpRequest, sheet: Sheet) -> bool:
        """Return True if the press was posted before, and add a message that says when."""
        key = self.press.key
        earlier = sheet.events.filter(key=key).first() or sheet.questions_asked.filter(key=key).first()
        if earlier is None:
            return False
        tell_done(request, earlier)
        return True
