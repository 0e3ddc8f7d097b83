"""So much waits at a table that nobody reads all of it: the newest is shown, the rest has a page of its own."""

import re
import sys
import uuid
from urllib.parse import urljoin

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from sheets.models import PendingEffect
from sheets.press.log import announce
from sheets.press.pending import MOST
from tests.support.everyday import everyday
from tests.support.guest import text_of, words_in
from tests.support.sheets.fight import looks

MANY = 500


def shown(answer):
    """What stands on a page to be settled, in its order."""
    return [int(found) for found in re.findall(r'<li class="card[^"]*" id="landed-(\d+)"', answer.text)]


def rest(hit, who="ben", before=""):
    return hit.browsers[who].get(f"{hit.address}waiting/{before}")


def pages(hit):
    """Where what waits at Ben is shown, and what is looked for there by itself."""
    return {"table": lambda: hit.look("ben", "ben", None), "gm": lambda: hit.look("gm", "ben", None),
            "attacker": hit.look, "sheet": lambda: hit.own("ben"),
            "look": lambda: hit.browsers["ben"].get(f"/sheets/{hit.sheets['ben'].pk}/landed/"),
            "rest": lambda: rest(hit)}


def cost(call):
    """(calls of functions, queries) of an answer."""
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event == "call"

    with CaptureQueriesContext(connection) as queries:
        sys.setprofile(count)
        try:
            call()
        finally:
            sys.setprofile(None)
    return calls, len(queries)


@pytest.mark.parametrize("where", everyday(["table", "sheet", "rest", "gm", "attacker", "look"]))
def test_of_five_hundred_the_newest_are_shown_for_what_fifty_cost_and_a_link_leads_to_the_rest(hit, where):
    look = pages(hit)[where]
    hit.wait(MOST + 10)
    look()
    calls, queries = cost(look)
    keys = hit.wait(MANY)
    answer = look()
    # What else falls into one look, as collected garbage does, is not the look's.
    more_calls, more_queries = min(cost(look) for _ in range(3))
    assert more_queries == queries
    assert more_calls < 1.02 * calls
    assert shown(answer) == keys[-MOST:]
    found = re.search(r'<a id="older" href="([^"]+)">(.*?)</a>', answer.text)
    assert found[2] == f"and {MANY - MOST} more"
    page = hit.browsers["anna" if where == "attacker" else "gm" if where == "gm" else "ben"].get(
        urljoin(f"{hit.address}waiting/", found[1]))
    assert shown(page) == keys[-2 * MOST:-MOST]
    assert f"and {MANY - 2 * MOST} more" in text_of(page)


def test_no_more_than_are_shown_lead_nowhere_and_a_sheet_that_is_open_hears_of_what_is_older(hit):
    hit.wait(MOST)
    for where, look in pages(hit).items():
        answer = look()
        assert (len(shown(answer)), 'id="older"' in answer.text) == (MOST, False), where
    keys = hit.wait(MOST + 2)
    look = looks(hit, "ben")
    assert look().status_code == 204
    hit.settle("dismiss", number=keys[0])
    assert "and 1 more" in strip_tags(look().text)


def test_a_look_by_the_current_change_token_builds_no_character_and_any_other_finds_what_is_new(hit, monkeypatch):
    address, word = f"/sheets/{hit.sheets['ben'].pk}/landed/", re.search(r'data-word="([^"]+)"', hit.own("ben").text)[1]
    look = lambda who="ben": hit.browsers[who].get(address, {"known": word, "landings": ""})  # noqa: E731
    with monkeypatch.context() as patched:
        patched.delattr("sheets.stage.views.sheet.Character")
        assert look().status_code == 204
    assert look("anna").status_code == 404
    [key] = hit.wait(1)
    announce(hit.party)
    assert shown(look()) == [key]
    assert look("anna").status_code == 404


def test_all_of_them_are_reached_page_by_page_and_settled_there_without_scripts(hit):
    keys, found, address = hit.wait(2 * MOST + 5), [], ""
    while True:
        page = rest(hit, before=address)
        found = shown(page) + found
        if not (more := re.search(r'id="older" href="[^"]*(\?before=\d+)"', page.text)):
            break
        address = more[1]
    assert found == keys
    address = re.search(rf'id="landed-{keys[0]}".*?<form method="post" action="([^"]+)"', page.text, re.DOTALL)[1]
    answer = hit.browsers["ben"].post(address, {"do": f"apply:{keys[0]}", "_press": str(uuid.uuid4())})
    assert (answer.status_code, answer["Location"]) == (302, address)
    assert (hit.life("ben"), PendingEffect.objects.get(pk=keys[0]).state) == (8, "applied")
    assert shown(hit.browsers["ben"].get(address)) == keys[1:5]


@pytest.mark.alike
def test_what_is_old_is_dismissed_together_and_what_is_newer_stays(hit):
    keys = hit.wait(MANY)
    before = f"?before={keys[-MOST]}"
    word = re.search(r'value="(dismiss-all:\d+)" id="dismiss-all">([^<]*)<', rest(hit, before=before).text)
    assert word[2] == f"Dismiss all {MANY - MOST}"
    answer = hit.browsers["ben"].post(f"{hit.address}waiting/{before}", {"do": word[1]})
    assert answer.status_code == 302
    assert list(PendingEffect.objects.filter(state="open").order_by("pk").values_list("pk", flat=True)) == keys[-MOST:]
    told = (f"{MANY - MOST} dismissed.", "Nothing is waiting here any more.")
    assert words_in(text_of(hit.browsers["ben"].get(answer["Location"])), *told) == [*told]
    assert hit.life("ben") == 10
    # Another page of the same has nothing left to dismiss.
    hit.browsers["ben"].post(f"{hit.address}waiting/{before}", {"do": word[1]})
    settled = "That has already been settled."
    assert words_in(text_of(rest(hit)), settled, "0 dismissed.") == [settled]


def test_who_has_no_part_in_it_sees_nothing_there_and_dismisses_nothing(hit):
    """Of those who are in the party neither target nor attacker: a player without a sheet in it."""
    keys = hit.wait(MOST + 1)
    hit.party.members.filter(user=hit.users["helper"]).update(role="player")
    assert shown(rest(hit, "helper")) == []
    hit.browsers["helper"].post(f"{hit.address}waiting/", {"do": f"dismiss-all:{keys[-1]}"})
    assert not PendingEffect.objects.exclude(state="open").exists()
    hit.browsers["anna"].post(f"{hit.address}waiting/", {"do": f"dismiss-all:{keys[-1]}"})
    assert not PendingEffect.objects.filter(state="open").exists()


def test_numbers_that_no_page_sends_are_refused(hit):
    for about in ("", "x", "-1", "9" * 30, "١"):
        assert rest(hit, before=f"?before={about}").status_code == 400
        assert hit.browsers["ben"].post(f"{hit.address}waiting/", {"do": f"dismiss-all:{about}"}).status_code == 400
    assert PendingEffect.objects.get().state == "open"

