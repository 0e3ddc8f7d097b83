"""The end of an account."""

from django.contrib.auth.models import User
from django.db import transaction

from sheets.models import Sheet
from sheets.parties.services import leave_all
from sheets.removal import AT_ONCE, remove_sheets


def end(user: User) -> None:
    """An account is gone, and everything in it: parties, then sheets, some at a time, then the rest.

    Others get at the database in between; what is cut off goes on where it stood as soon as it is asked for again.
    """
    leave_all(user)
    while sheets := Sheet.objects.filter(owner=user).order_by("pk").values_list("pk", flat=True)[:AT_ONCE]:
        with transaction.atomic():
            remove_sheets(list(sheets))
    with transaction.atomic():
        user.delete()
