"""What PostgreSQL tells of by itself, of a sheet that nobody but its owner reads as well."""

from contextlib import closing

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from sheets.live.feed import CHANNEL
from sheets.models import Sheet
from tests.support.guest import Guest, example


@pytest.mark.database("postgresql")
@pytest.mark.django_db(transaction=True)
def test_whatever_becomes_of_a_guest_s_sheet_is_told_and_nothing_where_nothing_did():
    guest = Guest(example())
    known = connection.get_connection_params()
    line = {key: known[key] for key in ("host", "port", "dbname", "user", "password") if known.get(key)}
    with closing(psycopg.connect(**line, autocommit=True)) as listening:
        listening.execute(f"LISTEN {CHANNEL}")

        def told():
            return [one.payload for one in listening.notifies(timeout=0.5)]
        rows = Sheet.objects.filter(pk=guest.pk)
        for change in ({"version": 7}, {"played": timezone.now()}, {"share": "s" * 32}):
            rows.update(**change)
            assert told() == [guest.pk], change
        rows.update(version=7, notes="Nur für mich.")
        assert told() == []
        rows.get().delete()
        assert told() == [guest.pk]
