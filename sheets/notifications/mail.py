"""Notifications by e-mail for those who want them, sent by a command of its own and never within a request.

Whoever wants them has a Mailing. What is unread and not settled is due, and all of it goes to a person in one mail. A
sender first claims the person: it moves Mailing.after beyond the longest sending, which of several senders only one
does, and asks the mail server when that is kept. What comes of it is kept afterwards. So a sender that dies in between
leaves what may or may not have gone out, and it is sent again when the claim has run out: at least once, at most TRIES
times, under the same Message-ID, by which mailboxes know it for one.
"""

import hashlib
from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from rulesets.names import ISOLATING, isolated
from sheets.link_like import unlinked
from sheets.models import DROPPED, FAILED, SENT, Mailing, Notification
from sheets.notifications.services import notification_text

CLAIM = timedelta(minutes=10)
"""The time for which a sender has somebody for itself; far longer than a mail server may take."""
TRIES, PAUSE, GROWTH = 6, timedelta(minutes=5), 4
"""The number of attempts per mail, the pause after the first, and the factor by which it grows: over a day in all."""
MOST, SHOWN = 1000, 50
"""The most notifications that one mail settles, and the most that it lists."""
SUBJECT = 120
"""Characters of a subject."""


class Unreachable(Exception):
    """The mail server cannot be reached; the message says why. It counts as nobody's attempt."""


@dataclass(frozen=True)
class Lease:
    """A person whom one sender has for itself `until` then, and what is due; no `address` if none is confirmed."""

    mailing: Mailing
    until: datetime
    address: str | None
    found: list[Notification]


@dataclass(frozen=True)
class Delivery:
    """The outcome of one mail: `sent`, `dropped`, `refused` (tried again later) or `given up`, and `why`."""

    state: str
    who: str
    notifications: int
    why: str = ""


def address_of(user: User) -> str | None:
    """Return the address for mails to a user: their primary address if it is confirmed, else None."""
    found = EmailAddress.objects.filter(user=user, user__is_active=True, primary=True, verified=True).first()
    return found.email if found else None


@transaction.atomic
def ask(user: User, language: str) -> None:
    """Subscribe a user to mails in a language from now on; what happened before was told on the site."""
    _mailing, new = Mailing.objects.update_or_create(user=user, defaults={"language": language})
    if new:
        user.notifications.filter(mail="").update(mail=DROPPED)


def lost(user: User) -> bool:
    """Return True if the last mail to a user was given up."""
    last = user.notifications.filter(mail__in=(SENT, FAILED)).order_by("-pk").first()
    return last is not None and last.mail == FAILED


def due() -> QuerySet[Notification]:
    """Return the notifications that wait to be sent or dropped."""
    return Notification.objects.filter(mail="", read=None, user__mailing__isnull=False)


def deliver() -> Generator[Delivery, None, None]:
    """Send one mail to each user who is due now (`Unreachable`); it can be stopped between two of them."""
    waiting = Mailing.objects.filter(Exists(due().filter(user=OuterRef("user"))), after__lte=timezone.now())
    connection = get_connection()
    try:
        for pk in list(waiting.order_by("after").values_list("pk", flat=True)):
            try:
                connection.open()
            except (OSError, ValueError) as error:
                raise Unreachable(str(error)) from None
            if claim := _claim(pk):
                yield _deliver(connection, claim)
    finally:
        _close(connection)


def _close(connection: BaseEmailBackend) -> None:
    with suppress(OSError):
        connection.close()


def _claim(pk: int) -> Lease | None:
    """Claim a person; return None if another sender has them, or nothing is due any more."""
    now = timezone.now()
    until = now + CLAIM
    with transaction.atomic():
        if not Mailing.objects.filter(pk=pk, after__lte=now).update(after=until):
            return None
        mailing = Mailing.objects.select_related("user").get(pk=pk)
        theirs = due().filter(user=mailing.user)
        # Senders that died over it each time, and so never came to give it up.
        theirs.filter(tries__gte=TRIES).update(mail=FAILED)
        keys = list(theirs.order_by("pk").values_list("pk", flat=True)[:MOST])
        Notification.objects.filter(pk__in=keys).update(tries=F("tries") + 1)
        found = list(Notification.objects.filter(pk__in=keys).select_related("who").order_by("pk"))
        claim = Lease(mailing, until, address_of(mailing.user), found)
        if not found:
            _release(claim)
            return None
    return claim


