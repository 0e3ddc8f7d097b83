"""allauth's adapters: who may sign up and under which name, limits on signing in, and mails about an account."""

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from ipaddress import ip_address
from types import SimpleNamespace
from typing import Any

import segno
from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.signals import email_added, email_removed
from allauth.core import context, ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.validators import MaxLengthValidator, MinLengthValidator
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import gettext as _

from builder import known_browsers, lookalikes
from builder.addresses import networks
from builder.confirmations import Confirmation
from builder.models import Invitation, Likeness
from builder.refusals import busy, owner_kind
from builder.turns import Busy, hashing
from rulesets import systems
from rulesets.names import isolated, one_line
from sheets.client_address import client_address
from sheets.guests import JOINING, SIGNUP_KEY, signup_invitation
from sheets.models import Party
from sheets.parties.services import MEMBERS, Full, join_party

LOG = logging.getLogger(__name__)
LINK_PREFIX = "link:"
"""The prefix of an invitation made by an admin (`Invitation`); its token follows. Others are links to parties."""
KNOWN_BROWSER_FAILED = "known_login_failed"
"""The key in `ACCOUNT_RATE_LIMITS` for failed logins to an account from a browser that is known for it."""
LET_IN = "let_in"
"""The key in `ACCOUNT_RATE_LIMITS` for successful logins to an account: checking any password costs processor time."""
ALPHABET = "abcdefghijkmnopqrstuvwxyz23456789"
"""Letters and digits without those that are easily confused: l, 0 and 1."""


def new_password() -> str:
    """Return a random password that is easy to read out on the telephone."""
    return "-".join("".join(secrets.choice(ALPHABET) for _letter in range(5)) for _part in range(4))


@contextmanager
def hashing_in_turn(request: HttpRequest) -> Iterator[None]:
    """Limit how many passwords are hashed at once; raise `ImmediateHttpResponse` (429) if there are too many."""
    try:
        with hashing(client_address(request)) if settings.BUDGET else nullcontext():
            yield
    except Busy:
        sentence = _("Many passwords are being checked right now; try again in a moment.")
        raise ImmediateHttpResponse(busy(request, sentence)) from None


def limit_networks(request: HttpRequest) -> None:
    """Count a request against the IPv6 networks of its address; raise `ImmediateHttpResponse` (429) over the limit."""
    for network in networks(client_address(request)):
        if not ratelimit.consume(request, action=owner_kind(network), key=network):
            raise ImmediateHttpResponse(ratelimit.respond_429(request))


