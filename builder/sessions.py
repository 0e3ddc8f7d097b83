"""Sessions in the database, which tell one that was ended from a database that cannot be written."""

from functools import cache

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

from sheets.api.problems import is_away


class SessionStore(db.SessionStore):
    """Django's, but that a database that is away is told as such, as everywhere else."""

    def save(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002 - as Django calls it
        """Save the session (`UpdateError` where it was ended meanwhile)."""
        try:
            super().save(must_create)
        except UpdateError as error:
            # Django takes whatever the database says for a session that is gone, and answers that with a 400.
            if is_away(away := error.__context__):
                raise away from None
            raise

    def _get_session_from_db(self) -> Session | None:
        """Return the row of this session, None for one that has ended; its query is composed only once."""
        now = Session.expire_date.field.get_db_prep_value(timezone.now(), connection)
        found = next(iter(Session.objects.raw(_reading(), [now, self.session_key])), None)
        if found is None:
            self._session_key = None
        return found


@cache
def _reading() -> str:
    # Django orders what stands in one filter by its name.
    asked = Session.objects.filter(expire_date__gt=timezone.now()).filter(session_key="")
    query: str = asked.query.sql_with_params()[0]
    return query
