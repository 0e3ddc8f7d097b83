"""Links by which somebody confirms an e-mail address: each is for that address of that account, and for no other one.

allauth's name the number of its row alone, which is another's after a restore.
"""

from typing import Any

from allauth.account import app_settings
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.views import ConfirmEmailView
from django.core.signing import BadSignature, dumps, loads
from django.http import Http404

SALT = "builder.confirmations"


class Confirmation(EmailConfirmationHMAC):
    """The confirmation of an address that a link stands for."""

    @property
    def key(self) -> str:
        """The signed part that the link ends with."""
        address = self.email_address
        return dumps([address.pk, address.user_id, address.email], salt=SALT)

    @classmethod
    def from_key(cls, key: str) -> "Confirmation | None":
        """Return what a link stands for that is still good."""
        try:
            days = app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS
            pk, user, email = loads(key, salt=SALT, max_age=days * 24 * 60 * 60)
        except BadSignature:
            return None
        address = EmailAddress.objects.filter(pk=pk, user=user, email=email, verified=False).first()
        return cls(address) if address else None


class Confirm(ConfirmEmailView):
    """The page that such a link leads to."""

    once = True
    """Its form carries a key (`builder.once`): the link leads nowhere once it has done its work."""

    def get_object(self, queryset: Any = None) -> Confirmation:
        """Return the confirmation that the link stands for, or raise `Http404`."""
        if (found := Confirmation.from_key(self.kwargs["key"])) is None:
            raise Http404
        return found
