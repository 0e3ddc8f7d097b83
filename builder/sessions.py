"""Django's database sessions, which tell an unavailable database from a session that was deleted."""

from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from sheets.api.problems import is_away
from sheets.models.compiled_queries import compiled

FORMER_BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
"""The authentication backend in sessions that are older than `builder.auth_backend`."""


class SessionStore(db.SessionStore):
    """Django's session store, which raises the database's own error when the database is unavailable."""

    def save(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002 - as Django calls it
        """Save the session; raise `UpdateError` if it was deleted meanwhile."""
        try:
            super().save(must_create)
        except UpdateError as error:
            # Django raises `UpdateError` for any database error, and answers that with a 400.
            if is_away(away := error.__context__) and away:
                raise away from None
            raise

    def load(self) -> dict[str, Any]:
        """Return the session's data, with the former authentication backend replaced by the current one."""
        found: dict[str, Any] = super().load()
        if found.get(BACKEND_SESSION_KEY) == FORMER_BACKEND:
            [found[BACKEND_SESSION_KEY]] = settings.AUTHENTICATION_BACKENDS
        return found

    def _get_session_from_db(self) -> Session | None:
        """Return the row of this session; None if it has expired or was deleted."""
        if (session := next(iter(_sessions(self.session_key, timezone.now())), None)) is None:
            self._session_key = None
        return session


@compiled
def _sessions(key: Any, now: Any) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=now)
