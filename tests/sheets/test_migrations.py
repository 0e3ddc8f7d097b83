"""Migrations: of tables that grow with what people do, SQLite writes none anew; that takes minutes and as much disk."""

from types import SimpleNamespace

import pytest
from django.db import connection
from django.db.migrations import AddField, AlterField
from django.db.migrations.loader import MigrationLoader

from sheets.models import Notification
from sheets.notifications.services import forget, notify

GROWING = {"event", "sheet", "notification", "change"}
ONCE = {("0012_portrait", "portrait")}
"""What is unique, which SQLite cannot add."""


def test_tables_that_grow_are_changed_in_place():
    loader = MigrationLoader(None)
    found = {(name, one.name) for (app, name), migration in loader.disk_migrations.items()
             if app == "sheets" and name > "0005" for one in migration.operations
             if type(one) in (AddField, AlterField) and one.model_name in GROWING
             and not (type(one) is AddField and one.field.null and not one.field.unique)}
    assert found == ONCE


@pytest.mark.django_db
def test_notifications_of_before_are_told_which_sheet_they_are_about(run):
    kept = run.sheet("anna", name="Alt")
    others = [notify([run.users["gm"]], kind, run.party, None, about=kept, url=url, of=str(kept.pk)) for kind, url in (
        ("brought", f"/sheets/{kept.pk}/"), ("mended", f"/sheets/{kept.pk}/#log"), ("withdrawn", None))]
    notify([run.users["gm"]], "joined", run.party, None)
    Notification.objects.update(about=None)
    loader = MigrationLoader(None)
    known = loader.disk_migrations["sheets", "0028_notifications_about_sheets"]
    with connection.cursor() as cursor:
        known.operations[0].code(None, SimpleNamespace(connection=connection, execute=cursor.execute))
    assert Notification.objects.filter(about=kept).count() == len(others)
    forget([kept.pk])
    assert not Notification.objects.filter(data__sheet="Alt").exists()
