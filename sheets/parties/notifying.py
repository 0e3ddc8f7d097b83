"""What others did and a person wants to know: kept as it is, told in the reader's language when it is read."""

from collections.abc import Iterable

from django.urls import reverse

from sheets.models import Notification, Party


def tell(users: Iterable, kind: str, party: Party, who, *, url: str | None = None, **data) -> None:
    """Keeps a notification for each of the users of what somebody did; its link is the party's page unless stated."""
    where = reverse("party", args=[party.pk]) if url is None else url
    Notification.objects.bulk_create(
        Notification(user=user, who=who, kind=kind, data={"party": party.name, **data}, url=where) for user in users)
