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
"""The time for which a link that ends with something else may be used."""


def _token() -> str:
    return secrets.token_urlsafe(18)


class Used(models.Model):
    """The level of a bucket of `builder.rate_limit` at a moment. It concerns today alone, so no backup contains it."""

    key = models.CharField(max_length=64, primary_key=True)
    level = models.FloatField()
    at = models.FloatField()

    class Meta:
        managed = False
        db_table = "builder_used"


class Likeness(models.Model):
    """A way in which an account's name looks, as `builder.lookalikes` reads it; no other name looks so.

    Of accounts that looked alike before that was asked the oldest one has it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="likenesses")
    skeleton = models.CharField(max_length=LONGEST, unique=True)

    @classmethod
    def belong(cls, user: User) -> bool:
        """Return whether all looks of a user's name belong to that user."""
        looks = likenesses(user.username)
        return cls.objects.filter(user=user, skeleton__in=looks).count() == len(looks)


@receiver(post_save, sender=settings.AUTH_USER_MODEL)
def _look(instance: Any, raw: Any, update_fields: Any, **_more: Any) -> None:
    """Save how an account's name looks, however it was made, as far as nobody else's looks so."""
    if raw or (update_fields is not None and "username" not in update_fields):
        return
    looks = likenesses(instance.username)
    Likeness.objects.filter(user=instance).exclude(skeleton__in=looks).delete()
    Likeness.objects.bulk_create([Likeness(user=instance, skeleton=one) for one in sorted(looks)],
                                 ignore_conflicts=True)


class Invitation(models.Model):
    """A link by which `left` more people may make an account, until `until`.

    Of a link to a party it counts the accounts alone; that one is the party's to revoke.
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
    def standing(cls) -> "models.QuerySet[Invitation]":
        """Return those that still let somebody in."""
        return cls.objects.filter(left__gt=0, until__gt=timezone.now())

    @classmethod
    def spend(cls, token: str) -> bool:
        """Take one use; return False if none is left, however many ask at once."""
        return bool(cls.standing().filter(token=token).update(left=F("left") - 1))

    @classmethod
    def begin(cls, token: str, uses: int) -> None:
        """Count the uses of a link that has no end of its own, from the first one on."""
        cls.objects.get_or_create(token=token, defaults={"left": uses, "until": timezone.now() + ENDLESS})

    @classmethod
    def used_up(cls, token: str) -> bool:
        """Return whether such a link has no use left."""
        return cls.objects.filter(token=token, left=0).exists()


class SpentKey(models.Model):
    """The key of a form that has made something, when that was, and the address that its answer led to.

    It is written with the first row that is made, and so stands or falls with that (`builder.once`).
    """

    key = models.UUIDField(primary_key=True)
    made = models.DateTimeField(default=timezone.now, db_index=True)
    place = models.TextField(blank=True, default="")
