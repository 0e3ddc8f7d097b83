"""The channel of the outbox that tells browsers of notifications by web push."""

import json
from datetime import timedelta
from typing import Any

from cryptography.exceptions import InvalidTag
from django.conf import settings
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import ngettext, override

from sheets.models import Delivery, Notification, PushDevice, Receiver
from sheets.models.outbox import PUSH
from sheets.notifications.push import authorization, encrypted, public_key, session_is_valid, unsealed_data
from sheets.notifications.services import notification_text
from sheets.outbox.channels import Channel, Failed, Unwanted
from sheets.outbox.connect import NoAnswer, NotAllowed, post

STALE = timedelta(hours=1)
"""The age from which a push tells nobody anything any more."""
LONGEST = 400
"""The most characters of a text; a message has at most 4 KB."""


class Push(Channel):
    """The pushes to browsers: everything that is due to one of them is a single message."""

    name = PUSH
    claimed_for = timedelta(minutes=1)
    at_once = 1000

    def unwanted(self, deliveries: QuerySet[Delivery]) -> QuerySet[Delivery]:
        """Return those that are too old or were read on the site meanwhile; all if the site sends none any more."""
        if not settings.VAPID_KEY:
            return deliveries
        return deliveries.filter(~Q(notification__read=None) | Q(made__lt=timezone.now() - STALE))

    def receiver_name(self, receiver: Receiver) -> str:
        """Return the number of the device: its address is secret."""
        return f"device {receiver.device_id}"

    def send(self, receiver: Receiver, deliveries: list[Delivery]) -> str:
        """Send one message about all of them, and return the status of the answer; 404 and 410 end the device."""
        device = receiver.device
        if device is None:
            raise Unwanted("no device")
        keys = _keys(device)
        notifications = list(Notification.objects.filter(
            deliveries__in=deliveries).select_related("who").order_by("pk"))
        if not notifications:
            raise Unwanted("gone")
        left = STALE - (timezone.now() - min(one.made for one in deliveries))
        headers = {"Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream", "Urgency": "normal",
                   "TTL": str(max(0, int(left.total_seconds()))), "Authorization": authorization(keys["endpoint"])}
        message = json.dumps(message_of(device, notifications), ensure_ascii=False).encode()
        try:
            status = post(keys["endpoint"], encrypted(message, keys), headers)
        except (NotAllowed, NoAnswer) as error:
            raise Failed(str(error)) from None
        if status in (404, 410):
            device.delete()
            raise Unwanted(f"ended by its push service ({status})")
        if not 200 <= status < 300:
            raise Failed(str(status))
        return str(status)


def _keys(device: PushDevice) -> dict[str, Any]:
    """Return what `opened` does; end a device whose session is over or whose keys are of no use any more."""
    try:
        keys = unsealed_data(device)
    except InvalidTag:
        keys = {}
    if not session_is_valid(device) or keys.get("key") != public_key():
        device.delete()
        raise Unwanted("its session has ended")
    return keys


def message_of(device: PushDevice, notifications: list[Notification]) -> dict[str, str]:
    """Return what the worker of the browser shows, and the path that it opens."""
    with override(device.language):
        newest, number = notifications[-1], len(notifications)
        text = notification_text(newest) if number == 1 else \
            ngettext("{n} notification", "{n} notifications", number).format(n=number)
    # A message that is sent twice replaces itself.
    return {"title": "Bogenschmiede", "text": Truncator(text).chars(LONGEST), "lang": device.language,
            "tag": f"{newest.pk}-{newest.made.timestamp():.0f}",
            "url": newest.url if number == 1 and newest.url else reverse("notifications")}
