"""Shared pages are reported by whoever reads them; an admin takes down what has to be, and can do nothing else."""

import logging

import pytest
from django.test import Client
from django.utils import timezone

from sheets.models import Notification, Portrait, Report, Sheet
from sheets.notifications.services import notification_text
from sheets.reports.services import MOST, TOLD
from tests.sheets.faces.test_portraits import bring
from tests.support.guest import Guest, example
from tests.support.sheets.files import plain

pytestmark = pytest.mark.django_db


@pytest.fixture
def sheet(run):
    """Anna's public sheet with a picture and a link."""
    made = run.sheet("anna", seen_by="public", share="token")
    bring(run.browsers["anna"], made, plain())
    return Sheet.objects.get(pk=made.pk)


@pytest.fixture
def admin(django_user_model):
    """An admin's browser."""
    browser = Client(headers={"Accept-Language": "en"})
    browser.force_login(django_user_model.objects.create_superuser("ada"))
    return browser


def reading(url):
    return Client(headers={"Accept-Language": "en"}).get(url).text


@pytest.mark.parametrize("kind", ["shared", "public"])
def test_a_shared_page_is_reported_by_whoever_reads_it(sheet, admin, kind):
    page = "/shared/token/" if kind == "shared" else f"/sheets/{sheet.pk}/"
    assert f'href="{page}report/"' in reading(page)
    guest = Client(headers={"Accept-Language": "en"})
    assert guest.get(f"{page}report/").status_code == 200
    answer = guest.post(f"{page}report/", {"said": "Das ist mein Foto."}, follow=True)
    assert answer.redirect_chain == [(page, 302)]
    assert "has been told" in answer.text
    assert "Das ist mein Foto." in admin.get("/reports/").text


def test_a_sheet_that_is_not_shared_is_not_reported(run, sheet):
    Sheet.objects.update(seen_by="party", share=None)
    for browser in (Client(), *run.browsers.values()):
        assert browser.get(f"/sheets/{sheet.pk}/report/").status_code == 404
        assert browser.get("/shared/token/report/").status_code == 404
        assert "/report/" not in browser.get(f"/sheets/{sheet.pk}/").text
    assert not Report.objects.exists()


@pytest.mark.parametrize("said", ["", "  ", "x" * 1001, "a\0b"])
def test_a_report_says_in_a_few_words_what_is_wrong(sheet, said):
    assert Client().post("/shared/token/report/", {"said": said}).status_code == 422
    assert not Report.objects.exists()


def test_of_one_sheet_no_more_reports_wait_than_anybody_reads(sheet):
    for number in range(MOST + 5):
        assert Client().post("/shared/token/report/", {"said": str(number)}).status_code == 302
    assert Report.objects.count() == MOST


def test_admins_are_told_of_the_first_report(sheet, admin):
    for _twice in range(2):
        Client().post("/shared/token/report/", {"said": "x"})
    assert list(Notification.objects.values_list("user__username", "kind", "url")) == [("ada", "reported", "/reports/")]


def test_nobody_but_an_admin_sees_reports_and_what_they_are_about(run, sheet, admin):
    Client().post("/shared/token/report/", {"said": "x"})
    Sheet.objects.update(seen_by="private", share=None)
    for browser in (Client(), *run.browsers.values()):
        for url in ("/reports/", f"/reports/{sheet.pk}/portrait-512.webp"):
            assert browser.get(url).status_code == 404
        assert browser.post("/reports/", {"do": f"picture:{sheet.pk}"}).status_code == 404
    assert admin.get(f"/reports/{sheet.pk}/portrait-512.webp").status_code == 200
    assert Portrait.objects.exists()


def test_an_admin_can_do_nothing_with_sheets_that_nobody_reported(sheet, admin):
    assert admin.get(f"/reports/{sheet.pk}/portrait-512.webp").status_code == 404
    for word in Report.WORDS:
        assert admin.post("/reports/", {"do": f"{word}:{sheet.pk}"}).status_code == 404
    Sheet.objects.update(seen_by="private")
    Client().post("/shared/token/report/", {"said": "x"})
    for url in ("", "portrait-512.webp", "picture/", "export/", "history/", "print/"):
        assert admin.get(f"/sheets/{sheet.pk}/{url}").status_code == 404
    assert admin.post(f"/sheets/{sheet.pk}/keep/", {"do": "revoke"}).status_code == 404
    assert admin.post("/reports/", {"do": f"delete:{sheet.pk}"}).status_code == 400


@pytest.mark.parametrize(("word", "picture", "shared"), [
    ("picture", False, True), ("share", True, False), ("both", False, False), ("nothing", True, True)])
def test_what_was_reported_is_taken_down_logged_and_told_to_its_owner(run, sheet, admin, caplog, word, picture, shared):
    Client().post("/shared/token/report/", {"said": "x"})
    with caplog.at_level(logging.WARNING):
        assert admin.post("/reports/", {"do": f"{word}:{sheet.pk}"}).status_code == 302
    sheet.refresh_from_db()
    assert (bool(sheet.portrait_id), Portrait.objects.exists()) == (picture, picture)
    assert (sheet.share, sheet.seen_by) == (("token", "public") if shared else (None, "party"))
    assert f"ada settled 1 reports of sheet {sheet.pk}: {word}" in caplog.text
    assert Report.objects.get().done == word
    told = list(run.users["anna"].notifications.all())
    assert [one.kind for one in told] == ([f"taken-down-{word}"] if word != "nothing" else [])
    assert all("Juan" in notification_text(one) for one in told)
    page = admin.get("/reports/").text
    assert f"{word}:{sheet.pk}" not in page
    assert "Settled" in page
    assert admin.post("/reports/", {"do": f"{word}:{sheet.pk}"}).status_code == 404


@pytest.mark.parametrize(("word", "said"), [
    ("picture", "removed the picture of “Juan”"), ("share", "ended the sharing of “Juan”"), ("nothing", None)])
def test_a_guest_who_has_no_notifications_is_told_on_the_sheet(admin, word, said):
    guest = Guest(example())
    Sheet.objects.update(share="token")
    Client().post("/shared/token/report/", {"said": "x"})
    page = f"/sheets/{guest.sheet.pk}/"
    shown = guest.client.get(page, headers={"Accept-Language": "en"}).text
    assert "taken-down" not in shown
    admin.post("/reports/", {"do": f"{word}:{guest.sheet.pk}"})
    shown = guest.client.get(page, headers={"Accept-Language": "en"}).text
    assert ("taken-down" in shown, said is None or said in shown) == (said is not None, True)
    Report.objects.update(settled=timezone.now() - TOLD)
    assert "taken-down" not in guest.client.get(page).text


def test_of_a_sheet_that_is_gone_no_report_is_left(run, sheet):
    Client().post("/shared/token/report/", {"said": "x"})
    Sheet.objects.get().delete()
    assert not Report.objects.exists()


def test_an_admin_finds_the_reports_and_nobody_else_does(run, admin):
    assert "/reports/" in admin.get("/account/").text
    assert "/reports/" not in run.browsers["anna"].get("/account/").text
