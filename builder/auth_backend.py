"""allauth's authentication backend, with a query for the user of a session that is compiled only once."""

from typing import Any

from allauth.account import auth_backends
from django.contrib.auth.models import User
from django.db.models import QuerySet

from sheets.models.compiled_queries import compiled


class AuthenticationBackend(auth_backends.AuthenticationBackend):
    """allauth's backend, which loads users by a compiled query."""

    def get_user(self, user_id: int) -> User | None:
        """Return the user with this key if they may be signed in, else None."""
        user = next(iter(_users(user_id)), None)
        return user if user and self.user_can_authenticate(user) else None


@compiled
def _users(pk: Any) -> QuerySet[User]:
    return User.objects.filter(pk=pk)
