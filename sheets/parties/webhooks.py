"""The webhooks of a party: made, tested, changed and ended by its GMs, and their deliveries."""

import secrets
from base64 import b64encode
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from sheets.models import GMS, Delivery, Happening, Member, Party, Receiver, Webhook
from sheets.models.outbox import WAITING, WEBHOOK
from sheets.models.store import store
from sheets.models.webhooks import DISCORD, GONE, KINDS, NEW, ON, STANDARD
from sheets.outbox.connect import NotAllowed, destination_of
from sheets.outbox.seals import seal, unseal
from sheets.outbox.services import enqueue

MOST = 10
"""The most webhooks of a party."""
BESIDE = timedelta(hours=24)
"""The time for which an old secret signs beside the new one."""
TEST = "webhook.test"
"""The kind of a delivery that tries whether somebody is there; whoever answers it is told of what happens from then."""
SHOWN = 20
"""The most deliveries that a page shows, the newest."""
DISCORDS = ("discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com")


class Unusable(ValueError):
    """Something about a webhook cannot be as it was asked for; the message tells why."""


def new_secret() -> str:
    """Return a new secret for signing, as Standard Webhooks write it."""
    return f"whsec_{b64encode(secrets.token_bytes(32)).decode()}"


def opened(webhook: Webhook) -> dict[str, Any]:
    """Return {address, secrets: [[secret, time of its end or null], …]} of a webhook."""
    return unseal(webhook.sealed, _whose(webhook.party_id))


def _whose(party: Any) -> str:
    return f"webhook {party}"


def kinds_of(words: Iterable[str]) -> list[str]:
    """Return those kinds that are named, in their order."""
    named = {*words}
    return [one for one in KINDS if one in named]


def make(party: Party, user: User, address: str, form: str, kinds: list[str], language: str) -> tuple[Webhook, str]:
    """Make a webhook of a locked party, which is tested at once; return it and its secret, "" for Discord.

    Raise `Unusable` if there are too many, nothing is chosen, or the address is none to send to.
    """
    if party.webhooks.count() >= MOST:
        raise Unusable(_("A party may have at most {n} webhooks.").format(n=MOST))
    if not kinds:
        raise Unusable(_("Choose at least one thing to be told of."))
    try:
        found = destination_of(address)
    except NotAllowed as error:
        raise Unusable(str(error.reason)) from None
    if form == DISCORD and not found.trusted and (
            found.host not in DISCORDS or not found.path.startswith("/api/webhooks/")):
        raise Unusable(_("Discord’s webhooks begin with https://discord.com/api/webhooks/."))
    secret = new_secret() if form == STANDARD else ""
    data = {"address": address, "secrets": [[secret, None]] if secret else []}
    webhook = Webhook.objects.create(party=party, keeper=user, form=form, host=found.host, kinds=kinds,
                                     language=language, sealed=seal(data, _whose(party.pk)))
    Receiver.objects.create(channel=WEBHOOK, webhook=webhook)
    test(webhook)
    return webhook, secret


def test(webhook: Webhook) -> None:
    """Send a test to a webhook, unless one is waiting."""
    receiver = webhook.receiver
    if not receiver.deliveries.filter(state=WAITING, kind=TEST).exists():
        enqueue([Delivery(receiver=receiver, kind=TEST)])


def renew_secret(webhook: Webhook) -> str:
    """Give a webhook a new secret and return it; the latest of the old ones signs beside it for a day."""
    data, secret, until = opened(webhook), new_secret(), timezone.now() + BESIDE
    old = [[one, until.isoformat()] for one, _until in data["secrets"][:1]]
    store(webhook, sealed=seal(data | {"secrets": [[secret, None], *old]}, _whose(webhook.party_id)))
    return secret


def secrets_in_force(data: dict[str, Any]) -> list[str]:
    """Return the secrets that sign now, the newest first."""
    now = timezone.now().isoformat()
    return [one for one, until in data["secrets"] if until is None or until > now]


def take_over(webhook: Webhook, user: User) -> None:
    """Make another GM the one on whom a webhook depends; one that had ended is tested again."""
    store(webhook, keeper=user)
    if webhook.state == GONE:
        move(webhook, NEW)
        test(webhook)


def has_gm(webhook: Webhook) -> bool:
    """Return True if the GM on whom a webhook depends is still one of its party."""
    return Member.objects.filter(party=webhook.party_id, user=webhook.keeper_id, role__in=GMS).exists()


@transaction.atomic
def move(webhook: Webhook, state: str) -> None:
    """Move a webhook into a state, and let its party know of what there is to tell."""
    store(webhook, state=state, failing=None)
    refresh(webhook.party_id)


def change_kinds(webhook: Webhook, kinds: list[str]) -> None:
    """Choose what a webhook is told of; raise `Unusable` for nothing."""
    if not kinds:
        raise Unusable(_("Choose at least one thing to be told of."))
    store(webhook, kinds=kinds)
    refresh(webhook.party_id)


def remove(webhook: Webhook) -> None:
    """End a webhook and forget all of it."""
    party = webhook.party_id
    webhook.delete()
    refresh(party)


def refresh(party: Any) -> None:
    """Note at a party what its webhooks are told of, so that what happens there need not ask for them."""
    found = Webhook.objects.filter(party=party, state=ON).values_list("kinds", flat=True)
    told = kinds_of({kind for kinds in found for kind in kinds})
    Party.objects.filter(pk=party).update(told=told or None)


def end_all() -> int:
    """End all webhooks, as after a restore, and return how many there were."""
    Party.objects.filter(told__isnull=False).update(told=None)
    Happening.objects.all().delete()
    number = Webhook.objects.count()
    Webhook.objects.all().delete()
    return number
