"""Shared pages are reported by whoever reads them; an admin takes down what has to be, and can do nothing else."""

import logging

import pytest
from django.test import Client
from django.utils import timezone

from sheets.models import Notification, Portrait, Report, Sheet
from sheets.notifications.services import notification_text
from sheets.reports import services, views
from sheets.reports.services import MAX_PER_REPORTER_AND_SHEET, TAKEDOWN_SHOWN_FOR
from tests.support.party import browser as browser_of
from tests.support.sheets.files import bring, plain

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
    return browser_of(django_user_model.objects.create_superuser("ada"))


def report(said="x", page="/shared/token/", of="127.0.0.1"):
    return browser_of(None).post(f"{page}report/", {"said": said}, follow=True, REMOTE_ADDR=of)


@pytest.mark.parametrize("page", ["/shared/token/", "/sheets/{}/"])
def test_a_shared_page_is_reported_by_whoever_reads_it(sheet, admin, page):
    page, guest = page.format(sheet.pk), browser_of(None)
    assert f'href="{page}report/"' in guest.get(page).text
    assert guest.get(f"{page}report/").status_code == 200
    answer = report("Das ist mein Foto.", page)
    assert answer.redirect_chain == [(page, 302)]
    assert "have been told" in answer.text
    assert "Das ist mein Foto." in admin.get("/reports/").text


def test_a_sheet_that_is_not_shared_is_not_reported(run, sheet):
    Sheet.objects.update(seen_by="party", share=None)
    for browser in (Client(), *run.browsers.values()):
        for page in (f"/sheets/{sheet.pk}/report/", "/shared/token/report/"):
            assert browser.get(page).status_code == 404
        assert "/report/" not in browser.get(f"/sheets/{sheet.pk}/").text
    assert report("x", f"/sheets/{sheet.pk}/").status_code == report().status_code == 404
    assert not Report.objects.exists()


def test_a_report_says_in_a_few_words_what_is_wrong(sheet):
    assert [report(said).status_code for said in ("", "  ", "x" * 1001, "a\0b")] == [422] * 4
    assert not Report.objects.exists()


def test_what_one_address_or_account_reports_of_a_sheet_leaves_room_for_what_others_do(run, sheet, admin):
    for number in range(MAX_PER_REPORTER_AND_SHEET + 2):
        answer = report(f"Unfug {number}")
        assert ("still waiting to be looked at" in answer.text) == (number >= MAX_PER_REPORTER_AND_SHEET)
        run.browsers["ben"].post("/shared/token/report/", {"said": f"Quatsch {number}"})
    report("Das ist mein Foto.", of="192.0.2.1")
    assert Report.objects.count() == 2 * MAX_PER_REPORTER_AND_SHEET + 1
    assert "Das ist mein Foto." in admin.get("/reports/").text
    admin.post("/reports/", {"do": f"nothing:{sheet.pk}"})
    assert set(Report.objects.values_list("by", flat=True)) == {""}
    assert "have been told" in report("Noch einmal.").text


def test_one_address_reports_no_more_than_a_few_sheets_before_they_are_looked_at(run, monkeypatch):
    monkeypatch.setattr(services, "MAX_PER_REPORTER", 2)
    sheets = [run.sheet("anna", seen_by="public") for _number in range(3)]
    answers = [report(page=f"/sheets/{one.pk}/").text for one in sheets]
    assert ["have been told" in one for one in answers] == [True, True, False]


def test_the_same_words_wait_once_whoever_says_them(sheet):
    for number, said in enumerate(("Mein Foto!", " mein  foto!", "Mein\nFoto!", "Ein anderes.")):
        assert "have been told" in report(said, of=f"192.0.2.{number}").text
    assert sorted(Report.objects.values_list("said", flat=True)) == ["Ein anderes.", "Mein Foto!"]


