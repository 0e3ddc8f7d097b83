import io
import json
import re
import zipfile
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import CASCADE
from django.test.utils import CaptureQueriesContext

from rulesets import systems
from rulesets.document import read
from sheets.faces.services import bring_portrait
from sheets.models import Event, Party, Sheet
from sheets.parties import services as parties
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status
from tests.support.guest import Guest, example, words_in
from tests.support.sheets.files import plain, strongest

pytestmark = pytest.mark.django_db
PASSWORD = "gut-geschmiedet-7"


@pytest.fixture
def juan():
    return get_user_model().objects.create_user("juan", "juan@example.org", PASSWORD)


@pytest.fixture
def guest(juan):
    """Juan at work on Juan, with notes, a roll, a link, an address and another's sheet beside."""
    made = Guest(example(), user=juan)
    made.post("values", life="6")
    made.client.post(f"/sheets/{made.pk}/keep/", {"do": "notes", "notes": "mag Ziegen"})
    made.client.post(f"/sheets/{made.pk}/keep/", {"do": "share"})
    made.client.post(f"/sheets/{made.pk}/play/", {
        "w": "act-damage", "against": "nothing", "points": "3", "_press": "7d7a2d6c-8a51-4f43-8ba1-4a7d8d7b7f11"})
    juan.emailaddress_set.create(email="juan@example.org", primary=True)
    juan.authenticator_set.create(type="totp", data={"secret": "GEHEIM"})
    Sheet.objects.create(owner=get_user_model().objects.create_user("other"), ruleset="condice", name="Fremd", data={})
    return made


def reviewed(guest, juan):
    """Juan's sheet comes into a party, whose GM returns it; the GM."""
    gm = get_user_model().objects.create_user("gm")
    party = parties.found_party(gm, "Die Runde", systems()["condice"])
    parties.join_party(party, juan)
    party.house, sheet = {"budget": 31}, guest.sheet
    parties.bring_sheet(party, sheet, juan)
    reviews.submit(sheet, juan)
    me = party.members.select_related("user").get(user=gm)
    reviews.give_back(me, sheet, reviews.pending_decision(sheet, review_status(sheet)).seal, {"comment": "Fast."})
    return gm


def files(guest, name="juan"):
    answer = guest.client.get("/account/download/")
    assert answer["Content-Type"] == "application/zip"
    assert answer["Content-Disposition"].startswith(f'attachment; filename="bogenschmiede-{name}.zip"')
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def delete(guest, password=PASSWORD):
    """Delete the account; the answer to the question for the password."""
    asked = guest.client.post("/account/delete/")["Location"]
    assert asked.startswith("/account/reauthenticate/")
    return guest.client.post(asked, {"password": password})


def test_everything_of_ones_own_is_in_the_download_and_no_secret_and_nothing_of_others(guest, juan):
    found = files(guest)
    assert set(found) == {"account.json", f"sheets/{guest.pk}.json", f"sheets/{guest.pk}.all.json"}
    account, rest = (json.loads(found[one]) for one in ("account.json", f"sheets/{guest.pk}.all.json"))
    assert account["account"]["username"] == "juan"
    assert account["emails"] == [{"email": "juan@example.org", "verified": False, "primary": True}]
    assert account["second_factors"][0]["type"] == "totp"
    assert (rest["stored"]["share"], rest["stored"]["created"][:4].isdigit()) == (guest.sheet.share, True)
    assert [event["act"] for event in rest["log"]] == ["damage"]
    assert len(rest["history"]) == guest.sheet.changes.count() > 0
    everything = b"".join(found.values()).decode()
    assert [secret for secret in ("GEHEIM", juan.password, "Fremd") if secret in everything] == []
    # The document is one that can be brought in again.
    document = read(found[f"sheets/{guest.pk}.json"])
    assert (document.name, document.notes, document.sheet.life) == (guest.sheet.name, "mag Ziegen", 6)
    assert document.play.life == 9


def test_ones_pictures_revisions_and_dice_and_what_was_said_are_in_the_download(guest, juan):
    gm = Guest(user=reviewed(guest, juan))
    party = guest.sheet.party
    Event.objects.create(party=party, who=juan, key=uuid4(), widget="roll-success", title="Erfolgswurf", faces=[5, 6])
    Event.objects.create(party=party, key=uuid4(), widget="roll-success", title="von anderen", faces=[1])
    bring_portrait(lambda: guest.sheet, plain())
    found = files(guest)
    account, rest = (json.loads(found[one]) for one in ("account.json", f"sheets/{guest.pk}.all.json"))
    assert strongest(found[f"sheets/{guest.pk}.webp"]) == "red"
    assert rest["stored"]["portrait"] == str(guest.sheet.portrait_id)
    assert [(one["number"], one["kind"], one["data"]["life"]) for one in rest["revisions"]] == [(1, "submitted", 6)]
    assert [(one["kind"], one["said"].get("comment")) for one in rest["reviews"]] == [
        ("submitted", None), ("returned", "Fast.")]
    assert [one["faces"] for one in account["dice"]] == [[5, 6]]
    assert account["reviews"] == []
    # What one said of others' sheets is there, and nothing of those.
    said = json.loads(files(gm, "gm")["account.json"])["reviews"]
    assert [(one["kind"], one["said"]["comment"]) for one in said] == [("returned", "Fast.")]
    assert guest.sheet.name not in json.dumps(said)


def test_a_sheet_that_its_system_no_longer_reads_goes_along_as_it_is_stored(guest):
    Sheet.objects.filter(pk=guest.pk).update(data={"what": "was"})
    found = files(guest)
    assert f"sheets/{guest.pk}.json" not in found
    assert json.loads(found[f"sheets/{guest.pk}.all.json"])["stored"]["data"] == {"what": "was"}


