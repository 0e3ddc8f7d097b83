"""Sessions in the database, which tell one that was ended from a database that cannot be written."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError

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
