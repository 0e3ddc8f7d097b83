"""A large house: so many sheets, ten log lines each, and a tenth as many people, parties, and reviews in the chain.

`python -m tests.large fill 1000000` fills the database of the settings, which is migrated and empty; `pages` opens the
pages of one of its people, each some times, and says how long they take.
"""

import gc
import json
import os
import statistics
import sys
import uuid
from hashlib import md5
from time import perf_counter

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
    django.setup()

from django.contrib.auth.models import User
from django.core.management.color import no_style
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from rulesets import systems
from sheets.audit_log import chain
from sheets.audit_log.signing import KEPT, person, sign_revision, signature
from sheets.documents import sealable
from sheets.models import Event, Head, Member, Notification, Party, Review, Revision, Sheet
from sheets.models.reviews import APPROVED, SUBMITTED

LINES, MEMBERS, OWN, TOLD = 10, 5, 500, 10
"""Log lines of a sheet, members of a party, sheets of the first person alone, notifications of each."""
AT_ONCE = 50_000
"""Rows that one statement makes."""
FIRST = 1000
"""The key of the first person."""
BEGUN = "2026-01-01 00:00:00"
TIMES = 40


def key(letter: str, number: int) -> uuid.UUID:
    """The key of a party (`p`) or a sheet (`s`), as `_key` says it in SQL."""
    return uuid.UUID(md5(f"{letter}{number}".encode(), usedforsecurity=False).hexdigest())


def _key(letter: str, number: str) -> str:
    found = f"md5('{letter}' || ({number}))"
    return found if connection.vendor == "sqlite" else f"{found}::uuid"


def _moment(number: str) -> str:
    if connection.vendor == "sqlite":
        return f"datetime('{BEGUN}', '+' || ({number}) || ' seconds')"
    return f"timestamptz '{BEGUN} UTC' + ({number}) * interval '1 second'"


def _multiplied(one, first: int, end: int, **different: str) -> None:
    """Rows like one that is there, for each n from the first to before the end; what is otherwise is said in SQL."""
    quote, meta = connection.ops.quote_name, one._meta
    columns = [field.column for field in meta.concrete_fields if not (field.primary_key and meta.pk.name == "id"
               and "id" not in different)]
    for begin in range(first, end, AT_ONCE):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {quote(meta.db_table)} ({', '.join(map(quote, columns))}) "  # noqa: S608 - our own columns
                f"WITH RECURSIVE n(n) AS (SELECT {begin} UNION ALL SELECT n + 1 FROM n "
                f"WHERE n < {min(begin + AT_ONCE, end) - 1}) "
                f"SELECT {', '.join(different.get(one, f'one.{quote(one)}') for one in columns)} "
                f"FROM n, {quote(meta.db_table)} AS one WHERE one.id = {_literal(one)}")


def _literal(one) -> str:
    return f"'{one.pk.hex}'" if isinstance(one.pk, uuid.UUID) else str(one.pk)