def test_every_table_that_leads_to_a_person_is_in_the_download_or_named_here():
    """A new table that leads to somebody over another one fails this test until the download knows it."""
    known = {"sheets.Answer", "sheets.AskedRoll", "sheets.Change", "sheets.Evening", "sheets.Event",
             "sheets.Handout", "sheets.HandoutReader",
             "sheets.PendingEffect", "sheets.Party_takers", "sheets.Placed", "sheets.Question", "sheets.Receipt",
             "sheets.Review", "sheets.Revision", "sheets.Sheet_tags", "sheets.Webhook"}
    nobodys = {"account.EmailConfirmation", "auth.User_groups", "auth.User_user_permissions", "auth.Group_permissions",
               # What a sheet looks like, drawn; and what somebody else said of it to the admins alone.
               "sheets.Preview", "sheets.Report",
               # Scenes name whoever opened them; the address of a turn's rolls leads to rolls that are in the log.
               "sheets.Scene", "sheets.ThreadReading", "sheets.TurnReceipt",
               # The dates to choose from belong to their evening, which is in it.
               "sheets.EveningDate",
               # What the reviews of a sheet say, so that queues need not read them.
               "sheets.Standing",
               # The notifications that wait to be sent, and the outcome of the others.
               "sheets.Receiver", "sheets.Delivery", "sheets.Reminded"}
    direct = {model._meta.label for model in apps.get_models()
              for field in model._meta.concrete_fields
              if field.related_model is get_user_model() and field.remote_field.on_delete is CASCADE}
    reached, before = {"auth.User"}, None
    while before != reached:
        before = set(reached)
        reached |= {model._meta.label for model in apps.get_models(include_auto_created=True)
                    for field in model._meta.concrete_fields
                    if field.is_relation and field.related_model._meta.label in before}
    assert reached - {"auth.User"} - nobodys - direct == known


def test_a_table_that_names_a_person_is_in_the_download_without_being_told(guest, juan, monkeypatch):
    monkeypatch.setattr("sheets.account.download.EmailAddress", type("Nothing", (), {"objects": EmailAddress.objects}))
    others = json.loads(files(guest)["account.json"])["others"]
    mine = juan.emailaddress_set.get()
    assert others["account.EmailAddress"] == [
        {"id": mine.pk, "user": juan.pk, "email": "juan@example.org", "verified": False, "primary": True}]


def test_deleting_says_what_goes_and_asks_for_the_password_before_all_of_it_goes(guest, juan):
    page = guest.client.get("/account/delete/").text
    for said in ("1 sheet with its picture, its notes", "1 roll or act", "1 shared link"):
        assert said in page
    link, other = f"/shared/{guest.sheet.share}/", Guest(example(), user=juan)
    delete(guest, "falsch")
    assert Sheet.objects.filter(owner=juan).count() == 2
    assert delete(guest)["Location"] == "/"
    assert not get_user_model().objects.filter(username="juan").exists()
    assert [sheet.name for sheet in Sheet.objects.all()] == ["Fremd"]
    people = [(model, field) for model in apps.get_models(include_auto_created=True)
              for field in model._meta.concrete_fields if field.related_model is get_user_model()]
    assert [model for model, field in people if model.objects.filter(**{field.attname: juan.pk}).exists()] == []
    assert (guest.client.get(link).status_code, guest.client.get("/account/").status_code) == (404, 302)
    # A session left behind holds nobody.
    assert other.client.get("/account/").status_code == 302
    assert all("sheet" not in str(session.get_decoded()) for session in Session.objects.all())


def test_deleting_names_nothing_of_which_there_is_none(guest):
    guest.sheet.events.all().delete()
    Sheet.objects.update(share=None)
    page = guest.client.get("/account/delete/").text
    said = "1 sheet with", "roll", "shared link", "your name, password"
    assert words_in(page, *said) == [said[0], said[-1]]


def test_deleting_says_who_follows_in_a_party_and_the_party_goes_on(guest, juan):
    heir = get_user_model().objects.create_user("nachfolgerin")
    led, alone = (parties.found_party(juan, name, systems()["condice"]) for name in ("Die Runde", "Nur ich"))
    parties.join_party(led, heir)
    parties.bring_sheet(led, Sheet.objects.get(pk=guest.pk), juan)
    page = guest.client.get("/account/delete/").text
    assert "“Nur ich”" in page
    assert "“Die Runde”, whose GM will be nachfolgerin" in page
    delete(guest)
    assert not get_user_model().objects.filter(username="juan").exists()
    assert [(one.user, one.role) for one in led.members.all()] == [(heir, "gm")]
    assert not Party.objects.filter(pk=alone.pk).exists()


@pytest.mark.parametrize("page", ["/account/", "/account/delete/"])
def test_each_party_more_costs_the_pages_of_an_account_no_query(guest, juan, page):
    def queries():
        with CaptureQueriesContext(connection) as found:
            assert guest.client.get(page).status_code == 200
        return len(found)

    parties.found_party(juan, "Die Runde", systems()["condice"])
    queries()
    before = queries()
    for name in ("Noch eine", "Die dritte"):
        parties.found_party(juan, name, systems()["condice"])
    assert queries() == before


def test_the_account_page_leads_on(guest):
    found = re.findall(r'href="(/(?:account|invitations)/[^"]*)"', guest.client.get("/account/").text)
    assert {"/account/download/", "/account/delete/", "/account/2fa/", "/account/email/"} <= {*found}
    assert "/invitations/" not in found
