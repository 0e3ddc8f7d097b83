"""The secret links by which calendar programs read the evenings of a user."""

import hashlib
import secrets

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import constant_time_compare

from sheets.models import Feed


@transaction.atomic
def renew(user: User) -> tuple[Feed, str]:
    """Replace a user's link by a new one; return the feed and its token, which can be shown only now."""
    User.objects.select_for_update().get(pk=user.pk)
    end(user)
    token = secrets.token_urlsafe(24)
    return Feed.objects.create(user=user, hashed=_hash(token)), token


def end(user: User) -> None:
    """End the link of a user."""
    Feed.objects.filter(user=user).delete()


def found(number: int, token: str) -> Feed | None:
    """Return the feed with this number if this is its token and its user may sign in, else None."""
    feed = Feed.objects.filter(pk=number, user__is_active=True).first()
    return feed if feed and constant_time_compare(feed.hashed, _hash(token)) else None


def end_all() -> int:
    """End all links, as after a restore, and return how many there were."""
    number = Feed.objects.count()
    Feed.objects.all().delete()
    return number


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
