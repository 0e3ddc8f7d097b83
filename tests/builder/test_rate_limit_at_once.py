"""What one address may use at once: reserved before it is used, in memory, and given back with time."""

from contextlib import ExitStack

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext

from builder import costly, limits, rate_limit, turns
from builder.models import Used
from tests.support.builder.accounts import english

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
HERE, THERE = "198.51.100.7", "203.0.113.9"


@pytest.fixture(autouse=True)
def bounded(budgeted, clock):
    """A budget, and a clock that stands still."""


def browser(address=HERE):
    return english(REMOTE_ADDR=address)


def levels():
    return sorted(round(one, 1) for one in Used.objects.values_list("level", flat=True))


@pytest.mark.slow
def test_who_uses_much_at_once_is_refused_long_before_the_five_minutes_are_full(costs, clock):
    costs(0.04)
    with CaptureQueriesContext(connection) as found:
        asked = [browser().get("/api/v1/rulesets").status_code for _request in range(152)]
    # 150 of 0.04 s are 6; what is still expected of the next one is reserved before.
    assert (asked.index(429), asked[-1]) == (150, 429)
    # Half a second is written twelve times, and no refusal asks anything.
    assert len(found) <= 12 * 4
    assert browser(THERE).get("/api/v1/rulesets").status_code == 200
    clock(20)
    assert browser().get("/api/v1/rulesets").status_code == 200


@pytest.mark.slow
def test_who_takes_from_each_process_all_that_comes_back_in_time_is_refused(costs, clock, settings):
    settings.BUDGET = 120
    costs(0.3)
    asked = []
    # All processes together get back 0.4 seconds in each.
    for _second in range(90):
        asked.append(browser().get("/api/v1/rulesets").status_code)
        clock(1)
    assert set(asked) == {200, 429}


def test_what_a_request_may_cost_is_reserved_before_it_is_known(monkeypatch, costs):
    seen = []

    def looks(request):
        seen.append(rate_limit._left_at_once(f"address {HERE}"))
        raise Http404

    monkeypatch.setattr("sheets.faces.views.own_sheet", lambda request, pk: looks(request))
    key = "00000000-0000-0000-0000-000000000000"
    browser().post(f"/sheets/{key}/picture/", {"do": "bring"})
    browser().get(f"/sheets/{key}/picture/")
    assert seen == [pytest.approx(6 - limits.FILE), pytest.approx(6 - limits.CHEAP)]
    assert rate_limit._left_at_once(f"address {HERE}") == pytest.approx(6)


@pytest.fixture
def busy_here(monkeypatch):
    """Dear requests of guests here, as many as are answered at once; one more waits for nothing."""
    monkeypatch.setattr(costly, "PATIENCE", 0)
    for path in ("reads rules/<slug:slug>/", "reads api/v1/rulesets"):
        costly.learn(HERE, path, 2 * costly.COSTLY)
    with ExitStack() as held:
        for _one in range(costly.MAX_PER_OWNER):
            held.enter_context(costly.in_turn(HERE, "reads rules/<slug:slug>/", f"address {HERE}", [f"house {HERE}"]))
        yield


def test_no_more_than_a_few_dear_requests_of_an_address_are_answered_at_once(busy_here):
    page, api = browser().get("/rules/condice/"), browser().get("/api/v1/rulesets")
    assert [(one.status_code, one["Retry-After"]) for one in (page, api)] == [(429, "2")] * 2
    assert "have slow requests running; try again in a moment" in page.text
    assert api.json()["detail"] in page.text
    assert browser(THERE).get("/rules/condice/").status_code == 200
    assert browser().get("/account/login/").status_code == 200


def test_whoever_plays_behind_an_address_with_dear_requests_goes_on(busy_here, account):
    players = [account(HERE) for _player in range(3)] + [browser(HERE)]
    for _time in range(2):
        # What costs little, and is known to after the first.
        assert [one.get("/dice/condice/").status_code for one in players] == [200] * 4
    # An account has dear requests of its own.
    assert [one.get("/rules/condice/").status_code for one in players] == [200, 200, 200, 429]


def test_an_address_that_has_used_much_lately_is_answered_a_few_at_a_time_sooner(busy_here):
    costly.forget()
    for path in ("reads rules/<slug:slug>/", "reads api/v1/rulesets"):
        costly.learn(HERE, path, costly.COSTLY / 2)
    rate_limit.use(f"address {HERE}", 2.9)
    asked = [browser().get("/api/v1/rulesets").status_code]
    rate_limit.use(f"address {HERE}", 0.2)
    asked += [browser(where).get("/rules/condice/").status_code for where in (HERE, THERE)]
    assert asked == [200, 429, 200]


def test_a_file_is_not_read_or_made_while_others_from_its_address_are(monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0)
    words = {"content": SimpleUploadedFile("x.json", b"{}"), "do": "check"}
    with turns.one_at_a_time(HERE):
        refused, other = (browser(where).post("/validate/", words) for where in (HERE, THERE))
        taken = browser().get("/account/download/")
    assert (refused.status_code, refused["Retry-After"], other.status_code) == (429, "2", 200)
    assert "Another file from your network address is being read" in refused.text
    assert (taken.status_code, "Another file is being made or sent" in taken.text) == (429, True)
    assert browser().post("/validate/", words).status_code == 200


@pytest.mark.slow
def test_ten_people_behind_one_address_play_and_none_is_refused(costs, clock, settings, account):
    settings.BUDGET = 120
    players = [account(HERE) for _player in range(6)] + [browser(HERE) for _guest in range(4)]
    costs(0.06)
    asked = []
    # Every two seconds each of them presses, or sees what another one did.
    for _time in range(25):
        asked += [one.get("/api/v1/rulesets").status_code for one in players]
        clock(2)
    assert set(asked) == {200}


def test_a_look_for_who_watches_is_charged_and_ends_with_what_there_is(rf):
    request = rf.get("/live/queue/", REMOTE_ADDR=HERE)
    assert [rate_limit.charge_watcher(request, 4) for _look in range(2)] == [True, False]
    assert rate_limit.charge_watcher(rf.get("/live/queue/", REMOTE_ADDR=THERE), 4)
    assert levels() == [4.0, 8.0]


def test_networks_of_ipv6_that_lie_together_have_no_more_than_a_few_of_them_for_all(costs):
    costs(1.0)

    def served(network):
        return [browser(f"{network}::1").get("/api/v1/rulesets").status_code for _request in range(7)].count(200)

    # Six for each of 64 bits; four times that for all of 56 bits, five times for all of 48.
    assert [served(f"2001:db8:0:{number:x}") for number in (1, 2, 3, 4, 5)] == [6, 6, 6, 6, 0]
    assert [served(f"2001:db8:0:{number:x}") for number in (0x100, 0x101, 0x200)] == [6, 0, 0]
    assert served("2001:db8:1:1") == 6


def test_what_a_file_costs_in_a_process_of_its_own_is_charged_to_whoever_sent_it(costs, monkeypatch):
    monkeypatch.setattr("builder.limits.seconds_used", lambda: 2.5)
    browser().post("/validate/", {"file": SimpleUploadedFile("x.json", b"{}")})
    assert rate_limit._left_at_once(f"address {HERE}") == pytest.approx(6 - 2.5)
    assert levels() == [2.5]
