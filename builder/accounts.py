"""How accounts are made here: who may make one, and the picture that an authenticator app reads."""

import secrets
from contextlib import suppress
from ipaddress import ip_address

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import SignupForm
from allauth.core import context, ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from builder import known_browsers, lookalikes
from builder.models import Invitation, Likeness
from sheets.access import SIGNUP_KEY, signup_invitation

LINK = "link:"
"""What the word of an invitation of ours begins with; the rest is its token."""
KNOWN = "known_login_failed"
"""What of `ACCOUNT_RATE_LIMITS` holds for a known browser and its own account, whatever others do."""
ALPHABET = "abcdefghijkmnopqrstuvwxyz23456789"
"""Letters that nobody mistakes for others."""


def new_password() -> str:
    """Return a password that can be told over the telephone."""
    return "-".join("".join(secrets.choice(ALPHABET) for _letter in range(5)) for _part in range(4))


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

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address; IPv4 that a proxy writes as IPv6 is IPv4 again, as all of it would be one network of 64 bits."""
        address = super().get_client_ip(request)
        with suppress(ValueError):
            return str(getattr(ip_address(address), "ipv4_mapped", None) or address)
        return address

    def save_user(self, request, user, form, commit=True):  # noqa: FBT002 - allauth's own signature
        """Spends the invitation with the account that it makes, so that each use makes one."""
        with transaction.atomic():
            word = request.session.get(SIGNUP_KEY, "")
            ours = settings.SIGNUP == "invitation" and word.startswith(LINK)
            if ours and not Invitation.spend(word.removeprefix(LINK)):
                raise PermissionDenied
            user = super().save_user(request, user, form, commit=commit)
            if not Likeness.belong(user):
                raise IntegrityError
            request.session.pop(SIGNUP_KEY, None)
            return user

    def clean_username(self, username: str, shallow: bool = False) -> str:  # noqa: FBT001, FBT002 - allauth's own
        """Refuses a name that looks like somebody else's, or like one that would pass for those who run the site."""
        username = super().clean_username(username, shallow)
        if lookalikes.reserved(username):
            raise ValidationError(_("Nobody may be called that: it looks like a name of those who run the site."))
        if not shallow and Likeness.objects.filter(skeleton__in=lookalikes.likenesses(username)).exists():
            raise ValidationError(_("This name looks like that of another account; take one that nobody mistakes."))
        return username

    def pre_authenticate(self, request: HttpRequest, **credentials) -> None:
        """A known browser counts for itself, so that nobody locks it out, from elsewhere or behind its own address."""
        if not (own := self._own_count(request, **credentials)):
            if not ratelimit.consume(request, action="strangers_login"):
                raise ImmediateHttpResponse(ratelimit.respond_429(request))
            super().pre_authenticate(request, **credentials)
        elif not ratelimit.consume(request, action=KNOWN, key=own):
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials):
        """Who is let in by a known browser begins its count anew."""
        user = super().authenticate(request, **credentials)
        if user and (own := self._own_count(request, **credentials)):
            ratelimit.clear(request, action=KNOWN, key=own)
        return user

    def _own_count(self, request: HttpRequest, **credentials) -> str:
        """What a known browser counts under for its own account, "" for any other."""
        which = known_browsers.known_by_name(request, credentials.get("username") or "")
        return f"{self._get_login_attempts_cache_key(request, **credentials)}:{which}" if which else ""


class SecondFactor(DefaultMFAAdapter):
    """The second factor: a code from an app."""

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code as SVG that stands in the page; the policy allows no pictures in addresses."""
        return segno.make(url, micro=False).svg_inline(light="#fff", dark="#000", omitsize=True)


class SignUp(SignupForm):
    """The form for a new account."""

    def try_save(self, request: HttpRequest):
        """Who was quicker with the same name, or one that looks so, has it; the other is told."""
        try:
            with transaction.atomic():
                return super().try_save(request)
        except IntegrityError:
            messages.error(request, _("Somebody else was quicker with this name; take another."))
            return None, redirect("account_signup")


class Code(AuthenticateForm):
    """The second step of signing in; a known browser counts wrong codes for itself."""

    def clean_code(self) -> str:
        """The code, if it is right."""
        which = known_browsers.known(context.request, self.user)
        if not which:
            return super().clean_code()
        key = f"mfa-auth-user-{self.user.pk}:{which}"
        if not ratelimit.consume(context.request, action=KNOWN, key=key):
            raise AccountAdapter().validation_error("too_many_login_attempts")
        code = self._right(self.cleaned_data["code"])
        ratelimit.clear(context.request, action=KNOWN, key=key)
        return code

    def _right(self, code: str) -> str:
        for one in self.user.authenticator_set.all():
            if one.type in (one.Type.TOTP, one.Type.RECOVERY_CODES) and one.wrap().validate_code(code):
                one.user, self.authenticator = self.user, one
                return code
        raise SecondFactor().validation_error("incorrect_code")