class AccountAdapter(DefaultAccountAdapter):
    """The adapter for accounts; `SIGNUP` decides whether everybody, only invited people or nobody may sign up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return True if this browser may sign up."""
        if settings.SIGNUP != "invitation":
            return settings.SIGNUP == "open"
        return _is_usable(signup_invitation(request))

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client's address, an IPv4-mapped one as IPv4, since all of those are in one IPv6 network."""
        address = super().get_client_ip(request)
        with suppress(ValueError):
            return str(getattr(ip_address(address), "ipv4_mapped", None) or address)
        return address

    @transaction.atomic
    def save_user(self, request: HttpRequest, user: User, form: Any,
                  commit: Any = True) -> User | None:  # noqa: FBT002 - allauth's own signature
        """Save a new account and use up its invitation in one transaction; an invitation to a party also joins it.

        Raise `PermissionDenied` if the invitation is used up or the party full, `IntegrityError` if the name looks like
        another account's.
        """
        party = _spend(request.session.get(SIGNUP_KEY, "")) if settings.SIGNUP == "invitation" else None
        super().save_user(request, user, form, commit=False)
        user.password = form.hashed
        user.save()
        if not Likeness.all_belong_to(user):
            raise IntegrityError
        if party:
            try:
                join_party(party, user)
            except Full:
                raise PermissionDenied from None
            messages.success(request, _("You are now in “{party}”.").format(party=isolated(party.name)))
        request.session.pop(SIGNUP_KEY, None)
        return user

    def clean_username(self, username: str, shallow: bool = False) -> str:  # noqa: FBT001, FBT002 - allauth's own
        """Return the name without invisible characters.

        Raise `ValidationError` if it looks like a link, a telephone number, a reserved name or another account's name.
        """
        username = one_line(username)
        MinLengthValidator(settings.ACCOUNT_USERNAME_MIN_LENGTH)(username)
        if lookalikes.linked(username):
            raise ValidationError(_("A name must not look like an address or a link: choose one without “@”, “www.” "
                                    "or dots between letters."))
        if lookalikes.dialled(username):
            raise ValidationError(_("A name must not look like a telephone number: choose one with fewer digits."))
        username = super().clean_username(username, shallow)
        if lookalikes.reserved(username):
            raise ValidationError(_("This name is not available: it looks like the name of somebody who runs the "
                                    "site."))
        if not shallow and Likeness.objects.filter(skeleton__in=lookalikes.likenesses(username)).exists():
            raise ValidationError(_("This name looks too much like that of another account; choose one that nobody "
                                    "can confuse with it."))
        return username

    def format_email_subject(self, subject: str) -> str:
        """Return the subject prefixed with the site's configured host instead of the one in the request."""
        host = _host()
        return f"[{host}] {subject}" if host else super().format_email_subject(subject)

    def send_mail(self, template_prefix: str, email: str, context: dict) -> None:
        """Send a mail with links to the site's configured address."""
        super().send_mail(template_prefix, email, _with_site_url(context))

    def clean_email(self, email: str) -> str:
        """Return the address; raise `ValidationError` if it is too long for its column."""
        MaxLengthValidator(app_settings.EMAIL_MAX_LENGTH)(email)
        return super().clean_email(email)

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: Any) -> None:
        """Send a confirmation link of `builder.confirmations` instead of allauth's own."""
        super().send_confirmation_mail(request, Confirmation(emailconfirmation.email_address), signup)

    def send_notification_mail(self, template_prefix: str, user: User, context: dict[str, Any] | None = None,
                               email: str | None = None) -> None:
        """Notify all confirmed addresses of an account of a change to it.

        `email` is used only for an account that has been deleted.
        """
        confirmed = EmailAddress.objects.filter(user=user, verified=True).order_by("pk") if user.pk else None
        for address in [email] if confirmed is None else confirmed.values_list("email", flat=True):
            self.notify(address or "", template_prefix, user, context)

    def notify(self, address: str, template_prefix: str, user: User, context: dict[str, Any] | None = None) -> None:
        """Send a mail about a change to one address; log a failure of the mail server instead of raising it."""
        try:
            super().send_notification_mail(template_prefix, user, context, address)
        except OSError as error:
            LOG.warning("%s could not be sent: %s", template_prefix, error)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Apply the limits on logins, before the password is checked.

        A known browser has a limit separate from that of its address, so that nobody else can lock it out. The number
        of successful logins to an account is limited everywhere; only somebody with the password can reach it.
        """
        name = self._get_login_attempts_cache_key(request, **credentials)
        if not ratelimit.consume(request, action=LET_IN, key=name, dry_run=True):
            raise ImmediateHttpResponse(ratelimit.respond_429(request))
        if not (known_key := self._known_browser_key(request, **credentials)):
            if not ratelimit.consume(request, action="strangers_login"):
                raise ImmediateHttpResponse(ratelimit.respond_429(request))
            limit_networks(request)
            super().pre_authenticate(request, **credentials)
        elif not ratelimit.consume(request, action=KNOWN_BROWSER_FAILED, key=known_key):
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Return the user if the credentials are right, and then reset the count of failures of a known browser."""
        with hashing_in_turn(request):
            user = super().authenticate(request, **credentials)
        if user:
            name = self._get_login_attempts_cache_key(request, **credentials)
            ratelimit.consume(request, action=LET_IN, key=name)
            if known_key := self._known_browser_key(request, **credentials):
                ratelimit.clear(request, action=KNOWN_BROWSER_FAILED, key=known_key)
        return user

    def set_password(self, user: User, password: str) -> None:
        """Hash and save a new password."""
        with hashing_in_turn(context.request):
            user.set_password(password)
        # `builder.once` spends the form's key in the same transaction.
        with transaction.atomic():
            user.save()

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the key that login attempts are counted under: the name alone, without allauth's host and port."""
        return (credentials.get("username") or credentials.get("email") or "").lower()

    def _known_browser_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the key that attempts from a browser known for this account are counted under; "" if it is not."""
        browser = known_browsers.browser_id_by_name(request, credentials.get("username") or "")
        return f"{self._get_login_attempts_cache_key(request, **credentials)}:{browser}" if browser else ""


def account_called(name: str) -> User | None:
    """Return the account with the name as typed, else with the name cleaned (`one_line`); None if there is neither."""
    users = User.objects
    return users.filter(username__iexact=name).first() or users.filter(username__iexact=one_line(name)).first()


def _host() -> str:
    return settings.MAILED_URL.partition("://")[2]


def _with_site_url(values: dict) -> dict:
    """Return a mail's template context with its links moved from the request's host to `MAILED_URL`, if that is set."""
    if not settings.MAILED_URL:
        return values
    requested = context.request.build_absolute_uri("/")
    moved = {key: f"{settings.MAILED_URL}/{value.removeprefix(requested)}" for key, value in values.items()
             if isinstance(value, str) and value.startswith(requested)}
    return values | moved | {"current_site": SimpleNamespace(domain=_host(), name=_host())}


def _is_usable(invitation: str) -> bool:
    """Return True if an invitation can be used: an admin's link with uses left, or a link to a party with room."""
    if invitation.startswith(LINK_PREFIX):
        return Invitation.usable().filter(token=invitation.removeprefix(LINK_PREFIX)).exists()
    party = _party(invitation).first()
    return party is not None and party.members.count() < MEMBERS and not Invitation.used_up(invitation)


