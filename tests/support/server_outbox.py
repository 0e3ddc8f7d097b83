"""Questions about the outbox that tests of real workers ask of its database; `server_database` answers them."""

from uuid import uuid4

from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.db.models import Count

from rulesets import systems
from sheets.models import Delivery, Party, PushDevice, Scene, Webhook
from sheets.models.webhooks import record_happening
from sheets.notifications import push
from sheets.parties import services as parties
from sheets.parties import webhooks
from tests.support import mail_readers


def readers(number: str) -> list:
    """The names of so many people who are sent a mail about two things each."""
    people = [mail_readers.reader(f"reader{one}") for one in range(int(number))]
    mail_readers.happens(*people, times=2)
    return [user.username for user in people]


def mailed(word: str = "") -> dict:
    """{what came of it: deliveries}; with a word of any kind all claims run out first."""
    if word:
        mail_readers.later()
    return dict(Delivery.objects.values_list("state").annotate(n=Count("pk")).order_by())


def hooked(*addresses: str) -> None:
    """A party with a webhook for each of these addresses, all of which are on."""
    user = User.objects.create_user("hooked")
    made = parties.found_party(user, "Runde", systems()["condice"])
    for one in addresses:
        webhooks.make(made, user, one, "standard", ["scene.opened"], "de")
    Delivery.objects.all().delete()
    Webhook.objects.update(state="on")
    webhooks.refresh(made.pk)


def happen(number: str) -> None:
    """So many scenes of that party begin, named by their number."""
    made = Party.objects.get(members__user__username="hooked")
    for scene in Scene.objects.bulk_create(Scene(party=made, name=str(one), apart=True) for one in range(int(number))):
        record_happening(made, "scene.opened", scene=scene.pk)


def subscribed(*subscriptions: dict) -> None:
    """A user for each of these browsers, which is told by push of what is new."""
    for number, one in enumerate(subscriptions):
        push.add(mail_readers.reader(f"subscribed{number}", wants=False), SessionStore(), one, "", "en")


def notified(number: str = "0") -> dict:
    """Each is notified of so many more things; {address of their browser: keys of all their notifications in order}."""
    devices = list(PushDevice.objects.select_related("user").order_by("pk"))
    # One party, since nobody may lead many; another address each time, since the same again would be told once.
    mail_readers.happens(*(one.user for one in devices), times=int(number), url=f"/{uuid4()}",
                         party=Party.objects.first() or mail_readers.party())
    return {push.unsealed_data(one)["endpoint"]: list(
        one.user.notifications.order_by("pk").values_list("pk", flat=True)) for one in devices}


def attempts() -> dict:
    """{how often each was sent: deliveries} of those that have arrived."""
    return dict(Delivery.objects.filter(state="sent").values_list("tries").annotate(n=Count("pk")).order_by())
