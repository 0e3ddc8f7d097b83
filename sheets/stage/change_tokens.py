"""The word of a party's table that changes with whatever is new there."""

from functools import cache

from django.db import connection
from django.db.models import Count, QuerySet, Sum
from django.http import Http404
from django.utils.crypto import salted_hmac

from sheets.models import GMS, Member

NEWS = ("role", "party__version", "party__pulse", "party__secret", Sum("party__sheets__version"),
        Count("party__sheets"), Count("party__sheets__deleted"))
"""What changes with whatever is new at a table: what happened there, and its sheets as they come, go and change."""


def change_token(me: QuerySet[Member]) -> str:
    """Change token of the table for a member (Http404 where there is none).

    It is asked for every few seconds by everybody at the table, and so is one cheap query.
    """
    found = me.values_list(*NEWS).first()
    if found is None:
        raise Http404
    return _token(*found)


def token_after(me: Member, word: str, news: int = 1) -> str:
    """Change token of the table for a member after a press of theirs that told the party of news so many times.

    "" where it was another than `word` before that: then others have done something, too.
    """
    with connection.cursor() as cursor:
        # Each press asks this; to word it anew would be dearer than to answer it.
        found = cursor.execute(_of_member(), [me.pk]).fetchone()
    if found is None:
        raise Http404
    role, version, pulse, *more = found
    return _token(*found) if _token(role, version, pulse - news, *more) == word else ""


@cache
def _of_member() -> str:
    asked: str = Member.objects.filter(pk=0).values_list(*NEWS).query.sql_with_params()[0]
    return asked


def change_tokens(members: QuerySet[Member]) -> dict[int, str]:
    """{key of their account: the same} of several members of one party."""
    return {user: _token(*found) for user, *found in members.values_list("user", *NEWS)}


def _token(role: str, version: int, pulse: int, secret: int, *sheets: int) -> str:
    # It tells that something is new, and not how often a sheet was changed that one does not read.
    counted = repr((role, version, pulse, secret if role in GMS else 0, *sheets))
    return salted_hmac("table", counted).hexdigest()[:20]