def _deliver(connection: BaseEmailBackend, claim: Lease) -> Delivery:
    who, n = claim.mailing.user.username, len(claim.found)
    if claim.address is None:
        _settle(claim, DROPPED)
        return Delivery("dropped", who, n, "no confirmed address")
    try:
        connection.send_messages([message_of(claim)])
    except Exception as error:  # noqa: BLE001 - whatever one mail breaks by, the others go out
        # The server may have hung up; the next mail finds out by a new connection.
        _close(connection)
        return Delivery("refused" if _postpone(claim) else "given up", who, n, f"{type(error).__name__}: {error}")
    _settle(claim, SENT)
    return Delivery("sent", who, n)


@transaction.atomic
def _settle(claim: Lease, state: str) -> None:
    _these(claim).update(mail=state)
    _release(claim)


def _postpone(claim: Lease) -> bool:
    """Schedule another attempt, and return whether anything is left to be tried."""
    left = [one.tries for one in claim.found if one.tries < TRIES]
    with transaction.atomic():
        _these(claim).filter(tries__gte=TRIES).update(mail=FAILED)
        _release(claim, PAUSE * GROWTH ** (max(left) - 1) if left else timedelta())
    return bool(left)


def _these(claim: Lease) -> QuerySet[Notification]:
    return Notification.objects.filter(pk__in=[one.pk for one in claim.found])


def _release(claim: Lease, pause: timedelta = timedelta()) -> None:
    """Release the person for other senders, unless the claim ran out and somebody else has it."""
    Mailing.objects.filter(pk=claim.mailing.pk, after=claim.until).update(after=timezone.now() + pause)


def message_of(claim: Lease) -> EmailMessage:
    """Return the mail in the language its reader chose; each notification is one line, whatever names are in it."""
    found, site = claim.found, settings.SITE_URL
    account = f"{site}{reverse('account')}#mail"
    with override(claim.mailing.language):
        lines = [unlinked(_line(notification_text(one))) for one in found[:SHOWN]]
        subject = lines[0] if len(found) == 1 else \
            ngettext("{n} notification", "{n} notifications", len(found)).format(n=len(found))
        parts = [
            _("Hello {name},").format(name=isolated(unlinked(_line(claim.mailing.user.username)))),
            *("\n".join(filter(None, (
                f"{date_format(timezone.localtime(one.made), 'SHORT_DATETIME_FORMAT')}  {text}",
                one.url and f"{site}{_line(one.url)}"))) for one, text in zip(found, lines, strict=False)),
        ]
        if more := len(found) - len(lines):
            parts.append(ngettext("And {n} more.", "And {n} more.", more).format(n=more))
        parts += [
            _("All notifications: {link}").format(link=f"{site}{reverse('notifications')}"),
            "-- \n" + _("You get this mail because you asked for it. Turn it off here: {link}").format(link=account),
        ]
    # The times, too: a database that was restored gives out the same keys once more.
    keys = ",".join(f"{one.pk} {one.made.isoformat()}" for one in found)
    return EmailMessage(
        f"Bogenschmiede: {Truncator(subject).chars(SUBJECT)}", "\n\n".join(parts) + "\n",
        to=[claim.address] if claim.address else [],
        headers={
            "Message-ID": f"<{hashlib.sha256(keys.encode()).hexdigest()[:32]}@{urlsplit(site).hostname}>",
            "List-Unsubscribe": f"<{account}>",
            "Auto-Submitted": "auto-generated",
        })


def _line(text: str) -> str:
    """Return a text as one line of visible characters, so that no name begins another line or a header of its own."""
    return " ".join("".join(sign if sign.isprintable() or sign in ISOLATING else " " for sign in text).split())
