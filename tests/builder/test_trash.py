"""The trash: how a sheet gets into it and out of it, and what is left of what is gone for good."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from builder import drafts
from sheets.audit_log.chain import chain_faults
from sheets.models import Change, Event, Review, Revision, Sheet
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status
from tests.support.addresses import PEOPLE, SHEETS
from tests.support.builder.held import lacking
from tests.support.builder.trash_requests import TRASH, bring, throw
from tests.support.database import undone
from tests.support.everybody import World, snapshot
from tests.support.guest import Guest, example, text_of
from tests.support.party import browser

pytestmark = pytest.mark.django_db


def aged(sheet, days):
    Sheet.objects.filter(pk=sheet.pk).update(deleted=timezone.now() - timedelta(days=days))


# In and out


def test_what_is_thrown_away_is_listed_with_the_days_that_are_left_and_other_pages_lead_there(juan):
    assert "in the bin" not in text_of(juan.client.get("/"))
    throw(juan.client, juan)
    assert lacking(text_of(juan.client.get(TRASH)), "“Juan” is in the bin.",
                   "Anything you throw away stays here for 30 days before it is deleted for good.",
                   "30 days left Restore it : Juan Delete it for good : Juan") == []
    assert "1 sheet in the bin" in text_of(juan.client.get("/"))
    assert [at for at in ("/", "/sheets/") if f'href="{TRASH}"' not in juan.client.get(at).text] == []
    for days, said in ((0.5, "30 days left"), (1.5, "29 days left"), (28.5, "2 days left"), (29.9, "1 day left"),
                       (30.01, "The bin is empty.")):
        aged(juan.sheet, days)
        assert said in text_of(juan.client.get(TRASH))
    assert bring(juan.client, juan.sheet).status_code == 404


def test_what_is_brought_back_is_as_it_was(juan):
    juan.post("values", life="viele")
    before = Sheet.objects.values().get()
    throw(juan.client, juan)
    assert bring(juan.client, juan)["Location"] == juan.url("figure")
    assert (Sheet.objects.values().get(), juan.get("values").status_code) == (before, 200)
    assert bring(juan.client, juan).status_code == 404


def test_a_guest_brings_no_more_back_than_a_browser_may_keep(juan, monkeypatch):
    throw(juan.client, juan)
    juan.client.post("/build/condice/")
    monkeypatch.setattr(drafts, "GUEST_DRAFTS", 1)
    assert bring(juan.client, juan)["Location"] == TRASH
    assert juan.sheet.deleted
    assert "This browser already has 1 draft" in text_of(juan.client.get(TRASH))


def test_what_cannot_be_read_any_more_is_thrown_away_all_the_same(round_):
    seal = reviews.pending_decision(round_.sheet, review_status(round_.sheet)).seal
    reviews.approve(round_.member(round_.gm), round_.sheet, seal, {}, {})
    Sheet.objects.update(data={"life": -1})
    throw(browser(round_.player), round_.sheet)
    assert Sheet.objects.get().deleted
    bring(browser(round_.player), round_.sheet)
    assert review_status(Sheet.objects.get()).state == "changed"


def test_a_long_trash_is_paged_even_where_all_went_at_once(juan):
    now = timezone.now()
    made = [Sheet.objects.create(ruleset="condice", data=example()["data"], guest=juan.sheet.guest,
                                 name=f"Weg {number:02}", deleted=now) for number in range(60)]
    seen, address = [], TRASH
    while address:
        with CaptureQueriesContext(connection) as found:
            page = juan.client.get(address).text
        assert len(found) <= 6
        seen += re.findall(r"<h2>(Weg \d\d)</h2>", page)
        link = re.search(r'href="(\?before=[^"]*)"', page)
        address = link and TRASH + link[1].replace("&amp;", "&")
    assert sorted(seen) == [one.name for one in made]


@pytest.mark.slow
@pytest.mark.alike
def test_another_s_sheet_is_neither_brought_back_nor_burnt_by_anybody_else(django_user_model):
    world = World(django_user_model.objects)
    Sheet.objects.update(deleted=timezone.now())
    for who in PEOPLE:
        client = world.browsers[who]
        listed = client.get(TRASH).text
        for which, kept in SHEETS.items():
            own, pk = kept.owner == who, world.sheets[which].pk
            assert (str(pk) in listed) == own, (who, which)
            assert client.get(TRASH, {"burn": pk}).status_code == (200 if own else 404)
            for word in ("restore", "burn"):
                with undone():
                    before = snapshot()
                    answer = client.post(TRASH, {"do": f"{word}:{pk}"})
                    assert (answer.status_code, snapshot() != before) == ((302, True) if own else (404, False))


@pytest.mark.parametrize(("do", "status"), [
    ("restore", 404), ("restore:", 404), ("restore:x", 404), ("burn:0", 404), ("burn:\0", 404), ("burn:{pk}", 404),
    ("empty", 400)])
def test_what_is_no_key_of_a_sheet_in_the_trash_is_not_to_be_found_and_there_are_no_other_buttons(juan, do, status):
    assert juan.client.post(TRASH, {"do": do.format(pk=juan.pk)}).status_code == status
    assert juan.client.get(TRASH, {"burn": "x"}).status_code == 404
    assert juan.sheet


# Gone for good


def test_what_is_burnt_is_said_before_and_is_gone_with_its_past_and_the_chain_holds(round_):
    owner = browser(round_.player)
    Event.objects.create(sheet=round_.sheet, key=round_.party.pk, widget="x", title="x")
    seal = reviews.pending_decision(round_.sheet, review_status(round_.sheet)).seal
    reviews.approve(round_.member(round_.gm), round_.sheet, seal, {}, {"comment": "Geheim"})
    throw(owner, round_.sheet)
    assert lacking(text_of(owner.get(TRASH, {"burn": round_.sheet.pk})), "Delete “Juan” for good?",
                   "its picture, its notes, and everything you could undo 1 revision 1 log entry",
                   "comments on it from reviews") == []
    assert Sheet.objects.exists()
    answer = owner.post(TRASH, {"do": f"burn:{round_.sheet.pk}"}, follow=True)
    assert "“Juan” has been deleted for good." in text_of(answer)
    assert [model for model in (Sheet, Revision, Change) if model.objects.exists()] == []
    assert [one.kind for one in Review.objects.order_by("number")] == ["submitted", "approved", "erased"]
    assert not Review.objects.exclude(said={}, seen={}, sheet=None).exists()
    assert list(chain_faults()) == []


def test_what_was_never_reviewed_leaves_nothing_in_the_chain(juan):
    juan.whole("finish")
    throw(juan.client, juan)
    assert "from reviews" not in text_of(juan.client.get(TRASH, {"burn": juan.pk}))
    juan.client.post(TRASH, {"do": f"burn:{juan.pk}"})
    assert (Sheet.objects.count(), Review.objects.count()) == (0, 0)


def test_what_lay_in_the_trash_for_long_goes_by_itself_and_the_chain_holds(round_):
    throw(browser(round_.player), round_.sheet)
    aged(round_.sheet, 31)
    Guest(example())
    assert not Sheet.objects.filter(pk=round_.sheet.pk).exists()
    assert Review.objects.latest("number").kind == "erased"
    assert list(chain_faults()) == []


def test_so_many_go_at_once_and_the_oldest_first(round_, monkeypatch):
    monkeypatch.setattr(drafts, "AT_ONCE", 3)
    for number in range(5):
        made = Sheet.objects.create(owner=round_.player, party=round_.party, ruleset="condice", name=str(number),
                                    data=example()["data"])
        reviews.submit(made, round_.player)
        aged(made, 40 - number)
        old = Sheet.objects.create(guest="x", ruleset="condice", name=f"old {number}", data={})
        Sheet.objects.filter(pk=old.pk).update(updated=timezone.now() - timedelta(days=90 - number))
    assert drafts.tidy() == 6
    assert sorted(Sheet.objects.values_list("name", flat=True)) == ["3", "4", "Juan", "old 3", "old 4"]
    assert drafts.tidy() == 4
    assert drafts.tidy() == 0
    assert list(chain_faults()) == []


def test_tidying_asks_the_database_no_more_than_a_little_for_each_sheet_that_goes(round_):
    def asked():
        with CaptureQueriesContext(connection) as found:
            drafts.tidy()
        return len(found)

    assert asked() <= 7
    Sheet.objects.bulk_create(
        Sheet(owner=round_.player, ruleset="condice", data=example()["data"],
              deleted=timezone.now() - timedelta(days=31)) for _number in range(drafts.AT_ONCE + 5))
    assert asked() <= 20 + 3 * drafts.AT_ONCE
    assert Sheet.objects.exclude(deleted=None).count() == 5
