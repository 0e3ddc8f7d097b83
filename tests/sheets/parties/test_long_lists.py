"""The pages that list things, with many sheets, parties and rolls in the database."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sheets.models import Event, Member, Party, Sheet
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.prove
AT_ONCE = 5_000


@pytest.fixture
def table(django_user_model, full):
    """Anna's, in 50 parties with 1,000 sheets and 100,000 rolls; a tenth and a fiftieth of them in a quick run."""
    sheets, parties, rolls = (1_000, 50, 100_000) if full else (100, 5, 2_000)
    table = RoundTable(django_user_model.objects)
    anna = table.users["anna"]
    made = Party.objects.bulk_create(Party(name=f"Runde {number}", ruleset="condice") for number in range(parties - 1))
    made.append(table.party)
    Member.objects.bulk_create(Member(party=party, user=anna) for party in made[:-1])
    data = table.sheets["anna"].data
    # One party has all that it may have, the others share the rest.
    many = Sheet.objects.bulk_create(
        Sheet(owner=anna, ruleset="condice", name=f"Figur {number}", data=data, seen_by="party",
              party=table.party if number < sheets // 5 - 2 else made[number % (parties - 1)])
        for number in range(sheets - 2))
    own = [table.sheets["anna"], *many]
    for start in range(0, rolls, AT_ONCE):
        Event.objects.bulk_create(
            Event(sheet=own[number % 40], party_id=own[number % 40].party_id, key=uuid.uuid4(), who=anna,
                  widget="roll-success", title="Success roll", roll="success", given={"dice": 2}, faces=[6, 4],
                  outcome=3, figures={}) for number in range(start, min(start + AT_ONCE, rolls)))
    connection.cursor().execute("ANALYZE")
    return table


@pytest.mark.slow
def test_every_page_asks_at_most_nineteen_times_and_a_look_once(table):
    own, party = f"/sheets/{table.sheets['anna'].pk}/", f"/parties/{table.party.pk}/"
    seen = table.now("anna")
    pages = ["/", "/sheets/", own, "/parties/", party, f"{party}table/", f"{party}house/", f"{party}ready/",
             f"{party}leave/", f"{party}table/?since={seen}"]
    for who, more in (("anna", [f"{own}print/", f"{own}export/"]), ("gm", [])):
        for address in [*pages, *more]:
            with CaptureQueriesContext(connection) as queries:
                answer = table.browsers[who].get(address)
            assert answer.status_code in (200, 204), address
            assert len(queries) <= (3 if answer.status_code == 204 else 19), (address, [one["sql"] for one in queries])
