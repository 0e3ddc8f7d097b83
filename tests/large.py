"""A large house: so many sheets, ten log lines each, and a tenth as many people, parties, and reviews in the chain.

`python -m tests.large fill 1000000` fills the database of the settings, which is migrated and empty, and `fill 1000000
0004_reviews` leaves it as it was at that migration of the sheets; `pages` opens the pages of one of its people, each
some times, and says how long they take; `end` ends that account; `told COMMAND …` runs a command of manage.py and says
what it took.
"""

import gc
import json
import os
import resource
import statistics
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import md5
from time import perf_counter

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
    django.setup()

from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rulesets import systems
from sheets.audit_log import chain
from sheets.audit_log.signing import STORED, pseudonym, sign_revision, signature
from sheets.documents import sealable
from sheets.models import Member, Party, Sheet
from sheets.models.reviews import APPROVED, SUBMITTED
from sheets.notifications.services import notify

LINES, EVENINGS, MEMBERS, OWN, TOLD = 10, 2, 5, 500, 10
"""Log lines of a sheet, the evenings of them, members of a party, sheets of the first person alone, notifications of
each."""
AT_ONCE = 1_000_000
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
    quote, meta, begun = connection.ops.quote_name, one._meta, perf_counter()
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
    _say(f"{meta.db_table} {first} to {end}", begun)


def _literal(one) -> str:
    return f"'{one.pk.hex}'" if isinstance(one.pk, uuid.UUID) else str(one.pk)


def _say(what: str, begun: float) -> None:
    sys.stderr.write(f"{what}: {perf_counter() - begun:.0f} s\n")


