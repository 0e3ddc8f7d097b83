"""The forms of accounts where they differ from allauth's: what they hash and count, and to whom they send mails."""

from typing import Any

from allauth.account.forms import (
    AddEmailForm,
    ChangePasswordForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
    SignupForm,
)
from allauth.core import context, ratelimit
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.recovery_codes.forms import GenerateRecoveryCodesForm
from allauth.mfa.totp.forms import DeactivateTOTPForm
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from builder import known_browsers
from builder.accounts import KNOWN, AccountAdapter, SecondFactor, counted, in_turn

FEW = 3
"""Accounts to which one request sends links for a new password where nobody has confirmed the address."""


class SignUp(SignupForm):
    """The form for a new account."""

    once = True
    """True where the form carries a key, by which it is known when it arrives again (`builder.once`)."""

    def try_save(self, request: HttpRequest) -> tuple[Any, HttpResponse | None]:
        """Make the account; where somebody was quicker with the same name, or one that looks so, the other is told.

        The password is hashed before, so that nobody's writes wait for that.
        """
        counted(request)
        with in_turn(request):
            self.hashed = make_password(self.cleaned_data.pop("password1"))
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
        if not (which := known_browsers.known(context.request, self.user)):
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


class Reset(ResetPasswordForm):
    """The form for a forgotten password: it sends a link to whoever confirmed the address, else to few of all others.

    Anybody may have stated it, as often as they like.
    """

    once = True

    def clean_email(self) -> str:
        """The address; the accounts that it is sent for are kept."""
        email = AccountAdapter().clean_email(self.cleaned_data["email"].lower())
        users = get_user_model().objects
        confirmed = users.filter(emailaddress__email=email, emailaddress__verified=True)
        stated = users.filter(Q(email=email) | Q(emailaddress__email=email)).distinct().order_by("-pk")
        self.users = [user for user in confirmed[:FEW] or stated[:FEW] if user.is_active]
        return self.cleaned_data["email"]

    def save(self, request: HttpRequest, **more: Any) -> str:
        """Send the mails, once for the key that the form carries."""
        counted(request)
        with vars(request)["spending"].on_mail():
            return super().save(request, **more)


class ResetPassword(ResetPasswordKeyForm):
    """The form for the new password, behind the link that such a mail has; that leads there once."""

    once = True


class Address(AddEmailForm):
    """The form for one more address, to which a link is sent that confirms it."""

    once = True


class NewPassword(ChangePasswordForm):
    """The form for another password: the one of now is tried out there no more often than where people sign in."""

    once = True

    def clean_oldpassword(self) -> str:
        """The password of now."""
        password = self.cleaned_data["oldpassword"]
        if not AccountAdapter().reauthenticate(self.user, password):
            raise AccountAdapter().validation_error("enter_current_password")
        return password


class RecoveryCodes(GenerateRecoveryCodesForm):
    """The form for new recovery codes: those that it shows first are the ones that hold."""

    once = True


class Deactivation(DeactivateTOTPForm):
    """The form that ends the second factor."""

    once = True