def test_admins_see_first_what_each_reported_once_and_that_there_is_more(run, sheet, admin, monkeypatch):
    monkeypatch.setattr(views, "PER_PAGE", 1)
    monkeypatch.setattr(views, "REPORTS_PER_SHEET", 2)
    for said, of in (("Mein Foto.", "192.0.2.1"), ("Unfug 1", "192.0.2.2"), ("Unfug 2", "192.0.2.2")):
        report(said, of=of)
    other = run.sheet("anna", name="Andere", seen_by="public")
    report("Auch dies.", f"/sheets/{other.pk}/", of="192.0.2.3")
    page, all_of_it, second = (admin.get("/reports/", query).text for query in (
        {}, {"sheet": sheet.pk}, {"page": "2"}))
    there = ("Mein Foto.", "Unfug 2", "1 more report", "2 sheets are waiting")
    assert [said in page for said in (*there, "Unfug 1", "Auch dies.")] == [True] * len(there) + [False] * 2
    assert f'href="?sheet={sheet.pk}"' in page
    assert 'href="?page=2"' in page
    assert [said in all_of_it for said in ("Mein Foto.", "Unfug 2", "Unfug 1", "more report")] == [
        True, True, True, False]
    assert "Auch dies." in second
    assert [admin.get("/reports/", query).status_code for query in ({"sheet": "x"}, {"page": "x"})] == [404, 200]


def test_admins_are_told_where_nothing_tells_them_yet_and_of_a_sheet_no_more_is_kept_than_has_room(
        sheet, admin, monkeypatch):
    monkeypatch.setattr(services, "MAX_PER_SHEET", 2)
    monkeypatch.setattr(views, "MAX_PER_SHEET", 2)
    for number in range(3):
        report(str(number), of=f"192.0.2.{number}")
    assert Report.objects.count() == 2
    assert "no more are accepted" in admin.get("/reports/").text
    assert list(Notification.objects.values_list("user__username", "kind", "url")) == [("ada", "reported", "/reports/")]
    Notification.objects.update(read=timezone.now())
    report("3", of="192.0.2.3")
    assert Notification.objects.count() == 2


def test_nobody_but_an_admin_sees_reports_and_what_they_are_about(run, sheet, admin):
    report()
    Sheet.objects.update(seen_by="private", share=None)
    for browser in (Client(), *run.browsers.values()):
        for url in ("/reports/", f"/reports/{sheet.pk}/portrait-512.webp"):
            assert browser.get(url).status_code == 404
        assert browser.post("/reports/", {"do": f"picture:{sheet.pk}"}).status_code == 404
    assert admin.get(f"/reports/{sheet.pk}/portrait-512.webp").status_code == 200
    assert Portrait.objects.exists()


def test_an_admin_can_do_nothing_with_sheets_that_nobody_reported(sheet, admin):
    assert admin.get(f"/reports/{sheet.pk}/portrait-512.webp").status_code == 404
    assert {admin.post("/reports/", {"do": f"{word}:{sheet.pk}"}).status_code for word in Report.WORDS} == {404}
    Sheet.objects.update(seen_by="private")
    report()
    for url in ("", "portrait-512.webp", "picture/", "export/", "history/", "print/"):
        assert admin.get(f"/sheets/{sheet.pk}/{url}").status_code == 404
    assert admin.post(f"/sheets/{sheet.pk}/keep/", {"do": "revoke"}).status_code == 404
    assert admin.post("/reports/", {"do": f"delete:{sheet.pk}"}).status_code == 400


@pytest.mark.parametrize(("word", "picture", "shared"), [
    ("picture", False, True), ("share", True, False), ("both", False, False), ("nothing", True, True)])
def test_what_was_reported_is_taken_down_logged_and_told_to_its_owner(run, sheet, admin, caplog, word, picture, shared):
    report()
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
    assert (f"{word}:{sheet.pk}" in page, "Settled" in page) == (False, True)
    assert admin.post("/reports/", {"do": f"{word}:{sheet.pk}"}).status_code == 404


@pytest.mark.parametrize(("word", "said"), [
    ("picture", "removed the picture of “Juan”"), ("share", "stopped the sharing of “Juan”"), ("nothing", None)])
def test_a_guest_who_has_no_notifications_is_told_on_the_sheet(juan, admin, word, said):
    page = f"/sheets/{juan.pk}/"
    Sheet.objects.update(share="token")
    report()
    assert "taken-down" not in juan.client.get(page).text
    admin.post("/reports/", {"do": f"{word}:{juan.pk}"})
    shown = juan.client.get(page).text
    assert ("taken-down" in shown, said is None or said in shown) == (said is not None, True)
    Report.objects.update(settled=timezone.now() - TAKEDOWN_SHOWN_FOR)
    assert "taken-down" not in juan.client.get(page).text


def test_an_admin_finds_the_reports_and_nobody_else_does(run, admin):
    assert ["/reports/" in one.get("/account/").text for one in (admin, run.browsers["anna"])] == [True, False]
