import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import F
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.utils import timezone

from builder.lookalikes import LONGEST, likenesses

ENDLESS = timedelta(days=36_500)
"""The lifetime of an invitation that does not expire by itself: a hundred years."""


def _token() -> str:
    return secrets.token_urlsafe(18)


class Used(models.Model):
    """The level of a bucket of `builder.rate_limit` at a time. It is short-lived, so no backup contains it."""

    key = models.CharField(max_length=64, primary_key=True)
    level = models.FloatField()
    at = models.FloatField()

    class Meta:
        managed = False
        db_table = "builder_used"


class Likeness(models.Model):
    """One skeleton of an account's name (`builder.lookalikes`); no other account's name has the same one.

    If several older accounts have the same skeleton, it belongs to the oldest of them.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="likenesses")
    skeleton = models.CharField(max_length=LONGEST, unique=True)

    @classmethod
    def all_belong_to(cls, user: User) -> bool:
        """Return True if all skeletons of a user's name belong to that user."""
        skeletons = likenesses(user.username)
        return cls.objects.filter(user=user, skeleton__in=skeletons).count() == len(skeletons)


@receiver(post_save, sender=settings.AUTH_USER_MODEL)
def _save_likenesses(instance: Any, raw: Any, update_fields: Any, **_more: Any) -> None:
    """Save the skeletons of an account's name, except those that belong to another account."""
    if raw or (update_fields is not None and "username" not in update_fields):
        return
    skeletons = likenesses(instance.username)
    Likeness.objects.filter(user=instance).exclude(skeleton__in=skeletons).delete()
    Likeness.objects.bulk_create([Likeness(user=instance, skeleton=one) for one in sorted(skeletons)],
                                 ignore_conflicts=True)


class Invitation(models.Model):
    """A link with which `left` more people may sign up, until `until`.

    For a link to a party the row only counts the accounts made with it; the party revokes the link itself.
    """

    token = models.CharField(max_length=64, unique=True, default=_token)
    left = models.PositiveIntegerField(default=1)
    until = models.DateTimeField()
    created = models.DateTimeField(auto_now_add=True)

    @classmethod
    def make(cls, uses: int, days: int) -> "Invitation":
        """Return a new invitation."""
        return cls.objects.create(left=uses, until=timezone.now() + timedelta(days=days))

    @classmethod
    def usable(cls) -> "models.QuerySet[Invitation]":
        """Return the invitations that have uses left and have not expired."""
        return cls.objects.filter(left__gt=0, until__gt=timezone.now())

    @classmethod
    def spend(cls, token: str) -> bool:
        """Take one use, in one statement; return False if none is left."""
        return bool(cls.usable().filter(token=token).update(left=F("left") - 1))

    @classmethod
    def begin(cls, token: str, uses: int) -> None:
        """Create the row that counts the uses of a party's link, unless it exists."""
        cls.objects.get_or_create(token=token, defaults={"left": uses, "until": timezone.now() + ENDLESS})

    @classmethod
    def used_up(cls, token: str) -> bool:
        """Return True if a link's uses are counted and none is left."""
        return cls.objects.filter(token=token, left=0).exists()


class SpentKey(models.Model):
    """The key of a form that was processed, the time when it was, and the URL that the answer redirected to.

    It is saved in the same transaction as the first row that the form writes (`builder.once`).
    """

    key = models.UUIDField(primary_key=True)
    made = models.DateTimeField(default=timezone.now, db_index=True)
    place = models.TextField(blank=True, default="")
