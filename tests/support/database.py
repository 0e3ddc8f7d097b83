"""What is written to the database for a while."""

from contextlib import contextmanager

from django.db import connection, transaction

READING = ("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK")


@contextmanager
def undone():
    """Whatever is written within is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@contextmanager
def writes():
    """A list of what is asked of the database within but to be read."""
    found = []

    def noting(execute, sql, *rest):
        if not sql.lstrip(" (").startswith(READING):
            found.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(noting):
        yield found
