"""Sheets that go for good leave nothing behind but what is others', and cost the same questions however many go."""

import uuid
from itertools import count

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import IntegrityError, connection
from django.db.models import CASCADE
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

from rulesets import systems
from sheets.account.services import delete_account
from sheets.account.views import DELETION_SHARE
from sheets.audit_log.chain import chain_faults
from sheets.faces.services import bring_portrait
from sheets.models import (
    AskedRoll,
    Change,
    Event,
    Notification,
    Party,
    PendingEffect,
    Portrait,
    Preview,
    Question,
    Remark,
    Reply,
    Report,
    Review,
    Sheet,
)
from sheets.parties import services as parties
from sheets.removal import AT_ONCE, OWN, remove_sheets
from sheets.reviews import services as reviews
from tests.support.guest import example
from tests.support.sheets import story as told
from tests.support.sheets.files import plain

pytestmark = pytest.mark.django_db
FEW, MANY = 3, 12
"""Sheets of an account; both are removed at once."""


@pytest.fixture
def house():
    """A GM, and parties of theirs to play in."""
    gm = User.objects.create_user("gm")
    return gm, parties.found_party(gm, "Die Runde", systems()["condice"])


def lived_in(house, name, many):
    """Somebody with so many sheets of which everything is kept that there is, and others have something of it."""
    gm, party = house
    owner = User.objects.create_user(name)
    parties.join_party(party, owner)
    opposite = Sheet.objects.create(owner=gm, party=party, ruleset="condice", name="Gegner", data=example()["data"])
    for number in range(many):
        sheet = Sheet.objects.create(owner=owner, ruleset="condice", name=f"{name} {number}", data=example()["data"])
        bring_portrait(lambda sheet=sheet: sheet, plain())
        parties.bring_sheet(party, sheet, owner)
        reviews.submit(sheet, owner)
        entry = told.give_back(sheet, gm, at={"life": "Wieso?"})
        Reply.objects.create(entry=entry, path="life", author=gm, text="Darum.")
        Change.objects.create(sheet=sheet, number=0, version=1, data=sheet.data)
        Remark.objects.create(sheet=sheet, author=gm, text="x")
        Report.objects.create(sheet=sheet, said="x")
        Preview.objects.create(sheet=sheet, language="de", of="x", png=b"x")
        AskedRoll.objects.create(party=party, sheet=sheet, key=uuid.uuid4(), widget="x")
        for by, at in ((sheet, opposite), (opposite, sheet)):
            Question.objects.create(party=party, sheet=by, target=at, key=uuid.uuid4(), widget="x", response={})
        first = happened(sheet, party)
        theirs = happened(opposite, party, again=first)
        happened(sheet, party, again=first)
        PendingEffect.objects.create(event=first, sheet=opposite, act="damage")
        PendingEffect.objects.create(event=theirs, sheet=sheet, act="damage", state="applied", applied=first)
    # What was told once each, as if each had been read in between.
    assert Notification.objects.filter(about__owner=owner).count() >= many
    return owner


def happened(sheet, party, **more):
    return Event.objects.create(sheet=sheet, party=party, key=uuid.uuid4(), widget="x", title="x", **more)


def test_all_that_is_a_sheets_goes_with_it_and_nothing_leads_nowhere(house):
    owner = lived_in(house, "anna", FEW)
    own, opposite = Sheet.objects.filter(owner=owner), Sheet.objects.get(name="Gegner")
    entries = Review.objects.count()
    assert remove_sheets(list(own.values_list("pk", flat=True))) == FEW
    connection.check_constraints()
    assert list(Sheet.objects.all()) == [opposite]
    left = {model.__name__: model.objects.count() for model in (*OWN, Event, PendingEffect, Portrait, Question, Reply)}
    assert {name: n for name, n in left.items() if n} == {"Event": FEW}
    assert set(Event.objects.values_list("sheet", "again")) == {(opposite.pk, None)}
    assert "anna" not in str(list(Notification.objects.filter(kind="brought").values_list("data", flat=True)))
    assert not Notification.objects.exclude(about=None).exists()
    # Reviews stay, without words; one of each sheet says that it is gone.
    assert Review.objects.count() == entries + FEW
    assert not Review.objects.exclude(sheet=None, revision=None, seen={}, said={}).exists()
    assert list(chain_faults()) == []


