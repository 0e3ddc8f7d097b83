"""Notifications by e-mail for users who have subscribed to them, sent by a management command, never by a request.

A subscribed user has a Mailing. All unread notifications without a state of their mail are due and are sent to a user
in a single mail. A sender first claims the user, by moving Mailing.after beyond the longest time that sending can take,
and commits that before it contacts the mail server. The outcome is stored afterwards. If a sender dies in between, the
mail is sent again when its claim has expired: at least once, at most `TRIES` times, and with the same Message-ID,
so that mailboxes can recognize duplicates.
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
from sheets.models import Mailing, Notification
from sheets.models.notifications import DROPPED, FAILED, SENT
from sheets.notifications.services import notification_text

CLAIM_TIME = timedelta(minutes=10)
"""The time for which a sender claims a user; much longer than a mail server may take."""
TRIES, PAUSE, GROWTH = 6, timedelta(minutes=5), 4
"""The most attempts per mail, the pause after the first, and the factor by which it grows: over a day in all."""
MAX_NOTIFICATIONS, MAX_LISTED = 1000, 50
"""The most notifications that one mail settles, and the most that it lists."""
SUBJECT = 120
"""The most characters of a subject."""


class Unreachable(Exception):
    """The mail server cannot be reached; the message tells why. This does not count as an attempt."""


@dataclass(frozen=True)
class Lease:
    """A user claimed by a sender `until` a time, with the due notifications; `address` is None if none is confirmed."""

    mailing: Mailing
    until: datetime
    address: str | None
    notifications: list[Notification]


@dataclass(frozen=True)
class Delivery:
    """The outcome of one mail: `sent`, `dropped`, `refused` (tried again later) or `given up`, and `why`."""

    state: str
    who: str
    notifications: int
    why: str = ""


def address_of(user: User) -> str | None:
    """Return the address for mails to a user: their primary address if it is confirmed, else None."""
    address = EmailAddress.objects.filter(user=user, user__is_active=True, primary=True, verified=True).first()
    return address.email if address else None


@transaction.atomic
def ask(user: User, language: str) -> None:
    """Subscribe a user to mails in a language; notifications from before the subscription are never mailed."""
    _mailing, new = Mailing.objects.update_or_create(user=user, defaults={"language": language})
    if new:
        user.notifications.filter(mail="").update(mail=DROPPED)


def last_mail_failed(user: User) -> bool:
    """Return True if the last mail to a user was given up."""
    newest = user.notifications.filter(mail__in=(SENT, FAILED)).order_by("-pk").first()
    return newest is not None and newest.mail == FAILED


def due() -> QuerySet[Notification]:
    """Return the notifications that wait to be sent or dropped."""
    return Notification.objects.filter(mail="", read=None, user__mailing__isnull=False)


def deliver() -> Generator[Delivery, None, None]:
    """Send a mail to each user with due notifications, and yield its outcome.

    Raise `Unreachable` if the mail server cannot be reached. The caller may stop after any mail.
    """
    waiting = Mailing.objects.filter(Exists(due().filter(user=OuterRef("user"))), after__lte=timezone.now())
    connection = get_connection()
    try:
        for pk in list(waiting.order_by("after").values_list("pk", flat=True)):
            try:
                connection.open()
            except (OSError, ValueError) as error:
                raise Unreachable(str(error)) from None
            if lease := _claim(pk):
                yield _deliver(connection, lease)
    finally:
        _close(connection)


def _close(connection: BaseEmailBackend) -> None:
    with suppress(OSError):
        connection.close()


def _claim(pk: int) -> Lease | None:
    """Claim the user of a mailing; return None if another sender has claimed them, or nothing is due any more."""
    now = timezone.now()
    until = now + CLAIM_TIME
    with transaction.atomic():
        if not Mailing.objects.filter(pk=pk, after__lte=now).update(after=until):
            return None
        mailing = Mailing.objects.select_related("user").get(pk=pk)
        due_notifications = due().filter(user=mailing.user)
        # Give up notifications whose senders died at every attempt.
        due_notifications.filter(tries__gte=TRIES).update(mail=FAILED)
        keys = list(due_notifications.order_by("pk").values_list("pk", flat=True)[:MAX_NOTIFICATIONS])
        Notification.objects.filter(pk__in=keys).update(tries=F("tries") + 1)
        notifications = list(Notification.objects.filter(pk__in=keys).select_related("who").order_by("pk"))
        lease = Lease(mailing, until, address_of(mailing.user), notifications)
        if not notifications:
            _release(lease)
            return None
    return lease


def _deliver(connection: BaseEmailBackend, lease: Lease) -> Delivery:
    who, n = lease.mailing.user.username, len(lease.notifications)
    if lease.address is None:
        _settle(lease, DROPPED)
        return Delivery("dropped", who, n, "no confirmed address")
    try:
        connection.send_messages([message_of(lease)])
    except Exception as error:  # noqa: BLE001 - an error of one mail must not stop the others
        # The server may have closed the connection; the next mail opens a new one.
        _close(connection)
        return Delivery("refused" if _postpone(lease) else "given up", who, n, f"{type(error).__name__}: {error}")
    _settle(lease, SENT)
    return Delivery("sent", who, n)


@transaction.atomic
def _settle(lease: Lease, state: str) -> None:
    _notifications_of(lease).update(mail=state)
    _release(lease)


def _postpone(lease: Lease) -> bool:
    """Schedule another attempt; return False if no notification has attempts left."""
    left = [one.tries for one in lease.notifications if one.tries < TRIES]
    with transaction.atomic():
        _notifications_of(lease).filter(tries__gte=TRIES).update(mail=FAILED)
        _release(lease, PAUSE * GROWTH ** (max(left) - 1) if left else timedelta())
    return bool(left)


def _notifications_of(lease: Lease) -> QuerySet[Notification]:
    return Notification.objects.filter(pk__in=[one.pk for one in lease.notifications])


def _release(lease: Lease, pause: timedelta = timedelta()) -> None:
    """Release the user for other senders after a pause, unless the claim has expired and another sender has it."""
    Mailing.objects.filter(pk=lease.mailing.pk, after=lease.until).update(after=timezone.now() + pause)


def message_of(lease: Lease) -> EmailMessage:
    """Return the mail in the user's language, with one line for each notification."""
    notifications, site = lease.notifications, settings.SITE_URL
    account = f"{site}{reverse('account')}#mail"
    with override(lease.mailing.language):
        lines = [unlinked(_one_line(notification_text(notification))) for notification in notifications[:MAX_LISTED]]
        subject = lines[0] if len(notifications) == 1 else \
            ngettext("{n} notification", "{n} notifications", len(notifications)).format(n=len(notifications))
        parts = [
            _("Hello {name},").format(name=isolated(unlinked(_one_line(lease.mailing.user.username)))),
            *("\n".join(filter(None, (
                f"{date_format(timezone.localtime(notification.made), 'SHORT_DATETIME_FORMAT')}  {text}",
                notification.url and f"{site}{_one_line(notification.url)}")))
              for notification, text in zip(notifications, lines, strict=False)),
        ]
        if more := len(notifications) - len(lines):
            parts.append(ngettext("And {n} more.", "And {n} more.", more).format(n=more))
        parts += [
            _("All notifications: {link}").format(link=f"{site}{reverse('notifications')}"),
            "-- \n" + _("You are getting this e-mail because you asked for it. Turn it off here: "
                        "{link}").format(link=account),
        ]
    # The hash includes times, because a restored database assigns the same primary keys again.
    keys = ",".join(f"{notification.pk} {notification.made.isoformat()}" for notification in notifications)
    return EmailMessage(
        f"Bogenschmiede: {Truncator(subject).chars(SUBJECT)}", "\n\n".join(parts) + "\n",
        to=[lease.address] if lease.address else [],
        headers={
            "Message-ID": f"<{hashlib.sha256(keys.encode()).hexdigest()[:32]}@{urlsplit(site).hostname}>",
            "List-Unsubscribe": f"<{account}>",
            "Auto-Submitted": "auto-generated",
        })


def _one_line(text: str) -> str:
    """Return a text as one line of printable characters, so that a name cannot inject a line or a header."""
    return " ".join("".join(sign if sign.isprintable() or sign in ISOLATING else " " for sign in text).split())
