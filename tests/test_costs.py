"""What one request may cost: at the bounds of all that a stranger may ask, and where a search found it dearest.

Time is measured at full counts only, on a machine that does nothing else; else what Python calls is counted, and what
is reckoned was counted by the program itself. `tests/support/costly.py` is the search.
"""

import sys
import time
from inspect import CO_GENERATOR

import pytest

from rulesets import cached, systems
from rulesets.work import WORK
from sheets.api.views import MOST
from sheets.models import Sheet
from tests.support.builder.held import lacking
from tests.support.database import undone
from tests.support.everyday import everyday
from tests.support.guest import Guest
from tests.support.hostile_requests import (
    BOUNDS,
    CONDICE,
    EXACT,
    FOUND,
    HUNDREDS,
    KEPT,
    LINE,
    POSTED,
    TURNED,
    TURNS,
)
from tests.support.rulesets.contract import report

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.database("sqlite")]

SECONDS, CALLS = 0.5, 700_000
@pytest.fixture(scope="module", autouse=True)
def _warm(django_db_setup, django_db_blocker):
    """Load modules and templates, which is done once in a process."""
    with django_db_blocker.unblock(), undone():
        for slug in systems():
            guest = Guest(system=slug)
            for address in (f"/compare/{slug}/", f"/dice/{slug}/", guest.url("figure"), f"/sheets/{guest.pk}/",
                            f"/sheets/{guest.pk}/sheet.pdf"):
                guest.client.get(address)
            guest.post("figure", do="random:")
        for address in ("/paste/", "/validate/", "/import/"):
            guest.client.post(address, {"document": LINE, "do": "check"})


def assert_cheap(what, call, full, *, taken_along=False):
    """Tells what a request cost, and holds it to what one may."""
    calls = 0

    def count(frame, event, _argument):
        nonlocal calls
        calls += event == "call" and not frame.f_code.co_flags & CO_GENERATOR

    began = time.process_time()
    if not full:
        sys.setprofile(count)
    try:
        answer = call()
    finally:
        sys.setprofile(None)
    spent = time.process_time() - began
    work = WORK - answer.wsgi_request.work[0]
    if full:
        report(f"{spent:.3f} s, {len(answer.content):>6} bytes, {answer.status_code}, work {work:>11,}: {what[:110]}")
        assert spent < SECONDS, what
    assert answer.status_code < 500, what
    assert taken_along or len(answer.content) < MOST, what
    assert calls < CALLS, what
    assert 0 <= work <= WORK
    return answer


@pytest.mark.prove
@pytest.mark.parametrize("address", everyday(EXACT))
def test_a_long_fight_is_answered_exactly_and_quickly(address, client, full):
    answer = assert_cheap(address, lambda: client.get(address, headers={"Accept-Language": "en"}), full)
    assert lacking(answer.text, "prospect-1", "Side 1 wins", "takes too long") == ["takes too long"]


@pytest.mark.prove
@pytest.mark.parametrize("address", everyday([*BOUNDS, *FOUND], each=10))
def test_whatever_is_asked_for_by_its_address_is_answered_at_a_bounded_cost(address, client, full):
    assert_cheap(address, lambda: client.get(address), full)


@pytest.mark.prove
@pytest.mark.parametrize("what", everyday(POSTED, each=12))
def test_whatever_text_is_sent_is_answered_at_a_bounded_cost(what, client, full):
    address, text = POSTED[what]
    assert_cheap(what, lambda: client.post(address, {"document": text, "do": "check"}), full)


@pytest.mark.prove
@pytest.mark.parametrize("what", [*everyday(KEPT, each=4), *everyday(TURNED, each=4)])
def test_whatever_a_guest_keeps_and_whatever_page_is_turned_to_is_shown_at_a_bounded_cost(what, full):
    document, address, htmx = TURNED[what] if what in TURNED else (*KEPT[what], False)
    guest = Guest(document, system=document["ruleset"])
    Sheet.objects.filter(pk=guest.pk).update(share="t" * 32, share_play=True)
    address, headers = address.format(token="t" * 32, pk=guest.pk), {"HX-Request": "true"} if htmx else {}
    answer = assert_cheap(what, lambda: guest.client.get(address, headers=headers), full, taken_along=".pdf" in address)
    assert answer.status_code == 200


@pytest.mark.prove
@pytest.mark.parametrize("do", everyday(TURNS, 2))
def test_a_page_of_rows_is_turned_at_a_bounded_cost(do, full):
    guest = Guest(HUNDREDS)
    assert_cheap(do[:40], lambda: guest.post("attacks", do=do, htmx=True), full)


@pytest.mark.prove
@pytest.mark.parametrize(("slug", "house"), everyday([
    ("battle-dice", {"deck_size": 999}), ("condice", {"budget": 999}), ("dice-rumble", {"budget": 999}),
    ("dice-rumble", {"budget": 999, "talent_cap": 999}), ("daemmersturm", {"lowest": 999})]))
def test_a_random_character_under_any_house_is_made_or_refused_at_a_bounded_cost(slug, house, full):
    guest = Guest(system=slug)
    Sheet.objects.filter(pk=guest.pk).update(house=house)
    assert_cheap(f"random {slug} {house}", lambda: guest.post("figure", do="random:"), full)


def test_odds_that_a_page_has_no_room_for_are_shown_when_they_are_asked_for():
    guest = Guest(HUNDREDS)
    # A defence of its own, and no sums of dice in memory, so that nothing is known of these odds from elsewhere.
    cached.clear()
    page = guest.client.get(f"/sheets/{guest.pk}/", {"_rolls": "4", "against.defence": "163"}).text
    # The row promises nothing that there was no room to reckon.
    row = page.partition('id="promise-roll-attack-attacks-95"')[2].partition("</article>")[0]
    assert lacking(row, "odds-roll-attack-attacks-95", "<svg") == ["<svg"]
    asked = guest.client.get(f"/sheets/{guest.pk}/?w=roll-attack-attacks-95&defence=190").text
    table = asked.partition('id="odds-roll-attack-attacks-95"')[2].partition("</table>")[0]
    assert lacking(table, "<rect", "take too long") == ["take too long"]


def test_long_odds_of_the_api_come_in_parts_and_a_refusal_names_the_figure(client):
    address = f"{CONDICE}attack/odds?dice=999"
    refused, german = (client.get(f"{address}&lang={one}") for one in ("en", "de"))
    assert (refused.status_code, "dice" in refused.json()["errors"][0]["parameter"]) == (422, True)
    assert "least and most" in refused.json()["detail"]
    assert "verringere dice (Würfel)" in german.json()["detail"]
    part = client.get(f"{address}&least=600&most=602").json()
    assert ([one["outcome"] for one in part["outcomes"]], part["mean"]) == ([600, 601, 602], "666")
