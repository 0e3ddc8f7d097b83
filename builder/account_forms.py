"""allauth's forms with this project's changes: limits on attempts and hashing, and the recipients of mails."""

import struct
from typing import Any

from allauth.account.forms import (
    AddEmailForm,
    ChangePasswordForm,
    LoginForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
    SignupForm,
)
from allauth.core import context, ratelimit
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.forms import GenerateRecoveryCodesForm
from allauth.mfa.totp.forms import DeactivateTOTPForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from cryptography.exceptions import InvalidSignature
from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from builder import known_browsers
from builder.accounts import (
    KNOWN_BROWSER_FAILED,
    AccountAdapter,
    SecondFactor,
    account_called,
    hashing_in_turn,
    limit_networks,
)
from rulesets.names import one_line

MALFORMED = (ArithmeticError, AttributeError, InvalidSignature, LookupError, RecursionError, TypeError, ValueError,
             struct.error)
"""Errors that parsing and checking a passkey raises for input that no browser sends."""
MAX_PASSKEYS = 10
"""The most passkeys of one account."""
MAX_ACCOUNTS = 3
"""The most accounts with one address for which a request sends links to reset a password."""


class SignIn(LoginForm):
    """The form for signing in."""

    def clean_login(self) -> str:
        """Return the name; one typed with invisible characters or extra spaces is replaced by the stored one."""
        typed = super().clean_login()
        user = account_called(typed) if typed != one_line(typed) else None
        return user.username if user else typed


class SignUp(SignupForm):
    """The form for a new account."""

    once = True
    """True if the form carries a key, by which a second submission is recognized (`builder.once`)."""

    def try_save(self, request: HttpRequest) -> tuple[Any, HttpResponse | None]:
        """Save the account; redirect back to the form if another account took this name or a similar one meanwhile.

        The password is hashed before the transaction, so that no other write waits for it.
        """
        limit_networks(request)
        with hashing_in_turn(request):
            self.hashed = make_password(self.cleaned_data.pop("password1"))
        try:
            with transaction.atomic():
                return super().try_save(request)
        except IntegrityError:
            messages.error(request, _("Somebody else has just taken this name; choose another."))
            return None, redirect("account_signup")


class Code(AuthenticateForm):
    """The form for the code of the second factor; wrong codes from a known browser are counted separately."""

    def clean_code(self) -> str:
        """Return the code; raise `ValidationError` if it is wrong or there were too many attempts."""
        if not (browser := known_browsers.browser_id(context.request, self.user)):
            return super().clean_code()
        key = f"mfa-auth-user-{self.user.pk}:{browser}"
        if not ratelimit.consume(context.request, action=KNOWN_BROWSER_FAILED, key=key):
            raise AccountAdapter().validation_error("too_many_login_attempts")
        code = self._validated(self.cleaned_data["code"])
        ratelimit.clear(context.request, action=KNOWN_BROWSER_FAILED, key=key)
        return code

    def _validated(self, code: str) -> str:
        for one in self.user.authenticator_set.all():
            if one.type in (one.Type.TOTP, one.Type.RECOVERY_CODES) and one.wrap().validate_code(code):
                one.user, self.authenticator = self.user, one
                return code
        raise SecondFactor().validation_error("incorrect_code")


class RequestReset(ResetPasswordForm):
    """The form for a forgotten password, which asks for the e-mail address that a link is sent to.

    Links are sent for accounts that confirmed the address; if there are none, for a few that state it without
    confirmation, since anybody may state any address.
    """

    once = True

    def clean_email(self) -> str:
        """Return the address, and set `users` to the accounts that a link is sent for."""
        email = AccountAdapter().clean_email(self.cleaned_data["email"].lower())
        users = get_user_model().objects
        confirmed = users.filter(emailaddress__email=email, emailaddress__verified=True)
        stated = users.filter(Q(email=email) | Q(emailaddress__email=email)).distinct().order_by("-pk")
        self.users = [user for user in confirmed[:MAX_ACCOUNTS] or stated[:MAX_ACCOUNTS] if user.is_active]
        return self.cleaned_data["email"]

    def save(self, request: HttpRequest, **more: Any) -> str:
        """Send the mails; a second submission of the same form (`builder.once`) sends none."""
        limit_networks(request)
        with vars(request)["spending"].on_mail():
            return super().save(request, **more)


class ResetPassword(ResetPasswordKeyForm):
    """The form for a new password, opened by a link that `RequestReset` sent; the link can be used once."""

    once = True


class AddAddress(AddEmailForm):
    """The form for another e-mail address, to which a confirmation link is sent."""

    once = True


class ChangePassword(ChangePasswordForm):
    """The form that changes the password; wrong current passwords count against the same limit as at login."""

    once = True

    def clean_oldpassword(self) -> str:
        """Return the current password; raise `ValidationError` if it is wrong."""
        password = self.cleaned_data["oldpassword"]
        if not AccountAdapter().reauthenticate(self.user, password):
            raise AccountAdapter().validation_error("enter_current_password")
        return password


class RecoveryCodes(GenerateRecoveryCodesForm):
    """The form for new recovery codes. It is processed once: a second submission would replace the codes just shown."""

    once = True


class PasskeyInput(forms.Form):
    """A form with a browser's response about a passkey; all faults of the response have the same message."""

    def full_clean(self) -> None:
        """Validate the form; a response that cannot be parsed is treated like one whose signature is wrong."""
        try:
            super().full_clean()
        except MALFORMED:
            self.add_error("credential", forms.ValidationError("", code="incorrect_code"))
        for field, errors in self.errors.as_data().items() if self.is_bound else ():
            if any(error.code in {"incorrect_code", "invalid", "required"} for error in errors) and field != "name":
                self.errors[field] = self.error_class([_("This passkey was not accepted; try again.")])


class PasskeyName(forms.Form):
    """The name of a passkey, by which its owner tells it from others."""

    name = forms.CharField(label=_lazy("Name"), max_length=60)

    def clean_name(self) -> str:
        """Return the name as one line."""
        return one_line(self.cleaned_data["name"])


class AddPasskey(PasskeyInput, PasskeyName, AddWebAuthnForm):
    """The form for another passkey. It must allow signing in without a password, which the page requests."""

    passwordless = None

    def clean(self) -> dict[str, Any] | None:
        """Return the data; raise `ValidationError` if the account has `MAX_PASSKEYS`, or this one is invalid."""
        if self.user.authenticator_set.filter(type=Authenticator.Type.WEBAUTHN).count() >= MAX_PASSKEYS:
            raise forms.ValidationError(_("You have {n} passkeys; remove one first.").format(n=MAX_PASSKEYS))
        self.cleaned_data["passwordless"] = True
        return super().clean()


class SignInWithPasskey(PasskeyInput, LoginWebAuthnForm):
    """The form that signs in with a passkey."""


class ConfirmWithPasskey(PasskeyInput, ReauthenticateWebAuthnForm):
    """The form that confirms with a passkey before something important is changed."""


class PasskeyInsteadOfCode(PasskeyInput, AuthenticateWebAuthnForm):
    """The form that takes a passkey after the password, instead of a code."""


class RenamePasskey(PasskeyName, EditWebAuthnForm):
    """The form that renames a passkey."""


class DeactivateSecondFactor(DeactivateTOTPForm):
    """The form that turns off the second factor."""

    once = True