def fill(sheets: int) -> None:
    """Sheet n is of person n + n // parties and, in the first half, in party n; a person runs the party of its number.

    All of it is as the first of each, which were made by the program itself.
    """
    many = sheets // 10
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        connection.connection.create_function(
            "md5", 1, lambda text: md5(text.encode(), usedforsecurity=False).hexdigest(), deterministic=True)
        # Keys that come in no order ask for all of an index at once; nothing is lost here that cannot be made anew.
        for pragma in ("cache_size = -1000000", "synchronous = OFF"):
            connection.cursor().execute(f"PRAGMA {pragma}")
    user, party, sheet, event = _first()
    whose = f"(n + n / {many}) % {many}"
    _multiplied(user, 1, many, id=f"{FIRST} + n", username="'u' || n")
    _multiplied(party, 1, many, id=_key("p", "n"), name="'P' || n", invitation="'i' || n")
    gm = Member.objects.get()
    _multiplied(gm, 1, many, party_id=_key("p", "n"), user_id=f"{FIRST} + n")
    for other in range(1, MEMBERS):
        _multiplied(gm, 0, many, party_id=_key("p", "n"), user_id=f"{FIRST} + (n + {other}) % {many}", role="'player'")
    new = {"id": _key("s", "n"), "name": "'S' || n", "updated": _moment("n"), "played": _moment("n")}
    _multiplied(sheet, 1, sheets // 2, **new, owner_id=f"{FIRST} + {whose}", party_id=_key("p", f"n % {many}"))
    _multiplied(sheet, sheets // 2, sheets, **new, owner_id=f"{FIRST} + {whose}", party_id="NULL", seen_by="'private'")
    _multiplied(sheet, sheets, sheets + OWN, **new, party_id="NULL", seen_by="'private'")
    party_of = f"CASE WHEN n % {sheets} < {sheets // 2} THEN {_key('p', f'n % {sheets} % {many}')} END"
    _multiplied(event, 1, LINES * sheets, sheet_id=_key("s", f"n % {sheets}"), party_id=party_of, key=_key("e", "n"),
                made=_moment("n"), who_id="NULL")
    _multiplied(Notification.objects.create(user=user, kind="joined", data={"party": "P0"}), 1, TOLD * many,
                user_id=f"{FIRST} + n % {many}")
    _reviews(many)
    with connection.cursor() as cursor:
        for command in connection.ops.sequence_reset_sql(no_style(), [User, Event, Member, Notification, Revision]):
            cursor.execute(command)
        cursor.execute("ANALYZE")


def _first() -> tuple[User, Party, Sheet, Event]:
    """Somebody with a party and a sheet in it, which was rolled on once."""
    user = User.objects.create_user("u0", id=FIRST)
    party = Party.objects.create(id=key("p", 0), name="P0", ruleset="condice", invitation="i0")
    Member.objects.create(party=party, user=user, role="gm")
    data = systems()["condice"].examples["juan"]["data"]
    sheet = Sheet.objects.create(id=key("s", 0), owner=user, party=party, ruleset="condice", name="S0", data=data,
                                 seen_by="party")
    client = Client(headers={"Host": "127.0.0.1"})
    client.force_login(user)
    pressed = client.post(f"/sheets/{sheet.pk}/play/", {"w": "roll-attack-attacks-0", "_press": str(uuid.uuid4())})
    if pressed.status_code != 302:
        raise AssertionError(pressed.content)
    return user, party, sheet, Event.objects.get()


def _reviews(many: int) -> None:
    """So many entries of the chain: sheets that were submitted, every second of them approved since."""
    content, made = sealable(Sheet(ruleset="condice", name="S", data=systems()["condice"].examples["juan"]["data"])), \
        timezone.now()
    head = Head.objects.get()
    end = many + 2 * many // 3
    for begin in range(many, end, 1000):
        entries, revisions = [], []
        for n in range(begin, min(begin + 1000, end)):
            kept = Revision(id=n, sheet_id=key("s", n), number=1, version=1, kind=SUBMITTED,
                            author_id=FIRST + (n + 1) % many, **content)
            sign_revision(kept, KEPT)
            revisions.append(kept)
            for kind in (SUBMITTED, APPROVED)[:1 + n % 2]:
                by = FIRST + (n % many if kind == APPROVED else (n + 1) % many)
                pk = key("p", n % many)
                entry = Review(number=head.number + 1, kind=kind, made=made, before=head.mac, person=person(by),
                               sheet_key=key("s", n), sheet_id=key("s", n), party_key=pk, party_id=pk, by_id=by,
                               revision=kept, revision_number=1, seal=kept.seal,
                               house=chain.digest({"house": kept.house}))
                entry.mac = chain._signed(entry)
                entry.code = chain.code_of(entry.mac) if kind == APPROVED else None
                head.number, head.mac = entry.number, entry.mac
                entries.append(entry)
        head.signature = signature(head.number, head.mac)
        with transaction.atomic():
            Revision.objects.bulk_create(revisions)
            Review.objects.bulk_create(entries)
            head.save()


PAGES = {
    "first page": "/sheets/", "deep page": "", "search": "/sheets/?q=S1", "queue": "/reviews/",
    "table": "/parties/{party}/table/", "sheet": "/sheets/{sheet}/", "parties": "/parties/"}


def pages() -> dict[str, float]:
    """{page: milliseconds of the middle one of some requests}."""
    user, client = User.objects.get(pk=FIRST), Client(headers={"Host": "127.0.0.1"})
    client.force_login(user)
    deep = Sheet.objects.filter(owner=user, party=None).order_by("updated")[100]
    known = {"party": key("p", 0), "sheet": key("s", 0)}
    addresses = {name: address.format(**known) for name, address in PAGES.items()}
    addresses["deep page"] = f"/sheets/?before={deep.updated:%Y-%m-%dT%H:%M:%SZ}&last={deep.pk}"
    taken: dict[str, list[float]] = {name: [] for name in PAGES}
    gc.freeze()
    for _time in range(TIMES):
        for name, address in addresses.items():
            begun = perf_counter()
            answer = client.get(address)
            taken[name].append(1000 * (perf_counter() - begun))
            if answer.status_code != 200:
                raise AssertionError(f"{address}: {answer.status_code}")
    return {name: round(statistics.median(some[TIMES // 4:]), 1) for name, some in taken.items()}


if __name__ == "__main__":
    if sys.argv[1] == "fill":
        fill(int(sys.argv[2]))
    else:
        sys.stdout.write(f"{json.dumps(pages())}\n")
