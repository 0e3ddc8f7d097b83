"""Notifications: counted in the head of each page, told in the reader's language, read by their reader alone."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from sheets.models import Delivery, Notification
from sheets.notifications import mail, views
from sheets.notifications.services import TEXTS, forget, notification_text, notify
from sheets.parties import services as parties
from sheets.reviews import services as reviews
from tests.support.guest import text_of
from tests.support.sheets import story as told

pytestmark = pytest.mark.django_db


def count(run, who):
    page = run.browsers[who].get("/rules/condice/").text
    return page.split('class="count">')[1].split("<")[0] if 'class="count"' in page else ""


@pytest.fixture
def tell(run):
    """Tell the GM something that somebody did, Anna else."""
    return lambda kind="joined", who="anna", **more: notify(
        [run.users["gm"]], kind, run.party, who and run.users[who], **more)


def test_the_head_counts_what_is_unread_until_it_is_read_and_a_long_count_is_cut(run, tell):
    for who in ("anna", "ben", "second"):
        tell(who=who)
    assert (count(run, "gm"), count(run, "anna")) == ("3", "")
    run.browsers["gm"].get("/notifications/")
    assert count(run, "gm") == "3"
    run.browsers["gm"].post("/notifications/", {"do": "read"})
    assert count(run, "gm") == ""
    for number in range(100):
        tell(url=f"/{number}/")
    assert count(run, "gm") == "99+"


def test_what_leads_to_a_page_is_read_once_that_was_opened_by_whatever_way(run, tell):
    tell()
    tell("brought", url=f"{run.url}#sheets")
    tell("review-submitted", url="/sheets/")
    assert count(run, "gm") == "3"
    assert "</nav>" in run.browsers["gm"].get(run.url).text
    assert count(run, "gm") == "1"
    run.browsers["anna"].get("/sheets/")
    assert count(run, "gm") == "1"


def test_with_scripts_the_list_says_by_itself_that_it_was_opened(run, tell):
    tell()
    newest = run.users["gm"].notifications.latest("pk").pk
    page = run.browsers["gm"].get("/notifications/").text
    assert f'{{"do": "read:{newest}"}}' in page
    assert 'hx-trigger="load"' in page
    answer = run.browsers["gm"].post("/notifications/", {"do": f"read:{newest}"}, headers={"HX-Request": "true"})
    assert (answer.status_code, count(run, "gm")) == (204, "")
    assert "hx-trigger" not in run.browsers["gm"].get("/notifications/").text.partition("<main")[2]


@pytest.mark.parametrize("language", ["de", "en"])
def test_each_kind_is_told_in_the_readers_language_with_or_without_its_doer(run, tell, language):
    more = {"sheet": "Juan", "host": "dort", "start": "2026-12-04T19:00:00+00:00", "zone": "Europe/Berlin"}
    for kind in (*TEXTS, "house"):
        run.users["gm"].notifications.all().delete()
        tell(kind, turned=2, **more)
        tell(kind, None, turned=0, **more)
        with override(language):
            first, second = (notification_text(one) for one in run.users["gm"].notifications.order_by("pk"))
        assert "{" not in first + second
        # What becomes of a shared sheet tells neither who did it nor in which party it is.
        if kind in {"unshared", "reported", "taken-down-picture", "taken-down-share", "taken-down-both"}:
            assert (first, "anna" in first) == (second, False), kind
        elif kind in {"waiting", "turn-late", "webhook-off", "evening-reminder"}:
            # Nobody did that.
            assert (first, "Die Runde" in first) == (second, True)
        else:
            somebody = "Jemand" if language == "de" else "omebody"
            assert ("anna" in first, "Die Runde" in first, somebody in second) == (True, True, True), kind


def said(run, who):
    with override("en"):
        return [notification_text(one) for one in run.users[who].notifications.order_by("-pk")]


def test_the_same_again_is_told_once_with_how_often_it_was(run, tell):
    juan, zwei = run.sheet("gm", name="Juan"), run.sheet("gm", name="Zwei")
    for sheet, title in ((juan, "Damage"), (zwei, "Heal"), (juan, "Heal")):
        tell("mended", about=sheet, what={"en": title})
    assert said(run, "gm") == [
        "anna has played “Heal” with your sheet “Juan” at the table of “Die Runde”; you can take it back. (2 times)",
        "anna has played “Heal” with your sheet “Zwei” at the table of “Die Runde”; you can take it back."]
    assert count(run, "gm") == "2"


@pytest.mark.parametrize(("rows", "then", "told"), [
    (Delivery, {"state": "sent"}, 2), (Delivery, {"tries": 1}, 2), (Notification, {"read": "2026-01-01T00:00Z"}, 2),
    (Delivery, {}, 1)])
def test_what_was_read_or_is_being_mailed_is_told_anew(run, tell, rows, then, told):
    mail.ask(run.users["gm"], "en")
    for _time in range(2):
        tell()
        if then:
            rows.objects.update(**then)
    assert len(said(run, "gm")) == told == Delivery.objects.count()


def test_an_older_one_that_names_no_sheet_is_still_told(run, tell):
    for kind in ("brought", "taken", "mended", "dropped", "withdrawn"):
        tell(kind)
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
    told.give_back(round_.sheet, round_.gm, at={"life": "a", "movement": "b"})
    with override("en"):
        text = notification_text(round_.player.notifications.get())
    assert text == f"greta has returned “{round_.sheet.name}” in “Die Runde” with comments. 2 are on values."


def test_the_name_of_a_sheet_that_is_gone_is_told_nowhere_any_more(run):
    sheet = run.sheet("anna", name="Verraten", inside=False)
    parties.bring_sheet(run.party, sheet, run.users["anna"])
    parties.drop_sheet(run.party, sheet, run.users["anna"])
    parties.bring_sheet(run.party, sheet, run.users["anna"])
    reviews.submit(sheet, run.users["anna"])
    parties.drop_sheet(run.party, sheet, run.users["gm"])
    assert len([one for who in ("gm", "anna") for one in said(run, who) if "Verraten" in one]) == 4
    with CaptureQueriesContext(connection) as asked:
        forget([sheet.pk])
    assert all("a sheet that is gone" in one and "Verraten" not in one
               for who in ("gm", "anna") for one in said(run, who))
    # What many have is not looked into.
    found, = (one["sql"] for one in asked)
    assert '"url"' not in found.partition("WHERE")[2]


def test_opening_one_marks_it_and_goes_to_what_it_is_about(run, tell):
    tell()
    tell(who="ben")
    first = run.users["gm"].notifications.order_by("pk").first()
    assert run.browsers["gm"].post("/notifications/", {"do": f"open:{first.pk}"})["Location"] == run.url
    assert count(run, "gm") == "1"


def test_the_page_has_no_other_buttons(run):
    for do in ("", "x", "open", "open:x", "open:²", "open:" + "9" * 30):
        assert run.browsers["gm"].post("/notifications/", {"do": do}).status_code == 400, do


def test_nobody_opens_or_sees_anothers(run, tell):
    tell()
    one, ben = Notification.objects.get(), run.browsers["ben"]
    assert ben.post("/notifications/", {"do": f"open:{one.pk}"}).status_code == 404
    ben.post("/notifications/", {"do": "read"})
    one.refresh_from_db()
    assert (one.read, "Die Runde" in text_of(ben.get("/notifications/"))) == (None, False)


def test_what_is_read_is_kept_up_to_a_number_and_the_newest_stay(run, tell, monkeypatch):
    monkeypatch.setattr(views, "MAX_STORED", 5)
    for number in range(9):
        tell(url=f"/{number}/")
    newest = list(Notification.objects.order_by("-pk").values_list("pk", flat=True))[:5]
    assert len(newest) == 5
    run.browsers["gm"].post("/notifications/", {"do": "read"})
    assert list(Notification.objects.order_by("-pk").values_list("pk", flat=True)) == newest
