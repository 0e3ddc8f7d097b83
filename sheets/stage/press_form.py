"""The posted form of a press, and messages about a press that did nothing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import BadRequest, ObjectDoesNotExist
from django.http import Http404, HttpRequest, QueryDict
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from rulesets.kit.row_marks import named
from sheets.access import membership
from sheets.buttons import row_key
from sheets.models import AskedRoll, Event, Question, Sheet
from sheets.press.prepare import Press
from sheets.press.settle import Decision, Settled, settle

KEYED = ("apply", "change", "guard", "rethrow", "respond")
"""The actions that create an event with the key of the press."""

NOBODY = "-"
"""The `_at` of an address that aims at nobody, even where somebody was aimed at last."""


def seats_query(by: Sheet, at: Sheet | None) -> str:
    """Return the query of an address that names the actor and the target."""
    return urlencode({"_by": by.pk, "_at": at.pk if at else NOBODY})


def press_key(post: Mapping[str, str]) -> UUID:
    """Return the key of a press, by which repeated posts are detected; raise `BadRequest` without one."""
    try:
        return UUID(post.get("_press", ""))
    except ValueError:
        raise BadRequest(_("The form does not say which press this is; load the page anew.")) from None


def press_keys() -> Callable[[], UUID]:
    """Return a function that returns a new key each time, for the forms of one page.

    They differ in the last four digits only, so that the page compresses well.
    """
    first, numbers = uuid4().int & ~0xFFFF, count()
    return lambda: UUID(int=first + next(numbers))


def tell_done(request: HttpRequest, earlier: Event | AskedRoll | Question) -> None:
    """Say when a press that arrives once more was done."""
    message = _("That was done already, at {time}. Press again to do it once more.")
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
        press = Press(which, row, dict(post.lists()), press_key(post))
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


def settled(request: Any, pk: Any, action: str, about: str) -> Settled:
    """Do what a button decides at a table, or tell why it is not done (Http404 for those who may not decide it)."""
    post = request.POST
    key = press_key(post) if action in KEYED else uuid4()
    number, choice = about.partition(":")[::2] if action in ("guard", "respond") else (about, "")
    answers = dict(post.lists()) if action == "change" else None
    decision = Decision(action, row_key(number), request.user, key, choice, answers)
    try:
        done = settle(partial(membership, request, pk, lock=True), decision)
    except ObjectDoesNotExist:
        raise Http404 from None
    if done.fault:
        messages.error(request, done.fault)
    for why in done.stays:
        messages.warning(request, why)
    # A second arrival of the same press is no news.
    if done.late and not Event.objects.filter(party=pk, key=press_key(post)).exists():
        messages.warning(request, _("That is settled already."))
    return done
