"""Notifications by e-mail for users who have subscribed to them: a channel of the outbox.

A subscribed user has a Mailing. All unread notifications that are due are sent to a user in a single mail. A mail that
is sent twice has the same Message-ID, so that mailboxes can recognize duplicates.
"""

import hashlib
from contextlib import suppress
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from rulesets.names import ISOLATING, isolated
from sheets.link_like import unlinked
from sheets.models import Delivery, Mailing, Notification, Receiver
from sheets.models.outbox import MAIL
from sheets.notifications.services import notification_text
from sheets.outbox.channels import Channel, Unreachable, Unwanted

MAX_NOTIFICATIONS, MAX_LISTED = 1000, 50
"""The most notifications that one mail settles, and the most that it lists."""
SUBJECT = 120
"""The most characters of a subject."""


class Mail(Channel):
    """The mails to users: everything that is due to one of them is a single mail."""

    name = MAIL
    at_once = MAX_NOTIFICATIONS

    def __init__(self) -> None:
        self.connection: BaseEmailBackend = get_connection()

    def open(self) -> None:
        """Connect to the mail server."""
        try:
            self.connection.open()
        except (OSError, ValueError) as error:
            raise Unreachable(f"the mail server lets nobody in: {error}") from None

    def close(self) -> None:
        """Hang up."""
        with suppress(OSError):
            self.connection.close()

    def unwanted(self, deliveries: QuerySet[Delivery]) -> QuerySet[Delivery]:
        """Return those that the user has read on the site meanwhile."""
        return deliveries.exclude(notification__read=None)

    def receiver_name(self, receiver: Receiver) -> str:
        """Return the user's name."""
        return str(receiver.mailing.user.username) if receiver.mailing else ""

    def send(self, receiver: Receiver, deliveries: list[Delivery]) -> str:
        """Send one mail about all of them to the user's confirmed primary address."""
        mailing = receiver.mailing
        address = address_of(mailing.user) if mailing else None
        if mailing is None or address is None:
            raise Unwanted("no confirmed address")
        notifications = Notification.objects.filter(deliveries__in=deliveries).select_related("who").order_by("pk")
        if not notifications:
            raise Unwanted("gone")
        try:
            self.connection.send_messages([message_of(mailing, address, list(notifications))])
        except Exception:
            # The server may have closed the connection; the next mail opens a new one.
            self.close()
            raise
        return ""


def address_of(user: User) -> str | None:
    """Return the address for mails to a user: their primary address if it is confirmed, else None."""
    address = EmailAddress.objects.filter(user=user, user__is_active=True, primary=True, verified=True).first()
    return address.email if address else None


@transaction.atomic
def ask(user: User, language: str) -> None:
    """Subscribe a user to mails in a language; notifications from before the subscription are never mailed."""
    mailing, _new = Mailing.objects.update_or_create(user=user, defaults={"language": language})
    Receiver.objects.get_or_create(mailing=mailing, defaults={"channel": MAIL})


def message_of(mailing: Mailing, address: str, notifications: list[Notification]) -> EmailMessage:
    """Return the mail in the user's language, with one line for each notification."""
    site = settings.SITE_URL
    account = f"{site}{reverse('account')}#mail"
    with override(mailing.language):
        lines = [unlinked(_one_line(notification_text(notification))) for notification in notifications[:MAX_LISTED]]
        subject = lines[0] if len(notifications) == 1 else \
            ngettext("{n} notification", "{n} notifications", len(notifications)).format(n=len(notifications))
        parts = [
            _("Hello {name},").format(name=isolated(unlinked(_one_line(mailing.user.username)))),
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
        to=[address],
        headers={
            "Message-ID": f"<{hashlib.sha256(keys.encode()).hexdigest()[:32]}@{urlsplit(site).hostname}>",
            "List-Unsubscribe": f"<{account}>",
            "Auto-Submitted": "auto-generated",
        })


def _one_line(text: str) -> str:
    """Return a text as one line of printable characters, so that a name cannot inject a line or a header."""
    return " ".join("".join(sign if sign.isprintable() or sign in ISOLATING else " " for sign in text).split())
