"""The making of accounts: who may make one, under which name, and who is told of changes by mail."""

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
from builder.refusals import busy, sort
from builder.turns import Busy, hashing
from rulesets import systems
from rulesets.names import isolated, one_line
from sheets.client_address import client_address
from sheets.guests import JOINING, SIGNUP_KEY, signup_invitation
from sheets.models import Party
from sheets.parties.services import MEMBERS, Full, join_party

LOG = logging.getLogger(__name__)
LINK = "link:"
"""The beginning of an invitation of ours; the rest is its token."""
KNOWN = "known_login_failed"
"""The key of `ACCOUNT_RATE_LIMITS` that holds for a known browser and its own account, whatever others do."""
LET_IN = "let_in"
"""The one of them that counts right passwords of an account, from anywhere: each costs as much as a wrong one."""
ALPHABET = "abcdefghijkmnopqrstuvwxyz23456789"
"""Letters that nobody mistakes for others."""


def new_password() -> str:
    """Return a password that can be told over the telephone."""
    return "-".join("".join(secrets.choice(ALPHABET) for _letter in range(5)) for _part in range(4))


@contextmanager
def in_turn(request: HttpRequest) -> Iterator[None]:
    """Hash a password unless too many are being hashed; if they are, whoever asks is told so at once."""
    try:
        with hashing(client_address(request)) if settings.BUDGET else nullcontext():
            yield
    except Busy:
        sentence = _("Many passwords are being checked just now; send yours again in a moment.")
        raise ImmediateHttpResponse(busy(request, sentence)) from None


def counted(request: HttpRequest) -> None:
    """Count what a stranger asks of accounts for the networks of IPv6 around their own, and refuse what is too much."""
    for network in networks(client_address(request)):
        if not ratelimit.consume(request, action=sort(network), key=network):
            raise ImmediateHttpResponse(ratelimit.respond_429(request))


class AccountAdapter(DefaultAccountAdapter):
    """The adapter that makes accounts: for everybody, for nobody, or for the invited."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether this browser may make an account."""
        if settings.SIGNUP != "invitation":
            return settings.SIGNUP == "open"
        return _stands(signup_invitation(request))

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address; IPv4 that a proxy writes as IPv6 is IPv4 again, as all of it would be one network of 64 bits."""
        address = super().get_client_ip(request)
        with suppress(ValueError):
            return str(getattr(ip_address(address), "ipv4_mapped", None) or address)
        return address

    @transaction.atomic
    def save_user(self, request: HttpRequest, user: User, form: Any,
                  commit: Any = True) -> User | None:  # noqa: FBT002 - allauth's own signature
        """Spend the invitation with the account that it makes, so that each use makes one; a party's leads into it."""
        party = _spend(request.session.get(SIGNUP_KEY, "")) if settings.SIGNUP == "invitation" else None
        super().save_user(request, user, form, commit=False)
        user.password = form.hashed
        user.save()
        if not Likeness.belong(user):
            raise IntegrityError
        if party:
            try:
                join_party(party, user)
            except Full:
                raise PermissionDenied from None
            messages.success(request, _("You are in “{party}” now.").format(party=isolated(party.name)))
        request.session.pop(SIGNUP_KEY, None)
        return user

    def clean_username(self, username: str, shallow: bool = False) -> str:  # noqa: FBT001, FBT002 - allauth's own
        """Refuse a name that looks like somebody else's, or like that of one who runs the site.

        So it does what looks like a link or a telephone number. What nobody sees of it leaves it before.
        """
        username = one_line(username)
        MinLengthValidator(settings.ACCOUNT_USERNAME_MIN_LENGTH)(username)
        if lookalikes.linked(username):
            raise ValidationError(_("A name must not look like an address or a link: take one without “@”, “www.” and "
                                    "dots between its letters."))
        if lookalikes.dialled(username):
            raise ValidationError(_("A name must not look like a telephone number: take one with fewer digits."))
        username = super().clean_username(username, shallow)
        if lookalikes.reserved(username):
            raise ValidationError(_("Nobody may be called that: it looks like a name of those who run the site."))
        if not shallow and Likeness.objects.filter(skeleton__in=lookalikes.likenesses(username)).exists():
            raise ValidationError(_("This name looks like that of another account; take one that nobody mistakes."))
        return username

    def format_email_subject(self, subject: str) -> str:
        """Name the site as it is called, whatever host a request names."""
        own = _host()
        return f"[{own}] {subject}" if own else super().format_email_subject(subject)

    def send_mail(self, template_prefix: str, email: str, context: dict) -> None:
        """Send a mail whose links lead to where the site is."""
        super().send_mail(template_prefix, email, _at_home(context))

    def clean_email(self, email: str) -> str:
        """Refuse an address that is too long to be kept."""
        MaxLengthValidator(app_settings.EMAIL_MAX_LENGTH)(email)
        return super().clean_email(email)

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: Any) -> None:
        """Send a link that confirms this address of this account alone."""
        super().send_confirmation_mail(request, Confirmation(emailconfirmation.email_address), signup)

    def send_notification_mail(self, template_prefix: str, user: User, context: dict[str, Any] | None = None,
                               email: str | None = None) -> None:
        """Tell every address that somebody confirmed of a change to their account, whichever of them is changed.

        `email` is that of an account that is gone.
        """
        confirmed = EmailAddress.objects.filter(user=user, verified=True).order_by("pk") if user.pk else None
        for address in [email] if confirmed is None else confirmed.values_list("email", flat=True):
            self.tell(address or "", template_prefix, user, context)

    def tell(self, address: str, template_prefix: str, user: User, context: dict[str, Any] | None = None) -> None:
        """Send a mail about a change; a mail server that is away holds nobody up."""
        try:
            super().send_notification_mail(template_prefix, user, context, address)
        except OSError as error:
            LOG.warning("%s could not be sent: %s", template_prefix, error)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a known browser by itself, so that nobody locks it out, from elsewhere or behind its own address.

        Whoever was let in often waits wherever they are; who does not know the password cannot bring that about.
        """
        name = self._get_login_attempts_cache_key(request, **credentials)
        if not ratelimit.consume(request, action=LET_IN, key=name, dry_run=True):
            raise ImmediateHttpResponse(ratelimit.respond_429(request))
        if not (own := self._own_count(request, **credentials)):
            if not ratelimit.consume(request, action="strangers_login"):
                raise ImmediateHttpResponse(ratelimit.respond_429(request))
            counted(request)
            super().pre_authenticate(request, **credentials)
        elif not ratelimit.consume(request, action=KNOWN, key=own):
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Authenticate; a known browser that is let in begins its count anew."""
        with in_turn(request):
            user = super().authenticate(request, **credentials)
        if user:
            name = self._get_login_attempts_cache_key(request, **credentials)
            ratelimit.consume(request, action=LET_IN, key=name)
            if own := self._own_count(request, **credentials):
                ratelimit.clear(request, action=KNOWN, key=own)
        return user

    def set_password(self, user: User, password: str) -> None:
        """Hash a new password in its turn."""
        with in_turn(context.request):
            user.set_password(password)
        # Together with the key of the form.
        with transaction.atomic():
            user.save()

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the key that a name is counted under, whatever host and port it is asked for by."""
        return (credentials.get("username") or credentials.get("email") or "").lower()

    def _own_count(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the key under which a known browser counts for its own account, "" for any other browser."""
        which = known_browsers.known_by_name(request, credentials.get("username") or "")
        return f"{self._get_login_attempts_cache_key(request, **credentials)}:{which}" if which else ""


