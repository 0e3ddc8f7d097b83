"""Checks that an installation is ready, for `/health/ready/` and `manage.py doctor`."""

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import checks
from django.core.cache import cache
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

TAG = "installation"
"""The tag of this project's system checks."""
PATIENCE = 2_000
"""Milliseconds to wait for SQLite's write lock."""


def missing() -> Iterator[str]:
    """Yield a sentence for each fault; raise DatabaseError if the database does not answer."""
    yield from settings_faults()
    yield from space_faults()
    if pending := unmigrated():
        yield pending
    elif fault := unwritable():
        yield fault


def settings_faults() -> Iterator[str]:
    """Yield faults of the settings, and one if static files have not been collected."""
    for one in checks.run_checks(tags=[TAG], include_deployment_checks=not settings.DEVELOPMENT):
        yield one.msg
    manifest = Path(settings.STATIC_ROOT, "staticfiles.json")
    if not settings.DEVELOPMENT and not manifest.is_file():
        yield f"no static files are collected in {manifest.parent} (STATIC_ROOT); run collectstatic"


def space_faults() -> Iterator[str]:
    """Yield a fault if there is little free space for SQLite's file; PostgreSQL may be on another machine."""
    path = Path(connection.settings_dict["NAME"] or "")
    if connection.vendor != "sqlite" or not path.is_file():
        return
    free = shutil.disk_usage(path.parent).free // 1_000_000
    if free < settings.SPACE_MB:
        yield f"{free} MB are free in {path.parent}, and SPACE_MB asks for {settings.SPACE_MB}"


def unmigrated() -> str:
    """Return a sentence that names the migrations that are not applied; "" if all are."""
    plan = MigrationExecutor(connection)
    pending = [f"{one.app_label}.{one.name}" for one, _back in plan.migration_plan(plan.loader.graph.leaf_nodes())]
    return f"migrations that are not applied: {', '.join(pending)}; run migrate" if pending else ""


def unwritable() -> str:
    """Return why the database cannot be written; "" if it can.

    A write that is rolled back would not reach the disk, so this one is committed: a row in the cache's table that
    counts no attempt and expires.
    """
    table = connection.ops.quote_name(str(settings.CACHES["default"]["LOCATION"]))
    until = connection.ops.adapt_datetimefield_value((timezone.now() + timedelta(minutes=1)).replace(microsecond=0))
    try:
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                usual = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
                cursor.execute(f"PRAGMA busy_timeout = {PATIENCE:d}")
            try:
                with transaction.atomic():
                    cursor.execute(
                        f"INSERT INTO {table} (cache_key, value, expires) VALUES (%s, %s, %s) "  # noqa: S608 - ours
                        "ON CONFLICT (cache_key) DO UPDATE SET expires = excluded.expires",
                        [cache.make_key("ready"), "", until])
            finally:
                if connection.vendor == "sqlite":
                    cursor.execute(f"PRAGMA busy_timeout = {usual:d}")
    except DatabaseError as error:
        return f"the database cannot be written: {' '.join(str(error).split())}"
    return ""


@checks.register(TAG, deploy=True)
def _keys(**_options: Any) -> list[checks.CheckMessage]:
    if settings.SECRET_KEY != settings.REVIEW_KEY:
        return []
    return [checks.Error("SECRET_KEY and REVIEW_KEY are the same text: whoever learns the one can forge approvals, and "
                         "it cannot be changed without the other", id=f"{TAG}.E001")]


@checks.register(TAG, deploy=True)
def _hosts(**_options: Any) -> list[checks.CheckMessage]:
    if "*" not in settings.ALLOWED_HOSTS:
        return []
    return [checks.Error("ALLOWED_HOSTS is *: whoever asks chooses the host that links lead to; state the names",
                         id=f"{TAG}.E002")]
