"""Links that confirm an e-mail address of an account.

A link is signed over the row's key, the account and the address. allauth signs the row's key alone, and after a
restore that key may belong to another account's address.
"""

from typing import Any

from allauth.account import app_settings
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.views import ConfirmEmailView
from django.core.signing import BadSignature, dumps, loads
from django.http import Http404

SALT = "builder.confirmations"


class Confirmation(EmailConfirmationHMAC):
    """The confirmation of one e-mail address, identified by the signed key in its link."""

    @property
    def key(self) -> str:
        """The signed last part of the link."""
        address = self.email_address
        return dumps([address.pk, address.user_id, address.email], salt=SALT)

    @classmethod
    def from_key(cls, key: str) -> "Confirmation | None":
        """Return the confirmation with a key; None if the key is invalid, has expired or was used before."""
        try:
            days = app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS
            pk, user, email = loads(key, salt=SALT, max_age=days * 24 * 60 * 60)
        except BadSignature:
            return None
        address = EmailAddress.objects.filter(pk=pk, user=user, email=email, verified=False).first()
        return cls(address) if address else None


class ConfirmView(ConfirmEmailView):
    """The page that a confirmation link opens."""

    once = True
    """The form carries a key (`builder.once`), because its link answers 404 after it has been used."""

    def get_object(self, queryset: Any = None) -> Confirmation:
        """Return the link's confirmation; raise `Http404` if the link is not valid."""
        if (confirmation := Confirmation.from_key(self.kwargs["key"])) is None:
            raise Http404
        return confirmation
