"""The posted form of a press, the change token of its page, and the answer to a press that was posted before."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.db.models import Count, QuerySet, Sum
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from rulesets.kit import parse_whole_number
from rulesets.kit.row_marks import named
from sheets.models import GMS, AskedRoll, Event, Member, Party, Question, Receipt, Sheet
from sheets.models.compiled_queries import compiled
from sheets.press.prepare import Press
from sheets.receipts.messages import NONCE
from sheets.rolls.rows import BY_HAND
from sheets.stage.known_rolls import roll_of_event

if TYPE_CHECKING:
    from sheets.stage.table import PartyTable

FACE, FACES = "_face", 2_000
"""The name of the inputs for faces thrown by hand, and the most that are read."""
NOBODY = "-"
"""The value of `_at` for no target, even if the actor had a target before."""

COUNTED = ("party__version", "party__pulse", "party__secret", Sum("party__sheets__version"), Count("party__sheets"),
           Count("party__sheets__deleted"))
"""The values that change with any news at a table: with its events, and when sheets are added, removed or changed."""


def seats_query(by: Sheet, at: Sheet | None) -> str:
    """Return the query of an address that names the actor and the target."""
    return urlencode({"_by": by.pk, "_at": at.pk if at else NOBODY})


def head(party_table: "PartyTable", query: str, now: str) -> dict[str, Any]:
    """Return the context of a table's page: its party, and its forms' addresses; `query` names actor and target."""
    me, query = party_table.me, "&".join(filter(None, (query, party_table.scene_query)))
    address = reverse("table", args=[party_table.party.pk])
    return {"me": me, "party": party_table.party, "ruleset": party_table.ruleset, "party_table": party_table,
            "now": now, "rules_url": reverse("rules", args=[party_table.ruleset.slug]), "press": press_keys(),
            "paired": bool(party_table.ruleset.crossing.pairs),
            "table_url": f"{address}?{query}", "sheet_url": f"{address}?{query}", "mine": True,
            "play_url": f"{reverse('table-play', args=[party_table.party.pk])}?{query}"}


def token_of(request: HttpRequest, pk: UUID) -> str:
    """Return the change token of a table (Http404 for those who are not in its party).

    Every open page asks for it every few seconds, so it takes only one cheap query.
    """
    return token(*_counted(request.user.pk, pk))


def token_after(me: Member, before: str, news: int = 1) -> str:
    """Return the change token for a member after a press of theirs that raised the party's `pulse` by `news`.

    Return "" if the token before the press was not `before`, because then others have done something, too.
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
    """Return the change token of a table for a member of this role, made from its `COUNTED` values."""
    # Hashed, so that readers do not learn how often sheets have changed that they may not read.
    counted = repr((role, version, pulse, secret if role in GMS else 0, *sheets))
    return salted_hmac("table", counted).hexdigest()[:20]


def knowing_after(event: Event, place: Sheet | Party) -> dict[str, Any]:
    """Return the context for the page of a sheet or table, whose last known roll is the one just made."""
    return knowing(roll_of_event(event, place.pk, place.party if isinstance(place, Sheet) else place))


def press_key(post: Mapping[str, str]) -> UUID:
    """Return the key of a press, by which repeated posts are detected; raise `BadRequest` without one."""
    try:
        return UUID(post.get("_press", "").partition(".")[0])
    except ValueError:
        raise BadRequest(_("The form does not say which button was pressed; reload the page.")) from None


def nonce_in(post: Mapping[str, str]) -> str:
    """Return the nonce that the browser chose for a roll; "" if there is none or it is malformed."""
    nonce = post.get("_nonce", "")
    return nonce if NONCE.fullmatch(nonce) else ""


def press_keys(known_roll: str = "") -> Callable[[], str]:
    """Return a function that returns a new key each time, for the forms of one page.

    They differ in four digits only, so that the page compresses well. The last roll that the page knows of is appended
    to each key, so that it is sent even without scripts.
    """
    first, numbers, rest = uuid4().int & ~0xFFFF, count(), f".{known_roll}" if known_roll else ""
    return lambda: f"{UUID(int=first + next(numbers))}{rest}"


def knowing(known_roll: str) -> dict[str, Any]:
    """Return the context of a page whose last known roll is this one."""
    return {"known_roll": known_roll, "press": press_keys(known_roll)}


def tell_done(request: HttpRequest, earlier: Event | AskedRoll | Question | Receipt) -> None:
    """Add a message that says when a repeated press was done."""
    message = _("That was already done at {time}. Press again to do it once more.")
    messages.info(request, message.format(time=date_format(localtime(earlier.made), "TIME_FORMAT")))


def faces_in(request: HttpRequest) -> tuple[int | None, ...] | None:
    """Return the faces that a press brings, None for each that is no number; None if its dice fall here."""
    if not (BY_HAND in request.GET or BY_HAND in request.POST):
        return None
    return tuple(parse_whole_number(text) for text in request.POST.getlist(FACE)[:FACES])


@dataclass(frozen=True)
class PressForm:
    """The posted form of a press: the press itself, and the state of the page that it was posted from."""

    press: Press
    seen: str
    """The fingerprint of the page."""
    nudge: str
    """The name of the pressed button if it belongs to a gauge, else ""."""
    change_token: str
    """The change token of the page."""
    asked: bool
    """True if the page shows a GM's request for a roll, which this press may answer."""

    @classmethod
    def of(cls, request: HttpRequest) -> "PressForm":
        """Return the form as it was posted (`BadRequest` without a key)."""
        post = request.POST
        which, row = named(post.get("w", ""))
        press = Press(which, row, dict(post.lists()), press_key(post), nonce_in(post), faces_in(request))
        seen, nudge, change_token, asked = (post.get(name, "") for name in ("_seen", "_nudge", "_word", "_asked"))
        return cls(press, seen, nudge, change_token, bool(asked))

    @property
    def place(self) -> str:
        """The anchor of the pressed button on the page."""
        return self.nudge or f"w-{self.press.which}"

    def told_as_done(self, request: HttpRequest, sheet: Sheet) -> bool:
        """Return True if the press was posted before, and add a message that says when."""
        key = self.press.key
        earlier = sheet.events.filter(key=key).first() or sheet.questions_asked.filter(key=key).first()
        if earlier is None:
            return False
        tell_done(request, earlier)
        return True
