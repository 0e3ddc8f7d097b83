"""Migrations: of tables that grow with what people do, SQLite writes none anew; that takes minutes and as much disk."""

from types import SimpleNamespace

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations import AddField, AlterField
from django.db.migrations.loader import MigrationLoader
from django.test.utils import CaptureQueriesContext

from rulesets import systems
from sheets.models import CO_GM, Delivery, Mailing, Notification
from sheets.notifications.services import forget, notify
from sheets.parties import services as parties

GROWING = {"event", "sheet", "notification", "change"}
ONCE = {("0012_portrait", "portrait")}
"""What is unique, which SQLite cannot add."""


def test_tables_that_grow_are_changed_in_place():
    loader = MigrationLoader(None)
    found = {(name, one.name) for (app, name), migration in loader.disk_migrations.items()
             if app == "sheets" and name > "0005" for one in migration.operations
             if type(one) in (AddField, AlterField) and one.model_name in GROWING
             and not (type(one) is AddField and (
                 one.field.many_to_many or (one.field.null and not one.field.unique)))}
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


@pytest.mark.django_db
def test_opponents_of_those_who_are_gms_no_longer_go_to_the_gm(run):
    run.party.members.filter(user=run.users["ben"]).update(role=CO_GM)
    of = {who: run.sheet(who, name=f"Ork von {who}", opponent=True, notes="Geheim.") for who in ("anna", "ben", "gm")}
    known = MigrationLoader(None).disk_migrations["sheets", "0033_opponents_of_gms"]
    known.operations[0].code(apps, None)
    for one in of.values():
        one.refresh_from_db()
    assert {who: (one.owner.username, one.notes) for who, one in of.items()} == {
        "anna": ("gm", ""), "ben": ("ben", "Geheim."), "gm": ("gm", "Geheim.")}


@pytest.mark.more
@pytest.mark.database("sqlite", mostly=True)
def test_who_took_a_character_before_has_taken_it_since(transactional_db, django_user_model):
    gm, anna = (django_user_model.objects.create_user(name) for name in ("gm", "anna"))
    party = parties.found_party(gm, "Die Runde", systems()["condice"])
    parties.join_party(party, anna)
    call_command("migrate", "sheets", "0033", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE sheets_member SET took = joined WHERE user_id = %s", [anna.pk])
    call_command("migrate", verbosity=0)
    assert [*party.takers.all()] == [anna]


def test_what_was_to_be_mailed_before_is_in_the_outbox_with_everybodys_settings(transactional_db, django_user_model):
    names = ("anna", "ben", "cleo")
    users = {name: django_user_model.objects.create_user(name) for name in names}
    told = {name: [Notification.objects.create(user=user, kind=kind) for kind in ("joined", "left", "brought", "taken")]
            for name, user in users.items()}
    call_command("migrate", "sheets", "0061", verbosity=0)
    with connection.cursor() as cursor:
        for name, language in (("anna", "de"), ("ben", "en")):
            cursor.execute("INSERT INTO sheets_mailing (user_id, language, after) VALUES (%s, %s, %s)",
                           [users[name].pk, language, told["anna"][0].made])
            for one, state in zip(told[name], ("sent", "failed", "dropped", ""), strict=True):
                cursor.execute("UPDATE sheets_notification SET mail = %s, tries = 3 WHERE id = %s", [state, one.pk])
        cursor.execute("UPDATE sheets_notification SET mail = 'sent' WHERE id = %s", [told["ben"][2].pk])
        cursor.execute("UPDATE sheets_notification SET read = made WHERE id = %s", [told["ben"][3].pk])
    call_command("migrate", verbosity=0)
    assert [(one.user.username, one.language, one.receiver.lost, one.receiver.after == told["anna"][0].made)
            for one in Mailing.objects.order_by("pk")] == [("anna", "de", True, True), ("ben", "en", False, True)]
    assert [(one.receiver.mailing.user.username, one.kind, one.notification.kind, one.state, one.tries)
            for one in Delivery.objects.order_by("pk")] == [
        ("anna", "left", "left", "given-up", 3), ("anna", "taken", "taken", "waiting", 3),
        ("ben", "left", "left", "given-up", 3)]
    assert Notification.objects.count() == 12


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.database("sqlite")
def test_sqlite_looks_once_whether_rows_lead_nowhere_after_all_migrations(transactional_db):
    for state in ("0033", None):
        with CaptureQueriesContext(connection) as asked:
            call_command("migrate", *(["sheets", state] if state else []), verbosity=0)
        assert sum("foreign_key_check" in one["sql"] for one in asked) == 1
    with CaptureQueriesContext(connection) as asked:
        call_command("migrate", verbosity=0)
    assert not any("foreign_key_check" in one["sql"] for one in asked)
