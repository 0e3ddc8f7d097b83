import secrets
from datetime import timedelta

from django.db import models
from django.db.models import F
from django.utils import timezone


def _token() -> str:
    return secrets.token_urlsafe(18)


class Invitation(models.Model):
    """A link by which `left` more people may make an account, until `until`."""

    token = models.CharField(max_length=64, unique=True, default=_token)
    left = models.PositiveIntegerField(default=1)
    until = models.DateTimeField()
    created = models.DateTimeField(auto_now_add=True)

    @classmethod
    def make(cls, uses: int, days: int) -> "Invitation":
        """A new one."""
        return cls.objects.create(left=uses, until=timezone.now() + timedelta(days=days))

    @classmethod
    def standing(cls):
        """Those that still let somebody in."""
        return cls.objects.filter(left__gt=0, until__gt=timezone.now())

    @classmethod
    def spend(cls, token: str) -> bool:
        """Takes one use; False where none is left, however many ask at once."""
        return bool(cls.standing().filter(token=token).update(left=F("left") - 1))