@contextmanager
def _bare() -> Iterator[None]:
    """Within it there are no indexes but those of keys, and nothing is checked: made anew from all rows they are quick.

    Nothing is lost here that cannot be made anew, so that nothing waits for the disk.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            connection.connection.create_function(
                "md5", 1, lambda text: md5(text.encode(), usedforsecurity=False).hexdigest(), deterministic=True)
            for pragma in ("foreign_keys = OFF", "journal_mode = OFF", "synchronous = OFF", "cache_size = -2000000"):
                cursor.execute(f"PRAGMA {pragma}")
            cursor.execute("""SELECT 'DROP INDEX "' || name || '"', sql FROM sqlite_master
                WHERE type = 'index' AND sql IS NOT NULL AND tbl_name LIKE 'sheets_%'""")
        else:
            cursor.execute("SET session_replication_role = replica")
            cursor.execute("""
                SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
                       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
                              pg_get_constraintdef(oid))
                FROM pg_constraint WHERE contype = 'u' AND conrelid::regclass::text LIKE 'sheets_%'
                UNION ALL SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
                FROM pg_index WHERE NOT indisprimary AND indrelid::regclass::text LIKE 'sheets_%'
                AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype = 'u')""")
        found = cursor.fetchall()
        for drop, _make in found:
            cursor.execute(drop)
        yield
        begun = perf_counter()
        for _drop, make in found:
            cursor.execute(make)
        _say("indexes", begun)
        cursor.execute("PRAGMA journal_mode = WAL" if connection.vendor == "sqlite"
                       else "SET session_replication_role = DEFAULT")


def fill(sheets: int, state: str = "") -> None:
    """Sheet n is of person n + n // parties and, in the first half, in party n; a person runs the party of its number.

    All of it is as the first of each, which were made by the program itself; log lines come by evenings, some of a
    sheet after one another.
    """
    connection.ensure_connection()
    user, many, content = _first(), sheets // 10, sealable(Sheet.objects.get())
    known, loader = apps, MigrationExecutor(connection).loader
    if state:
        call_command("migrate", "sheets", state, verbosity=0)
        known = loader.project_state(("sheets", loader.get_migration_by_prefix("sheets", state).name)).apps
    party, gm, sheet, event, told = (known.get_model("sheets", name)._base_manager.get()
                                     for name in ("Party", "Member", "Sheet", "Event", "Notification"))
    whose = f"(n + n / {many}) % {many}"
    with _bare():
        _multiplied(user, 1, many, id=f"{FIRST} + n", username="'u' || n")
        _multiplied(party, 1, many, id=_key("p", "n"), name="'P' || n", invitation="'i' || n")
        _multiplied(gm, 1, many, party_id=_key("p", "n"), user_id=f"{FIRST} + n")
        for other in range(1, MEMBERS):
            _multiplied(gm, 0, many, party_id=_key("p", "n"), user_id=f"{FIRST} + (n + {other}) % {many}",
                        role="'player'")
        new = {"id": _key("s", "n"), "name": "'S' || n", "updated": _moment("n"), "played": _moment("n")}
        _multiplied(sheet, 1, sheets // 2, **new, owner_id=f"{FIRST} + {whose}", party_id=_key("p", f"n % {many}"))
        _multiplied(sheet, sheets // 2, sheets, **new, owner_id=f"{FIRST} + {whose}", party_id="NULL",
                    seen_by="'private'")
        _multiplied(sheet, sheets, sheets + OWN, **new, party_id="NULL", seen_by="'private'")
        of = f"(n / {LINES // EVENINGS} % {sheets})"
        _multiplied(event, 1, LINES * sheets, sheet_id=_key("s", of), made=_moment("n"), who_id="NULL",
                    party_id=f"CASE WHEN {of} < {sheets // 2} THEN {_key('p', f'{of} % {many}')} END",
                    key="lower(hex(randomblob(16)))" if connection.vendor == "sqlite" else "gen_random_uuid()")
        about = _key("s", f"n % {sheets}")
        spelt = "-".join(f"substr({about}, {a}, {n})" for a, n in ((1, 8), (9, 4), (13, 4), (17, 4), (21, 12)))
        spelt = spelt.replace(")-", ") || '-' || ") if connection.vendor == "sqlite" else about
        _multiplied(told, 1, TOLD * many, user_id=f"{FIRST} + n % {many}", url=f"'/sheets/' || {spelt} || '/'",
                    about_id=about)
        begun = perf_counter()
        _reviews(many, known, content)
        _say("reviews", begun)
        with connection.cursor() as cursor:
            for command in connection.ops.sequence_reset_sql(
                    no_style(), [User, *known.get_app_config("sheets").get_models()]):
                cursor.execute(command)
    if connection.vendor == "postgresql":
        # It does so by itself; nobody ever does it in SQLite.
        connection.cursor().execute("VACUUM ANALYZE")


def _first() -> User:
    """Somebody with a party and a sheet in it, which was rolled on once and told of."""
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
    notify([user], "brought", party, None, url=reverse("sheet", args=[sheet.pk]), about=sheet)
    return user


def _reviews(many: int, known, content) -> None:
    """So many entries of the chain: sheets that were submitted, every second of them approved since."""
    kept_as, said_as = (known.get_model("sheets", name) for name in ("Revision", "Review"))
    signed, made = hasattr(kept_as, "signed"), timezone.now()
    head = known.get_model("sheets", "Head")._base_manager.get()
    end = many + 2 * many // 3
    for begin in range(many, end, 1000):
        entries, revisions = [], []
        for n in range(begin, min(begin + 1000, end)):
            kept = kept_as(id=n, sheet_id=key("s", n), number=1, version=1, kind=SUBMITTED,
                           author_id=FIRST + (n + 1) % many, **content)
            if signed:
                sign_revision(kept, STORED)
            revisions.append(kept)
            for kind in (SUBMITTED, APPROVED)[:1 + n % 2]:
                by = FIRST + (n % many if kind == APPROVED else (n + 1) % many)
                pk = key("p", n % many)
                entry = said_as(number=head.number + 1, kind=kind, made=made, before=head.mac, person=pseudonym(by),
                                sheet_key=key("s", n), sheet_id=key("s", n), party_key=pk, party_id=pk, by_id=by,
                                revision=kept, revision_number=1, seal=kept.seal,
                                house=chain.digest({"house": kept.house}))
                entry.mac = chain.mac_of_entry(entry)
                entry.code = chain.code_of(entry.mac) if kind == APPROVED else None
                head.number, head.mac = entry.number, entry.mac
                entries.append(entry)
        head.signature = signature(head.number, head.mac)
        with transaction.atomic():
            kept_as._base_manager.bulk_create(revisions)
            said_as._base_manager.bulk_create(entries)
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


def end() -> None:
    """Ends the account of the first person, as its page does."""
    user = User.objects.get(pk=FIRST)
    with transaction.atomic():
        user.delete()


def told(command: list[str]) -> dict[str, float | int]:
    """What a command took: seconds on the clock and of the processor, megabytes at most, and how it ended."""
    begun = perf_counter()
    code = subprocess.run([sys.executable, *command], check=False).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"seconds": round(perf_counter() - begun, 1), "processor": round(used.ru_utime + used.ru_stime, 1),
            "megabytes": used.ru_maxrss // 1024, "code": code}


if __name__ == "__main__":
    doing, *words = sys.argv[1:]
    if doing == "fill":
        fill(int(words[0]), *words[1:])
    elif doing == "end":
        end()
    else:
        found = pages() if doing == "pages" else told(["manage.py", *words] if words != ["end"]
                                                      else ["-m", "tests.large", "end"])
        sys.stdout.write(f"{json.dumps(found)}\n")
