"""Notifications: counted in the head of each page, told in the reader's language, read by their reader alone."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from sheets.models import Notification
from sheets.notifications import views
from sheets.notifications.services import TEXTS, forget, notification_text, notify
from sheets.parties import services as parties
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status
from tests.support.guest import text_of

pytestmark = pytest.mark.django_db


def count(run, who):
    page = run.browsers[who].get("/rules/condice/").text
    return page.split('class="count">')[1].split("<")[0] if 'class="count"' in page else ""


def test_the_head_counts_what_is_unread_until_it_is_read(run):
    for who in ("anna", "ben", "second"):
        notify([run.users["gm"]], "joined", run.party, run.users[who])
    assert (count(run, "gm"), count(run, "anna")) == ("3", "")
    run.browsers["gm"].get("/notifications/")
    assert count(run, "gm") == "3"
    run.browsers["gm"].post("/notifications/", {"do": "read"})
    assert count(run, "gm") == ""


def test_a_long_count_is_cut_and_says_so(run):
    for number in range(100):
        notify([run.users["gm"]], "joined", run.party, run.users["anna"], url=f"/{number}/")
    assert count(run, "gm") == "99+"


@pytest.mark.parametrize("kind", [*TEXTS, "house"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_each_kind_is_told_in_the_readers_language_with_or_without_its_doer(run, kind, language):
    notify([run.users["gm"]], kind, run.party, run.users["anna"], turned=2, sheet="Juan")
    notify([run.users["gm"]], kind, run.party, None, turned=0, sheet="Juan")
    with override(language):
        first, second = (notification_text(one) for one in run.users["gm"].notifications.order_by("pk"))
    assert "{" not in first + second
    # Of what admins do about a shared sheet it is told neither who reported it nor in which party it is.
    if kind in {"reported", "taken-down-picture", "taken-down-share", "taken-down-both"}:
        assert first == second
        assert "anna" not in first
    else:
        assert "anna" in first
        assert "Die Runde" in first
        assert ("Jemand" if language == "de" else "omebody") in second


def said(run, who):
    with override("en"):
        return [notification_text(one) for one in run.users[who].notifications.order_by("-pk")]


def test_the_same_again_is_told_once_with_how_often_it_was(run):
    juan, zwei = run.sheet("gm", name="Juan"), run.sheet("gm", name="Zwei")
    for sheet, titles in ((juan, {"en": "Damage"}), (zwei, {"en": "Heal"}), (juan, {"en": "Heal"})):
        notify([run.users["gm"]], "mended", run.party, run.users["anna"], about=sheet, what=titles)
    assert said(run, "gm") == [
        "anna has played “Heal” with your sheet “Juan” at the table of “Die Runde”; you can take that back. (2 times)",
        "anna has played “Heal” with your sheet “Zwei” at the table of “Die Runde”; you can take that back."]
    assert count(run, "gm") == "2"


@pytest.mark.parametrize("then", [{"mail": "sent"}, {"tries": 1}, {"read": "2026-01-01T00:00Z"}])
def test_what_was_read_or_is_being_mailed_is_told_anew(run, then):
    for _time in range(2):
        notify([run.users["gm"]], "joined", run.party, run.users["anna"])
        run.users["gm"].notifications.update(**then)
    assert len(said(run, "gm")) == 2


def test_an_older_one_that_names_no_sheet_is_still_told(run):
    for kind in ("brought", "taken", "mended", "dropped", "withdrawn"):
        notify([run.users["gm"]], kind, run.party, run.users["anna"])
    assert all("“a sheet”" in one for one in said(run, "gm"))


def test_an_older_one_calls_a_sheet_that_its_reader_may_read_as_it_is_called_now(run):
    sheet = run.sheet("anna")
    for who, url in (("anna", f"/sheets/{sheet.pk}/review/"), ("ben", f"/sheets/{sheet.pk}/")):
        notify([run.users[who]], "review-approved", run.party, run.users["gm"], url=url, about=sheet)
    for one in Notification.objects.filter(about=sheet):
        del one.data["sheet"]
        one.save()
    assert f"“{sheet.name}”" in text_of(run.browsers["anna"].get("/notifications/"))
    assert "“a sheet”" in text_of(run.browsers["ben"].get("/notifications/"))


def test_a_returned_sheet_says_how_many_comments_are_at_values(round_):
    reviews.submit(round_.sheet, round_.player)
    found = reviews.pending_decision(round_.sheet, review_status(round_.sheet))
    reviews.give_back(round_.member(round_.gm), round_.sheet, found.seal, {"at": {"life": "a", "movement": "b"}})
    with override("en"):
        text = notification_text(round_.player.notifications.get())
    assert text == f"greta has returned “{round_.sheet.name}” in “Die Runde” with comments. 2 are at values."


def test_the_name_of_a_sheet_that_is_gone_is_told_nowhere_any_more(run):
    sheet = run.sheet("anna", name="Verraten", inside=False)
    parties.bring_sheet(run.party, sheet, run.users["anna"])
    parties.drop_sheet(run.party, sheet, run.users["anna"])
    parties.bring_sheet(run.party, sheet, run.users["anna"])
    reviews.submit(sheet, run.users["anna"])
    parties.drop_sheet(run.party, sheet, run.users["gm"])
    told = [*said(run, "gm"), *said(run, "anna")]
    assert len([one for one in told if "Verraten" in one]) == 4
    with CaptureQueriesContext(connection) as asked:
        forget([sheet.pk])
    assert all("a sheet that is gone" in one and "Verraten" not in one
               for who in ("gm", "anna") for one in said(run, who))
    # What many have is not looked into.
    found, = (one["sql"] for one in asked)
    assert '"url"' not in found.partition("WHERE")[2]


def test_opening_one_marks_it_and_goes_to_what_it_is_about(run):
    notify([run.users["gm"]], "joined", run.party, run.users["anna"])
    notify([run.users["gm"]], "joined", run.party, run.users["ben"])
    first = run.users["gm"].notifications.order_by("pk").first()
    answer = run.browsers["gm"].post("/notifications/", {"do": f"open:{first.pk}"})
    assert answer["Location"] == run.url
    assert count(run, "gm") == "1"


@pytest.mark.parametrize("do", ["", "x", "open", "open:x", "open:²", "open:" + "9" * 30])
def test_the_page_has_no_other_buttons(run, do):
    assert run.browsers["gm"].post("/notifications/", {"do": do}).status_code == 400


def test_nobody_opens_or_sees_anothers(run):
    notify([run.users["gm"]], "joined", run.party, run.users["anna"])
    one = Notification.objects.get()
    assert run.browsers["ben"].post("/notifications/", {"do": f"open:{one.pk}"}).status_code == 404
    run.browsers["ben"].post("/notifications/", {"do": "read"})
    one.refresh_from_db()
    assert one.read is None
    assert "Die Runde" not in text_of(run.browsers["ben"].get("/notifications/"))


def test_what_is_read_is_kept_up_to_a_number_and_the_newest_stay(run, monkeypatch):
    monkeypatch.setattr(views, "KEPT", 5)
    for _time in range(9):
        notify([run.users["gm"]], "joined", run.party, run.users["anna"])
    newest = Notification.objects.order_by("-pk")[:5].values_list("pk", flat=True)
    newest = list(newest)
    run.browsers["gm"].post("/notifications/", {"do": "read"})
    assert list(Notification.objects.order_by("-pk").values_list("pk", flat=True)) == newest