def _spend(invitation: str) -> Party | None:
    """Take one use of an invitation and return the party that it leads to, locked; None for an admin's link.

    Raise `PermissionDenied` if the invitation has no use left.
    """
    party = None
    if not invitation.startswith(LINK_PREFIX):
        if (party := _party(invitation).select_for_update().first()) is None:
            raise PermissionDenied
        Invitation.begin(invitation, MEMBERS)
    if not Invitation.spend(invitation.removeprefix(LINK_PREFIX)):
        raise PermissionDenied
    return party


def _party(invitation: str) -> QuerySet[Party]:
    """Return the party that an invitation leads to, as a queryset; empty if the link was withdrawn."""
    token = invitation.removeprefix(JOINING) if invitation.startswith(JOINING) else None
    return Party.objects.filter(invitation=token or "", ruleset__in=list(systems()))


@receiver(email_added)
def _notify_added(user: User, email_address: EmailAddress, **_more: Any) -> None:
    AccountAdapter().send_notification_mail("account/email/email_added", user, {"added_email": email_address.email})


@receiver(email_removed)
def _notify_removed(user: User, email_address: EmailAddress, **_more: Any) -> None:
    """Notify the removed address itself; allauth notifies the others."""
    if email_address.verified:
        AccountAdapter().notify(
            email_address.email, "account/email/email_deleted", user, {"deleted_email": email_address.email})


class SecondFactor(DefaultMFAAdapter):
    """The adapter for second factors: passkeys, and codes from an app."""

    def generate_authenticator_name(self, user: Any, type: Authenticator.Type) -> str:  # noqa: A002 - allauth's own
        """Return the name of a user's next passkey, with its number."""
        return _("Passkey {n}").format(n=user.authenticator_set.filter(type=type).count() + 1)

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code as inline SVG: the content security policy allows no `data:` address."""
        return segno.make(url, micro=False).svg_inline(light="#fff", dark="#000", omitsize=True)
