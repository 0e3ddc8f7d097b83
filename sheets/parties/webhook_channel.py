"""The channel of the outbox that sends happenings to webhooks."""

import json
import logging
import re
from datetime import timedelta
from itertools import groupby
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override
from standardwebhooks import Webhook as Signer

from rulesets import systems
from sheets.link_like import unlinked
from sheets.models import Delivery, Happening, Party, Receiver, Webhook
from sheets.models.outbox import WEBHOOK
from sheets.models.store import store
from sheets.models.webhooks import DISCORD, GONE, OFF, ON
from sheets.notifications.services import notify
from sheets.outbox.channels import Channel, Failed, Unwanted
from sheets.outbox.connect import NoAnswer, NotAllowed, post
from sheets.outbox.services import enqueue
from sheets.parties.services import gms
from sheets.parties.webhook_messages import Message, MessageWriter
from sheets.parties.webhooks import TEST, has_gm, move, secrets_in_force, unsealed_data

log = logging.getLogger(__name__)
AT_ONCE = 200
"""The most happenings of a party that are put into the outbox in one transaction."""
STALE = timedelta(hours=1)
"""The age at which deliveries that were never tried are dropped, so that no long backlog arrives at once."""
FAILING = timedelta(days=5)
"""The time without success after which a webhook is switched off."""
LONGEST = 1900
"""The most characters of a text for Discord, which takes 2,000."""
MARKS = re.compile(r"([\\*_~`|>\[\]()#@<])")
"""The characters that Discord reads as emphasis, links and mentions."""


class Webhooks(Channel):
    """The webhooks of all parties: one message at a time, with a pause after each."""

    name = WEBHOOK
    claimed_for = timedelta(minutes=1)

    def __init__(self) -> None:
        self.pause = timedelta(seconds=settings.WEBHOOK_SECONDS)

    def gather(self) -> None:
        """Put the happenings of all parties into the outbox, as deliveries to their webhooks."""
        found = Happening.objects.order_by("party", "pk").values_list("party", "pk")
        for party, keys in [(key, [pk for _party, pk in some]) for key, some in groupby(found, lambda one: one[0])]:
            for begin in range(0, len(keys), AT_ONCE):
                _gather(party, keys[begin:begin + AT_ONCE])

    def unwanted(self, deliveries: QuerySet[Delivery]) -> QuerySet[Delivery]:
        """Return the deliveries to webhooks that are not on, and those that are stale; tests are always wanted."""
        old = Q(made__lt=timezone.now() - STALE, tries=0)
        return deliveries.exclude(kind=TEST).filter(~Q(receiver__webhook__state=ON) | old)

    def receiver_name(self, receiver: Receiver) -> str:
        """Return the webhook's key, because its address may be secret."""
        return f"webhook {receiver.webhook_id}"

    def send(self, receiver: Receiver, deliveries: list[Delivery]) -> str:
        """Send a message and return the status of the response; a successful test switches the webhook on."""
        [delivery], webhook = deliveries, receiver.webhook
        if webhook is None:
            raise Unwanted("no webhook")
        if not has_gm(webhook):
            move(webhook, GONE)
            raise Unwanted("its GM has left")
        data = unsealed_data(webhook)
        try:
            status = post(data["address"], *request_of(webhook, data, delivery))
            answer = str(status)
        except (NotAllowed, NoAnswer) as error:
            status, answer = 0, str(error)[:64]
        if 200 <= status < 300:
            if delivery.kind == TEST:
                move(webhook, ON)
            elif webhook.failing:
                store(webhook, failing=None)
        elif status == 410:
            move(webhook, GONE)
        elif delivery.kind != TEST:
            _note_failure(webhook)
            raise Failed(answer)
        return answer


def _note_failure(webhook: Webhook) -> None:
    """Note the first failure of a webhook; once it has failed for too long, switch it off and notify the GMs."""
    if webhook.failing is None:
        store(webhook, failing=timezone.now())
    elif webhook.failing < timezone.now() - FAILING:
        move(webhook, OFF)
        notify(gms(webhook.party), "webhook-off", webhook.party, None, host=webhook.host,
               url=reverse("webhooks", args=[webhook.party_id]))


def request_of(webhook: Webhook, data: dict[str, Any], delivery: Delivery) -> tuple[bytes, dict[str, str]]:
    """Return the body and the headers of a message; `data` is the webhook's decrypted data."""
    message = delivery.data or _test(webhook, delivery)
    headers = {"Content-Type": "application/json"}
    if webhook.form == DISCORD:
        told = message["body"]["data"]
        text = MARKS.sub(r"\\\1", unlinked(told["text"]))[:LONGEST]
        link = f"\n<{told['url']}>" if told.get("url") else ""
        return json.dumps({"content": f"{text}{link}", "allowed_mentions": {"parse": []}}).encode(), headers
    body, now = json.dumps(message["body"]), timezone.now()
    signatures = [Signer(one).sign(message["id"], now, body) for one in secrets_in_force(data)]
    return body.encode(), {**headers, "webhook-id": message["id"], "webhook-timestamp": str(int(now.timestamp())),
                           "webhook-signature": " ".join(signatures)}


def _test(webhook: Webhook, delivery: Delivery) -> dict[str, Any]:
    party = webhook.party
    with override(webhook.language):
        told = {"party": {"id": str(party.pk), "name": party.name},
                "text": _("This is a test: from now on you read here what happens in “{party}”.").format(
                    party=party.name),
                "url": f"{settings.SITE_URL}{reverse('party', args=[party.pk])}"}
    return _message(f"msg_test{delivery.pk}", (TEST, told), delivery.made)


def _message(key: str, message: Message, made: Any) -> dict[str, Any]:
    kind, data = message
    return {"id": key, "body": {"type": kind, "timestamp": made.isoformat(timespec="seconds"), "data": data}}


def _gather(party_key: Any, keys: list[int]) -> None:
    """Put some happenings of a party into the outbox; their messages are written before anything is locked."""
    party = Party.objects.filter(pk=party_key).first()
    if party is None:
        return
    webhooks = list(Webhook.objects.filter(party=party_key, state=ON).select_related("receiver"))
    for webhook in [one for one in webhooks if not has_gm(one)]:
        move(webhook, GONE)
        webhooks.remove(webhook)
    happenings = list(Happening.objects.filter(pk__in=keys).order_by("pk"))
    told = {language: _in(language, party, happenings) for language in {one.language for one in webhooks}}
    with transaction.atomic():
        # If another worker has put some of them in meanwhile, fewer are deleted than were read; then do nothing.
        list(Webhook.objects.filter(party=party_key).order_by("pk").select_for_update())
        if Happening.objects.filter(pk__in=[one.pk for one in happenings]).delete()[0] != len(happenings):
            transaction.set_rollback(True)
            return
        enqueue(Delivery(receiver=webhook.receiver, kind=message[0], made=happening.made,
                         data=_message(f"msg_{uuid4().hex}", message, happening.made))
                for at, happening in enumerate(happenings) for webhook in webhooks
                for message in told[webhook.language][at] if message[0] in webhook.kinds)


def _in(language: str, party: Party, happenings: list[Happening]) -> list[list[Message]]:
    """Return the messages about each happening in a language; none if the system no longer exists."""
    if party.ruleset not in systems():
        return [[] for _one in happenings]
    with override(language):
        writer = MessageWriter(party)
        return [_told(writer, one) for one in happenings]


def _told(writer: MessageWriter, happening: Happening) -> list[Message]:
    try:
        return list(writer.messages(happening))
    except Exception:
        # A message that cannot be written must not block those after it.
        log.exception("webhooks: a happening cannot be told of")
        return []
