"""How accounts are made here: who may make one, and the picture that an authenticator app reads."""

import secrets

import qrcode
from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest
from qrcode.image.svg import SvgPathFillImage

from builder.models import Invitation
from sheets.access import SIGNUP_KEY, signup_invitation

LINK = "link:"
"""What the word of an invitation of ours begins with; the rest is its token."""
ALPHABET = "abcdefghijkmnopqrstuvwxyz23456789"
"""Letters that nobody mistakes for others."""


def new_password() -> str:
    """Return a password that can be told over the telephone."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(5)) for _ in range(4))


class AccountAdapter(DefaultAccountAdapter):
    """Makes accounts: for everybody, for nobody, or for the invited."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether this browser may make an account."""
        if settings.SIGNUP != "invitation":
            return settings.SIGNUP == "open"
        word = signup_invitation(request)
        if word.startswith(LINK):
            return Invitation.standing().filter(token=word.removeprefix(LINK)).exists()
        return bool(word)

    def save_user(self, request, user, form, commit=True):  # noqa: FBT002 - allauth's own signature
        """Spends the invitation with the account that it makes, so that each use makes one."""
        with transaction.atomic():
            word = request.session.pop(SIGNUP_KEY, "")
            ours = settings.SIGNUP == "invitation" and word.startswith(LINK)
            if ours and not Invitation.spend(word.removeprefix(LINK)):
                raise PermissionDenied
            return super().save_user(request, user, form, commit=commit)


class SecondFactor(DefaultMFAAdapter):
    """The second factor: a code from an app."""

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code as SVG that stands in the page; the policy allows no pictures in addresses."""
        return qrcode.make(url, image_factory=SvgPathFillImage).to_string(encoding="unicode")
