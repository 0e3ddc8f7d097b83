"""The deletion of an account."""

from math import inf
from time import monotonic

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from sheets.models import Notification, Sheet
from sheets.parties.services import leave_all
from sheets.removal import AT_ONCE, remove_sheets, unname

TRIES = 5
"""The most attempts to delete a user to whom others write meanwhile."""


def delete_account(user: User, seconds: float = inf) -> bool:
    """Delete an account: leave its parties, then delete its sheets in batches, then everything else.

    Each batch has a transaction of its own, so that others can use the database in between. Return False if `seconds`
    were not enough; another call continues.
    """
    deadline = monotonic() + seconds
    # This must come first: the sheets' names occur in the logs of the parties that they leave.
    with transaction.atomic():
        unname(list(Sheet.objects.filter(owner=user).exclude(party=None).values_list("pk", flat=True)))
    leave_all(user)
    while sheets := Sheet.objects.filter(owner=user).order_by("pk").values_list("pk", flat=True)[:AT_ONCE]:
        if monotonic() > deadline:
            return False
        with transaction.atomic():
            remove_sheets(list(sheets))
    delete_user(user)
    return True


def delete_user(user: User) -> None:
    """Delete a user and all rows that belong to them; retry if others write them a notification at the same time."""
    pk = user.pk
    for tries_left in reversed(range(TRIES)):
        user.pk = pk
        try:
            with transaction.atomic():
                user.delete()
                # Notifications may have been added while Django collected the rows to be deleted.
                Notification.objects.filter(user=pk).delete()
        except IntegrityError:
            if not tries_left:
                raise
        else:
            return
