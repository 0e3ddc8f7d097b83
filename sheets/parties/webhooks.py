"""The webhooks of a party, which its GMs create, test, change and delete."""

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
OLD_SECRET_VALID = timedelta(hours=24)
"""The time for which the old secret still signs, too, after a new one was made."""
TEST = "webhook.test"
"""The kind of a delivery that tests an address; after a successful test, happenings are sent to it."""
MAX_SHOWN = 20
"""The most deliveries that a page shows, newest first."""
DISCORDS = ("discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com")


class Unusable(ValueError):
    """A webhook cannot be created or changed in this way; the message tells why."""


def new_secret() -> str:
    """Return a new signing secret in the format of Standard Webhooks."""
    return f"whsec_{b64encode(secrets.token_bytes(32)).decode()}"


def unsealed_data(webhook: Webhook) -> dict[str, Any]:
    """Return a webhook's decrypted data, {address, secrets: [[secret, time of its end or None], …]}."""
    return unseal(webhook.sealed, _whose(webhook.party_id))


def _whose(party: Any) -> str:
    return f"webhook {party}"


def kinds_of(words: Iterable[str]) -> list[str]:
    """Return the kinds that are among some words, in the order of `KINDS`."""
    named = {*words}
    return [one for one in KINDS if one in named]


def make(party: Party, user: User, address: str, form: str, kinds: list[str], language: str) -> tuple[Webhook, str]:
    """Create a webhook for a locked party and test it at once; return it and its secret, "" for Discord.

    Raise `Unusable` if the party has too many, no kind is chosen, or the address is not allowed.
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
    """Enqueue a test for a webhook, unless one is already waiting."""
    receiver = webhook.receiver
    if not receiver.deliveries.filter(state=WAITING, kind=TEST).exists():
        enqueue([Delivery(receiver=receiver, kind=TEST)])


def renew_secret(webhook: Webhook) -> str:
    """Give a webhook a new secret and return it; the previous one still signs, too, for a day."""
    data, secret, until = unsealed_data(webhook), new_secret(), timezone.now() + OLD_SECRET_VALID
    old = [[one, until.isoformat()] for one, _until in data["secrets"][:1]]
    store(webhook, sealed=seal(data | {"secrets": [[secret, None], *old]}, _whose(webhook.party_id)))
    return secret


def secrets_in_force(data: dict[str, Any]) -> list[str]:
    """Return the secrets that sign now, the newest first."""
    now = timezone.now().isoformat()
    return [one for one, until in data["secrets"] if until is None or until > now]


def take_over(webhook: Webhook, user: User) -> None:
    """Make another GM the keeper of a webhook; if it had ended, test it again."""
    store(webhook, keeper=user)
    if webhook.state == GONE:
        move(webhook, NEW)
        test(webhook)


def has_gm(webhook: Webhook) -> bool:
    """Return True if the keeper of a webhook is still a GM of its party."""
    return Member.objects.filter(party=webhook.party_id, user=webhook.keeper_id, role__in=GMS).exists()


@transaction.atomic
def move(webhook: Webhook, state: str) -> None:
    """Set a webhook's state, and update the kinds of happenings that its party has to record."""
    store(webhook, state=state, failing=None)
    refresh(webhook.party_id)


def change_kinds(webhook: Webhook, kinds: list[str]) -> None:
    """Set the kinds of happenings that are sent to a webhook; raise `Unusable` if there are none."""
    if not kinds:
        raise Unusable(_("Choose at least one thing to be told of."))
    store(webhook, kinds=kinds)
    refresh(webhook.party_id)


def remove(webhook: Webhook) -> None:
    """Delete a webhook and everything about it."""
    party = webhook.party_id
    webhook.delete()
    refresh(party)


def refresh(party: Any) -> None:
    """Store in the party the kinds that its webhooks are sent, so that recording a happening needs no query."""
    found = Webhook.objects.filter(party=party, state=ON).values_list("kinds", flat=True)
    told = kinds_of({kind for kinds in found for kind in kinds})
    Party.objects.filter(pk=party).update(told=told or None)


def end_all() -> int:
    """Delete all webhooks, as after a restore, and return their number."""
    Party.objects.filter(told__isnull=False).update(told=None)
    Happening.objects.all().delete()
    number = Webhook.objects.count()
    Webhook.objects.all().delete()
    return number
