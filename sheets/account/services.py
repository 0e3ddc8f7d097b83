"""The end of an account."""

from math import inf
from time import monotonic

from django.contrib.auth.models import User
from django.db import transaction

from sheets.models import Sheet
from sheets.parties.services import leave_all
from sheets.removal import AT_ONCE, remove_sheets, unname


def end(user: User, seconds: float = inf) -> bool:
    """Delete an account and everything in it: parties, then sheets, some at a time, then the rest.

    Others can use the database in between. Return whether there was time for all of it; called again it goes on.
    """
    until = monotonic() + seconds
    # Before they leave their parties: there others did something to them.
    with transaction.atomic():
        unname(list(Sheet.objects.filter(owner=user).exclude(party=None).values_list("pk", flat=True)))
    leave_all(user)
    while sheets := Sheet.objects.filter(owner=user).order_by("pk").values_list("pk", flat=True)[:AT_ONCE]:
        if monotonic() > until:
            return False
        with transaction.atomic():
            remove_sheets(list(sheets))
    with transaction.atomic():
        user.delete()
    return True
