"""What one address may use up, and one account: counted for all processes, refused with a sentence."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from builder import rate_limit
from builder.models import Used
from sheets.models import Sheet
from tests.support.builder.accounts import PASSWORD, english, people, sign_in, sign_up
from tests.support.builder.held import lacking
from tests.support.guest import Guest, example
from tests.support.sheets.files import file_of, noise

pytestmark = pytest.mark.django_db
HERE, THERE = "198.51.100.7", "203.0.113.9"
MORE = "Sign in to get a higher limit"


@pytest.fixture(autouse=True)
def limits(settings, monkeypatch, clock):
    settings.BUDGET, settings.BUDGETS = 100, {"drafts": 3, "bytes": 30_000}
    # What may be used at once has tests of its own.
    monkeypatch.setattr(rate_limit, "AT_ONCE", 1e9)
    rate_limit.forget()
    yield
    rate_limit.forget()


def browser(address=HERE):
    return english(REMOTE_ADDR=address)


def levels():
    return sorted(round(one, 1) for one in Used.objects.values_list("level", flat=True))


def test_whoever_has_used_up_the_time_is_refused_with_a_sentence_and_told_when_to_come_back(costs):
    costs(120)
    assert browser().get("/rules/condice/").status_code == 200
    with CaptureQueriesContext(connection) as found:
        answer, told = browser().get("/rules/condice/"), browser().get("/api/v1/rulesets?lang=en")
    assert len(found) == 0
    # 120 of 100 are used; half of it, 50, is to be had again after 210 seconds at 100 in 300.
    assert (answer.status_code, answer["Retry-After"]) == (429, "210")
    assert lacking(answer.text, "Your network address has used too much computing time", "Try again in 4 minutes.",
                   "Nothing is lost.") == []
    # A program is told by a problem document in its language.
    assert (told.status_code, told["Content-Type"], told.json()["status"]) == (429, "application/problem+json", 429)
    assert told.json()["detail"].startswith("Your network address has used too much")
    assert int(told["Retry-After"]) > 0
    # So is a program that tries links of calendars.
    assert browser().get("/calendar/1/x.ics").status_code == 429
    # Watchers and languages are never refused.
    assert browser().get("/health/").status_code == 200
    assert browser().post("/i18n/setlang/", {"language": "de"}).status_code == 302


def test_whoever_reads_is_answered_where_nothing_can_be_written_and_charged_afterwards(costs, monkeypatch):
    def full(*_):
        raise OperationalError("database or disk is full")

    costs(30)
    for address, times, charged in ((HERE, 2, 90.0), (THERE, 50, 130.0)):
        with monkeypatch.context() as patched:
            patched.setattr(rate_limit, "_fill", full)
            before = levels()
            assert {browser(address).get("/rules/condice/").status_code for _time in range(times)} == {200}
            assert levels() == before
        assert browser(address).get("/rules/condice/").status_code == 200
        assert max(levels()) == charged


def test_another_address_pays_nothing_for_it_and_after_a_while_nobody_does(costs, clock):
    costs(120)
    browser().get("/rules/condice/")
    costs(0)
    assert browser(THERE).get("/rules/condice/").status_code == 200
    for seconds, status in ((200, 429), (20, 200)):
        clock(seconds)
        assert browser().get("/rules/condice/").status_code == status


def test_two_addresses_of_one_network_of_ipv6_are_one(costs):
    costs(120)
    asked = [browser(one).get("/rules/condice/").status_code for one in ("2001:db8::1", "2001:db8::2", "2001:db8:1::2")]
    assert asked == [200, 429, 200]


def test_all_processes_fill_one_bucket(costs):
    costs(40)
    for _process in range(3):
        # Another process has other things in mind, and the same database.
        rate_limit.forget()
        assert browser().get("/rules/condice/").status_code == 200
    assert levels() == [120.0]
    assert browser().get("/rules/condice/").status_code == 429
    rate_limit.forget()
    # One that does not know yet answers one more, and knows then.
    assert browser().get("/rules/condice/").status_code == 200
    assert browser().get("/rules/condice/").status_code == 429


def test_what_costs_little_comes_together_and_what_is_dear_is_written_by_one_statement_and_read_by_one(costs):
    def asked(client):
        with CaptureQueriesContext(connection) as found:
            assert client.get("/api/v1/rulesets").status_code == 200
        return [one["sql"].split()[0] for one in found]

    costs(0.03)
    here = browser()
    assert [asked(here) for _request in range(16)] == [[]] * 16
    assert asked(here)
    assert levels() == [0.5]
    costs(0.6)
    assert asked(here) == ["UPDATE", "SELECT"]


def test_who_signs_in_has_a_wider_budget_of_their_own(costs, django_user_model):
    django_user_model.objects.create_user("juan", password=PASSWORD)
    costs(120)
    here = browser()
    assert [here.get("/rules/condice/").status_code for _request in range(2)] == [200, 429]
    costs(0.01)
    pages = {page: here.get(f"/account/{page}").status_code for page in (
        "login/", "logout/", "2fa/authenticate/", "password/reset/", "", "delete/", "download/")}
    assert [page for page, status in pages.items() if status == 429] == ["", "delete/", "download/"]
    assert sign_in(here).status_code == 302
    costs(120)
    assert [here.get("/sheets/").status_code for _request in range(3)] == [200, 200, 429]
    assert lacking(here.get("/sheets/").text, "Your account has used", MORE) == [MORE]


def test_many_accounts_behind_one_address_have_no_more_than_three_guests(costs, account):
    costs(60)
    # 60 of 200 each: none has used up its own; together they have 300.
    assert [account(HERE).get("/sheets/").status_code for _account in range(7)] == [200] * 6 + [429]
    answer = account(HERE).get("/sheets/")
    assert lacking(answer.text, "Your network address has used", MORE) == [MORE]
    # 360 of 300 are used; half of it is to be had again after 210 seconds.
    assert answer["Retry-After"] == "210"
    assert account(THERE).get("/sheets/").status_code == 200
    assert browser(HERE).get("/rules/condice/").status_code == 200


def test_one_account_cannot_use_up_what_the_others_behind_its_address_have(costs, account):
    costs(70)
    here, other = account(HERE), account(HERE)
    assert [here.get("/sheets/").status_code for _request in range(4)] == [200, 200, 200, 429]
    assert other.get("/sheets/").status_code == 200


def test_many_accounts_have_drafts_of_one_address(account):
    # 3 for a guest, 6 for an account, 9 for all accounts.
    statuses = [account(HERE).post("/build/condice/").status_code for _account in range(10)]
    assert statuses == [302] * 9 + [429]
    assert account(THERE).post("/build/condice/").status_code == 302


def test_threads_that_charge_one_bucket_at_once_lose_nothing(monkeypatch):
    class Slow(dict):
        def pop(self, *words):
            found = super().pop(*words)
            time.sleep(0.001)
            return found

    monkeypatch.setattr(rate_limit, "_pending", pending := Slow())
    with ThreadPoolExecutor(4) as pool:
        for _charge in range(40):
            pool.submit(rate_limit.charge, "address 1", rate_limit.WORK, 0.01)
    assert pending == {("address 1", rate_limit.WORK): pytest.approx(0.4)}


def test_new_drafts_of_an_address_are_counted_apart_over_all_its_browsers(clock):
    assert [browser().post("/build/condice/").status_code for _browser in range(3)] == [302] * 3
    answer = browser().post("/build/condice/")
    assert (answer.status_code, int(answer["Retry-After"]) > 0, Sheet.objects.count()) == (429, True, 3)
    assert "Too many drafts have been started from your network address" in answer.text
    assert browser().get("/rules/condice/").status_code == 200
    assert browser(THERE).post("/build/condice/").status_code == 302
    clock(3600)
    assert browser().post("/build/condice/").status_code == 302


def test_copies_and_imports_are_new_drafts_too():
    juan = Guest(example(), REMOTE_ADDR=HERE)
    assert [juan.whole("copy").status_code for _copy in range(3)] == [302, 302, 429]


def test_bytes_that_are_kept_are_counted_and_what_only_reads_goes_on(settings):
    settings.BUDGETS = {"drafts": 99, "bytes": 30_000}
    juan = Guest(example(), REMOTE_ADDR=HERE)
    Sheet.objects.filter(pk=juan.pk).update(notes="x" * 4_000, typed={"life": "x" * 20_000})
    assert [juan.whole("copy").status_code for _copy in range(4)] == [302, 302, 429, 429]
    assert "Your network address has stored too much" in juan.whole("copy").text
    assert juan.get().status_code == 200


def test_a_preview_is_stored_by_who_reads_it_first_and_counts_for_them(monkeypatch):
    Sheet.objects.filter(pk=Guest(example(), REMOTE_ADDR=THERE).pk).update(share="token")
    monkeypatch.setattr("sheets.export.preview.pictures", lambda *_, **__: [file_of(noise("RGB", (200, 200)))])
    here = browser()
    assert [here.get(f"/shared/token/{page}").status_code for page in ("preview.png", "preview.png", "")] == [
        200, 429, 200]
    assert browser(THERE).get("/shared/token/preview.png").status_code == 200


def test_the_address_stands_nowhere_and_what_has_run_out_is_forgotten(costs, clock):
    costs(10)
    browser().get("/rules/condice/")
    row, = Used.objects.all()
    assert re.fullmatch("[0-9a-f]{40,64}", row.key)
    clock(7300)
    browser(THERE).get("/rules/condice/")
    other, = Used.objects.all()
    assert other.key != row.key


def test_who_asks_without_the_proxy_is_answered(costs, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    costs(10)
    assert [browser().get(page).status_code for page in ("/health/", "/rules/condice/")] == [200, 200]


def test_what_is_kept_in_mind_has_a_bound(costs, monkeypatch):
    monkeypatch.setattr(rate_limit, "MAX_ENTRIES", 5)
    costs(0.01)
    for number in range(1, 20):
        browser(f"10.0.0.{number}").get("/api/v1/rulesets")
    assert len(rate_limit._pending) == 5


def test_without_a_budget_nothing_is_counted_and_every_other_refusal_says_when_to_come_back(costs, settings):
    settings.BUDGET = 0
    costs(1000)
    assert [browser().post("/build/condice/").status_code for _request in range(4)] == [302] * 4
    assert not Used.objects.exists()
    answers = [sign_up(browser(), f"name{n}") for n in range(21)]
    assert [answer.status_code for answer in answers] == [302] * 20 + [429]
    assert (answers[-1]["Retry-After"], len(people())) == ("60", 20)