def _host() -> str:
    return settings.MAILED_URL.partition("://")[2]


def _at_home(words: dict) -> dict:
    """Return what a mail is made of, with links to the site's own address if that is known."""
    if not settings.MAILED_URL:
        return words
    asked = context.request.build_absolute_uri("/")
    moved = {key: f"{settings.MAILED_URL}/{value.removeprefix(asked)}" for key, value in words.items()
             if isinstance(value, str) and value.startswith(asked)}
    return words | moved | {"current_site": SimpleNamespace(domain=_host(), name=_host())}


def _stands(invitation: str) -> bool:
    """Return whether an invitation lets somebody in: a link of ours, or one to a party with room."""
    if invitation.startswith(LINK):
        return Invitation.standing().filter(token=invitation.removeprefix(LINK)).exists()
    party = _party(invitation).first()
    return party is not None and party.members.count() < MEMBERS and not Invitation.used_up(invitation)


def _spend(invitation: str) -> Party | None:
    """Take one use of an invitation, and return the party whose link it is, held (PermissionDenied)."""
    party = None
    if not invitation.startswith(LINK):
        if (party := _party(invitation).select_for_update().first()) is None:
            raise PermissionDenied
        Invitation.begin(invitation, MEMBERS)
    if not Invitation.spend(invitation.removeprefix(LINK)):
        raise PermissionDenied
    return party


def _party(invitation: str) -> QuerySet[Party]:
    """Return the party that a link leads to, none if there is no such link any more."""
    token = invitation.removeprefix(JOINING) if invitation.startswith(JOINING) else None
    return Party.objects.filter(invitation=token or "", ruleset__in=list(systems()))


@receiver(email_added)
def _added(user: User, email_address: EmailAddress, **_more: Any) -> None:
    AccountAdapter().send_notification_mail("account/email/email_added", user, {"added_email": email_address.email})


@receiver(email_removed)
def _removed(user: User, email_address: EmailAddress, **_more: Any) -> None:
    """Tell an address that was removed as well; allauth tells the others."""
    if email_address.verified:
        AccountAdapter().tell(
            email_address.email, "account/email/email_deleted", user, {"deleted_email": email_address.email})


class SecondFactor(DefaultMFAAdapter):
    """The second factor: a code from an app."""

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code as SVG that stands in the page; the policy allows no pictures in addresses."""
        return segno.make(url, micro=False).svg_inline(light="#fff", dark="#000", omitsize=True)