def test_every_table_that_leads_to_a_sheet_is_known_where_sheets_are_removed():
    """A new one fails this test until it is."""
    gone = {*OWN, Event, PendingEffect, Question} - {Sheet.tags.through}
    leads = [(model, field) for model in apps.get_models() for field in model._meta.concrete_fields
             if field.related_model in {Sheet, *gone}]
    own = {(model, field) for model, field in leads if field.related_model is Sheet
           and field.remote_field.on_delete is CASCADE}
    assert {model for model, _field in own} == gone
    assert {(model.__name__, field.name) for model, field in set(leads) - own} == {
        ("PendingEffect", "event"), ("PendingEffect", "applied"), ("Event", "again"), ("Event", "paid_for"),
        ("Event", "step_of"), ("Receipt", "event"), ("Review", "sheet"), ("Review", "revision"),
        ("Notification", "about")}


@pytest.mark.slow
def test_an_account_of_many_sheets_ends_by_as_many_questions_as_one_of_few(house):
    asked = {}
    for name, many in (("wenige", FEW), ("viele", MANY)):
        assert many < AT_ONCE
        owner = lived_in(house, name, many)
        # The GM has read who left before.
        Notification.objects.filter(kind="left").delete()
        with CaptureQueriesContext(connection) as found:
            delete_account(owner)
        asked[many] = [one["sql"] for one in found]
        assert not User.objects.filter(username=name).exists()
    assert len(asked[MANY]) == len(asked[FEW]), [one[:120] for one in asked[MANY] if one not in asked[FEW]]
    # What is large is not read: it goes where it is.
    assert not any(one.startswith("SELECT") and ('"sheets_change"."data"' in one or '"sheets_revision"."data"' in one)
                   for one in asked[MANY])
    assert Party.objects.count() == 1
    assert list(chain_faults()) == []


@pytest.mark.slow
def test_the_end_of_an_account_goes_on_where_a_request_had_no_more_time(house, monkeypatch):
    owner, seconds, browser = lived_in(house, "anna", FEW), count(), Client(headers={"Accept-Language": "en"})
    monkeypatch.setattr("sheets.account.services.AT_ONCE", 1)
    monkeypatch.setattr("sheets.account.services.monotonic", lambda: next(seconds))
    owner.set_password("gut-geschmiedet-7")
    owner.save()
    browser.force_login(owner)
    asked = browser.post("/account/delete/")["Location"]
    with override_settings(REQUEST_SECONDS=DELETION_SHARE):
        assert browser.post(asked, {"password": "gut-geschmiedet-7"})["Location"] == "/account/delete/"
    assert Sheet.objects.filter(owner=owner).count() == FEW - 1
    assert "some of it is still left" in browser.get("/account/delete/").text
    assert browser.post("/account/delete/")["Location"] == "/"
    assert not Sheet.objects.filter(owner__username="anna").exists() | User.objects.filter(username="anna").exists()
    assert list(chain_faults()) == []


def test_the_name_of_whoever_is_gone_leaves_what_others_did_to_them(house):
    gm, party = house
    gone = User.objects.create_user("gone")
    parties.join_party(party, gone)
    theirs, mine = (Sheet.objects.create(owner=one, party=party, ruleset="condice", name=name, data=example()["data"])
                    for one, name in ((gone, "Ada"), (gm, "Adam")))
    event = Event.objects.create(sheet=mine, party=party, key=uuid.uuid4(), widget="x", title="Adam trifft Ada",
                                 titles={"de": "Adam trifft Ada"}, aimed_at={str(theirs.pk): "Ada"},
                                 text="Ada: 3 Schaden", said={"de": "Ada: 3 Schaden"})
    delete_account(gone)
    event.refresh_from_db()
    assert (event.aimed_at, event.title, event.text) == ({str(theirs.pk): "…"}, "Adam trifft …", "…: 3 Schaden")
    assert (event.titles, event.said) == ({"de": "Adam trifft …"}, {"de": "…: 3 Schaden"})


def test_an_account_to_which_others_write_meanwhile_ends_all_the_same(django_user_model, monkeypatch):
    """PostgreSQL refuses the deletion if a notification has come since it began."""
    user, delete, left = django_user_model.objects.create_user("anna"), django_user_model.delete, [1]

    def disturbed(one):
        delete(one)
        if left:
            left.pop()
            raise IntegrityError

    monkeypatch.setattr(django_user_model, "delete", disturbed)
    assert delete_account(user)
    assert not django_user_model.objects.exists()
    assert not left
