"""Sessions in the database, which tell one that was ended from a database that cannot be written."""

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from sheets.api.problems import is_away
from sheets.models.compiled_queries import compiled


class SessionStore(db.SessionStore):
    """Django's, but that a database that is away is told as such, as everywhere else."""

    def save(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002 - as Django calls it
        """Save the session (`UpdateError` where it was ended meanwhile)."""
        try:
            super().save(must_create)
        except UpdateError as error:
            # Django takes whatever the database says for a session that is gone, and answers that with a 400.
            if is_away(away := error.__context__) and away:
                raise away from None
            raise

    def _get_session_from_db(self) -> Session | None:
        """Return the row of this session, None for one that has ended."""
        if (found := next(iter(_sessions(self.session_key, timezone.now())), None)) is None:
            self._session_key = None
        return found


@compiled
def _sessions(key: Any, now: Any) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=now)
